"""Step 5 of a century: what begins it when all races have grown, and in what order (section 6 of the rulebook)."""

from collections.abc import Iterator
from dataclasses import replace
from uuid import UUID

import pytest

from games.engine.board.board import Square
from games.engine.game_state import dump
from games.engine.kernel import Context, Event, apply_events
from games.gods2.rules.century.events import GrowthEnded
from games.gods2.rules.cities.events import CivilizationLost
from games.gods2.rules.declarations.events import AggressionRolled, BoardOpened
from games.gods2.rules.effects.events import TableRolled, TerrainSpreadRolled
from games.gods2.rules.history.events import HistoryEntered
from games.gods2.rules.pantheon.turmoil_events import CultGrew, TurmoilStarted
from games.gods2.rules.setup.commands import DefineGod, SetMap
from games.gods2.rules.state.records import Feature, Phase
from games.gods2.rules.state.shares import share_out
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Cell, Place
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.window.standing_answer_commands import SetStandingAnswer
from tests.dice import GivenDice, d
from tests.playbook import event_like, of_kind, state_from_log
from tests.rules.gods2.era import ANA, HOST, define, fresh, lobby, minutes, shares, two_peoples, units
from tests.rules.gods2.era import begin as open_board
from tests.rules.gods2.lands import GLACIER, SANDS, century_begins, glacial, spreads, terrain
from tests.rules.gods2.worlds import context, earth_of, id_of, race, units_of

ASHKAR = str(UUID(int=11))


def everything() -> State:
    """An Earth on which each kind of start event waits, once or more."""
    wise = race(
        "Wise", {(2, 2): 1, (2, 3): 1}, "civilized",
        knowledges=["engineering", "proselytism", "explosives", "philosophy"],
    )  # fmt: skip
    elves = race("Elves", {(2, 4): 1})
    features = [
        ("void_gate", (2, 4)), ("caves_of_fear", (2, 3)), ("hurricane_zone", (4, 0)), ("hot_spot", (4, 7)),
        (SANDS, (4, 5)), ("void_gate", (2, 2)), (GLACIER, (0, 0)), (GLACIER, (0, 7)),
    ]  # fmt: skip
    rows = ["IWWWWWWI", "WWWWWWWW", "WWPFPPWW", "WWWWWWWW", "WWWWWDWP"]
    state = earth_of(rows, wise, elves, features=features, phase=Phase.STARTING)
    share_out(state, wise.id, {ASHKAR: 6000, "atheism": 4000})
    share_out(state, elves.id, {"atheism": 5000, "diabolism": 5000})
    return state


@pytest.mark.rule("G2-SEQ-2", "G2-PAN-10")
def test_the_kinds_of_start_events_follow_each_other_by_id_then_row_and_column() -> None:
    state = everything()
    events = century_begins(
        state,
        d(6, "spread/I", 1, 1),
        d(6, "spread/D", 1),
        d(6, "spread/P", 1),
        d(6, "hot_spot", 1),
        d(6, "hurricane_zone", 1),
        d(4, "turmoil_on_1", 1),
    )
    shown = of_kind(events, TerrainSpreadRolled, TableRolled, TurmoilStarted, CultGrew)
    where = {f.id: (f.kind, f.square.column) for f in state.features.values()}
    found = [
        (type(e), where.get(getattr(e, "feature", None)) or getattr(e, "table", None) or getattr(e, "cause", None))
        for e in shown
    ]
    assert found == [
        (TerrainSpreadRolled, (GLACIER, 0)),
        (TerrainSpreadRolled, (GLACIER, 7)),
        (TerrainSpreadRolled, (SANDS, 5)),
        (TerrainSpreadRolled, None),
        (TableRolled, "hot_spot"),
        (TableRolled, "hurricane_zone"),
        (TableRolled, "turmoil_on_1"),
        (TurmoilStarted, "feature:caves_of_fear"),
        (CultGrew, "knowledge:proselytism"),
        (CultGrew, "feature:void_gate"),
        (CultGrew, "feature:void_gate"),
        (CultGrew, "knowledge:explosives"),
        (CultGrew, "knowledge:philosophy"),
    ]
    wise, elves = id_of("Wise"), id_of("Elves")
    assert [e.race for e in of_kind(events, CultGrew)] == [elves, wise, elves, wise, wise]
    assert [e.gains[0].share for e in of_kind(events, CultGrew)] == [200, 300, 300, 200, 100]


@pytest.mark.rule("G2-SEQ-2")
def test_what_races_know_begins_by_its_key_and_then_by_race() -> None:
    peoples = [
        race(name, {(0, column): 1}, knowledges=["philosophy", "explosives"])
        for name, column in (("One", 0), ("Two", 2))
    ]
    state = earth_of(["PPP"], *peoples)
    for people in peoples:
        share_out(state, people.id, {ASHKAR: 10_000})
    one, two = sorted(people.id for people in peoples)
    assert [(e.cause, e.race) for e in of_kind(century_begins(state), CultGrew)] == [
        ("knowledge:explosives", one),
        ("knowledge:explosives", two),
        ("knowledge:philosophy", one),
        ("knowledge:philosophy", two),
    ]


@pytest.mark.rule("G2-SEQ-2")
def test_two_void_gates_on_a_square_are_one_and_one_in_the_wild_converts_nobody() -> None:
    elves = race("Elves", {(0, 0): 1})
    state = earth_of(["PP"], elves, features=[("void_gate", (0, 0)), ("void_gate", (0, 1))])
    twin = replace(next(iter(state.features.values())), id=id_of("twin"))
    state.features[twin.id] = twin
    assert len(of_kind(century_begins(state), CultGrew)) == 1


@pytest.mark.rule("G2-CITY-10", "G2-SEQ-2", "G2-CITY-7")
def test_each_start_event_is_settled_before_the_next_one() -> None:
    norse = race("Norse", {(0, 1): 1, (0, 2): 1}, "civilized", knowledges=["engineering", "explosives"])
    state = earth_of(["IFFW"], norse, features=[(GLACIER, (0, 0))])
    events = century_begins(state, d(6, "spread/I", 5))
    assert terrain(state) == ["IIFW"]
    assert len(of_kind(events, CivilizationLost)) == 1
    # With its city the race has lost Engineering and Explosives: it cuts nothing and nothing grows.
    assert len(of_kind(events, TerrainSpreadRolled)) == 1 and not of_kind(events, CultGrew)


@pytest.mark.rule("G2-TERR-3", "G2-SEQ-2")
def test_a_feature_that_is_gone_begins_nothing() -> None:
    elves = race("Elves", {(0, 1): 1})
    state = earth_of(["IP"], elves, features=[(GLACIER, (0, 0)), ("caves_of_fear", (0, 1))])
    assert not of_kind(century_begins(state, d(6, "spread/I", 5)), TableRolled)
    assert [f.kind for f in state.features.values()] == [GLACIER]
    state = glacial(["IDP"], (SANDS, (0, 1)))
    assert spreads(century_begins(state, d(6, "spread/I", 5))) == [("spread", (0, 1))]


@pytest.mark.rule("G2-HREC-1", "G2-HREC-2")
def test_what_changes_the_earth_is_entered_in_the_history_and_a_vain_die_is_not() -> None:
    (entry,) = of_kind(century_begins(glacial(["IP"]), d(6, "spread/I", 5)), HistoryEntered)
    assert (entry.kind, entry.cause) == ("start", f"feature:{GLACIER}")
    assert entry.squares == (Place(x=0, y=0), Place(x=1, y=0))
    assert entry.words == "Glacial Ice Pack: The land becomes ice at 1, 0."
    assert not of_kind(century_begins(glacial(["IP"]), d(6, "spread/I", 4)), HistoryEntered)


@pytest.mark.rule("G2-DICE-1", "G2-DICE-3", "G2-SEQ-1")
def test_every_die_of_a_century_is_a_row_of_the_log_and_the_log_gives_the_same_state() -> None:
    cells = [Cell(terrain="P") for _ in range(30)]
    cells[0] = Cell(terrain="I", features=(GLACIER,))
    cells[29] = Cell(terrain="P", features=("caves_of_fear",))
    book = lobby()
    book.when(SetMap(width=10, height=3, cells=tuple(cells)), by=HOST)
    book.when(DefineGod(seat=ANA, name="Ashkar"), by=HOST)
    define(book, "Elves", units((9, 2, 1), (8, 2, 1)), pantheon=shares(a=100))
    open_board(book)
    book.wait(minutes(30))
    assert book.state.era.century == 2
    rolled = [h for h in book.log if isinstance(h.event, TerrainSpreadRolled)]
    assert len(rolled) == 2
    for record, century in zip(rolled, (1, 2), strict=True):
        first, *drawn = record.rolls
        assert (first.sides, first.rule, f"/c{century}/" in first.label) == (6, "G2-TERR-4", True)
        assert (record.event.result == "spread") is (first.value >= 5)
        assert len(drawn) == (record.event.result == "spread")
    rows = [(r.label, r.index) for h in book.log for r in h.rolls]
    assert len(rows) == len(set(rows))
    assert dump(state_from_log(book.log, fresh())) == dump(book.state)


@pytest.mark.rule("G2-DICE-4")
def test_a_die_that_is_rolled_again_keeps_both_rows() -> None:
    def again(state: State, ctx: Context) -> Iterator[Event]:
        values = [ctx.tray.roll("again", 6, "G2-DICE-4") for _ in range(2)]
        yield TableRolled(table="hot_spot", row=max(values))

    state = earth_of(["P"])
    (record,) = apply_events(state, again(state, ctx := context(GivenDice([d(6, "again", 5, 2)]))), ctx)
    assert [(r.label, r.index, r.value) for r in record.rolls] == [("0/again", 0, 5), ("0/again", 1, 2)]


@pytest.mark.rule("G2-SEQ-1")
def test_a_century_that_was_left_in_its_start_goes_on_from_there() -> None:
    book, *_ = two_peoples()
    book.state.set_era(phase=Phase.GROWTH, growing=())
    put = Feature(id_of("gate"), Square(1, 1), "void_gate")
    book.state.features[put.id] = put
    book.used.clear()  # the century is set back by hand, its dice with it
    whatever = SetStandingAnswer(kind="expulsion", answer="decline")
    found = of_kind(book.when(whatever, by=ANA), GrowthEnded, CultGrew, AggressionRolled, BoardOpened)
    assert [type(e) for e in found] == [GrowthEnded, CultGrew, AggressionRolled, AggressionRolled, BoardOpened]
    assert (book.state.era.phase, len(book.when(whatever, by=ANA))) == (Phase.OPEN, 1)


@pytest.mark.rule("G2-SEQ-2", "G2-RES-5")
def test_a_hot_spot_strikes_round_about_on_a_six_and_fire_is_resisted() -> None:
    norse, elves = race("Norse", {(0, 0): 2, (0, 1): 3}, "barbarian"), race("Elves", {(0, 2): 1})
    state = earth_of(["PPPP"], norse, elves, features=[("hot_spot", (0, 1))])
    assert century_begins(state, d(6, "hot_spot", 5)) == [
        event_like(TableRolled, table="hot_spot", row=None, race=norse.id)
    ]
    events = century_begins(state, d(6, "hot_spot", 6))
    assert [(e.race, e.units, e.elements) for e in of_kind(events, UnitsDied)] == [(norse.id, 1, ("fire",))]
    assert (units_of(state, norse), units_of(state, elves)) == ({(0, 0): 1, (0, 1): 3}, {(0, 2): 1})


@pytest.mark.rule("G2-SEQ-2")
def test_a_hurricane_strikes_the_coast_about_it_on_a_five() -> None:
    norse = race("Norse", {(0, 1): 3, (2, 2): 3}, "barbarian")
    state = earth_of(["WPP", "PPP", "PPP"], norse, features=[("hurricane_zone", (0, 0))])
    assert not of_kind(century_begins(state, d(6, "hurricane_zone", 4)), UnitsDied)
    assert [e.elements for e in of_kind(century_begins(state, d(6, "hurricane_zone", 5)), UnitsDied)] == [("air",)]
    assert units_of(state, norse) == {(0, 1): 2, (2, 2): 3}


@pytest.mark.rule("G2-SEQ-2", "G2-CITY-10")
def test_death_trees_kill_one_unit_on_their_square() -> None:
    norse = race("Norse", {(0, 0): 1, (0, 1): 2}, "barbarian")
    state = earth_of(["FF"], norse, features=[("death_trees", (0, 0))])
    events = century_begins(state)
    assert [(e.units, e.box) for e in of_kind(events, UnitsDied)] == [(1, "other")]
    assert units_of(state, norse) == {(0, 1): 2}
