"""Each command's example (`examples.json`) is accepted in the test that it names."""

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games.engine.kernel import Command
from tests.playbook import Playbook

ROOT = Path(__file__).resolve().parent.parent
FILES = ("games/*/examples.json", "tests/toy/examples.json")


@cache
def expected() -> dict[str, list[tuple[str, str, dict[str, Any]]]]:
    """What is to be heard in each test: folder, command, body."""
    found = defaultdict(list)
    for file in sorted(path for pattern in FILES for path in ROOT.glob(pattern)):
        for name, example in json.loads(file.read_text(encoding="utf-8")).items():
            found[example["played"]].append((file.parent.name, name, example["body"]))
    return found


def listen(test: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hear every command that is accepted in a test; at its end its examples must be among them.

    A command is issued to a playbook, or to the one writer where this run has loaded it.
    """
    wanted = expected().get(test)
    if not wanted:
        yield
        return
    heard: list[Command] = []
    when = Playbook.when

    def when_and_hear(book: Playbook, command: Command, *more: Any, **words: Any) -> Any:
        events = when(book, command, *more, **words)
        heard.append(command)
        return events

    monkeypatch.setattr(Playbook, "when", when_and_hear)
    if services := sys.modules.get("games.services"):
        issue = services.issue

        def issue_and_hear(game: Any, issued: Any, **more: Any) -> Any:
            outcome = issue(game, issued, **more)
            heard.append(issued.command)
            return outcome

        monkeypatch.setattr(services, "issue", issue_and_hear)
    yield
    bodies = [(type(command).slug(), command.model_dump(mode="json", exclude_defaults=True)) for command in heard]
    missing = [f"{owner} {name}" for owner, name, body in wanted if (name, body) not in bodies]
    assert not missing, f"examples that are not played here: {', '.join(missing)}"
