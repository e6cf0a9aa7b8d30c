"""A world for both: a state of the rules as an Earth of the oracle, a century of each, and how they are compared."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from games.engine.board.grid import squares_in
from games.engine.kernel import Context, Event, apply_events
from games.gods2.rules.century.calculation import pay_mana
from games.gods2.rules.century.steps import close_activity, open_century
from games.gods2.rules.course import COURSE
from games.gods2.rules.mana.events import ManaPaid, PoolPaid
from games.gods2.rules.state.constants import letter
from games.gods2.rules.state.records import DIABOLISM, WarStatus
from games.gods2.rules.state.state import State
from tests.dice import Planted
from tests.oracle.century import Factor, Report, century
from tests.oracle.dice import Dice
from tests.oracle.earth import Earth, Race

ENDS = {WarStatus.LAPSED: "lapsed", WarStatus.AVERTED: "averted", WarStatus.FOUGHT: "fought"}


def earth_of(state: State) -> Earth:
    """The same world as the oracle knows it."""
    units, owner = {}, {}
    for key in state.races:
        for square in squares_in(state.board.own(key)):
            units[tuple(square)], owner[tuple(square)] = int(state.board.units[square]), str(key)
    races = {}
    for record in state.races.values():
        migration = state.migrations.get(record.id)
        races[str(record.id)] = Race(
            key=str(record.id),
            level=str(record.level),
            attributes=frozenset(record.attributes),
            knowledges=frozenset(record.knowledges),
            floor=str(record.floor),
            cities={tuple(c.square): str(c.kind) for c in state.cities.values() if c.race == record.id},
            shares=dict(state.pantheon(record.id)),
            migration=None if migration is None else (migration.direction or tuple(migration.square or ())),  # type: ignore[arg-type]
            starved=record.starved,
            turmoil=record.turmoil,
            troubled=record.troubled,
            extinct=record.extinct,
            peak=record.peak,
        )
    features: dict[tuple[int, int], set[str]] = {}
    for feature in state.features.values():
        features.setdefault((feature.square.row, feature.square.column), set()).add(feature.kind)
    terrain = ["".join(map(letter, row)) for row in state.board.terrain.tolist()]
    return Earth(terrain, units, owner, races, features)


def factors_of(state: State) -> dict[str, list[Factor]]:
    """What each god holds, and the demons' pool (G2-MANA-1, 4)."""
    sources = state.pack.mana_sources
    found: dict[str, list[Factor]] = {str(god): [] for god in state.gods}
    for held in state.factors.values():
        source = sources[held.source]
        found[str(held.seat)].append(Factor(source.counter, source.when, Fraction(held.factor)))
    return found | {DIABOLISM: [Factor("worshippers", "century_end", Fraction(1, 4))]}


@dataclass
class Century:
    """One century as the oracle computes it, with its dice; the rules play it with the same ones."""

    earth: Earth
    report: Report
    dice: list[Planted]

    @classmethod
    def of(cls, earth: Earth, roll: Any, factors: dict[str, list[Factor]], *, last: bool = False) -> "Century":
        """Let the oracle compute it. roll: 1 to so many sides."""
        dice = Dice(roll)
        found = century(earth, dice, factors, dict.fromkeys(factors, Fraction(0)), last)
        return cls(earth, found, dice.shown)


def century_by_rules(state: State, ctx: Context) -> list[Event]:
    """The same century by the rules: opened, its Activity Phase ended, its worksheet closed as it stands."""
    happened = apply_events(state, open_century(state, ctx, state.era.century + 1), ctx)
    happened += apply_events(state, COURSE.go_on(state, ctx), ctx)
    happened += apply_events(state, close_activity(state, ctx), ctx)
    happened += apply_events(state, COURSE.go_on(state, ctx), ctx)
    happened += apply_events(state, pay_mana(state), ctx)
    happened += apply_events(state, COURSE.go_on(state, ctx), ctx)
    return [h.event for h in happened]


def plain(earth: Earth) -> dict[str, Any]:
    """What two Earths are compared by; flags that end with the century are left out."""
    return {
        "terrain": earth.terrain,
        "units": {s: (earth.owner[s], n) for s, n in sorted(earth.units.items())},
        "races": {
            key: (r.level, r.floor, sorted(r.knowledges), sorted(r.cities.items()), r.shares, r.turmoil, r.extinct)
            for key, r in sorted(earth.races.items())
        },
    }


def differences(state: State, events: Iterable[Event], century: Century) -> list[str]:
    """In what the rules' century differs from the oracle's: empty when they agree."""
    ours, theirs = plain(earth_of(state)), plain(century.earth)
    found = [f"{part}: {ours[part]} / {theirs[part]}" for part in ours if ours[part] != theirs[part]]
    wars = sorted((w for w in state.wars.values() if w.century == state.era.century), key=lambda w: w.order)
    fought = [(str(w.attacker), str(w.defender), ENDS[w.status]) for w in wars]
    if fought != century.report.wars:
        found.append(f"wars: {fought} / {century.report.wars}")
    closed = next(e for e in events if type(e).__name__ == "WorksheetClosed")
    boxes = {line.box: line.count for line in closed.lines if line.box is not None}  # type: ignore[attr-defined]
    if boxes != century.earth.boxes:
        found.append(f"boxes: {boxes} / {century.earth.boxes}")
    praying = {str(line.race): line.count for line in closed.lines if line.race is not None}  # type: ignore[attr-defined]
    if praying != century.report.worshippers:
        found.append(f"worshippers: {praying} / {century.report.worshippers}")
    paid = {str(e.seat): e for e in events if isinstance(e, ManaPaid)}
    pool = {DIABOLISM: next(e for e in events if isinstance(e, PoolPaid))}
    for god, wanted in century.report.paid.items():
        got = {**paid, **pool}[god]
        numbers = (Fraction(Decimal(got.earned)), got.amount, Fraction(Decimal(got.carried)))
        if numbers != (wanted.earned, wanted.amount, wanted.carried):
            found.append(f"mana of {god}: {numbers} / {wanted}")
    return found
