"""What each code of a modification allows and forbids, and how long it lasts (G2-MOD-1 to 4, 7, 9; AMB-34, AMB-46)."""

from typing import Any

import pytest

from games.engine.board.board import Square
from games.engine.kernel import Context
from games.gods2.rules.course import COURSE
from games.gods2.rules.effects.registry import perform
from games.gods2.rules.effects.triggers import fire_trigger, run_with_triggers
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.growth.events import RaceGrew
from games.gods2.rules.growth.rules import grow
from games.gods2.rules.state.effect_records import ModStatus
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.units.events import UnitsMoved, UnitsStarved
from games.gods2.rules.workings.context import Working
from games.gods2.rules.workings.events import ModificationFired
from games.gods2.rules.workings.modifications import begin_century, end_century
from games.gods2.rules.workings.pricing import price
from tests.dice import d
from tests.playbook import event_like, of_kind, refused
from tests.rules.gods2.strikes import cast, pack_of
from tests.rules.gods2.worlds import People, earth_of, happen, race, row_major, units_of

MORE = {"op": "stat_add", "stat": "military", "amount": 2}
ROOM = {"op": "limit_add", "terrain": "P", "amount": 1}


def earth(*codes: str, effects: Any = (MORE,), **more: Any) -> tuple[State, People]:
    """Norse on an open board in century 3, and a power of these codes."""
    norse = race("Norse", row_major(10, 0, 20))
    packs = pack_of(None, might={"codes": codes, "effects": list(effects), **more})
    return earth_of(["P" * 10] * 5, norse, packs=packs, century=3), norse


def next_century(state: State) -> list[Any]:
    """The century ends and the next one begins."""
    ended = happen(state, lambda s, ctx: end_century(s))
    state.set_era(century=state.era.century + 1)
    return [*ended, *happen(state, lambda s, ctx: begin_century(s))]


ON = {**MORE, "on": "war_fought"}
ONCE = {
    "M": (("M",), MORE, False, True),
    "Mc": (("Mc",), MORE, False, True),
    "M with a label": (("M", "Mn"), MORE, False, True),
    "a label alone": (("Mi",), MORE, False, True),
    "Mv": (("Mv",), ON, False, False),
    "Mv+": (("Mv+",), ON, True, True),
    "Mp": (("Mp",), MORE, False, False),
    "Mc and Mp": (("Mc", "Mp"), MORE, False, False),
    "M and Mv+": (("M", "Mv+"), ON, False, True),
    "M and Mv": (("M", "Mv"), ON, False, False),
}


@pytest.mark.rule("G2-MOD-1", "G2-MOD-2", "G2-MOD-3", "G2-MOD-4", "G2-MOD-7", "G2-MOD-9", "G2-AMB-46")
@pytest.mark.parametrize("_case", ONCE)
def test_a_second_casting_is_refused_as_long_as_one_of_the_codes_says_so(_case: str) -> None:
    codes, effect, in_the_century, in_the_next = ONCE[_case]
    state, norse = earth(*codes, effects=(effect,))

    def again(allowed: bool) -> None:
        if allowed:
            cast(state, "might", norse)
        else:
            with refused("power.duplicate"):
                cast(state, "might", norse)

    cast(state, "might", norse)
    again(in_the_century)
    next_century(state)
    again(in_the_next)


@pytest.mark.rule("G2-MOD-1", "G2-MOD-3", "G2-MOD-7")
@pytest.mark.parametrize(
    ("codes", "effect", "castings"), [(["M"], MORE, 2), (["Mc"], MORE, 2), (["Mv"], ON, 1), (["Mp"], MORE, 1)]
)
def test_only_m_and_mc_may_be_stackable(codes: list[str], effect: Any, castings: int) -> None:
    state, norse = earth(*codes, effects=(effect,), stackable=True)
    cast(state, "might", norse)
    if castings == 1:
        with refused("power.duplicate"):
            cast(state, "might", norse)
    else:
        cast(state, "might", norse)
    assert len(state.modifications) == castings


@pytest.mark.rule("G2-MOD-1")
def test_another_race_may_have_what_one_race_has() -> None:
    norse, picts = race("Norse", {(0, 0): 1}), race("Picts", {(0, 2): 1})
    state = earth_of(["PPP"], norse, picts, century=3)
    cast(state, "call_to_arms", norse)
    cast(state, "call_to_arms", picts)
    with refused("power.duplicate"):
        cast(state, "call_to_arms", picts)
    assert sorted(m.race for m in state.modifications.values()) == sorted([norse.id, picts.id])


@pytest.mark.rule("G2-MOD-1", "G2-MOD-7")
@pytest.mark.parametrize(
    ("code", "duration", "centuries"),
    [
        ("M", None, 1),
        ("M", "century", 1),
        ("M", "next_century", 2),
        ("M", "centuries:1", 1),
        ("M", "centuries:3", 3),
        ("M", "event", 1),
        ("M", "era", 9),
        ("Mp", None, 9),
        ("Mp", "centuries:2", 2),
    ],
)
def test_a_modification_lasts_as_its_data_say(code: str, duration: str | None, centuries: int) -> None:
    state, norse = earth(code, **({"duration": duration} if duration else {}))
    cast(state, "might", norse)
    held = 0
    while held < 9 and stat(state, norse.id, "military").value == 2:
        held += 1
        next_century(state)
    assert held == centuries


@pytest.mark.rule("G2-MOD-1", "G2-MOD-2")
@pytest.mark.parametrize(
    ("codes", "duration", "centuries"),
    [
        (["Mc"], None, 1),
        (["Mc"], "next_century", 1),
        (["Mc"], "century", 1),
        (["Mc"], "centuries:2", 2),
        (["Mc"], "era", 9),
        (["Mc", "Mp"], None, 9),
    ],
)
def test_an_mc_does_nothing_in_its_own_century_and_then_lasts_as_its_data_say(
    codes: list[str], duration: str | None, centuries: int
) -> None:
    state, norse = earth(*codes, **({"duration": duration} if duration else {}))
    cast(state, "might", norse)
    assert stat(state, norse.id, "military").value == 0
    next_century(state)
    held = 0
    while held < 9 and stat(state, norse.id, "military").value == 2:
        held += 1
        next_century(state)
    assert held == centuries


@pytest.mark.rule("G2-MOD-2", "G2-MOD-3", "G2-MOD-9")
def test_a_dormant_mc_that_begins_with_the_next_century_is_activated_by_nothing_before() -> None:
    state, norse = earth("Mc", "Mv", effects=({**MORE, "on": "war_lost"},))
    cast(state, "might", norse)

    def lose() -> list[Any]:
        return of_kind(
            happen(state, lambda s, ctx: run_with_triggers(s, ctx, fire_trigger(s, ctx, norse.id, "war_lost"))),
            ModificationFired,
        )

    assert lose() == [] and [m.status for m in state.modifications.values()] == [ModStatus.DORMANT]
    next_century(state)
    assert lose() == [event_like(ModificationFired, race=norse.id, trigger="war_lost")]


@pytest.mark.rule("G2-MOD-2", "G2-MOD-4", "G2-MOD-9")
def test_a_scholar_who_comes_with_the_next_century_makes_nothing_cheaper_before() -> None:
    half = {"op": "cost_mult", "filter": "K", "factor": 50, "on": "power_priced:K"}
    state, norse = earth("Mc", "Mv+", effects=(half,))
    cast(state, "might", norse)
    lesson = state.pack.powers["teach_writing"]
    aimed = Working(cause="test", perform=perform, races=(norse.id,))
    assert price(state, lesson, aimed).amount == 6
    next_century(state)
    assert price(state, lesson, aimed).amount == 3


def grow_norse(state: State, norse: People) -> list[Any]:
    """The century begins with growth; the Norse grow."""
    state.set_era(phase=Phase.GROWTH)
    return happen(state, lambda s, ctx: grow(s, ctx, norse.id))


@pytest.mark.rule("G2-AMB-34", "G2-GROW-1", "G2-GROW-6")
def test_in_its_second_century_an_mc_counts_with_all_it_does_while_races_grow() -> None:
    norse = race("Norse", {(0, 0): 3}, "barbarian")
    packs = pack_of(None, might={"codes": ["Mc"], "effects": [ROOM], "duration": "centuries:2"})
    state = earth_of(["P"], norse, packs=packs, century=2)
    cast(state, "might", norse)
    next_century(state)
    assert sum(e.units for e in of_kind(grow_norse(state, norse), UnitsStarved)) == 1  # 3 + 1 on a limit of 3
    state.set_era(phase=Phase.OPEN)
    assert int(limits(state, norse.id)[0, 0]) == 4
    state.board.put(Square(0, 0), norse.id, 4)
    next_century(state)
    events = grow_norse(state, norse)
    assert of_kind(events, RaceGrew) == [event_like(RaceGrew, before=4, gained=1)]
    assert [e.units for e in of_kind(events, UnitsStarved)] == [1] and units_of(state, norse) == {(0, 0): 4}


@pytest.mark.rule("G2-AMB-34", "G2-LIM-4", "G2-CITY-10")
def test_limits_that_an_mc_lowers_are_settled_when_all_have_grown() -> None:
    norse = race("Norse", {(0, 0): 3, (0, 1): 3}, "barbarian")
    packs = pack_of(None, might={"codes": ["Mc"], "effects": [{**ROOM, "amount": -1}]})
    state = earth_of(["PPPP"], norse, packs=packs, century=2)
    cast(state, "might", norse)
    happen(state, lambda s, ctx: end_century(s))
    state.set_era(century=3, phase=Phase.OPENING)

    def century(state: State, ctx: Context) -> Any:
        yield from begin_century(state)
        yield from COURSE.go_on(state, ctx)

    events = happen(state, century, [d(6, "aggression", 1)])
    # 6 grow by 2, one step to (0, 2); then every limit is 2, and one of each old square goes on to (0, 2)
    assert of_kind(events, UnitsMoved, UnitsStarved)[-1].cause == "century_start"
    assert max(units_of(state, norse).values()) == 2 and state.invariants() is None


@pytest.mark.rule("G2-MOD-1")
def test_a_modification_is_aimed_at_a_race() -> None:
    for target in ("square", "earth", "squares:2"):
        with refused("pack.invalid"):
            pack_of(None, might={"codes": ["M"], "effects": [MORE], "target": target})
    assert pack_of(None, might={"codes": ["Mu"], "effects": [], "target": "earth"})
