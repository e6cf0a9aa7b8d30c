"""A message through both APIs and a stream: its readers read it, and nobody else's bytes tell of it."""

import re

import pytest

from games.engine.lifecycle.messages import SendMessage
from tests.api.streams import begin, db, events, run, streaming
from tests.api.test_bounds_of_people import ask
from tests.api.worlds import assert_refused, client, toy_game
from tests.toy.rules.commands import AddStones

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.rule("CF-9")]
SEND = """mutation($g: UUID!, $i: SendMessageInput!) { it: toySendMessage(game: $g, input: $i) {
  __typename ... on Refusal { code } ... on CommandDone { events { type text } } } }"""
LOG = "query($g: UUID!) { game(id: $g) { events { results { type text } } } }"
WORDS = "Shall we share the northern pile?"


def answers_for(viewer, toy, query: str = "") -> list[bytes]:
    """What somebody reads of a game: in REST log, chronicle, state and the game, in GraphQL the log.

    Without the time of the answer, and what is left of deadlines by it.
    """
    own = [viewer.get(toy.path(f"{part}{query}")).content for part in ("events/", "chronicle/", "state/", "")]
    body = {"query": LOG, "variables": {"g": str(toy.game.pk)}}
    answers = [*own, viewer.post("/graphql/", body, "application/json").content]
    return [re.sub(rb'"at":"[^"]*","game":|"due_in":[0-9.]+', b"", answer) for answer in answers]


def test_a_message_is_read_by_its_two_seats_in_both_apis_and_changes_no_byte_of_anybody_else():
    toy = toy_game()
    ann, bob, host, eve = (client(person) for person in (toy.ann, toy.bob, toy.host, toy.eve))
    others = [(eve, ""), (client(), ""), (host, "?as=gm"), (host, f"?seat={toy.seat(toy.host, 'host')}")]
    before = [answers_for(viewer, toy, query) for viewer, query in others]
    body = {"to": [str(toy.seat(toy.bob))], "text": WORDS}
    done = ann.post(toy.path("commands/send-message/"), body, "application/json")
    assert done.status_code == 201, done.content
    (event,) = done.json()["events"]
    assert (event["type"], event["text"]) == ("core.MessageSent", f"Ann to Bob: {WORDS}")
    back = {"to": [str(toy.seat(toy.ann))], "text": "No."}
    answer = ask(bob, SEND, g=str(toy.game.pk), i=back)["it"]
    assert answer["events"] == [{"type": "core.MessageSent", "text": "Bob to Ann: No."}]
    for viewer in (ann, bob):
        rest = viewer.get(toy.path("events/")).json()["results"][-2:]
        assert [each["text"] for each in rest] == [f"Ann to Bob: {WORDS}", "Bob to Ann: No."]
        listed = ask(viewer, LOG, g=str(toy.game.pk))["game"]["events"]["results"][-2:]
        assert [each["text"] for each in listed] == [each["text"] for each in rest]
    assert [answers_for(viewer, toy, query) for viewer, query in others] == before


def test_an_option_refuses_messages_the_same_in_both_apis():
    toy = toy_game('{"tide_seconds":3600,"press":"none"}')
    ann = client(toy.ann)
    assert_refused(ann.post(toy.path("commands/send-message/"), {"text": WORDS}, "application/json"), 409, "press.none")
    refusal = ask(ann, SEND, g=str(toy.game.pk), i={"text": WORDS})["it"]
    assert refusal == {"__typename": "Refusal", "code": "press.none"}


@pytest.mark.usefixtures("an_empty_hub")
async def test_a_stream_brings_a_message_to_its_two_seats_and_to_nobody_else():
    toy, ann, bob, host = await begin()
    here = (await events(toy, ann))["cursor"]
    place = toy.path("stream/")
    seat = await db(toy.seat)(toy.bob)
    async with (
        streaming(place, ann, after=here) as sender,
        streaming(place, bob, after=here) as receiver,
        streaming(place, after=here) as stranger,
        streaming(place, {**host}, after=here, **{"as": "gm"}) as master,
    ):
        await run(toy, toy.ann, SendMessage(to=(seat,), text=WORDS))
        await run(toy, toy.ann, AddStones(stones=1))
        for stream in (sender, receiver):
            assert await stream.types(2) == ["core.MessageSent", "toy.StonesAdded"]
        for stream in (stranger, master):
            assert await stream.types(1) == ["toy.StonesAdded"]
            assert WORDS.encode() not in stream.raw
