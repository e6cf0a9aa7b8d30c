"""The chat channel of the demo: its hook is made once, and its lines are in the log of the service."""

from html import escape

import pytest
from django.core.cache import caches
from django.test import Client
from structlog.testing import capture_logs

from accounts.models import User
from api.webhooks.chat import wording
from games.models import ChatHook
from games.workers import demo
from tests.chat_hooks.told import Told


@pytest.fixture(autouse=True)
def playing(settings) -> None:
    settings.DEMO = True
    caches["throttles"].clear()


def path_of(hook: ChatHook, settings) -> str:
    return hook.url.removeprefix(settings.BASE_URL)


def test_it_is_told_of_a_game_once_and_logs_what_it_is_told(game: Told, settings):
    User.objects.create_user(username="demo-gm", password="x")
    for _ in range(2):
        demo.tell_chat(game.cairns.fresh())
    hook = ChatHook.objects.get()
    with capture_logs() as lines:
        body = wording.payload(hook, escape("Cairns & Co: waiting for Ann.", quote=False))
        answer = Client(enforce_csrf_checks=True).post(path_of(hook, settings), body, content_type="application/json")
    assert answer.status_code == 200
    assert [line["line"] for line in lines if line["event"] == "demo_chat"] == ["Cairns & Co: waiting for Ann."]


def test_other_keys_other_bodies_and_other_services_log_nothing(game: Told, settings):
    User.objects.create_user(username="demo-gm", password="x")
    demo.tell_chat(game.cairns.fresh())
    address = path_of(ChatHook.objects.get(), settings)
    client, line = Client(), b'{"text": "x"}'
    with capture_logs() as lines:
        assert client.post("/demo/chat/demo-:x/", line, content_type="application/json").status_code == 404
        for body in (b"x", b"[]", b"{}", b'{"text": 1}', b'{"text": "' + b"x" * 20_000 + b'"}'):
            assert client.post(address, body, content_type="application/json").status_code == 400
        assert client.get(address).status_code == 405
        settings.DEMO = False
        assert client.post(address, line, content_type="application/json").status_code == 404
    assert not [each for each in lines if each["event"] == "demo_chat"]
