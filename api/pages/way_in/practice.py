"""A game against bots, in one press: it is opened, its player is seated, and play begins."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from api.pages.access import user_id_of
from api.pages.signed_in import SignedInView
from games.scripts import open_practice


class PlayNow(SignedInView):
    """The press."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, slug: str) -> HttpResponseBase:
        """Open the game, and go to the seat. Raises what `open_practice` raises."""
        game = open_practice(slug, user_id_of(request))
        return redirect("own-seat", game.pk)
