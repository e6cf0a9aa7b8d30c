"""How a seat without a player plays: it becomes a god, answers what it is asked and ends its turn.

A policy sees what its seat may see and nothing else, and throws dice of its own. `POWERS` are what it may do with its
points; a chapter adds a function of its own that names a command, or none.
"""

from collections.abc import Callable
from uuid import UUID

from games.dawn.rules.bots.avatars import walk
from games.dawn.rules.bots.commands import direct
from games.dawn.rules.bots.conflict import bid, contests
from games.dawn.rules.bots.gifts import gift
from games.dawn.rules.bots.land import lacks_land, raise_land, shape
from games.dawn.rules.bots.peoples import create
from games.dawn.rules.bots.trade import answer_offer, deal, patience, retract, share_of
from games.dawn.rules.bots.war import attack, in_war, wreck
from games.dawn.rules.powers.answer_commands import (
    AnswerConsent,
    AnswerLeave,
    OpenConflict,
    RaiseChallenge,
    RaiseObjection,
    WaiveObjection,
    WithdrawPower,
)
from games.dawn.rules.races.subraces import PickEdge
from games.dawn.rules.setup.commands import DefineGod
from games.dawn.rules.state.constants import BOT_WAIT
from games.dawn.rules.state.schema_types import Asked, Moral, Step
from games.dawn.rules.state.state import State
from games.dawn.rules.trade.commands import MakeOffer, OfferPlace
from games.dawn.rules.turn.commands import EndTurn
from games.dawn.rules.turn.motions import CastBallot
from games.engine.audience import reader
from games.engine.bots import Policy, Thought
from games.engine.dice import Tray
from games.engine.game_state import Prompt
from games.engine.kernel import Command

RULE = "bot"
ASPECTS = ("rivers", "storms", "harvest", "smithies", "dreams", "graves", "songs", "wolves", "mirrors", "thresholds")
Wish = Callable[[State, UUID, Tray], Command | None]
POWERS: tuple[Wish, ...] = (attack, shape, create, direct, wreck, gift, walk, deal)
CHALLENGED = 12
"""One power in so many is challenged, where the table plays with open challenges."""


def play(state: State, seat: UUID, tray: Tray) -> Thought:
    """The policy `plain`: defines a god, answers at random, uses what `POWERS` say, ends its turn."""
    use = f"bot/{seat}/{state.info.timers_set}"
    if state.course.step is Step.SETUP:
        return Thought(None if seat in state.gods else _god(state, seat, tray, use), None)
    owed = [p for p in state.prompts.values() if reader(seat) in p.owners and (p.id, reader(seat)) not in state.answers]
    for prompt in sorted(owed, key=lambda p: (p.kind == Asked.TURN, p.opened_at, p.id)):
        command = _answer(state, seat, prompt, tray, use)
        if command is not None:
            return Thought(command, patience(state) if isinstance(command, MakeOffer | OfferPlace) else BOT_WAIT)
    return Thought(None, None)


def _god(state: State, seat: UUID, tray: Tray, use: str) -> Command:
    aspects = tray.shuffle(f"{use}/aspects", ASPECTS, RULE)[:2]
    moral = tray.draw(f"{use}/moral", tuple(Moral), RULE)
    return DefineGod(name=state.seats[seat].name, portfolio=tuple(aspects), moral=moral)


def _answer(state: State, seat: UUID, prompt: Prompt, tray: Tray, use: str) -> Command | None:
    """What a bot answers to a question; None where it leaves it to the deadline."""
    coin = tray.roll(f"{use}/{prompt.id}", 2, RULE) == 1
    match prompt.kind:
        case Asked.TURN:
            return _turn(state, seat, tray, use, coin)
        case Asked.AUCTION:
            return bid(state, seat, tray, f"{use}/{prompt.id}")
        case Asked.MOTION:
            return CastBallot(motion=prompt.id, yes=coin)
        case Asked.CONSENT:
            return AnswerConsent(prompt=prompt.id, yes=coin and state.balance(seat) >= share_of(state, seat, prompt))
        case Asked.LEAVE:
            return AnswerLeave(prompt=prompt.id, yes=coin)
        case Asked.PICK:
            return PickEdge(prompt=prompt.id, edge=tray.draw(f"{use}/{prompt.id}/edge", prompt.choices, RULE))
        case Asked.DECIDE if not (coin and contests(state, seat, prompt.subject)):
            return WithdrawPower(prompt=prompt.id)
        case Asked.STAND_IN | Asked.COMMIT | Asked.CONTINUE:
            return in_war(state, seat, prompt, coin)
        case Asked.DECIDE:
            return OpenConflict(prompt=prompt.id)
        case Asked.REVENGE if coin and contests(state, seat, prompt.subject):
            return OpenConflict(prompt=prompt.id)
        case Asked.CHALLENGE if _dares(state, seat, prompt, tray, use):
            return RaiseChallenge(prompt=prompt.id)
        case Asked.OBJECT if coin and contests(state, seat, prompt.subject):
            return RaiseObjection(prompt=prompt.id)
        case Asked.OBJECT | Asked.CHALLENGE | Asked.REVENGE:
            return WaiveObjection(prompt=prompt.id)
        case _ if prompt.id in state.offers:
            return answer_offer(state, state.offers[prompt.id], coin)
    return None


def _turn(state: State, seat: UUID, tray: Tray, use: str, coin: bool) -> Command | None:
    """The first wish that it has, of all in an order that the dice choose; the end of the turn when it has none.

    At the start of a turn in the Age of Land it makes land before anything else.
    """
    if state.inner() is not None:
        return None
    first = (raise_land,) if lacks_land(state) else ()
    wishes = (wish(state, seat, tray) for wish in (*first, *tray.shuffle(f"{use}/wishes", POWERS, RULE)))
    return retract(state, seat, coin) or next((command for command in wishes if command is not None), EndTurn())


def _dares(state: State, seat: UUID, prompt: Prompt, tray: Tray, use: str) -> bool:
    """Whether it challenges a power: one in so many, if it can fight for it."""
    return contests(state, seat, prompt.subject) and tray.roll(f"{use}/{prompt.id}/dare", CHALLENGED, RULE) == 1


POLICIES: dict[str, Policy[State]] = {"plain": play}
