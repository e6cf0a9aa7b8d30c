"""Rows of every game: the table, the log, prompts and timers."""

from games.models.game import Game, Invitation, Seat, Secret
from games.models.log import Die, LoggedEvent, Receipt, Stream
from games.models.table import Answer, EnteredDie, Prompt, StandingAnswer, Timer

__all__ = [
    "Answer",
    "Die",
    "EnteredDie",
    "Game",
    "Invitation",
    "LoggedEvent",
    "Prompt",
    "Receipt",
    "Seat",
    "Secret",
    "StandingAnswer",
    "Stream",
    "Timer",
]
