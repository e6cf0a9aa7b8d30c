"""A command as it is issued over HTTP: read from its body, answered in JSON. What REST's view and the door share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from api.common.viewer import Viewer
from api.representations import log
from api.representations.issuing.commands import parse_command
from games.services import IssuedCommand, Outcome


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered: a status, and a value that becomes JSON."""

    status: int
    data: dict[str, Any]


def command_of(viewer: Viewer, name: str, raw: bytes, *, expected: str | None, dry_run: bool) -> IssuedCommand:
    """The command of this name that a viewer issues with a body. expected: the cursor it was decided upon.

    Raises `command.missing`, pydantic's ValidationError, and what `Viewer.actor` raises.
    """
    command = parse_command(viewer.game.ruleset, name, raw)
    return IssuedCommand(command, viewer.actor(type(command)), viewer.expectation(expected), dry_run)


def answer_of(outcome: Outcome, issued: IssuedCommand, viewer: Viewer, look_again: Callable[[], Viewer]) -> Answer:
    """What a command did, as its issuer may see it. look_again: how they look once they sit elsewhere."""
    if issued.dry_run:
        return Answer(200, log.dry_run_json(outcome, viewer))
    return Answer(201, log.outcome_json(outcome, look_again() if outcome.reseats else viewer))
