"""What a plant of a secret is, and which events are secret."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from games import registry
from games.engine.kernel import Event
from tests.security.grounds import Ground

WORD = "unspeakable"
KEY = "secret:timer"
ID = UUID("5ec2e700-0000-4000-8000-000000000001")


@dataclass(frozen=True)
class Plant:
    """How a secret comes about. `instead`: another with the same public event, where there is one."""

    game: str
    how: Callable[[Ground], object]
    instead: Callable[[Ground], object] | None = None
    step: str = ""
    """The step in which it comes about, where a game has one ground for each."""


def secret_events() -> dict[type[Event], set[str]]:
    """Every event class that chooses its readers, and the games that have it."""
    found: dict[type[Event], set[str]] = {}
    for rules in registry.rulesets():
        for kind in rules.events.values():
            if kind.audience is not Event.audience:
                found.setdefault(kind, set()).add(rules.slug)
    return found
