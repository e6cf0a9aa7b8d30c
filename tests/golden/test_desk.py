"""Golden game: the game-master at a live event. The GM previews growth and a war, and places units and losses."""

from collections.abc import Callable

import pytest

from games.engine.lifecycle.gm_commands import Start
from games.engine.prompts.prompt import DeadlinePassed
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.century.events import GrowthOrdered
from games.gods2.rules.century.worksheet_events import WorksheetClosed
from games.gods2.rules.declarations.events import CasualtiesPreviewed
from games.gods2.rules.growth.events import GrowthPreviewed
from games.gods2.rules.growth.order_commands import SetGrowthOrder
from games.gods2.rules.growth.preview_commands import PlaceGrowth
from games.gods2.rules.state.records import DiplomacyPolicy
from games.gods2.rules.state.value_types import Held
from games.gods2.rules.war.preview_commands import SetCasualties
from games.gods2.rules.war.schedule_commands import SetDiplomacy
from tests.golden.stage import Story, spot
from tests.playbook import of_kind


def by_column(held: tuple[Held, ...]) -> dict[int, int]:
    """Units by column of row 0."""
    return {each.square.x: each.units for each in held}


def placements(units: dict[int, int]) -> tuple[Held, ...]:
    """The same as a command names them."""
    return tuple(Held(square=spot(column), units=count) for column, count in units.items())


@pytest.mark.once
@pytest.mark.rule("G2-GROW-1", "G2-GROW-4", "G2-GROW-10", "G2-WAR-3", "G2-WAR-8", "G2-DIP-2", "G2-CALC-2")
def test_the_game_master_places_what_the_rules_leave_open(story: Callable[..., Story]) -> None:
    game = story(previews=True)
    game.earth("PPPPPPPPPP")
    game.god("Tyr", WA=2)
    game.god("Freyja")
    game.race("Goths", {1: 2, 2: 2, 3: 2, 4: 2}, knows=("tribal_law", "archery"), worships={"Tyr": 100})
    game.race("Huns", {5: 3, 6: 3, 7: 2}, knows=("tribal_law",), worships={"Freyja": 100})
    goths, huns = game.races["Goths"], game.races["Huns"]

    # Before the first century the GM is asked in which order the races grow, and says so: no die is drawn.
    game.by_gm(Start())
    game.by_gm(SetGrowthOrder(races=(huns, goths)))
    opened = game.by_gm(OpenSession())
    assert [e.races for e in of_kind(opened, GrowthOrdered)] == [(huns, goths)]

    # 8 Huns and ceil(2.0) = 2: one spreads to column 8, one stays where most room is. Silence lets it happen.
    (shown,) = of_kind(opened, GrowthPreviewed)
    assert (shown.race, by_column(shown.placed)) == (huns, {5: 3, 6: 3, 7: 3, 8: 1})
    passed = game.wait(20 / 60)
    assert of_kind(passed, DeadlinePassed) and game.units("Huns") == {5: 3, 6: 3, 7: 3, 8: 1}

    # 8 Goths and 2: by the rules the one who stays joins column 2; the GM wants it at the border.
    (shown,) = of_kind(passed, GrowthPreviewed)
    assert (shown.race, by_column(shown.placed)) == (goths, {0: 1, 1: 2, 2: 3, 3: 2, 4: 2})
    game.by_gm(PlaceGrowth(prompt=shown.prompt, placed=placements({0: 1, 1: 2, 2: 2, 3: 2, 4: 3})))
    game.dice(("d6 G2-AGG-3", 1), ("d6 G2-AGG-3", 1))
    assert game.units("Goths") == {0: 1, 1: 2, 2: 2, 3: 2, 4: 3}

    # Tyr sends the Goths against the Huns; the GM lets the Huns refrain from diplomacy and does not hold the war.
    game.by("Tyr", DeclareWar(attacker=goths, defender=huns))
    (war,) = game.state.wars
    for race in (goths, huns):
        game.by_gm(SetDiplomacy(war=war, race=race, policy=DiplomacyPolicy.REFRAIN))
    before = game.wait(5)
    (losses,) = of_kind(before, CasualtiesPreviewed)
    # Archery is worth one: 10 Goths kill 11% of 10, two; 10 Huns 9%, one. By the rules those at the border die.
    assert by_column(losses.losses) == {4: 1, 5: 2}
    game.by_gm(
        SetCasualties(prompt=losses.prompt, losses=placements({4: 1, 5: 1, 6: 1}), text="They came over the hills")
    )
    assert game.units("Goths") == {0: 1, 1: 2, 2: 2, 3: 2, 4: 2} and game.units("Huns") == {5: 2, 6: 2, 7: 3, 8: 1}

    # Nobody touches the worksheet, nobody says who grows first: it counts as it is, and the next order is drawn.
    first = sorted(game.races, key=game.races.__getitem__).index("Huns") + 1
    closed = [*game.until(30), *game.dice(("d2 G2-GROW-1", first))]
    assert [line.count for e in of_kind(closed, WorksheetClosed) for line in e.lines if line.box == "war"] == [3]
    assert [e.races for e in of_kind(closed, GrowthOrdered)] == [(huns, goths)]
    game.assert_transcript("desk")
