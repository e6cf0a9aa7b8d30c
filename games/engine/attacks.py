"""Whom an event attacks: what a ruleset says of its own events, for what players are told (`Ruleset.attacks`)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import UUID

from games.engine.game_state import GameState

Targets = Callable[[Any, Any], Iterable[UUID]]
"""The seats that an event strikes: (event, the state before it) -> ids. Never that of whoever caused it."""
Attacks = Mapping[type[Any], Targets]
"""By class of event; what is not in it attacks nobody."""


def targets_of(attacks: Attacks, event: object, state: GameState) -> tuple[UUID, ...]:
    """The players' seats that an event attacks, by id. state: before the event."""
    targets = attacks.get(type(event))
    if targets is None:
        return ()
    return tuple(sorted(set(targets(event, state)) & {seat.id for seat in state.players()}))
