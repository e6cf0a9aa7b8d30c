"""Muted seats over REST: one's own, of one game."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.common.permissions import SignedIn
from api.representations import muting
from api.representations.resources.accounts import StrictSerializer
from api.representations.shapes.log import MutedSeats
from api.rest.accounts import wish
from api.rest.base import GameView, private


class MuteSerializer(StrictSerializer):
    """Whom to mute."""

    seat = serializers.UUIDField(help_text="The seat, by id.")


@extend_schema(tags=["log"])
class MutedSeatsView(GameView):
    """The seats that the user who asks mutes in a game."""

    permission_classes = (SignedIn,)
    parameters = {"GET": (), "POST": ()}

    @extend_schema(operation_id="muted_seats", responses=MutedSeats)
    def get(self, request: Request, game_id: UUID) -> Response:
        """Whom you mute: the text of their messages is withheld from you (`muted`). Nobody else learns of it."""
        return private(muting.muted_seats_json(self.viewer(request, game_id)))

    @extend_schema(operation_id="mute_seat", request=MuteSerializer, responses={201: MutedSeats})
    def post(self, request: Request, game_id: UUID) -> Response:
        """Mute a seat, in everything that you read of this game, what has been written before included."""
        seat = wish(MuteSerializer, request)["seat"]
        return private(muting.mute_seat(self.viewer(request, game_id), seat), 201)


@extend_schema(tags=["log"])
class MutedSeatView(GameView):
    """One seat that the user who asks mutes."""

    permission_classes = (SignedIn,)
    parameters = {"DELETE": ()}

    @extend_schema(operation_id="unmute_seat", request=None, responses={200: MutedSeats})
    def delete(self, request: Request, game_id: UUID, seat_id: UUID) -> Response:
        """Read what this seat writes and has written."""
        return private(muting.unmute_seat(self.viewer(request, game_id), seat_id))
