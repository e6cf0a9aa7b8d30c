"""Which messages the seats of a game may send, and which of them its game-masters read: options of every game."""

import json
from functools import lru_cache
from typing import Literal

from pydantic import Field

from games.engine.model import Model

Press = Literal["open", "public", "none"]


class MessageOptions(Model):
    """What is settled about messages between seats when a game is opened."""

    press: Press = Field(default="open", exclude_if=lambda press: press == "open")
    """Whom players may write to with `send-message`: anybody (`open`), only everybody at once (`public`), or no other
    player (`none`). To host and game-masters they may always write, and these to everybody."""
    gm_reads_messages: bool = Field(default=False, exclude_if=lambda reads: not reads)
    """Whether game-masters read every message; else those alone that are for them or for everybody."""

    def notice(self) -> str:
        """What those who join are told of these choices, in sentences; "" where they are the usual ones."""
        return " ".join(
            sentence
            for sentence, is_so in (
                ("Players write to each other only where everybody reads it.", self.press == "public"),
                ("Players write no messages to each other.", self.press == "none"),
                ("The game-masters read every message between seats.", self.gm_reads_messages),
            )
            if is_so
        )


@lru_cache(maxsize=256)
def message_options(text: str) -> MessageOptions:
    """The choices about messages out of all options of a game. text: canonical JSON."""
    chosen = json.loads(text)
    return MessageOptions(**{name: chosen[name] for name in MessageOptions.model_fields if name in chosen})
