"""Anonymous press through both APIs, streams and muting: no receiver, stranger or game-master is told who wrote.

Every byte of other addresses is compared in `tests/security/test_leaks_of_writers.py`.
"""

from typing import Any

import pytest

from games import services
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.messages import SendMessage
from games.engine.lifecycle.seating import Join
from games.models import LoggedEvent
from tests.api.streams import db, run, streaming
from tests.api.test_bounds_of_people import ask
from tests.api.test_several_commands import graph, standing
from tests.api.test_several_commands import send as send_batch
from tests.api.worlds import ToyGame, assert_refused, bearer, client, toy_game, user
from tests.toy.rules.commands import AddStones

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.rule("CF-9")]
OPTIONS = '{"tide_seconds":3600,"press":"anonymous"}'
WORDS = "Shall we share the northern pile?"
SEND = """mutation($g: UUID!, $i: SendMessageInput!) { it: toySendMessage(game: $g, input: $i) { __typename
  ... on Refusal { code } ... on CommandDone { events { type text dataJson
    ... on CoreMessageSent { data { sender anonymous } } } } } }"""
LOG = """query($g: UUID!) { game(id: $g) { events(last: 20) { results { type text muted dataJson
  ... on CoreMessageSent { sent: data { sender anonymous message } }
  ... on CoreAnonymousMessageSent { data { to text forGm message } } } } } }"""


def three_players() -> ToyGame:
    """Cairns with anonymous press for Ann, Bob and Cyd."""
    toy = toy_game(OPTIONS, start=False)
    services.run(toy.game.pk, Join(name="Cyd"), actor=Actor(Issuer.SEAT, user("cyd").pk))
    services.run(toy.game.pk, Start(), actor=toy.gm)
    return toy


def issue(toy: ToyGame, person: Any, command: str, body: dict[str, Any], query: str = "") -> Any:
    return client(person).post(toy.path(f"commands/{command}/{query}"), body, "application/json")


def events(toy: ToyGame, person: Any, query: str = "") -> list[dict[str, Any]]:
    """The log as somebody reads it, of messages and reports alone."""
    found = client(person).get(toy.path(f"events/?limit=500{query}")).json()["results"]
    return [event for event in found if "Message" in event["type"]]


def views(toy: ToyGame) -> list[tuple[Any, str]]:
    """Everybody but Ann: receivers, those who lead, a stranger and nobody."""
    host = f"&seat={toy.seat(toy.host, 'host')}"
    return [(toy.bob, ""), (user("cyd"), ""), (toy.host, "&as=gm"), (toy.host, host), (toy.eve, ""), (None, "")]


def test_a_message_is_read_without_its_sender_in_both_apis_and_by_its_sender_with_it():
    toy = three_players()
    ann, bob = str(toy.seat(toy.ann)), str(toy.seat(toy.bob))
    done = issue(toy, toy.ann, "send-message", {"to": [bob], "text": WORDS})
    assert done.status_code == 201, done.content
    (own,) = done.json()["events"]
    assert (own["type"], own["text"]) == ("core.MessageSent", f"Ann to Bob, anonymously: {WORDS}")
    answer = ask(client(toy.ann), SEND, g=str(toy.game.pk), i={"to": ["everybody"], "text": WORDS})["it"]
    assert [each["type"] for each in answer["events"]] == ["core.AnonymousMessageSent", "core.MessageSent"]
    assert answer["events"][1]["data"] == {"sender": ann, "anonymous": True}
    to_bob, to_all = events(toy, toy.bob)
    assert to_bob["data"] == {"to": [bob], "text": WORDS, "for_gm": False, "message": own["data"]["message"]}
    assert to_all["text"] == f"A player to everybody: {WORDS}"
    listed = ask(client(toy.bob), LOG, g=str(toy.game.pk))["game"]["events"]["results"][-2:]
    assert [each["dataJson"] for each in listed] == [to_bob["data"], to_all["data"]]
    assert listed[0]["data"] == {"to": [bob], "text": WORDS, "forGm": False, "message": to_bob["data"]["message"]}
    for person, query in views(toy):
        assert ann not in str(events(toy, person, query))
        assert client(person).get(toy.path(f"events/?about={ann}&limit=500{query}")).content.count(WORDS.encode()) == 0
    assert [event["data"].get("sender") for event in events(toy, toy.ann)] == [ann, None, ann]


def test_a_message_of_before_the_field_is_read_as_signed_in_both_apis():
    toy = three_players()
    done = issue(toy, toy.ann, "send-message", {"to": [str(toy.seat(toy.host, "host"))], "text": WORDS})
    row = LoggedEvent.objects.get(game=toy.game, type="MessageSent")
    assert '"anonymous":false,' in row.body and done.json()["events"][0]["data"]["anonymous"] is False
    LoggedEvent.objects.filter(pk=row.pk).update(body=row.body.replace('"anonymous":false,', ""))
    assert "anonymous" not in events(toy, toy.ann)[0]["data"]
    (told,) = ask(client(toy.ann), LOG, g=str(toy.game.pk))["game"]["events"]["results"][-1:]
    assert told["sent"]["anonymous"] is False and "anonymous" not in told["dataJson"]


def test_who_mutes_the_seat_that_wrote_reads_the_message_all_the_same():
    """A muted text would tell that it was one of the seats that one mutes."""
    toy = three_players()
    issue(toy, toy.ann, "send-message", {"to": ["everybody"], "text": WORDS})
    before = events(toy, toy.bob)
    muted = client(toy.bob).post(toy.path("muted-seats/"), {"seat": str(toy.seat(toy.ann))}, "application/json")
    assert muted.status_code == 201
    assert events(toy, toy.bob) == before and before[0]["muted"] is False
    (told,) = ask(client(toy.bob), LOG, g=str(toy.game.pk))["game"]["events"]["results"][-1:]
    assert (told["text"], told["muted"]) == (f"A player to everybody: {WORDS}", False)
    assert WORDS in client(toy.bob).get(toy.path("chronicle/")).content.decode()


def test_a_batch_takes_no_anonymous_message_in_both_apis_and_alone_it_is_taken():
    """All events of a batch have one time: beside a public act it would tell who wrote."""
    toy = three_players()
    before, message = standing(toy), ("send-message", {"to": ["everybody"], "text": WORDS})
    wishes = (("add-stones", {"stones": 1}), message)
    assert_refused(send_batch(client(toy.ann), toy, *wishes), 409, "message.batch")
    assert graph(client(toy.ann), toy, *wishes)["code"] == "message.batch"
    assert standing(toy) == before
    signed = ("send-message", {"to": [str(toy.seat(toy.host, "host"))], "text": WORDS})
    assert send_batch(client(toy.ann), toy, wishes[0], signed).status_code == 201
    assert issue(toy, toy.ann, *message).status_code == 201


def test_a_report_names_the_writer_to_those_who_lead_and_not_to_who_reports():
    toy = three_players()
    ann = str(toy.seat(toy.ann))
    sent = issue(toy, toy.ann, "send-message", {"to": ["everybody"], "text": WORDS}).json()["events"][0]
    body = {"message": sent["data"]["message"], "reason": "It is rude."}
    rehearsed = issue(toy, toy.bob, "report-message", body, "?dry_run=1").json()["events"]
    done = issue(toy, toy.bob, "report-message", body)
    assert done.status_code == 201, done.content
    for found in (rehearsed, done.json()["events"], events(toy, toy.bob)[-1:]):
        assert [event["type"] for event in found] == ["core.AnonymousMessageReported"]
        assert ann not in str(found)
        assert found[0]["text"] == f"Bob reports an anonymous message: It is rude. {WORDS}"
    for query in ("&as=gm", f"&seat={toy.seat(toy.host, 'host')}"):
        told = events(toy, toy.host, query)[-1]
        assert (told["type"], told["data"]["sender"]) == ("core.MessageReported", ann)
    assert [event["type"] for event in events(toy, user("cyd"))] == ["core.AnonymousMessageSent"]
    assert [event["type"] for event in events(toy, toy.ann)] == ["core.AnonymousMessageSent", "core.MessageSent"]
    assert_refused(issue(toy, toy.bob, "report-message", body), 409, "message.reported")
    assert_refused(issue(toy, toy.host, "report-message", body, "?as=gm"), 409, "report.nobody")


def test_what_is_anonymous_is_said_before_one_joins_in_both_apis():
    toy = three_players()
    found = client().get(toy.path("")).json()["messages"]
    assert found["press"] == "anonymous" and "nobody is told who wrote" in found["sentences"][0]
    asked = "query($g: UUID!) { game(id: $g) { messages { press sentences } } }"
    told = ask(client(toy.eve), asked, g=str(toy.game.pk))["game"]["messages"]
    assert told == {"press": "anonymous", "sentences": found["sentences"]}


@pytest.mark.usefixtures("an_empty_hub")
async def test_streams_bring_a_message_without_its_sender():
    toy = await db(three_players)()
    place = toy.path("stream/")
    people = {"ann": toy.ann, "bob": toy.bob, "host": toy.host}
    headers = {name: await db(bearer)(person) for name, person in people.items()}
    ann, bob = await db(toy.seat)(toy.ann), await db(toy.seat)(toy.bob)
    here = {"from": "now"}
    async with (
        streaming(place, headers["ann"], **here) as writer,
        streaming(place, headers["bob"], **here) as receiver,
        streaming(place, **here) as stranger,
        streaming(place, headers["host"], **here, **{"as": "gm"}) as master,
    ):
        await run(toy, toy.ann, SendMessage(to=(str(bob),), text="Hail"))
        await run(toy, toy.ann, SendMessage(to=("everybody",), text=WORDS))
        await run(toy, toy.bob, AddStones(stones=1))
        own, sent, stones = "core.MessageSent", "core.AnonymousMessageSent", "toy.StonesAdded"
        expected = [(writer, [own, sent, own]), (receiver, [sent, sent]), (stranger, [sent]), (master, [sent])]
        for stream, types in expected:
            assert await stream.types(len(types) + 1) == [*types, stones]
            assert (str(ann).encode() in stream.raw) == (stream is writer)
