"""The way in to the demo: an address that signs its reader in as a player of it, on a service that plays the demo."""

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache

from api.common.exceptions import Fault
from api.common.throttles import charge
from api.pages.access import principal_of
from api.pages.forms.refusals import refuse
from api.pages.way_in.joining import BACKEND
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.models import Game, Seat
from games.reads.selectors import demo_games
from games.workers.demo import player_of_link


@method_decorator(never_cache, name="dispatch")
class DemoSignIn(View):
    """The address that `make run` prints."""

    counts_itself = True
    http_method_names = ["get"]

    def get(self, request: HttpRequest, link: str) -> HttpResponseBase:
        """Sign in as the player of the link, and go to their seat, or to free ones where somebody has taken theirs.

        404 for any other link, and without the demo.
        """
        try:
            charge(request, principal_of(request), acting=True)
            user = player_of_link(link) if settings.DEMO else None
            if user is None:
                raise Refused("thing.missing", "This is no way in; `make run` prints the one of its demo.")
        except (Refused, Fault) as error:
            return refuse(request, error)
        login(request, user, BACKEND)
        held = Seat.objects.filter(user=user, role=Role.PLAYER, game__is_demo=True).order_by("game__created_at")
        seat = held.exclude(game__status="finished").first()
        if seat is not None:
            return redirect("seat", seat.game_id, seat.pk)
        game = demo_games(Game.objects.filter(is_public=True)).order_by("created_at").first()
        return redirect("home") if game is None else redirect("take-seat", game.pk)
