"""A game of any ruleset is opened by a form, and its opener sits at its desk at once."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import registry
from games.models import Game
from tests.api.worlds import toy_game, user
from tests.event_pages.desks import Form

pytestmark = pytest.mark.django_db
ADVISED = {"albraxas": {"check_from": 99}}
"""What forms begin with where it is not what an API takes for nothing said."""


@pytest.fixture
def eve() -> Client:
    """Somebody who is signed in."""
    client = Client()
    client.force_login(user("eve"))
    return client


def opened(client: Client, slug: str, **fields: str) -> Game:
    """A game that was opened by its form as it stands, with some fields filled in."""
    address = f"/games/new/{slug}/"
    values = Form(client.get(address).content.decode()).values
    answer = client.post(address, values | {"name:text": ["An evening"]} | {n: [v] for n, v in fields.items()})
    assert answer.status_code == 302, answer.content.decode()
    assert client.get(answer["Location"]).status_code == 200
    return Game.objects.get(pk=answer["Location"].split("/")[2])


@pytest.mark.parametrize("slug", sorted(registry.folders()))
def test_the_form_as_it_stands_opens_a_game_with_the_defaults_or_what_is_advised(eve, slug):
    game = opened(eve, slug)
    defaults = registry.ruleset(slug).options().model_dump(mode="json")
    assert json.loads(game.options) == defaults | ADVISED.get(slug, {})
    assert (game.name, game.is_public) == ("An evening", True)
    assert set(game.seats.values_list("role", "user__username")) >= {("host", "eve"), ("gm", "eve")}


def test_what_is_chosen_counts(eve):
    game = opened(eve, "gods2", **{"options.previews:flag": "1", "options.spectator_delay:number": "30"})
    options = json.loads(game.options)
    assert (options["previews"], options["spectator_delay"]) == (True, 30)


def test_a_wish_that_cannot_be_met_comes_back_with_what_was_written(eve):
    answer = eve.post("/games/new/gods2/", {"name:text": "An evening", "options.century_minutes:number": "99"})
    text = answer.content.decode()
    assert answer.status_code == 422 and "century_minutes" in text and 'value="An evening"' in text
    assert not Game.objects.exists()


def test_a_ruleset_that_is_none_is_missing(eve):
    assert eve.get("/games/new/chess/").status_code == 404
    assert eve.get("/games/new/").status_code == 200


def test_who_is_not_signed_in_is_asked_to():
    for address in ("/games/new/", "/games/new/gods2/"):
        assert Client().get(address)["Location"] == f"/oauth/log-in/?next={address}"
    assert Client().post("/games/new/gods2/", {"name:text": "An evening"}).status_code == 401
    assert not Game.objects.exists()


def test_the_admin_leads_to_the_form_that_opens_a_game_and_to_a_games_own_pages():
    page, game = Client(), toy_game().game
    page.force_login(User.objects.create_superuser("root", password="seven-gates-of-horn"))
    listed = page.get(reverse("admin:games_game_changelist")).content.decode()
    (address,) = set(re.findall(r'href="([^"]+)"[^>]*>(?:(?!</a>).)*Open a game', listed, re.S))
    assert page.get(address)["Location"] == "/games/new/"
    shown = page.get(reverse("admin:games_game_change", args=[game.pk])).content.decode()
    assert f'href="/games/{game.pk}/screen/"' in shown and f'href="/games/{game.pk}/desk/"' in shown
