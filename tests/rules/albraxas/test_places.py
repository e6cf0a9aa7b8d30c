"""LOCATE: where rebels go, what it costs, what silence means, who is a clone there (AX-TRN-2 to 4, AX-CLN-1)."""

from datetime import timedelta

import pytest

from games.albraxas.rules.ending.commands import Concede, LeaveSeat
from games.albraxas.rules.locate.commands import LockLocation, SetLocation, UnlockLocation
from games.albraxas.rules.locate.events import LocationLocked, LocationSet, LocationsRevealed, LocationUnlocked
from games.albraxas.rules.orders.commands import WriteOrders
from games.albraxas.rules.resolve.events import DynamismChanged
from games.albraxas.rules.state.schema_types import Step
from games.albraxas.rules.state.strength import travel_price
from games.engine.audience import PUBLIC, seats
from games.engine.game_state import dump
from games.engine.kernel import Event
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.engine.prompts.prompt import DeadlinePassed
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.albraxas.stage import (
    AX,
    CONVALESCE,
    FOUR_FIVE_FOUR,
    GM,
    R1,
    R2,
    REBELS,
    begin,
    force,
    go,
    log_folds_to_state,
    orders,
    turn,
    values,
)

FIVE = timedelta(minutes=5)


def two(**more: int) -> Playbook:
    """A game of two rebels of (4, 5, 4)."""
    return begin(FOUR_FIVE_FOUR, FOUR_FIVE_FOUR, **more)


def places(events: list[Event]) -> list[tuple[int, int]]:
    """Phase and price of each rebel, in seat order, when all are shown."""
    return [(p.phase, p.price) for e in of_kind(events, LocationsRevealed) for p in e.places]


def set_dynamism(book: Playbook, dynamism: int) -> None:
    """A game-master corrects the Dynamism of R1."""
    given = (FieldChange(field="dynamism", value=str(dynamism)),)
    change = Change(deed=Deed.ALTER, table="characters", row=str(R1), fields=given)
    book.when(Amend(changes=(change,), reason="A slip."), by=GM)


@pytest.mark.rule("AX-TRN-2", "AX-AMB-2")
def test_places_are_open_among_rebels_and_shown_when_all_are_locked() -> None:
    book = two()
    book.when(SetLocation(phase=77), by=R1)
    book.when(LockLocation(), by=R1)
    book.when(SetLocation(phase=3), by=R2)
    secret = [h for h in book.log if isinstance(h.event, LocationSet | LocationLocked)]
    assert {h.audience for h in secret} == {seats(R1, R2, gm=True)}
    assert not book.state.view_for(frozenset({AX})).choices and len(book.state.view_for(frozenset({R2})).choices) == 2
    assert not book.state.view_for(frozenset({AX})).answers
    with refused("location.locked", book.state):
        book.when(SetLocation(phase=5), by=R1)
    with refused("location.locked", book.state):
        book.when(LockLocation(), by=R1)
    assert of_kind(book.when(UnlockLocation(), by=R1), LocationUnlocked)
    assert {h.audience for h in book.log if isinstance(h.event, LocationUnlocked)} == {seats(R1, R2, gm=True)}
    with refused("location.open", book.state):
        book.when(UnlockLocation(), by=R1)
    book.when(SetLocation(phase=5), by=R1)
    book.when(LockLocation(), by=R1)
    events = book.when(LockLocation(), by=R2)
    assert [(p.phase, p.price) for e in of_kind(events, LocationsRevealed) for p in e.places] == [(5, 0), (3, 0)]
    assert book.state.storm.step is Step.ORDER and force(book) == (4, 20)


@pytest.mark.rule("AX-TRN-2")
def test_an_impossible_place_in_locate_is_refused() -> None:
    book = two()
    for phase in (0, 101):
        with refused("phase.range", book.state):
            book.when(SetLocation(phase=phase), by=R1)
    with refused("location.missing", book.state):
        book.when(LockLocation(), by=R1)
    with refused("side.other", book.state):
        book.when(SetLocation(phase=1), by=AX)
    with refused("phase.closed", book.state):
        book.when(WriteOrders(), by=R1)
    go(book, 1, 1)
    with refused("phase.closed", book.state):
        book.when(SetLocation(phase=1), by=R1)


@pytest.mark.rule("AX-TRN-2")
def test_silent_rebels_go_where_they_have_set_or_on_to_the_next_phase() -> None:
    book = two()
    book.when(SetLocation(phase=9), by=R2)
    events = book.wait(FIVE)
    assert [p.phase for e in of_kind(events, LocationsRevealed) for p in e.places] == [1, 9]
    assert of_kind(events, DeadlinePassed) == [event_like(DeadlinePassed, seats=(R1, R2), readers=PUBLIC)]
    assert {h.by for h in book.log if isinstance(h.event, LocationLocked)} == {"deadline"}
    book.wait(FIVE)
    events = book.wait(FIVE)
    assert [p.phase for e in of_kind(events, LocationsRevealed) for p in e.places] == [2, 10]
    assert dump(log_folds_to_state(book, R1, R2, AX)) == dump(book.state)


@pytest.mark.rule("AX-TRN-2", "AX-TRN-4", "AX-AMB-3")
def test_a_silent_rebel_in_the_last_phase_stays_there() -> None:
    book = begin(phases=9)
    turn(book, 9, ())
    book.wait(FIVE)
    assert book.state.characters[R1].phase == 9 and force(book) == (4, 19)


@pytest.mark.rule("AX-TRN-3", "AX-AMB-17", "AX-AMB-21")
def test_only_the_next_phase_is_free_and_a_travel_is_paid_when_the_last_locks() -> None:
    book = two()
    go(book, 50, 50)
    orders(book, (), ())
    book.when(SetLocation(phase=40), by=R1)
    book.when(LockLocation(), by=R1)
    assert force(book) == (4, 20)
    book.when(SetLocation(phase=51), by=R2)
    events = book.when(LockLocation(), by=R2)
    assert of_kind(events, DynamismChanged) == [event_like(DynamismChanged, seat=R1, before=20, after=16)]
    assert force(book, R2) == (4, 20)


@pytest.mark.rule("AX-TRN-3", "AX-AMB-21")
def test_a_travel_that_cannot_be_paid_is_refused() -> None:
    book = begin((1, 2, 10))
    turn(book, 50, ())
    with refused("dynamism.short", book.state):
        book.when(SetLocation(phase=59), by=R1)
    book.when(SetLocation(phase=54), by=R1)
    book.state.set_character(R1, dynamism=0)
    with refused("dynamism.short", book.state):
        book.when(SetLocation(phase=50), by=R1)
    book.when(SetLocation(phase=51), by=R1)


@pytest.mark.rule("AX-CLN-1", "AX-AMB-16", "AX-AMB-11")
def test_the_clone_count_is_the_number_of_earlier_visits_of_this_phase_by_this_character() -> None:
    book = two(check_from=99)
    counts = []
    for places in ((1, 1), (1, 5), (2, 6), (1, 7)):
        go(book, *places)
        counts.append(tuple(book.state.characters[r].clones for r in REBELS[:2]))
        orders(book, (), ())
    assert counts == [(0, 0), (1, 0), (0, 0), (2, 0)]
    assert values(book, 1) == (1, 0)  # nothing of the earlier visits is played again


@pytest.mark.rule("AX-TRN-4", "AX-AMB-23", "AX-ACT-11")
def test_a_forced_stay_is_no_visit_and_keeps_the_clone_count() -> None:
    book = begin(phases=9, check_from=8)
    turn(book, 9, ())
    turn(book, 9, ())
    book.state.set_character(R1, dynamism=0)
    for _ in range(2):
        go(book, 9)
        assert (book.state.characters[R1].clones, book.state.visit_count(R1, 9)) == (1, 2)
        orders(book, ())
    go(book, 9)
    orders(book, CONVALESCE)
    assert force(book) == (4, 20)


@pytest.mark.rule("AX-SET-7")
def test_albraxas_has_nothing_to_decide_between_turns() -> None:
    book = begin()
    for command in (SetLocation(phase=99), LockLocation(), UnlockLocation()):
        with refused("side.other", book.state):
            book.when(command, by=AX)
    assert [p.owners for p in book.state.prompts.values()] == [(f"seat:{R1}",)]


@pytest.mark.rule("AX-TRN-3", "AX-AMB-17", "AX-AMB-21")
@pytest.mark.parametrize(
    ("last", "to", "price"),
    [
        (1, 2, 0), (1, 3, 2), (1, 1, 1), (2, 1, 1), (5, 1, 2), (6, 1, 3), (10, 1, 3), (11, 1, 4), (1, 5, 2),
        (1, 100, 10), (1, 101, 10), (1, 102, 11), (1, 400, 20), (400, 1, 20), (400, 399, 1), (399, 400, 0),
        (400, 400, 1),
    ],
)  # fmt: skip
def test_the_root_of_the_way_is_rounded_up_and_only_the_next_phase_is_free(last: int, to: int, price: int) -> None:
    assert travel_price(last, to) == price


@pytest.mark.rule("AX-TRN-3", "AX-TRN-2")
def test_on_the_first_turn_every_phase_is_free_and_from_the_second_none_but_the_next() -> None:
    book = two()
    assert places(go(book, 100, 1)) == [(100, 0), (1, 0)]
    orders(book, (), ())
    assert places(go(book, 99, 2)) == [(99, 1), (2, 0)]
    assert (force(book)[1], force(book, R2)[1]) == (19, 20)


@pytest.mark.rule("AX-TRN-2")
def test_the_deadline_names_the_unlocked_rebels_and_takes_the_place_that_was_set_last() -> None:
    book = two()
    go(book, 5)
    book.when(SetLocation(phase=7), by=R2)
    book.when(SetLocation(phase=8), by=R2)
    events = book.wait(FIVE)
    assert of_kind(events, DeadlinePassed) == [event_like(DeadlinePassed, seats=(R2,))]
    assert places(events) == [(5, 0), (8, 0)]


@pytest.mark.rule("AX-TRN-2", "AX-TRN-3")
def test_a_rebel_who_unlocked_and_is_silent_goes_to_the_place_set_last_and_pays() -> None:
    book = two()
    go(book, 5, 7)
    orders(book, (), ())
    book.when(SetLocation(phase=9), by=R1)
    book.when(LockLocation(), by=R1)
    book.when(UnlockLocation(), by=R1)
    assert places(book.wait(FIVE)) == [(9, 2), (8, 0)]
    assert force(book)[1] == 18


@pytest.mark.rule("AX-TRN-4", "AX-AMB-3")
def test_without_dynamism_only_the_next_phase_is_left_and_in_the_last_one_the_stay() -> None:
    book = begin(phases=9)
    turn(book, 8, ())
    book.state.set_character(R1, dynamism=0)
    for phase in (1, 7, 8):
        with refused("dynamism.short", book.state):
            book.when(SetLocation(phase=phase), by=R1)
    assert places(go(book, 9)) == [(9, 0)]
    assert not book.state.characters[R1].forced and book.state.visit_count(R1, 9) == 1
    orders(book, ())
    with refused("dynamism.short", book.state):
        book.when(SetLocation(phase=8), by=R1)
    assert places(book.wait(FIVE)) == [(9, 0)]
    assert book.state.characters[R1].forced and book.state.visit_count(R1, 9) == 1


@pytest.mark.rule("AX-TRN-3", "AX-ACT-12")
def test_nobody_pays_a_travel_that_a_correction_has_made_too_dear() -> None:
    book = two()
    go(book, 50, 50)
    orders(book, (), ())
    book.when(SetLocation(phase=34), by=R1)
    set_dynamism(book, 3)
    with refused("dynamism.short", book.state):
        book.when(LockLocation(), by=R1)
    set_dynamism(book, 4)
    book.when(LockLocation(), by=R1)
    set_dynamism(book, 3)
    book.when(SetLocation(phase=51), by=R2)
    assert places(book.when(LockLocation(), by=R2)) == [(51, 0), (51, 0)]
    assert force(book)[1] == 3


@pytest.mark.rule("AX-END-7")
@pytest.mark.parametrize("gone", [LeaveSeat(), Concede()], ids=["left", "conceded"])
def test_a_rebel_whose_seat_is_empty_walks_on_whatever_was_set_or_locked(gone: LeaveSeat | Concede) -> None:
    book = two()
    go(book, 50, 50)
    orders(book, (), ())
    book.when(SetLocation(phase=34), by=R1)
    book.when(LockLocation(), by=R1)
    book.when(gone, by=R1)
    book.when(SetLocation(phase=49), by=R2)
    assert places(book.when(LockLocation(), by=R2)) == [(51, 0), (49, 1)]
    assert force(book)[1] == 20
