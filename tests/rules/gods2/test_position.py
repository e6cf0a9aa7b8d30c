"""A planted position (`position.py`) is what its log leads to, with the ids that were chosen, and play goes on."""

from uuid import UUID

import pytest

from games.engine.game_state import dump
from games.gods2.rules.century.events import CenturyOpened
from games.gods2.rules.state.records import GodKind, Phase
from tests.playbook import of_kind
from tests.rules.gods2.era import ANA, BEN, endow, shares
from tests.rules.gods2.position import deity, position, replay
from tests.rules.gods2.worlds import id_of, race, units_of

ROWS = ("PPPPPP", "PPPPPP", "PPPPPP")


@pytest.mark.parametrize("century", [0, 1, 3])
def test_a_planted_position_is_what_its_log_leads_to_and_play_goes_on_from_it(century: int) -> None:
    dwarves = race("Dwarves", {(0, 0): 1, (0, 1): 1}, attributes=("peaceful",), faith=shares(a=60, b=40))
    elves = race("Elves", {(2, 4): 3, (2, 5): 1}, "civilized", attributes=("peaceful",), number=7)
    gods = (deity(ANA, mana=50, cards={"WA": 3}), deity(BEN, GodKind.DEMON))
    book = position(ROWS, dwarves, elves, gods=gods, features=[("river", (1, 1))], century=century)
    state = book.state
    assert (state.era.century, state.era.phase) == (century, Phase.OPEN if century else Phase.TRANSITION)
    assert set(state.races) == {id_of("Dwarves"), UUID(int=7)}
    assert state.cities[id_of("city 2 4")].race == elves.id and id_of("river 1 1") in state.features
    assert units_of(state, elves) == {(2, 4): 3, (2, 5): 1}
    assert state.pantheon(dwarves.id) == {str(ANA): 6000, str(BEN): 4000}
    assert (state.purses[ANA].balance, state.cards[ANA, "WA"].count, state.gods[BEN].kind) == (50, 3, GodKind.DEMON)
    assert not state.wars and not [roll for h in book.log for roll in h.rolls]
    endow(book, ANA, 70, "LB")
    assert (state.purses[ANA].balance, state.cards[ANA, "LB"].count, state.cards[ANA, "WA"].count) == (70, 6, 3)
    assert dump(replay(book)) == dump(state)
    if century:
        opened = of_kind(book.wait(state.era.ends_at - book.now), CenturyOpened)
        assert [e.century for e in opened] == [century + 1]
        assert dump(replay(book)) == dump(state)
