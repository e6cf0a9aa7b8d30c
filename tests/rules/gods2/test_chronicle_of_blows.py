"""How the chronicle names what strikes (G2-DIS-1): by the name of the power or feature, which may bid or be a thing."""

import pytest

from games.gods2.pack import load, pack_files
from games.gods2.rules.chronicle.powers import blow_of

BIDS = ("A create ", "A drown ", "A found ", "A open ", "An open ", "An order ", "A raise ", "A spread ")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Hurricane", "A hurricane"), ("Earthquake", "An earthquake"), ("Create Volcano", "A volcano"),
        ("Spread Ice", "Spreading ice"), ("Spread Barrens", "Spreading barrens"),
        ("Drown the Shore", "Drown the Shore"), ("Spread", "A spread"),
    ],
)  # fmt: skip
def test_what_strikes_has_an_article_where_it_is_a_thing(name: str, told: str) -> None:
    assert blow_of(name) == told


@pytest.mark.parametrize("number", sorted(pack_files()))
def test_no_power_of_any_pack_strikes_as_a_bidding_with_an_article(number: int) -> None:
    told = [blow_of(power.name) for power in load(number).powers.values()]
    assert [each for each in told if each.startswith(BIDS)] == []
    assert [each for each in told if each in ("An ice", "A barrens")] == []
