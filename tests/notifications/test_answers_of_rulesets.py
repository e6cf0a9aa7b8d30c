"""A question of each ruleset is answered by the link in a mail, as the same answer over REST would be."""

from collections.abc import Iterator
from random import Random
from typing import Any

import orjson
import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts.models import User
from api.notifications.answer_links import AnswerLink, answer_key
from api.notifications.wishes import change_wishes
from api.pages.event.answer import Asked, Way
from api.pages.forms.body import body_of
from games.engine.audience import reader
from games.engine.lifecycle.seating import HandOver
from games.models import LoggedEvent, Prompt, Seat
from games.storage.state_cache import STATE_CACHE
from tests.api.worlds import bearer, user
from tests.event_pages.test_desks_of_rulesets import GROUNDS
from tests.event_pages.test_filled_forms import filled
from tests.notifications.test_mailing import confirm
from tests.security.grounds import Ground, era, forge

pytestmark = pytest.mark.django_db
PLAYED = {name: make for name, make in GROUNDS.items() if name != "toy"} | {"forgeborn": lambda: forge("vote")}
TRIES = 30
"""So often a form is filled by chance, until it is taken."""


@pytest.fixture(params=[*PLAYED, "gods2"])
def ground(request, settings, tmp_path, monkeypatch) -> Ground:
    """A game of each ruleset in which somebody is asked; its clock stands still."""
    settings.EMAIL_HOST, settings.PUBLIC_URL = "mail.example", "https://games.example/"
    made = era(settings, tmp_path) if request.param == "gods2" else PLAYED[request.param]()
    for seat in Seat.objects.filter(game=made.game, role="player", user=None):  # no bot plays who is asked
        made.run(HandOver(seat=seat.pk, user=user(f"of-{seat.name}").pk, reason="A person plays."))
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    return made


def links_of(ground: Ground) -> Iterator[tuple[AnswerLink, str]]:
    """What a mail about each question would hold: the link of each person who is asked."""
    seats = {reader(seat.pk): seat for seat in Seat.objects.filter(game=ground.game, role="player").exclude(user=None)}
    for question in Prompt.objects.filter(game=ground.game):
        for owner in set(orjson.loads(question.owners)) & seats.keys():
            seat = seats[owner]
            person = User.objects.get(pk=seat.user_id)
            if not person.confirmed_email:
                confirm(person)
                change_wishes(person.pk, timezone.now(), {"mail_kinds": ["asked"]})
            person.refresh_from_db()
            since = person.notification_settings.mail_since
            key = answer_key(person, since, ground.game.pk, seat.pk, question.pk)
            yield AnswerLink(person, ground.game.pk, seat.pk, question.pk, "UTC"), f"/answer/{key}/"


def sent_by(asked: Asked, way: Way, chance: Random) -> dict[str, list[str]]:
    """What a way sends where somebody fills in its form."""
    if way.button.at_once:
        return {}
    form = asked.form(way, {})
    assert form.barred is None, form.why
    return {name: texts for field in form.fields for name, texts in filled(field, chance).items()}


def rows_behind(ground: Ground, seq: int) -> list[dict[str, Any]]:
    rows = LoggedEvent.objects.filter(game=ground.game, seq__gt=seq).order_by("seq")
    return list(rows.values("type", "body", "audience", "by", "cause", "rolls", "text"))


def test_each_question_is_shown_and_one_is_answered_as_over_rest(ground: Ground) -> None:
    """The kind: a question whose page is empty, breaks, or sends what REST would not take or would log otherwise."""
    answered, chance = 0, Random(7)
    for link, path in links_of(ground):
        page = Client().get(path)
        assert page.status_code == 200
        asked = Asked.by(link)
        assert asked.ways or asked.question.row["answered"] or not asked.question.row["answerable"]
        for way in asked.ways.values():
            assert Client().get(f"{path}?way={way.name}").status_code == 200
            answered += answers(ground, asked, way, path, chance)
            if answered:
                return
    pytest.fail("no question could be answered")


def answers(ground: Ground, asked: Asked, way: Way, path: str, chance: Random) -> bool:
    """Whether a way answers over REST; then the link does, and the log has the same of both."""
    seq, link = ground.fresh().seq, asked.link
    for _ in range(TRIES):
        fields = sent_by(asked, way, chance)
        body = body_of(fields) | dict(way.button.fixed)
        mark = transaction.savepoint()
        address = f"/api/v1/games/{link.game}/commands/{way.button.command}/?seat={link.seat}"
        text, headers = orjson.dumps(body, default=str), bearer(link.user)
        over_rest = Client().post(address, text, content_type="application/json", headers=headers)
        rows = rows_behind(ground, seq)
        transaction.savepoint_rollback(mark)
        STATE_CACHE.clear()
        stage = {} if way.button.at_once else {"stage": [asked.form(way, {}).stage]}
        by_link = Client().post(f"{path}?way={way.name}", fields | stage)
        if over_rest.status_code != 201:
            assert by_link.status_code == 422 and rows_behind(ground, seq) == [], by_link.content
            continue
        assert by_link.status_code == 200, by_link.content
        assert rows and rows_behind(ground, seq) == rows
        return True
    return False
