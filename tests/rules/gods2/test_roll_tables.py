"""Roll tables, and powers that work again on a neighbour (sections 4.2 and 4.5 of the rulebook)."""

from dataclasses import replace

import pytest

from games.engine.kernel import Event
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.effects.events import PowerRepeated, TableRolled
from games.gods2.rules.pack.operations import RollTable
from games.gods2.rules.pack.pack import Pack, build
from games.gods2.rules.pantheon.turmoil_events import TurmoilStarted
from games.gods2.rules.state.state import State
from games.gods2.rules.units.events import UnitsDied
from tests.dice import Planted, d
from tests.playbook import event_like, of_kind
from tests.rules.gods2.era import ANA, shares
from tests.rules.gods2.lands import game, put, terrain, work
from tests.rules.gods2.raw_packs import raw_pack
from tests.rules.gods2.worlds import People, earth_of, race, units_of


@pytest.mark.rule("G2-DICE-1", "G2-DICE-3", "G2-MISC-1")
def test_the_land_is_shattered_on_ten_squares_drawn_without_repetition() -> None:
    book = game(("PPPPPPWI", "PPPPWWWW", "WWPPWWWW"))
    put(book.state, "stable_ground", 0, 0)
    # 10 land squares without a resistant feature, and one with it, 12 with those of the Dwarves.
    drawn = [d(11 - n, "random_terrain/squares", 11 if n == 0 else 1) for n in range(10)]
    dice = [*drawn, d(6, "random_terrain", *range(1, 7), 1, 1, 1, 1)]
    events = book.when(CastPower(power="shattered_land"), by=ANA, dice=dice)
    rolled = of_kind(events, TableRolled)
    assert [(e.square.y, e.square.x) for e in rolled] == [
        (2, 3), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 0), (1, 1), (1, 2), (1, 3),
    ]  # fmt: skip
    assert [e.row for e in rolled] == [1, 2, 3, 4, 5, 6, 1, 1, 1, 1]
    assert terrain(book.state)[0] == "PFDMIWWI"
    rolls = [h.rolls for h in book.log if isinstance(h.event, TableRolled)]
    assert [(r.sides, r.value) for r in rolls[0]] == [*[(11, 11)], *((n, 1) for n in range(10, 1, -1)), (6, 1)]
    assert [[(r.sides, r.value) for r in row] for row in rolls[1:3]] == [[(6, 2)], [(6, 3)]]
    assert {r.rule for row in rolls for r in row} == {"G2-MISC-1"}
    assert len({(r.label, r.index) for row in rolls for r in row}) == sum(map(len, rolls)) == 20


@pytest.mark.rule("G2-DICE-3")
def test_the_last_square_needs_no_die_and_fewer_squares_than_wanted_are_all_taken() -> None:
    state = earth_of(["WPW", "PWW"])
    (roll,) = state.pack.powers["shattered_land"].effects
    events = work(state, [roll], dice=[d(2, "random_terrain/squares", 1), d(6, "random_terrain", 6, 5)], earth=True)
    assert [(e.square.y, e.square.x) for e in of_kind(events, TableRolled)] == [(0, 1), (1, 0)]
    assert terrain(state) == ["WWW", "IWW"]
    assert work(earth_of(["WI"]), [roll], earth=True) == []


def test_a_result_without_a_row_does_nothing_and_is_reported() -> None:
    elves = race("Elves", {(0, 0): 1})
    state = earth_of(["P"], elves)
    roll = next(e for e in state.pack.powers["pestilence"].effects if isinstance(e, RollTable))
    (event,) = work(state, [roll], dice=[d(6, "pestilence_spread", 3)], races=(elves.id,), power="pestilence")
    assert event == event_like(TableRolled, table="pestilence_spread", race=elves.id, row=None, square=None)


def wandering() -> dict[int, Pack]:
    """A pack with a power X that starts a turmoil and then goes on as Pestilence does."""
    raw = raw_pack(1)
    power = {
        "id": "wandering_doubt", "sphere": "CH", "level": 1, "name": "Wandering Doubt", "kind": "history",
        "codes": ["X"], "cost": 1, "target": "race", "requires": [{"lacks": "toolmaking"}], "origin": "test",
        "effects": [
            {"op": "turmoil", "state": "start"},
            {"op": "roll", "die": 6, "table": "pestilence_spread"},
        ],
    }  # fmt: skip
    raw["powers"].append(power)
    return {2: build(2, raw)}


def doubting(*peoples: People, rows: tuple[str, ...] = ("PPPPPP",)) -> State:
    """Peoples of two members each, so that a turmoil lasts."""
    doubters = (replace(people, faith=shares(atheism=50, diabolism=50)) for people in peoples)
    return earth_of(rows, *doubters, packs=wandering())


def wander(state: State, people: People, *dice: Planted) -> list[Event]:
    """Wandering Doubt works on a race."""
    effects = state.pack.powers["wandering_doubt"].effects
    return work(state, effects, dice, races=(people.id,), power="wandering_doubt")


@pytest.mark.rule("G2-MISC-1", "G2-DICE-3")
def test_a_power_goes_on_to_a_random_race_in_contact_and_not_further() -> None:
    one, two, three = race("One", {(0, 1): 1}), race("Two", {(0, 0): 1}), race("Three", {(0, 2): 1})
    far = race("Far", {(0, 5): 1})
    state = doubting(one, two, three, far)
    near = sorted([two.id, three.id])
    events = wander(state, one, d(6, "pestilence_spread", 4), d(2, "repeat", 2))
    assert [e.race for e in of_kind(events, PowerRepeated)] == [near[1]]
    assert [e.race for e in of_kind(events, TurmoilStarted)] == [one.id, near[1]]
    assert len(of_kind(events, TableRolled)) == 1  # a repeated working rolls no die to go on
    assert not of_kind(wander(doubting(one, two, three, far), one, d(6, "pestilence_spread", 3)), PowerRepeated)


@pytest.mark.rule("G2-MISC-1")
def test_one_race_in_contact_needs_no_die_and_none_ends_it() -> None:
    one, two = race("One", {(0, 1): 1}), race("Two", {(0, 2): 1})
    state = doubting(one, two)
    assert [e.race for e in of_kind(wander(state, one, d(6, "pestilence_spread", 6)), PowerRepeated)] == [two.id]
    assert not of_kind(wander(doubting(one), one, d(6, "pestilence_spread", 6)), PowerRepeated)


@pytest.mark.rule("G2-MISC-1")
def test_a_power_that_goes_on_is_barred_like_one_of_a_caster() -> None:
    one, two = race("One", {(0, 1): 1}), race("Two", {(0, 2): 1}, knowledges=["toolmaking"])
    state = doubting(one, two)
    events = wander(state, one, d(6, "pestilence_spread", 5))
    assert [e.race for e in of_kind(events, PowerRepeated)] == [two.id]
    assert [e.race for e in of_kind(events, TurmoilStarted)] == [one.id]


def pestilence(state: State, people: People, *dice: Planted) -> list[Event]:
    """Pestilence is cast on a race."""
    effects = state.pack.powers["pestilence"].effects
    return work(state, effects, dice, races=(people.id,), power="pestilence", codes=("Bn",))


@pytest.mark.rule("G2-MISC-1", "G2-DICE-3")
def test_a_pestilence_goes_on_to_one_neighbour_with_a_resistance_of_its_own() -> None:
    sick = race("Sick", {(0, 1): 3, (0, 2): 3}, "barbarian")
    hardy = race("Hardy", {(0, 3): 1, (0, 4): 1, (0, 5): 1, (0, 6): 1})
    state = earth_of(["PPPPPPP"], sick, hardy)
    events = pestilence(state, sick, d(6, "pestilence_spread", 4))
    found = [(type(e), getattr(e, "race", None)) for e in of_kind(events, UnitsDied, TableRolled, PowerRepeated)]
    assert found == [
        (UnitsDied, sick.id),
        (TableRolled, sick.id),
        (PowerRepeated, hardy.id),
        (UnitsDied, hardy.id),
    ]
    assert [(e.counted, e.units) for e in of_kind(events, UnitsDied)] == [(2, 2), (2, 1)]


@pytest.mark.rule("G2-MISC-1")
def test_contact_is_taken_after_the_deaths_of_the_first_working() -> None:
    last, near = race("Last", {(0, 1): 1}, "barbarian"), race("Near", {(0, 2): 1})
    state = earth_of(["PPPP"], last, near)
    events = pestilence(state, last, d(6, "pestilence_spread", 6))
    assert [e.race for e in of_kind(events, UnitsDied)] == [last.id]
    assert not of_kind(events, PowerRepeated)
    assert units_of(state, near) == {(0, 2): 1}
