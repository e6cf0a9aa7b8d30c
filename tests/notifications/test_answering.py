"""One question is answered by the link in a mail: by its key alone, through the one writer, and nothing else is."""

import re
from typing import Any
from uuid import UUID, uuid4

import orjson
import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts import services
from accounts.models import User
from accounts.retirement import retire
from api.notifications.addresses import stop_key
from api.notifications.answer_links import answer_key
from api.notifications.wishes import stop_mail, wishes_for
from config.logs import redact
from games.engine.lifecycle.gm_commands import Pause
from games.engine.lifecycle.seating import HandOver
from games.models import Answer, LoggedEvent, Prompt
from games.storage.state_cache import STATE_CACHE
from tests.api.worlds import bearer
from tests.event_pages.desks import Form
from tests.notifications.test_mailing import confirm, post
from tests.notifications.told import Told

LINK = re.compile(r"https://games\.example(/answer/(\w+)/)")
HEADERS = {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow"}


@pytest.fixture(autouse=True)
def sends(settings) -> None:
    settings.EMAIL_HOST, settings.PUBLIC_URL = "mail.example", "https://games.example/"


@pytest.fixture
def asked(game: Told, monkeypatch) -> Told:
    """Ann and Bob are asked to vote within a day, and are told so by mail; the clock is that of the game."""
    monkeypatch.setattr(timezone, "now", game.clock)
    for person in (game.cairns.ann, game.cairns.bob):
        confirm(person)
        game.wish(person, mail_kinds=["asked", "deadline", "turn", "chapter"])
    game.propose()
    return game


def path_in(game: Told, person: User) -> str:
    """The link in the mail that somebody is sent now."""
    (letter,) = [each for each in post(game) if each.to == [f"{person.username}@people.example"]]
    found = LINK.search(letter.body)
    assert found is not None, letter.body
    return found[1]


def path_of(person: User, seat: UUID, question: UUID, game: UUID) -> str:
    """The link that somebody's mail about a question holds."""
    since = wishes_for(person.pk).mail_since
    assert since is not None
    return f"/answer/{answer_key(User.objects.get(pk=person.pk), since, game, seat, question)}/"


def form_in(path: str) -> tuple[str, dict[str, list[str]]]:
    """Where the form of a link goes, and what it sends as it stands."""
    text = Client().get(path).content.decode()
    found = re.search(r'<form method="post" action="([^"]*)"', text)
    assert found is not None, text
    return path + found[1], Form(text).values


def answer(path: str, client: Client | None = None, **fields: str) -> HttpResponse:
    """Open the link, fill the form, and send it as a browser without scripts does."""
    browser = client or Client(enforce_csrf_checks=True)
    shown = browser.get(path)
    assert shown.status_code == 200, shown.content
    text = shown.content.decode()
    action = re.search(r'<form method="post" action="([^"]*)"', text)
    assert action is not None, text
    values = Form(text).values | {name.replace("__", ":"): [value] for name, value in fields.items()}
    return browser.post(path + action[1], values)


def events_of(game: Told) -> list[dict[str, Any]]:
    rows = LoggedEvent.objects.filter(game=game.cairns.game).order_by("seq")
    return list(rows.values("type", "body", "audience", "by", "on_behalf_of", "cause"))


def test_the_link_in_the_mail_answers_the_question_without_signing_in(asked: Told) -> None:
    ann = asked.cairns.ann
    path = path_in(asked, ann)
    browser = Client(enforce_csrf_checks=True)
    shown = browser.get(path)
    assert "More salt?" in shown.content.decode() and not shown.cookies
    sent = answer(path, browser, yes__flag="1")
    assert sent.status_code == 200 and "Answered" in sent.content.decode()
    row = Answer.objects.get(game=asked.cairns.game)
    assert row.owner == f"seat:{asked.cairns.seat(ann)}" and orjson.loads(row.value) is not None
    for each in (shown, sent):
        assert {name: each[name] for name in HEADERS} == HEADERS and not each.cookies
    assert browser.get("/notifications/").status_code == 302  # no session: it asks to sign in
    assert asked.cairns.rows_equal_log()


def test_the_log_has_the_events_that_the_same_answer_over_rest_writes(asked: Told) -> None:
    """The kind: a second path to the writer, or another actor."""
    ann, game = asked.cairns.ann, asked.cairns.game
    path, before = path_in(asked, ann), len(events_of(asked))
    mark = transaction.savepoint()
    sent = Client().post(
        f"/api/v1/games/{game.pk}/commands/cast-vote/", {"prompt": str(asked.motion()), "yes": True},
        content_type="application/json", headers=bearer(ann),
    )  # fmt: skip
    assert sent.status_code == 201
    over_rest = events_of(asked)[before:]
    transaction.savepoint_rollback(mark)
    STATE_CACHE.clear()
    assert answer(path, yes__flag="1").status_code == 200
    assert over_rest and events_of(asked)[before:] == over_rest


@pytest.mark.parametrize("method", ["get", "head", "options", "put", "delete"])
def test_nothing_but_a_post_acts(asked: Told, method: str) -> None:
    """The kind: a program that looks at the links of a mail answers in place of its reader."""
    path, before = path_in(asked, asked.cairns.ann), events_of(asked)
    for address in (
        path,
        *(f"{path}?way={name}" for name in re.findall(r"\?way=(\w+)", Client().get(path).content.decode())),
    ):
        reply = getattr(Client(), method)(address)
        assert reply.status_code == (200 if method in ("get", "head") else 405)
    assert events_of(asked) == before


def test_a_second_answer_and_a_second_press_are_told_that_it_is_answered(asked: Told) -> None:
    path = path_in(asked, asked.cairns.ann)
    action, values = form_in(path)
    values |= {"yes:flag": ["1"]}
    assert Client().post(action, values).status_code == 200
    count = len(events_of(asked))
    again = Client().post(action, values)
    assert again.status_code == 410 and "answered this question already" in again.content.decode()
    seen = Client().get(path)
    assert seen.status_code == 200 and "You have answered" in seen.content.decode() and b"<form" not in seen.content
    asked.vote(asked.cairns.bob)  # the last one: the question ends
    for reply in (Client().get(path), Client().post(action, values)):
        assert reply.status_code == 410 and "not open any more" in reply.content.decode()
        assert "salt" not in reply.content.decode() and {name: reply[name] for name in HEADERS} == HEADERS
    assert len([each for each in events_of(asked)[count:] if each["cause"] == "cast-vote"]) >= 1


def test_a_refusal_is_said_in_words_and_keeps_what_was_typed(asked: Told) -> None:
    path, before = path_in(asked, asked.cairns.ann), events_of(asked)
    refused = answer(path, yes__text="perhaps")
    assert refused.status_code == 422 and 'role="alert"' in refused.content.decode()
    asked.cairns.run(Pause(reason=""), asked.cairns.gm, at=1)
    shown = Client().get(path)
    assert shown.status_code == 200 and "clock stands still" in shown.content.decode()
    assert [each for each in events_of(asked)[len(before) :] if each["cause"] == "cast-vote"] == []


def test_a_deadline_that_has_passed_ends_it(asked: Told) -> None:
    path = path_in(asked, asked.cairns.ann)
    action, values = form_in(path)
    asked.pass_time(days=1, minutes=1)
    late = Client().post(action, values | {"yes:flag": ["1"]})
    assert late.status_code == 410 and "More salt" not in late.content.decode()
    assert not any(each["cause"] == "cast-vote" for each in events_of(asked))


def _ends(asked: Told, end: str) -> None:
    ann = asked.cairns.ann
    match end:
        case "address":
            services.change_profile(User.objects.get(pk=ann.pk), email="else@people.example")
        case "confirmed address":
            services.change_profile(User.objects.get(pk=ann.pk), email="else@people.example")
            User.objects.filter(pk=ann.pk).update(confirmed_email="else@people.example")
        case "no address":
            services.change_profile(User.objects.get(pk=ann.pk), email="")
        case "mail off":
            stop_mail(ann.pk)
        case "mail off and on":
            asked.wish(ann, mail_kinds=[])
            asked.pass_time(minutes=1)
            asked.wish(ann, mail_kinds=["asked"])
        case "inactive":
            User.objects.filter(pk=ann.pk).update(is_active=False)
        case "retired":
            retire(User.objects.get(pk=ann.pk))
        case "seat":
            bea = User.objects.create_user(username="bea", password="x")
            asked.cairns.run(
                HandOver(seat=asked.cairns.seat(ann), user=bea.pk, reason="Ann is away."), asked.cairns.gm, at=1
            )


@pytest.mark.parametrize(
    "end", ["address", "confirmed address", "no address", "mail off", "mail off and on", "inactive", "retired", "seat"]
)
def test_what_a_link_is_for_ends_it(asked: Told, end: str) -> None:
    """The kind: an old mail in a mailbox that is not its reader's any more."""
    path = path_in(asked, asked.cairns.ann)
    action, values = form_in(path)
    _ends(asked, end)
    before = events_of(asked)
    for reply in (Client().get(path), Client().post(action, values | {"yes:flag": ["1"]})):
        assert reply.status_code == 404 and "salt" not in reply.content.decode()
    assert events_of(asked) == before


def test_a_key_that_was_made_up_cut_or_mixed_opens_nothing_and_says_nothing(asked: Told) -> None:
    """The kind: parts of one key with another's signature; a key of another purpose; a shape that is a server error."""
    cairns = asked.cairns
    game, question = cairns.game.pk, asked.motion()
    anns = path_of(cairns.ann, cairns.seat(cairns.ann), question, game)
    bobs = path_of(cairns.bob, cairns.seat(cairns.bob), question, game)
    gms = cairns.seat(cairns.host, "gm")
    start = len("/answer/theoask_")
    mixed = anns[:start] + cairns.seat(cairns.bob).hex + anns[start + 32 :]
    other = anns[:start] + anns[start : start + 32] + uuid4().hex + anns[start + 64 :]
    wrong = [
        mixed, other, anns[:-2] + "/", anns[:-10] + "/", anns.replace("theoask", "theostop"),
        anns.replace(key := anns.split("/")[2], key.upper()),
        f"/answer/{stop_key(cairns.ann.pk)}/", "/answer/x/", "/answer/theoask_/", "/answer/theoask_%00/",
        path_of(cairns.bob, cairns.seat(cairns.ann), question, game),
        path_of(cairns.ann, cairns.seat(cairns.ann), question, uuid4()), path_of(cairns.ann, gms, question, game),
    ]  # fmt: skip
    said = {Client().get(path).content for path in wrong} | {Client().post(path).content for path in wrong}
    assert {Client().get(path).status_code for path in wrong} == {404}
    assert len(said) == 1 and b"salt" not in said.pop()
    gone = path_of(cairns.ann, cairns.seat(cairns.ann), uuid4(), game)  # signed, and of no question
    assert Client().get(gone).status_code == 410
    assert [Client().get(path).status_code for path in (anns, bobs)] == [200, 200]
    for page in ("mail-off", "confirm-email", "new-password"):
        assert Client().post(f"/{page}/{anns.split('/')[2]}/").status_code in (404, 409)


def test_only_what_answers_the_question_is_issued(asked: Told) -> None:
    """The kind: another command, or another question, in the body or the address."""
    path = path_in(asked, asked.cairns.ann)
    action, values = form_in(path)
    before = events_of(asked)
    for address, fields in (
        (f"{path}?way=leave-seat", {}),
        (f"{path}?way=000000000000", {"command": ["add-stones"], "stones:number": ["3"]}),
        (path + "commands/add-stones/", {"stones:number": ["3"]}),
    ):
        assert Client().post(address, fields).status_code in (404, 422)
    assert events_of(asked) == before
    fields = values | {"yes:flag": ["1"], "prompt:json": [f'"{uuid4()}"']}
    assert Client().post(action, fields).status_code == 200  # the question is the key's, whatever the form says
    assert Answer.objects.get(game=asked.cairns.game).prompt_id == asked.motion()


def test_a_session_of_somebody_else_changes_nothing(asked: Told) -> None:
    """The kind: the page shows or does what the signed in person may."""
    path = path_in(asked, asked.cairns.ann)
    gm = Client()
    gm.force_login(asked.cairns.host)
    plain = re.sub(r'name="key" value="\w+"', "", Client().get(path).content.decode())
    assert re.sub(r'name="key" value="\w+"', "", gm.get(path).content.decode()) == plain
    assert answer(path, gm, yes__flag="1").status_code == 200
    assert Answer.objects.get(game=asked.cairns.game).owner == f"seat:{asked.cairns.seat(asked.cairns.ann)}"


def test_what_the_seat_may_not_see_is_not_shown(asked: Told) -> None:
    path = path_in(asked, asked.cairns.ann)
    bob = asked.cairns.seat(asked.cairns.bob)
    Prompt.objects.update(audience=f"seat:{bob}", question="The canary sings?")
    STATE_CACHE.clear()
    reply = Client().get(path)
    assert reply.status_code == 410 and "canary" not in reply.content.decode()


def test_mail_about_what_asks_nothing_and_to_who_leads_has_no_link(asked: Told) -> None:
    asked.vote(asked.cairns.ann)
    asked.vote(asked.cairns.bob)
    letters = post(asked)
    assert letters and not any(LINK.search(each.body) for each in letters)


def test_a_key_is_hidden_in_logs(asked: Told) -> None:
    path = path_in(asked, asked.cairns.ann)
    assert redact(f"GET {path}") == "GET /answer/theoask_[hidden]/"
