"""The big screen and the home page: for everybody, with what a stranger may know and nothing else."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games import services
from games.models import Game
from tests.api.worlds import toy_game, user
from tests.event_pages.test_desk import ground  # noqa: F401
from tests.toy.rules.commands import HideCoins, RollStones

pytestmark = pytest.mark.django_db


def screen(game: Game, part: str = "", client: Client | None = None) -> bytes:
    """A page of the screen."""
    answer = (client or Client()).get(f"/games/{game.pk}/screen/{part}")
    assert answer.status_code == 200, answer.content
    return answer.content


def timeless(body: bytes) -> bytes:
    """A body without what is left of its deadlines, which goes down while one looks."""
    return re.sub(rb'data-left="[^"]*"', b"", body)


def test_a_game_of_any_ruleset_has_a_screen(ground, django_assert_max_num_queries):  # noqa: F811
    screen(ground.game)  # the state is in the process from now on
    with django_assert_max_num_queries(12):
        text = screen(ground.game).decode()
    assert ground.game.name in text and "data-stream" in text
    assert not re.search(r"<script(?! src=)|<style|\sstyle=|\son[a-z]+=", text)
    for picture in re.findall(r'data-src="([^"]+)"', text):
        assert Client().get(picture)["Content-Type"].startswith("image/svg+xml")


def test_the_screen_is_the_same_for_everybody(ground):  # noqa: F811
    lead = Client()
    lead.force_login(ground.game.seats.filter(role="gm")[0].user)
    assert timeless(screen(ground.game, "body/", lead)) == timeless(screen(ground.game, "body/"))


def test_a_secret_does_not_reach_the_screen():
    toy = toy_game()
    before = screen(toy.game, "body/")
    services.run(toy.game.pk, HideCoins(coins=3), actor=toy.actor(toy.ann))
    assert timeless(screen(toy.game, "body/")) == timeless(before)


def test_a_hall_of_screens_asks_little_more_than_one(django_assert_max_num_queries, monkeypatch):
    toy = toy_game()
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)  # the body is made anew each second
    screen(toy.game, "body/")
    with django_assert_max_num_queries(40):
        for _ in range(20):
            screen(toy.game, "body/")


def test_a_private_game_has_no_screen():
    toy = toy_game(is_public=False)
    lead = Client()
    lead.force_login(toy.host)
    for client in (Client(), lead):
        assert client.get(f"/games/{toy.game.pk}/screen/").status_code == 404


def test_a_chart_that_the_screen_does_not_show_is_missing():
    assert Client().get(f"/games/{toy_game().game.pk}/screen/charts/secrets.svg").status_code == 404


def test_the_home_page_leads_everywhere():
    public, private = toy_game(), toy_game(is_public=False)
    text = Client().get("/").content.decode()
    for address in (f"/games/{public.game.pk}/screen/", "/api/docs/", "/graphql/", "/admin/", "/oauth/log-in/"):
        assert f'"{address}' in text
    assert str(private.game.pk) not in text
    lead = Client()
    lead.force_login(user("host"))
    assert f"/games/{private.game.pk}/desk/" in lead.get("/").content.decode()


def test_games_are_listed_for_people_alone_where_the_service_says_so(settings):
    settings.ANONYMOUS_READ = False
    toy = toy_game()
    assert str(toy.game.pk) not in Client().get("/").content.decode()
    for part in ("", "body/", "map.svg"):
        address = f"/games/{toy.game.pk}/screen/{part}"
        assert Client().get(address)["Location"] == f"/oauth/log-in/?next={address}"
    eve = Client()
    eve.force_login(toy.eve)
    assert toy.game.name.encode() in screen(toy.game, "", eve)


def test_a_screen_may_be_behind_on_purpose(monkeypatch):
    now = timezone.now()
    toy = toy_game('{"tide_seconds": 3600, "spectator_delay": 60}')
    assert b"60 seconds ago" in screen(toy.game)
    services.run(toy.game.pk, RollStones(dice=2), actor=toy.actor(toy.ann), now=timezone.now())
    early = screen(toy.game, "body/")
    assert b"Last dice" not in early and b"Ann" not in early
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(seconds=90))
    late = screen(toy.game, "body/")
    assert b"Last dice: 2d6" in late and b"Ann" in late


def test_a_screen_without_delay_is_of_now():
    toy = toy_game()
    services.run(toy.game.pk, RollStones(dice=2), actor=toy.actor(toy.ann))
    text = screen(toy.game, "body/")
    assert b"Last dice: 2d6" in text and b"seconds ago" not in text
