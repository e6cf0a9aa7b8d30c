"""Seats of public games that are free, empty or kept by a bot for anybody (ADR 111): taken in one press."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import orjson
from django.db.models import Q
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from accounts.errors import AccountError
from api.pages.access import person, principal_of, user_id_of
from api.pages.event.desk import key_of
from api.pages.event.faces import faces_of
from api.pages.event.screen_view import sight_of, stranger
from api.pages.forms.body import body_of
from api.pages.forms.refusals import TAKEN, sentences_of
from api.pages.policy import page
from api.pages.signed_in import SignedInView
from api.pages.way_in.joining import default_name, place_of
from api.representations.games import messages_json
from api.representations.issuing.issue import JOIN, issue
from games import registry
from games.engine.errors import Refused
from games.engine.game_state import Role, Status
from games.models import Game, Seat
from games.reads.selectors import games_for
from worlds.visibility import Visibility

FREE = Q(user=None, bot="") | Q(is_claimable=True)
"""The rows of seats of which the rules say the same (`games.engine.game_state.Seat.is_free`)."""


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """A seat that may be taken, and whom its player is in the game, as far as everybody knows."""

    seat: Seat
    face: str
    """Whose emblem stands before it."""
    trait: str


class TakeSeat(SignedInView):
    """The free seats of a game, and a new one while it waits for its start."""

    http_method_names = ["get", "head", "post"]

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponseBase:
        """The seats; who sits there already goes to the game."""
        return self.show(request, game_of(request, game_id))

    def post(self, request: HttpRequest, game_id: UUID) -> HttpResponseBase:
        """Take one, and go to it. A refusal comes back on the page."""
        game, sent = game_of(request, game_id), dict[str, Any]()
        try:
            sent = body_of({name: request.POST.getlist(name) for name in request.POST})
            issue(principal_of(request), game.pk, JOIN, orjson.dumps(sent), key=key_of(request))
        except (*TAKEN, AccountError) as error:
            return self.show(request, game, sent, error)
        return redirect(place_of(game, person(request)))

    @staticmethod
    def show(
        request: HttpRequest, game: Game, sent: dict[str, Any] | None = None, error: Exception | None = None
    ) -> HttpResponseBase:
        """The page. sent: what a form held; error: why it was not taken."""
        if error is None and Seat.objects.filter(game=game, user=user_id_of(request)).exists():
            return redirect(place_of(game, person(request)))
        state = sight_of(stranger(game.pk)).state
        context = {
            "game": game,
            "messages": messages_json(game)["sentences"],
            "title": registry.ruleset(game.ruleset).title,
            "seats": with_faces(game, free_seats([game.pk]), state),
            "faces": faces_of(game, state),
            "is_lobby": game.status == Status.LOBBY,
            "name": (sent or {}).get("name", default_name(person(request))),
            "faults": sentences_of(error) if error is not None else (),
            "key": uuid4().hex,
        }
        return page(request, "take_seat", context, status=200 if error is None else 422)


def game_of(request: HttpRequest, game_id: UUID) -> Game:
    """A public game that somebody may see. Raises Refused (game.missing)."""
    found = games_for(Visibility(user=user_id_of(request))).filter(pk=game_id, is_public=True).first()
    if found is None:
        raise Refused("game.missing", "There is no such game, or none that you may join without an invitation.")
    return found


def free_seats(games: Iterable[UUID]) -> list[Seat]:
    """The players' seats of some games that may be taken."""
    return list(Seat.objects.filter(FREE, game__in=games, role=Role.PLAYER).order_by("name"))


def with_faces(game: Game, seats: Iterable[Seat], state: Any) -> list[FreeSeat]:
    """Some seats with whom they play. state: of the game, as a stranger may know it."""
    known = {face.key: face for face in reversed(list(registry.ruleset(game.ruleset).pages.faces(state)))}
    return [
        FreeSeat(seat, known[seat.pk].name, known[seat.pk].trait) if seat.pk in known else FreeSeat(seat, "", "")
        for seat in seats
    ]


def free_in(games: Iterable[Game]) -> Counter[UUID]:
    """How many seats of each game may be taken without an invitation; while it waits for its start one more, a new one.

    A game that is over, or private, has none.
    """
    open_games = [game for game in games if game.is_public and game.status != Status.FINISHED]
    found = Counter(seat.game_id for seat in free_seats([game.pk for game in open_games]))
    found.update(game.pk for game in open_games if game.status == Status.LOBBY)
    return found
