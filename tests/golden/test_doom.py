"""Golden game: a people goes east, freezes, dies out; and the gods create mortals a second time."""

from collections.abc import Callable

import pytest

from games.gods2.rules.cascade.events import RaceDestroyed
from games.gods2.rules.casting.migration_commands import OrderMigration
from games.gods2.rules.century.events import CenturyOpened
from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.growth.events import MigrationEnded, RaceGrew
from games.gods2.rules.mana.events import ManaPaid
from games.gods2.rules.setup.commands import DefineRace
from games.gods2.rules.setup.creation_commands import StartSecondCreation
from games.gods2.rules.setup.events import CreationOpened, SecondCreationCalled
from games.gods2.rules.state.value_types import Held, ShareOf, Target
from games.gods2.rules.units.events import UnitsStarved
from tests.golden.stage import Story, at, spot
from tests.playbook import event_like, of_kind


@pytest.mark.once
@pytest.mark.rule("G2-GROW-4", "G2-GROW-8", "G2-GROW-11", "G2-RES-9", "G2-LIM-3", "G2-LIM-4", "G2-AMB-21", "G2-POP-5")
@pytest.mark.rule("G2-CREA-1", "G2-CREA-2", "G2-AMB-49", "G2-MANA-3", "G2-DIS-5")
def test_the_lemurians_die_out_and_mu_is_made(story: Callable[..., Story]) -> None:
    game = story()
    game.earth("WPPPPW")
    game.god("Thalune", 60, SI=3, DE=1)
    game.race("Lemurians", {1: 2, 2: 2}, knows=["tribal_law"], worships={"Thalune": 100})
    quiet = ("d6 G2-AGG-3", 1)
    # Century 1: 4 and 1 new one, who spreads.
    game.begins(quiet)
    lemurians = game.races["Lemurians"]
    assert game.units("Lemurians") == {1: 2, 2: 2, 3: 1}
    game.by("Thalune", OrderMigration(race=lemurians, direction="e"))
    assert game.mana()["Thalune"] == 60 - 10

    # Century 2: of 5 and 2 new ones one stays on each old square; four fill the land from its east end, 3 to a square.
    game.until(30)
    century = game.dice(quiet)
    assert game.units("Lemurians") == {1: 1, 2: 1, 3: 2, 4: 3}
    assert of_kind(century, MigrationEnded) == [event_like(MigrationEnded, race=lemurians)]
    # An arctic blast cuts their limit on plains by 2 to the century's end: 1 on each square. Three are above it and
    # find no room: they starve, and are no angrier for it.
    cold = game.cast("Thalune", "arctic_blast", Target(race=lemurians))
    assert of_kind(cold, UnitsStarved) == [event_like(UnitsStarved, units=3, aggression=0)]
    assert game.units("Lemurians") == {1: 1, 2: 1, 3: 1, 4: 1}
    assert stat(game.state, lemurians, "aggression").value == 2

    # Century 3: the limits are what they were, the migration is over. One is born; it spreads, but there is no free
    # land; it stays where most room is, nearest the centre.
    game.until(60)
    game.dice(quiet)
    assert game.units("Lemurians") == {1: 1, 2: 2, 3: 1, 4: 1}
    # Wasting kills two on a square, or as many as there are.
    for column in (1, 2, 3):
        assert not of_kind(game.cast("Thalune", "wasting", at(column)), RaceDestroyed)
    last = game.cast("Thalune", "wasting", at(4))
    assert of_kind(last, RaceDestroyed) == [event_like(RaceDestroyed, race=lemurians)]
    # Thalune (3 cards of Sky & Ice, 1 of Death) earns 0.04 x 3 + 0.04 for each worshipper and 0.05 for each who dies:
    # 5 x 0.16 = 0.8 in century 1; 4 x 0.16 + 3 x 0.05 = 0.79 in century 2, of 1.59 in all 1 was paid.
    assert game.mana()["Thalune"] == 50 - 9 + 1 - 4 * 3

    # Nobody worships any more. Five dead are 0.25, a race destroyed is 2; with the 0.59 carried 2 are paid. No mortal
    # is left: a second Creation is called for.
    century = game.until(90)
    assert [(str(e.earned), e.amount, str(e.carried)) for e in of_kind(century, ManaPaid)] == [("2.25", 2, "0.84")]
    assert of_kind(century, SecondCreationCalled) == [event_like(SecondCreationCalled, century=4)]

    # The GM lets it start: it takes the place of century 4, with neither growth nor wars.
    begun = game.by_gm(StartSecondCreation())
    assert of_kind(begun, CreationOpened) == [event_like(CreationOpened, century=4)]
    assert not of_kind(begun, RaceGrew, CenturyOpened)
    game.by_gm(
        DefineRace(
            name="Mu",
            placed=(Held(square=spot(2), units=1),),
            pantheon=(ShareOf(member=str(game.seats["Thalune"]), share=10_000),),
        )
    )
    century = game.until(120)
    assert not of_kind(century, RaceGrew)
    # Century 5: the people of Mu grow, to the free square with more of their own beside it - both have one - in the
    # west.
    game.races["Mu"] = next(r.id for r in game.state.living())
    century = [*century, *game.dice(quiet)]
    assert of_kind(century, CenturyOpened) == [event_like(CenturyOpened, century=5)]
    assert game.units("Mu") == {1: 1, 2: 1}
    game.assert_transcript("doom")
