"""What everybody's screen says of wars: the odds of the next, how the last one ended."""

from dataclasses import replace

import pytest

from games.engine.insight.event_pages import ContestSide
from games.gods2.rules.show_view import contests
from games.gods2.rules.state.records import ENDED, WarStatus
from games.gods2.rules.state.state import State
from tests.rules.gods2.worlds import DAWN, People, earth_of, plant_war, race, row_major


def at_war() -> tuple[State, People, People]:
    """Forty Norse beside twenty Picts."""
    norse = race("Norse", row_major(10, 0, 40))
    picts = race("Picts", row_major(10, 40, 20))
    return earth_of(["P" * 10] * 8, norse, picts), norse, picts


def test_a_war_to_come_is_shown_with_its_odds():
    state, norse, picts = at_war()
    plant_war(state, norse, picts)
    (war,) = contests(state)
    assert war.title == "Norse against Picts" and not war.outcome
    norse_side, picts_side = war.sides
    assert norse_side.name == "Norse" and norse_side.figures[0] == "strength 40"
    assert picts_side.name == "Picts" and picts_side.figures[0] == "strength 20"
    for side in war.sides:
        assert side.figures[1].startswith("hits with ") and side.figures[2].startswith("would lose ")
    assert war.prospect == "As things stand, Picts lose."


@pytest.mark.parametrize(
    ("status", "loser", "end"),
    [
        (WarStatus.FOUGHT, True, "Picts have lost the war."),
        (WarStatus.FOUGHT, False, "Nobody has lost the war."),
        (WarStatus.AVERTED, False, "Diplomacy has averted the war."),
        (WarStatus.LAPSED, False, "The war has lapsed without a fight."),
        (WarStatus.CANCELLED, False, "A power has called the war off."),
    ],
)
def test_each_end_of_a_war_is_a_sentence(status, loser, end):
    state, norse, picts = at_war()
    war = plant_war(state, norse, picts)
    lost = {"attacker_percent": 11, "defender_percent": 9, "attacker_lost": 2, "defender_lost": 1}
    fought = lost if status is WarStatus.FOUGHT else {}
    state.wars[war] = replace(
        state.wars[war], status=status, loser=picts.id if loser else None, ended_at=DAWN, **fought
    )
    (last,) = contests(state)
    assert status in ENDED and last.outcome == end and not last.prospect
    if status is WarStatus.FOUGHT:
        assert last.sides[0] == ContestSide("Norse", ("hit with 11%", "lost 2 units"))
        assert last.sides[1] == ContestSide("Picts", ("hit with 9%", "lost 1 unit"))
    else:
        assert [side.figures for side in last.sides] == [(), ()]
