"""Whatever players call themselves, a channel finds no markup, no link and nobody to call in it (pure)."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from api.webhooks.chat import wording
from api.webhooks.chat.news import Awaited, News
from games.models import ChatFormat, ChatHook
from tests.chat_hooks.channels import DISCORD_CALL, MATTERMOST_CALL, SLACK_CALL

UGLY = (
    "@everyone @here @all <!channel> <@77> <@U7|x> `a` *b* _c_ ~d~ [e](https://evil.example/x) <https://f.example> "
    "www.g.example a@h.example # i\n> j"
)
LINK = re.compile(r"https?://|www\.\w|\w@\w|\w\.\w|(?<!\\)\[")


@pytest.mark.parametrize("format", [*ChatFormat])
def test_nothing_of_a_player_is_a_call_or_a_link(format: ChatFormat):
    text = wording.plain(format, UGLY)
    calls = {ChatFormat.DISCORD: DISCORD_CALL, ChatFormat.SLACK: SLACK_CALL, ChatFormat.MATTERMOST: MATTERMOST_CALL}
    assert calls[format].findall(text) == []
    found = LINK.findall(text.replace("\\", "") if format != ChatFormat.DISCORD else text)
    assert [each for each in found if each != "["] == []
    assert "\n" not in text
    if format == ChatFormat.SLACK:
        assert not set("*_~`<>") & set(text)
    else:
        assert re.findall(r"(?<!\\)[*_~`#]", text) == []


@pytest.mark.parametrize("text", ["*" * 5000, "@" * 5000, "a." * 2500])
def test_a_line_fits_however_much_is_in_it_and_however_it_is_escaped(text: str):
    due = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
    waiting = tuple(Awaited(None, text, number % 2 == 0, due + timedelta(days=number)) for number in range(30))
    news = News(text, text, 0, text, text, is_over=False, waiting=waiting)
    hook = ChatHook(format="discord", time_zone="America/Argentina/ComodRivadavia", mentions="{}")
    line = wording.waiting_text(hook, news, due - timedelta(days=1))
    assert line.endswith("; 20 more.")
    for each in (line, wording.beginning_text(hook, news), wording.end_text(hook, news)):
        assert len(each) <= 2000


@pytest.mark.parametrize(
    ("format", "mention", "is_one"),
    [
        ("discord", "<@1234>", True), ("discord", "<@&1234>", True), ("discord", "@everyone", False),
        ("discord", "<@1> @here", False), ("discord", "<@1>\n", False),
        ("slack", "<@U12AB>", True), ("slack", "<!subteam^S12>", True), ("slack", "<!channel>", False),
        ("slack", "<!subteam^S1|x>", False), ("slack", "<@1>", False),
        ("mattermost", "@ann.b", True), ("mattermost", "@all", False), ("mattermost", "@channel", False),
        ("mattermost", "@here", False), ("mattermost", "@a @all", False), ("mattermost", "ann", False),
    ],
)  # fmt: skip
def test_a_mention_calls_a_person_or_a_group_and_never_a_channel(format: str, mention: str, is_one: bool):
    assert bool(wording.MENTIONS[ChatFormat(format)].fullmatch(mention)) is is_one


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "in 1 min"), (89, "in 1 min"), (91, "in 2 min"), (59 * 60 + 29, "in 59 min"), (59 * 60 + 31, "in 1 h"),
        (5 * 3600, "in 5 h"), (47 * 3600, "in 47 h"), (48 * 3600, "in 2 days"), (10 * 86_400, "in 10 days"),
    ],
)  # fmt: skip
def test_a_time_is_said_in_round_numbers(seconds: int, words: str):
    assert wording.time_left(timedelta(seconds=seconds)) == words


@pytest.mark.parametrize(
    ("body", "identity"),
    [(b'{"id": "123"}', "123"), (b'{"id": 123}', ""), (b'{"id": "../x"}', ""), (b"[]", ""), (b"ok", ""), (b"", "")],
)
def test_an_id_is_taken_from_an_answer_where_it_is_one(body: bytes, identity: str):
    assert wording.id_of_message("discord", body) == identity
    assert wording.id_of_message("slack", body) == ""


def test_a_thread_stays_in_the_address_of_a_line():
    hook = ChatHook(format="discord", url="https://discord.example/api/webhooks/1/key?thread_id=5", message="9")
    assert wording.address_of_new(hook) == "https://discord.example/api/webhooks/1/key?thread_id=5&wait=true"
    assert wording.address_of_message(hook) == "https://discord.example/api/webhooks/1/key/messages/9?thread_id=5"
