"""Alliances (DW-CMDR-3): whose yes they need, of whom, and what they do not forbid."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from games.dawn.rules.command.arguments import Act, Target
from games.dawn.rules.command.commands import CommandCity, CommandRace
from games.dawn.rules.powers.answer_commands import AnswerConsent
from games.dawn.rules.powers.events import ConsentAnswered, ConsentAsked, PowerResolved, PowerWithdrawn
from games.dawn.rules.races.events import AllianceMade, end_alliances
from games.dawn.rules.state.records import Alliance
from games.dawn.rules.state.schema_types import Life
from games.dawn.rules.turn.commands import LeaveSeat
from games.dawn.rules.war.events import WarDeclared
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.directing import OTHER, at, dry, legal_acts, race, stage, town, with_dwarves
from tests.rules.dawn.stage import DWARVES, ELVES, HAVEN, A, B, C, army, avatar, balances, city, inner_prompt, sound


@pytest.mark.rule("DW-CMDR-3", "DW-AMB-14", "DW-ASK-1")
def test_an_alliance_needs_one_yes_of_a_creator_with_presence():
    book = with_dwarves(stage(b=1), B, C, orders=(B, C))
    events = book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    assert of_kind(events, ConsentAsked, AllianceMade) == [event_like(ConsentAsked, seats=(B, C))]
    assert balances(book, A) == [36]
    prompt = inner_prompt(book)
    with refused("prompt.not_yours", book.state):
        book.when(AnswerConsent(prompt=prompt, yes=True), by=A)
    book.when(AnswerConsent(prompt=prompt, yes=False), by=B)
    events = book.when(AnswerConsent(prompt=prompt, yes=True), by=C)
    assert of_kind(events, ConsentAnswered, AllianceMade, PowerResolved) == [
        event_like(ConsentAnswered, seat=C, yes=True),
        event_like(AllianceMade, parties=(ELVES, DWARVES)),
        event_like(PowerResolved),
    ]
    with refused("prompt.closed", book.state):
        book.when(AnswerConsent(prompt=prompt, yes=True), by=B)
    assert balances(book, A) == [36] and sound(book)


@pytest.mark.rule("DW-CMDR-3")
@pytest.mark.parametrize("silent", [False, True])
def test_all_no_or_silent_returns_the_price(silent: bool):
    book = with_dwarves(stage(), B, C, orders=(B, C))
    book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    prompt = inner_prompt(book)
    events = book.when(AnswerConsent(prompt=prompt, yes=False), by=B)
    if silent:
        events = book.wait(timedelta(seconds=90))
    else:
        events = book.when(AnswerConsent(prompt=prompt, yes=False), by=C)
    assert of_kind(events, AllianceMade, PowerWithdrawn) == [event_like(PowerWithdrawn, refund=4)]
    assert balances(book, A) == [40] and book.state.alliances == {} and sound(book)


@pytest.mark.rule("DW-AMB-14", "DW-CMDR-3")
@pytest.mark.parametrize(
    ("creators", "orders"),
    [((B,), ()), ((B,), (C,)), ((A, B), (A,)), ((A, B), (A, B))],
    ids=["no presence", "present is no creator", "the caster alone speaks", "the caster has agreed"],
)
def test_where_no_other_creator_need_speak_no_consent_is_asked(creators: tuple[UUID, ...], orders: tuple[UUID, ...]):
    book = with_dwarves(stage(), *creators, orders=orders)
    events = book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    assert of_kind(events, ConsentAsked, AllianceMade) == [event_like(AllianceMade, parties=(ELVES, DWARVES))]


@pytest.mark.rule("DW-AMB-14", "DW-AMB-37")
def test_a_speaker_whose_seat_was_left_is_not_asked():
    book = with_dwarves(stage(), B, C, orders=(B, C))
    book.when(LeaveSeat(), by=B)
    events = book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    assert of_kind(events, ConsentAsked) == [event_like(ConsentAsked, seats=(C,))]


@pytest.mark.rule("DW-CMDC-1", "DW-CMDR-3", "DW-AMB-33")
def test_a_city_allies_for_itself():
    book = with_dwarves(stage(), B, orders=(B,))
    city(book)
    book.when(town(Act.ALLIANCE, race=DWARVES), by=A)
    book.when(AnswerConsent(prompt=inner_prompt(book), yes=True), by=B)
    (alliance,) = book.state.alliances.values()
    assert (alliance.one, alliance.other, alliance.ended) == (HAVEN, DWARVES, False)
    (candidate,) = legal_acts(book, CommandRace, Act.ALLIANCE)
    assert candidate.choices("args.race") == (DWARVES,), "the race itself is not allied"
    assert legal_acts(book, CommandCity, Act.ALLIANCE) == []


@pytest.mark.rule("DW-CMDR-3")
def test_an_alliance_is_with_another_living_race_and_made_once():
    book = with_dwarves(stage(), B, orders=())
    for code, args in (
        ("act.invalid", {"race": ELVES}),
        ("act.invalid", {}),
        ("race.missing", {"race": UUID(int=1)}),
    ):
        with refused(code, book.state):
            book.when(race(Act.ALLIANCE, **args), by=A)
    book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    with refused("act.invalid", book.state):
        book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    end_alliances(book.state, DWARVES)
    (ended,) = book.state.alliances.values()
    assert ended == Alliance(ended.id, ELVES, DWARVES, ended=True)
    book.state.races[DWARVES] = replace(book.state.races[DWARVES], life=Life.EXTINCT)
    with refused("race.extinct", book.state):
        book.when(race(Act.ALLIANCE, race=DWARVES), by=A)


@pytest.mark.rule("DW-CMDR-3")
def test_allies_may_make_war():
    book = with_dwarves(stage(), B, orders=())
    dry(book, (2, 2), (3, 1))
    city(book)
    marching = army(book)
    city(book, DWARVES, controller=B, at=(3, 3), id=OTHER)
    book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    events = book.when(race(Act.WAR, target=Target(square=at(3, 3)), armies=(marching,)), by=A)
    assert len(of_kind(events, WarDeclared)) == 1


@pytest.mark.rule("DW-CMDR-3", "DW-AMB-14", "DW-ASK-1")
def test_a_creator_is_asked_whose_presence_is_an_avatar_and_nobody_who_only_commands_there():
    book = with_dwarves(stage(), B, orders=(C,))
    avatar(book, B, (3, 3))
    events = book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    assert of_kind(events, ConsentAsked) == [event_like(ConsentAsked, seats=(B,))]
    events = book.when(AnswerConsent(prompt=inner_prompt(book), yes=False), by=B)
    assert of_kind(events, AllianceMade, PowerWithdrawn) == [event_like(PowerWithdrawn, refund=4)]


@pytest.mark.rule("DW-CMDR-3", "DW-AMB-14", "DW-ASK-1")
def test_the_first_yes_makes_it_though_others_are_still_silent():
    book = with_dwarves(stage(), B, C, orders=(B, C))
    book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    events = book.when(AnswerConsent(prompt=inner_prompt(book), yes=True), by=B)
    assert of_kind(events, AllianceMade, PowerResolved) == [event_like(AllianceMade), event_like(PowerResolved)]
    (alliance,) = book.state.alliances.values()
    assert (alliance.one, alliance.other, alliance.ended) == (ELVES, DWARVES, False) and balances(book, A) == [36]


@pytest.mark.rule("DW-CMDR-3")
def test_an_alliance_that_has_ended_may_be_made_anew():
    book = with_dwarves(stage(), B, orders=())
    book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    (first,) = book.state.alliances
    book.state.alliances[first] = replace(book.state.alliances[first], ended=True)
    book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    assert [alliance.ended for alliance in book.state.alliances.values()] == [True, False] and sound(book)
