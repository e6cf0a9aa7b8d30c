"""What is refused before anybody pays: one stage and one table of cases, for the rules and for both APIs.

The stage is a list of commands, so that it is the same in memory and in the database.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from games.engine.kernel import Command
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.migration_commands import OrderMigration
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.pantheon.commands import DraftPantheonOrder
from games.gods2.rules.setup.commands import ConfigureGame, DefineGod, DefineRace, SetMap
from games.gods2.rules.setup.roster_commands import MarkAbsent
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.shares import share_list
from games.gods2.rules.state.value_types import CardOf, Cell, Held, PartOf, Place, ShareOf, Target
from games.gods2.rules.window.commands import PassNumber

ROWS = ("PPPPPPPPPP", "PPPPPPPPPP", "PPPPPPPPPW")
FEATURES: Mapping[tuple[int, int], str] = {(9, 0): "stable_ground", (0, 0): "blessed_land"}
NOBODY = UUID(int=0)


@dataclass(frozen=True)
class Cast:
    """Who plays: the seats by name, and the races once they are there."""

    ana: UUID
    ben: UUID
    cleo: UUID
    races: dict[str, UUID] = field(default_factory=dict)


def options() -> Gods2Options:
    return Gods2Options(century_seconds=600)


def stage(cast: Cast) -> Iterator[Command]:
    """The commands of the host that set it up: three gods, three races, two of them in contact."""
    yield ConfigureGame(options=options())
    cells = tuple(
        Cell(terrain=letter, features=(FEATURES[x, y],) if (x, y) in FEATURES else ())  # type: ignore[arg-type]
        for y, row in enumerate(ROWS)
        for x, letter in enumerate(row)
    )
    yield SetMap(width=len(ROWS[0]), height=len(ROWS), cells=cells)
    held = {"FE": 5, "WA": 2, "CK": 2, "CW": 2, "LB": 1, "CH": 1}
    cards = tuple(CardOf(sphere=sphere, count=count) for sphere, count in held.items())
    yield DefineGod(seat=cast.ana, name="Ashkar", cards=cards, amount=20)
    yield DefineGod(seat=cast.ben, name="Belun", amount=20)
    yield DefineGod(seat=cast.cleo, name="Cirra", amount=20)
    for name, x, believers in (
        ("Dwarves", 1, (cast.ana, cast.ben)),
        ("Elves", 4, (cast.ben,)),
        ("Far", 9, (cast.ana,)),
    ):
        placed = tuple(Held(square=Place(x=x - n, y=1), units=1) for n in range(2 if name == "Dwarves" else 1))
        pantheon = tuple(ShareOf(member=str(seat), share=10_000 // len(believers)) for seat in believers)
        yield DefineRace(name=name, attributes=("peaceful",), pantheon=pantheon, placed=placed)


def absent(cast: Cast) -> Command:
    """What the GM says before: Cirra is not here."""
    return MarkAbsent(seat=cast.cleo, absent=True)


def on(x: int, y: int) -> tuple[Target, ...]:
    return (Target(squares=(Place(x=x, y=y),)),)


def race(cast: Cast, name: str) -> tuple[Target, ...]:
    return (Target(race=cast.races[name]),)


@dataclass(frozen=True)
class Case:
    """One thing that Ashkar may not do."""

    label: str
    command: Callable[[Cast], Command]
    code: str
    rule: str
    facts: Mapping[str, Any] = field(default_factory=dict)


def draft_order(cast: Cast, ana: int, ben: int) -> Command:
    shares = {str(cast.ana): ana, str(cast.ben): ben}
    return DraftPantheonOrder(race=cast.races["Dwarves"], pantheon=share_list(shares))


def together(cast: Cast, partner: UUID, ana: int = 0, other: int = 0) -> Command:
    parts = (PartOf(seat=cast.ana, amount=ana), PartOf(seat=partner, amount=other))
    split: Any = "given" if ana or other else "equal"
    return CastPower(power="call_to_arms", targets=race(cast, "Dwarves"), parts=parts, split=split)


CASES = (
    Case(
        "no cards",
        lambda c: CastPower(power="flood", targets=on(8, 2)),
        "power.level",
        "G2-HIST-7",
        {"need": 1, "have": 0},
    ),
    Case("too few cards", lambda c: CastPower(power="world_war"), "power.level", "G2-HIST-7", {"need": 5, "have": 2}),
    Case(
        "too little mana",
        lambda c: CastPower(power="scorching_age"),
        "mana.short",
        "G2-HIST-3",
        {"need": 22, "have": 20},
    ),
    Case("no target", lambda c: CastPower(power="call_to_arms"), "target.invalid", "G2-HIST-1", {"target": "race"}),
    Case(
        "a target too many", lambda c: CastPower(power="scorching_age", targets=on(0, 0)), "target.invalid", "G2-HIST-1"
    ),
    Case(
        "a race where a square is asked",
        lambda c: CastPower(power="tremor", targets=race(c, "Dwarves")),
        "target.invalid",
        "G2-HIST-1",
    ),
    Case("off the map", lambda c: CastPower(power="tremor", targets=on(10, 0)), "square.off_map", "G2-MAP-1"),
    Case(
        "a race that is not there",
        lambda c: CastPower(power="call_to_arms", targets=(Target(race=NOBODY),)),
        "race.missing",
        "",
    ),
    Case(
        "an unfit square",
        lambda c: CastPower(power="eruption", targets=on(3, 0)),
        "target.unfit",
        "G2-HIST-1",
        {"wanted": "feature volcano"},
    ),
    Case(
        "an unfit race",
        lambda c: CastPower(power="commercial_advancement", targets=race(c, "Dwarves")),
        "target.unfit",
        "G2-HIST-1",
    ),
    Case(
        "a locked square", lambda c: CastPower(power="raise_mountain", targets=on(0, 0)), "square.locked", "G2-TERR-2"
    ),
    Case(
        "a protected square",
        lambda c: CastPower(power="tremor", targets=on(9, 0)),
        "target.protected",
        "G2-FILT-2",
        {"power": "tremor", "source": "feature:stable_ground"},
    ),
    Case(
        "a knowledge without its prerequisites",
        lambda c: CastPower(power="teach_writing", targets=race(c, "Dwarves")),
        "knowledge.prerequisite",
        "G2-KNOW-2",
    ),
    Case("no such power", lambda c: CastPower(power="no_such"), "power.missing", "", {"power": "no_such"}),
    Case("a split that does not add up", lambda c: together(c, c.ben, 3, 3), "mana.split", "G2-HIST-3", {"price": 4}),
    Case("a caster twice", lambda c: together(c, c.ana), "mana.split", "G2-HIST-3"),
    Case(
        "somebody else first",
        lambda c: CastPower(power="call_to_arms", targets=race(c, "Dwarves"), parts=(PartOf(seat=c.ben),)),
        "mana.split",
        "G2-HIST-3",
    ),
    Case("an absent co-caster", lambda c: together(c, c.cleo), "caster.absent", "G2-HIST-2"),
    Case("a co-caster who is nobody", lambda c: together(c, NOBODY), "seat.missing", "G2-HIST-2"),
    Case(
        "a war out of reach",
        lambda c: DeclareWar(attacker=c.races["Dwarves"], defender=c.races["Far"]),
        "contact.missing",
        "G2-MOVE-6",
    ),
    Case(
        "a race that does not worship",
        lambda c: OrderMigration(race=c.races["Elves"], direction="n"),
        "target.unfit",
        "G2-HIST-1",
    ),
    Case(
        "a way and a goal at once",
        lambda c: OrderMigration(race=c.races["Dwarves"], direction="n", square=Place(x=0, y=0)),
        "target.invalid",
        "G2-HIST-1",
    ),
    Case("no number called", lambda c: PassNumber(), "number.not_called", ""),
    Case("shares above 100 %", lambda c: draft_order(c, 6_000, 5_000), "pantheon.sum", "G2-PAN-1", {"sum": 11_000}),
    Case("shares below 100 %", lambda c: draft_order(c, 6_000, 3_999), "pantheon.sum", "G2-PAN-1", {"sum": 9_999}),
    Case("a member without a share", lambda c: draft_order(c, 10_000, 0), "pantheon.sum", "G2-PAN-1", {"sum": 10_000}),
)
