"""Terrain that spreads (G2-TERR-4): glaciers, deserts, forests that are cut."""

from dataclasses import replace

import pytest

from games.gods2.rules.effects.events import FeatureRemoved, TerrainChanged, TerrainSpreadRolled
from games.gods2.rules.mana.events import SourceCounted
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.value_types import Place
from tests.dice import d
from tests.playbook import event_like, of_kind
from tests.rules.gods2.lands import GLACIER, SANDS, century_begins, glacial, spreads, terrain
from tests.rules.gods2.worlds import earth_of, id_of, race


@pytest.mark.rule("G2-W73", "G2-TERR-4", "G2-AMB-66", "G2-DICE-3")
def test_a_glacier_grows_on_from_the_ice_that_is_joined_to_it() -> None:
    state = glacial(["IPPPW"])
    assert spreads(century_begins(state, d(6, "spread/I", 5))) == [("spread", (0, 1))]
    assert spreads(century_begins(state, d(6, "spread/I", 6))) == [("spread", (0, 2))]
    assert spreads(century_begins(state, d(6, "spread/I", 4))) == [("nothing", None)]
    assert terrain(state) == ["IIIPW"]


@pytest.mark.rule("G2-W73", "G2-TERR-2", "G2-TERR-4")
def test_a_glacier_stops_before_a_resistant_feature() -> None:
    state = glacial(["IIPPW"], ("stable_ground", (0, 2)))
    assert spreads(century_begins(state, d(6, "spread/I", 6))) == [("nothing", None)]
    assert terrain(state) == ["IIPPW"]


@pytest.mark.rule("G2-W73", "G2-TERR-4")
def test_ice_that_is_not_joined_to_the_glacier_does_not_grow() -> None:
    state = glacial(["IPIP"])
    assert spreads(century_begins(state, d(6, "spread/I", 5))) == [("spread", (0, 1))]
    assert spreads(century_begins(state, d(6, "spread/I", 5))) == [("spread", (0, 3))]


@pytest.mark.rule("G2-W73", "G2-TERR-4", "G2-DICE-3")
@pytest.mark.parametrize(("die", "square"), [(1, (0, 1)), (2, (1, 0)), (3, (1, 1))])
def test_of_several_candidates_one_is_drawn_by_row_and_column(die, square) -> None:
    state = glacial(["IPP", "PPP"])
    (rolled, changed, *_) = century_begins(state, d(6, "spread/I", 5), d(3, "where", die))
    assert rolled == event_like(
        TerrainSpreadRolled, feature=id_of(f"{GLACIER} 0 0"), race=None, square=Place(x=square[1], y=square[0])
    )
    assert changed == event_like(TerrainChanged, terrain="I", squares=(rolled.square,), cause=f"feature:{GLACIER}")


@pytest.mark.rule("G2-TERR-4")
def test_every_square_with_the_feature_rolls_once_and_water_never_freezes() -> None:
    state = glacial(["IW", "WI"], (GLACIER, (1, 1)))
    assert spreads(century_begins(state, d(6, "spread/I", 6, 6))) == [("nothing", None)] * 2
    state = glacial(["IPWPI"], (GLACIER, (0, 4)))
    assert spreads(century_begins(state, d(6, "spread/I", 4, 5))) == [("nothing", None), ("spread", (0, 3))]


@pytest.mark.rule("G2-TERR-4", "G2-AMB-66")
def test_squares_that_touch_at_a_corner_are_joined_unless_the_game_says_otherwise() -> None:
    state = glacial(["IW", "WP"])
    assert spreads(century_begins(state, d(6, "spread/I", 6))) == [("spread", (1, 1))]
    state = glacial(["IW", "WP"])
    state.info = replace(state.info, options=Gods2Options(adjacency=4).model_dump_json())
    assert spreads(century_begins(state, d(6, "spread/I", 6))) == [("nothing", None)]


@pytest.mark.rule("G2-SEQ-2", "G2-TERR-4", "G2-MANA-7")
def test_deserts_spread_over_plains_alone_and_only_ice_is_counted_as_a_glacier() -> None:
    state = earth_of(["DFP"], features=[(SANDS, (0, 0))])
    assert spreads(century_begins(state, d(6, "spread/D", 6))) == [("nothing", None)]
    state = earth_of(["DPF"], features=[(SANDS, (0, 0)), ("dead_zone", (0, 1))])
    events = century_begins(state, d(6, "spread/D", 5))
    assert terrain(state) == ["DDF"]
    assert len(of_kind(events, FeatureRemoved)) == 1
    assert not of_kind(events, SourceCounted)
    assert [e.source for e in of_kind(century_begins(glacial(["IP"]), d(6, "spread/I", 5)), SourceCounted)] == [
        "si_glacier_spread"
    ]


ENGINEERS = race("Engineers", {(0, 0): 1, (0, 1): 1, (0, 3): 1}, "civilized", knowledges=["engineering"])


@pytest.mark.rule("G2-SEQ-2", "G2-TERR-4", "G2-TERR-2", "G2-DICE-3")
@pytest.mark.parametrize(("die", "where", "after"), [(3, (), "PFFFF"), (4, (1,), "PPFFF"), (6, (2,), "PFFPF")])
def test_a_race_that_knows_engineering_cuts_its_own_forests(die, where, after) -> None:
    state = earth_of(["PFFFF"], ENGINEERS)
    events = century_begins(state, d(6, "spread/P", die), d(2, "where", *where))
    assert terrain(state) == [after]
    assert of_kind(events, TerrainSpreadRolled) == [event_like(TerrainSpreadRolled, race=ENGINEERS.id, feature=None)]
    state = earth_of(["PFFFF"], ENGINEERS, features=[("stable_ground", (0, 1))])
    century_begins(state, d(6, "spread/P", 6))
    assert terrain(state) == ["PFFPF"]
