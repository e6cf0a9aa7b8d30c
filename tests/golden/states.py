"""At several points of a golden game, the state that each viewer is shown fits its ruleset's schema exactly."""

from typing import Any
from uuid import UUID

import pytest

from api.common.viewer_cache import cached_viewer
from api.representations import games
from api.representations.shapes.state_schemas import part_types, state_parts_schema, state_schema
from games.models import Game
from tests.forms import SHORT
from tests.golden.tale import Tale

COMMANDS = 49 if SHORT else 7
"""Commands between two looks at a golden game."""


def check_states(game: UUID, users: list[UUID], host: UUID) -> None:
    """Read the state as nobody, as each user, and as the game-master; validate it strictly."""
    slug = Game.objects.values_list("ruleset", flat=True).get(pk=game)
    for user, as_ in ((None, ""), (host, "gm"), *((user, "") for user in users)):
        seen = cached_viewer(game, user, as_=as_)
        body = games.state_json(seen)
        assert body is not None
        state = state_schema(slug).model_validate_json(body, strict=True)
        assert state.model_fields_set == set(type(state).model_fields)
    some = frozenset(sorted(part_types(slug))[::3])
    body = games.state_json(seen, some)
    assert body is not None
    parts = state_parts_schema(slug).model_validate_json(body, strict=True)
    assert parts.model_fields_set == some | {"ruleset", "cursor", "at", "game"}


def look_at_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the states of every golden game: after some of its commands, and at its end."""
    run, prove, played = Tale._run, Tale.proven, dict[UUID, int]()

    def run_and_look(tale: Tale, *args: Any) -> Any:
        events = run(tale, *args)
        played[tale.game.pk] = played.get(tale.game.pk, 0) + 1
        if played[tale.game.pk] % COMMANDS == 0:
            check_states(tale.game.pk, list(tale.users.values())[:4], tale.users["host"])
        return events

    def prove_and_look(tale: Tale) -> None:
        check_states(tale.game.pk, list(tale.users.values()), tale.users["host"])
        prove(tale)

    monkeypatch.setattr(Tale, "_run", run_and_look)
    monkeypatch.setattr(Tale, "proven", prove_and_look)
