"""How the chronicle tells the end of a people (G2-POP-5): who ended it, whose worship ends, how many are left."""

import pytest

from games.engine.audience import PUBLIC
from games.engine.insight.chronicle import tell
from games.engine.kernel import Event, EventRecord
from games.gods2.rules import RULESET
from games.gods2.rules.cascade.events import RaceDestroyed
from games.gods2.rules.state.records import God
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import ShareOf, Side
from games.gods2.rules.war.events import WarFought
from tests.rules.gods2.era import ANA, BEN
from tests.rules.gods2.worlds import DAWN, earth_of, id_of, race

FAITH = (ShareOf(member=str(ANA), share=7000), ShareOf(member=str(BEN), share=3000))
NORSE, ELVES = race("Norse", {(0, 0): 1}, faith=FAITH), race("Elves", {(0, 2): 1})


def told(*events: Event) -> list[tuple[str, str]]:
    """What the chronicle says of the end of the Norse."""
    state: State = earth_of(["PPPP"], NORSE, ELVES)
    state.gods[ANA], state.gods[BEN] = God(ANA, "Ashkar"), God(BEN, "Belun")
    events[-1].apply(state)
    records = [EventRecord(event, PUBLIC, DAWN) for event in events]
    return [(line.text, line.figures) for line in tell(RULESET.pages.story, state, records)]


GODS = ("Ashkar and Belun lose their worshippers among Norse.", "")


@pytest.mark.rule("G2-POP-5", "G2-HREC-1")
def test_a_people_that_falls_in_war_falls_to_somebody() -> None:
    sides = tuple(Side(race=people.id, strength=1, military=0, percent=10, losses=1) for people in (ELVES, NORSE))
    war = WarFought(war=id_of("war"), sides=sides, race=NORSE.id, count=1)
    end = ("The last of Norse fall to Elves; they are no more.", "1 people left")
    assert told(war, RaceDestroyed(race=NORSE.id, cause="war"))[-2:] == [end, GODS]


@pytest.mark.rule("G2-POP-5", "G2-HREC-1")
def test_a_people_that_a_power_ends_is_told_by_what_ended_it() -> None:
    end = ("Norse are no more; Black Plague was their end.", "1 people left")
    assert told(RaceDestroyed(race=NORSE.id, cause="black_plague")) == [end, GODS]
