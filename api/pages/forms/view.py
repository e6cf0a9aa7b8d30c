"""The form of a command at the desk of a game, and the people who are named in it."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from accounts.models import User
from api.pages.access import PageViewer
from api.pages.forms.commands import CommandForm, Stage, form_in
from api.representations.issuing.commands import command_class
from games import registry
from games.engine.errors import Refused
from games.engine.game_state import GameState, Role
from games.engine.kernel import Command
from games.engine.lifecycle.row_wording import is_id
from games.storage.state_cache import STATE_CACHE


def form_of(
    leader: PageViewer,
    name: str,
    fixed: Mapping[str, Any],
    begun: Mapping[str, Any],
    *,
    question: UUID | None = None,
    key: str = "",
) -> CommandForm:
    """The form of a command, as `form_in`. Raises `command.missing`, `issuer.other`."""
    ruleset = leader.viewer.game.ruleset
    kind = command_class(ruleset, name)
    actor = leader.actor(kind)
    seen, stage = view_of(leader)
    rules = registry.ruleset(ruleset)
    return form_in(seen, rules, kind, actor, fixed, begun, question=question, key=key, stage=stage)


def view_of(leader: PageViewer) -> tuple[GameState, Stage]:
    """The state of a game as who leads it may see it, a copy which nobody changes; and the stage that it is in."""
    with STATE_CACHE.reading(leader.viewer.game) as state:
        seen: GameState = state.view_for(leader.viewer.visibility.seats, gm=leader.role is Role.GM)
        return seen, Stage.of(state)


def with_person(kind: type[Command], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a form with the id of the person who is named in it. Raises `person.missing`."""
    name = values.get("user")
    if "user" not in kind.model_fields or not isinstance(name, str) or is_id(name):
        return dict(values)
    found = User.objects.by_username(name).filter(retired_at=None).values_list("pk", flat=True).first()
    if found is None:
        raise Refused("person.missing", f"Nobody here has an account called {name}; ask them what theirs is called.")
    return {**values, "user": str(found)}
