"""Golden game: a people learns Civilization, founds Ur, and loses it in a war that the game-master holds."""

from collections.abc import Callable

import pytest

from games.engine.errors import Refused
from games.gods2.rules.cascade.events import WarLapsed
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.cities.events import CityFounded, CityRaised, CivilizationLost
from games.gods2.rules.history.commands import NamePlace
from games.gods2.rules.mana.events import ManaPaid
from games.gods2.rules.state.records import CityKind, Level
from games.gods2.rules.state.value_types import Target
from games.gods2.rules.war.events import (
    CityFell,
    DiplomacyTried,
    SquaresTaken,
    SquaresVacated,
    UnitsRetreated,
    WarFought,
)
from games.gods2.rules.war.schedule_commands import FightWarNow, HoldWar
from tests.golden.stage import Story, spot
from tests.playbook import event_like, of_kind

CIVILIZED = ("tribal_law", "toolmaking", "agriculture", "civilization")
WARLIKE = ("archery", "fire_keeping", "pottery", "metalworking", "iron_weapons", "writing", "tactics")


def ur(story: Story) -> None:
    """Barbarian Sumerians at columns 1 to 4, the Assyrians with their city Assur at columns 5 to 9."""
    story.earth("PPPPPPPPPP")
    story.god("Maribelle", 40, CW=4)
    story.god("Gordrun", 20, WA=2)
    story.race("Sumerians", {2: 2, 3: 2, 4: 4}, knows=CIVILIZED[:3], worships={"Maribelle": 100})
    story.race(
        "Assyrians", {5: 5, 6: 5, 7: 5, 8: 5}, attributes=["warlike"], knows=(*CIVILIZED, *WARLIKE),
        worships={"Gordrun": 100}, cities={6: "city"},
    )  # fmt: skip


@pytest.mark.once
@pytest.mark.rule("G2-POP-3", "G2-GROW-4", "G2-GROW-5", "G2-CITY-3", "G2-CITY-5", "G2-CITY-12", "G2-WAR-2", "G2-WAR-3")
@pytest.mark.rule("G2-WAR-6", "G2-WAR-8", "G2-WAR-9", "G2-WAR-10", "G2-WAR-12", "G2-WAR-14", "G2-CITY-9", "G2-MANA-5")
@pytest.mark.rule("G2-WAR-1", "G2-DIP-3", "G2-DIP-4", "G2-AMB-9", "G2-WLTH-2", "G2-MIL-1", "G2-POP-2")
def test_ur_is_founded_raised_and_captured(story: Callable[..., Story]) -> None:
    game = story()
    ur(game)

    # Century 1. The Sumerians grow first: 8 and ceil(2.0) = 2 new ones; as barbarians one spreads, one stays.
    first = sorted(game.races, key=game.races.__getitem__).index("Sumerians") + 1
    aggression = ("d6 G2-AGG-3", 1)  # 1 + 2 = 3: nobody is angry
    game.begins(("d2 G2-GROW-1", first), aggression, aggression)
    # The one who stays goes where most room is, nearest the centre: their limit is 3 + 1 for agriculture.
    assert game.units("Sumerians") == {1: 1, 2: 2, 3: 3, 4: 4}
    # 20 Assyrians and 5: four fill their squares (limit 5 + 1), one spills to the only free square that they reach.
    assert game.units("Assyrians") == {5: 6, 6: 6, 7: 6, 8: 6, 9: 1}

    # Maribelle teaches Civilization for 12 mana: a city at once, on the square with most people. She names it.
    taught = game.cast("Maribelle", "teach_civilization", Target(race=game.races["Sumerians"]))
    (founded,) = of_kind(taught, CityFounded)
    assert founded == event_like(CityFounded, race=game.races["Sumerians"], square=spot(4))
    game.by("Maribelle", NamePlace(kind="city", subject=founded.city, name="Ur"))
    # ... and makes Ur a great city for 20.
    raised = game.cast("Maribelle", "found_great_city", Target(city=founded.city))
    assert of_kind(raised, CityRaised) == [event_like(CityRaised, city=founded.city)]
    assert game.mana() == {"Maribelle": 40 - 12 - 20, "Gordrun": 20}

    # Gordrun lets the Assyrians declare war, twice; a war is fought five minutes later.
    game.wait(1)
    war = DeclareWar(attacker=game.races["Assyrians"], defender=game.races["Sumerians"])
    game.by("Gordrun", war)
    game.by("Gordrun", war)
    wars = sorted(game.state.wars.values(), key=lambda w: w.number)
    assert game.mana()["Gordrun"] == 20 - 6 - 6
    # The GM holds the first for two minutes, no longer than ten in all; nothing happens when it would have been due ...
    game.by_gm(HoldWar(war=wars[0].id, seconds=120))
    game.by_gm(HoldWar(war=wars[1].id, seconds=480))
    with pytest.raises(Refused, match="held") as held:
        game.by_gm(HoldWar(war=wars[1].id, seconds=121))
    assert held.value.code == "war.held"
    assert of_kind(game.wait(5.5), WarFought) == []

    # ... and then lets it be fought. Assyrians: warlike 1, archery 1, metalworking 1, iron 2, tactics 2, and 1 for the
    # Wealth of 3 (tools, pottery, Assur) are Military 8: 10 + 8 = 18%. Sumerians: 10 - 8 = 2%. Strengths 25 + 3, 10 +
    # 6. 18% of 28 kill ceil(5.04) = 6, 2% of 16 kill ceil(0.32) = 1. Only those who fear to lose 6 of 10 try diplomacy:
    # even a six is 6 + 0 - 2 = 4 and averts nothing.
    game.by_gm(FightWarNow(war=wars[0].id))
    fought = game.dice(("d6 G2-DIP-4", 6), ("d6 G2-WAR-14", 3))
    assert of_kind(fought, DiplomacyTried) == [event_like(DiplomacyTried, race=game.races["Sumerians"], yes=False)]
    (event,) = of_kind(fought, WarFought)
    assert [(s.strength, s.military, s.percent, s.losses) for s in event.sides] == [(28, 8, 18, 1), (16, 0, 2, 6)]
    # 6 > 1 and 2 x 6 >= 3 x 1: the Sumerians lose and vacate floor(5 / 2) = 2 squares. In ring 1 four die at Ur, in
    # ring 2 two of three; Ur and the square behind it are vacated, and the one who is left there retreats beside it.
    (vacated,) = of_kind(fought, SquaresVacated)
    assert vacated.squares == (spot(4), spot(3))
    (retreat,) = of_kind(fought, UnitsRetreated)
    assert [(m.from_square, m.to_square, m.units) for m in retreat.moves] == [(spot(3), spot(2), 1)]
    # Two Assyrians move into Ur, from the fullest squares, the nearest first; the square behind is out of their reach.
    (taken,) = of_kind(fought, SquaresTaken)
    assert {(m.from_square.x, m.to_square.x, m.units) for m in taken.moves} == {(6, 4, 1), (7, 4, 1)}
    # A die of 3 is above their Aggression of 2: Ur is not burnt. It is theirs, and still a great city.
    assert [(e.race, e.square, e.kind) for e in of_kind(fought, CityFell)] == [
        (game.races["Assyrians"], spot(4), CityKind.GREAT)
    ]
    assert of_kind(fought, CivilizationLost) == [event_like(CivilizationLost, knowledges=("civilization",))]
    assert game.state.races[game.races["Sumerians"]].level is Level.BARBARIAN
    assert (game.units("Sumerians"), game.units("Assyrians")) == ({1: 1, 2: 3}, {4: 2, 5: 5, 6: 5, 7: 5, 8: 6, 9: 1})

    # Nobody reaches anybody now: the second war lapses when it is due.
    lapsed = of_kind(game.until(20), WarLapsed)
    assert lapsed == [event_like(WarLapsed, war=wars[1].id)]

    # The end of the century. Maribelle (4 cards): worshippers 4 x 0.05 x 4 = 0.8; Assur 0.25 x 4 = 1; the great city
    # 0.60 x 4 = 2.4; a city founded 1 x 4 = 4: 8.2. Gordrun (2 cards): 24 + 3 + 6 worshippers x 0.05 x 2 = 3.3; seven
    # dead in war x 0.10 x 2 = 1.4; a war fought 0.3 x 2 = 0.6: 5.3.
    paid = of_kind(game.pay_mana(25), ManaPaid)
    assert {(str(e.seat), str(e.earned), e.amount, str(e.carried)) for e in paid} == {
        (str(game.seats["Maribelle"]), "8.2", 8, "0.2"),
        (str(game.seats["Gordrun"]), "5.3", 5, "0.3"),
    }
    assert game.mana() == {"Maribelle": 8 + 8, "Gordrun": 8 + 5}
    game.assert_transcript("war")
