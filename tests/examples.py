"""Each command's example (`examples.json`) is accepted in the test that it names."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from api.representations.examples import played_examples
from games import registry, services
from games.engine.kernel import Command
from tests.playbook import Playbook


@cache
def expected() -> dict[str, list[tuple[str, str, dict[str, Any]]]]:
    """What is to be heard in each test: owner, command, body."""
    found = defaultdict(list)
    for owner in (registry.CORE, *registry.folders()):
        for name, example in played_examples(owner).items():
            found[example["played"]].append((owner, name, example["body"]))
    return found


def listen(test: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hear every command that is accepted in a test; at its end its examples must be among them."""
    wanted = expected().get(test)
    if not wanted:
        yield
        return
    heard: list[Command] = []
    issue, when = services.issue, Playbook.when

    def issue_and_hear(game: Any, issued: services.IssuedCommand, **more: Any) -> Any:
        outcome = issue(game, issued, **more)
        heard.append(issued.command)
        return outcome

    def when_and_hear(book: Playbook, command: Command, *more: Any, **words: Any) -> Any:
        events = when(book, command, *more, **words)
        heard.append(command)
        return events

    monkeypatch.setattr(services, "issue", issue_and_hear)
    monkeypatch.setattr(Playbook, "when", when_and_hear)
    yield
    bodies = [(type(command).slug(), command.model_dump(mode="json", exclude_defaults=True)) for command in heard]
    missing = [f"{owner} {name}" for owner, name, body in wanted if (name, body) not in bodies]
    assert not missing, f"examples that are not played here: {', '.join(missing)}"
