"""The home page: what this service is, the games that everybody may watch, and where everything stands."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views import View

from api.pages.access import LEADERS, person
from api.pages.policy import page
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
        listed = sorted(games.order_by("-public_at", "id")[:LISTED], key=lambda game: ORDER.index(Status(game.status)))
        context: dict[str, Any] = {
            "games": [row(game, leads=game.pk in led, sits=game.pk in seated) for game in listed],
            "rulesets": registry.rulesets(),
            "playable": registry.demos().keys(),
            "person": user,
            "may_look": may_look,
        }
        return page(request, "home", context)


def row(game: Game, *, leads: bool, sits: bool) -> dict[str, Any]:
    """A game of the list."""
    return {
        "game": game,
        "title": registry.ruleset(game.ruleset).title,
        "caption": registry.store(game.ruleset).caption(game),
        "leads": leads,
        "sits": sits,
    }
