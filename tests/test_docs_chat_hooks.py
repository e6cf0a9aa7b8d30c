"""The way of docs/chat-hooks.md: its example makes a chat hook, and its tables are the code's."""

import re
from datetime import timedelta
from pathlib import Path

import orjson
import pytest
from django.urls import reverse

from api.representations.resources.chat_hooks import ChatHookChangeSerializer, ChatHookWishSerializer
from api.webhooks.chat import delivery, hooks, steps
from games.models import ChatFormat, ChatHook
from tests.api.people import asking, post
from tests.games.cairns import table

PAGE = (Path(__file__).parent.parent / "docs" / "chat-hooks.md").read_text()


@pytest.mark.django_db
def test_the_example_makes_a_chat_hook():
    cairns = table()
    found = re.search(r"<!-- example: create -->\n```json\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    text = found[1].replace("<game>", str(cairns.game.pk)).replace("<seat>", str(cairns.seat(cairns.ann)))
    made = post(asking(cairns.ann), "me/chat-hooks/", orjson.loads(text))
    assert made.status_code == 201 and made.json()["address"] == "discord.com/…-key"
    assert ChatHook.objects.get().time_zone == "Europe/Vienna"


def test_the_page_says_the_numbers_of_the_code():
    assert f"A person has {hooks.MAX_CHAT_HOOKS} at most" in PAGE
    assert f"{hooks.MAX_MENTIONS} at most" in PAGE
    assert timedelta(hours=1) == steps.BETWEEN_LINES
    assert delivery.GONE == (404, 410)


def test_the_page_names_every_field_format_and_address():
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == set(ChatHookWishSerializer().fields)
    assert all(f"`{name}`" in PAGE for name in (*ChatHookChangeSerializer().fields, *ChatFormat))
    key = "00000000-0000-4000-8000-00000000dead"
    for name, more in (("chat-hooks", ()), ("chat-hook", (key,)), ("chat-hook-test", (key,))):
        assert reverse(name, args=more).replace(key, "<id>").removeprefix("/api/v1/") in PAGE
