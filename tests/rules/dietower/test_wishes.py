"""Wishes in play: earned, lost, spent on the story (chapter 5 of the rulebook)."""

from datetime import timedelta

import pytest

from games.dietower.rules.checks.commands import BuyDie
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.state.schema_types import Asked, WishKind, WishReason, WishStatus
from games.dietower.rules.table.commands import CloseSession
from games.dietower.rules.wishes.commands import AskWish, AwardWish, DecideWish, WithdrawWish
from games.dietower.rules.wishes.events import StoryWishAsked, StoryWishDecided, WishEarned, WishesSpent, WishLost
from games.engine.audience import readable, seat_and_gm
from games.engine.insight.legal_commands import legal_commands_for
from tests.dice import d
from tests.playbook import of_kind, refused
from tests.rules.dietower.stage import (
    GM,
    S1,
    S2,
    check,
    npc,
    open_roll,
    pc,
    place,
    playing,
    raise_to,
    require_sound,
    roll_check,
)


def ask(book, kind=WishKind.ELEMENT, by=S1):
    """Ask something of the story; the Wish."""
    (asked,) = of_kind(book.when(AskWish(kind=kind, text="A door"), by=by), StoryWishAsked)
    return asked.wish


def purse(book, seat=S1):
    """(the balance that all read, what is free)."""
    actor = pc(book, seat)
    return book.state.sheets[actor].wishes, book.state.free_wishes(actor)


@pytest.mark.rule("DT-WSH-1", "DT-AMB-18", "DT-EX-20")
def test_a_wish_above_the_level_is_lost():
    book = playing()
    raise_to(book, pc(book, S1), 2, wishes=2)
    check(book, S1, (2, 2))
    events = place(book, S1)
    assert of_kind(events, WishLost) and not of_kind(events, WishEarned)
    assert purse(book) == (2, 2)


@pytest.mark.rule("DT-WSH-3", "DT-WSH-5", "DT-EX-21")
def test_a_story_wish_costs_two_three_or_four():
    book = playing()
    raise_to(book, pc(book, S1), 3, wishes=3)
    with refused("wishes.short", book.state):
        ask(book, WishKind.GROUP)
    raise_to(book, pc(book, S1), 4, wishes=4)
    for kind, price in ((WishKind.ELEMENT, 2), (WishKind.SOMEONE, 3), (WishKind.GROUP, 4)):
        wish = ask(book, kind)
        assert book.state.wishes[wish].price == price
        book.when(WithdrawWish(wish=wish), by=S1)


@pytest.mark.rule("DT-WSH-1", "DT-WSH-4", "DT-WSH-6", "DT-AMB-33", "DT-EX-47")
def test_held_wishes_count_for_the_cap_and_a_refusal_frees_them():
    book = playing()
    raise_to(book, pc(book, S1), 2, wishes=2)
    wish = ask(book)
    assert purse(book) == (2, 0)
    check(book, S1, (2, 2))
    assert of_kind(place(book, S1), WishLost) and purse(book) == (2, 0)
    events = book.when(DecideWish(wish=wish, accept=False, text="No door."), by=GM)
    assert not of_kind(events, WishesSpent) and purse(book) == (2, 2)
    require_sound(book)


@pytest.mark.rule("DT-WSH-4", "DT-AMB-10", "DT-EX-48")
def test_a_granted_wish_is_paid():
    book = playing()
    raise_to(book, pc(book, S1), 2, wishes=2)
    wish = ask(book)
    events = book.when(DecideWish(wish=wish, accept=True, text="A small one."), by=GM)
    assert [(e.count, e.wishes, e.kind) for e in of_kind(events, WishesSpent)] == [(2, 0, "element")]
    check(book, S1, (2, 2))
    place(book, S1)
    assert purse(book) == (1, 1)
    with refused("wish.closed", book.state):
        book.when(DecideWish(wish=wish, accept=False), by=GM)
    require_sound(book)


@pytest.mark.rule("DT-WSH-4", "DT-AMB-31", "DT-AMB-39")
def test_one_wish_waits_for_each_character_and_silence_refuses_it():
    book = playing()
    raise_to(book, pc(book, S1), 4, wishes=4)
    wish = ask(book)
    with refused("wish.pending", book.state):
        ask(book)
    assert book.state.prompts[book.state.question(Asked.WISH_STORY)].audience == seat_and_gm(S1)
    (decided,) = of_kind(book.wait(timedelta(minutes=10)), StoryWishDecided)
    assert (decided.wish, decided.accept) == (wish, False)


@pytest.mark.rule("DT-AMB-39", "DT-WSH-4", "DT-WSH-6")
def test_a_wish_is_a_secret_until_it_is_decided_and_for_ever_when_it_is_withdrawn():
    book = playing()
    raise_to(book, pc(book, S1), 2, wishes=2)
    wish = ask(book)
    others = frozenset({S2})
    assert not book.state.view_for(others).wishes and not book.state.view_for(others).prompts
    with refused("wish.closed", book.state):
        book.when(WithdrawWish(wish=wish), by=S2)
    book.when(WithdrawWish(wish=wish), by=S1)
    assert book.state.wishes[wish].status is WishStatus.WITHDRAWN
    assert not book.state.view_for(others).wishes
    of_wish = [record for record in book.log if type(record.event).__name__.startswith("StoryWish")]
    assert of_wish and not any(readable(record.audience, others, False) for record in of_wish)
    again = ask(book)
    book.when(DecideWish(wish=again, accept=True), by=GM)
    assert again in book.state.view_for(others).wishes


@pytest.mark.rule("DT-WSH-6", "DT-EX-96")
def test_what_is_held_buys_no_dice():
    book = playing()
    raise_to(book, pc(book, S1), 4, wishes=3)
    ask(book)
    roll_check(book, pc(book, S1), (3, 4), cd=Cd.TOUGH)
    roll = open_roll(book, S1).id
    with refused("wishes.short", book.state):
        book.when(BuyDie(roll=roll, count=2), by=S1)
    book.when(BuyDie(roll=roll, count=1), by=S1, dice=[d(6, "wish", 4)])
    assert purse(book) == (2, 0)


@pytest.mark.rule("DT-WSH-5", "DT-AMB-11", "DT-EX-77")
def test_nobody_buys_for_another():
    book = playing()
    raise_to(book, pc(book, S1), 2, wishes=2)
    roll_check(book, pc(book, S2), (3, 4), cd=Cd.TOUGH)
    with refused("roll.not_yours", book.state):
        book.when(BuyDie(roll=open_roll(book, S2).id), by=S1)


@pytest.mark.rule("DT-WSH-2", "DT-AMB-26", "DT-EX-65")
def test_an_award_to_a_full_character_is_lost_with_a_warning():
    book = playing()
    (lost,) = of_kind(book.when(AwardWish(actor=pc(book, S1), reason=WishReason.STORY), by=GM), WishLost)
    assert (lost.warnings, purse(book)) == (("wishes.full",), (1, 1))
    raise_to(book, pc(book, S1), 2)
    award = AwardWish(actor=pc(book, S1), reason=WishReason.ROLE_PLAY, text="the song")
    (earned,) = of_kind(book.when(award, by=GM), WishEarned)
    assert (earned.wishes, earned.text) == (2, "the song")
    odo = npc(book)
    with refused("target.invalid", book.state):
        book.when(AwardWish(actor=odo, reason=WishReason.STORY), by=GM)


@pytest.mark.rule("DT-WSH-2", "DT-AMB-63")
def test_a_check_that_was_the_deed_is_named_once_also_where_its_wish_is_lost():
    book = playing()
    raise_to(book, pc(book, S1), 2)
    check(book, S1, (3, 5))
    (deed,) = book.state.checks.values()
    assert (deed.session, deed.success, deed.told) == (1, True, False)
    award = AwardWish(actor=pc(book, S1), reason=WishReason.STORY, check=deed.id)
    (earned,) = of_kind(book.when(award, by=GM), WishEarned)
    assert (earned.check, book.state.checks[deed.id].told) == (deed.id, True)
    with refused("target.invalid", book.state):
        book.when(award, by=GM)
    check(book, S1, (3, 5))
    (other,) = (each.id for each in book.state.checks.values() if not each.told)
    (lost,) = of_kind(book.when(award.model_copy(update={"check": other}), by=GM), WishLost)
    assert (lost.check, book.state.checks[other].told) == (other, True)
    require_sound(book)


@pytest.mark.rule("DT-WSH-2")
def test_a_deed_is_a_check_of_that_character_that_has_succeeded():
    book = playing()
    check(book, S1, (2, 3))
    check(book, S2, (3, 5))
    failed, anothers = (
        next(each.id for each in book.state.checks.values() if each.actor == pc(book, seat)) for seat in (S1, S2)
    )
    for wrong in (failed, anothers):
        with refused("target.invalid", book.state):
            book.when(AwardWish(actor=pc(book, S1), reason=WishReason.STORY, check=wrong), by=GM)
    offers = [offer for offer in legal_commands_for(book.state, (AwardWish,), GM) if offer.legal]
    assert [offer.choices("check") for offer in offers if "check" in offer.arguments] == [(anothers,)]


@pytest.mark.rule("DT-WSH-4")
def test_the_end_of_a_session_refuses_what_waits():
    book = playing()
    raise_to(book, pc(book, S1), 2, wishes=2)
    ask(book)
    (decided,) = of_kind(book.when(CloseSession(), by=GM), StoryWishDecided)
    assert not decided.accept and purse(book) == (2, 2) and not book.state.prompts
    require_sound(book)
