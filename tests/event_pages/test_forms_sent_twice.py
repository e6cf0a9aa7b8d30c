"""A form that is sent twice acts once, at the desk and in the admin; one of the desk says what it was decided upon."""

import json
import re
from urllib.parse import quote

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts.models import User
from api.common.authentication import Principal
from api.representations.issuing.issue import issue
from games.engine.errors import Refused
from games.models import Game, LoggedEvent
from tests.api.worlds import ToyGame, client, run, toy_game
from tests.event_pages.desks import Desk, Form
from tests.toy.models import Pile
from tests.toy.rules.commands import AddStones, HideCoins

pytestmark = pytest.mark.django_db


@pytest.fixture
def toy() -> ToyGame:
    """A game of Cairns in which Ann has three stones."""
    made = toy_game()
    run(made, AddStones(stones=3), made.ann)
    return made


@pytest.fixture
def desk(toy: ToyGame) -> Desk:
    """The desk of its game-master."""
    return Desk.of(toy.game)


@pytest.fixture
def admin() -> Client:
    """A browser of an administrator."""
    browser = Client()
    browser.force_login(User.objects.create_superuser("root", password="seven-gates-of-horn"))
    return browser


def batches(toy: ToyGame, kind: str) -> list[tuple[str, int]]:
    """The commands that led to events of a kind, by cause and time, with how many such events each has."""
    found: dict[tuple[str, object], int] = {}
    for event in LoggedEvent.objects.filter(game=toy.game, type=kind):
        found[event.cause, event.at] = found.get((event.cause, event.at), 0) + 1
    return [(cause, count) for (cause, _), count in found.items()]


def form_at(browser: Client, address: str) -> dict[str, list[str]]:
    """What the form at an address sends as it stands."""
    return values_in(browser.get(address))


def values_in(answer: HttpResponse) -> dict[str, list[str]]:
    """What the form in an answer sends as it stands."""
    return Form(answer.content.decode().rpartition("<form")[2]).values


def rewind_form(desk: Desk) -> str:
    """The address of the form that takes the latest command back: the entry before it would be the last."""
    return [address for _, address, label in desk.buttons() if label.startswith("Rewind")][1]


def amend_form(desk: Desk) -> str:
    """The address of the form that corrects Ann's pile."""
    rows = desk.client.get(desk.path + "amend/?table=piles").content.decode()
    (row,) = re.findall(r'<option value="([^"]+)">[^<]*Ann', rows)
    return f"{desk.path}amend/?table=piles&row={row}"


def test_a_rewind_sent_twice_from_the_desk_is_one_rewind(toy, desk):
    address = rewind_form(desk)
    sent = form_at(desk.client, address) | {"reason:text": ["A slip."]}

    answers = [desk.client.post(address, sent) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [204, 204]
    assert answers[0]["HX-Trigger"] == answers[1]["HX-Trigger"]
    assert batches(toy, "Rewound") == [("rewind", 1)]
    assert toy.fresh().rewinds == 1


def test_a_correction_sent_twice_from_the_desk_is_one_correction(toy, desk):
    address = amend_form(desk)
    sent = form_at(desk.client, address) | {"stones:number": ["7"], "reason": ["Miscounted."]}

    answers = [desk.client.post(address, sent) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [204, 204]
    assert answers[0]["HX-Trigger"] == answers[1]["HX-Trigger"]
    assert batches(toy, "Amended") == [("amend", 1)]
    assert Pile.objects.get().stones == 7


def test_another_command_under_the_key_of_a_form_is_refused(toy, desk):
    address = amend_form(desk)
    sent = form_at(desk.client, address) | {"stones:number": ["7"], "reason": ["Miscounted."]}
    assert desk.client.post(address, sent).status_code == 204

    other = desk.client.post(address, sent | {"stones:number": ["8"]})

    assert other.status_code == 422 and b"used for another command" in other.content
    assert Pile.objects.get().stones == 7


def test_what_would_fall_besides_is_looked_at_first(toy, desk):
    address, more = rewind_form(desk), {"reason:text": ["A slip."]}
    sent = form_at(desk.client, address) | more
    run(toy, HideCoins(coins=2), toy.bob)
    before = toy.fresh().seq

    stale = desk.client.post(address, sent)

    assert stale.status_code == 422 and b"The game has moved on since you looked" in stale.content
    assert (toy.fresh().seq, batches(toy, "Rewound")) == (before, [])
    assert desk.client.post(address, values_in(stale) | more).status_code == 204  # of what it shows now
    assert len(batches(toy, "Rewound")) == 1


def test_a_correction_minds_what_happened_to_its_fields_alone(toy, desk):
    """A game goes on while a game-master writes: what has nothing to do with the row sends no form back."""
    address, more = amend_form(desk), {"stones:number": ["7"], "reason": ["Miscounted."]}
    sent = form_at(desk.client, address) | more
    run(toy, AddStones(stones=1), toy.ann)

    stale = desk.client.post(address, sent)

    assert stale.status_code == 422 and b"has changed meanwhile; look again" in stale.content
    assert batches(toy, "Amended") == [] and Pile.objects.get().stones == 4
    sent = values_in(stale) | more
    run(toy, HideCoins(coins=2), toy.bob)
    assert desk.client.post(address, sent).status_code == 204
    assert batches(toy, "Amended") == [("amend", 1)] and Pile.objects.get().stones == 7


def test_other_commands_of_the_desk_do_not_mind_what_has_happened_meanwhile(toy, desk):
    address = desk.address("overrule")
    sent = form_at(desk.client, address) | {"rule:text": ["CF-4"], "reason:text": ["The table agrees."]}
    run(toy, HideCoins(coins=2), toy.bob)

    for _ in range(2):
        assert desk.client.post(address, sent).status_code == 204

    assert batches(toy, "Overruled") == [("overrule", 1)]


def test_what_a_correction_was_shown_with_is_an_object(toy, desk):
    address = amend_form(desk)
    sent = form_at(desk.client, address) | {"stones:number": ["7"], "reason": ["Miscounted."]}
    bad = ("{", "[" * 5000, '{"stones": 1, "stones": 2}', '{"stones": "\\ud800"}')
    for shown, said in (("[]", b"no JSON object"), *((each, b"no JSON") for each in bad), ("{}", b"Nothing differs")):
        answer = desk.client.post(address, sent | {"shown": [shown]})
        assert answer.status_code == 422 and said in answer.content
    assert batches(toy, "Amended") == []


def test_a_text_that_no_body_may_hold_comes_back_on_the_form(toy, desk):
    address = desk.address("pause")
    answer = desk.client.post(address, form_at(desk.client, address) | {"reason:text": ["nul \0 here"]})
    assert answer.status_code == 422 and b"NUL" in answer.content
    assert toy.fresh().paused_at is None


@pytest.mark.parametrize("values", ["[" * 5000, '{"reason": 1, "reason": 2}', '{"reason": "\\u0000"}', "[]", "\ud800"])
def test_an_address_that_no_body_may_hold_is_refused_in_words(toy, desk, values):
    address = f"{desk.path}commands/pause/?values={quote(values, errors='surrogatepass')}"
    for answer in (desk.client.get(address), desk.client.post(address, {"key": "a"})):
        assert answer.status_code in (400, 422) and b"JSON object" in answer.content
    assert toy.fresh().paused_at is None


def test_a_key_that_no_receipt_can_hold_and_an_event_without_end_are_refused_in_words(toy, desk):
    answer = desk.client.post(desk.address("pause"), {"key": "nul \0"})
    assert answer.status_code == 422 and b"lost its key" in answer.content
    assert toy.fresh().paused_at is None
    assert desk.client.get(f"{desk.path}amend/?event={'9' * 30}").status_code in (400, 422)


def test_a_command_sent_twice_from_the_admin_is_one_command(toy, admin):
    address = reverse("admin:games_game_extend", args=[toy.game.pk])
    sent = form_at(admin, address) | {"seconds": ["60"], "timer": ["tide"]}
    assert sent["key"][0]

    for _ in range(2):
        assert admin.post(address, sent).status_code == 302
    assert batches(toy, "Extended") == [("extend", 1)]

    assert admin.post(address, form_at(admin, address) | {"seconds": ["60"], "timer": ["tide"]}).status_code == 302
    assert len(batches(toy, "Extended")) == 2


def test_a_refused_form_of_the_admin_keeps_its_key_and_is_taken_once_it_is_mended(toy, admin):
    address = reverse("admin:games_game_overrule", args=[toy.game.pk])
    sent = form_at(admin, address)
    refused = admin.post(address, sent | {"rule": ["nonsense"], "reason": ["x"]})
    assert refused.status_code == 200 and values_in(refused)["key"] == sent["key"]
    for _ in range(2):
        assert admin.post(address, values_in(refused) | {"rule": ["CF-4"], "reason": ["x"]}).status_code == 302
    assert batches(toy, "Overruled") == [("overrule", 1)]


def test_a_correction_sent_twice_from_the_admin_is_one_correction(toy, admin):
    address = reverse("admin:toy_pile_change", args=[Pile.objects.get().pk])
    form = admin.get(address).context["adminform"].form
    shown = {name: form[name].value() for name in ("seen", "key")}
    assert all(shown.values())

    for _ in range(2):
        sent = shown | {"stones": "7", "rolled": "0", "reason": "Miscounted."}
        assert admin.post(address, sent).status_code == 302

    assert batches(toy, "Amended") == [("amend", 1)]
    assert Pile.objects.get().stones == 7


def test_a_row_deleted_twice_from_the_admin_is_one_correction(toy, admin):
    address = reverse("admin:toy_pile_delete", args=[Pile.objects.get().pk])
    sent = form_at(admin, address) | {"reason": ["Never piled."]}
    for _ in range(2):
        assert admin.post(address, sent).status_code == 302
    assert batches(toy, "Amended") == [("amend", 1)]


def test_an_administrator_without_a_seat_takes_back_what_they_have_read(toy, admin):
    """As a game-master does, with the same list of what would be undone."""
    to = quote(json.dumps({"to": 7}))
    address = f"/games/{toy.game.pk}/desk/commands/rewind/?values={to}"
    shown = admin.get(address)
    assert shown.status_code == 200 and b"would be undone" in shown.content
    for _ in range(2):
        assert admin.post(address, values_in(shown) | {"reason:text": ["A slip."]}).status_code == 302
    assert batches(toy, "Rewound") == [("rewind", 1)]


def test_without_a_seat_only_who_conducts_games_acts_as_a_game_master(toy):
    root = User.objects.create_superuser("root", password="seven-gates-of-horn")
    with pytest.raises(Refused) as refused:
        issue(Principal(root), toy.game.pk, "pause", b"{}", as_gm=True)
    assert refused.value.code == "gm.missing" and toy.fresh().paused_at is None

    answer = issue(Principal(root, conducts=True), toy.game.pk, "pause", b"{}", as_gm=True)

    assert [event["type"] for event in answer.json()["events"]] == ["core.Paused"]
    assert Game.objects.get(pk=toy.game.pk).paused_at is not None


def test_a_host_who_names_that_seat_acts_as_the_host(toy):
    seat = toy.seat(toy.host, "host")
    body = {"seat": str(toy.seat(toy.bob)), "bot": "", "reason": "Bob is ill."}
    answer = client(toy.host).post(toy.path(f"commands/hand-over/?seat={seat}"), body, content_type="application/json")
    assert answer.status_code == 201, answer.content
    assert toy.fresh().seats.get(pk=body["seat"]).user is None
