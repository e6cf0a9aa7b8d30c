"""A game is opened on a page: a ruleset is chosen, then its options by a form that is made from their schema."""

from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect

from api.pages.access import user_id_of
from api.pages.forms.body import body_of
from api.pages.forms.fields import Making
from api.pages.forms.refusals import TAKEN, sentences_of
from api.pages.policy import page
from api.pages.signed_in import SignedInView
from api.representations.games import open_game, opening_of
from api.representations.issuing.legal_schemas import schema_of
from games import registry


class ChooseRuleset(SignedInView):
    """The rulesets."""

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest) -> HttpResponse:
        """What may be played."""
        return page(request, "choose_ruleset", {"rulesets": registry.rulesets()})


class OpenGame(SignedInView):
    """The options of a game, and the game."""

    http_method_names = ["get", "head", "post"]

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """The form with the defaults. Raises `ruleset.missing`."""
        return self.form(request, slug, {})

    def post(self, request: HttpRequest, slug: str) -> HttpResponseBase:
        """Open it: its opener is its host and game-master. A refusal comes back on the form."""
        wish: dict[str, Any] = {}
        try:
            wish = body_of({name: request.POST.getlist(name) for name in request.POST})
            game = open_game(slug, orjson.dumps({**wish, "ruleset": slug}), user_id_of(request))
        except TAKEN as error:
            return self.form(request, slug, wish, error)
        return redirect("desk", game.pk)

    def form(
        self, request: HttpRequest, slug: str, given: dict[str, Any], error: Exception | None = None
    ) -> HttpResponse:
        """The form; error: why it was not taken."""
        schema = schema_of(opening_of(slug))
        asked = {name: part for name, part in schema["properties"].items() if name != "ruleset"}
        making = Making(schema.get("$defs", {}))
        context = {
            "rules": registry.ruleset(slug),
            "fields": tuple(making.fields({**schema, "properties": asked}, given)),
            "faults": sentences_of(error) if error is not None else (),
        }
        return page(request, "open_game", context, status=200 if error is None else 422)
