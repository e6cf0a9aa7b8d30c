"""A button beside a message: its seat is muted for the person who presses, or read again."""

from uuid import UUID

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from api.common.exceptions import Fault
from api.pages.access import PageViewer, leader_or_conductor, player_of
from api.pages.signed_in import SignedInView
from api.representations import muting


class DeskMute(SignedInView):
    """Mute a seat, or read it again, at the desk."""

    http_method_names = ["post"]

    def issuer_of(self, request: HttpRequest, game_id: UUID, **where: UUID) -> PageViewer:
        """Who asks. Raises what `leader_or_conductor` raises."""
        return leader_or_conductor(request, game_id)

    def post(self, request: HttpRequest, game_id: UUID, **where: UUID) -> HttpResponseBase:
        """Do so, and go back. Raises what `mute_seat` raises, Fault (query.invalid)."""
        at = self.issuer_of(request, game_id, **where)
        change = muting.unmute_seat if request.POST.get("muted") == "0" else muting.mute_seat
        change(at.viewer, _seat_in(request))
        return redirect(at.place)


class SeatMute(DeskMute):
    """The same at a player's seat."""

    def issuer_of(self, request: HttpRequest, game_id: UUID, **where: UUID) -> PageViewer:
        """Who asks. Raises what `player_of` raises."""
        return player_of(request, game_id, where["seat_id"])


def _seat_in(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("seat", ""))
    except ValueError as wrong:
        raise Fault("query.invalid", "`seat` is the id of a seat.", parameter="seat") from wrong
