"""Joint creation of a race (DW-RACE-4): shares, consent, what comes back."""

from datetime import timedelta
from uuid import UUID

import pytest
from pydantic import ValidationError

from games.dawn.rules.command.arguments import Act, Args
from games.dawn.rules.command.commands import CommandRace
from games.dawn.rules.orders.commands import CommandOrder
from games.dawn.rules.orders.events import OrderCreated
from games.dawn.rules.powers.answer_commands import RaiseChallenge
from games.dawn.rules.powers.events import (
    ConsentAnswered,
    ConsentAsked,
    DeclinedWithoutPoints,
    PowerDeclared,
    PowerFailed,
    PowerResolved,
    PowerWithdrawn,
    SharesDrawn,
)
from games.dawn.rules.races.commands import UpgradeRace
from games.dawn.rules.races.events import RaceCreated
from games.dawn.rules.state.schema_types import Share
from games.dawn.rules.trade.commands import GivePoints
from games.dawn.rules.turn.commands import LeaveSeat
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.creating import agree, create, stage
from tests.rules.dawn.shaping import bid
from tests.rules.dawn.stage import A, B, C, balances, inner_prompt, sound, turn_of


@pytest.mark.rule("DW-EX-45", "DW-RACE-4")
def test_shares_are_drawn_when_all_agree_and_all_are_creators():
    book = stage(b=4, c=2)
    events = book.when(create(shares=[(B, 4), (C, 2)]), by=A)
    shares = (Share(seat=B, amount=4), Share(seat=C, amount=2))
    assert of_kind(events, PowerDeclared, ConsentAsked, RaceCreated) == [
        event_like(PowerDeclared, price=6, escrow=0),
        event_like(ConsentAsked, seats=(B, C), shares=shares),
    ]
    agree(book, B)
    assert balances(book, B) == [4]
    events = agree(book, C)
    assert of_kind(events, ConsentAnswered, SharesDrawn, RaceCreated, OrderCreated, PowerResolved) == [
        event_like(ConsentAnswered, seat=C, yes=True),
        event_like(SharesDrawn, shares=shares),
        event_like(RaceCreated, creators=(A, B, C)),
        event_like(OrderCreated, owners=(A, B, C)),
        event_like(PowerResolved),
    ]
    assert balances(book, A, B, C) == [0, 0, 0] and sound(book)


@pytest.mark.rule("DW-EX-45", "DW-RACE-4")
@pytest.mark.parametrize(
    ("_case", "shares"),
    [
        ("5 of 6, by all", [(A, 0), (B, 3), (C, 2)]),
        ("5 of 6, and nothing is left of the caster's", [(B, 3), (C, 2)]),
        ("7 of 6", [(B, 4), (C, 3)]),
        ("7 of 6, the caster's own among them", [(A, 1), (B, 4), (C, 2)]),
        ("one named twice", [(B, 2), (B, 4)]),
        ("the caster named twice", [(A, 0), (A, 0), (B, 6)]),
    ],
)
def test_shares_that_are_not_the_price_are_refused(_case: str, shares: list[tuple[UUID, int]]):
    book = stage(b=9, c=9)
    with refused("shares.mismatch", book.state):
        book.when(create(shares=shares), by=A)


@pytest.mark.rule("DW-EX-45", "DW-RACE-4")
def test_a_co_creator_who_cannot_pay_their_share_is_not_asked_and_nobody_pays():
    book = stage(b=3, c=2)
    events = book.when(create(shares=[(B, 4), (C, 2)]), by=A)
    assert of_kind(events, DeclinedWithoutPoints, ConsentAnswered, PowerWithdrawn) == [
        event_like(DeclinedWithoutPoints, seat=B),
        event_like(PowerWithdrawn, refund=0),
    ]
    assert book.state.inner() is None


@pytest.mark.rule("DW-RACE-4", "DW-ASK-3")
def test_a_co_creator_who_has_spent_their_share_meanwhile_cannot_agree():
    book = stage(b=4, c=2)
    book.when(create(shares=[(B, 4), (C, 2)]), by=A)
    book.when(GivePoints(to=A, amount=1), by=B)
    with refused("points.short", book.state):
        agree(book, B)
    agree(book, C)
    book.wait(timedelta(seconds=90))
    assert balances(book, A, B, C) == [1, 3, 2] and book.state.races == {} and sound(book)


@pytest.mark.rule("DW-RACE-4")
def test_nobody_pays_where_one_share_is_missing():
    book = stage(b=3, c=2)
    book.when(create(shares=[(B, 4), (C, 2)]), by=A)
    assert balances(book, A, B, C) == [0, 3, 2] and book.state.races == {} and sound(book)


@pytest.mark.rule("DW-RACE-4")
def test_the_caster_pays_the_rest_and_gets_it_back_after_one_no():
    book = stage(a=9, b=9, c=9)
    (declared,) = of_kind(book.when(create(shares=[(B, 2), (C, 1)]), by=A), PowerDeclared)
    assert declared == event_like(PowerDeclared, price=6, escrow=3) and balances(book, A) == [6]
    agree(book, B)
    events = agree(book, C, yes=False)
    assert of_kind(events, PowerWithdrawn, RaceCreated) == [event_like(PowerWithdrawn, refund=3)]
    assert balances(book, A, B, C) == [9, 9, 9]
    book.when(create(shares=[(B, 0), (A, 6)]), by=A)
    assert of_kind(agree(book, B), RaceCreated) == [event_like(RaceCreated, creators=(A, B))]
    assert balances(book, A, B) == [3, 9] and sound(book)


@pytest.mark.rule("DW-RACE-4")
def test_a_share_that_is_given_away_meanwhile_counts_as_no():
    book = stage(a=4, b=2, c=1)
    book.when(create(shares=[(B, 2), (C, 0)]), by=A)
    agree(book, B)
    book.when(GivePoints(to=A, amount=1), by=B)
    assert of_kind(agree(book, C), PowerWithdrawn, RaceCreated) == [event_like(PowerWithdrawn, refund=4)]
    assert balances(book, A, B, C) == [5, 1, 1] and sound(book)


@pytest.mark.rule("DW-RACE-4")
def test_co_creators_are_gods_who_are_in_the_game():
    book = stage(a=9, b=9)
    with refused("seat.missing", book.state):
        book.when(create(shares=[(UUID(int=77), 3)]), by=A)
    book.when(LeaveSeat(), by=C)
    with refused("seat.missing", book.state):
        book.when(create(shares=[(C, 3)]), by=A)
    book.when(create(shares=[(B, 3)]), by=A)
    book.when(LeaveSeat(), by=B)
    assert book.state.powers == {} and book.state.races == {} and balances(book, A) == [9], "who leaves says no"


@pytest.mark.rule("DW-RACE-4")
def test_the_casters_own_share_may_be_nothing_and_must_be_there_when_they_name_it():
    book = stage(a=2, b=6)
    with refused("points.short", book.state):
        book.when(create(shares=[(A, 3), (B, 3)]), by=A)
    with refused("shares.mismatch", book.state):
        book.when(create(shares=[(B, 3)]), by=A)
    with pytest.raises(ValidationError):
        create(shares=[(B, -1)])
    book.when(create(shares=[(A, 2), (B, 4)]), by=A)
    assert balances(book, A, B) == [0, 6]
    assert of_kind(agree(book, B), RaceCreated) == [event_like(RaceCreated, creators=(A, B))]
    assert balances(book, A, B) == [0, 2] and sound(book)


@pytest.mark.rule("DW-RACE-4")
def test_each_is_asked_also_for_nothing_and_silence_of_one_is_a_no():
    book = stage(a=9)
    events = book.when(create(shares=[(B, 0), (C, 0)]), by=A)
    assert of_kind(events, ConsentAsked) == [event_like(ConsentAsked, seats=(B, C))]
    with refused("prompt.not_yours", book.state):
        agree(book, A)
    agree(book, C)
    events = book.wait(timedelta(seconds=90))
    assert of_kind(events, ConsentAnswered, PowerWithdrawn, RaceCreated) == [
        event_like(ConsentAnswered, seat=B, yes=False),
        event_like(PowerWithdrawn, refund=6),
    ]
    assert balances(book, A) == [9] and book.state.orders == {} and sound(book)


@pytest.mark.rule("DW-RACE-4", "DW-DC-5", "DW-DC-7")
def test_a_joint_creation_that_fails_gives_each_share_back():
    book = stage(a=3, b=2, c=4)
    book.state.set_course(open_challenge=True)
    book.when(create(shares=[(B, 2), (C, 1)]), by=A)
    agree(book, B)
    agree(book, C)
    assert balances(book, A, B, C) == [0, 0, 3]
    book.when(RaiseChallenge(prompt=inner_prompt(book)), by=C)
    events = bid(book, C, 1)
    assert of_kind(events, PowerFailed, RaceCreated) == [event_like(PowerFailed, refund=6)]
    assert balances(book, A, B, C) == [3, 2, 3] and book.state.races == {} and sound(book)


@pytest.mark.rule("DW-RACE-4", "DW-RACE-2", "DW-PRC-2")
def test_every_creator_raises_the_race_has_presence_in_it_and_commands_its_order_for_nothing_more():
    book = stage(a=6, b=30)
    book.when(create(shares=[(B, 0)]), by=A)
    agree(book, B)
    (race,), (faith,) = book.state.races, book.state.orders
    turn_of(book, B)
    book.when(UpgradeRace(race=race), by=B)
    book.when(CommandRace(race=race, act=Act.DEED, args=Args(text="They sing.")), by=B)
    book.when(CommandOrder(order=faith, task="Sing."), by=B)
    assert balances(book, B) == [30 - 6 - 4 - 3]
