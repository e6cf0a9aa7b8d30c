"""Whom a catastrophe hurts, and their objection in any game (DW-MIR-6)."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from games.dawn.rules.conflict.events import ConflictOpened
from games.dawn.rules.powers.answer_commands import RaiseChallenge, RaiseObjection, WaiveObjection
from games.dawn.rules.powers.events import (
    DeclinedWithoutPoints,
    ObjectionRaised,
    ObjectionWaived,
    PowerFailed,
    PowerResolved,
)
from games.dawn.rules.revenge.events import AvatarDestroyed
from games.dawn.rules.standing_answers.commands import SetStandingAnswer
from games.dawn.rules.state.schema_types import AdvanceKind, AdvanceWord, Asked, Cause, WonderKind, Works
from games.dawn.rules.turn.commands import LeaveSeat
from games.dawn.rules.war.battle_events import ArmiesLost
from games.dawn.rules.wonders.events import CityRazed, WonderWorked
from games.engine.kernel import Event
from games.engine.prompts.prompt import PromptOpened
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.field import EAST, HOLD, bid, field, fold, log_folds_to_rest, snapshot, waive_all, wild, work
from tests.rules.dawn.stage import ELVES, A, B, C, D, avatar, balances, city, give, inner_prompt, sound

BESIDE = (4, 2)


def shaped(book: Playbook, by: UUID, *squares: tuple[int, int]) -> None:
    """A god has shaped these squares."""
    for at in squares:
        book.state.squares[at] = replace(book.state.squares[at], shaped_by=by)


def asked(events: list[Event]) -> list[tuple[str, set[str]]]:
    """Which questions were put, and to whom."""
    return [(p.kind, {o.removeprefix("seat:") for o in p.owners}) for p in of_kind(events, PromptOpened)]


def gods(*seats: UUID) -> set[str]:
    return {str(seat) for seat in seats}


@pytest.mark.rule("DW-MIR-6", "DW-AMB-59")
@pytest.mark.parametrize("works", [Works.RAZE_CITY, Works.RAVAGE, Works.KILL_AVATAR])
def test_a_catastrophe_asks_who_controls_what_it_hits_and_who_shaped_the_square_and_works_when_all_let_it_pass(
    works: Works,
):
    book = field(0, 2 if works is Works.RAVAGE else 0, gods=4, a=20, b=5, c=5, d=5)
    hero = avatar(book, D, EAST)
    shaped(book, C, EAST)
    owner = D if works is Works.KILL_AVATAR else B
    targets = {Works.RAZE_CITY: (HOLD,), Works.KILL_AVATAR: (hero,), Works.RAVAGE: ()}[works]
    since = snapshot(book)
    events = work(book, works, *targets)
    assert asked(events) == [(Asked.OBJECT, gods(owner, C))]
    assert of_kind(events, WonderWorked) == []
    question = book.state.prompts[inner_prompt(book)].question
    says = {
        Works.RAZE_CITY: "razes City c2",
        Works.RAVAGE: "ends 2 armies of City c2",
        Works.KILL_AVATAR: "kills Avatar 0",
    }
    assert question == f"God A works a catastrophe that {says[works]}. Do you object?"
    events = waive_all(book)
    done = {Works.RAZE_CITY: CityRazed, Works.RAVAGE: ArmiesLost, Works.KILL_AVATAR: AvatarDestroyed}[works]
    assert of_kind(events, WonderWorked, done, PowerResolved) == [
        event_like(WonderWorked),
        event_like(done),
        event_like(PowerResolved),
    ]
    assert log_folds_to_rest(book, since) and sound(book)


@pytest.mark.rule("DW-MIR-6", "DW-DC-4", "DW-DC-5", "DW-AMB-23")
def test_the_first_who_objects_is_invoker_and_who_wins_ends_the_catastrophe_whose_price_comes_back():
    book = field(gods=4, a=15, b=5, c=5, d=5)
    hero = avatar(book, D, EAST)
    shaped(book, C, EAST)
    work(book, Works.KILL_AVATAR, hero)
    question = inner_prompt(book)
    with refused("prompt.not_yours", book.state):
        book.when(RaiseObjection(prompt=question), by=B)
    events = book.when(RaiseObjection(prompt=question), by=C)
    assert of_kind(events, ObjectionRaised, ConflictOpened) == [
        event_like(ObjectionRaised, seat=C),
        event_like(ConflictOpened, cause=Cause.OBJECTION, invoker=C, challenger=A),
    ]
    with refused("prompt.closed", book.state):
        book.when(RaiseObjection(prompt=question), by=D)
    bid(book, C, 2)
    events = fold(book, A)
    assert of_kind(events, PowerFailed, WonderWorked) == [event_like(PowerFailed, refund=10)]
    assert book.state.avatars[hero].alive and balances(book, A, C, D) == [15, 3, 5] and sound(book)


@pytest.mark.rule("DW-MIR-6")
def test_a_catastrophe_that_wins_its_conflict_works_and_nobody_is_asked_again():
    book = field(0, 1, a=15, b=5, c=5)
    shaped(book, C, EAST)
    work(book, Works.RAVAGE)
    book.when(RaiseObjection(prompt=inner_prompt(book)), by=B)
    bid(book, B, 1)
    bid(book, A, 2)
    events = fold(book, B)
    assert asked(events) == [] and of_kind(events, WonderWorked, ArmiesLost) == [
        event_like(WonderWorked),
        event_like(ArmiesLost),
    ]
    assert balances(book, A, B, C) == [3, 4, 5] and sound(book)


@pytest.mark.rule("DW-MIR-6", "DW-AMB-59")
def test_the_caster_is_not_asked_and_nobody_is_where_nobody_else_is_hurt():
    book = field(2, 0)
    hero = avatar(book, A, (1, 1))
    shaped(book, A, (1, 1), EAST)
    assert asked(work(book, Works.RAVAGE, at=((1, 1),))) == []
    give(book, A, 20)
    shaped(book, C, (2, 1))
    assert asked(work(book, Works.KILL_AVATAR, hero, at=((1, 1), (2, 1)))) == [], "C's square is not that of the avatar"
    give(book, A, 20)
    assert asked(work(book, Works.RAVAGE, at=((2, 1),))) == [], "nothing is hit there"
    give(book, A, 20)
    assert asked(work(book, Works.DEED, text="The sky burns.")) == [], "a deed hurts nobody"


@pytest.mark.rule("DW-MIR-6", "DW-AMB-53")
def test_those_who_are_hurt_on_all_its_squares_are_asked_together_each_of_them_once():
    book = field(gods=4, a=20, b=5, c=5, d=5)
    second = city(book, ELVES, D, at=BESIDE, id=UUID(int=0xC3))
    shaped(book, B, BESIDE)
    shaped(book, A, EAST)
    assert asked(work(book, Works.RAZE_CITY, HOLD, second, at=(EAST, BESIDE))) == [(Asked.OBJECT, gods(B, D))]
    assert asked(waive_all(book)) == []
    assert HOLD not in book.state.cities and second not in book.state.cities


@pytest.mark.rule("DW-MIR-6", "DW-ASK-3")
def test_who_is_hurt_and_has_no_point_is_not_asked_and_who_has_left_is_not():
    book = field(0, 0, a=20, b=0, c=5)
    events = work(book, Works.RAZE_CITY, HOLD)
    assert of_kind(events, DeclinedWithoutPoints, CityRazed) == [
        event_like(DeclinedWithoutPoints, seat=B),
        event_like(CityRazed, city=HOLD),
    ]
    book = field(0, 0, a=20, b=5, c=5)
    book.when(LeaveSeat(), by=B)
    assert asked(work(book, Works.RAZE_CITY, HOLD)) == [] and HOLD not in book.state.cities


@pytest.mark.rule("DW-MIR-6", "DW-ASK-2")
@pytest.mark.parametrize(("word", "stands"), [(AdvanceWord.NEVER, False), (AdvanceWord.ALWAYS, True)])
def test_what_was_said_in_advance_of_objections_holds_for_a_catastrophe(word: AdvanceWord, stands: bool):
    book = field(0, 0, a=20, b=5)
    book.when(SetStandingAnswer(kind=AdvanceKind.OBJECT, answer=word), by=B)
    work(book, Works.RAZE_CITY, HOLD)
    assert bool(book.state.conflicts) is stands is (HOLD in book.state.cities)


@pytest.mark.rule("DW-MIR-6", "DW-AMB-31")
def test_silence_objects_to_nothing():
    book = field(0, 1, a=20, b=5)
    work(book, Works.RAVAGE)
    events = book.wait(timedelta(seconds=90))
    assert of_kind(events, ObjectionWaived, ArmiesLost) == [event_like(ObjectionWaived, seat=B), event_like(ArmiesLost)]


@pytest.mark.rule("DW-MIR-6", "DW-DC-7")
def test_under_the_option_the_others_are_asked_afterwards_and_nobody_twice():
    book = field(0, 1, gods=4, a=20, b=5, c=5, d=5)
    book.state.set_course(open_challenge=True)
    shaped(book, D, EAST)
    assert asked(work(book, Works.RAVAGE)) == [(Asked.OBJECT, gods(B, D))]
    book.when(WaiveObjection(prompt=inner_prompt(book)), by=B)
    events = book.when(WaiveObjection(prompt=inner_prompt(book)), by=D)
    assert asked(events) == [(Asked.CHALLENGE, gods(C))]
    events = book.when(RaiseChallenge(prompt=inner_prompt(book)), by=C)
    assert of_kind(events, ConflictOpened) == [event_like(ConflictOpened, cause=Cause.CHALLENGE, invoker=C)]
    bid(book, C, 1)
    assert of_kind(fold(book, A), PowerFailed, ArmiesLost) == [event_like(PowerFailed, refund=10)]


@pytest.mark.rule("DW-MIR-6", "DW-DC-7")
def test_under_the_option_all_others_are_asked_about_a_wonder_that_hurts_nobody_and_about_the_end_of_a_race():
    book = field(0, 1, a=20, b=5, c=5)
    book.state.set_course(open_challenge=True)
    assert asked(work(book, kind=WonderKind.MIRACLE)) == [(Asked.CHALLENGE, gods(B, C))]
    waive_all(book)
    give(book, A, 20)
    race = wild(book, B)
    assert asked(work(book, Works.EXTINGUISH_RACE, race, at=((3, 3),))) == [(Asked.OBJECT, gods(B))]
    assert asked(waive_all(book)) == [(Asked.CHALLENGE, gods(B, C))]


@pytest.mark.rule("DW-MIR-6", "DW-AVA-5")
def test_who_let_it_pass_may_still_take_revenge_for_the_avatar():
    book = field(a=20, b=5)
    work(book, Works.KILL_AVATAR, avatar(book, B, EAST))
    waive_all(book)
    assert book.state.prompts[inner_prompt(book)].kind == Asked.REVENGE
    assert sound(book)
