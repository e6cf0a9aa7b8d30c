"""Which modifications something wakes, and what they change of a die that is thrown meanwhile (G2-MOD-3 to 5, DICE-4).

What they do besides stands in `effects.triggers`.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from games.engine.kernel import Context, Event
from games.gods2.rules.geometry.stats import works_for
from games.gods2.rules.pack.filters import awaits, has
from games.gods2.rules.pack.operations import Reroll
from games.gods2.rules.pack.pack import Power
from games.gods2.rules.pack.schema_types import Operation
from games.gods2.rules.state.effect_records import Modification, ModStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.workings.context import Perform, Working, applies
from games.gods2.rules.workings.events import ModificationFired
from games.gods2.rules.workings.modifications import century_of_expiry, effects_on, end_modification, of_race, outlasts

Steps = Iterator[Event]

Doing = Callable[[Modification, list[Operation]], Steps]
DIE = "die_rolled"


def waking(state: State, race: UUID, trigger: str, about: tuple[str, ...]) -> Iterator[tuple[Modification, str]]:
    """The modifications of a race that wait for this, in casting order, each with its trigger."""
    if trigger not in state.pack.trigger_names:
        return
    used: set[str] = set()
    for here in of_race(state, race):
        power = state.pack.powers[here.power]
        on = next((e.on for e in power.effects if awaits(e.on, trigger, about)), None)
        if on is None or here.id not in state.modifications or not ready(here, power, used, state.era.century):
            continue
        if has(power.codes, "Mv+"):
            used.add(power.id)
        yield here, on


def ready(here: Modification, power: Power, used: set[str], century: int) -> bool:
    """Whether a modification can fire in a century: it sleeps, or works until its trigger.

    What has the code Mc too does nothing before the next century (G2-MOD-2, G2-MOD-9).
    """
    if has(power.codes, "Mc") and here.century == century:
        return False
    if here.status is ModStatus.DORMANT:
        return not (has(power.codes, "Mv+") and power.id in used)
    return here.status is ModStatus.ACTIVE and here.fired is None


def fires(state: State, here: Modification, on: str, war: UUID | None = None) -> ModificationFired:
    """The event of a waking; what outlasts it by its data is bound to no war (G2-MOD-5)."""
    power = state.pack.powers[here.power]
    until = century_of_expiry(state, power) if here.status is ModStatus.DORMANT else None
    event = None if outlasts(power) else war
    return ModificationFired(modification=here.id, race=here.race, trigger=on, event=event, until=until)


def consume(state: State, here: Modification) -> Steps:
    """What slept has worked and ends, unless its data let it go on; what works until its trigger goes on."""
    left = state.modifications.get(here.id)
    if left is not None and left.fired is not None and not outlasts(state.pack.powers[left.power]):
        yield from end_modification(state, left, "used")


@dataclass(frozen=True, slots=True)
class Awake:
    """What a die has activated: it works until the die has counted."""

    here: tuple[Modification, ...]
    keeps: tuple[str, ...]
    """How each die that is thrown again counts: `best`, `worst` or `last`."""

    def throw(self, ctx: Context, use: str, sides: int, rule: str) -> int:
        """The die, thrown again as often as something says so; every throw is recorded (G2-DICE-4)."""
        die = ctx.tray.roll(use, sides, rule)
        for keep in self.keeps:
            again = ctx.tray.roll(use, sides, "G2-DICE-4")
            die = {"best": max(die, again), "worst": min(die, again), "last": again}[keep]
        return die

    def over(self, state: State) -> Steps:
        """The die has counted: what slept is used up."""
        for here in self.here:
            yield from consume(state, here)


ASLEEP = Awake((), ())


def activate_waiting(
    state: State, race: UUID, triggers: Sequence[str], doing: Doing, role: str | None = None, war: UUID | None = None
) -> Generator[Event, None, Awake]:
    """Wake what waits for a die of a race, in the order of the triggers, then of casting; what else it does, it does.

    doing: carries out the effects of one of them. role, war: of the race, for the conditions of throwing again.
    """
    here: dict[UUID, Modification] = {}
    keeps: list[str] = []
    for trigger in triggers:
        for each, on in waking(state, race, trigger, ()):
            if each.id not in here:
                here[each.id] = each
                yield fires(state, each, on)
                effects = effects_on(state.pack.powers[each.power], on)
                again = [e for e in effects if isinstance(e, Reroll)]
                keeps += [e.keep for e in again if works_for(state, race, e, role, war)]
                yield from doing(each, effects)
    return Awake(tuple(here.values()), tuple(keeps))


def perform_effects(
    state: State, ctx: Context, perform: Perform, here: Modification, effects: Iterable[Operation]
) -> Steps:
    """A modification does these of its effects whose conditions hold."""
    power = state.pack.powers[here.power]
    primary = state.authorships.get(here.casting) if here.casting else None
    working = Working(
        cause=power.id,
        perform=perform,
        codes=power.codes,
        power=power.id,
        casting=here.casting,
        caster=primary.primary if primary else None,
        races=(here.race,),
        modification=here.id,
    )
    yield from perform(state, ctx, working, [e for e in effects if applies(state, here.race, working, e)])
