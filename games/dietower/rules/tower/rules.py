"""The tower: one die at a time from the queue, what its fall costs, and the thirteenth die (DT-TWR-1..8)."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from games.dietower.rules.actors.events import ActorFell, ActorRevived
from games.dietower.rules.actors.rules import deciding_seats, lay_down, show, use_standing_answer
from games.dietower.rules.state.constants import LEAST_HALF_WIDTH, MIRACLE_HEIGHT, MOST_HALF_WIDTH, OUTCOMES
from games.dietower.rules.state.records import Actor, Bonus, Consequence, Miracle, Placement
from games.dietower.rules.state.schema_types import (
    ActorKind,
    Asked,
    Condition,
    Harm,
    MiracleKind,
    Mode,
    PlacementStatus,
    Point,
    Reason,
    Target,
    Until,
    WishReason,
)
from games.dietower.rules.state.state import State
from games.dietower.rules.tower.balance import Centre, failing_level, place, risk, shift
from games.dietower.rules.tower.events import (
    BonusEnded,
    BonusGranted,
    ConsequenceWritten,
    DiePlaced,
    MiracleChosen,
    MiracleDue,
    PlacementDue,
    PlacementsDropped,
    RiskShown,
    TerribleThingDue,
    TowerFell,
    TowerTakenDown,
)
from games.dietower.rules.wishes.rules import earn_wish
from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import close
from games.engine.prompts.questions import ask_row, close_question
from games.engine.prompts.standing import standing_answer

STANDING_PLACE = "place"
AT_ONCE = "at_once"
HOLDING = (Asked.TERRIBLE, Asked.MIRACLE)
"""The questions that hold the queue, and in which no new check is asked (DT-CHK-14, DT-TWR-8)."""


def is_held_up(state: State) -> bool:
    """Whether a terrible thing or a miracle is open, so that no die is placed and no check is asked."""
    return any(state.questions(*HOLDING))


def require_tower_free(state: State) -> None:
    """Refuse (`prompt.open`) while a terrible thing or a miracle is open (DT-CHK-14)."""
    if is_held_up(state):
        raise Refused(
            "prompt.open",
            "A terrible thing or a miracle is not settled yet; wait for it.",
            rules=("DT-CHK-14",),
        )


def owe_placements(
    state: State, ctx: Context, roll: UUID, owed: Sequence[tuple[UUID, Reason]], *, unasked: bool = False
) -> Iterator[Event]:
    """Put dice into the queue. owed: who places, and why, in order. unasked: the seat was left (DT-AMB-53)."""
    for actor, reason in owed:
        yield from show(state, state.actors[actor])
        yield PlacementDue(placement=ctx.mint(PUBLIC), roll=roll, actor=actor, reason=reason, unasked=unasked)


def centres_of(state: State) -> list[Centre]:
    """The centres of the dice of a simulated tower, the lowest first."""
    ordered = (state.dice[level] for level in sorted(state.dice))
    return [Centre(die.x, die.y) for die in ordered if die.x is not None and die.y is not None]


def is_die_due(state: State) -> bool:
    """Whether the queue goes on: a die is due, none is asked for, and nothing holds it up."""
    return not is_held_up(state) and state.question(Asked.PLACE) is None and bool(state.due_placements())


def take_next_die(state: State, ctx: Context) -> Iterator[Event]:
    """Ask for the next die of the queue, or place it."""
    placement = state.due_placements()[0]
    simulated = state.tower.mode is Mode.SIMULATED
    if simulated:
        falls = risk(centres_of(state), state.tower.half_width)
        yield RiskShown(placement=placement.id, falls=falls, height=state.tower.height)
        actor = state.actors[placement.actor]
        if placement.unasked or is_placed_at_once(state, actor):
            if not placement.unasked:
                yield from use_standing_answer(state, ctx, actor, STANDING_PLACE, placement.id)
            yield from place_die(state, ctx, placement)
            return
    yield from ask_for_die(state, ctx, placement)


def risk_in_words(state: State) -> str:
    """What a question tells the world master of the next die, in brackets; "" where it cannot fall, or nobody knows."""
    if state.tower.mode is Mode.PHYSICAL:
        return ""
    falls = risk(centres_of(state), state.tower.half_width)
    return f" (the next die brings the tower down in {falls} of {OUTCOMES:,} ways)" if falls else ""


def is_placed_at_once(state: State, actor: Actor) -> bool:
    """Whether the owner has said in advance that dice are placed without asking (DT-WSH-7)."""
    return any(standing_answer(state, seat, STANDING_PLACE) == AT_ONCE for seat in deciding_seats(state, actor))


REAL, REAL_AGAIN = "a real tower", "a real tower, again"
"""The cases in which the tower stands on a table."""


def ask_for_die(state: State, ctx: Context, placement: Placement, *, again: bool = False) -> Iterator[Event]:
    """Ask for a die: its placer on a simulated tower, the world master on a real one, then the host as well.

    again: whether the first deadline of a real tower has passed (section 8).
    """
    case = "" if state.tower.mode is Mode.SIMULATED else REAL_AGAIN if again else REAL
    actor, height = state.actors[placement.actor].name, state.tower.height
    yield from ask_row(state, ctx, Asked.PLACE, placement.id, case=case, actor=actor, height=height)


def place_die(state: State, ctx: Context, placement: Placement) -> Iterator[Event]:
    """Place a die on the simulated tower: four recorded d6, none for the first (DT-SIM-1, 2).

    The question is closed before they are rolled, so that the event of the die carries them.
    """
    yield from close_question(state, Asked.PLACE, "placed", placement.id)
    centres = centres_of(state)
    rolled = ctx.tray.pool(f"tower:{placement.id}", 4, 6, "DT-SIM-2") if centres else []
    centre = place(centres, rolled)
    centres.append(centre)
    points = tuple(Point(x=c.x, y=c.y) for c in centres)
    failure = failing_level(centres, state.tower.half_width)
    if failure is not None:
        fall = TowerFell(
            placement=placement.id,
            actor=placement.actor,
            dice=tuple(rolled),
            height=state.tower.height,
            centres=points,
            level=failure.level,
            axis=failure.axis,
        )
        yield from let_fall(state, ctx, placement, fall)
        return
    by = shift(rolled) if rolled else None
    stands = DiePlaced(
        placement=placement.id,
        actor=placement.actor,
        dice=tuple(rolled),
        offset=Point(x=by.x, y=by.y) if by is not None else None,
        centre=points[-1],
        centres=points,
        height=state.tower.height + 1,
    )
    yield from let_stand(state, ctx, placement, stands)


def report_die(state: State, ctx: Context, placement: Placement, *, stands: bool) -> Iterator[Event]:
    """A die was placed on the real tower."""
    yield from close_question(state, Asked.PLACE, "placed", placement.id)
    if stands:
        placed = DiePlaced(placement=placement.id, actor=placement.actor, height=state.tower.height + 1)
        yield from let_stand(state, ctx, placement, placed)
    else:
        fall = TowerFell(placement=placement.id, actor=placement.actor, height=state.tower.height)
        yield from let_fall(state, ctx, placement, fall)


def let_stand(state: State, ctx: Context, placement: Placement, placed: DiePlaced) -> Iterator[Event]:
    """A die stands: its placer earns a Wish; the thirteenth is a miracle (DT-TWR-3, 5)."""
    actor = state.actors[placement.actor]
    yield placed
    yield from earn_wish(state, actor.id, WishReason.PLACEMENT)
    if state.tower.height < MIRACLE_HEIGHT:
        return
    miracle = ctx.mint(PUBLIC)
    yield MiracleDue(miracle=miracle, placement=placement.id, actor=actor.id)
    yield from ask_row(state, ctx, Asked.MIRACLE, miracle, actor=actor.name)


def let_fall(state: State, ctx: Context, placement: Placement, fall: TowerFell) -> Iterator[Event]:
    """The tower falls: what else the same roll or attack owes is dropped, something terrible is due (DT-TWR-4)."""
    yield fall
    dropped = [p.id for p in state.due_placements() if _of_one_action(state, p, placement)]
    if dropped:
        yield PlacementsDropped(placements=tuple(dropped), reason="fall")
    consequence = ctx.mint(PUBLIC)
    yield TerribleThingDue(consequence=consequence, placement=placement.id, actor=placement.actor)
    yield from ask_row(state, ctx, Asked.TERRIBLE, consequence, actor=state.actors[placement.actor].name)


def _of_one_action(state: State, one: Placement, other: Placement) -> bool:
    """Whether two dice are owed by one roll, or by the two rolls of one attack (DT-TWR-8)."""
    first, second = state.rolls[one.roll], state.rolls[other.roll]
    return first.id == second.id or (first.attack is not None and first.attack == second.attack)


def drop_die(state: State, placement: Placement) -> Iterator[Event]:
    """Nobody has said what became of a die of a real tower: it is not placed (section 8)."""
    yield from close_question(state, Asked.PLACE, "placed", placement.id)
    yield PlacementsDropped(placements=(placement.id,), reason="silence")


def write_consequence(
    state: State, consequence: Consequence, kind: Harm, text: str, targets: Sequence[Target]
) -> Iterator[Event]:
    """Say what the fall has cost; those who fall by it fall now. Their rolls are settled by `checks.settle_fallen`."""
    for target in targets:
        yield from show(state, state.actors[target.actor])
    yield ConsequenceWritten(consequence=consequence.id, kind=kind, text=text, targets=tuple(targets))
    prompt = state.question(Asked.TERRIBLE, consequence.id)
    if prompt is not None:
        yield from close(state, prompt, "written")
    yield from strike_down(state, targets, text)


def strike_down(state: State, targets: Sequence[Target], text: str) -> Iterator[Event]:
    """Let those fall who are struck down and are still up."""
    for target in targets:
        if target.fallen and state.actors[target.actor].condition is Condition.ACTIVE:
            yield ActorFell(actor=target.actor, text=text)
            yield from lay_down(state, target.actor)


def choose_miracle(state: State, miracle: Miracle, kind: MiracleKind, target: UUID) -> Iterator[Event]:
    """Carry a miracle out, and take the tower down (DT-TWR-5, 6)."""
    yield from show(state, state.actors[target])
    yield MiracleChosen(miracle=miracle.id, kind=kind, target=target)
    if kind is MiracleKind.REVIVE:
        yield ActorRevived(actor=target)
    else:
        until = Until.ENCOUNTER if state.encounter is not None else Until.SCENE
        yield BonusGranted(miracle=miracle.id, actor=target, until=until)
    prompt = state.question(Asked.MIRACLE, miracle.id)
    if prompt is not None:
        yield from close(state, prompt, "chosen")
    yield TowerTakenDown(height=state.tower.height)


def usual_miracle(state: State, miracle: Miracle) -> tuple[MiracleKind, UUID]:
    """What a miracle is by silence: a fallen placer is up again, any other rolls a die more (DT-AMB-50)."""
    placer = state.actors[miracle.actor]
    kind = MiracleKind.REVIVE if placer.condition is Condition.FALLEN else MiracleKind.EXTRA_DIE
    return kind, placer.id


def due_placement(state: State, placement: UUID) -> Placement:
    """The die of this id that is asked for now. Raises `prompt.closed`, `placement.waiting`."""
    found = state.placements.get(placement)
    if found is None or found.status is not PlacementStatus.DUE:
        raise Refused("prompt.closed", "This die is not due: placed, dropped, or of another game.", rules=("DT-TWR-8",))
    if state.question(Asked.PLACE, placement) is None:
        raise Refused(
            "placement.waiting",
            "The tower takes one die at a time; others are before this one.",
            rules=("DT-TWR-8",),
        )
    return found


def revival_targets(state: State) -> list[Actor]:
    """Whom a miracle may bring back: fallen PC and NPC who are known to all (DT-TWR-5)."""
    return [a for a in state.actors.values() if a.condition is Condition.FALLEN and a.shown]


def bonus_targets(state: State) -> list[Actor]:
    """Who may be given the die of a miracle: active PC and NPC who are known to all (DT-TWR-5)."""
    return [
        a
        for a in state.actors.values()
        if a.condition is Condition.ACTIVE and a.kind is not ActorKind.MONSTER and a.shown
    ]


def valid_half_width(half_width: int | None) -> int | None:
    """H as it is wanted. Raises `config.range`."""
    if half_width is not None and not LEAST_HALF_WIDTH <= half_width <= MOST_HALF_WIDTH:
        raise Refused(
            "config.range",
            f"Half the width of a die is {LEAST_HALF_WIDTH} to {MOST_HALF_WIDTH}, not {half_width}.",
            rules=("DT-SIM-1",),
            low=LEAST_HALF_WIDTH,
            high=MOST_HALF_WIDTH,
        )
    return half_width


def end_bonuses(state: State, *until: Until) -> Iterator[Event]:
    """The dice of miracles that last no longer are used up (DT-TWR-5, DT-AMB-54)."""
    ended: list[Bonus] = [bonus for bonus in state.bonuses.values() if bonus.until in until]
    for bonus in sorted(ended, key=lambda b: b.miracle):
        yield BonusEnded(miracle=bonus.miracle, actor=bonus.actor, until=bonus.until)
