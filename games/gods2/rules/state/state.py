"""What the rules of The Gods II know of a game: records in tables, and the map as arrays.

The records themselves stand in `records`; what must always hold of a state in `invariants`, above geometry.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, ClassVar
from uuid import UUID

from games.engine.artifacts.state import ArtifactState, HolderKind
from games.engine.audience import SERVER, Audience, seat_and_gm
from games.engine.board.board import Board
from games.engine.errors import Refused
from games.engine.game_state import GameInfo, Role
from games.engine.state import Rows, singleton, table
from games.gods2.rules.pack.pack import Pack
from games.gods2.rules.state.effect_records import (
    ArtifactPower,
    Authorship,
    Cut,
    Deed,
    Grant,
    GrantSource,
    GrowthPlan,
    Land,
    LaterTurmoil,
    Law,
    Migration,
    Modification,
    Preview,
    Proposal,
    Signature,
    Task,
)
from games.gods2.rules.state.landmarks import Landmarks
from games.gods2.rules.state.records import (
    ACTIVE,
    ATHEISM,
    DIABOLISM,
    ENDED,
    Absence,
    Cards,
    City,
    Era,
    Factor,
    Feature,
    God,
    GodStatus,
    Line,
    NumberHolder,
    PantheonOrder,
    Phase,
    Pool,
    Purse,
    QueueNumber,
    Race,
    Share,
    War,
    WarPolicy,
    WarStatus,
)
from games.gods2.rules.state.square_rows import plain_square, write_square
from games.gods2.rules.state.wording import phase_refusal

SQUARES = "squares"
"""The special table of the map, for amendments."""


class State(ArtifactState):
    """The whole game."""

    holding_tables: ClassVar[Mapping[HolderKind, str]] = {
        HolderKind.DEITY: "gods",
        HolderKind.RACE: "races",
        HolderKind.CITY: "cities",
    }

    special: ClassVar[frozenset[str]] = frozenset({SQUARES})
    """The map: its rows are squares with the key `x,y`."""
    pause_rules: ClassVar[tuple[str, ...]] = ("G2-TIME-5",)
    amend_rules: ClassVar[tuple[str, ...]] = ("G2-LOG-1",)

    eras: Rows[UUID, Era] = table(Era)
    era = singleton(eras)
    """The clock of Era Centrum."""
    gods: Rows[UUID, God] = table(God, amendable=True)
    purses: Rows[UUID, Purse] = table(Purse, amendable=True)
    pools: Rows[UUID, Pool] = table(Pool)
    pool = singleton(pools)
    """The demons' account."""
    cards: Rows[tuple[UUID, str], Cards] = table(Cards, key=("seat", "sphere"), amendable=True)
    factors: Rows[tuple[UUID, str], Factor] = table(Factor, key=("seat", "source"))
    races: Rows[UUID, Race] = table(Race, amendable=True)
    shares: Rows[tuple[UUID, str], Share] = table(Share, key=("race", "member"), amendable=True)
    cities: Rows[UUID, City] = table(City, amendable=True)
    features: Rows[UUID, Feature] = table(Feature, amendable=True)
    wars: Rows[UUID, War] = table(War, amendable=True, over={"status": ENDED})
    policies: Rows[tuple[UUID, UUID], WarPolicy] = table(WarPolicy, key=("war", "race"))
    orders: Rows[UUID, PantheonOrder] = table(PantheonOrder)
    absences: Rows[UUID, Absence] = table(Absence, key="seat")
    numbers: Rows[int, QueueNumber] = table(QueueNumber, key="number")
    holders: Rows[int, NumberHolder] = table(NumberHolder, key="number")
    lines: Rows[tuple[str, str], Line] = table(Line, key=("kind", "key"), amendable=True)
    modifications: Rows[UUID, Modification] = table(Modification, amendable=True)
    cuts: Rows[UUID, Cut] = table(Cut, amendable=True)
    migrations: Rows[UUID, Migration] = table(Migration, amendable=True)
    authorships: Rows[UUID, Authorship] = table(Authorship)
    deeds: Rows[UUID, Deed] = table(Deed, ledger=True)
    signatures: Rows[UUID, Signature] = table(Signature, ledger=True)
    proposals: Rows[UUID, Proposal] = table(Proposal)
    tasks: Rows[UUID, Task] = table(Task)
    grants: Rows[tuple[UUID, str, GrantSource], Grant] = table(Grant, key=("seat", "power", "source"), amendable=True)
    artifact_powers: Rows[tuple[UUID, str], ArtifactPower] = table(
        ArtifactPower, key=("artifact", "power"), noun="power of an artifact", amendable=True
    )
    laws: Rows[str, Law] = table(Law, key="name")
    lands: Rows[UUID, Land] = table(Land, amendable=True)
    later_turmoils: Rows[UUID, LaterTurmoil] = table(LaterTurmoil, key="race")
    growth_plans: Rows[UUID, GrowthPlan] = table(GrowthPlan)
    previews: Rows[UUID, Preview] = table(Preview)

    def __init__(self, table: GameInfo, packs: Mapping[int, Pack]) -> None:
        super().__init__(table)
        self._packs = packs
        """Packs by version: data handed in from outside, pinned by `Era.pack_version`."""
        self.board = Board(0, 0)
        self._landmarks: Landmarks | None = None

    def set_era(self, **changes: Any) -> None:
        """Change the clock of Era Centrum."""
        self.era = replace(self.era, **changes)

    def require_setup(self) -> None:
        """Refuse after the start, and before a pack is pinned (`config.missing`)."""
        self.require(Phase.SETUP)
        if not self.era.pack_version:
            raise Refused(
                "config.missing", "Configure the game first: configure-game pins the data pack.", rules=("G2-SET-1",)
            )

    def require_map(self) -> None:
        """Refuse (`map.missing`) what needs an Earth before one is laid."""
        if not self.board.width:
            raise Refused("map.missing", "There is no map yet; lay one with set-map.", rules=("G2-SET-1",))

    def require_startable(self) -> None:
        """Refuse a start without a map, a god or a race (`map.missing`, `god.missing`, `race.missing`)."""
        self.require_setup()
        self.require_map()
        if not self.gods:
            raise Refused("god.missing", "No seat plays a god yet; define one with define-god.", rules=("G2-SET-1",))
        if not self.races:
            raise Refused(
                "race.missing", "No race lives on the Earth yet; define one with define-race.", rules=("G2-SET-1",)
            )

    @property
    def pack(self) -> Pack:
        """The pinned data pack."""
        return self._packs[self.era.pack_version]

    @property
    def packs(self) -> Mapping[int, Pack]:
        """Every pack that a game may be played with, by version."""
        return self._packs

    def use_packs(self, packs: Mapping[int, Pack]) -> None:
        """Play with other packs: those of the service, where the game is not played in memory alone."""
        self._packs = packs

    @property
    def landmarks(self) -> Landmarks:
        """Where features and cities stand: looked up once for as long as none of them changes."""
        seen = (self.features, self.cities, self.board)
        if self._landmarks is None or not self._landmarks.true_of(*seen):
            self._landmarks = Landmarks.of(*seen)
        return self._landmarks

    @property
    def chapter(self) -> int:
        return self.era.century

    @property
    def step(self) -> str:
        return self.era.phase

    def step_refusal(self, steps: tuple[str, ...]) -> Refused:
        phases = tuple(map(Phase, steps))
        return phase_refusal(self.era, phases, rules=("G2-SET-1",) if phases == (Phase.SETUP,) else ("G2-TIME-3",))

    def require_turn(self, seat: UUID, *, publicly: bool = False) -> None:
        """Refuse a seat that cannot act at the Window on the World now (G2-QUEUE-1, G2-HIST-2)."""
        self.require_able(self.god(seat), publicly=publicly)
        self.require(*ACTIVE)

    def god(self, seat: UUID) -> God:
        """The god of a seat. Raises `god.missing`."""
        if seat not in self.gods:
            raise Refused(
                "god.missing",
                f"{self.seats[seat].name} plays no god; the host defines gods before the game begins.",
                rules=("G2-QUEUE-1",),
            )
        return self.gods[seat]

    def require_able(self, god: God, *, publicly: bool = False) -> None:
        """Refuse (`god.dead`, `caster.absent`) a god who cannot cast (G2-HIST-2). publicly: absence is a secret."""
        if god.status is not GodStatus.ALIVE:
            raise Refused("god.dead", f"{god.name} is {god.status} and casts nothing.", rules=("G2-QUEUE-1",))
        if god.id in self.absences and not publicly:
            raise Refused("caster.absent", f"{god.name} is absent; the GM marks who is here.", rules=("G2-HIST-2",))

    def turn_hidden_from(self, seat: UUID) -> Audience:
        return seat_and_gm(seat) if seat in self.absences else SERVER

    def conducting_roles(self) -> tuple[Role, ...]:
        return (Role.GM, Role.HOST) if self.era.phase is Phase.TRANSITION else super().conducting_roles()

    def race(self, race: UUID) -> Race:
        """A race of this game. Raises `race.missing`."""
        if race not in self.races:
            raise Refused("race.missing", "There is no such race in this game.")
        return self.races[race]

    def subjects(self) -> list[UUID]:
        return sorted(self.races)

    def inability_to_hold(self, kind: HolderKind, holder: Any) -> str:
        """Races that are extinct and gods who do not live hold nothing (G2-ART-1)."""
        if isinstance(holder, Race) and holder.extinct:
            return f"{holder.name} are extinct"
        if isinstance(holder, God) and holder.status is not GodStatus.ALIVE:
            return f"{holder.name} is {holder.status.value}"
        return ""

    def subject_name(self, subject: UUID) -> str:
        return self.race(subject).name

    def living(self) -> list[Race]:
        """The races that are not extinct, by id (G2-DICE-3)."""
        return sorted((r for r in self.races.values() if not r.extinct), key=lambda r: r.id)

    def pantheon(self, race: UUID) -> dict[str, int]:
        """Shares of a race's members: gods by id, then atheism, diabolism (G2-TURM-4)."""
        held = {s.member: s.share for (r, _), s in self.shares.items() if r == race}
        return dict(sorted(held.items(), key=lambda i: (i[0] in (ATHEISM, DIABOLISM), i[0])))

    def reseat(self, seat: UUID) -> None:
        """A player who takes a seat is present."""
        if seat in self.absences:
            del self.absences[seat]

    def shift(self, by: timedelta) -> None:
        super().shift(by)
        era = self.era
        if era.ends_at is not None and self.info.id in self.eras:
            self.set_era(
                starts_at=era.starts_at and era.starts_at + by,
                activity_ends_at=era.activity_ends_at and era.activity_ends_at + by,
                ends_at=era.ends_at + by,
            )
        for war in list(self.wars.values()):
            if war.status is WarStatus.DECLARED and war.due is not None:
                self.wars[war.id] = replace(war, due=war.due + by)

    def plain_special(self, table: str, row: str) -> dict[str, Any] | None:
        return plain_square(self.board, row) if table == SQUARES else None

    def write_special(self, table: str, row: str, values: dict[str, Any]) -> None:
        """Change a square. Raises `amend.invalid`, `square.off_map`, `race.missing`."""
        write_square(self.board, self.races, row, values)
