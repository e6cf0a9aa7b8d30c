"""Nobody is awaited in the demo: a bot keeps each seat until somebody plays it, its person or another, in one press."""

import json
from urllib.parse import urlsplit

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from games import registry, services
from games.engine.game_state import Role
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.seating import HandOver
from games.models import Game, LoggedEvent, Seat, Timer
from games.workers import demo
from tests.api.worlds import user
from tests.event_pages.desks import Form
from tests.forms import first
from tests.games.demo.stage import fire_until

pytestmark = pytest.mark.django_db
TIMERS = 120


def people_of(game: Game) -> list[Seat]:
    """The players' seats that are kept for people."""
    return list(Seat.objects.filter(game=game, role=Role.PLAYER, user__isnull=False).order_by("name"))


def forms_of(answer: HttpResponse) -> list[Form]:
    """The forms of a page that take a seat."""
    listed = answer.content.decode().partition('<ul class="acts">')[2].partition("</ul>")[0]
    return [Form(f"<form {each}") for each in listed.split("<form ")[1:]]


@pytest.mark.parametrize("ruleset", first(registry.demos(), 1))
def test_in_each_demo_a_bot_plays_every_seat_and_nobody_is_late(open_demo, ruleset):
    game = open_demo(ruleset)
    assert not Seat.objects.filter(game=game, role=Role.PLAYER, bot="").exists()
    assert {seat.bot for seat in people_of(game)} == {registry.demo(ruleset).KEEPER}
    for _ in range(TIMERS):
        timer = Timer.objects.filter(game=game, due__isnull=False).order_by("due").first()
        if timer is None:
            break
        services.fire_due(game.pk, now=timer.due)
    late = [json.loads(row.body)["seats"] for row in LoggedEvent.objects.filter(game=game, type="DeadlinePassed")]
    assert not {str(seat.pk) for seat in people_of(game)} & {seat for seats in late for seat in seats}
    assert not LoggedEvent.objects.filter(game=game, type__in=("BotPassed", "TimerFailed")).exists()


@pytest.mark.parametrize("ruleset", first(registry.demos(), 2))
def test_who_comes_by_the_link_takes_the_seat_over_in_one_press(open_demo, ruleset):
    game = open_demo(ruleset)
    (seat, *_) = people_of(game)
    client = Client()
    page = client.get(urlsplit(f"/demo/{demo.link_of(seat.user)}/").path, follow=True)
    place, shown = page.redirect_chain[-1][0], page.content.decode()
    assert str(seat.pk) in place and "A bot plays this seat until you do, or somebody else takes it." in shown
    form = Form('<form id="stand-in"' + shown.partition('<form class="waits" id="stand-in"')[2].partition("</form>")[0])

    answer = client.post(f"{place}commands/hand-over/", form.values)

    assert (answer.status_code, answer["Location"]) == (302, place)
    seat.refresh_from_db()
    assert (seat.user.username.startswith("demo-player"), seat.bot) == (True, "")
    assert "Play it yourself" not in client.get(place).content.decode()
    assert not Timer.objects.filter(game=game, key=f"bot:{seat.pk}", due__lt=game.last_at).exists()


def test_somebody_else_takes_a_seat_in_one_press_and_its_person_is_led_to_those_that_are_free(open_demo):
    game = open_demo("forgeborn")
    (seat,) = people_of(game)
    client, address = Client(), reverse("take-seat", args=[game.pk])
    client.force_login(user("nina"))
    assert address in client.get("/").content.decode()
    sent = next(f.values for f in forms_of(client.get(address)) if f.values["seat:text"] == [str(seat.pk)])

    answer = client.post(address, sent, follow=True)

    assert answer.redirect_chain[-1][0] == reverse("seat", args=[game.pk, seat.pk])
    assert "A bot plays this seat" not in answer.content.decode()
    held = Seat.objects.get(pk=seat.pk)
    assert (held.user, held.bot, held.is_claimable) == (user("nina"), "", False)
    fire_until(game, lambda: LoggedEvent.objects.filter(game=game, type="DeadlinePassed").exists())  # Nina is awaited
    assert not LoggedEvent.objects.filter(game=game, type__in=("BotPassed", "TimerFailed")).exists()
    led = Client().get(f"/demo/{demo.link_of(seat.user)}/", follow=True)
    assert led.redirect_chain[-1][0] == address
    free = [form.values["seat:text"] for form in forms_of(led)]
    assert len(free) == 3 and [str(seat.pk)] not in free


def test_a_command_of_the_game_takes_the_seat_over_and_what_is_refused_or_about_the_table_does_not(open_demo):
    game = open_demo("dietower")
    (seat,) = people_of(game)
    person = Actor(Issuer.SEAT, seat.user_id, seat.pk)
    fire_until(game, lambda: Game.objects.get(pk=game.pk).chapter == 1)
    commands = registry.ruleset("dietower").commands

    def act(name: str, **arguments: object) -> None:
        now = Game.objects.get(pk=game.pk).last_at
        services.run(game.pk, commands[name].model_validate(arguments), actor=person, now=now)
        seat.refresh_from_db()

    with pytest.raises(Exception, match="That is for the world master"):
        act("request-check", intent="Up", ruling={"cd": "easy", "good": True})
    seat.refresh_from_db()
    assert seat.bot == "sensible"
    act("set-standing-answer", kind="window", answer="close")
    assert (seat.bot, seat.user_id) == ("", person.user)
    act("hand-over", seat=seat.pk, user=seat.user_id, bot="random")
    assert (seat.bot, seat.user_id) == ("random", person.user)
    services.run(game.pk, HandOver(seat=seat.pk, user=seat.user_id), actor=person)
    seat.refresh_from_db()
    assert (seat.bot, seat.user_id) == ("", person.user)
