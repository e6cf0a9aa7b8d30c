"""A game against bots in one press: of each ruleset it is begun, seats who pressed, and keeps its secrets."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import registry, services
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import Extend, Pause
from games.engine.lifecycle.seating import HandOver
from games.models import Game, Seat, Timer
from games.scripts import PRACTICE_SECONDS
from games.storage.state_cache import STATE_CACHE
from tests.api.worlds import bearer, user
from tests.games import dawn

pytestmark = pytest.mark.django_db


def press(name: str, slug: str) -> tuple[Client, object]:
    """Somebody who is signed in presses the button."""
    client = Client()
    client.force_login(user(name))
    return client, client.post(reverse("play-now", args=[slug]))


@pytest.mark.parametrize("slug", registry.demos())
def test_one_press_seats_a_person_among_bots_in_a_game_that_is_under_way(slug):
    client, answer = press("ana", slug)
    game = Game.objects.get(opened_by=user("ana"))
    assert (game.ruleset, game.is_public) == (slug, False) and game.status != "lobby"
    assert answer["Location"] == reverse("own-seat", args=[game.pk])
    page = client.get(answer["Location"], follow=True)
    assert page.status_code == 200 and 'id="may"' in page.content.decode()
    mine, others = (Seat.objects.filter(game=game, role="player", bot__exact=b) for b in ("", "x"))
    assert [seat.user_id for seat in mine] == [user("ana").pk] and not others
    assert Seat.objects.filter(game=game, role="player").exclude(bot="").exists()
    assert not Seat.objects.filter(is_claimable=True).exists()  # no stranger takes the seat of a bot


@pytest.mark.parametrize("slug", registry.demos())
def test_its_opener_reads_no_secret_of_a_bot(slug):
    press("ana", slug)
    game = Game.objects.get(opened_by=user("ana"))
    assert not Seat.objects.filter(game=game, role="gm", user__isnull=False).exists()
    address, ana = f"/api/v1/games/{game.pk}/state/", bearer(user("ana"))
    assert [Client().get(address + query, headers=ana).status_code for query in ("", "?as=gm")] == [200, 404]


def test_bots_play_on_by_their_timers():
    press("ana", "dawn")
    game = Game.objects.get(opened_by=user("ana"))
    before = game.digest
    for _ in range(20):
        due = Timer.objects.filter(game=game, due__isnull=False).order_by("due").first()
        if due is None:
            break
        services.fire_due(game.pk, now=due.due)
    assert Game.objects.get(pk=game.pk).digest != before


def test_nobody_has_more_games_of_their_own_than_the_service_allows(settings):
    settings.MAX_LOBBIES = 1
    press("ana", "albraxas")
    _, answer = press("ana", "albraxas")
    assert (answer.status_code, "finish one of them first" in answer.content.decode()) == (409, True)
    assert Game.objects.filter(opened_by=user("ana")).count() == 1


def test_who_is_not_signed_in_and_a_game_that_is_not_there_are_refused_and_nothing_is_opened():
    before = Game.objects.count()
    assert Client().post(reverse("play-now", args=["dawn"])).status_code == 401
    _, answer = press("ana", "chess")
    assert answer.status_code == 404 and Game.objects.count() == before


def test_the_home_page_offers_it_to_who_is_signed_in_and_the_way_in_to_others():
    client, _ = press("ana", "chess")
    assert reverse("play-now", args=["gods2"]) in client.get("/").content.decode()
    page = Client().get("/").content.decode()
    assert reverse("play-now", args=["gods2"]) not in page and "Sign in to play against bots" in page


def test_whose_turn_it_is_finds_it_on_the_home_page_the_first_deadline_first():
    client = Client()
    client.force_login(user("ana"))
    late, soon = (dawn.setting_up({}, ("ana", "somebody"), now=timezone.now()).game for _ in range(2))
    Game.objects.filter(pk=late.pk).update(name="The later")
    Game.objects.filter(pk=soon.pk).update(name="The sooner")
    STATE_CACHE.clear()  # the rows were changed behind the service's back
    services.run(late.pk, Extend(seconds=3600, reason="Tea"), actor=host_of(late))
    page = client.get("/").content.decode()
    assert page.index("To your seat in The sooner") < page.index("To your seat in The later")
    assert "You are asked." in page and "left." in page
    services.run(soon.pk, Pause(reason="Tea"), actor=host_of(soon))
    assert "To your seat in The sooner" not in client.get("/").content.decode()
    seat = Seat.objects.get(game=late, user=user("ana"), role="player")
    away = HandOver(seat=seat.pk, user=seat.user_id, bot="plain")
    services.run(late.pk, away, actor=Actor(Issuer.SEAT, seat.user_id, seat.pk))
    page = client.get("/").content.decode()
    assert "A bot plays until you do." in page and "You are asked." not in page
    assert "Your turn" not in Client().get("/").content.decode()


def host_of(game: Game) -> Actor:
    """The host of a game."""
    seat = Seat.objects.get(game=game, role="host")
    return Actor(Issuer.HOST, seat.user_id, seat.pk)


def test_a_game_of_albraxas_against_bots_begins_in_twenty_seconds_since_all_characters_are_there():
    press("ana", "albraxas")
    game = Game.objects.get(opened_by=user("ana"))
    options = json.loads(game.options)
    assert (options["characters_seconds"], options["order_seconds"]) == (20, PRACTICE_SECONDS)
