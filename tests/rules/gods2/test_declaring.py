"""Gods declare wars (G2-HIST, G2-WAR-1): price, cards, contact, and who sees it."""

from datetime import timedelta
from typing import Any

import pytest

from games.engine.board.grid import squares_in
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.gods2.rules.casting.events import DeedAuthored, PowerAuthored, PowerCast
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.declarations.events import WarDeclared
from games.gods2.rules.history.events import HistoryEntered
from games.gods2.rules.mana.events import ManaSpent
from games.gods2.rules.state.records import WarKind, WarStatus
from games.gods2.rules.state.value_types import PartOf
from games.gods2.rules.window.commands import DrawNumber
from games.gods2.rules.window.events import NumberCalled, NumberDrawn, NumberServed, NumberTaken
from tests.playbook import DAWN, event_like, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, CLEO, minutes, two_peoples

SHOWN: tuple[Any, ...] = (
    NumberTaken,
    NumberDrawn,
    NumberCalled,
    PowerCast,
    PowerAuthored,
    ManaSpent,
    WarDeclared,
    HistoryEntered,
    DeedAuthored,
    NumberServed,
)


@pytest.mark.rule("G2-WAR-1")
@pytest.mark.rule("G2-QUEUE-2")
@pytest.mark.rule("G2-HIST-6")
def test_a_war_god_declares_war_for_six_mana_in_one_command_when_nobody_waits() -> None:
    book, dwarves, elves = two_peoples()

    events = book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA)

    assert [type(e) for e in of_kind(events, *SHOWN)] == list(SHOWN)
    cast, declared = of_kind(events, PowerCast, WarDeclared)
    assert (cast.power, cast.price, [t.race for t in cast.targets]) == ("declare_war", 6, [dwarves, elves])
    assert declared.model_dump()["kind"] == WarKind.GOD and declared.casting == cast.casting
    assert declared.due == DAWN + timedelta(seconds=300)
    assert book.state.purses[ANA].balance == 14
    assert book.state.timers[f"war:{declared.war}"].due == declared.due
    assert not book.state.numbers and not book.state.holders and book.state.era.next_number == 2


@pytest.mark.rule("G2-HREC-1")
def test_no_public_event_reveals_the_author() -> None:
    book, dwarves, elves = two_peoples()
    position = len(book.log)
    book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA)
    public = [h for h in book.log[position:] if h.audience == "public"]
    assert len(public) == 6
    assert not [h for h in public if str(ANA) in h.event.model_dump_json() or "Ashkar" in h.text]
    secret = {type(h.event): h.audience for h in book.log[position:] if h.audience != "public"}
    assert {secret[k] for k in (NumberDrawn, PowerAuthored, ManaSpent, DeedAuthored)} == {f"gm+seat:{ANA}"}


@pytest.mark.rule("G2-HREC-1")
def test_public_ids_do_not_depend_on_the_author() -> None:
    rows = []
    for seat in (ANA, BEN):
        book, dwarves, elves = two_peoples(cards={ANA: {"WA": 2}, BEN: {"WA": 2}})
        position = len(book.log)
        book.when(DeclareWar(attacker=dwarves, defender=elves), by=seat)
        rows.append([h.event for h in book.log[position:] if h.audience == "public"])
    assert rows[0] == rows[1]


@pytest.mark.rule("G2-HIST-7")
def test_a_god_without_war_cards_orders_a_war_for_ten() -> None:
    book, dwarves, elves = two_peoples()
    events = book.when(DeclareWar(attacker=dwarves, defender=elves), by=BEN)
    assert of_kind(events, PowerCast) == [event_like(PowerCast, power="order_war", price=10)]
    assert book.state.purses[BEN].balance == 10
    with refused("power.level", book.state):
        book.when(DeclareWar(power="declare_war", attacker=dwarves, defender=elves), by=BEN)


@pytest.mark.rule("G2-HIST-3")
def test_a_god_who_cannot_pay_declares_nothing() -> None:
    book, dwarves, elves = two_peoples()
    for _ in range(3):
        book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA)
    assert book.state.purses[ANA].balance == 2
    with refused("mana.short", book.state):
        book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA)


@pytest.mark.rule("G2-MOVE-6")
@pytest.mark.rule("G2-HIST-7")
def test_a_war_needs_worship_and_contact() -> None:
    book, dwarves, elves = two_peoples()
    with refused("target.unfit", book.state):
        book.when(DeclareWar(attacker=elves, defender=dwarves), by=ANA)
    with refused("target.invalid", book.state):
        book.when(DeclareWar(attacker=dwarves, defender=dwarves), by=ANA)
    with refused("race.missing", book.state):
        book.when(DeclareWar(attacker=dwarves, defender=ANA), by=ANA)
    with refused("mana.split", book.state):
        book.when(DeclareWar(attacker=dwarves, defender=elves, parts=(PartOf(seat=ANA, amount=5),)), by=ANA)
    for square in squares_in(book.state.board.own(elves)):
        book.state.board.put(square, None, 0)
    with refused("contact.missing", book.state):
        book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA)


@pytest.mark.rule("G2-QUEUE-1")
def test_a_god_who_has_not_been_called_waits() -> None:
    book, dwarves, elves = two_peoples()
    book.when(DrawNumber(), by=CLEO)
    with refused("number.not_called", book.state):
        book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA)
    book.when(DrawNumber(), by=ANA)
    with refused("number.not_called", book.state):
        book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA)
    book.wait(timedelta(seconds=60))

    events = book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA)

    assert of_kind(events, NumberTaken) == []
    assert of_kind(events, NumberServed, NumberCalled) == [
        event_like(NumberServed, number=2),
        event_like(NumberCalled, number=1),
    ]
    assert [k for k in book.state.timers if k.startswith("queue")] == ["queue:1"]


@pytest.mark.rule("G2-HIST-1")
def test_nobody_declares_war_while_the_referees_calculate() -> None:
    book, dwarves, elves = two_peoples()
    book.wait(minutes(26))
    with refused("phase.closed", book.state):
        book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA)


@pytest.mark.rule("G2-WAR-1")
def test_the_war_is_fought_when_it_is_due() -> None:
    book, dwarves, elves = two_peoples()
    war = of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)[0].war
    book.wait(timedelta(seconds=299))
    assert book.state.wars[war].status is WarStatus.DECLARED
    book.wait(timedelta(seconds=1))
    assert book.state.wars[war].status in (WarStatus.FOUGHT, WarStatus.AVERTED)


def test_legal_commands_say_what_a_god_may_do_and_why_not() -> None:
    book, dwarves, elves = two_peoples()
    candidate = next(o for o in legal_commands_for(book.state, (DeclareWar,), Actor(Issuer.SEAT, seat=ANA)))
    assert (candidate.price, candidate.arguments["attacker"].values, candidate.arguments["defender"].values) == (
        6,
        (dwarves,),
        (elves,),
    )
    book.wait(minutes(26))
    barred = legal_commands_for(book.state, (DeclareWar,), Actor(Issuer.SEAT, seat=ANA))[0].barred
    assert barred is not None and barred.code == "phase.closed"
