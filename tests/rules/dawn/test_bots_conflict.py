"""How far bots bid in a conflict: as far as the thing is worth to them (DW-DC-*)."""

from dataclasses import replace
from uuid import UUID

import pytest

from games.dawn.rules.bots.conflict import HONOUR, bid, contests, worth
from games.dawn.rules.bots.policy import plain
from games.dawn.rules.conflict.commands import Fold, OpenDispute, PlaceBid
from games.dawn.rules.land.commands import ShapeLand
from games.dawn.rules.powers.answer_commands import AnswerLeave, OpenConflict, RaiseObjection
from games.dawn.rules.races.alignment_commands import ShiftAlignment
from games.dawn.rules.state.schema_types import Place, ShapeKind, Terrain, Works
from games.engine.dice import SecretDice, Tray
from tests.playbook import Playbook
from tests.rules.dawn.field import EAST, HOLD, field, wild, work
from tests.rules.dawn.stage import A, B, C, avatar, city, give, inner_prompt, people, playing, sound


def tray(number: int) -> Tray:
    return Tray(SecretDice(f"bots {number}".encode(), "dawn"))


def flooding() -> Playbook:
    """Age 2: A pays 15 to make five squares a lake; two are B's, on one of them stands a city of B's."""
    book = playing(age=2, a=40, b=40)
    for place in ((1, 1), (2, 1)):
        book.state.squares[place] = replace(book.state.squares[place], terrain=Terrain.PLAINS, shaped_by=B)
    city(book, people(book, B), controller=B)
    row = tuple(Place(x=x, y=1) for x in range(5))
    book.when(ShapeLand(kind=ShapeKind.MUNDANE, squares=row, terrain=Terrain.LAKE), by=A)
    book.when(AnswerLeave(prompt=inner_prompt(book), yes=False), by=B)
    return book


@pytest.mark.rule("DW-LAND-3", "DW-LAND-5")
def test_land_is_worth_its_price_to_its_shaper_and_what_is_lost_to_its_owner() -> None:
    book = flooding()
    (power,) = book.state.powers
    assert (worth(book.state, A, power), worth(book.state, B, power)) == (15, 2 * 3 + 4)


@pytest.mark.rule("DW-ALN-2", "DW-AVA-5", "DW-DC-1")
def test_a_step_is_worth_its_price_an_avatar_another_one_and_a_dispute_little() -> None:
    book = playing(age=2, a=40, b=40)
    book.when(ShiftAlignment(target=people(book, B), dir=1), by=A)
    (power,) = book.state.powers
    assert worth(book.state, B, power) == worth(book.state, A, power) == 3
    assert worth(book.state, B, avatar(book)) == 7
    assert worth(book.state, B, None) == HONOUR


@pytest.mark.rule("DW-MIR-6")
def test_what_a_catastrophe_hits_is_worth_what_would_take_its_place_and_to_others_their_honour() -> None:
    def at_stake(garrison: int, works: Works, *targets: UUID) -> list[int]:
        book = field(0, garrison, a=40, b=40, c=40)
        hero = avatar(book, B, EAST)
        book.state.squares[EAST] = replace(book.state.squares[EAST], shaped_by=C)
        work(book, works, *(targets or ((hero,) if works is Works.KILL_AVATAR else ())))
        (power,) = book.state.powers
        return [worth(book.state, seat, power) for seat in (B, C, A)]

    assert at_stake(0, Works.KILL_AVATAR) == [8, HONOUR, 10]
    assert at_stake(0, Works.RAZE_CITY, HOLD) == [3, HONOUR, 10]
    assert at_stake(3, Works.RAVAGE) == [3 * 2, HONOUR, 10]
    book = field(a=40, b=40)
    work(book, Works.EXTINGUISH_RACE, wild(book, B), at=((3, 3),))
    (power,) = book.state.powers
    assert worth(book.state, B, power) == 10


@pytest.mark.rule("DW-DC-2", "DW-DC-3")
def test_a_bot_bids_on_until_the_thing_is_worth_no_more() -> None:
    stakes = set()
    for number in range(30):
        book = flooding()
        book.when(OpenConflict(prompt=inner_prompt(book)), by=A)
        total = {A: 0, B: 0}
        while book.state.conflicts:
            prompt = book.state.inner()
            seat = A if prompt and f"seat:{A}" in prompt.owners else B
            command = bid(book.state, seat, tray(number), f"{number}/{total}")
            assert command is not None
            if isinstance(command, PlaceBid):
                total[seat] = command.total
            book.when(command, by=seat)
        assert sound(book) and 5 <= total[A] <= 20 and total[B] <= 13
        stakes.add(sum(total.values()))
    assert max(stakes) > 12


@pytest.mark.rule("DW-DC-3")
def test_a_bot_folds_where_it_cannot_bid_more_than_the_thing_is_worth() -> None:
    book = playing(a=40, b=40)
    book.when(OpenDispute(against=B, text="Whose is the morning?"), by=A)
    (conflict,) = book.state.conflicts
    book.when(PlaceBid(conflict=conflict, total=5), by=A)
    assert bid(book.state, B, tray(1), "dispute") == Fold(conflict=conflict)
    assert bid(book.state, A, tray(1), "dispute") is None


@pytest.mark.rule("DW-ALN-2")
@pytest.mark.parametrize(("points", "objects"), [(2, True), (1, False)])
def test_a_bot_opens_a_conflict_that_it_can_fight(points: int, objects: bool) -> None:
    found = set()
    for number in range(20):
        book = playing(age=2, a=40, b=40)
        book.when(ShiftAlignment(target=people(book, B), dir=1), by=A)
        give(book, B, points)
        (power,) = book.state.powers
        assert contests(book.state, B, power) is objects
        found.add(type(plain(book.state, B, tray(number)).command))
    assert (RaiseObjection in found) is objects
