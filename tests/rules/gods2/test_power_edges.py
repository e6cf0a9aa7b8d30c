"""History powers and entries at their edges (G2-DIS, GLOB, TERR, HREC; DIP-3): each clause where it turns."""

from dataclasses import replace

import pytest

from games.engine.board.board import Square
from games.engine.board.grid import squares_in
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.declarations.events import WarDeclared
from games.gods2.rules.effects.events import DisasterStruck
from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.growth.events import RaceGrew
from games.gods2.rules.history.events import HistoryEntered
from games.gods2.rules.pack.operations import read_operation
from games.gods2.rules.state.records import CityKind, Level
from games.gods2.rules.state.value_types import Place, Target
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.war.events import WarFought
from games.gods2.rules.war.forecast import forecast_of
from tests.dice import d
from tests.playbook import event_like, of_kind, refused
from tests.rules.gods2.era import ANA, two_peoples
from tests.rules.gods2.joint import with_powers
from tests.rules.gods2.lands import spreads, terrain, work
from tests.rules.gods2.strikes import cast, deaths_by_square, kill, let, only, pack_of
from tests.rules.gods2.worlds import earth_of, forecast, race, row_major


@pytest.mark.rule("G2-DIS-1")
def test_a_disaster_strikes_also_where_nobody_lives() -> None:
    state = earth_of(["PPP"], race("Norse", {(0, 0): 1}))
    events = cast(state, "tremor", at=[(0, 2)])
    assert of_kind(events, DisasterStruck) == [
        event_like(DisasterStruck, races=(), squares=(Place(x=2, y=0),), elements=("earth",))
    ]
    assert of_kind(events, UnitsDied) == []


@pytest.mark.rule("G2-DIS-3", "G2-RES-6")
def test_a_race_resists_once_for_all_squares_of_a_disaster() -> None:
    norse = race("Norse", {(0, 0): 3, (0, 1): 1, (1, 0): 1}, "barbarian", attributes=("sturdy",))
    state = earth_of(["PPP", "PPP"], norse, packs=pack_of({"sturdy": ["E-1"]}))
    events = let(state, kill("target+adjacent", "percent", 50), codes=["Be"], at=[(0, 0)])
    assert only(events) == (4, 3, "earth")
    assert deaths_by_square(events) == {(0, 0): 1, (0, 1): 1, (1, 0): 1}


@pytest.mark.rule("G2-AMB-28", "G2-GLOB-3", "G2-DIS-2")
@pytest.mark.parametrize(("codes", "dead"), [(["B"], 4), (["G"], 6), (["Gf"], 4), (["T"], 6)])
def test_x_codes_work_on_disasters_of_no_kind_and_not_on_global_powers_without_an_element(
    codes: list[str], dead: int
) -> None:
    norse = race("Norse", {(0, 0): 10}, "barbarian", attributes=("hardy",))
    state = earth_of(["PPP"], norse, packs=pack_of({"hardy": ["X-2"]}))
    assert only(let(state, kill("race", amount=6), codes=codes, race=norse))[:2] == (6, dead)


@pytest.mark.rule("G2-DIS-5", "G2-AMB-61")
@pytest.mark.parametrize(("scope", "dead"), [("race", 1), ("target", 4)])
def test_a_percentage_is_rounded_up_on_each_square_of_a_scope_of_squares_and_once_on_a_race(
    scope: str, dead: int
) -> None:
    norse = race("Norse", row_major(4, 0, 4))
    state = earth_of(["PPPP"], norse)
    events = let(state, kill(scope, "percent", 25), codes=["T"], race=norse)
    assert only(events)[1] == dead


@pytest.mark.rule("G2-TERR-4")
@pytest.mark.parametrize(("most", "changed"), [(1, 1), (2, 2), (9, 3)])
def test_one_die_changes_as_many_squares_as_its_data_says(most: int, changed: int) -> None:
    state = earth_of(["IPPPW"])
    spread = read_operation({"op": "terrain_spread", "what": "I", "into": "P", "odds": 5, "max": most})
    events = work(state, [spread], [d(6, "spread/I", 5)], squares=(Square(0, 0),))
    assert spreads(events) == [("spread", (0, k)) for k in range(1, changed + 1)]
    assert terrain(state) == ["I" * (changed + 1) + "P" * (3 - changed) + "W"]


@pytest.mark.rule("G2-DIP-3", "G2-AMB-33")
def test_the_fear_of_a_war_is_measured_in_units_and_not_in_strength() -> None:
    romans = race("Romans", {(0, c): 2 for c in range(10)})
    greeks = race(
        "Greeks", {(1, 0): 4, (1, 1): 4, (1, 2): 4}, "civilized",
        cities={(1, 0): CityKind.GREAT, (1, 1): CityKind.CITY},
    )  # fmt: skip
    state = earth_of(["P" * 10] * 2, romans, greeks)
    # 2 of 12 units are 17%, of a strength of 21 they would be 10%
    assert forecast(state, romans.id, greeks.id).defender.losses == 2
    assert forecast_of(state, romans.id, greeks.id).trying == (greeks.id,)


@pytest.mark.rule("G2-HREC-1", "G2-HREC-2")
def test_each_growth_is_entered_with_its_century_place_and_cause() -> None:
    book, *_ = two_peoples()
    events = book.wait(book.state.era.ends_at - book.now)
    grew = of_kind(events, RaceGrew)
    entries = [e for e in of_kind(events, HistoryEntered) if e.cause == "the century began"]
    assert len(grew) == len(entries) == 2
    for growth, entry in zip(grew, entries, strict=True):
        assert (entry.century, entry.casting, entry.war) == (2, None, None)
        assert {h.square for h in growth.placed if h.units} == set(entry.squares) != set()
        assert book.state.races[growth.race].name in entry.words


@pytest.mark.rule("G2-QUEUE-2")
def test_a_power_works_in_the_moment_in_which_it_is_used_and_only_a_war_waits() -> None:
    book, dwarves, elves = two_peoples(cards={ANA: {"WA": 3, "FE": 3}})
    events = book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA)
    assert of_kind(events, WarDeclared) and not of_kind(events, WarFought, UnitsDied)
    before = stat(book.state, dwarves, "military").value
    book.when(CastPower(power="call_to_arms", targets=(Target(race=dwarves),)), by=ANA)
    assert stat(book.state, dwarves, "military").value == before + 2
    book.state.races[elves] = replace(book.state.races[elves], level=Level.BARBARIAN, floor=Level.BARBARIAN)
    home = next(Place.of(square) for square in squares_in(book.state.board.own(elves)))
    struck = book.when(CastPower(power="earthquake", targets=(Target(squares=(home,)),)), by=ANA)
    assert of_kind(struck, UnitsDied) and not of_kind(struck, WarFought)


@pytest.mark.rule("G2-HIST-1", "G2-CREA-1")
def test_a_power_of_creation_is_not_cast_in_a_century_of_history() -> None:
    dawn = {"kind": "creation", "codes": ["T"], "target": "square", "effects": []}
    book, *_ = with_powers(dawn=dawn)
    with refused("power.missing", book.state):
        book.when(CastPower(power="dawn", targets=(Target(squares=(Place(x=0, y=0),)),)), by=ANA)
