"""Whom events attack: who controls or owns what others' wars, catastrophes and corruption strike."""

import pytest

from games.dawn.rules import RULESET
from games.dawn.rules.races.alignment_commands import ShiftAlignment
from games.dawn.rules.races.events import AlignmentShifted
from games.dawn.rules.revenge.events import AvatarDestroyed
from games.dawn.rules.state.schema_types import WonderKind, Works
from games.dawn.rules.war.battle_events import CityFell
from games.dawn.rules.war.events import WarDeclared
from games.dawn.rules.wonders.events import WonderWorked
from tests.playbook import Playbook, attacks_by
from tests.rules.dawn.field import (
    EAST,
    GNOMES,
    HOLD,
    WEST,
    armies,
    commit,
    field,
    march,
    waive_all,
    wild,
    work,
    work_unopposed,
)
from tests.rules.dawn.stage import DWARVES, HAVEN, A, B, C, avatar, city, people, playing


def test_a_war_on_a_city_attacks_who_controls_it_and_so_does_its_fall() -> None:
    book = field(ours=2, theirs=0)
    position = len(book.log)
    march(book)
    assert attacks_by(book, position) == [(WarDeclared, {B})]
    while book.state.wars and book.state.cities[HOLD].controller != A:
        commit(book, A, *armies(book))
    assert attacks_by(book, position) == [(WarDeclared, {B}), (CityFell, {B})]


def test_a_war_on_an_avatar_attacks_their_god_and_so_does_their_death() -> None:
    book = field(ours=2)
    hero = avatar(book, B, at=(3, 1))
    position = len(book.log)
    march(book, at=(3, 1), avatar=hero)
    assert attacks_by(book, position) == [(WarDeclared, {B})]
    book.plant(AvatarDestroyed(avatar=hero, square={"x": 3, "y": 1}, by=A))
    assert attacks_by(book, position)[1:] == [(AvatarDestroyed, {B})]


def test_nobody_is_attacked_by_the_death_of_their_own_avatar_that_they_have_caused() -> None:
    book = field()
    hero = avatar(book, A)
    position = len(book.log)
    book.plant(AvatarDestroyed(avatar=hero, square={"x": 1, "y": 1}, by=A))
    assert attacks_by(book, position) == []


def test_a_catastrophe_that_kills_avatars_attacks_their_gods() -> None:
    book = field()
    theirs, third = avatar(book, B, at=EAST), avatar(book, C, at=(3, 1))
    position = len(book.log)
    work_unopposed(book, Works.KILL_AVATAR, theirs, third, at=(EAST, (3, 1)))
    assert attacks_by(book, position) == [(WonderWorked, {B, C}), (AvatarDestroyed, {B}), (AvatarDestroyed, {C})]


def test_a_catastrophe_that_razes_a_city_attacks_who_controls_it() -> None:
    book = field()
    position = len(book.log)
    work_unopposed(book, Works.RAZE_CITY, HOLD)
    assert attacks_by(book, position) == [(WonderWorked, {B})]


def test_a_catastrophe_that_ends_armies_attacks_who_controls_their_cities() -> None:
    book = field(ours=1, theirs=2, a=30, b=20)
    position = len(book.log)
    work_unopposed(book, Works.RAVAGE, at=((1, 1), (2, 1), (3, 1), EAST))
    assert attacks_by(book, position) == [(WonderWorked, {B})], "A's own army ends by A's own doing"


def test_a_catastrophe_that_ends_a_people_attacks_its_creators() -> None:
    book = field()
    wild(book, B, C)
    position = len(book.log)
    work(book, Works.EXTINGUISH_RACE, GNOMES, at=((3, 3),))
    waive_all(book)
    assert attacks_by(book, position) == [(WonderWorked, {B, C})]


@pytest.mark.parametrize("kind", WonderKind)
def test_a_deed_in_words_attacks_nobody(kind: WonderKind) -> None:
    book = field()
    position = len(book.log)
    work(book, Works.DEED, kind=kind)
    assert attacks_by(book, position) == []


def shifted(book: Playbook, target, direction: int) -> list:
    """A shifts the alignment; who is asked lets it pass."""
    position = len(book.log)
    book.when(ShiftAlignment(target=target, dir=direction), by=A)
    while book.state.powers:
        waive_all(book)
    return attacks_by(book, position)


def test_who_corrupts_a_people_attacks_its_other_creators_and_who_purifies_it_nobody() -> None:
    book = playing(age=2, a=30)
    elves = people(book, A, B)
    assert shifted(book, elves, -1) == [(AlignmentShifted, {B})]
    other = playing(age=2, a=30)
    assert shifted(other, people(other, A, B), 1) == []


def test_who_corrupts_a_city_attacks_who_controls_it_and_the_creators_of_its_people() -> None:
    book = playing(age=2, a=30)
    people(book, B, race=DWARVES)
    home = city(book, DWARVES, C, at=WEST, id=HAVEN)
    assert shifted(book, home, -1) == [(AlignmentShifted, {B, C})]


def test_every_event_that_attacks_is_tried_here() -> None:
    assert set(RULESET.attacks) == {WarDeclared, CityFell, AvatarDestroyed, WonderWorked, AlignmentShifted}
