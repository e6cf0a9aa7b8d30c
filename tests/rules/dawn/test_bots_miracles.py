"""Miracles of bots: what they lost back, what they may lose saved, something new for riches, seldom a thing."""

import re
from dataclasses import replace

import pytest

from games.dawn.rules.bots.miracles import bless
from games.dawn.rules.bots.naming import LEGENDS, THINGS
from games.dawn.rules.state.schema_types import EdgeTag, Life, Terrain, WonderKind, Works
from games.dawn.rules.wonders.commands import WorkWonder
from games.engine.dice import SecretDice, Tray
from tests.playbook import Playbook
from tests.rules.dawn.field import EAST, GNOMES, field, terrain, wild
from tests.rules.dawn.stage import ELVES, HAVEN, A, B, avatar, edge, give, sound

POOR, RICH = 19, 20


MANY = 40


def wishes(book: Playbook, dice: int = MANY) -> list[WorkWonder]:
    """What A's bot wishes by many dice; the rules accept each, of which one is worked."""
    trays = (Tray(SecretDice(f"bots {number}".encode(), "dawn")) for number in range(dice))
    found = [wish for tray in trays if (wish := bless(book.state, A, tray)) is not None]
    assert len(found) < dice and all(isinstance(wish, WorkWonder) for wish in found)
    if found:
        assert {wish.kind for wish in found} == {WonderKind.MIRACLE}
        book.when(found[0], by=A)
        assert sound(book)
    return found


def hits(book: Playbook) -> set[tuple[Works, object]]:
    """What its miracles do, and to what; artifacts, which it makes where nothing else makes sense, aside."""
    return {(wish.works, wish.targets[0]) for wish in wishes(book) if wish.works is not Works.ARTIFACT}


@pytest.mark.rule("DW-MIR-9")
def test_a_bot_brings_back_the_last_of_its_own_race_and_its_own_avatar() -> None:
    def ruins(points: int) -> Playbook:
        book = field(1, a=points)
        edge(book, ELVES, "seamanship")
        wild(book, A, life=Life.NEAR_EXTINCT)
        edge(book, GNOMES, "seamanship")
        avatar(book, A, EAST, alive=False)
        avatar(book, B, EAST, alive=False)
        avatar(book, A, EAST, alive=False, returning=True)
        return book

    assert hits(ruins(POOR)) == {(Works.RESTORE, GNOMES)}, "another avatar costs less"
    mine = min(ruins(RICH).state.avatars)
    assert hits(ruins(RICH)) == {(Works.RESTORE, GNOMES), (Works.RESTORE, mine)}
    book = field(1, a=POOR)
    wild(book, B, life=Life.NEAR_EXTINCT)
    assert hits(book) == set(), "that is another god's"


@pytest.mark.rule("DW-MIR-7")
def test_a_bot_saves_a_city_without_army_that_others_can_reach() -> None:
    assert hits(field(0, 1, a=POOR)) == {(Works.SAVE_CITY, HAVEN)}
    assert hits(field(1, 1, a=POOR)) == set(), "it has an army"
    assert hits(field(0, 0, a=POOR)) == set(), "nobody has one"
    book = field(0, 1, a=POOR)
    terrain(book, Terrain.OCEAN, *((2, y) for y in range(5)))
    assert hits(book) == set(), "nobody can go there"
    book = field(0, 1, a=POOR)
    book.state.cities[HAVEN] = replace(book.state.cities[HAVEN], saved_by=(B,))
    assert hits(book) == set(), "it is saved already"


@pytest.mark.rule("DW-MIR-8")
def test_a_rich_bot_teaches_its_race_to_cross_water_once() -> None:
    book = field(1, a=RICH)
    (wish, *_) = found = wishes(book)
    assert {(each.works, each.targets, each.tags) for each in found} == {
        (Works.BREAKTHROUGH, (ELVES,), (EdgeTag.CROSSES_WATER,))
    }
    assert (ELVES, wish.edge) in book.state.edges
    give(book, A, RICH)
    assert hits(book) == set(), "it knows how"
    assert hits(field(1, a=POOR)) == set()
    book = field(1, a=RICH)
    edge(book, ELVES, "seamanship")
    assert hits(book) == set(), "the rules would refuse it"


@pytest.mark.rule("DW-MIR-1")
def test_a_bot_works_no_miracle_that_it_cannot_pay() -> None:
    assert hits(field(0, 1, a=9)) == set()


@pytest.mark.rule("DW-MIR-10")
def test_a_bot_seldom_makes_an_artifact_for_its_own_who_have_none_and_where_nothing_else_makes_sense() -> None:
    dice = 300
    book = field(1, a=POOR)
    found = wishes(book, dice)
    assert {(wish.works, *wish.targets) for wish in found} == {(Works.ARTIFACT, ELVES), (Works.ARTIFACT, HAVEN)}
    assert 1 < len(found) < dice / 10, "every other time it wishes for a miracle, and seldom for this"
    (made,) = book.state.artifacts.values()
    assert made.holder == found[0].targets[0] and made.description in LEGENDS
    assert re.fullmatch("[A-Z][a-z]+", made.name) and made.name.endswith(THINGS)
    give(book, A, POOR)
    (other,) = {ELVES, HAVEN} - {made.holder}
    assert {wish.targets for wish in wishes(book, dice)} == {(other,)}
    give(book, A, POOR)
    assert wishes(book, dice) == [], "they have one each"
    assert {wish.works for wish in wishes(field(0, 1, a=POOR), dice)} == {Works.SAVE_CITY}
