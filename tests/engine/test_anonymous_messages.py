"""Anonymous press: nobody is told who wrote, but those who lead the game and read a report of the message.

Each test is about a fault by which a reader could learn it: a field, an audience, an id, the receivers, a refusal.
"""

from dataclasses import replace
from uuid import UUID

import pytest

from games.engine.audience import PUBLIC, SERVER, Audience, readable, seats
from games.engine.errors import Refused
from games.engine.game_state import dump
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.messages import EVERYBODY, MAX_MESSAGES, AnonymousMessageSent, MessageSent, SendMessage
from games.engine.lifecycle.reports import AnonymousMessageReported, MessageReported, ReportMessage
from games.engine.lifecycle.seating import HandedOver
from games.engine.message_options import MessageOptions
from tests.engine.cairns import ANN, BOB, CYD, GM_ACTOR, HOST, HOST_ACTOR, MASTER, Cairns, table
from tests.playbook import event_like, refused
from tests.toy.rules import RULESET

pytestmark = pytest.mark.rule("CF-9")
OPTIONS = '{"press":"anonymous"}'
PEACE = "Peace?"
ADMINISTRATOR = Actor(Issuer.GM, user=UUID(int=901))
USERS = {seat: UUID(int=1000 + seat.int) for seat in (ANN, BOB, CYD, HOST, MASTER)}


def people(options: str = OPTIONS, **same: UUID) -> Cairns:
    """Ann, Bob, Cyd, host and game-master, each a person of their own. same: who sits there with that other's user."""
    cairns = table(ANN, BOB, CYD, options=options)
    found = {"host": HOST, "master": MASTER}
    users = {**USERS, **{found[name]: USERS[other] for name, other in same.items()}}
    cairns.happens(lambda s, c: iter([HandedOver(seat=seat, user=user) for seat, user in users.items()]))
    return cairns


def without(cairns: Cairns, *seats_left: UUID) -> Cairns:
    """The same without these seats."""
    for seat in seats_left:
        del cairns.state.seats[seat]
    return cairns


def written(cairns: Cairns, by: UUID | Actor, *to: UUID | str) -> list[tuple[Audience, object]]:
    """Readers and events of a message, to everybody where no seat is named."""
    before = len(cairns.log)
    cairns.when(SendMessage(to=to or (EVERYBODY,), text=PEACE), by)
    return [(h.audience, h.event) for h in cairns.log[before:]]


def read_by(cairns: Cairns, seat: UUID, *, gm: bool = False) -> list[tuple[object, str, object]]:
    """All that a seat can read of the log."""
    return [(h.event, h.text, h.at) for h in cairns.log if readable(h.audience, (seat,), gm)]


@pytest.mark.parametrize(
    ("to", "audience", "names"),
    [((), PUBLIC, "everybody"), ((BOB,), seats(BOB), "Bob"), ((BOB, CYD), seats(BOB, CYD), "Bob and Cyd")],
)
def test_receivers_read_an_event_without_a_sender_and_the_sender_their_own(to, audience, names):
    cairns = people()
    before = dump(cairns.state)
    (readers, received), (own, sent) = written(cairns, ANN, *to)
    assert (readers, own) == (audience, seats(ANN))
    assert received == event_like(AnonymousMessageSent, to=to, text=PEACE, for_gm=False)
    assert set(AnonymousMessageSent.model_fields) == {"to", "text", "for_gm", "message"}
    assert sent == event_like(MessageSent, sender=ANN, to=to, text=PEACE, anonymous=True, message=received.message)
    assert [h.text for h in cairns.log[-2:]] == [f"A player to {names}: Peace?", f"Ann to {names}, anonymously: Peace?"]
    assert dump(cairns.state) == before and cairns.log_folds_to_state()
    assert AnonymousMessageSent.survives_rewind


@pytest.mark.parametrize("to", [(), (BOB,), (BOB, HOST), (BOB, MASTER), (ANN, BOB, CYD)])
@pytest.mark.parametrize("options", [OPTIONS, '{"press":"anonymous","gm_reads_messages":true}'])
def test_whoever_wrote_everybody_else_reads_the_same(to, options):
    """The id would tell if it were made for the sender's stream, and two messages if it were not made anew."""
    seen = []
    for writer in (ANN, CYD):
        cairns = people(options)
        written(cairns, writer, *to)
        written(cairns, writer, BOB, HOST, MASTER)
        seen.append([read_by(cairns, seat, gm=seat == MASTER) for seat in (BOB, HOST, MASTER)])
    assert seen[0] == seen[1]
    assert any(isinstance(event, AnonymousMessageSent) for event, _, _ in seen[0][0])


def test_what_is_for_those_who_lead_alone_is_signed_and_so_is_what_they_write():
    cairns = people()
    for by, to in ((ANN, (HOST,)), (ANN, (HOST, MASTER)), (HOST_ACTOR, ()), (HOST_ACTOR, (ANN,)), (GM_ACTOR, (BOB,))):
        ((_, event),) = written(cairns, by, *to)
        assert event == event_like(MessageSent, anonymous=False)
    (_, (own, _)) = written(cairns, ANN, BOB, HOST)
    assert own == seats(ANN)


def test_by_the_option_game_masters_read_the_message_and_not_who_wrote_it():
    cairns = people('{"press":"anonymous","gm_reads_messages":true}')
    (readers, _), (own, _) = written(cairns, ANN, BOB)
    assert (readers, own) == (seats(BOB, gm=True), seats(ANN))
    (readers, _), _ = written(people(), ANN, BOB, MASTER)
    assert readers == seats(BOB, MASTER, gm=True)


def test_a_player_may_be_among_the_receivers_so_that_these_do_not_say_who_wrote():
    cairns = people()
    (readers, received), (own, _) = written(cairns, ANN, ANN, BOB)
    assert (readers, own, received.to) == (seats(ANN, BOB), seats(ANN), (ANN, BOB))
    written(cairns, BOB, BOB)
    with refused("message.self", cairns.state):
        written(cairns, HOST_ACTOR, HOST, ANN)
    entries = legal_commands_for(cairns.state, [SendMessage], Actor(Issuer.SEAT, seat=ANN))
    assert set(entries[1].choices("to")) == {ANN, BOB, CYD, HOST, MASTER}


def test_the_rule_of_a_game_binds_players_and_not_what_one_writes_to_oneself():
    def only_ann(state, sender, receiver):
        return None if ANN in (sender.id, receiver.id) else Refused("press.ann", "Write to Ann.")

    cairns = table(ANN, BOB, CYD, ruleset=replace(RULESET, message_rule=only_ann), options=OPTIONS)
    with refused("press.ann", cairns.state):
        written(cairns, BOB, CYD, ANN)
    written(cairns, BOB, ANN, BOB)


def test_anonymous_messages_are_bounded_as_others_by_who_wrote_them():
    cairns = people()
    written(cairns, ANN)
    with refused("message.repeated", cairns.state):
        written(cairns, ANN)
    written(cairns, BOB)
    for number in range(MAX_MESSAGES - 1):
        cairns.when(SendMessage(to=(EVERYBODY,), text=f"{number}"), ANN)
    with refused("message.flood", cairns.state):
        written(cairns, ANN, HOST)
    written(cairns, BOB, HOST)


def test_an_anonymous_message_is_sent_in_no_batch_where_its_time_would_tell_who_wrote():
    cairns = people()
    ctx = cairns.context(Actor(Issuer.SEAT, seat=ANN))
    ctx.is_in_batch = True
    with refused("message.batch", cairns.state):
        list(SendMessage(to=(BOB,), text=PEACE).decide(cairns.state, ctx))
    (signed,) = SendMessage(to=(HOST,), text=PEACE).decide(cairns.state, ctx)
    assert signed == event_like(MessageSent, sender=ANN)


def test_those_who_join_are_told_what_is_anonymous_and_what_is_not():
    options = MessageOptions(press="anonymous")
    assert options.sentences()[0] in options.notice()
    for words in ("nobody is told who wrote", "to host or game-masters alone is signed", "learn who wrote it"):
        assert words in options.notice()
    assert "anonymous" in str(MessageOptions.model_json_schema()["properties"]["press"]["enum"])


def test_a_message_that_was_stored_without_the_field_is_signed():
    old = f'{{"sender":"{ANN}","to":["{BOB}"],"text":"Hail","for_gm":false,"message":null}}'
    assert MessageSent.model_validate_json(old).audience(people().state) == seats(ANN, BOB)


def report(cairns: Cairns, by: UUID | Actor, writer: UUID, *to: UUID) -> dict[str, tuple[Audience, object, str]]:
    """What is written of the report of an anonymous message, by the names of its events."""
    message = written(cairns, writer, *to)[0][1].message
    before = len(cairns.log)
    cairns.when(ReportMessage(message=message, reason="It is rude"), by)
    return {type(h.event).__name__: (h.audience, h.event, h.text) for h in cairns.log[before:]}


def test_those_who_read_a_report_learn_who_wrote_and_who_reports_does_not():
    cairns = people()
    made = report(cairns, BOB, ANN)
    readers, event, text = made["MessageReported"]
    assert readers == seats(HOST, gm=True)
    assert event == event_like(MessageReported, sender=ANN, reporter=BOB, text=PEACE, anonymous=True)
    assert text == "Bob reports an anonymous message of Ann: It is rude. Peace?"
    readers, event, text = made["AnonymousMessageReported"]
    assert readers == seats(BOB)
    assert event == event_like(AnonymousMessageReported, reporter=BOB, text=PEACE, sent_at=cairns.now)
    assert str(ANN) not in event.model_dump_json() and "shown_to" not in AnonymousMessageReported.model_fields
    assert text == "Bob reports an anonymous message: It is rude. Peace?"
    assert cairns.log_folds_to_state() and AnonymousMessageReported.survives_rewind


@pytest.mark.parametrize(
    ("_case", "same", "absent", "readers"),
    [
        ("a host and a game-master, others", {}, (), seats(HOST, gm=True)),
        ("the host, who plays", {"host": ANN}, (), seats(MASTER)),
        ("the game-master, who plays", {"master": ANN}, (), seats(HOST)),
        ("the only one who leads, as host", {"host": ANN}, (MASTER,), SERVER),
        ("the only one who leads, as game-master", {"master": ANN}, (HOST,), SERVER),
        ("the only one who leads, by both seats", {"host": ANN, "master": ANN}, (), SERVER),
    ],
)
def test_who_leads_and_wrote_reads_no_report_and_who_reports_is_answered_the_same(_case, same, absent, readers):
    """A refusal for want of a reader would tell that the only one who leads the game wrote the message."""
    answers = []
    for writer in (ANN, CYD):
        made = report(without(people(**same), *absent), BOB, writer)
        answers.append(made["AnonymousMessageReported"])
        if writer == ANN:
            assert made["MessageReported"][0] == readers
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("_case", "by", "same", "readers"),
    [
        ("the host", HOST_ACTOR, {}, seats(MASTER)),
        ("the game-master", GM_ACTOR, {}, seats(HOST)),
        ("an administrator", ADMINISTRATOR, {}, seats(HOST, MASTER)),
        ("a player who is host", BOB, {"host": BOB}, seats(MASTER)),
        ("a player who is game-master", BOB, {"master": BOB}, seats(HOST)),
    ],
)
def test_who_leads_and_reports_does_not_learn_who_wrote_either(_case, by, same, readers):
    """Else whoever leads a game and plays in it could unmask each message by a report to themselves."""
    made = report(people(**same), by, ANN)
    assert made["MessageReported"][0] == readers
    own = by if isinstance(by, UUID) else by.seat
    assert made["AnonymousMessageReported"][0] == (seats(own) if own else SERVER)


def test_a_report_that_nobody_else_could_read_is_refused_whoever_wrote():
    for writer in (ANN, CYD):
        cairns = without(people(host=BOB), MASTER)
        with refused("report.nobody"):
            report(cairns, BOB, writer)


def test_an_anonymous_message_is_reported_by_its_readers_alone_once_each_and_not_by_its_sender():
    cairns = people()
    message = written(cairns, ANN, BOB)[0][1].message
    for code, by in (("message.missing", CYD), ("message.missing", GM_ACTOR), ("report.own", ANN)):
        with refused(code, cairns.state):
            cairns.when(ReportMessage(message=message, reason="It is rude"), by)
    cairns.when(ReportMessage(message=message, reason="It is rude"), BOB)
    with refused("message.reported", cairns.state):
        cairns.when(ReportMessage(message=message, reason="It is rude"), BOB)


def test_who_named_themselves_among_the_receivers_is_told_that_it_is_their_own():
    cairns = people()
    with refused("report.own"):
        report(cairns, ANN, ANN, ANN, BOB)
    assert report(cairns, BOB, ANN, BOB)["AnonymousMessageReported"][0] == seats(BOB)
