"""Golden game: an earthquake that two gods pay destroys a great city, and a civilization falls step by step."""

from collections.abc import Callable

import pytest

from games.engine.errors import Refused
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.joint_commands import AnswerCasting
from games.gods2.rules.cities.events import CityDestroyed, CivilizationLost
from games.gods2.rules.declarations.events import AggressionRolled
from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.growth.events import RaceGrew
from games.gods2.rules.knowledge.events import KnowledgeLost
from games.gods2.rules.mana.events import ManaPaid
from games.gods2.rules.state.records import Level
from games.gods2.rules.state.value_types import PartOf, Target
from games.gods2.rules.units.events import UnitsDied, UnitsStarved
from tests.golden.stage import Story, at
from tests.playbook import event_like, of_kind

CIVILIZED = ("tribal_law", "toolmaking", "agriculture", "civilization", "writing", "law")


@pytest.mark.once
@pytest.mark.rule("G2-HIST-2", "G2-HIST-3", "G2-HIST-6", "G2-CITY-11", "G2-FILT-2", "G2-RES-4", "G2-RES-6", "G2-RES-7")
@pytest.mark.rule("G2-RES-8", "G2-DIS-3", "G2-DIS-5", "G2-CITY-9", "G2-CITY-10", "G2-LIM-4", "G2-MOD-1", "G2-MOD-2")
@pytest.mark.rule("G2-GROW-6", "G2-AGG-2", "G2-LVL-5", "G2-KNOW-3", "G2-KNOW-4", "G2-AMB-34", "G2-AMB-21")
def test_the_elamites_fall(story: Callable[..., Story]) -> None:
    game = story()
    game.earth("PPPPP")
    game.god("Ashkar", 40, FE=2, CH=4)
    game.god("Belun", 20, FE=1, WA=1, NA=2)
    game.race(
        "Elamites", {0: 6, 1: 6}, attributes=["mountain_folk"], knows=CIVILIZED, cities={0: "great"},
        worships={"Ashkar": 50, "Belun": 50},
    )  # fmt: skip
    # Century 1: their squares are full (5 + 1 for agriculture), so the 3 new ones spill to the next. Law: 6 - 1 = 5 -
    # one attack, but there is nobody they could reach.
    game.begins(("d6 G2-AGG-3", 6))
    elamites = game.races["Elamites"]
    assert game.units("Elamites") == {0: 6, 1: 6, 2: 3}

    # Belun gives them +2 Military for this century and a rich harvest for the next; neither twice.
    game.cast("Belun", "call_to_arms", Target(race=elamites))
    game.cast("Belun", "bountiful_harvest", Target(race=elamites))
    assert stat(game.state, elamites, "military").value == 2
    for power in ("call_to_arms", "bountiful_harvest"):
        with pytest.raises(Refused) as twice:
            game.cast("Belun", power, Target(race=elamites))
        assert twice.value.code == "power.duplicate"
    assert game.mana() == {"Ashkar": 40, "Belun": 20 - 4 - 6}

    # An earthquake asks for 3 cards of Fire & Earth: 2 + 1 are enough when both cast. The great city makes its 9 mana
    # 13.5, up: 14. They share the price as they like; it must be exact, and it is paid when both are agreed.
    quake = {"power": "earthquake", "targets": (at(0),), "split": "given"}
    with pytest.raises(Refused) as alone:
        game.by("Ashkar", CastPower(power="earthquake", targets=(at(0),)))
    assert alone.value.code == "power.level"
    parts = (PartOf(seat=game.seats["Ashkar"], amount=9), PartOf(seat=game.seats["Belun"], amount=4))
    with pytest.raises(Refused) as inexact:
        game.by("Ashkar", CastPower(parts=parts, **quake))
    assert inexact.value.code == "mana.split"
    game.cast("Ashkar", "earthquake", at(0), parts={"Ashkar": 10, "Belun": 4})
    assert game.mana() == {"Ashkar": 40, "Belun": 10}
    shaken = game.by("Belun", AnswerCasting(prompt=game.prompt_of("CASTING.join"), yes=True))
    assert game.mana() == {"Ashkar": 30, "Belun": 6}

    # Half of 6 and half of 6 are counted, 6 in all; mountain folk halve them: 3 die. Three are given back, one at a
    # time, where most are still counted: first at column 0, then 1, then 0 again.
    (dead,) = of_kind(shaken, UnitsDied)
    assert (dead.counted, dead.units, dead.box) == (6, 3, "earth")
    assert {h.square.x: h.units for h in dead.losses} == {0: 1, 1: 2}
    # One city is named; half of it, up, is one. With the last city goes Civilization, and all that needs it.
    assert len(of_kind(shaken, CityDestroyed)) == 1
    assert of_kind(shaken, CivilizationLost) == [
        event_like(CivilizationLost, knowledges=("civilization", "law", "writing"))
    ]
    people = game.state.races[elamites]
    assert people.level is Level.BARBARIAN and people.knowledges == ("agriculture", "toolmaking", "tribal_law")
    # As barbarians they have room for 3 + 1 on a square: one of five at column 0 moves on to the next free square.
    assert game.units("Elamites") == {0: 4, 1: 4, 2: 3, 3: 1}

    # Lost Lore takes a random knowledge; a die of 1 is the first by name, agriculture. The limits fall to 3: two are
    # above, as barbarians one of them stays where most room is, one spreads. Nobody starves.
    game.cast("Ashkar", "lost_lore", Target(race=elamites))
    lost = game.dice(("d3 G2-KNOW-4", 1))
    assert of_kind(lost, KnowledgeLost) == [event_like(KnowledgeLost, knowledges=("agriculture",))]
    assert game.units("Elamites") == {0: 3, 1: 3, 2: 3, 3: 2, 4: 1}
    assert game.mana()["Ashkar"] == 15

    # The century's mana. Ashkar: 12 worshippers x 50% x (0.04 x 2 + 0.04 x 4) = 1.44; three dead by earth x 0.05 x 2 =
    # 0.3; a city destroyed 1 x 4 = 4: 5.74. Belun: 6 x (0.04 + 0.05 + 0.04 x 2) = 1.02; 3 x 0.05 = 0.15: 1.17.
    century = game.pay_mana(25)
    assert {(e.seat, str(e.earned), e.amount, str(e.carried)) for e in of_kind(century, ManaPaid)} == {
        (game.seats["Ashkar"], "5.74", 5, "0.74"),
        (game.seats["Belun"], "1.17", 1, "0.17"),
    }

    # Century 2: the call to arms is over, the harvest begins before growth: 12 x (25 + 25)% = 6. Three stay and fill
    # the last room, three find no free square and starve: +2 Aggression, for barbarians 2 + 2.
    game.until(30)
    century = game.dice(("d6 G2-AGG-3", 1))
    (grew,) = of_kind(century, RaceGrew)
    assert (grew.before, grew.rate, grew.gained) == (12, 50, 6)
    assert of_kind(century, UnitsStarved) == [event_like(UnitsStarved, units=3, aggression=2)]
    assert game.units("Elamites") == {0: 3, 1: 3, 2: 3, 3: 3, 4: 3}
    assert [e.aggression for e in of_kind(century, AggressionRolled)] == [4]
    assert stat(game.state, elamites, "military").value == 1  # barbarians
    game.cast("Belun", "call_to_arms", Target(race=elamites))
    assert stat(game.state, elamites, "military").value == 3

    # Century 3: of 15 and 4 new ones nobody finds room; the harvest is long over.
    game.until(60)
    century = game.dice(("d6 G2-AGG-3", 1))
    (grew,) = of_kind(century, RaceGrew)
    assert (grew.before, grew.rate, grew.gained) == (15, 25, 4)
    assert of_kind(century, UnitsStarved) == [event_like(UnitsStarved, units=4, aggression=2)]
    game.assert_transcript("powers")
