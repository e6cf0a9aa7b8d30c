"""What whole games of bots have in common, whichever game it is: a table with its seats, and play to the end.

The kernel alone plays: no database, no server. The same number gives the same game.
"""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

from games.engine.game_state import GameInfo, Role, Seat
from games.engine.kernel import Actor, Issuer
from games.engine.ruleset import Options, Ruleset
from tests.playbook import Playbook

HOST, GM = Actor(Issuer.HOST, user=UUID(int=1)), Actor(Issuer.GM, user=UUID(int=2))
PERSON = UUID(int=77)
"""Who has the seats that no bot plays."""
MAX_STEPS = 5000


class Chair(NamedTuple):
    """A seat of a player. bot: the policy that plays it; "" for a person who does nothing."""

    id: UUID
    name: str
    bot: str


def table_of(ruleset: Ruleset, game: UUID, chairs: Iterable[Chair], options: Options | None = None) -> Any:
    """The state of a game that is not started. options: those that it is opened with; None where commands set them."""
    state = ruleset.new_state(game)
    if options is not None:
        state.info = GameInfo(state.info.id, ruleset.slug, name=ruleset.title, options=options.model_dump_json())
    for chair in chairs:
        user = None if chair.bot else PERSON
        state.seats.load(chair.id, Seat(chair.id, Role.PLAYER, chair.name, user=user, bot=chair.bot))
    return state


def play_on(book: Playbook, is_over: Callable[[Any], bool], pause: Callable[[Any], timedelta]) -> None:
    """Let time pass until a game is over. Raises RuntimeError where it does not end.

    is_over, pause: of its state; how long nobody looks.
    """
    for _ in range(MAX_STEPS):
        if is_over(book.state):
            return
        book.wait(pause(book.state))
    raise RuntimeError(f"game {book.state.info.id} does not end")


def numbers(games: int, seed: int) -> range:
    """The numbers of so many games from a seed: of one seed no two share one, nor do those of two seeds."""
    return range(seed * 1000, seed * 1000 + games)
