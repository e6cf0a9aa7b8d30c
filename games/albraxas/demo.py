"""The live demo game as a list of commands: one person and two bots as rebels, a bot as Albraxas, sixteen phases.

Nobody has to play: a bot stands in for the person, and the fifteenth turn is the last (AX-END-5).
"""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from games.albraxas.rules.setup.commands import DefineCharacter, PlayAlbraxas
from games.albraxas.rules.state.options import AlbraxasOptions
from games.engine.kernel import Command

TITLE = "Storming the Dawn, live"
ATTRIBUTION = ""
PHASES = 16
PERSON, ALBRAXAS = "Nyx", "Albraxas"
KEEPER = "steady"
PRACTICE = {"characters_seconds": 20}
"""All have a character from the first moment on: so long may they write another."""


def options(step_seconds: int) -> AlbraxasOptions:
    """Every window is as long as a step; the war is decided when Albraxas arrives, as the rulebook advises."""
    return AlbraxasOptions(
        phases=PHASES,
        check_from=PHASES - 1,
        characters_seconds=step_seconds,
        locate_seconds=step_seconds,
        order_seconds=step_seconds,
        opening_seconds=step_seconds,
    )


def players() -> tuple[tuple[str, str], ...]:
    """The seats of the game: name, and the bot that plays it; "" for a person."""
    return (PERSON, ""), ("Sael", "steady"), ("Orin", "random"), (ALBRAXAS, "steady")


def commands(seats: Mapping[str, UUID], options: AlbraxasOptions) -> list[tuple[str, Command]]:
    """Who plays Albraxas. seats: by name."""
    return [("host", PlayAlbraxas(seat=seats[ALBRAXAS]))]


def opening(now: Callable[[], Any]) -> list[tuple[str, Command]]:
    """A character for the person, who may write another until the window closes; bots write their own."""
    return [(PERSON, DefineCharacter(name=PERSON, backbone=4, battle=5, blitz=4))]
