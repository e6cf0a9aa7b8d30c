"""The course of the Die Tower: who is asked what, how long, what silence means, what follows by itself (section 8).

Long for one reason: a row for each question of the game.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from uuid import UUID

from games.dietower.rules.actors.rules import owner_of
from games.dietower.rules.checks.commands import BuyDie, CloseRoll, RequestCheck, SetCheck
from games.dietower.rules.checks.rules import close_roll, withdraw_check
from games.dietower.rules.combat.action_events import HoldKept
from games.dietower.rules.combat.attacks import (
    choose_defence,
    close_side,
    is_decided,
    open_attack,
    resolve_attack,
    set_attack_by_silence,
    usual_defence,
)
from games.dietower.rules.combat.commands import (
    ChooseDefence,
    DeclareAttack,
    EndTurn,
    HoldAction,
    KeepHold,
    MoveActor,
    ReleaseHold,
)
from games.dietower.rules.combat.rules import (
    CALLED,
    EMPTY,
    SCENE,
    active_members,
    ask_holder,
    close_encounter,
    due_holds,
    end_turn,
    is_quiet,
    next_turn,
    start_round,
)
from games.dietower.rules.combat.ruling_commands import SetAttack
from games.dietower.rules.state.options import options_of
from games.dietower.rules.state.schema_types import Asked, Harm, Mode, Step, Target
from games.dietower.rules.state.state import State
from games.dietower.rules.state.wording import PLAY
from games.dietower.rules.tower.commands import ChooseMiracle, PlaceDie, ReportDie, WriteConsequence, settle_fallen
from games.dietower.rules.tower.rules import (
    REAL,
    REAL_AGAIN,
    ask_for_die,
    choose_miracle,
    drop_die,
    is_die_due,
    place_die,
    take_next_die,
    usual_miracle,
    write_consequence,
)
from games.dietower.rules.wishes.commands import DecideWish
from games.dietower.rules.wishes.rules import decide_wish
from games.engine.audience import GM_READER, Audience, Reader, seat_and_gm
from games.engine.course import Course, When, rows
from games.engine.game_state import Prompt, Role
from games.engine.kernel import Context, Event
from games.engine.prompts.questions import (
    Default,
    Question,
    Window,
    close_question,
    the_game_master,
    the_game_master_and_hosts,
)

TOWER = "tower"
"""The lane of placements, terrible things and miracles outside encounters; in one they stand inside the turn."""
LEFT_OPEN = "left open by the WM"
ALL_WHO_ACT = frozenset({Role.PLAYER, Role.GM})
"""Whose seats are asked where NPC and Monsters act, too."""
MINUTES, HOURS = timedelta(minutes=1), timedelta(hours=1)
WINDOWS = {
    "turn": Window(live=5 * MINUTES, by_post=24 * HOURS, option="turn_seconds"),
    "answer": Window(live=MINUTES, by_post=12 * HOURS, option="answer_seconds"),
    "ruling": Window(live=2 * MINUTES, by_post=24 * HOURS, option="ruling_seconds"),
    "consequence": Window(live=5 * MINUTES, by_post=24 * HOURS, option="consequence_seconds"),
    "wish": Window(live=10 * MINUTES, by_post=48 * HOURS, option="wish_seconds"),
}


# -- who is asked -----------------------------------------------------------------------------------------------------


def the_actor(state: State, subject: UUID | None) -> tuple[Reader, ...]:
    """Who plays the actor."""
    return _owner(state, subject)


def the_holder(state: State, subject: UUID | None) -> tuple[Reader, ...]:
    """Who plays the holder."""
    return _owner(state, state.holds[_subject_of(subject)].actor)


def the_attacked(state: State, subject: UUID | None) -> tuple[Reader, ...]:
    """Who plays the attacked."""
    return _owner(state, state.attacks[_subject_of(subject)].target)


def the_roller(state: State, subject: UUID | None) -> tuple[Reader, ...]:
    """Who plays the one who rolls."""
    return _owner(state, state.rolls[_subject_of(subject)].actor)


def the_placer(state: State, subject: UUID | None) -> tuple[Reader, ...]:
    """Who plays the placer."""
    return _owner(state, state.placements[_subject_of(subject)].actor)


def the_placer_of_the_thirteenth(state: State, subject: UUID | None) -> tuple[Reader, ...]:
    """Who plays the placer of the thirteenth die."""
    return _owner(state, state.miracles[_subject_of(subject)].actor)


def _owner(state: State, actor: UUID | None) -> tuple[Reader, ...]:
    return (owner_of(state.actors[_subject_of(actor)]),)


def _subject_of(subject: UUID | None) -> UUID:
    if subject is None:
        raise RuntimeError("a question of this game is about something")
    return subject


def _wisher_and_world_master(state: State, subject: UUID | None) -> Audience:
    seat = state.wishes[_subject_of(subject)].seat
    return seat_and_gm(seat)


# -- what silence means -----------------------------------------------------------------------------------------------


def _about(then: Callable[[State, Context, UUID], Iterator[Event]]) -> Default[State]:
    """The default of a question, from what it is about."""
    return lambda state, ctx, prompt, late: then(state, ctx, _subject_of(prompt.subject))


def _place(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    """The service places a die of the simulated tower; of a real one the host is asked, then it is dropped."""
    placement = state.placements[_subject_of(prompt.subject)]
    if state.tower.mode is Mode.SIMULATED:
        yield from place_die(state, ctx, placement)
    elif prompt.owners == (GM_READER,):
        yield from close_question(state, Asked.PLACE, "deadline", placement.id)
        yield from ask_for_die(state, ctx, placement, again=True)
    else:
        yield from drop_die(state, placement)


def _leave_open(state: State, ctx: Context, subject: UUID) -> Iterator[Event]:
    consequence = state.consequences[subject]
    targets = (Target(actor=consequence.actor, fallen=False),)
    yield from write_consequence(state, consequence, Harm.OTHER, LEFT_OPEN, targets)
    yield from settle_fallen(state, ctx, targets)


def _usual_miracle(state: State, ctx: Context, subject: UUID) -> Iterator[Event]:
    miracle = state.miracles[subject]
    yield from choose_miracle(state, miracle, *usual_miracle(state, miracle))


def _usual_defence(state: State, ctx: Context, subject: UUID) -> Iterator[Event]:
    attack = state.attacks[subject]
    yield from choose_defence(state, ctx, attack, usual_defence(state, attack.target))


def _keep(state: State, ctx: Context, subject: UUID) -> Iterator[Event]:
    yield HoldKept(hold=subject)
    yield from close_question(state, Asked.HELD, "deadline", subject)


PLACE: Question[State] = Question(
    kind=Asked.PLACE,
    lane=TOWER,
    inside=Asked.TURN,
    owners=the_placer,
    asked_of=ALL_WHO_ACT,
    window="answer",
    answered_by=(PlaceDie,),
    asks="{actor} places a die on the tower of {height}.",
    silence="The service places it.",
    default=_place,
    rules=("DT-SIM-1", "DT-TWR-2", "DT-AMB-31"),
)
QUESTIONS = rows(
    Question(
        kind=Asked.CHECK_SET,
        lane="check:{check}",
        inside=Asked.TURN,
        owners=the_game_master,
        window="ruling",
        answered_by=(SetCheck,),
        asks="How hard is this for {actor}{means}: {intent}{risk}",
        silence="The check is withdrawn.",
        default=_about(lambda state, ctx, check: withdraw_check(state, state.checks[check], "silence")),
        rules=("DT-CHK-1", "DT-AMB-31"),
    ),
    Question(
        kind=Asked.CHECK_WISH,
        lane="check:{check}",
        inside=Asked.TURN,
        owners=the_roller,
        window="answer",
        early=False,
        answered_by=(BuyDie, CloseRoll),
        asks="{actor} may buy dice with Wishes, or closes the roll.",
        silence="The roll closes without a Wish.",
        default=_about(lambda state, ctx, roll: close_roll(state, ctx, state.rolls[roll])),
        rules=("DT-CHK-6", "DT-WSH-5", "DT-AMB-31"),
    ),
    PLACE,
    PLACE.but(
        REAL,
        owners=the_game_master,
        answered_by=(ReportDie,),
        asks="Does the tower stand with the die of {actor}?",
        silence="The host is asked, too.",
    ),
    PLACE.but(
        REAL_AGAIN,
        owners=the_game_master_and_hosts,
        answered_by=(ReportDie,),
        asks="Does the tower stand with the die of {actor}?",
        silence="The die is not placed.",
    ),
    Question(
        kind=Asked.TERRIBLE,
        lane=TOWER,
        inside=Asked.TURN,
        owners=the_game_master,
        window="consequence",
        answered_by=(WriteConsequence,),
        asks="What terrible thing happens by the die of {actor}?",
        silence="It is left open; nobody falls.",
        default=_about(_leave_open),
        rules=("DT-TWR-4", "DT-AMB-31"),
    ),
    Question(
        kind=Asked.MIRACLE,
        lane=TOWER,
        inside=Asked.TURN,
        owners=the_placer_of_the_thirteenth,
        asked_of=ALL_WHO_ACT,
        window="ruling",
        answered_by=(ChooseMiracle,),
        asks="{actor} chooses a miracle: somebody who fell is up again, or somebody rolls a die more.",
        silence="{actor} is revived, or else rolls a die more.",
        default=_about(_usual_miracle),
        rules=("DT-TWR-5", "DT-AMB-31", "DT-AMB-50"),
    ),
    Question(
        kind=Asked.TURN,
        lane=SCENE,
        ends_phase=True,
        owners=the_actor,
        asked_of=ALL_WHO_ACT,
        window="turn",
        answered_by=(MoveActor, DeclareAttack, HoldAction, RequestCheck, EndTurn),
        asks="{actor} acts.",
        silence="The turn ends.",
        default=lambda state, ctx, *_: end_turn(state, ctx, by_clock=True),
        rules=("DT-CMB-3", "DT-AMB-31"),
    ),
    Question(
        kind=Asked.ATTACK_DEFEND,
        lane=SCENE,
        inside=Asked.TURN,
        owners=the_attacked,
        window="answer",
        answered_by=(ChooseDefence,),
        asks="{attacker} attacks {defender}. What does {defender} defend with?",
        silence="A defensive weapon, or else nothing.",
        default=_about(_usual_defence),
        rules=("DT-CMB-5", "DT-AMB-31"),
    ),
    Question(
        kind=Asked.ATTACK_SET,
        lane=SCENE,
        inside=Asked.TURN,
        owners=the_game_master,
        window="ruling",
        answered_by=(SetAttack,),
        asks="How does {attacker} attack {defender}?{risk}",
        silence="Both use what they said, without advantage, edge or hindrance.",
        default=_about(lambda state, ctx, attack: set_attack_by_silence(state, ctx, state.attacks[attack])),
        rules=("DT-CMB-5", "DT-AMB-31"),
    ),
    Question(
        kind=Asked.ATTACK_WISH,
        lane=SCENE,
        inside=Asked.TURN,
        owners=the_roller,
        window="answer",
        early=False,
        answered_by=(BuyDie, CloseRoll),
        asks="{actor} may buy dice with Wishes, or closes the roll.",
        silence="The roll closes without a Wish.",
        default=_about(lambda state, ctx, roll: close_side(state, state.rolls[roll])),
        rules=("DT-CMB-6", "DT-WSH-5", "DT-AMB-31"),
    ),
    Question(
        kind=Asked.HELD,
        lane=SCENE,
        inside=Asked.TURN,
        owners=the_holder,
        asked_of=ALL_WHO_ACT,
        window="answer",
        answered_by=(ReleaseHold, KeepHold),
        asks="{actor} may act now: {trigger}",
        silence="The action is kept.",
        default=_about(_keep),
        rules=("DT-CMB-4", "DT-AMB-31"),
    ),
    Question(
        kind=Asked.WISH_STORY,
        lane="wish:{wish}",
        owners=the_game_master,
        readers=_wisher_and_world_master,
        window="wish",
        answered_by=(DecideWish,),
        asks="{actor} wishes: {text}",
        silence="The Wish is refused, and its price is free again.",
        default=_about(lambda state, ctx, wish: decide_wish(state, state.wishes[wish], accept=False, text="")),
        rules=("DT-WSH-3", "DT-AMB-31"),
    ),
)


# -- what follows by itself -------------------------------------------------------------------------------------------


def _in_quiet_turn(due: Callable[[State], bool]) -> Callable[[State], bool]:
    """Inside an encounter, while no question in its turn is open and no die is due."""
    return lambda state: state.course.step is Step.TURN and is_quiet(state) and due(state)


def _is_attack_decided(state: State) -> bool:
    attack = open_attack(state)
    return attack is not None and is_decided(state, attack)


def _resolve_attack(state: State, ctx: Context) -> Iterator[Event]:
    attack = open_attack(state)
    if attack is not None:
        yield from resolve_attack(state, ctx, attack)


def _is_turn_lost(state: State) -> bool:
    """The turn of somebody who takes none any more."""
    turn = state.require_encounter().turn
    return turn is not None and turn not in active_members(state)


def _start(state: State, ctx: Context) -> Iterator[Event]:
    yield from (next_turn(state, ctx) if state.require_encounter().round else start_round(state, ctx))


COURSE: Course[State] = Course(
    kinds=Asked,
    questions=QUESTIONS,
    windows=WINDOWS,
    options=options_of,
    is_live=lambda state: options_of(state).pace == "live",
    steps=PLAY,
    free_steps=(Step.FREE,),  # in an encounter the question of the turn says who acts
    goes_on=(
        When(is_die_due, take_next_die, ("DT-CHK-14", "DT-TWR-8")),
        When(_in_quiet_turn(_is_attack_decided), _resolve_attack, ("DT-CMB-7",)),
        When(
            _in_quiet_turn(lambda state: state.require_encounter().closing),
            lambda state, ctx: close_encounter(state, CALLED, state.require_encounter().closing_text),
            ("DT-CMB-16", "DT-AMB-56"),
        ),
        When(
            _in_quiet_turn(lambda state: not active_members(state)),
            lambda state, ctx: close_encounter(state, EMPTY),
            ("DT-CMB-17", "DT-AMB-44"),
        ),
        When(
            _in_quiet_turn(lambda state: bool(due_holds(state))),
            lambda state, ctx: ask_holder(state, ctx, due_holds(state)[0]),
            ("DT-CMB-4", "DT-AMB-38"),
        ),
        When(_in_quiet_turn(lambda state: state.require_encounter().turn is None), _start, ("DT-CMB-2",)),
        When(_in_quiet_turn(_is_turn_lost), lambda state, ctx: end_turn(state, ctx), ("DT-AMB-55",)),
    ),
)
