"""The live demo game as a list of commands: one person and three bots as players, and a bot as world master.

Nobody has to play: a bot stands in for the person, and the world master ends the game after three sessions.
"""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from games.dietower.rules.actors.commands import SaveChart, SaveSheet
from games.dietower.rules.bots.lists import CHARTS
from games.dietower.rules.state.options import DieTowerOptions
from games.engine.game_state import Role
from games.engine.kernel import Command
from games.engine.lifecycle.seating import AddSeat

TITLE = "The Salt Road, live"
PRACTICE: Mapping[str, int] = {}
ATTRIBUTION = ""
BOT, MASTER = "sensible", "steady"
KEEPER = BOT
PERSON = "Ilse"
WHO = "player-3"
"""Which of the demo's people plays the person's seat."""
ANSWERS = 3
"""A question is open for this part of a step, a turn for a whole one."""


def options(step_seconds: int) -> DieTowerOptions:
    """A turn, a terrible thing and a Wish for the story wait for a step, other questions for a third of it."""
    answer = max(1, step_seconds // ANSWERS)
    return DieTowerOptions(
        seats=len(players()),
        turn_seconds=step_seconds,
        answer_seconds=answer,
        ruling_seconds=answer,
        consequence_seconds=step_seconds,
        wish_seconds=step_seconds,
    )


def players() -> tuple[tuple[str, str], ...]:
    """The seats of the game: name, and who plays it."""
    return (PERSON, WHO), ("Rook", BOT), ("Odo", BOT), ("Wren", "random")


def commands(seats: Mapping[str, UUID], options: DieTowerOptions) -> list[tuple[str, Command]]:
    """The bot that leads the table, beside the demo's game-master."""
    return [("host", AddSeat(role=Role.GM, name="World master", bot=MASTER))]


def opening(now: Callable[[], Any]) -> list[tuple[str, Command]]:
    """Charts, and a sheet for the person, who may write another until the first session; bots write their own."""
    charts: list[tuple[str, Command]] = [("gm", SaveChart(field=field, lines=lines)) for field, lines in CHARTS.items()]
    sheet = SaveSheet(
        name=PERSON,
        weapon="round shield",
        weapon_defensive=True,
        power="walks through cold walls",
        power_drawback="leaves her boots behind",
        deviation="no shadow",
        mystery="Who opened the gate?",
        secret_mystery=True,
        good_at=("locks", "old songs"),
    )
    return [*charts, (PERSON, sheet)]
