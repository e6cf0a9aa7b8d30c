"""An invitation's link: shown once, to whoever wrote it; its page takes it, and says in words what it does not take."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import invite as invite_to_sign_up
from games import services
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.removal import RemoveSeat
from games.engine.lifecycle.seating import AddSeat, Invite, Join
from games.models import Invitation, Seat
from tests.api.worlds import ToyGame, client, toy_game, user
from tests.event_pages.desks import Desk, Form
from tests.operations.lines import reading

pytestmark = [pytest.mark.django_db, pytest.mark.rule("CF-5")]
PASSWORD = "Seven-gates-of-horn"


@pytest.fixture(autouse=True)
def fresh() -> None:
    caches["throttles"].clear()


def browser(person: User | None = None) -> Client:
    found = Client()
    if person is not None:
        found.force_login(person)
    return found


def link_to(toy: ToyGame, **what: object) -> str:
    """The link of a new invitation."""
    before = set(Invitation.objects.values_list("pk", flat=True))
    services.run(toy.game.pk, Invite(**what), actor=toy.gm)
    return f"/join/{Invitation.objects.exclude(pk__in=before).get().code}/"


def press(visitor: Client, link: str, **fields: str):
    """Send the form of the page as it stands, with some fields filled in."""
    values = Form(visitor.get(link).content.decode()).values
    return visitor.post(link, values | {name.replace("__", ":"): [value] for name, value in fields.items()})


def words(answer) -> str:
    found = re.findall(r'<(div|p)[^>]* role="alert">(.*?)</\1>', answer.content.decode(), re.S)
    return unescape(" ".join(text for _, text in found))


@pytest.mark.parametrize("role", ["host", "gm"])
def test_the_link_is_shown_once_to_whoever_wrote_it_and_seats_one_person(role):
    toy = toy_game()
    if role == "host":
        Seat.objects.filter(game=toy.game, role="gm").update(user=user("master"))
    desk = Desk.of(toy.fresh(), role)
    shown = desk.send(desk.address("invite"))
    text, code = shown.content.decode(), Invitation.objects.get().code
    assert shown.status_code == 200 and f"http://testserver/join/{code}/" in text
    assert shown["Cache-Control"] == "no-store" and shown["Content-Security-Policy"].startswith("default-src 'none'")
    assert code not in desk.body()
    page = browser()
    page.force_login(Seat.objects.get(game=toy.game, role=role).user)
    whole = press(page, desk.address("invite"))
    assert f"/join/{Invitation.objects.exclude(code=code).get().code}/" in whole.content.decode()
    eve = browser(toy.eve)
    assert press(eve, f"/join/{code}/")["Location"] == f"/games/{toy.game.pk}/seat/"
    assert Seat.objects.get(game=toy.game, user=toy.eve).name == "eve"
    late = browser(user("late"))
    assert late.get(f"/join/{code}/").status_code == 404 and "used already" in words(late.get(f"/join/{code}/"))
    assert late.post(f"/join/{code}/", {"name:text": "Late"}).status_code == 404


def test_a_host_reads_the_code_in_the_answer_of_either_api():
    toy = toy_game()
    host, seat = client(toy.host), toy.seat(toy.host, "host")
    for path in (f"commands/invite/?seat={seat}", "commands/invite/?as=gm"):
        (event,) = host.post(toy.path(path), {}, "application/json").json()["events"]
        assert Invitation.objects.filter(code=event["data"]["code"]).exists()
    done = "... on CommandDone { events { dataJson } }"
    query = f'mutation {{ it: toyInvite(game: "{toy.game.pk}", seat: "{seat}", input: {{}}) {{ {done} }} }}'
    found = host.post("/graphql/", {"query": query}, "application/json").json()
    assert found["data"]["it"]["events"][0]["dataJson"]["code"] in Invitation.objects.values_list("code", flat=True)
    listed = client(toy.ann).get(toy.path("events/?limit=500")).content.decode()
    assert "core.Invited" not in listed


def test_each_lands_where_they_belong():
    toy, private = toy_game(), toy_game(is_public=False)
    for game, role, landing in (
        (toy, "gm", f"/games/{toy.game.pk}/desk/"),
        (toy, "observer", f"/games/{toy.game.pk}/screen/"),
        (private, "player", f"/games/{private.game.pk}/seat/"),
        (private, "observer", "/"),
        (private, "host", f"/games/{private.game.pk}/desk/"),
    ):
        newcomer = browser(user(f"new-{role}-{landing.count('/')}"))
        answer = press(newcomer, link_to(game, role=role), name__text=f"New {role}")
        assert answer["Location"] == landing
        assert newcomer.get(landing, follow=True).status_code == 200


def test_a_stranger_signs_in_or_up_and_comes_back(settings):
    toy = toy_game()
    link, stranger = link_to(toy), browser()
    page = stranger.get(link)
    assert f'href="/oauth/log-in/?next=%2Fjoin%2F{link[6:-1]}%2F"' in page.content.decode()
    assert page["Content-Security-Policy"].startswith("default-src 'none'") and page["Cache-Control"] == "no-store"
    _, code = invite_to_sign_up(toy.host, uses=1)
    signed = press(stranger, link, username__text="newcomer", password=PASSWORD, invitation__text=code)
    assert signed["Location"] == link and User.objects.filter(username="newcomer").exists()
    assert press(stranger, link)["Location"] == f"/games/{toy.game.pk}/seat/"
    settings.SIGN_UP = "open"
    other, link = browser(), link_to(toy)
    assert press(other, link, username__text="second", password=PASSWORD)["Location"] == link
    settings.SIGN_UP = "closed"
    shown = browser().get(link).content.decode()
    assert 'name="password"' not in shown and "Nobody may sign up here" in shown


def test_what_is_not_taken_comes_back_in_words(settings):
    toy = toy_game()
    link, eve, stranger = link_to(toy), browser(toy.eve), browser()
    row, late = invite_to_sign_up(toy.host, uses=1)
    type(row).objects.filter(pk=row.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    for page, fields, told in (
        (stranger, {"username__text": "x1", "password": PASSWORD, "invitation__text": late}, "used up or expired"),
        (stranger, {"username__text": "x1", "password": PASSWORD, "invitation__text": "wrong"}, "unknown"),
        (stranger, {"username__text": "x1", "password": "short", "invitation__text": late}, "expired"),
        (stranger, {"username__text": "x1", "password": PASSWORD}, "needs an invitation code"),
        (eve, {"name__text": "Ann"}, "Another seat is called Ann"),
        (eve, {"name__text": "two\nlines"}, "name"),
    ):  # fmt: skip
        answer = press(page, link, **fields)
        assert answer.status_code == 422 and told in words(answer), (fields, words(answer))
    for code in ("nothing", "0" * 32, "%00", "<b>", "ü"):
        answer = eve.get(f"/join/{code}/")
        assert answer.status_code == 404, code
        assert "ask who sent it" in words(answer), code
    services.run(toy.game.pk, Join(name="Eve", role="observer"), actor=Actor(Issuer.SEAT, toy.eve.pk))
    removal = RemoveSeat(seat=toy.seat(toy.eve, "observer"), ban=True, reason="shouts")
    services.run(toy.game.pk, removal, actor=toy.gm)
    assert "banned" in words(press(eve, link))
    assert Invitation.objects.count() == 1 and not User.objects.filter(username="x1").exists()


def test_an_invitation_to_a_seat_takes_that_seat():
    toy = toy_game()
    services.run(toy.game.pk, AddSeat(name="The Stool"), actor=toy.gm)
    stool, eve = Seat.objects.get(name="The Stool"), browser(toy.eve)
    link = link_to(toy, seat=stool.pk)
    assert "The Stool" in eve.get(link).content.decode()
    press(eve, link)
    assert Seat.objects.get(pk=stool.pk).user == toy.eve


def test_the_log_of_requests_has_no_code():
    toy = toy_game()
    link, eve = link_to(toy), browser(toy.eve)
    with reading() as lines:
        eve.get(link)
        browser().get(f"/oauth/log-in/?next={link}")
        browser().get(f"/oauth/log-in/?next=%2Fjoin%2F{link[6:-1]}%2F")
        press(eve, link)
    assert "/join/..." in lines.out.getvalue() and link[6:-1] not in lines.out.getvalue()
