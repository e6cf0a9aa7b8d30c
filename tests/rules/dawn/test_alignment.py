"""Purify and corrupt: the scale, its words, the mark, and the objection of a people's creators (DW-ALN-*, DW-PRC-1)."""

from datetime import timedelta
from typing import Literal
from uuid import UUID

import pytest

from games.dawn.rules.conflict.events import ConflictOpened, ConflictResolved
from games.dawn.rules.powers.answer_commands import RaiseObjection, WaiveObjection
from games.dawn.rules.powers.events import ObjectionRaised, ObjectionWaived, PowerDeclared, PowerFailed, PowerResolved
from games.dawn.rules.races.alignment_commands import ShiftAlignment
from games.dawn.rules.races.events import AlignmentShifted
from games.dawn.rules.state.schema_types import Bidder, Life
from games.dawn.rules.turn.commands import EndTurn
from games.engine.prompts.prompt import PromptOpened
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.field import bid, fold
from tests.rules.dawn.stage import (
    A,
    B,
    C,
    D,
    balances,
    city,
    inner_prompt,
    people,
    playing,
    sound,
    turn_of,
)


@pytest.mark.rule("DW-EX-29", "DW-ALN-2", "DW-DC-4", "DW-DC-5", "DW-AMB-23")
def test_a_power_lost_in_a_conflict_returns_its_price_but_not_the_bids():
    book = playing(age=2, a=10, b=10)
    elves = people(book, B)
    events = book.when(ShiftAlignment(target=elves, dir=1), by=A)
    assert of_kind(events, PowerDeclared) == [event_like(PowerDeclared, caster=A, price=3, escrow=3)]
    assert balances(book, A) == [7]
    events = book.when(RaiseObjection(prompt=inner_prompt(book)), by=B)
    assert of_kind(events, ObjectionRaised, ConflictOpened) == [
        event_like(ObjectionRaised, seat=B),
        event_like(ConflictOpened, invoker=B, challenger=A),
    ]
    bid(book, B, 2)
    events = fold(book, A)
    assert of_kind(events, ConflictResolved, PowerFailed) == [
        event_like(ConflictResolved, winner=Bidder.INVOKER),
        event_like(PowerFailed, refund=3),
    ]
    assert balances(book, A, B) == [10, 8] and book.state.races[elves].alignment == 0 and sound(book)


@pytest.mark.rule("DW-EX-30", "DW-DC-4")
def test_a_power_that_wins_its_conflict_takes_effect():
    book = playing(age=2, a=10, b=10)
    elves = people(book, B)
    book.when(ShiftAlignment(target=elves, dir=1), by=A)
    book.when(RaiseObjection(prompt=inner_prompt(book)), by=B)
    bid(book, B, 2)
    bid(book, A, 3)
    events = fold(book, B)
    assert of_kind(events, AlignmentShifted, PowerResolved) == [
        event_like(AlignmentShifted, target=elves, before=0, after=1),
        event_like(PowerResolved),
    ]
    assert balances(book, A, B) == [4, 8] and book.state.powers == {} and sound(book)


@pytest.mark.rule("DW-ALN-2")
def test_the_first_objection_closes_the_question_and_waivers_of_all_let_it_pass():
    book = playing(age=2, a=10, b=10, c=10)
    elves = people(book, B, C)
    book.when(ShiftAlignment(target=elves, dir=1), by=A)
    question = inner_prompt(book)
    book.when(RaiseObjection(prompt=question), by=C)
    with refused("prompt.closed", book.state):
        book.when(RaiseObjection(prompt=question), by=B)
    fold(book, C)
    dwarves = people(book, B, C, race=book.state.gods[A].id)
    book.when(ShiftAlignment(target=dwarves, dir=1), by=A)
    question = inner_prompt(book)
    with refused("prompt.not_yours", book.state):
        book.when(WaiveObjection(prompt=question), by=A)
    with refused("prompt.open", book.state):
        book.when(EndTurn(), by=A)
    assert of_kind(book.when(WaiveObjection(prompt=question), by=B), AlignmentShifted) == []
    events = book.when(WaiveObjection(prompt=question), by=C)
    assert of_kind(events, ObjectionWaived, AlignmentShifted) == [
        event_like(ObjectionWaived, seat=C),
        event_like(AlignmentShifted, after=1),
    ]


@pytest.mark.rule("DW-ALN-2", "DW-AMB-16", "DW-AMB-31")
def test_a_creator_is_not_asked_about_their_own_race_and_silence_waives():
    book = playing(age=2, a=10, b=1)
    haven = city(book, people(book, A), controller=B)
    assert of_kind(book.when(ShiftAlignment(target=haven, dir=-1), by=A), PromptOpened) == []
    elves = people(book, B)
    book.when(ShiftAlignment(target=elves, dir=1), by=A)
    events = book.wait(timedelta(seconds=90))
    assert of_kind(events, ObjectionWaived, AlignmentShifted) == [
        event_like(ObjectionWaived, seat=B),
        event_like(AlignmentShifted, target=elves),
    ]
    values = {type(h.event).__name__: h.by for h in book.log[-len(events) :]}
    assert (values["ObjectionWaived"], values["AlignmentShifted"]) == ("deadline", "")


@pytest.mark.rule("DW-EX-27", "DW-PRC-1", "DW-AMB-30")
def test_a_marked_power_hits_its_target_once_a_turn():
    book = playing(age=2, a=20, b=20)
    elves = people(book, A)
    book.when(ShiftAlignment(target=elves, dir=1), by=A)
    with refused("target.marked", book.state):
        book.when(ShiftAlignment(target=elves, dir=1), by=A)
    book.when(ShiftAlignment(target=elves, dir=-1), by=A)
    book.when(EndTurn(), by=A)
    assert book.state.marks == {}


@pytest.mark.rule("DW-PRC-1", "DW-AMB-23")
def test_the_mark_is_used_up_even_if_the_power_fails():
    book = playing(age=2, a=20, b=20)
    elves = people(book, B)
    book.when(ShiftAlignment(target=elves, dir=1), by=A)
    book.when(RaiseObjection(prompt=inner_prompt(book)), by=B)
    bid(book, B, 1)
    fold(book, A)
    with refused("target.marked", book.state):
        book.when(ShiftAlignment(target=elves, dir=1), by=A)


@pytest.mark.rule("DW-PRC-1", "DW-ALN-1", "DW-EX-27")
def test_the_mark_comes_before_the_end_of_the_scale():
    book = playing(age=2, a=20)
    elves = people(book, A, alignment=1)
    book.when(ShiftAlignment(target=elves, dir=1), by=A)
    with refused("target.marked", book.state):
        book.when(ShiftAlignment(target=elves, dir=1), by=A)
    turn_of(book, B)
    turn_of(book, A)
    with refused("scale.end", book.state):
        book.when(ShiftAlignment(target=elves, dir=1), by=A)


@pytest.mark.rule("DW-EX-28", "DW-ALN-1")
@pytest.mark.parametrize("of", ["race", "city"])
@pytest.mark.parametrize(("direction", "end"), [(1, 2), (-1, -2)])
def test_the_scale_goes_in_steps_of_one_to_its_two_ends(of: str, direction: Literal[1, -1], end: int):
    book = playing(age=3, a=50)
    elves = people(book, A)
    haven = city(book)
    target, other = (elves, haven) if of == "race" else (haven, elves)
    for step in (1, 2):
        events = book.when(ShiftAlignment(target=target, dir=direction), by=A)
        assert of_kind(events, AlignmentShifted) == [
            event_like(AlignmentShifted, target=target, before=direction * (step - 1), after=direction * step)
        ]
        turn_of(book, B)
        turn_of(book, A)
    rows = {**book.state.races, **book.state.cities}
    assert (rows[target].alignment, rows[other].alignment) == (end, 0), "each has a scale of its own"
    before = balances(book, A)
    with refused("scale.end", book.state):
        book.when(ShiftAlignment(target=target, dir=direction), by=A)
    assert balances(book, A) == before and sound(book)


@pytest.mark.rule("DW-EX-50", "DW-ALN-1")
def test_a_cruel_target_is_not_corrupted_again_in_the_next_turn():
    book = playing(age=3, a=20)
    people(book, A)
    haven = city(book, alignment=-1)
    book.when(ShiftAlignment(target=haven, dir=-1), by=A)
    assert (book.state.cities[haven].alignment, balances(book, A)) == (-2, [18])
    turn_of(book, B)
    turn_of(book, A)
    before = balances(book, A)
    with refused("scale.end", book.state):
        book.when(ShiftAlignment(target=haven, dir=-1), by=A)
    assert balances(book, A) == before


@pytest.mark.rule("DW-ALN-3")
@pytest.mark.parametrize(
    ("alignment", "word"), [(2, "angelic"), (1, "kind"), (0, "indifferent"), (-1, "shady"), (-2, "cruel")]
)
def test_each_alignment_has_a_word(alignment: int, word: str):
    book = playing(age=2, a=20)
    direction: Literal[1, -1] = 1 if alignment > -2 else -1
    book.when(ShiftAlignment(target=people(book, A, alignment=alignment - direction), dir=direction), by=A)
    assert [h.text for h in book.log if isinstance(h.event, AlignmentShifted)] == [f"Race e1 are {word} now."]


@pytest.mark.rule("DW-ALN-2", "DW-AMB-16")
def test_for_a_city_the_creators_of_the_race_that_owns_it_are_asked_and_not_its_controller():
    book = playing(4, age=2, a=10, b=5, c=5, d=5)
    people(book, B, C)
    haven = city(book, controller=D)
    events = book.when(ShiftAlignment(target=haven, dir=-1), by=A)
    (opened,) = of_kind(events, PromptOpened)
    assert isinstance(opened, PromptOpened) and opened.owners == (f"seat:{B}", f"seat:{C}")
    with refused("prompt.not_yours", book.state):
        book.when(RaiseObjection(prompt=inner_prompt(book)), by=D)
    book.when(RaiseObjection(prompt=inner_prompt(book)), by=C)
    bid(book, C, 1)
    bid(book, A, 2)
    events = fold(book, C)
    assert of_kind(events, AlignmentShifted) == [event_like(AlignmentShifted, target=haven, after=-1)]
    assert balances(book, A, B, C) == [10 - 2 - 2, 5, 4], "B, the other creator, is not asked again"
    (opened,) = of_kind(book.when(ShiftAlignment(target=people(book, A, B), dir=1), by=A), PromptOpened)
    assert opened.owners == (f"seat:{B}",), "the other creators of a god's own race are asked, too"


@pytest.mark.rule("DW-ALN-2", "DW-MIR-5")
def test_a_missing_or_extinct_target_is_not_shifted():
    book = playing(age=2, a=10)
    elves = people(book, A, life=Life.EXTINCT)
    for target, code in ((elves, "race.extinct"), (UUID(int=404), "target.missing")):
        with refused(code, book.state):
            book.when(ShiftAlignment(target=target, dir=1), by=A)
