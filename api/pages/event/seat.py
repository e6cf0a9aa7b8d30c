"""A player's seat: a page that moves by itself, with what is asked, what may be done, and what the seat knows."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect

from api.pages.access import PageViewer, first_seat_of, player_of, principal_of
from api.pages.event.board import answer_at, answer_map, sight_of
from api.pages.event.desk import DeskCommand
from api.pages.event.seat_view import may_json, seat_json
from api.pages.policy import page
from api.pages.signed_in import SignedInView
from api.streams import tickets


class OwnSeat(SignedInView):
    """The way to one's seat in a game."""

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponseBase:
        """To the first player's seat that one holds there."""
        return redirect("seat", game_id, first_seat_of(request, game_id))


class SeatPage(SignedInView):
    """The page itself."""

    def get(self, request: HttpRequest, game_id: UUID, seat_id: UUID) -> HttpResponse:
        """The seat as it is now."""
        player = player_of(request, game_id, seat_id)
        return page(request, "seat", {**seat_json(player), "watching": f"seat={seat_id}"})


class SeatBody(SignedInView):
    """What moves of the page."""

    def get(self, request: HttpRequest, game_id: UUID, seat_id: UUID) -> HttpResponse:
        """The seat as it is now."""
        return page(request, "seat_body", seat_json(player_of(request, game_id, seat_id)))


class SeatMay(SignedInView):
    """What the player may do."""

    def get(self, request: HttpRequest, game_id: UUID, seat_id: UUID) -> HttpResponse:
        """What may be done now; nothing where that is known (`sight`): the seat has seen no event since."""
        player = player_of(request, game_id, seat_id)
        if request.GET.get("sight") == sight_of(player):
            return HttpResponse(status=204, headers={"Cache-Control": "no-store"})
        return page(request, "may", may_json(player))


class SeatMap(SignedInView):
    """The map."""

    def get(self, request: HttpRequest, game_id: UUID, seat_id: UUID) -> HttpResponse:
        """The map of now as the seat may see it, as SVG; 404 while there is none."""
        return answer_map(request, player_of(request, game_id, seat_id))


class SeatAt(SignedInView):
    """What may be done with what is touched on the map."""

    def get(self, request: HttpRequest, game_id: UUID, seat_id: UUID) -> HttpResponse:
        """The commands that take one of the marks. Raises Fault (query.invalid)."""
        return answer_at(request, player_of(request, game_id, seat_id))


class SeatTicket(SignedInView):
    """A ticket to the stream, which takes no cookie."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, game_id: UUID, seat_id: UUID) -> HttpResponseBase:
        """One ticket, for one use within a minute."""
        player_of(request, game_id, seat_id)
        ticket = tickets.mint(principal_of(request), game_id)
        return JsonResponse({"ticket": ticket}, headers={"Cache-Control": "no-store"})


class SeatCommand(DeskCommand):
    """A command: its form, and what it did."""

    def issuer_of(self, request: HttpRequest, game_id: UUID, **where: UUID) -> PageViewer:
        """Who asks. Raises what `player_of` raises."""
        return player_of(request, game_id, where["seat_id"])
