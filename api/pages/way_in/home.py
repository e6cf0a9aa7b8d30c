"""The home page: what this service is, the games that everybody may watch, and where everything stands."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views import View

from api.pages.access import LEADERS, person
from api.pages.event.replay_view import endings_of
from api.pages.policy import page
from api.pages.way_in.free_seats import free_in
from api.representations.turns import turns_of
from games import registry
from games.engine.game_state import Role, Status
from games.models import Game, Seat
from games.reads.selectors import games_for, games_in_use
from worlds.visibility import Visibility

LISTED = 30
ORDER = (Status.RUNNING, Status.SETUP, Status.LOBBY, Status.FINISHED)


class HomePage(View):
    """The page at the service's root."""

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest) -> HttpResponse:
        """Public games, and those that one sits in."""
        user = person(request)
        pk = user.pk if user is not None else None
        mine = list(Seat.objects.filter(user=pk).values_list("game_id", "role")) if pk else []
        led = {game for game, role in mine if role in LEADERS}
        seated = {game for game, role in mine if role == Role.PLAYER}
        may_look = settings.ANONYMOUS_READ or pk is not None
        games = games_in_use(games_for(Visibility(user=pk)), pk) if may_look else Game.objects.none()
        listed = sorted(
            games.select_related("world").order_by("-listed_at", "id")[:LISTED],
            key=lambda game: (ORDER.index(Status(game.status)), -(game.public_at or game.created_at).timestamp()),
        )
        endings, free = (
            endings_of(listed),
            free_in(game for game in listed if game.pk not in {each for each, _ in mine}),
        )
        context: dict[str, Any] = {
            "turns": turns_of(pk) if pk is not None else [],
            "games": [
                row(game, endings.get(game.pk, ""), leads=game.pk in led, sits=game.pk in seated, free=free[game.pk])
                for game in listed
            ],
            "rulesets": registry.rulesets(),
            "playable": registry.demos().keys(),
            "person": user,
            "may_look": may_look,
            "sign_up": settings.SIGN_UP,
        }
        return page(request, "home", context)


def row(game: Game, ending: str, *, leads: bool, sits: bool, free: int) -> dict[str, Any]:
    """A game of the list: no query. ending: how it has ended; "" for one that goes on. free: seats."""
    chapters = registry.ruleset(game.ruleset).chapters
    has_past = chapters is not None and (game.chapter > 1 or (game.status == Status.FINISHED and game.chapter > 0))
    return {
        "game": game,
        "title": registry.ruleset(game.ruleset).title,
        "caption": f"{chapters.word} {game.chapter}" if chapters is not None and game.chapter else "",
        "ending": ending,
        "has_map": game.is_public and registry.store(game.ruleset).drawing.is_drawable(game),
        "has_replay": has_past,
        "leads": leads,
        "sits": sits,
        "free": free,
    }
