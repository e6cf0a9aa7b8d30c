"""Which messages the seats of a game may send, who is told who wrote, and what its game-masters read: options of every
game.
"""

import json
from functools import lru_cache
from typing import Literal

from pydantic import Field

from games.engine.model import Model

Press = Literal["open", "anonymous", "public", "none"]
PRESS_SENTENCES: dict[Press, str] = {
    "open": "Players write to each other, in secret too.",
    "anonymous": "Players write to each other, in secret too, and nobody is told who wrote. What they write to host or "
    "game-masters alone is signed. Host and game-masters who read a report of a message learn who wrote it, and who is "
    "given a seat reads what it wrote.",
    "public": "Players write to each other only where everybody reads it.",
    "none": "Players write no messages to each other.",
}
GM_SENTENCES = {
    True: "The game-masters read every message between seats.",
    False: "The game-masters read those messages alone that are for one of them, for everybody, or reported.",
}


class MessageOptions(Model):
    """What is settled about messages between seats when a game is opened."""

    press: Press = Field(default="open", exclude_if=lambda press: press == "open")
    """Whom players may write to with `send-message`: anybody (`open`), anybody without being named as the writer
    (`anonymous`), only everybody at once (`public`), or no other player (`none`). To host and game-masters they may
    always write, and these to everybody. With `anonymous` what they write to host or game-masters alone names them,
    host and game-masters who read a report of a message learn who wrote it, and who is given a seat reads what it
    wrote."""
    gm_reads_messages: bool = Field(default=False, exclude_if=lambda reads: not reads)
    """Whether game-masters read every message; else those alone that are for them, for everybody, or reported."""

    def notice(self) -> str:
        """What those who join are told of these choices, in sentences; "" where they are the usual ones."""
        unusual = [PRESS_SENTENCES[self.press]] if self.press != "open" else []
        return " ".join([*unusual, *([GM_SENTENCES[True]] if self.gm_reads_messages else [])])

    def sentences(self) -> tuple[str, ...]:
        """What holds for messages in this game, in sentences, the usual said too: for those who have not joined yet."""
        return (PRESS_SENTENCES[self.press], GM_SENTENCES[self.gm_reads_messages])


@lru_cache(maxsize=256)
def message_options(text: str) -> MessageOptions:
    """The choices about messages out of all options of a game. text: canonical JSON."""
    chosen = json.loads(text)
    return MessageOptions(**{name: chosen[name] for name in MessageOptions.model_fields if name in chosen})
