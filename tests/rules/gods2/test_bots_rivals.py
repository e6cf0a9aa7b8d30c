"""What bots do about a god who runs away with the worshippers of the Earth, and about one who is left behind."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from games.gods2.rules.bots import faith
from games.gods2.rules.bots.faith import MOST_GUESTS, NEEDS, WILL_YIELD, draft, is_of_use, peace, price
from games.gods2.rules.bots.options import on_people, options
from games.gods2.rules.bots.tempers import TEACHER, WARLORD
from games.gods2.rules.bots.unrest import hope, start
from games.gods2.rules.bots.view import AHEAD, BEHIND, GRUDGE, MAINSTAY
from games.gods2.rules.bots.worth import believers
from games.gods2.rules.pantheon.commands import (
    DraftPantheonOrder,
    DropPantheonOrder,
    SignPantheonOrder,
    UnsignPantheonOrder,
)
from games.gods2.rules.pantheon.turmoil_commands import AnswerExpulsion, StartTurmoil
from games.gods2.rules.state.records import ATHEISM, GodStatus, Phase
from games.gods2.rules.state.shares import RISE, share_out
from tests.dice import d
from tests.playbook import Playbook
from tests.rules.gods2.era import ANA, BEN, CLEO, PEACEFUL, A, B, C, begin, define, set_up, shares, units
from tests.rules.gods2.test_faith import roll_turmoil
from tests.rules.gods2.thinkers import PLAINS, commands, give, think, view_of

TRIBAL = ("tribal_law",)


def two_faiths(many: dict[str, int], few: dict[str, int]) -> tuple[Playbook, UUID, UUID]:
    """A people of 36 units and one of 12 far away, with these shares in percent; nobody has mana or cards."""
    book = set_up(PLAINS)
    wide = units(*((x, y, 3) for x in range(4) for y in range(3)))
    small = units(*((x, y, 2) for x in range(8, 10) for y in range(4, 6)), (7, 5, 2), (7, 4, 2))
    first = define(book, "Many", wide, attributes=PEACEFUL, knowledges=TRIBAL, pantheon=shares(**many))
    second = define(book, "Few", small, attributes=PEACEFUL, knowledges=TRIBAL, pantheon=shares(**few))
    begin(book)
    board = book.state.board
    for people, most in ((first, 36), (second, 12)):  # as if nothing had grown
        squares = list(zip(*board.own(people).nonzero(), strict=True))
        for place, (row, column) in enumerate(squares):
            count = most // len(squares) + (1 if place < most % len(squares) else 0)
            board.units[row, column] = count
    for seat in (ANA, BEN, CLEO):
        give(book, 0, seat)
    return book, first, second


def drafted(book: Playbook, race: UUID, seat: UUID, **percent: float) -> UUID:
    """A draft of new shares; its id."""
    return book.when(DraftPantheonOrder(race=race, pantheon=shares(**percent)), by=seat)[0].order


def signs(book: Playbook, order: UUID, seat: UUID) -> bool:
    """Whether the bot of a seat signs a draft."""
    return think(book, seat).command == SignPantheonOrder(order=order)


def test_who_runs_away_and_who_is_left_behind_is_counted_by_worshippers() -> None:
    book, many, few = two_faiths({"a": 70, "b": 30}, {"c": 100})
    view = view_of(book)
    assert view.flocks == {A: 36 * 7000, B: 36 * 3000, C: 12 * 10_000}
    assert [view.standing(member) for member in (A, B, C)] == [157, 67, 75]
    assert (AHEAD, BEHIND) == (150, 75)
    assert view.leader == A and view.rival is None
    assert [view.is_behind(member) for member in (A, B, C)] == [False, True, False]
    assert [view.is_ahead(member) for member in (A, B, C, ATHEISM)] == [True, False, False, False]
    assert [view_of(book, seat).is_uneven for seat in (ANA, BEN, CLEO)] == [True, True, False]
    assert view_of(book, BEN).rival == A and view_of(book, BEN).is_mainstay(many)
    assert not view.is_mainstay(many) and not view_of(book, BEN).is_mainstay(few)
    share_out(book.state, many, {A: 6000, B: 4000})
    assert view_of(book, BEN).rival is None and not view_of(book, BEN).is_mainstay(many)
    share_out(book.state, many, {A: 9000, B: 1000})
    assert view_of(book).is_behind(B) and view_of(book).standing(ATHEISM) == 100


def test_a_dead_god_is_counted_among_nobody() -> None:
    book, *_ = two_faiths({"a": 70, "b": 30}, {"c": 100})
    book.state.gods[ANA] = replace(book.state.gods[ANA], status=GodStatus.KILLED)
    assert view_of(book, BEN).flocks.keys() == {B, C} and view_of(book, BEN).leader is None


@pytest.mark.parametrize(("first", "signed"), [(60, True), (70, False)])
@pytest.mark.rule("G2-PAN-3")
def test_nobody_signs_more_for_who_runs_away(first: int, signed: bool) -> None:
    book, many, _ = two_faiths({"a": first, "b": 100 - first}, {"c": 100})
    assert signs(book, drafted(book, many, ANA, a=first + 2, b=98 - first), BEN) is signed


def test_who_runs_away_asks_for_no_more() -> None:
    book, many, _ = two_faiths({"a": 60, "b": 40}, {"a": 50, "c": 50})
    view = view_of(book)
    assert view.leader == A and len(view.shares) == 2
    assert not any(isinstance(each, DraftPantheonOrder) and more(each, A, 6000) for each in commands(book, lots=40))
    share_out(book.state, many, {A: 4000, B: 4000, C: 2000})
    assert view_of(book).leader is None
    assert any(isinstance(each, DraftPantheonOrder) and more(each, A, 4000) for each in commands(book, lots=40))


def more(order: DraftPantheonOrder, member: str, than: int) -> bool:
    """Whether a draft gives a member a larger share."""
    return {each.member: each.share for each in order.pantheon}.get(member, 0) > than


def test_a_god_who_is_left_behind_asks_for_more_where_it_counts_most_and_is_spared_it() -> None:
    book, many, few = two_faiths({"a": 45, "b": 50, "c": 5}, {"a": 80, "c": 20})
    view = view_of(book, CLEO)
    assert view.is_behind(C) and not view.is_behind(A) and view.leader == A
    asked = DraftPantheonOrder(race=many, pantheon=shares(a=40, b=50, c=10))
    assert NEEDS == 500 and draft(view, None, "") == asked  # of no die: where its points are worth most
    order = book.when(asked, by=CLEO)[0].order
    assert signs(book, order, ANA)
    assert price(view) is None and few in view.followers


@pytest.mark.parametrize(("c", "signed"), [(5, True), (40, False)])
def test_five_points_are_signed_away_to_who_is_left_behind_alone(c: int, signed: bool) -> None:
    book, many, _ = two_faiths({"a": 40, "b": 60 - c, "c": c}, {"a": 30, "b": 70})
    assert view_of(book).is_behind(C) is signed
    order = drafted(book, many, CLEO, a=35, b=60 - c, c=c + 5)
    assert signs(book, order, ANA) is signed


def test_nobody_signs_away_what_is_little() -> None:
    book, many, _ = two_faiths({"a": 14, "b": 81, "c": 5}, {"a": 100})
    assert view_of(book).is_behind(C)
    assert not signs(book, drafted(book, many, CLEO, a=9, b=81, c=10), ANA)


@pytest.mark.parametrize("temper", [TEACHER, WARLORD])
def test_the_last_of_those_who_are_left_behind_is_invited_into_the_largest_people(temper: Any) -> None:
    book, many, few = two_faiths({"a": 55, "b": 45}, {"a": 50, "b": 50})
    assert draft(view_of(book, BEN, temper), None, "") == DraftPantheonOrder(
        race=many, pantheon=shares(a=55, b=40, c=5)
    )
    share_out(book.state, many, {A: 5500, B: 4000, C: 500})
    assert draft(view_of(book, BEN, temper), None, "") == DraftPantheonOrder(race=few, pantheon=shares(a=50, b=45, c=5))


def test_who_is_far_ahead_gives_to_a_member_who_is_left_behind_and_others_invite_alone() -> None:
    book, many, _ = two_faiths({"a": 48, "b": 47, "c": 5}, {"a": 48, "b": 47, "c": 5})
    drafts = [each for each in commands(book, policy="teacher", lots=40) if isinstance(each, DraftPantheonOrder)]
    assert not view_of(book).is_ahead(A) and drafts and not any(more(each, C, 500) for each in drafts)
    share_out(book.state, many, {A: 6500, B: 3000, C: 500})
    gift = DraftPantheonOrder(race=many, pantheon=shares(a=60, b=30, c=10))
    assert view_of(book).is_ahead(A) and draft(view_of(book), None, "") == gift
    assert gift in commands(book, policy="teacher")


@pytest.mark.rule("G2-PAN-5")
def test_who_is_far_ahead_pays_diabolism_for_an_order_and_nobody_else_does() -> None:
    book, many, _ = two_faiths({"a": 65, "b": 20, "c": 5, "diabolism": 10}, {"a": 50, "b": 50})
    asked = DraftPantheonOrder(race=many, pantheon=shares(a=55, b=20, c=10, diabolism=15))
    assert view_of(book).is_ahead(A) and draft(view_of(book, CLEO), None, "") == asked
    order = book.when(asked, by=CLEO)[0].order
    assert signs(book, order, ANA) and signs(book, order, BEN)
    assert WILL_YIELD == NEEDS + RISE
    share_out(book.state, many, {A: 6500, B: 1800, C: 500, "diabolism": 1000, ATHEISM: 200})
    assert draft(view_of(book, CLEO), None, "") is None, "two of them cost more"
    book, many, _ = two_faiths({"a": 42, "b": 43, "c": 5, "diabolism": 10}, {"a": 50, "b": 50})
    assert draft(view_of(book, CLEO), None, "") is None


def test_a_crowded_pantheon_takes_in_nobody_who_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    book, *_ = two_faiths({"a": 55, "b": 45}, {"a": 50, "b": 50})
    monkeypatch.setattr(faith, "CROWD", 2 - MOST_GUESTS)
    asked = [each for each in commands(book, BEN, lots=40) if isinstance(each, DraftPantheonOrder)]
    assert asked and not any(more(each, C, 0) for each in asked)


def test_who_is_left_behind_invites_nobody() -> None:
    book, many, _ = two_faiths({"a": 95, "b": 5}, {"b": 31, "a": 69})
    assert view_of(book, BEN).is_behind(B) and view_of(book, BEN).is_behind(C)
    asked = draft(view_of(book, BEN), None, "")
    assert asked == DraftPantheonOrder(race=many, pantheon=shares(a=90, b=10))


@pytest.mark.rule("G2-PAN-3")
def test_a_signature_is_taken_back_when_the_order_takes_too_much_by_now() -> None:
    book, many, _ = two_faiths({"a": 60, "b": 40}, {"c": 100})
    order = drafted(book, many, ANA, a=62, b=38)
    assert signs(book, order, BEN)
    book.when(SignPantheonOrder(order=order), by=BEN)
    assert think(book, BEN).command != UnsignPantheonOrder(order=order)
    share_out(book.state, many, {A: 5000, B: 5000})  # a cult has grown
    assert think(book, BEN).command == UnsignPantheonOrder(order=order)
    book.when(UnsignPantheonOrder(order=order), by=BEN)
    assert think(book, BEN).command != SignPantheonOrder(order=order)


@pytest.mark.rule("G2-PAN-3")
def test_a_drafter_who_has_come_to_hold_as_much_drops_the_draft() -> None:
    book, many, _ = two_faiths({"a": 60, "b": 40}, {"c": 100})
    order = drafted(book, many, ANA, a=62, b=38)
    book.when(SignPantheonOrder(order=order), by=ANA)
    share_out(book.state, many, {A: 6200, B: 3800})
    assert think(book).command == DropPantheonOrder(order=order)


# --- turmoil ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("G2-TURM-3")
@pytest.mark.rule("G2-TURM-5")
@pytest.mark.parametrize(
    ("held", "hoped"),
    [
        ({A: 9000, B: 1000}, (1000 + (10_000 + 10_000) // 2) // 3),
        # B is thrown out, A is, C is: 0, 50, 16.67; named by A: B or C with the larger share; by B and C: A
        ({A: 6000, B: 2000, C: 2000}, (2000 + (0 + 5000 + 2500 + 2500 + 5000 + 5000) // 3) // 3),
        ({A: 5000, B: 4000, ATHEISM: 1000}, (4000 + (0 + 8000 + 4444 + 4444 + 4444 + 4000) // 3) // 3),
    ],
)
def test_what_a_turmoil_is_expected_to_leave(held: dict[str, int], hoped: int) -> None:
    book, *_ = two_faiths({"a": 60, "b": 40}, {"c": 100})
    assert hope(view_of(book, BEN), held) == hoped


@pytest.mark.rule("G2-TURM-1")
def test_a_god_who_is_left_behind_starts_a_turmoil_where_it_may_hope_for_more() -> None:
    book, many, _ = two_faiths({"a": 90, "b": 10}, {"c": 100})
    assert start(view_of(book, BEN)) == StartTurmoil(race=many)
    assert StartTurmoil(race=many) in commands(book, BEN)
    assert start(view_of(book)) is None, "it has most of this people, and is not left behind"
    book.when(StartTurmoil(race=many), by=BEN)
    assert start(view_of(book, BEN)) is None


@pytest.mark.rule("G2-TURM-2")
@pytest.mark.parametrize("case", ["not left behind", "no hope", "troubled", "it waits", "calculation"])
def test_nobody_starts_a_turmoil_without_a_reason(case: str) -> None:
    book, many, _ = two_faiths({"a": 90, "b": 10}, {"c": 100})
    match case:
        case "not left behind":
            share_out(book.state, many, {A: 6000, B: 4000})
        case "no hope":  # the worship of a century is worth more than two points
            share_out(book.state, many, {A: 2500, B: 1000, C: 2500, ATHEISM: 4000})
            book.state.set_era(century=16)
        case "troubled":
            book.state.races[many] = replace(book.state.races[many], troubled=True)
        case "calculation":
            book.state.set_era(phase=Phase.RECKONING)
        case _:
            book.state.races[many] = replace(book.state.races[many], turmoil=True)
    assert start(view_of(book, BEN)) is None


def in_turmoil(many: dict[str, int]) -> tuple[Playbook, UUID]:
    """The larger people in turmoil."""
    book, race, _ = two_faiths(many, {"a": 40, "c": 60})
    book.state.races[race] = replace(book.state.races[race], turmoil=True, troubled=True)
    return book, race


@pytest.mark.rule("G2-TURM-7")
def test_the_largest_member_offers_who_is_left_behind_something_for_peace_and_all_sign() -> None:
    book, race = in_turmoil({"a": 60, "b": 10, "c": 30})
    assert view_of(book, BEN).is_behind(B)
    offer = DraftPantheonOrder(race=race, pantheon=shares(a=55, b=15, c=30))
    assert peace(view_of(book)) == offer and {*commands(book)} == {offer}, "nothing goes before peace"
    assert peace(view_of(book, CLEO)) == DraftPantheonOrder(race=race, pantheon=shares(a=60, b=10, c=30))
    order = book.when(offer, by=ANA)[0].order
    assert all(signs(book, order, seat) for seat in (ANA, BEN, CLEO))
    assert peace(view_of(book)) is None, "one draft at a time"


@pytest.mark.rule("G2-TURM-7")
@pytest.mark.rule("G2-PAN-5")
def test_all_make_room_for_diabolism_that_there_be_peace() -> None:
    book, _ = in_turmoil({"a": 50, "b": 10, "c": 30, "diabolism": 10})
    offer = peace(view_of(book, BEN))
    assert isinstance(offer, DraftPantheonOrder)
    left = {each.member: each.share for each in offer.pantheon}
    assert left == {A: 4722, B: 945, C: 2833, "diabolism": 1500}
    order = book.when(offer, by=BEN)[0].order
    assert all(signs(book, order, seat) for seat in (ANA, BEN, CLEO))


@pytest.mark.rule("G2-TURM-7")
@pytest.mark.parametrize(("b", "signed"), [(9, True), (8.9, False)])
def test_for_peace_a_tenth_is_given_of_what_is_little_and_nothing_in_peace(b: float, signed: bool) -> None:
    book, race = in_turmoil({"a": 60, "b": 10, "c": 30})
    order = drafted(book, race, ANA, a=70 - b, b=b, c=30)
    same = drafted(book, race, CLEO, a=60, b=10, c=30)
    found = view_of(book, BEN)
    assert is_of_use(found, book.state.orders[order]) is signed and is_of_use(found, book.state.orders[same])
    book.state.races[race] = replace(book.state.races[race], turmoil=False)
    found = view_of(book, BEN)
    assert not is_of_use(found, book.state.orders[order]) and not is_of_use(found, book.state.orders[same])
    book, race = in_turmoil({"a": 30, "b": 40, "c": 30})
    assert not is_of_use(view_of(book, BEN), book.state.orders[drafted(book, race, ANA, a=37, b=33, c=30)])


@pytest.mark.rule("G2-TURM-5")
def test_who_runs_away_is_thrown_out_before_the_largest_member() -> None:
    book, many, few = two_faiths({"a": 90, "b": 10}, {"a": 30, "b": 45, "c": 25})
    assert view_of(book, CLEO).rival == A
    roll_turmoil(book, few, d(6, "turmoil", 5), d(3, "member", 3))
    (prompt,) = (asked.id for asked in book.state.prompts.values() if asked.kind == "TURMOIL.expel")
    assert think(book, CLEO).command == AnswerExpulsion(prompt=prompt, member=A)
    share_out(book.state, many, {A: 5000, B: 5000})
    assert think(book, CLEO).command == AnswerExpulsion(prompt=prompt, member=B)


# --- mana -------------------------------------------------------------------------------------------------------------


def test_what_who_runs_away_lives_on_is_not_taught_and_may_be_harmed() -> None:
    book, many, _ = two_faiths({"a": 70, "b": 30}, {"c": 100})
    give(book, 9, CLEO, CK=6, DE=6)
    teach = book.state.pack.powers["teach_toolmaking"]
    view = view_of(book, CLEO)
    assert view.enmity(many) == GRUDGE and on_people(view, teach, many).worth == 0
    assert not any(aim.targets[0].race == many for o in options(view) if o.manner == "teach" for aim in o.aims)
    share_out(book.state, many, {A: MAINSTAY - 100, B: 7100})
    view = view_of(book, CLEO)
    assert view.enmity(many) != GRUDGE or view.rival == B
    share_out(book.state, many, {A: 5000, B: 5000})
    view = view_of(book, CLEO)
    assert view.enmity(many) == 0 and on_people(view, teach, many).worth > 0


def test_believers_count_twice_among_the_mainstay_of_who_runs_away_and_to_who_is_left_behind() -> None:
    book, many, few = two_faiths({"a": 60, "b": 40}, {"c": 100})
    once = believers(view_of(book, CLEO), many, 10)
    share_out(book.state, many, {A: 7000, B: 3000})
    assert believers(view_of(book, CLEO), many, 10) == 2 * once > 0
    share_out(book.state, many, {A: 4800, B: 4800, C: 400})
    share_out(book.state, few, {A: 5000, B: 5000})
    assert view_of(book, CLEO).is_behind(C) and view_of(book, CLEO).leader is None
    assert believers(view_of(book, CLEO), many, 10) == 2 * once
    share_out(book.state, many, {A: 7000, B: 3000})
    assert view_of(book).is_ahead(A) and believers(view_of(book), many, 10) == 0, "it has made everybody its enemy"
