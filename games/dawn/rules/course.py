"""The course of Dawn of Worlds: who is asked what, how long, what silence means, what follows by itself (section 9).

Long for one reason: a row for each question of the game.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from uuid import UUID

from games.dawn.rules.conflict.commands import Fold, OpenDispute, PlaceBid
from games.dawn.rules.conflict.rules import conflict_goes_on, fold
from games.dawn.rules.powers.answer_commands import (
    AnswerConsent,
    AnswerLeave,
    OpenConflict,
    RaiseChallenge,
    RaiseObjection,
    WaiveObjection,
    WithdrawPower,
)
from games.dawn.rules.powers.frame import power_goes_on, question_of
from games.dawn.rules.races.subrace_commands import PickEdge, pick_silent
from games.dawn.rules.revenge.rules import revenge_due, revenge_goes_on, revenge_silent
from games.dawn.rules.setup.commands import DefineGod, begin_game
from games.dawn.rules.state.constants import LEAST_GODS
from games.dawn.rules.state.options import options_of
from games.dawn.rules.state.schema_types import Asked, Pace, Step
from games.dawn.rules.state.state import LANE, State
from games.dawn.rules.trade.commands import AcceptOffer, DeclineOffer, GivePoints, MakeOffer, OfferPlace
from games.dawn.rules.trade.rules import end_offer, lapse_unpayable, unpayable
from games.dawn.rules.turn.commands import EndTurn
from games.dawn.rules.turn.motion_commands import CastBallot
from games.dawn.rules.turn.motions import count_votes
from games.dawn.rules.turn.rules import end_turn, round_over
from games.dawn.rules.war.commands import AttackAgain, CommitArmies, StandIn, StopWar, WaiveStandIn
from games.dawn.rules.war.rules import war_goes_on, war_open, war_silent
from games.engine.bots import bot_key, wake_bots
from games.engine.course import Course, When, rows
from games.engine.economy.trade_offers import OFFER, Result
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import Rule, close
from games.engine.prompts.questions import Question, Window, every_player, silent_seats

WINDOWS = {
    "setup": Window(live=timedelta(minutes=60), by_post=timedelta(days=7), option="setup_seconds"),
    "turn": Window(live=timedelta(minutes=10), by_post=timedelta(hours=72), option="turn_seconds"),
    "answer": Window(live=timedelta(seconds=90), by_post=timedelta(hours=24), option="answer_seconds"),
    "challenge": Window(live=timedelta(seconds=30), by_post=timedelta(hours=24), option="answer_seconds"),
}
Silent = Sequence[UUID]


# -- what silence means -----------------------------------------------------------------------------------------------


def _say_no(state: State, ctx: Context, prompt: Prompt, late: Silent) -> Iterator[Event]:
    """No consent, leave refused, no conflict, no objection: silence is a no everywhere."""
    for seat in late:
        asked = question_of(state, ctx, prompt) if prompt.id in state.prompts else None
        if asked is not None:
            yield from asked.record_answer(state, ctx, prompt, seat, False)
        elif prompt.id in state.prompts:
            yield from close(state, prompt.id, "void")


def _fold(state: State, *_: object) -> Iterator[Event]:
    for conflict in list(state.conflicts.values()):
        yield from fold(state, conflict)


def _count_votes(state: State, ctx: Context, prompt: Prompt, late: Silent) -> Iterator[Event]:
    """Who has left counts as no at once; when the time is over, a silent seat too."""
    yield from count_votes(state, over={*silent_seats(state, prompt)} == {*late})


def _lapse(state: State, ctx: Context, prompt: Prompt, late: Silent) -> Iterator[Event]:
    yield from end_offer(state, state.offers[prompt.id], Result.LAPSED)


def _without_a_god(state: State, prompt: Prompt) -> list[UUID]:
    return [seat for seat in silent_seats(state, prompt) if seat not in state.gods]


in_turn: "partial[Question[State]]" = partial(
    Question, lane=LANE, inside=Asked.TURN, ends_phase=True, window="answer", rules=("DW-ASK-1", "DW-AMB-31")
)
"""What is asked inside a turn: its clock stands still meanwhile."""
OBJECT: Question[State] = in_turn(
    kind=Asked.OBJECT,
    about="whether a god objects",
    owners="the creators entitled, or the gods whom a catastrophe hurts",
    settles=Rule.UNANIMOUS,
    answered_by=(RaiseObjection, WaiveObjection),
    asks="{caster} {does}. Do you object?",
    silence="You do not object.",
    default=_say_no,
)
QUESTIONS = rows(
    Question(
        kind=Asked.SETUP,
        lane="setup",
        ends_phase=True,
        owners=every_player,
        settles=Rule.ALL,
        window="setup",
        answered_by=(DefineGod,),
        asks="Which god are you?",
        silence="A seat without a god is dropped.",
        default=lambda state, ctx, *_: begin_game(state, ctx),
        late=_without_a_god,
        rules=("DW-SET-8", "DW-AMB-31"),
    ),
    Question(
        kind=Asked.TURN,
        lane=LANE,
        ends_phase=True,
        owners="the active god",
        window="turn",
        answered_by=(OfferPlace, GivePoints, MakeOffer, OpenDispute, EndTurn),
        asks="{god}, it is your turn.",
        silence="Your turn ends; your points are kept.",
        default=lambda state, ctx, *_: end_turn(state, ctx),
        rules=("DW-TRN-1", "DW-AMB-31"),
    ),
    Question(
        kind=OFFER,
        lane="offer:{offer}",
        owners="the god to whom it is made",
        until="the end of the turn",
        answered_by=(AcceptOffer, DeclineOffer),
        asks="{maker} offers you {given} for {wanted}.",
        silence="It lapses at the end of the turn.",
        default=_lapse,
        rules=("DW-PTS-5", "DW-AMB-31"),
    ),
    in_turn(
        kind=Asked.CONSENT,
        about="whether a god agrees",
        owners="the co-creators named, or the creators of the other race",
        settles=Rule.UNANIMOUS,
        answered_by=(AnswerConsent,),
        asks="Do you agree? {what}",
        silence="No; the command is withdrawn.",
        default=_say_no,
    ),
    in_turn(
        kind=Asked.LEAVE,
        about="whether a god grants leave",
        owners="the owners of the squares, and who controls a city to be drowned",
        settles=Rule.ALL,
        answered_by=(AnswerLeave,),
        asks="{caster} asks for leave to shape squares {which}",
        silence="You refuse.",
        default=_say_no,
    ),
    in_turn(
        kind=Asked.DECIDE,
        about="whether a Divine Conflict follows",
        owners="the active god",
        answered_by=(OpenConflict, WithdrawPower),
        asks="{refuser} refuses. Do you open a Divine Conflict?",
        silence="The power is withdrawn; what it holds comes back.",
        default=_say_no,
    ),
    OBJECT,
    in_turn(
        kind=Asked.CHALLENGE,
        about="whether a god challenges a power",
        owners="all other gods",
        settles=Rule.UNANIMOUS,
        window="challenge",
        answered_by=(RaiseChallenge, WaiveObjection),
        asks="{caster} uses a power. Do you challenge it?",
        silence="You do not challenge it.",
        default=_say_no,
    ),
    in_turn(
        kind=Asked.AUCTION,
        about="the bids of a Divine Conflict",
        owners="the side to bid",
        answered_by=(PlaceBid, Fold),
        asks="Bid more than {bid}, or fold.",
        silence="You fold.",
        default=_fold,
    ),
    in_turn(
        kind=Asked.PICK,
        about="which edge a subrace inherits",
        owners="the next picker",
        answered_by=(PickEdge,),
        asks="Which edge of their parents do {race} inherit?",
        silence="The oldest edge left is picked.",
        default=pick_silent,
    ),
    in_turn(
        kind=Asked.STAND_IN,
        about="whether an avatar stands in for a city",
        owners="the gods of avatars in the city, one after the other",
        answered_by=(StandIn, WaiveStandIn),
        asks="{city} has no army. Does an avatar of yours stand in?",
        silence="No avatar of yours stands in.",
        default=war_silent,
    ),
    in_turn(
        kind=Asked.COMMIT,
        about="what is committed to a battle",
        owners="the attacker, and the defender with armies",
        settles=Rule.ALL,
        sealed=True,
        answered_by=(CommitArmies,),
        asks="Battle for {target}: what do you commit?",
        silence="The attacker retreats; the defender commits all armies.",
        default=war_silent,
    ),
    in_turn(
        kind=Asked.CONTINUE,
        about="whether the attacker goes on",
        owners="the attacker",
        answered_by=(AttackAgain, StopWar),
        asks="{march} left on the march. Do you attack again?",
        silence="You stop.",
        default=war_silent,
    ),
    in_turn(
        kind=Asked.REVENGE,
        about="whether an avatar returns",
        owners="the god of the dead avatar",
        answered_by=(OpenConflict, WaiveObjection),
        asks="{avatar} was killed by {killer}. Do you open a Divine Conflict to have it back?",
        silence="You let it pass; the avatar is gone.",
        default=revenge_silent,
    ),
    Question(
        kind=Asked.MOTION,
        lane="motion",
        ends_phase=True,
        owners="every god",
        settles=Rule.MAJORITY,
        sealed=True,
        window="answer",
        answered_by=(CastBallot,),
        asks="Shall this Age have {length} rounds?",
        silence="No.",
        default=_count_votes,
        rules=("DW-AGE-5", "DW-AMB-31"),
    ),
)


# -- what follows by itself -------------------------------------------------------------------------------------------


def _is_setup_over(state: State) -> bool:
    """All who hold a seat have a god, two at least, and the group ends the set-up early."""
    if state.course.step is not Step.SETUP or not options_of(state).early_close:
        return False
    held = {seat.id for seat in state.players() if state.is_held(seat.id)}
    return held <= {*state.gods} and len(held) >= LEAST_GODS


def _in_turn(due: Callable[[State], bool]) -> Callable[[State], bool]:
    """While no question inside the turn is open."""
    return lambda state: state.inner() is None and due(state)


def _has_active_god_left(state: State) -> bool:
    """The active god has left, and others play on."""
    active = state.course.active
    return active is not None and state.has_left(active) and any(not state.has_left(g) for g in state.gods)


def _is_round_over(state: State) -> bool:
    """The end of the last planned round waits for an open motion."""
    course = state.course
    return course.step is Step.ROUND_END and not (course.round >= course.length and state.motions)


def _does_bot_sleep(state: State) -> bool:
    """A bot has the floor, and has no time at which it looks: it waited for others, and the turn would run out."""
    active = state.course.active
    return active is not None and bool(state.seats[active].bot) and bot_key(active) not in state.timers


def _wake_bot(state: State, ctx: Context) -> Iterator[Event]:
    if state.course.active is not None:
        yield from wake_bots(state, ctx, (state.course.active,))


COURSE: Course[State] = Course(
    kinds=(*Asked, OFFER),
    questions=QUESTIONS,
    windows=WINDOWS,
    options=options_of,
    is_live=lambda state: state.course.deadlines is Pace.LIVE,
    default_name="take-default",
    marks_all=False,
    steps=(Step.SETUP, Step.TURN, Step.ROUND_END),
    free_steps=(Step.TURN,),
    goes_on=(
        When(_is_setup_over, begin_game, ("DW-SET-8",)),
        When(lambda state: bool(unpayable(state)), lambda state, ctx: lapse_unpayable(state), ("DW-PTS-5",)),
        When(_in_turn(lambda state: bool(state.conflicts)), conflict_goes_on, ("DW-DC-6",)),
        When(_in_turn(lambda state: bool(state.powers)), power_goes_on, ("DW-PRC-3",)),
        When(_in_turn(revenge_due), revenge_goes_on, ("DW-AVA-5",)),
        When(_in_turn(war_open), war_goes_on, ("DW-WAR-4", "DW-WAR-9")),
        When(_in_turn(_has_active_god_left), end_turn, ("DW-AMB-37",)),
        When(_in_turn(_is_round_over), round_over, ("DW-AGE-4",)),
        When(_in_turn(_does_bot_sleep), _wake_bot, ()),
    ),
)
