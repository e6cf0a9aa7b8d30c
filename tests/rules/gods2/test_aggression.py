"""Aggression and when wars are fought (G2-AGG-3 to 6, G2-WAR-1)."""

from datetime import timedelta
from uuid import UUID

import pytest

from games.engine.lifecycle.gm_commands import Start
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.declarations.events import AggressionRolled, BoardOpened, WarDeclared, WarsOrdered
from games.gods2.rules.declarations.rules import aggressive_dues, fighting_order, war_due
from games.gods2.rules.state.records import Phase, War, WarKind
from games.gods2.rules.war.aggression import declarations, roll_aggression
from tests.dice import d
from tests.playbook import DAWN, of_kind
from tests.rules.gods2.era import GM, HOST, define, set_up, units
from tests.rules.gods2.worlds import earth_of, happen, race

END = DAWN + timedelta(seconds=1500)


def seconds(*numbers: int) -> list[object]:
    """Moments after the century's start."""
    return [DAWN + timedelta(seconds=n) for n in numbers]


@pytest.mark.rule("G2-W29")
@pytest.mark.rule("G2-AGG-3")
@pytest.mark.parametrize(
    ("die", "aggression", "wars"),
    [(4, 0, 0), (4, 1, 1), (5, 2, 2), (6, 3, 3), (1, -3, 0), (6, 9, 3), (6, 2, 2), (3, 3, 1)],
)
def test_the_ladder_of_declarations(die: int, aggression: int, wars: int) -> None:
    assert declarations(die, aggression) == wars


@pytest.mark.rule("G2-W63")
@pytest.mark.rule("G2-WAR-1")
@pytest.mark.rule("G2-AMB-59")
@pytest.mark.parametrize(
    ("posted", "wars", "dues"),
    [
        (60, 4, (360, 645, 930, 1215)),
        (60, 1, (360,)),
        (60, 3, (360, 740, 1120)),
        (1300, 3, (1500, 1500, 1500)),
        (60, 0, ()),
    ],
)
def test_aggressive_wars_are_spread_over_the_activity_phase(posted: int, wars: int, dues: tuple[int, ...]) -> None:
    assert aggressive_dues(DAWN + timedelta(seconds=posted), END, 300, wars) == seconds(*dues)


@pytest.mark.rule("G2-W63")
@pytest.mark.rule("G2-WAR-1")
@pytest.mark.parametrize(("declared", "due"), [(350, 650), (1400, 1500)])
def test_a_gods_war_is_due_five_minutes_later_and_at_activity_end_at_the_latest(declared: int, due: int) -> None:
    assert [war_due(DAWN + timedelta(seconds=declared), END, 300)] == seconds(due)


@pytest.mark.rule("G2-W63")
@pytest.mark.rule("G2-AMB-39")
def test_among_wars_that_wait_together_gods_wars_come_first() -> None:
    def war(number: int, kind: WarKind, due: int, order: int = 0) -> War:
        return War(
            id=UUID(int=number),
            century=1,
            number=number,
            attacker=UUID(int=1),
            defender=UUID(int=2),
            kind=kind,
            declared_at=DAWN,
            due=DAWN + timedelta(seconds=due),
            order=order,
        )

    wars = [war(1, WarKind.AGGRESSIVE, 930, 2), war(2, WarKind.AGGRESSIVE, 645, 1), war(3, WarKind.GOD, 650)]

    assert [w.number for w in fighting_order(wars)] == [3, 2, 1]


@pytest.mark.rule("G2-AGG-3")
@pytest.mark.rule("G2-AGG-4")
@pytest.mark.rule("G2-AGG-5")
@pytest.mark.rule("G2-AGG-6")
def test_a_warlike_race_attacks_those_it_reaches_in_a_drawn_order() -> None:
    book = set_up()
    orcs = define(book, "Orcs", units((3, 1, 1)), attributes=("warlike",))
    west, east = define(book, "Westmen", units((2, 1, 1))), define(book, "Eastmen", units((4, 1, 1)))
    book.when(Start(), by=HOST)
    near = sorted((west, east))
    # The Orcs throw 6 (+2 = 8: two wars), the others 1.
    temper = [d(6, f"aggression {r}", 6 if r == orcs else 1) for r in sorted((orcs, *near))]
    dice = [d(3, "growth", 1), d(2, "growth", 1), *temper, d(2, f"target {orcs}", 1, 2), d(2, "wars", 2)]

    events = book.when(OpenSession(), by=GM, dice=dice)

    assert {e.race: e.declarations for e in of_kind(events, AggressionRolled)} == {orcs: 2, west: 0, east: 0}
    declared = of_kind(events, WarDeclared)
    assert [(e.attacker, e.defender, e.kind, e.due) for e in declared] == [
        (orcs, near[0], WarKind.AGGRESSIVE, None),
        (orcs, near[1], WarKind.AGGRESSIVE, None),
    ]
    ordered = of_kind(events, WarsOrdered)[0]
    assert ordered.wars == (declared[1].war, declared[0].war)
    assert [d.due for d in ordered.dues] == seconds(300, 900)
    assert [d.war for d in of_kind(events, BoardOpened)[0].dues] == list(ordered.wars)
    assert {book.state.timers[f"war:{w}"].due for w in ordered.wars} == set(seconds(300, 900))
    rolls = {h.event.race: h.rolls for h in book.log if isinstance(h.event, AggressionRolled)}
    assert [len(r) for r in rolls.values()] == [1, 1, 1]


@pytest.mark.rule("G2-AGG-4")
def test_a_race_that_reaches_nobody_declares_nothing() -> None:
    book = set_up()
    define(book, "Orcs", units((0, 0, 1)), attributes=("warlike",))
    define(book, "Farmen", units((7, 2, 1)), attributes=("peaceful",))
    book.when(Start(), by=HOST)
    events = book.when(OpenSession(), by=GM, dice=[d(2, "growth", 1), d(6, "aggression", 6, 6)])
    assert max(e.declarations for e in of_kind(events, AggressionRolled)) == 2
    assert of_kind(events, WarDeclared, WarsOrdered) == []


@pytest.mark.rule("G2-AMB-38")
@pytest.mark.rule("G2-AGG-4")
def test_the_same_neighbour_may_be_drawn_twice() -> None:
    book = set_up()
    orcs = define(book, "Orcs", units((3, 1, 1)), attributes=("warlike",))
    west, east = define(book, "Westmen", units((2, 1, 1))), define(book, "Eastmen", units((4, 1, 1)))
    book.when(Start(), by=HOST)
    near = sorted((west, east))
    temper = [d(6, f"aggression {r}", 6 if r == orcs else 1) for r in sorted((orcs, *near))]
    dice = [d(3, "growth", 1), d(2, "growth", 1), *temper, d(2, f"target {orcs}", 2, 2), d(2, "wars", 1)]
    events = book.when(OpenSession(), by=GM, dice=dice)
    assert [e.defender for e in of_kind(events, WarDeclared)] == [near[1], near[1]]
    assert len({e.war for e in of_kind(events, WarDeclared)}) == 2


@pytest.mark.rule("G2-AMB-51")
@pytest.mark.rule("G2-MOVE-6")
def test_neighbours_are_the_races_the_aggressor_reaches_not_those_that_reach_it() -> None:
    far = race("Nomads", {(0, 0): 1}, attributes=["wanderers", "warlike"])
    near = race("Farmers", {(0, 2): 1}, attributes=["warlike"])
    state = earth_of(["PPP"], far, near, phase=Phase.STARTING)
    state.set_era(activity_ends_at=END)
    # 3 + 2 = one war each, but only the Nomads reach anybody
    events = happen(state, roll_aggression, [d(6, "aggression", 3, 3)])
    assert [(e.attacker, e.defender) for e in of_kind(events, WarDeclared)] == [(far.id, near.id)]


@pytest.mark.rule("G2-AMB-59")
def test_posted_times_are_never_later_than_the_end_of_the_activity_phase() -> None:
    dues = aggressive_dues(DAWN + timedelta(seconds=60), END, 300, 40)
    assert dues == sorted(dues) and dues[0] == DAWN + timedelta(seconds=360)
    assert dues[-1] < END and all(due.microsecond == 0 for due in dues)
    assert set(aggressive_dues(DAWN + timedelta(seconds=1400), END, 300, 5)) == {END}
