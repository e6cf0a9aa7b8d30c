"""A message through both APIs and a stream: its readers read it, and nobody else's bytes tell of it."""

import re

import pytest

from games.engine.lifecycle.messages import MAX_MESSAGES, SendMessage
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
    ann, body = client(toy.ann), {"to": ["everybody"], "text": WORDS}
    assert_refused(ann.post(toy.path("commands/send-message/"), body, "application/json"), 409, "press.none")
    refusal = ask(ann, SEND, g=str(toy.game.pk), i=body)["it"]
    assert refusal == {"__typename": "Refusal", "code": "press.none"}


def test_a_body_that_does_not_say_who_reads_it_is_refused_with_what_would_do():
    toy = toy_game()
    ann = client(toy.ann)
    for body in ({"text": WORDS}, {"text": WORDS, "to": []}):
        answer = ann.post(toy.path("commands/send-message/"), body, "application/json")
        assert_refused(answer, 422, "body.invalid")
        (error,) = answer.json()["errors"]
        assert error["pointer"] == "/to" and "`everybody`" in error["detail"]
    whole = client(toy.bob).get(toy.path("events/")).content
    assert WORDS.encode() not in whole


def send(toy, person, to: list[str], text: str = WORDS) -> str:
    """The id of a message that somebody writes."""
    done = client(person).post(toy.path("commands/send-message/"), {"to": to, "text": text}, "application/json")
    assert done.status_code == 201, done.content
    return done.json()["events"][0]["data"]["message"]


def test_a_seat_is_muted_by_one_person_in_both_apis_and_changes_no_byte_of_anybody_else():
    toy = toy_game()
    host, bob_seat = f"?seat={toy.seat(toy.host, 'host')}", str(toy.seat(toy.ann))
    everybody = [(client(), ""), *((client(who), "") for who in (toy.eve, toy.ann)), (client(toy.host), host)]
    bob = client(toy.bob)
    send(toy, toy.ann, ["everybody"])
    whole = bob.get(toy.path("events/")).json()
    before = [answers_for(viewer, toy, query) for viewer, query in everybody]
    muted = bob.post(toy.path("muted-seats/"), {"seat": bob_seat}, "application/json")
    assert (muted.status_code, muted.json()) == (201, {"results": [bob_seat]})
    told = bob.get(toy.path("events/")).json()
    expected = [
        {**each, "text": "", "muted": True, "data": {**each["data"], "text": ""}} for each in whole["results"][-1:]
    ]
    assert told == {**whole, "results": [*whole["results"][:-1], *expected]}
    for part in ("events/", "chronicle/", "events/?last=3", "events/?chapter=0"):
        assert WORDS.encode() not in bob.get(toy.path(part)).content
    listed = ask(
        bob,
        "query($g: UUID!) { mutedSeats(game: $g) game(id: $g) { events { results { text muted } } } }",
        g=str(toy.game.pk),
    )
    assert listed["mutedSeats"] == [bob_seat]
    assert listed["game"]["events"]["results"][-1] == {"text": "", "muted": True}
    assert [answers_for(viewer, toy, query) for viewer, query in everybody] == before
    assert client(toy.ann).get(toy.path("muted-seats/")).json() == {"results": []}
    assert bob.delete(toy.path(f"muted-seats/{bob_seat}/")).json() == {"results": []}
    assert bob.get(toy.path("events/")).json() == whole


def test_one_mutes_others_at_a_game_that_one_may_see_and_nobody_without_signing_in():
    toy = toy_game()
    own, none = str(toy.seat(toy.bob)), "00000000-0000-4000-8000-00000000dead"
    place = toy.path("muted-seats/")
    assert_refused(client(toy.bob).post(place, {"seat": own}, "application/json"), 409, "mute.own")
    assert_refused(client(toy.bob).post(place, {"seat": none}, "application/json"), 404, "seat.missing")
    assert_refused(client().get(place), 401, "token.needed")
    change = (
        "mutation($g: UUID!, $s: UUID!) { it: muteSeat(game: $g, seat: $s) { __typename "
        "... on Refusal { code } ... on MutedSeats { seats } } }"
    )
    assert ask(client(toy.bob), change, g=str(toy.game.pk), s=own)["it"] == {
        "__typename": "Refusal",
        "code": "mute.own",
    }
    seat = str(toy.seat(toy.ann))
    assert ask(client(toy.bob), change, g=str(toy.game.pk), s=seat)["it"] == {
        "__typename": "MutedSeats",
        "seats": [seat],
    }
    back = change.replace("muteSeat", "unmuteSeat")
    assert ask(client(toy.bob), back, g=str(toy.game.pk), s=seat)["it"]["seats"] == []


def test_a_report_is_read_by_those_who_lead_and_changes_no_byte_of_the_sender_or_a_stranger():
    toy = toy_game()
    message = send(toy, toy.ann, [str(toy.seat(toy.bob))])
    host = f"?seat={toy.seat(toy.host, 'host')}"
    others = [(client(who), "") for who in (toy.ann, toy.eve)] + [(client(), "")]
    before = [answers_for(viewer, toy, query) for viewer, query in others]
    body = {"message": message, "reason": "It is rude."}
    done = client(toy.bob).post(toy.path("commands/report-message/"), body, "application/json")
    assert done.status_code == 201, done.content
    for query in (host, "?as=gm"):
        answer = client(toy.host).get(toy.path(f"events/{query}&type=core.MessageReported")).json()
        assert [each["data"]["text"] for each in answer["results"]] == [WORDS]
    assert [answers_for(viewer, toy, query) for viewer, query in others] == before
    again = client(toy.bob).post(toy.path("commands/report-message/"), body, "application/json")
    assert_refused(again, 409, "message.reported")
    assert_refused(
        client(toy.host).post(
            toy.path("commands/report-message/?as=gm"), {**body, "message": str(toy.game.pk)}, "application/json"
        ),
        404,
        "message.missing",
    )
    reports = (
        "query($g: UUID!) { game(id: $g, asGm: true) { "
        'events(last: 5, type: "core.MessageReported") { results { text } } } }'
    )
    (told,) = ask(client(toy.host), reports, g=str(toy.game.pk))["game"]["events"]["results"]
    assert told["text"] == f"Bob reports a message of Ann: It is rude. {WORDS}"


def test_what_was_written_lately_is_read_from_the_log_and_said_when_it_goes_on():
    toy = toy_game()
    for number in range(MAX_MESSAGES):
        send(toy, toy.ann, ["everybody"], f"{number}")
    send(toy, toy.bob, ["everybody"], f'"sender":"{toy.seat(toy.ann)}"')
    answer = client(toy.ann).post(
        toy.path("commands/send-message/"), {"to": ["everybody"], "text": WORDS}, "application/json"
    )
    assert_refused(answer, 409, "message.flood")
    assert answer.json()["facts"]["goes_on"].endswith("Z")
    again = {"to": ["everybody"], "text": f'"sender":"{toy.seat(toy.ann)}"'}
    assert_refused(
        client(toy.bob).post(toy.path("commands/send-message/"), again, "application/json"), 409, "message.repeated"
    )


@pytest.mark.parametrize(
    ("options", "press", "reads"), [("{}", "open", False), ('{"press":"none","gm_reads_messages":true}', "none", True)]
)
def test_what_holds_for_messages_is_said_before_one_joins(options, press, reads):
    toy = toy_game(options)
    found = client().get(toy.path("")).json()["messages"]
    assert (found["press"], found["gm_reads_messages"], len(found["sentences"])) == (press, reads, 2)
    asked = "query($g: UUID!) { game(id: $g) { messages { press gmReadsMessages sentences } } }"
    told = ask(client(toy.eve), asked, g=str(toy.game.pk))["game"]["messages"]
    assert told == {"press": press, "gmReadsMessages": reads, "sentences": found["sentences"]}


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
        await run(toy, toy.ann, SendMessage(to=(str(seat),), text=WORDS))
        await run(toy, toy.ann, AddStones(stones=1))
        for stream in (sender, receiver):
            assert await stream.types(2) == ["core.MessageSent", "toy.StonesAdded"]
        for stream in (stranger, master):
            assert await stream.types(1) == ["toy.StonesAdded"]
            assert WORDS.encode() not in stream.raw
