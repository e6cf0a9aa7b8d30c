"""Names that bots give: no numbers, nobody's twice, and such as fit what bears them."""

import re
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import pytest

from games.dawn.rules.bots.naming import BEGINNINGS, ORDERS, PEOPLES, PLACES, WALKERS, fresh_name
from tests.forms import first
from tests.rules.dawn.stage import A, people, playing
from tests.rules.dawn.test_random_games import random_game

NAME = re.compile(r"[A-Z][a-z]+(?: [A-Za-z]+)*")


def fits(name: str, ends: Sequence[str]) -> bool:
    """Whether a name is of words alone, the first of which has one of these ends."""
    return NAME.fullmatch(name) is not None and name.split()[0].endswith(tuple(ends))


@pytest.mark.rule("DW-NAME-1")
@pytest.mark.parametrize("number", first([1, 3], 1))
def test_in_a_game_of_bots_everything_has_a_name_of_its_kind(number: int) -> None:
    state = random_game(number).state
    given = [order.name for order in state.orders.values() if not order.name.startswith("Faith of ")]
    assert state.races and state.avatars and given
    for names, ends in (
        ([race.name for race in state.races.values()], PEOPLES),
        ([city.name for city in state.cities.values()], PLACES),
        ([avatar.name for avatar in state.avatars.values()], WALKERS),
        (given, ORDERS),
    ):
        assert [name for name in names if not fits(name, ends)] == []
        assert len(set(names)) == len(names)


@pytest.mark.rule("DW-NAME-1")
def test_names_that_are_all_borne_are_told_apart_by_words_and_never_by_numbers() -> None:
    book = playing(age=2, a=10)
    folk = people(book, A)
    borne = [f"{beginning}{end}" for beginning in BEGINNINGS for end in PEOPLES]
    for number, name in enumerate(borne):
        race = UUID(int=0xF000 + number)
        book.state.races[race] = replace(book.state.races[folk], id=race, name=name)
    found: set[str] = set()
    for number in range(7 * len(borne)):
        name = fresh_name(book.state, A, PEOPLES)
        assert fits(name, PEOPLES) and name not in found and name not in borne
        found.add(name)
        race = UUID(int=0xFF000 + number)
        book.state.races[race] = replace(book.state.races[folk], id=race, name=name)
    assert len(max(found, key=len)) <= 80
