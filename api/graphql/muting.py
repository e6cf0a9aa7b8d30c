"""Muted seats in GraphQL: as in REST."""

from collections.abc import Callable
from typing import Annotated, Any
from uuid import UUID

import strawberry

from accounts.models import Scope
from api.common.permissions import require_scope
from api.common.viewer import Viewer, viewer_of
from api.graphql.commands import Refusal
from api.graphql.context import answer, context_of
from api.graphql.mapping import either, many, object_type
from api.representations import muting

MutedSeatsType = object_type(
    "MutedSeats",
    {"seats": list[UUID]},
    {"seats": "Their ids."},
    "The seats of a game that you mute.",
    apart=True,
)
MutingResult: Any = Annotated[either((MutedSeatsType, Refusal)), strawberry.union("MutedSeatsResult")]


def muted_seats(info: strawberry.Info, game: UUID) -> Any:
    """The seats of a game that you mute, by id: the text of their messages is withheld from you (`muted`)."""
    context = context_of(info)
    require_scope(context.principal, Scope.READ)
    return muting.muted_seats_json(_viewer(context.principal, game))["results"]


def mute_seat(info: strawberry.Info, game: UUID, seat: UUID) -> Any:
    """Mute a seat, in everything that you read of this game, what has been written before included."""
    return _change(info, game, lambda viewer: muting.mute_seat(viewer, seat))


def unmute_seat(info: strawberry.Info, game: UUID, seat: UUID) -> Any:
    """Read what a seat writes and has written."""
    return _change(info, game, lambda viewer: muting.unmute_seat(viewer, seat))


def _change(info: strawberry.Info, game: UUID, change: Callable[[Viewer], dict[str, Any]]) -> Any:
    context = context_of(info)

    def acting() -> dict[str, Any]:
        context.may_act()
        return {"seats": change(_viewer(context.principal, game))["results"], "__typename": "MutedSeats"}

    return answer(context, acting)


def _viewer(principal: Any, game: UUID) -> Viewer:
    return viewer_of(game, principal.user.pk if principal.user is not None else None)


QUERIES: dict[str, Any] = {
    "muted_seats": strawberry.field(resolver=muted_seats, graphql_type=many(UUID), description=muted_seats.__doc__),
}
MUTATIONS: dict[str, Any] = {
    resolve.__name__: strawberry.mutation(resolver=resolve, graphql_type=MutingResult, description=resolve.__doc__)
    for resolve in (mute_seat, unmute_seat)
}
