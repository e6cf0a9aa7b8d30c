"""Looking at a game from outside, in a history that is taken back afterwards: what each viewer is answered."""

import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.test import Client
from rest_framework.settings import api_settings

from accounts.models import Scope, User
from accounts.services import mint_token
from games.storage.state_cache import STATE_CACHE
from tests.api.worlds import restore_afterwards
from tests.security.addresses import Question
from tests.security.grounds import Ground, Viewer

REQUEST = {"X-Request-Id": "the-same-for-all-requests"}
COUNTING = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
Answer = tuple[int, tuple[tuple[str, str], ...], bytes]


def lift_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is refused for asking much: a viewer is asked more within a minute than the budgets allow."""
    for scope in api_settings.DEFAULT_THROTTLE_RATES:
        monkeypatch.setitem(api_settings.DEFAULT_THROTTLE_RATES, scope, "1000000000/min")


def client_of(user: User | None) -> Client:
    if user is None:
        return Client(headers=REQUEST)
    return Client(headers={**REQUEST, "Authorization": f"Bearer {mint_token(user, 'tests', tuple(Scope))[1]}"})


def answer_of(answer: Any) -> Answer:
    """Status, headers but those that count requests, and bytes."""
    headers = sorted((k, v) for k, v in answer.headers.items() if k not in COUNTING)
    return answer.status_code, tuple(headers), answer.content


def answer_to(client: Client, viewer: Viewer, question: Question) -> Answer:
    if question.body:
        answer = answer_of(client.post(question.path, question.body, content_type="application/json"))
        assert b'"code":"query.' not in answer[2], f"{question.body} was not asked: {answer[2]!r}"
        return answer
    path = question.path
    if viewer.as_gm and question.of_game:
        path += ("&" if "?" in path else "?") + "as=gm"
    return answer_of(client.get(path))


def act_and_look(client: Client, viewer: Viewer, ground: Ground) -> dict[str, Answer]:
    """A public act of the other seat or its refusal: forecast and dry run before it, and what is visible after.

    A game-master acts for that seat: what they did as themselves could end a question, and open what was sealed for it.
    """
    name, fields = ground.act
    here = f"/api/v1/games/{ground.game.pk}/"
    query = "as=gm" if viewer.as_gm else ""
    acting = f"as=gm&seat={ground.other.pk}" if viewer.as_gm else ""
    found = {}
    with restore_afterwards():
        for part, mode in (("forecast", ""), ("commands", "dry_run=1"), ("commands", "")):
            path = f"{here}{part}/{name}/?{'&'.join(word for word in (mode, acting) if word)}"
            found[path] = answer_of(client.post(path, json.dumps(fields), content_type="application/json"))
        for part in ("events/?limit=500", "state/?", "dice/?limit=500"):
            found[f"afterwards {part}"] = answer_of(client.get(f"{here}{part}&{query}"))
    return found


def answers(
    client: Client, viewer: Viewer, questions: Iterable[Question], more: Callable[[], dict[str, Answer]] | None = None
) -> dict[Any, Answer]:
    """What a viewer is answered, question by question; the process begins from the rows, the throttle is set back.

    A state that was folded lists what it holds in the order of the log, one that was loaded in that of the rows.
    """
    STATE_CACHE.clear()
    with restore_afterwards():
        found: dict[Any, Answer] = {question: answer_to(client, viewer, question) for question in questions}
        if more is not None:
            found.update(more())
        return found
