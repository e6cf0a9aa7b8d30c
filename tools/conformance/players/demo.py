"""What the players share: who plays, and what must hold."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

PATIENCE_SECONDS = 180.0


@dataclass(frozen=True)
class Seat:
    """Where to play, what, and as whom."""

    base: str
    game: str
    token: str


def demo(user: str) -> Seat:
    """What demo.json says of a user."""
    answer = json.loads(Path(os.environ["DEMO_JSON"]).read_text())
    token = next(u["token"] for u in answer["users"] if u["name"] == user)
    return Seat(answer["base_url"], answer["game"], token)


def hold(condition: object, message: str) -> None:
    """End the play when something does not hold."""
    if not condition:
        raise SystemExit(message)
