"""Clauses of The Gods II that no other test holds."""

import inspect
from dataclasses import replace

import pytest

from games.engine.board.grid import squares_in
from games.engine.game_state import dump
from games.engine.kernel import apply_events
from games.engine.lifecycle.gm_commands import EndNow
from games.gods2.pack import pack_files
from games.gods2.rules import RULESET
from games.gods2.rules.cascade.settling import settle
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.century.start import start_events
from games.gods2.rules.cities.events import CivilizationLost
from games.gods2.rules.effects.events import AttributeGained
from games.gods2.rules.geometry.adjacency import IS_LAND
from games.gods2.rules.geometry.reach import reach
from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.gm_desk.commands import RecordLaw
from games.gods2.rules.growth.events import RaceGrew
from games.gods2.rules.growth.rules import grow
from games.gods2.rules.mana.events import ManaGained
from games.gods2.rules.pack.operations import Cult
from games.gods2.rules.pack.pack import build
from games.gods2.rules.pantheon.turmoil_events import CultGrew, TurmoilStarted
from games.gods2.rules.setup.commands import ConfigureGame, DefineGod
from games.gods2.rules.setup.events import RaceDefined
from games.gods2.rules.state.constants import TERRAINS
from games.gods2.rules.state.records import CityKind, Phase
from games.gods2.rules.state.value_types import Place, Target
from games.gods2.rules.units.events import UnitsMoved
from games.gods2.rules.war.events import SquaresTaken
from tests.dice import Source, d
from tests.playbook import of_kind, refused
from tests.rules.gods2.era import ANA, GM, HOST, B, define, lobby, set_up, two_peoples, units
from tests.rules.gods2.joint import with_powers
from tests.rules.gods2.lands import glacial, put
from tests.rules.gods2.raw_packs import raw_pack
from tests.rules.gods2.wars import fight_war, romans_and_greeks
from tests.rules.gods2.worlds import context, earth_of, happen, race


@pytest.mark.rule("G2-MAP-2")
@pytest.mark.parametrize(
    ("terrain", "letter", "is_land"),
    [
        ("plains", "P", True), ("forest", "F", True), ("desert", "D", True), ("mountains", "M", True),
        ("ice", "I", False), ("water", "W", False),
    ],
)  # fmt: skip
def test_land_is_the_first_four_of_six_terrains(terrain: str, letter: str, is_land: bool) -> None:
    assert len(TERRAINS) == len(set(TERRAINS)) == 6
    assert bool(IS_LAND[TERRAINS.index(letter)]) is is_land, terrain


@pytest.mark.rule("G2-POP-1")
def test_cities_drive_no_growth() -> None:
    """20 units with the strength of 32: a quarter of 20 is born."""
    cities = {(0, 0): CityKind.CITY, (0, 1): CityKind.CITY, (0, 2): CityKind.GREAT}
    norse = race("Norse", {(0, c): 5 for c in range(4)}, "civilized", cities=cities)
    state = earth_of(["PPPPPPPP"], norse)
    (grown,) = of_kind(happen(state, lambda s, ctx: grow(s, ctx, norse.id)), RaceGrew)
    assert (grown.before, grown.rate, grown.gained) == (20, 25, 5)


@pytest.mark.rule("G2-ATTR-1")
def test_of_all_events_the_definition_of_a_race_and_a_trait_of_a_creation_alone_give_it_attributes() -> None:
    giving = {kind for kind in RULESET.events.values() if "attributes" in inspect.getsource(kind.apply)}
    assert giving == {RaceDefined, AttributeGained}


@pytest.mark.rule("G2-KNOW-1")
@pytest.mark.parametrize("version", sorted(pack_files()))
def test_every_power_that_teaches_is_a_history_power(version: int) -> None:
    pack = pack_files()[version]
    teachers = {key for keys in pack.teachers.values() for key in keys}
    assert {pack.powers[key].kind for key in teachers} == {"history"}


@pytest.mark.rule("G2-KNOW-6")
def test_the_code_of_a_knowledge_changes_nothing_about_who_knows_it() -> None:
    raw = raw_pack(1)
    next(k for k in raw["knowledges"] if k["id"] == "archery")["code"] = "Ks"
    norse = race("Norse", {(0, 0): 1}, knowledges=("archery", "toolmaking"))
    plain, other = earth_of(["PP"], norse), earth_of(["PP"], norse, packs={1: build(1, raw)})
    assert plain.pack.knowledges["archery"].code == "Km"
    for name in ("military", "diplomacy", "wealth", "aggression", "growth_pct"):
        assert stat(plain, norse.id, name) == stat(other, norse.id, name)


@pytest.mark.rule("G2-MOD-8")
@pytest.mark.parametrize("version", sorted(pack_files()))
def test_every_power_of_the_code_mu_raises_a_cult(version: int) -> None:
    powers = [power for power in pack_files()[version].powers.values() if "Mu" in power.codes]
    assert powers and all(any(isinstance(effect, Cult) for effect in power.effects) for power in powers)


@pytest.mark.rule("G2-MOD-8")
def test_a_cult_asks_nobody_and_starts_no_turmoil_whoever_loses_by_it() -> None:
    book, dwarves, _ = two_peoples(cards={ANA: {"WA": 6}})
    before = book.state.shares[dwarves, B].share
    events = book.when(CastPower(power="cult_of_war", targets=(Target(race=dwarves),)), by=ANA)
    assert of_kind(events, CultGrew) and not of_kind(events, TurmoilStarted)
    assert book.state.shares[dwarves, B].share < before and not book.state.prompts


@pytest.mark.rule("G2-WLTH-3")
def test_a_power_that_asks_for_wealth_is_refused_to_a_poorer_race_and_costs_nothing() -> None:
    fair = {"codes": ["Mp"], "requires": [{"wealth_gte": 2}], "effects": []}
    book, dwarves, _ = with_powers(fair=fair)
    wish = CastPower(power="fair", targets=(Target(race=dwarves),))
    for attributes, wealth in (((), 0), (("greedy",), 2)):
        book.state.races[dwarves] = replace(book.state.races[dwarves], attributes=attributes)
        assert stat(book.state, dwarves, "wealth").value == wealth
        if wealth < 2:
            with refused("wealth.low", book.state):
                book.when(wish, by=ANA)
    assert book.when(wish, by=ANA)


@pytest.mark.rule("G2-TIME-4")
def test_the_phases_of_earth_bar_what_is_cast_on_it_and_nothing_in_heaven() -> None:
    book, dwarves, _ = two_peoples(cards={ANA: {"NA": 6}})
    book.when(EndNow(), by=GM)
    assert book.state.era.phase is Phase.RECKONING
    with refused("phase.closed", book.state):
        book.when(CastPower(power="teach_hunting_lore", targets=(Target(race=dwarves),)), by=ANA)
    book.when(RecordLaw(name="Of Stars"), by=GM)
    assert "Of Stars" in book.state.laws


@pytest.mark.rule("G2-LVL-4")
@pytest.mark.parametrize(("level", "may"), [("primitive", False), ("barbarian", False), ("civilized", True)])
def test_of_three_levels_the_civilized_alone_own_cities(level: str, may: bool) -> None:
    norse = race("Norse", {(0, 0): 1}, level, cities={(0, 0): CityKind.CITY})
    state = earth_of(["PPP"], norse)
    happen(state, lambda s, ctx: settle(s, ctx, "a test"))
    assert bool(state.cities) is may


@pytest.mark.rule("G2-LVL-4")
def test_the_civilized_move_into_the_squares_that_the_loser_vacates() -> None:
    state, romans, greeks = romans_and_greeks()
    dice = [d(6, "diplomacy/defender", 1), d(6, "city", 1)]
    (taken,) = of_kind(fight_war(state, romans, greeks, dice), SquaresTaken)
    assert taken.race == romans.id and Place(x=5, y=0) in [move.to_square for move in taken.moves]


@pytest.mark.rule("G2-AMB-2")
def test_a_foreign_square_is_reached_and_not_crossed() -> None:
    norse = race("Norse", {(0, 0): 1}, attributes=["wanderers"])
    for others, squares in (((), [(0, 1), (0, 2)]), ((race("Picts", {(0, 1): 1}),), [(0, 1)])):
        assert squares_in(reach(earth_of(["PPPP"], norse, *others), norse.id)) == squares


@pytest.mark.rule("G2-AMB-43")
def test_the_level_falls_with_the_last_city_before_anybody_is_moved() -> None:
    norse = race("Norse", {(0, 0): 5, (0, 1): 5}, "civilized", cities={})
    events = happen(earth_of(["PPPP"], norse), lambda s, ctx: settle(s, ctx, "a test"))
    assert [type(e) for e in of_kind(events, CivilizationLost, UnitsMoved)] == [CivilizationLost, UnitsMoved]


class RowsOfDice:
    """The dice of a log as a source: each is found by its label, and none may be missing."""

    def __init__(self, rows: dict[tuple[str, int], int]) -> None:
        self.rows = rows

    def value(self, label: str, index: int, sides: int) -> tuple[int, Source]:
        """The value in the row of this die."""
        return self.rows[label, index], Source.TEST


@pytest.mark.rule("G2-DICE-1")
@pytest.mark.parametrize("face", [4, 5])
def test_the_same_rows_decide_the_same_century_again(face: int) -> None:
    first, again = glacial(["IPPP"]), glacial(["IPPP"])
    assert dump(first) == dump(again)
    given: dict[tuple[str, int], int] = {}

    class Noted:
        def value(self, label: str, index: int, sides: int) -> tuple[int, Source]:
            given[label, index] = face if sides == 6 else 1
            return given[label, index], Source.TEST

    for state, dice in ((first, Noted()), (again, RowsOfDice(given))):
        state.set_era(phase=Phase.STARTING)
        ctx = context(dice)
        records = apply_events(state, start_events(state, ctx), ctx)
        rows = {(roll.label, roll.index): roll.value for record in records for roll in record.rolls}
        assert rows == given
    assert dump(first) == dump(again)


@pytest.mark.rule("G2-SET-1")
@pytest.mark.parametrize("what", ["features", "a race"])
def test_pack_and_options_stay_once_the_map_has_features_or_a_race_stands(what: str) -> None:
    book = set_up()
    book.when(ConfigureGame(pack_version=1), by=HOST)  # the bare map is no hindrance
    if what == "a race":
        define(book, "Elves", units((0, 0, 1)))
    else:
        put(book.state, "fertile_land", 0, 0)
    with refused("config.range", book.state):
        book.when(ConfigureGame(pack_version=1), by=HOST)


@pytest.mark.rule("G2-SET-1")
def test_a_god_starts_with_the_amount_that_the_host_gives_instead() -> None:
    book = lobby()
    given = of_kind(book.when(DefineGod(seat=ANA, name="Ashkar", amount=7), by=HOST), ManaGained)
    assert [(e.seat, e.amount, e.balance) for e in given] == [(ANA, 7, 7)]
