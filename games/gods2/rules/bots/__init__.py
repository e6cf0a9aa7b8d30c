"""How a seat without a player plays The Gods II.

A bot answers what it is asked, signs what serves it, and spends its mana on what is worth most: it teaches before it
helps, and helps before it harms. A policy sees what its seat may see and nothing else, and throws dice of its own.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from types import MappingProxyType
from uuid import UUID

from games.engine.bots import Policy, Thought
from games.engine.dice import Tray
from games.engine.kernel import Command
from games.gods2.rules.bots.choices import choice
from games.gods2.rules.bots.company import proposal, reply, word_in_advance
from games.gods2.rules.bots.deeds import signature
from games.gods2.rules.bots.faith import draft, paper, peace, price
from games.gods2.rules.bots.names import naming
from games.gods2.rules.bots.options import best_command
from games.gods2.rules.bots.tempers import TEMPERS, Temper, temper_of
from games.gods2.rules.bots.unrest import expulsion, start
from games.gods2.rules.bots.view import FACES, View
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import ACTIVE, GodStatus, Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.window.commands import DrawNumber, PassNumber
from games.gods2.rules.window.prompts import questions
from games.gods2.rules.window.queue import number_of

THOUGHTS = 6  # in a century
SOONER = 2  # so many times sooner it thinks again when it has mana for more
AT_ONCE = 4  # and when it has answered: papers take no time from what it would do itself
FOOTHOLD = (
    3  # on how many faces of a d6 it first thinks of points: where it holds hardly any, is left behind or far ahead
)
COMPANY, UNREST = 5, 6  # the faces on which it thinks first of casting with another god, and of a turmoil
RULE = "bot"


def play_god(state: State, seat: UUID, tray: Tray, temper: Temper | None = None) -> Thought:
    """One act at a time, asked again a few times in each century.

    temper: that of its sphere where none is given (the policy `god`).
    """
    again = timedelta(seconds=max(1, state.era.century_seconds // THOUGHTS))
    god = state.gods.get(seat)
    if god is None or state.era.phase is Phase.FINISHED:
        return Thought(None, None)
    if god.status is not GodStatus.ALIVE or seat in state.absences:
        return Thought(None, again)
    view = View(state, god, temper or temper_of(state, seat))
    use = f"bot/{seat}/{state.info.last_at}/{len(state.numbers)}"
    answer = _answer(view, tray, use) or signature(view)
    if answer is not None or _is_soon_free(view):
        return Thought(answer, again / AT_ONCE)
    act = _act(view, tray, use) if state.era.phase in ACTIVE else None
    return Thought(act, again / SOONER if act is not None and view.is_rich else again)


def _is_soon_free(view: View) -> bool:
    """Whether another god stands at the Window, and nobody waits behind: the bot looks again, and draws no number."""
    numbers, own = view.state.numbers, number_of(view.state, view.god.id)
    return own is None and view.state.era.called is not None and len(numbers) == 1


def _at_the_window(view: View, tray: Tray, use: str) -> Command | None:
    """Called to the Window, the bot does the best that it can, or passes."""
    number = number_of(view.state, view.god.id)
    if number is None or number != view.state.era.called or questions(view.state):
        return None
    return best_command(view, tray, f"{use}/power") or PassNumber()


ANSWERS: Mapping[Asked, Callable[[View, Tray, str], Command | None]] = MappingProxyType(
    {
        Asked.CALLED: _at_the_window,
        Asked.JOIN: reply,
        Asked.CHOOSE: choice,
        Asked.EXPEL: expulsion,
        Asked.SIGN: paper,
        Asked.NAME: naming,
    }
)
"""What others wait for, the first that is asked first."""


def _answer(view: View, tray: Tray, use: str) -> Command | None:
    found = (answer(view, tray, use) for answer in ANSWERS.values())
    return next((command for command in found if command is not None), None)


def _act(view: View, tray: Tray, use: str) -> Command | None:
    """Points, a draft, a turmoil or a common casting by mood, else the best that mana can do.

    A number where others wait; where there is nothing to do, what it says in advance.
    """
    mood = tray.roll(f"{use}/mood", FACES, RULE)
    asked = peace(view)
    if asked is None and mood <= FOOTHOLD:
        asked = price(view)
    if asked is None and mood <= (FOOTHOLD if view.is_uneven else view.temper.drafts):
        asked = draft(view, tray, use)
    if asked is None and mood == UNREST:
        asked = start(view)
    if asked is not None or number_of(view.state, view.god.id) is not None:
        return asked
    wanted = proposal(view) if mood == COMPANY else None
    wanted = wanted or best_command(view, tray, f"{use}/power")
    if wanted is None:
        return word_in_advance(view)
    return DrawNumber() if view.state.numbers else wanted


POLICIES: Mapping[str, Policy[State]] = MappingProxyType(
    {"god": play_god, **{temper.name: partial(play_god, temper=temper) for temper in TEMPERS}}
)
"""What may play a seat: `god` by its sphere, the others by their temper."""
