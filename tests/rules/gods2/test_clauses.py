"""Clauses of The Gods II that no other test holds: which terrains are land."""

import pytest

from games.gods2.rules.geometry.adjacency import IS_LAND
from games.gods2.rules.state.constants import TERRAINS


@pytest.mark.rule("G2-MAP-2")
@pytest.mark.parametrize(
    ("terrain", "letter", "is_land"),
    [
        ("plains", "P", True), ("forest", "F", True), ("desert", "D", True), ("mountains", "M", True),
        ("ice", "I", False), ("water", "W", False),
    ],
)  # fmt: skip
def test_land_is_the_first_four_of_six_terrains(terrain: str, letter: str, is_land: bool) -> None:
    assert len(TERRAINS) == len(set(TERRAINS)) == 6
    assert bool(IS_LAND[TERRAINS.index(letter)]) is is_land, terrain
