"""Deadlines in a calendar: an address that shows its owner's turns, the deadline of each, and nothing else."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from accounts import services as accounts
from accounts.calendars import make_calendar_key, person_of_calendar
from accounts.models import Scope, User
from accounts.retirement import retire
from config.logs import redact
from core.places import routing
from games import services
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import Extend, Pause
from games.models import Game, Seat
from games.storage.state_cache import STATE_CACHE
from tests.api.worlds import bearer, user
from tests.games import dawn

pytestmark = pytest.mark.django_db
API, GRAPH = "/api/v1/me/calendar/", "/graphql/"


def game_that_asks(name: str) -> Game:
    """A game in whose set-up somebody is asked which god they are."""
    return dawn.setting_up({}, (name, "somebody"), now=timezone.now()).game


def host_of(game: Game) -> Actor:
    """Its host."""
    seat = Seat.objects.get(game=game, role="host")
    return Actor(Issuer.HOST, seat.user_id, seat.pk)


def address_of(person: User) -> str:
    """A new address of a person's calendar."""
    return reverse("calendar", args=[make_calendar_key(person)])


def entries(address: str) -> dict[str, tuple[str, datetime]]:
    """What a calendar reads there: by UID, the summary and when it is."""
    answer = Client().get(address)
    assert answer["Content-Type"].startswith("text/calendar") and "no-store" in answer["Cache-Control"]
    read = Calendar.from_ical(answer.content)
    return {str(each["UID"]): (str(each["SUMMARY"]), each["DTSTART"].dt) for each in read.walk("VEVENT")}


def ask_graph(document: str, person: User, *scopes: Scope) -> dict[str, object]:
    """The answer of GraphQL."""
    body = {"query": document}
    return Client().post(GRAPH, body, "application/json", headers=bearer(person, *scopes)).json()["data"]


def test_a_deadline_stands_in_its_owners_calendar_moves_there_and_is_gone_when_nothing_is_asked():
    game, ana = game_that_asks("ana"), user("ana")
    Game.objects.filter(pk=game.pk).update(name="Cairns, of; all\r\nBEGIN:VEVENT")
    STATE_CACHE.clear()  # the rows were changed behind the service's back
    address, seat = address_of(ana), Seat.objects.get(game=game, user=ana, role="player")
    ((uid, (summary, due)),) = entries(address).items()
    assert uid == f"{seat.pk}@theogony" and summary.endswith(": you are asked")
    with routing.at(game.pk):
        game.refresh_from_db()
    text = Client().get(address).content.decode()
    assert f'"{due.astimezone(UTC).isoformat().removesuffix("+00:00")}' in game.waiting_for.replace("Z", "")
    assert f"http://testserver{reverse('seat', args=[game.pk, seat.pk])}" in text.replace("\r\n ", "")
    assert text.count("BEGIN:VEVENT\r\n") == 1  # the name of a game is no entry

    services.run(game.pk, Extend(seconds=3600, reason="Tea"), actor=host_of(game))
    assert [when - due for _, when in entries(address).values()] == [timedelta(hours=1)]
    assert [*entries(address)] == [uid]
    services.run(game.pk, Pause(reason="Tea"), actor=host_of(game))
    assert entries(address) == {}


def test_it_shows_its_owners_turns_alone():
    game_that_asks("ana")
    game = game_that_asks("ben")
    assert len(entries(address_of(user("ana")))) == 1
    assert str(game.pk) not in Client().get(address_of(user("ana"))).content.decode()
    assert entries(address_of(user("cleo"))) == {}


def test_more_games_cost_no_more_than_their_captions():
    address = address_of(user("ana"))
    costs = []
    for _ in range(3):
        game_that_asks("ana")
        with CaptureQueriesContext(
            connection,
        ) as asked:
            Client().get(address)
        costs.append(len(asked))
    assert costs[2] - costs[1] == costs[1] - costs[0] <= 1


@pytest.mark.parametrize("secret", ["x", "theocal_", "theocal_" + "0" * 40, "theo_" + "0" * 40, "theocal_%00"])
def test_an_address_that_is_none_is_missing(secret):
    address_of(user("ana"))
    answer = Client().get(f"/calendar/{secret}.ics")
    assert answer.status_code == 404 and "There is no such calendar" in answer.content.decode()


def test_a_new_address_a_new_password_and_retirement_end_it():
    """The kind: whatever ends what a person has let in ends the address, too."""
    ana = user("ana")
    first = address_of(ana)
    second = address_of(ana)
    assert [Client().get(each).status_code for each in (first, second)] == [404, 200]
    accounts.change_password(ana, new="seven lamps burn slowly")
    assert Client().get(second).status_code == 404
    third = make_calendar_key(ana)
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert person_of_calendar(third) is None
    User.objects.filter(pk=ana.pk).update(is_active=True)
    assert person_of_calendar(third) == ana
    retire(ana)
    assert person_of_calendar(third) is None
    assert User.objects.get(pk=ana.pk).calendar_digest == ""


def test_the_address_lets_its_reader_do_nothing_else_and_stands_in_no_log():
    secret = make_calendar_key(user("ana"))
    assert Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {secret}"}).status_code == 401
    assert secret not in str(User.objects.filter(username="ana").values())
    assert redact(f"GET /calendar/{secret}.ics") == "GET /calendar/theocal_[hidden].ics"
    assert Client().post(reverse("calendar", args=[secret])).status_code == 405


def test_the_page_makes_an_address_shows_it_once_and_ends_it():
    client, page = Client(), reverse("calendar-page")
    assert client.get(page)["Location"].startswith(reverse("log-in"))
    assert client.post(page).status_code == 401 and not User.objects.exclude(calendar_digest="").exists()
    client.force_login(user("ana"))
    assert "End the address" not in client.get(page).content.decode()
    made = client.post(page).content.decode()
    address = made.partition('value="http://testserver')[2].partition('"')[0]
    assert Client().get(address).status_code == 200
    again = client.get(page).content.decode()
    assert "theocal_" not in again and "End the address" in again
    assert client.post(page, {"end": "1"})["Location"] == page
    assert Client().get(address).status_code == 404


def test_both_apis_make_and_remove_it():
    ana = user("ana")
    made = Client().post(API, headers=bearer(ana))
    assert (made.status_code, made["Cache-Control"]) == (201, "no-store")
    assert Client().get(made.json()["url"]).status_code == 200
    graph = ask_graph("mutation { makeCalendar { ... on CalendarMade { url } } }", ana)["makeCalendar"]
    assert Client().get(made.json()["url"]).status_code == 404
    assert Client().get(graph["url"]).status_code == 200
    assert Client().delete(API, headers=bearer(ana)).status_code == 204
    assert Client().get(graph["url"]).status_code == 404
    url = ask_graph("mutation { makeCalendar { ... on CalendarMade { url } } }", ana)["makeCalendar"]["url"]
    gone = ask_graph("mutation { removeCalendar { ... on CalendarRemoved { user } } }", ana)
    assert gone == {"removeCalendar": {"user": str(ana.pk)}} and Client().get(url).status_code == 404
    assert Client().delete(API, headers=bearer(ana)).status_code == 204  # there is none, and nothing changes


def test_a_token_that_reads_alone_and_nobody_are_refused_by_both():
    ana = user("ana")
    reads = bearer(ana, Scope.READ)
    for ask in (Client().post, Client().delete):
        assert ask(API, headers=reads).json()["code"] == "token.scope"
        assert ask(API).json()["code"] == "token.needed"
    for mutation in ("makeCalendar", "removeCalendar"):
        refused = ask_graph(f"mutation {{ {mutation} {{ ... on Refusal {{ code }} }} }}", ana, Scope.READ)
        assert refused == {mutation: {"code": "token.scope"}}
    assert User.objects.get(pk=ana.pk).calendar_digest == ""
