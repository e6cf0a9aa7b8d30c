"""Messages at seat and desk: reported and muted by a press, and what holds for them said before one joins."""

import re
from typing import Any

import pytest
from django.test import Client

from api.common.authentication import Principal
from api.streams.access import open_access
from api.streams.presence import note
from games import services
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.messages import SendMessage
from games.models import MutedSeat
from tests.api.worlds import ToyGame, toy_game, user

pytestmark = [pytest.mark.django_db, pytest.mark.once]
WORDS = "Shall we share the northern pile?"


@pytest.fixture
def toy() -> ToyGame:
    """A game in which Ann has written to Bob."""
    made = toy_game()
    message = SendMessage(to=(str(made.seat(made.bob)),), text=WORDS)
    services.run(made.game.pk, message, actor=Actor(Issuer.SEAT, made.ann.pk, made.seat(made.ann)))
    return made


def at(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def seat_page(toy: ToyGame, person: Any) -> str:
    return f"/games/{toy.game.pk}/seats/{toy.seat(person)}/"


def test_a_seat_is_muted_and_read_again_by_a_press(toy):
    bob, place, ann = at(toy.bob), seat_page(toy, toy.bob), str(toy.seat(toy.ann))
    page = bob.get(place).content.decode()
    assert WORDS in page and "Mute Ann" in page
    done = bob.post(f"{place}mute/", {"seat": ann, "muted": "1"})
    assert (done.status_code, done["Location"]) == (302, place)
    page = bob.get(place).content.decode()
    assert WORDS not in page and "Ann has written what you mute." in page and "You mute Ann:" in page
    assert WORDS in at(toy.ann).get(seat_page(toy, toy.ann)).content.decode()
    bob.post(f"{place}mute/", {"seat": ann, "muted": "0"})
    assert WORDS in bob.get(place).content.decode() and not MutedSeat.objects.exists()
    assert bob.post(f"{place}mute/", {"seat": "Ann"}).status_code == 422


def test_nobody_mutes_at_the_page_of_another(toy):
    refused = at(toy.eve).post(f"{seat_page(toy, toy.bob)}mute/", {"seat": str(toy.seat(toy.ann))})
    assert refused.status_code == 404
    assert at(toy.ann).post(f"/games/{toy.game.pk}/desk/mute/", {"seat": str(toy.seat(toy.bob))}).status_code == 403
    assert not MutedSeat.objects.exists()


def test_a_message_is_reported_by_its_form_and_stands_on_the_desk(toy):
    bob, place = at(toy.bob), seat_page(toy, toy.bob)
    page = bob.get(place).content.decode()
    (address,) = re.findall(r'hx-get="([^"]*report-message[^"]*)"', page)
    form = bob.get(address).content.decode()
    assert 'name="message:json"' in form and 'name="reason:text"' in form and "not open any more" not in form
    (key,) = re.findall(r'name="key" value="([^"]+)"', form)
    done = bob.post(address, {"reason:text": "It is rude.", "key": key})
    assert done.status_code in (204, 302), done.content
    desk = at(toy.host).get(f"/games/{toy.game.pk}/desk/").content.decode()
    assert "Reported messages" in desk and f"Bob reports a message of Ann: It is rude. {WORDS}" in desk
    assert "rude" not in at(toy.ann).get(seat_page(toy, toy.ann)).content.decode()


@pytest.fixture
def anonymous() -> ToyGame:
    """A game in which Ann has written to everybody without being named."""
    made = toy_game('{"tide_seconds":3600,"press":"anonymous"}')
    message = SendMessage(to=("everybody",), text=WORDS)
    services.run(made.game.pk, message, actor=Actor(Issuer.SEAT, made.ann.pk, made.seat(made.ann)))
    return made


def test_pages_show_an_anonymous_message_to_be_reported_and_not_muted_and_to_its_writer_as_their_own(anonymous):
    MutedSeat.objects.create(game=anonymous.game, user=anonymous.bob.pk, seat=anonymous.seat(anonymous.ann))
    desk = f"/games/{anonymous.game.pk}/desk/"
    for person, place in ((anonymous.bob, seat_page(anonymous, anonymous.bob)), (anonymous.host, desk)):
        page = at(person).get(place).content.decode()
        assert f"A player to everybody: {WORDS}" in page and "report-message" in page
        assert "Mute Ann" not in page and "Ann has written" not in page and "Ann to everybody" not in page
    page = at(anonymous.ann).get(seat_page(anonymous, anonymous.ann)).content.decode()
    assert page.count(WORDS) == 1 and f"Ann to everybody, anonymously: {WORDS}" in page
    assert "report-message/?values" not in page


def test_the_desk_of_a_game_with_anonymous_messages_does_not_say_who_is_there(anonymous):
    """Who is connected when a message comes could have written it."""
    note(open_access(Principal(anonymous.ann), anonymous.game.pk, seat=None, as_gm=False))
    page = at(anonymous.host).get(f"/games/{anonymous.game.pk}/desk/").content.decode()
    assert "Connected:" not in page


def test_the_form_of_a_message_offers_everybody_as_a_choice_that_is_not_chosen(toy):
    form = at(toy.bob).get(f"{seat_page(toy, toy.bob)}commands/send-message/").content.decode()
    boxes = re.findall(r'<input[^>]*name="to:choices"[^>]*>', form)
    assert any("everybody" in box for box in boxes) and len(boxes) > 1
    assert not any("checked" in box for box in boxes)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("{}", "Players write to each other, in secret too."),
        ('{"press":"none"}', "Players write no messages"),
        ('{"press":"anonymous"}', "nobody is told who wrote"),
    ],
)
def test_who_has_not_joined_reads_what_holds_for_messages_and_so_do_seats_in_the_lobby(options, words):
    toy = toy_game(options, start=False)
    for person, place in ((user("dan"), f"/games/{toy.game.pk}/join/"), (toy.bob, seat_page(toy, toy.bob))):
        page = at(person).get(place).content.decode()
        assert words in page and "game-masters read" in page
