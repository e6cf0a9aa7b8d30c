"""The context of an operation of GraphQL, and the viewer of a game: the same rules as in REST (`api.common`)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.http import HttpRequest

from accounts.models import Scope
from api.common.authentication import NOBODY, Principal
from api.common.exceptions import Fault
from api.common.permissions import require_reading, require_scope
from api.common.problems import problem_of
from api.common.throttles import charge, charge_cost
from api.common.viewer import Viewer, look, visible_game
from worlds.visibility import Visibility


@dataclass
class OperationContext:
    """The context of an operation: who asks, by which request or socket, with what connection_init said.

    feed, life_feed, notification_feed: for subscriptions, the sources of a game's events, of its life, and of what the
    asker is told; None over HTTP. looks: the
    visibility that each root field of the answer has set. own_seats: the asker's seats by game, once asked for.
    unpaid: why the operation is not executed, where it costs more than the asker's budget has left.
    """

    principal: Principal = NOBODY
    request: HttpRequest | None = None
    connection_params: dict[str, object] = field(default_factory=dict)
    feed: Callable[..., Any] | None = None
    life_feed: Callable[..., Any] | None = None
    notification_feed: Callable[..., Any] | None = None
    request_id: str = ""
    response: Any = None
    looks: dict[str | int, Visibility] = field(default_factory=dict)
    own_seats: dict[UUID, frozenset[UUID]] | None = None
    unpaid: Fault | None = None

    @property
    def user(self) -> UUID | None:
        """The id of the user who asks; None for nobody."""
        return self.principal.user.pk if self.principal.user is not None else None

    def may_look(self, *, as_gm: bool = False) -> None:
        """Raise Fault unless the token may look, and with a game-master's view where those are asked for."""
        require_reading(self.principal)
        if as_gm:
            require_scope(self.principal, Scope.GM)

    def may_act(self, *, as_gm: bool = False, times: int = 1) -> None:
        """Raise Fault unless the token may act; counts against the budget of commands. times: how many."""
        require_scope(self.principal, Scope.PLAY)
        if as_gm:
            require_scope(self.principal, Scope.GM)
        if self.request is not None:
            charge(self.request, self.principal, acting=True, times=times)

    def pay(self, cost: int) -> None:
        """Count what an operation over HTTP costs; the Fault (rate.exceeded) that is raised is kept for the answer."""
        if self.request is None:
            return
        try:
            charge_cost(self.request, self.principal, cost)
        except Fault as fault:
            self.unpaid = fault
            raise

    def at(self, game: UUID, seat: UUID | None = None, *, as_gm: bool = False, code: str = "") -> Viewer:
        """The viewer of a game; code: of an invitation. Raises `game.missing`, `seat.missing`, `gm.missing`."""
        viewer = look(visible_game(game, self.user, code=code), self.user, seat=seat, as_="gm" if as_gm else "")
        return viewer.within(self.principal.scopes)


def context_of(info: Any) -> OperationContext:
    """Who asks, by a resolver's info."""
    context: OperationContext = info.context
    return context


def answer(context: OperationContext, act: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What an act answers, or the refusal as data; only an unexpected exception is raised."""
    try:
        return act()
    except Exception as error:
        found = problem_of(error, request_id=context.request_id)
        if found is None:
            raise
        return {"errors": (), **found.body, "__typename": "Refusal"}
