"""Tables of bots, for whole games that are measured: seats, options, play to the end."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any
from uuid import UUID

from games.engine.game_state import GameInfo, Role, Seat
from games.engine.kernel import Actor, Issuer
from games.engine.ruleset import Options, Ruleset
from tests.playbook import Playbook

HOST = Actor(Issuer.HOST, user=UUID(int=1))
MASTER = UUID(int=2)
"""The seat of a game-master who is a bot."""
MAX_STEPS = 20_000


def fresh(ruleset: Ruleset[Any], game: UUID, bots: Iterable[str], options: Options, master: str = "") -> Any:
    """The state of a game that is not started: a seat for each bot, and for a game-master's where one is named."""
    state = ruleset.new_state(game)
    state.info = GameInfo(game, ruleset.slug, name=ruleset.title, options=options.model_dump_json())
    if master:
        state.seats.load(MASTER, Seat(MASTER, Role.GM, "Game-master", bot=master))
    for place, bot in enumerate(bots):
        seat = UUID(int=100 + place)
        state.seats.load(seat, Seat(seat, Role.PLAYER, f"Seat {place + 1}", bot=bot))
        state.enter_seat(seat)
    return state


def to_the_end(book: Playbook, is_over: Callable[[Any], bool], step: timedelta) -> Playbook:
    """Let time pass until a game is over. Raises RuntimeError where it does not end."""
    for _ in range(MAX_STEPS):
        if is_over(book.state):
            return book
        book.wait(step)
    raise RuntimeError(f"a game of {book.ruleset.slug} does not end")
