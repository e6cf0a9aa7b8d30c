"""How a seat without a player plays: it becomes a god, answers what it is asked and ends its turn.

A policy sees what its seat may see and nothing else, and throws dice of its own. `POWERS` are what it may do with its
points; a chapter adds a function of its own that names a command, or none.
"""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

from games.dawn.rules.bots.avatars import walk
from games.dawn.rules.bots.commands import direct
from games.dawn.rules.bots.conflict import bid, contests
from games.dawn.rules.bots.gifts import gift
from games.dawn.rules.bots.land import lacks_land, raise_land, shape
from games.dawn.rules.bots.miracles import bless
from games.dawn.rules.bots.peoples import create
from games.dawn.rules.bots.trade import answer_offer, deal, patience, retract, share_of
from games.dawn.rules.bots.war import attack, commit, go_on, stand_in, wreck
from games.dawn.rules.powers.answer_commands import (
    AnswerConsent,
    AnswerLeave,
    OpenConflict,
    RaiseChallenge,
    RaiseObjection,
    Reply,
    WaiveObjection,
    WithdrawPower,
)
from games.dawn.rules.races.subrace_commands import PickEdge
from games.dawn.rules.setup.commands import DefineGod
from games.dawn.rules.state.constants import BOT_WAIT
from games.dawn.rules.state.schema_types import Asked, Moral, Step
from games.dawn.rules.state.state import State
from games.dawn.rules.trade.commands import MakeOffer, OfferPlace
from games.dawn.rules.turn.commands import EndTurn
from games.dawn.rules.turn.motion_commands import CastBallot
from games.engine.bots import Policy
from games.engine.dice import Tray
from games.engine.economy.trade_offers import OFFER
from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.engine.policies import RULE, Answer, Look, QuestionPolicy

ASPECTS = ("rivers", "storms", "harvest", "smithies", "dreams", "graves", "songs", "wolves", "mirrors", "thresholds")
Wish = Callable[[State, UUID, Tray], Command | None]
POWERS: tuple[Wish, ...] = (attack, shape, create, direct, wreck, bless, gift, walk, deal)
CHALLENGED = 12
"""One power in so many is challenged, where the table plays with open challenges."""


def define_god(look: Look[State]) -> Command | None:
    """A god of two aspects before the start, also on a seat that was taken after all were asked."""
    if look.state.course.step is not Step.SETUP or look.seat in look.state.gods:
        return None
    aspects = look.tray.shuffle(f"{look.use}/aspects", ASPECTS, RULE)[:2]
    moral = look.tray.draw(f"{look.use}/moral", tuple(Moral), RULE)
    return DefineGod(name=look.state.seats[look.seat].name, portfolio=tuple(aspects), moral=moral)


def _turn(look: Look[State], prompt: Prompt) -> Command:
    """The first wish that it has, of all in an order that the dice choose; the end of the turn when it has none.

    At the start of a turn in the Age of Land it makes land before anything else.
    """
    state, seat, tray = look.state, look.seat, look.tray
    first = (raise_land,) if lacks_land(state) else ()
    wishes = (wish(state, seat, tray) for wish in (*first, *tray.shuffle(f"{look.use}/wishes", POWERS, RULE)))
    taken_back = retract(state, seat, look.coin(prompt))
    return taken_back or next((command for command in wishes if command is not None), EndTurn())


def _fights(look: Look[State], prompt: Prompt) -> bool:
    """Whether it fights for a thing: as often as not, if it can."""
    return look.coin(prompt) and contests(look.state, look.seat, prompt.subject)


def _dares(look: Look[State], prompt: Prompt) -> bool:
    """Whether it challenges a power: one in so many, if it can fight for it."""
    able = contests(look.state, look.seat, prompt.subject)
    return able and look.tray.roll(f"{look.use_for(prompt)}/dare", CHALLENGED, RULE) == 1


def _either(says: Callable[[Look[State], Prompt], bool], yes: type[Reply], no: type[Reply]) -> Answer[State]:
    return lambda look, prompt: (yes if says(look, prompt) else no)(prompt=prompt.id)


def _consent(look: Look[State], prompt: Prompt) -> Command:
    able = look.state.balance(look.seat) >= share_of(look.state, look.seat, prompt)
    return AnswerConsent(prompt=prompt.id, yes=able and look.coin(prompt))


def _pick(look: Look[State], prompt: Prompt) -> Command:
    return PickEdge(prompt=prompt.id, edge=look.tray.draw(f"{look.use_for(prompt)}/edge", prompt.choices, RULE))


def _again_in(look: Look[State], prompt: Prompt | None, command: Command | None) -> timedelta | None:
    if command is None or isinstance(command, DefineGod):
        return None
    return patience(look.state) if isinstance(command, MakeOffer | OfferPlace) else BOT_WAIT


plain: QuestionPolicy[State] = QuestionPolicy(
    answers={
        Asked.SETUP: lambda look, prompt: define_god(look),
        Asked.TURN: _turn,
        OFFER: lambda look, prompt: answer_offer(look.state, look.state.offers[prompt.id], look.coin(prompt)),
        Asked.CONSENT: _consent,
        Asked.LEAVE: lambda look, prompt: AnswerLeave(prompt=prompt.id, yes=look.coin(prompt)),
        Asked.DECIDE: _either(_fights, OpenConflict, WithdrawPower),
        Asked.OBJECT: _either(_fights, RaiseObjection, WaiveObjection),
        Asked.CHALLENGE: _either(_dares, RaiseChallenge, WaiveObjection),
        Asked.AUCTION: lambda look, prompt: bid(look.state, look.seat, look.tray, look.use_for(prompt)),
        Asked.PICK: _pick,
        Asked.STAND_IN: stand_in,
        Asked.COMMIT: commit,
        Asked.CONTINUE: go_on,
        Asked.REVENGE: _either(_fights, OpenConflict, WaiveObjection),
        Asked.MOTION: lambda look, prompt: CastBallot(motion=prompt.id, yes=look.coin(prompt)),
    },
    unasked=define_god,
    again_in=_again_in,
)
POLICIES: dict[str, Policy[State]] = {"plain": plain}
