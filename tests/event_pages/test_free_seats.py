"""Seats that are free, left by a player or kept by a bot: offered on the home page and taken in one press."""

import pytest
from django.test import Client
from django.urls import reverse

from games import registry, services
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.seating import AddSeat, HandOver
from games.engine.policies import QuestionPolicy
from games.models import Game, Seat
from tests.api.worlds import toy_game, user
from tests.event_pages.desks import Form

pytestmark = pytest.mark.django_db


def waiting_game() -> Game:
    """A game under way in which a player has left their seat."""
    game = toy_game().game
    seat = Seat.objects.filter(game=game, role="player", user__isnull=False).order_by("name")[0]
    services.run(game.pk, HandOver(seat=seat.pk, user=None, reason="They left"), actor=host_of(game))
    return Game.objects.get(pk=game.pk)


def host_of(game: Game) -> Actor:
    """The host of a game."""
    seat = Seat.objects.get(game=game, role="host")
    return Actor(Issuer.HOST, seat.user_id, seat.pk)


def newcomer(name: str = "nina") -> Client:
    """Somebody who is signed in and sits nowhere."""
    client = Client()
    client.force_login(user(name))
    return client


def test_a_seat_that_was_left_is_offered_on_the_home_page_and_taken_in_one_press():
    game, nina = waiting_game(), newcomer()
    address = reverse("take-seat", args=[game.pk])
    assert address in nina.get("/").content.decode()
    page = nina.get(address).content.decode()
    sent = Form(page.partition('<ul class="acts">')[2].partition("</form>")[0]).values
    answer = nina.post(address, sent)
    assert answer["Location"] == reverse("own-seat", args=[game.pk])
    assert Seat.objects.get(game=game, user=user("nina")).role == "player"
    assert address not in nina.get("/").content.decode()
    assert nina.get(address)["Location"] == reverse("own-seat", args=[game.pk])


def test_a_seat_that_a_bot_keeps_for_anybody_is_offered_too_and_that_of_somebody_who_is_away_is_not(monkeypatch):
    monkeypatch.setitem(registry.ruleset("toy").policies, "idle", QuestionPolicy(answers={}))
    toy, nina = toy_game(), newcomer()
    address = reverse("take-seat", args=[toy.game.pk])
    for person, is_claimable in ((toy.ann, False), (toy.bob, True)):
        actor = toy.actor(person)
        keep = HandOver(seat=actor.seat, user=person.pk, bot="idle", is_claimable=is_claimable)
        services.run(toy.game.pk, keep, actor=actor)
        home = nina.get("/").content.decode()
        assert (address in home) is ("1 free seat<" in home) is is_claimable
    page = nina.get(address).content.decode()
    assert "Play Bob" in page and "Play Ann" not in page and "A bot keeps it." in page
    sent = Form(page.partition('<ul class="acts">')[2].partition("</form>")[0]).values
    assert nina.post(address, sent)["Location"] == reverse("own-seat", args=[toy.game.pk])
    assert Seat.objects.get(game=toy.game, user=user("nina")).name == "Bob"
    assert address not in newcomer("olga").get("/").content.decode()


def test_a_seat_that_another_took_meanwhile_is_refused_on_the_page_and_nothing_is_taken():
    game = waiting_game()
    address = reverse("take-seat", args=[game.pk])
    seen = [(client, client.get(address).content.decode()) for client in (newcomer("nina"), newcomer("olga"))]
    answers = [
        client.post(address, Form(page.partition('<ul class="acts">')[2].partition("</form>")[0]).values)
        for client, page in seen
    ]
    assert [answer.status_code for answer in answers] == [302, 422]
    assert "is taken; choose an empty seat" in answers[1].content.decode()
    assert not Seat.objects.filter(game=game, user=user("olga")).exists()


def test_a_public_game_that_waits_for_its_start_has_a_new_seat_for_everybody():
    game = services.open_game(toy_game().game.ruleset, "Open to all", user=user("hana").pk, is_public=True)
    services.run(game.pk, AddSeat(name="Empty"), actor=host_of(game))
    nina = newcomer()
    address = reverse("take-seat", args=[game.pk])
    page = nina.get(address).content.decode()
    assert "Play Empty" in page and "Take a new seat" in page
    nina.post(address, {"name:text": "Nina", "key": "one"})
    assert Seat.objects.get(game=game, user=user("nina")).name == "Nina"


def test_a_private_game_a_game_that_is_over_and_one_that_is_not_there_offer_nothing():
    game, nina = waiting_game(), newcomer()
    address = reverse("take-seat", args=[game.pk])
    Game.objects.filter(pk=game.pk).update(status="finished")
    assert address not in nina.get("/").content.decode()
    Game.objects.filter(pk=game.pk).update(status="running", is_public=False)
    assert address not in nina.get("/").content.decode() and nina.get(address).status_code == 404
    assert nina.post(address, {"name:text": "Nina"}).status_code == 404
    assert nina.get(reverse("take-seat", args=[user("nina").pk])).status_code == 404
    assert Client().get(address).status_code == 302  # to the sign-in
