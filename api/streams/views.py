"""Tickets over REST: for clients that can open a stream but cannot send a header with it."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from api.common.authentication import principal_of
from api.common.permissions import require_scope
from api.common.viewer import visible_game
from api.representations.shapes.shape import Shape
from api.rest.base import ApiView
from api.streams import tickets


class Ticket(Shape):
    """A key to one stream of one game, for one use."""

    ticket: str = Field(description="For `stream/?ticket=`.")
    expires_in: int = Field(description="Seconds in which it must be used.")


class Reading(BasePermission):
    """A token that may look: opening a stream changes nothing."""

    def has_permission(self, request: Request, view: object) -> bool:
        """True, or raises Fault."""
        require_scope(principal_of(request), Scope.READ)
        return True


@extend_schema(tags=["log"])
class TicketsView(ApiView):
    """Tickets to the stream of a game."""

    permission_classes = (Reading,)

    @extend_schema(operation_id="ticket", request=None, responses={201: Ticket})
    def post(self, request: Request, game_id: UUID) -> Response:
        """A ticket for `stream/?ticket=`, good for one use within a minute; `seat` and `as` are given there."""
        visible_game(game_id, self.user_id(request))
        ticket = tickets.mint(principal_of(request), game_id)
        body = {"ticket": ticket, "expires_in": tickets.VALID_SECONDS}
        return Response(body, status=201, headers={"Cache-Control": "no-store"})
