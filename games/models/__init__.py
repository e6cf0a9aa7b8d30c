"""Rows of every game: the table, the log, prompts and timers."""

from games.models.game import Ban, Game, Invitation, Seat, Secret
from games.models.log import Die, LoggedEvent, Receipt, Stream
from games.models.pulse import Pulse
from games.models.table import Answer, EnteredDie, Prompt, StandingAnswer, Timer

__all__ = [
    "Answer",
    "Ban",
    "Die",
    "EnteredDie",
    "Game",
    "Invitation",
    "LoggedEvent",
    "Prompt",
    "Pulse",
    "Receipt",
    "Seat",
    "Secret",
    "StandingAnswer",
    "Stream",
    "Timer",
]
