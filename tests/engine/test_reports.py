"""Reports of messages: who reads them, that the sender does not, and that each is made once."""

from dataclasses import replace
from uuid import UUID

import pytest

from games.engine.audience import seats
from games.engine.game_state import Role, dump
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import GameEnded
from games.engine.lifecycle.messages import EVERYBODY, MessageSent, SendMessage
from games.engine.lifecycle.reports import MessageReported, ReportMessage
from games.engine.lifecycle.seating import HandedOver, Join
from tests.engine.cairns import ANN, BOB, CYD, GM_ACTOR, HOST, HOST_ACTOR, MASTER, Cairns, table
from tests.playbook import refused

pytestmark = pytest.mark.rule("CF-9")
USERS = {seat: UUID(int=1000 + seat.int) for seat in (ANN, BOB, CYD, HOST, MASTER)}
ADMINISTRATOR = Actor(Issuer.GM, user=UUID(int=901))


def people(**same: UUID) -> Cairns:
    """Ann, Bob, Cyd, host and game-master, each a person of their own. same: who sits there with that other's user."""
    cairns = table(ANN, BOB, CYD)
    users = {**USERS, **{{"host": HOST, "master": MASTER}[name]: USERS[other] for name, other in same.items()}}
    cairns.happens(lambda s, c: iter([HandedOver(seat=seat, user=user) for seat, user in users.items()]))
    return cairns


def sent(cairns: Cairns, by, *to) -> UUID:
    """The id of a message that is written, to everybody where no seat is named."""
    cairns.when(SendMessage(to=to or (EVERYBODY,), text="You cheat"), by)
    return cairns.log[-1].event.message


def report(cairns: Cairns, by, message: UUID) -> MessageReported:
    """What is shown of a message."""
    (event,) = cairns.when(ReportMessage(message=message, reason="It is rude"), by)
    return event


def test_host_and_game_masters_read_what_is_reported_and_the_sender_does_not():
    cairns = people()
    message = sent(cairns, ANN, BOB)
    before = dump(cairns.state)
    event = report(cairns, BOB, message)
    assert cairns.log[-1].audience == seats(BOB, HOST, gm=True)
    assert (event.text, event.sender, event.reporter, event.sent_at) == ("You cheat", ANN, BOB, cairns.now)
    assert cairns.log[-1].text == "Bob reports a message of Ann: It is rude. You cheat"
    assert dump(cairns.state) == before
    assert cairns.log_folds_to_state() and MessageReported.survives_rewind


@pytest.mark.parametrize(
    ("_case", "same", "by", "readers"),
    [
        ("the host wrote it", {}, HOST_ACTOR, seats(BOB, gm=True)),
        ("a game-master wrote it", {}, GM_ACTOR, seats(BOB, HOST)),
        ("an administrator wrote it", {}, ADMINISTRATOR, seats(BOB, HOST, MASTER)),
        ("a player who is host wrote it", {"host": ANN}, ANN, seats(BOB, gm=True)),
        ("a player who is game-master wrote it", {"master": ANN}, ANN, seats(BOB, HOST)),
        ("a host who is game-master wrote it as host", {"master": HOST}, HOST_ACTOR, None),
    ],
)
def test_nobody_reads_a_report_of_their_own_message_by_another_seat(_case, same, by, readers):
    cairns = people(**same)
    message = sent(cairns, by, BOB)
    if readers is None:
        with refused("report.nobody", cairns.state):
            report(cairns, BOB, message)
        return
    report(cairns, BOB, message)
    assert cairns.log[-1].audience == readers


def test_only_what_one_can_read_is_reported_and_nothing_says_that_there_is_more():
    cairns = people()
    message = sent(cairns, ANN, BOB)
    said = []
    for by, wanted in ((CYD, message), (CYD, UUID(int=5)), (GM_ACTOR, message), (HOST_ACTOR, message)):
        with refused("message.missing", cairns.state) as caught:
            report(cairns, by, wanted)
        said.append(caught.value.message)
    assert len(set(said)) == 1
    with refused("report.own", cairns.state):
        report(cairns, ANN, message)


def test_a_message_is_reported_once_by_each_reader():
    cairns = people()
    message = sent(cairns, ANN)
    report(cairns, BOB, message)
    with refused("message.reported", cairns.state):
        report(cairns, BOB, message)
    report(cairns, CYD, message)
    assert cairns.log[-1].audience == seats(CYD, HOST, gm=True)
    report(cairns, HOST_ACTOR, message)


def test_observers_report_what_everybody_reads_and_strangers_nothing():
    cairns = people()
    message = sent(cairns, ANN)
    eve = Actor(Issuer.SEAT, user=UUID(int=900))
    with refused("seat.missing", cairns.state):
        report(cairns, eve, message)
    (taken,) = cairns.when(Join(name="Eve", role=Role.OBSERVER), eve)
    report(cairns, replace(eve, seat=taken.seat), message)
    assert cairns.log[-1].audience == seats(taken.seat, HOST, gm=True)


def test_nobody_reports_for_another_or_after_the_end():
    cairns = people()
    message = sent(cairns, ANN)
    with refused("seat.other", cairns.state):
        report(cairns, replace(GM_ACTOR, on_behalf_of=BOB), message)
    cairns.happens(lambda s, c: iter([GameEnded(reason="dusk")]))
    with refused("phase.closed", cairns.state):
        report(cairns, BOB, message)


def test_the_menu_offers_a_report_and_says_that_it_cannot_say_all():
    cairns = people()
    (entry,) = legal_commands_for(cairns.state, [ReportMessage], Actor(Issuer.SEAT, seat=BOB))
    assert entry.legal and entry.partial and set(entry.arguments) == {"message", "reason"}


def test_a_message_of_a_former_release_has_no_id_and_still_folds():
    old = MessageSent.model_validate_json('{"sender":null,"to":[],"text":"Hail","for_gm":true}')
    assert old.message is None
