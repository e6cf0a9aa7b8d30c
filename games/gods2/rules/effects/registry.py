"""Which chapter carries out which operation (section 4.2 of the rulebook), and in what order one working's effects run.

All effects of one working run before anything is settled (G2-CITY-10). What works as long as its carrier stands
(`stat_add`, `resist` ...) has nothing to carry out. On the whole Earth what names no scope is run once for each
living race, by id (G2-GLOB-4); cults of one working are applied together (G2-PAN-8).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from types import MappingProxyType

from games.engine.board.board import Square
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.gods2.rules.effects.artifacts import ARTIFACT_MAKE
from games.gods2.rules.effects.choices import CHOOSE
from games.gods2.rules.effects.cults import CONVERT, CULT
from games.gods2.rules.effects.disasters import DESTROY_CITY, KILL, announce_disaster
from games.gods2.rules.effects.events import TerrainChanged
from games.gods2.rules.effects.limit_cuts import LIMIT_CUT
from games.gods2.rules.effects.migration import MIGRATE
from games.gods2.rules.effects.misc import CENTURY_TIME, GRANT, MANA, STRIP, TASK, TURN_OFF
from games.gods2.rules.effects.peoples import ATTRIBUTE_ADD, RACE_ADD
from games.gods2.rules.effects.roll_tables import REPEAT, ROLL
from games.gods2.rules.effects.sacrifices import SACRIFICE
from games.gods2.rules.effects.spreading import TERRAIN_SPREAD
from games.gods2.rules.effects.terraforming import FEATURE_ADD, FEATURE_REMOVE, TERRAIN_SET, ruins
from games.gods2.rules.effects.turmoil import KICK, TURMOIL
from games.gods2.rules.effects.units import UNITS_ADD, UNITS_MOVE
from games.gods2.rules.effects.war import WAR_CANCEL, WAR_DECLARE
from games.gods2.rules.knowledge.rules import FORGET, FOUND_CITY, LEARN
from games.gods2.rules.pack import operations as op
from games.gods2.rules.pack.schema_types import Operation
from games.gods2.rules.state.state import State
from games.gods2.rules.workings.context import Doing, Together, Working, applies

Steps = Iterator[Event]


LASTING: tuple[type[Operation], ...] = (
    op.StatAdd, op.StatClamp, op.Resist, op.LimitAdd, op.LimitSet, op.LevelSet, op.Passable, op.WarForbid,
    op.DiplomacyChoice, op.Grow, op.Protect, op.CostMult, op.Reroll,
)  # fmt: skip
"""Operations that work while their carrier stands, and are asked for by other chapters."""
EARTHLY: tuple[type[Operation], ...] = (
    op.CenturyTime, op.Manual, op.Choose, op.WarDeclare, op.WarCancel, op.RollTable,
    op.ArtifactMake,
)  # fmt: skip
"""Operations of the Earth itself, which are not run for each race."""
DOINGS: Mapping[type[Operation], Doing | Together] = MappingProxyType(
    {
        op.Learn: LEARN,
        op.Forget: FORGET,
        op.FoundCity: FOUND_CITY,
        op.FeatureAdd: FEATURE_ADD,
        op.FeatureRemove: FEATURE_REMOVE,
        op.TerrainSet: TERRAIN_SET,
        op.TerrainSpread: TERRAIN_SPREAD,
        op.RollTable: ROLL,
        op.Repeat: REPEAT,
        op.Kill: KILL,
        op.DestroyCity: DESTROY_CITY,
        op.LimitCut: LIMIT_CUT,
        op.Sacrifice: SACRIFICE,
        op.UnitsAdd: UNITS_ADD,
        op.UnitsMove: UNITS_MOVE,
        op.Cult: CULT,
        op.Convert: CONVERT,
        op.Kick: KICK,
        op.Turmoil: TURMOIL,
        op.Migrate: MIGRATE,
        op.TurnOff: TURN_OFF,
        op.WarDeclare: WAR_DECLARE,
        op.WarCancel: WAR_CANCEL,
        op.Choose: CHOOSE,
        op.Manual: TASK,
        op.RaceAdd: RACE_ADD,
        op.ArtifactMake: ARTIFACT_MAKE,
        op.AttributeAdd: ATTRIBUTE_ADD,
        op.Mana: MANA,
        op.CenturyTime: CENTURY_TIME,
        op.Grant: GRANT,
        op.Strip: STRIP,
    }
)


def perform(state: State, ctx: Context, working: Working, effects: Iterable[Operation]) -> Steps:
    """Carry out the effects of one working, in their order; then what a change of terrain has destroyed goes.

    Nothing else is settled here: that is the caller's last step.
    """
    altered: set[Square] = set()
    for event in _run(state, ctx, replace(working, perform=_run), effects):
        yield event
        if isinstance(event, TerrainChanged):
            altered.update(place.square for place in event.squares)
    if altered:
        yield from ruins(state, altered, working)


def _run(state: State, ctx: Context, working: Working, effects: Iterable[Operation]) -> Steps:
    """Carry out effects, also those that effects of the same working call for. A disaster says first whom it hits."""
    doing = gather_operations([e for e in effects if not isinstance(e, LASTING)])
    yield from announce_disaster(state, working, doing)
    for each_race, some in groupby(doing, lambda e: working.earth and _of_races(e)):
        run = list(some)
        if each_race:
            for race in state.living():
                yield from _in_order(state, ctx, replace(working, races=(race.id,), earth=False), run)
        else:
            yield from _in_order(state, ctx, working, run)


def gather_operations(effects: list[Operation]) -> list[Operation]:
    """Effects in their order; those that count together (kills, cults) all in the place of the last of them.

    So they are one sum wherever they stand (G2-RES-6, G2-PAN-8).
    """
    last = {type(effect): place for place, effect in enumerate(effects)}
    together = {kind for kind in last if isinstance(DOINGS.get(kind), Together)}
    places = [last[type(e)] if type(e) in together else place for place, e in enumerate(effects)]
    return [effect for _, effect in sorted(zip(places, effects, strict=True), key=lambda i: i[0])]


def check(state: State, working: Working, effects: Iterable[Operation]) -> None:
    """Refuse, before payment, what one of the effects cannot do."""
    for effect in effects:
        if not isinstance(effect, LASTING) and effect.on is None:
            _doing(type(effect)).check(state, working, effect)


def _doing(kind: type[Operation]) -> Doing | Together:
    """How an operation is carried out. Raises `power.unsupported` for one that no chapter has yet."""
    if kind not in DOINGS:
        raise Refused("power.unsupported", f"What {kind.__name__} does is not offered yet.", rules=("G2-MISC-1",))
    return DOINGS[kind]


def _of_races(effect: Operation) -> bool:
    """Whether an effect names no scope and so is each race's own on the whole Earth; contacts are a race's own too."""
    return getattr(effect, "scope", None) in (None, "contacts") and not isinstance(effect, EARTHLY)


def _in_order(state: State, ctx: Context, working: Working, effects: list[Operation]) -> Steps:
    for kind, some in groupby(effects, type):
        run = list(some)
        doing = _doing(kind)
        if isinstance(doing, Together):
            yield from doing.work(state, ctx, working, run)
            continue
        for effect in run:
            if not doing.on_race or (working.races and applies(state, working.races[0], working, effect)):
                yield from doing.work(state, ctx, working, effect)
