"""What bots do not teach, and where they do not strike, for the sake of their own."""

import pytest

from games.gods2.rules.bots.options import is_measured
from games.gods2.rules.bots.tempers import WARLORD
from games.gods2.rules.bots.worth import POINTS_OF_OTHERS, gain
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.pack import operations as op
from games.gods2.rules.state.value_types import Target
from tests.rules.gods2.era import PEACEFUL, begin, define, set_up, shares, units
from tests.rules.gods2.test_bots_thinking import BIG, TRIBAL, by_name, neighbours
from tests.rules.gods2.thinkers import PLAINS, give, view_of


def test_a_knowledge_that_feeds_atheism_in_each_century_is_worth_less_the_more_are_to_come() -> None:
    book = neighbours()
    dwarves = by_name(book)["Dwarves"]
    view = view_of(book)
    (cult,) = (e for e in view.state.pack.knowledges["philosophy"].effects if isinstance(e, op.Cult))
    assert cult.on and gain(view, dwarves, (cult,), 6) == -6 * cult.points * POINTS_OF_OTHERS
    (once,) = (e for e in view.state.pack.powers["purify"].effects if isinstance(e, op.Cult))
    assert not once.on and gain(view, dwarves, (once,), 6) == -once.points * POINTS_OF_OTHERS > 0


@pytest.mark.parametrize(("near", "measured"), [(True, False), (False, True)])
def test_what_may_go_on_to_a_neighbour_is_not_aimed_beside_its_own(near: bool, measured: bool) -> None:
    book = set_up(PLAINS)
    first = 3 if near else 0
    define(book, "Own", units((first, 0, 3), (first, 1, 3)), knowledges=TRIBAL, pantheon=shares(a=100))
    elves = define(book, "Elves", units(*BIG), attributes=PEACEFUL, knowledges=TRIBAL, pantheon=shares(b=100))
    begin(book)
    give(book, 40, NA=6)
    view = view_of(book, temper=WARLORD)
    assert (next(iter(view.shares)) in view.contacts(elves)) is near
    assert is_measured(view, CastPower(power="pestilence", targets=(Target(race=elves),))) is measured
