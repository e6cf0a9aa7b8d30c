"""Several races against one enemy in one war (G2-WAR-15 to 17; AMB-15, AMB-50)."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.engine.insight.legal_commands import legal_commands_for
from games.gods2.rules.cascade.events import WarLapsed
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.cities.events import CityDestroyed, CivilizationLost
from games.gods2.rules.declarations.events import WarCancelled, WarDeclared, WarsCombined, WarSplitSet
from games.gods2.rules.declarations.groups import split_strength
from games.gods2.rules.state.records import CityKind, DiplomacyPolicy, WarKind, WarPolicy, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import StrengthOf
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.war.combined_commands import SUGGESTED, CombineWars, SetWarSplit
from games.gods2.rules.war.events import DiplomacyTried, SquaresVacated, WarAverted, WarFought
from games.gods2.rules.war.forecast import forecast_of
from games.gods2.rules.war.rules import fight
from games.gods2.rules.war.schedule_commands import FightWarNow, HoldWar
from tests.dice import d
from tests.playbook import DAWN, Playbook, of_kind, refused
from tests.rules.gods2.era import ANA, GM, begin, define, set_up, shares, units
from tests.rules.gods2.worlds import People, earth_of, happen, id_of, plant_war, race, row_major

WARRIORS = ("archery", "explosives", "iron_weapons", "tactics")  # Military +8
GROUP = id_of("combined")


def fight_combined(state: State, *wars: UUID) -> list[Any]:
    """The events of wars that are combined."""
    for war in wars:
        state.wars[war] = replace(state.wars[war], group=GROUP)
    return happen(state, lambda s, ctx: fight(s, ctx, wars[0]))


def three(*, romans: dict[tuple[int, int], int] | None = None) -> tuple[State, People, People, People]:
    """Norse and Picts on both sides of the Romans; nobody fears anybody."""
    norse = race("Norse", row_major(10, 0, 20))
    middle = race("Romans", romans or row_major(10, 20, 21))
    picts = race("Picts", row_major(10, 50, 20))
    return earth_of(["P" * 10] * 8, norse, middle, picts), norse, middle, picts


@pytest.mark.rule("G2-W51", "G2-WAR-16", "G2-AMB-15")
def test_a_strength_is_split_in_equal_parts_and_what_is_left_goes_to_the_first_declared() -> None:
    assert split_strength(61, [1, 1]) == [31, 30]
    assert split_strength(11, [1, 1, 1]) == [4, 4, 3]
    assert split_strength(20, [15, 5]) == [15, 5]
    assert split_strength(10, [15, 5]) == [8, 2]
    assert split_strength(7, [0, 0]) == [4, 3]


@pytest.mark.rule("G2-WAR-15", "G2-WAR-16", "G2-WAR-17")
def test_each_enemy_fights_with_its_whole_strength_and_the_common_one_with_a_part() -> None:
    state, norse, romans, picts = three()
    events = fight_combined(state, plant_war(state, norse, romans), plant_war(state, picts, romans))
    found = of_kind(events, WarFought)
    assert [[(s.race, s.strength, s.losses) for s in e.sides] for e in found] == [
        [(norse.id, 20, 2), (romans.id, 11, 2)],
        [(picts.id, 20, 1), (romans.id, 10, 2)],
    ]
    assert state.board.units_of(romans.id) == 17


@pytest.mark.rule("G2-WAR-17")
def test_the_second_pair_uses_the_strength_from_before_the_first() -> None:
    strong = race("Norse", row_major(10, 0, 20), knowledges=WARRIORS)
    romans = race("Romans", row_major(10, 20, 20))
    picts = race("Picts", row_major(10, 40, 10))
    state = earth_of(["P" * 10] * 8, strong, romans, picts)
    first, second = plant_war(state, strong, romans), plant_war(state, picts, romans)
    for war in (first, second):
        state.policies[war, romans.id] = WarPolicy(war, romans.id, DiplomacyPolicy.REFRAIN)
    events = of_kind(fight_combined(state, first, second), WarFought)
    # 18% of 20 kill 4 Romans in the first war; in the second they still fight with the other half of 20
    assert events[0].sides[1].losses == 4
    assert events[1].sides[1].strength == 10


@pytest.mark.rule("G2-WAR-17", "G2-CITY-10")
def test_settling_comes_once_after_the_last_pair() -> None:
    norse = race("Norse", {(0, c): 3 for c in range(9)}, "barbarian", knowledges=WARRIORS)
    romans = race("Romans", {(1, c): 5 for c in range(9)}, "civilized", cities={(1, 1): CityKind.CITY})
    picts = race("Picts", {(2, c): 3 for c in range(9)}, "barbarian", knowledges=WARRIORS)
    state = earth_of(["P" * 9] * 3, norse, romans, picts)
    first, second = plant_war(state, norse, romans), plant_war(state, picts, romans)
    for war in (first, second):
        state.policies[war, romans.id] = WarPolicy(war, romans.id, DiplomacyPolicy.REFRAIN)
    events = fight_combined(state, first, second)
    kinds = [type(e) for e in of_kind(events, WarFought, CityDestroyed, CivilizationLost)]
    # the city burns in the first war; what follows from that waits for the second
    assert kinds == [WarFought, CityDestroyed, WarFought, CivilizationLost]
    assert state.invariants() is None


@pytest.mark.rule("G2-WAR-17", "G2-AMB-20")
def test_deaths_and_vacated_squares_of_the_second_pair_follow_the_map_that_the_first_has_left() -> None:
    norse = race("Norse", {(0, c): 3 for c in range(9)}, "barbarian", knowledges=WARRIORS)
    romans = race("Romans", {(1, 0): 1, (1, 1): 1, (1, 2): 1})
    picts = race("Picts", {(2, c): 3 for c in range(9)}, "barbarian", knowledges=WARRIORS)
    state = earth_of(["P" * 9] * 3, norse, romans, picts)
    first, second = plant_war(state, norse, romans), plant_war(state, picts, romans)
    for war in (first, second):
        state.policies[war, romans.id] = WarPolicy(war, romans.id, DiplomacyPolicy.REFRAIN)
    events = fight_combined(state, first, second)
    dead = [(e.race, e.units) for e in of_kind(events, UnitsDied)]
    # 27 at +9 kill all three; nobody is left to die a second time, and the dead still strike with what they had
    assert [d for d in dead if d[0] == romans.id] == [(romans.id, 3)]
    assert len(of_kind(events, WarFought)) == 2 and state.races[romans.id].extinct
    assert [w.status for w in state.wars.values()] == [WarStatus.FOUGHT] * 2
    assert of_kind(events, WarLapsed) == []
    assert all(e.race == romans.id for e in of_kind(events, SquaresVacated))


@pytest.mark.rule("G2-DIP-3", "G2-WAR-16")
def test_each_pair_is_forecast_separately_and_the_race_that_is_left_faces_the_whole_strength() -> None:
    # alone 20% of the Romans' 30 would kill 6 of 20 Norse; of a half of it 3 die, and nobody fears that (15%)
    norse = race("Norse", row_major(10, 0, 20))
    romans = race("Romans", row_major(10, 20, 30), knowledges=("archery", "explosives", "iron_weapons", "tactics"))
    picts = race("Picts", row_major(10, 50, 10))
    state = earth_of(["P" * 10] * 8, norse, romans, picts)
    alone = plant_war(state, norse, romans)
    assert norse.id in forecast_of(state, norse.id, romans.id, alone).trying
    other = plant_war(state, picts, romans)
    for war in (alone, other):
        state.wars[war] = replace(state.wars[war], group=GROUP)
    assert forecast_of(state, norse.id, romans.id, alone).trying == ()
    assert forecast_of(state, picts.id, romans.id, other).trying == (picts.id,)
    events = happen(state, lambda s, ctx: fight(s, ctx, alone), [d(6, "diplomacy/attacker", 6)])
    assert [e.race for e in of_kind(events, DiplomacyTried, WarAverted)] == [picts.id, picts.id]
    # the Picts have averted their war: the Romans turn with all they have against the Norse
    assert [[s.strength for s in e.sides] for e in of_kind(events, WarFought)] == [[20, 30]]


@pytest.mark.rule("G2-WAR-15")
def test_a_pair_without_contact_lapses_and_the_others_are_fought() -> None:
    norse = race("Norse", row_major(10, 0, 20))
    romans = race("Romans", row_major(10, 20, 20))
    far = race("Picts", row_major(10, 60, 10))
    state = earth_of(["P" * 10] * 8, norse, romans, far)
    first, second = plant_war(state, norse, romans), plant_war(state, far, romans)
    events = fight_combined(state, first, second)
    assert [e.war for e in of_kind(events, WarLapsed)] == [second]
    assert [e.sides[1].strength for e in of_kind(events, WarFought)] == [20]


def allies(*, later: int = 60) -> tuple[Playbook, UUID, UUID, tuple[UUID, UUID], UUID]:
    """West and East declare war on the Middle, one some seconds after the other."""
    book = set_up(rows=("PPPPPPPPP", "PPPPPPPPP", "PPPPPPPPP"))
    west = define(book, "West", units((0, 1, 1), (1, 1, 1), (2, 1, 1)), pantheon=shares(a=100))
    middle = define(book, "Middle", units((3, 1, 1), (4, 1, 1), (5, 1, 1)), pantheon=shares(b=100))
    east = define(book, "East", units((6, 1, 1), (7, 1, 1), (8, 1, 1)), pantheon=shares(a=100))
    begin(book)
    for war in [w.id for w in book.state.wars.values()]:
        book.state.wars[war] = replace(book.state.wars[war], status=WarStatus.CANCELLED)
    book.state.purses[ANA] = replace(book.state.purses[ANA], balance=60)
    one = of_kind(book.when(DeclareWar(attacker=west, defender=middle), by=ANA), WarDeclared)[0].war
    book.wait(timedelta(seconds=later))
    two = of_kind(book.when(DeclareWar(attacker=east, defender=middle), by=ANA), WarDeclared)[0].war
    return book, west, east, (one, two), middle


@pytest.mark.rule("G2-WAR-15", "G2-AMB-50")
def test_a_gm_combines_wars_and_they_are_fought_when_the_last_is_due() -> None:
    book, _, _, (one, two), middle = allies()
    events = book.when(CombineWars(wars=(two, one), text="The sacred grove"), by=GM)
    combined = of_kind(events, WarsCombined)[0]
    assert (combined.wars, combined.race, combined.reason) == ((one, two), middle, "The sacred grove")
    assert {h.audience for h in book.log if isinstance(h.event, WarsCombined)} == {"public"}
    assert {book.state.wars[w].due for w in (one, two)} == {DAWN + timedelta(seconds=360)}
    assert {book.state.timers[f"war:{w}"].due for w in (one, two)} == {DAWN + timedelta(seconds=360)}
    book.wait(timedelta(seconds=299))
    assert book.state.wars[one].status is WarStatus.DECLARED
    over = book.wait(timedelta(seconds=1))
    assert {book.state.wars[w].status for w in (one, two)} <= {WarStatus.FOUGHT, WarStatus.AVERTED}
    assert not [k for k in book.state.timers if k in (f"war:{one}", f"war:{two}")]
    if fights := of_kind(over, WarFought):
        assert [f.war for f in fights] == [w for w in (one, two) if book.state.wars[w].status is WarStatus.FOUGHT]


@pytest.mark.rule("G2-AMB-50")
def test_gods_wars_on_one_race_within_five_minutes_are_suggested_and_never_combined_by_themselves() -> None:
    near, _, _, (one, two), _ = allies(later=299)
    candidate = legal_commands_for(near.state, (CombineWars,), GM)[0]
    assert (candidate.note, candidate.arguments["wars"].values) == (SUGGESTED, ([str(one), str(two)],))
    near.state.wars[one] = replace(near.state.wars[one], kind=WarKind.AGGRESSIVE)
    assert [o.note for o in legal_commands_for(near.state, (CombineWars,), GM)] == [""]
    turned = near.state.wars[two]
    near.state.wars[one] = replace(turned, id=one, attacker=turned.defender, defender=near.state.wars[one].attacker)
    near.state.wars[two] = replace(turned, attacker=turned.defender, defender=turned.attacker)
    assert [o.note for o in legal_commands_for(near.state, (CombineWars,), GM)] == [""]  # one race attacks two
    book, *_ = allies(later=60)
    assert not [w for w in book.state.wars.values() if w.group]
    state = book.state
    for war in [w for w in state.wars.values() if w.status is WarStatus.DECLARED][:1]:
        state.wars[war.id] = replace(war, declared_at=war.declared_at - timedelta(seconds=300))
    assert [o.note for o in legal_commands_for(state, (CombineWars,), GM)] == [""]


@pytest.mark.rule("G2-WAR-16", "G2-AMB-15")
def test_the_gm_splits_the_strength_of_the_common_enemy() -> None:
    book, west, east, (one, two), middle = allies()
    group = of_kind(book.when(CombineWars(wars=(one, two)), by=GM), WarsCombined)[0].group
    whole = book.state.board.units_of(middle)
    parts = (StrengthOf(race=west, strength=whole - 1), StrengthOf(race=east, strength=1))
    with refused("split.sum", book.state):
        book.when(SetWarSplit(group=group, strengths=(parts[0], StrengthOf(race=east, strength=2))), by=GM)
    with refused("war.side", book.state):
        book.when(SetWarSplit(group=group, strengths=(StrengthOf(race=middle, strength=whole),)), by=GM)
    with refused("war.missing", book.state):
        book.when(SetWarSplit(group=one, strengths=parts), by=GM)
    assert of_kind(book.when(SetWarSplit(group=group, strengths=parts), by=GM), WarSplitSet)
    assert [book.state.wars[w].split for w in (one, two)] == [whole - 1, 1]
    assert forecast_of(book.state, east, middle, two).plan.expected.defender.strength == 1
    book.wait(timedelta(seconds=300))
    with refused("war.closed", book.state):
        book.when(SetWarSplit(group=group, strengths=parts), by=GM)


@pytest.mark.rule("G2-WAR-15")
def test_only_open_wars_with_one_common_enemy_are_combined() -> None:
    book, west, _, (one, two), _ = allies()
    with refused("war.unlike", book.state):
        book.when(CombineWars(wars=(one,)), by=GM)
    with refused("war.unlike", book.state):
        book.when(CombineWars(wars=(one, one)), by=GM)
    with refused("war.missing", book.state):
        book.when(CombineWars(wars=(one, west)), by=GM)
    twice = of_kind(book.when(DeclareWar(attacker=west, defender=book.state.wars[one].defender), by=ANA), WarDeclared)[
        0
    ].war
    with refused("war.unlike", book.state):
        book.when(CombineWars(wars=(one, twice)), by=GM)
    book.when(FightWarNow(war=one), by=GM)
    with refused("war.closed", book.state):
        book.when(CombineWars(wars=(one, two)), by=GM)
    book.wait(timedelta(minutes=26))
    with refused("phase.closed", book.state):
        book.when(CombineWars(wars=(one, two)), by=GM)


@pytest.mark.rule("G2-WAR-15")
def test_a_hold_or_a_fight_of_one_war_of_a_group_holds_for_all_of_them() -> None:
    book, _, _, (one, two), _ = allies()
    book.when(CombineWars(wars=(one, two)), by=GM)
    book.when(HoldWar(war=one, seconds=60), by=GM)
    assert {book.state.wars[w].due for w in (one, two)} == {DAWN + timedelta(seconds=420)}
    book.when(FightWarNow(war=two), by=GM)
    assert {book.state.wars[w].status for w in (one, two)} <= {WarStatus.FOUGHT, WarStatus.AVERTED}
    assert not of_kind([h.event for h in book.log], WarCancelled)
