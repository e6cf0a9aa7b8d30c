"""The exact odds of checks and attacks, against the worked examples and the enumeration of every throw."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.dietower.rules.checks.odds import (
    AttackOdds,
    CheckOdds,
    Totals,
    attack_odds,
    check_odds,
    fall_chance,
    totals,
    totals_of_open_pool,
)
from games.dietower.rules.checks.pool import Cd, PoolShape, cd_of
from games.dietower.rules.state.schema_types import ActorKind, Adv
from games.dietower.rules.tower.balance import Centre, risk, standing_chances
from tests.playbook import refused
from tests.rules.dietower.enumeration import cases_of_attack, every_pool, every_roll, placements_of_check
from tests.rules.dietower.examples import example
from tests.rules.dietower.towers import standing_tower, tower

ONE, TWO = PoolShape(1), PoolShape(2)
MONSTER = ActorKind.MONSTER
SHAPES = [PoolShape(base, adv, edge) for base, adv, edge in product((1, 2), Adv, (False, True))]
SMALL = st.sampled_from([shape for shape in SHAPES if shape.candidates + shape.bonus < 4])


def mean(odds: CheckOdds) -> Fraction:
    """Dice for the tower a check."""
    return sum((number * chance for number, chance in enumerate(odds.placements)), Fraction(0))


def every_end(odds: CheckOdds) -> dict[tuple[bool, int], Fraction]:
    """As `placements_of_check` has it."""
    found = {
        (True, 0): odds.success,
        (True, 1): odds.success_net_fail,
        (False, 1): odds.failure,
        (False, 2): odds.failure_net_fail,
    }
    return {key: chance for key, chance in found.items() if chance}


def every_case(odds: AttackOdds) -> dict[tuple[bool, bool, bool], Fraction]:
    """As `cases_of_attack` has it."""
    return {(c.hit, c.attacker_net_fail, c.defender_net_fail): c.chance for c in odds.cases if c.chance}


CHECKS = ("DT-CHK-9", "DT-CHK-10", "DT-CHK-11")


@pytest.mark.parametrize(
    ("shape", "flat", "cd", "success", "placed"),
    [
        example("DT-EX-62", TWO, 0, Cd.MODERATE, "13/18", "19/36", rules=CHECKS),
        example("DT-EX-62", TWO, 0, Cd.TOUGH, "5/12", "5/6", rules=CHECKS),
        example("DT-EX-63", ONE, 0, Cd.AVERAGE, "1/2", "2/3", rules=CHECKS),
        example("DT-EX-63", PoolShape(2, Adv.ADV), 0, Cd.TOUGH, "49/72", "41/108", rules=CHECKS),
        example("DT-EX-63", PoolShape(2, Adv.DIS), 0, Cd.MODERATE, "103/216", "67/72", rules=CHECKS),
        example("DT-EX-84", TWO, 0, Cd.CHALLENGING, "29/108", None, rules=("DT-CHK-8", "DT-CHK-10")),
        example("DT-EX-84", TWO, 0, Cd.IMPROBABLE, "23/432", None, rules=("DT-CHK-8", "DT-CHK-10")),
        example("DT-EX-84", TWO, 0, Cd.LEGENDARY, "0", None, rules=("DT-CHK-8", "DT-CHK-10")),
        example("DT-EX-84", ONE, 0, Cd.TOUGH, "5/36", None, rules=("DT-CHK-8", "DT-CHK-10")),
        example("DT-EX-84", ONE, 0, Cd.CHALLENGING, "1/12", None, rules=("DT-CHK-8", "DT-CHK-10")),
        example("DT-EX-84", ONE, 0, Cd.FORMIDABLE, "0", None, rules=("DT-CHK-8", "DT-CHK-10")),
        example("DT-EX-85", TWO, 2, Cd.TOUGH, "13/18", "19/36", rules=("DT-CMB-13",)),
        example("DT-EX-85", PoolShape(2, edge_die=True), 0, Cd.TOUGH, "181/216", "11/24", rules=("DT-CMB-13",)),
    ],
)
def test_the_odds_of_a_check(shape: PoolShape, flat: int, cd: Cd, success: str, placed: str | None) -> None:
    odds = check_odds(totals(shape, flat=flat), cd_of(cd))
    assert odds.chance == Fraction(success)
    assert placed is None or mean(odds) == Fraction(placed)
    assert sum(odds.placements) == 1


@pytest.mark.rule("DT-EX-83", "DT-CHK-9", "DT-CHK-11")
def test_the_odds_of_an_open_pool_with_more_wish_dice() -> None:
    found = [check_odds(totals_of_open_pool((3, 4), wishes=wishes), 10) for wishes in (0, 1, 2)]
    assert [odds.chance for odds in found] == [0, Fraction(2, 3), Fraction(35, 36)]
    assert found[1].placements == (Fraction(2, 3), Fraction(1, 6), Fraction(1, 6))


@pytest.mark.parametrize(
    ("attacker", "edge", "defender", "hit"),
    [
        example("DT-EX-64", ONE, 0, ONE, "185/432", rules=("DT-CMB-6", "DT-CMB-7")),
        example("DT-EX-64", TWO, 0, ONE, "763/972", rules=("DT-CMB-6", "DT-CMB-7")),
        example("DT-EX-64", ONE, 0, TWO, "305/1944", rules=("DT-CMB-6", "DT-CMB-7")),
        example("DT-EX-64", TWO, 0, TWO, "764255/1679616", rules=("DT-CMB-6", "DT-CMB-7")),
        example("DT-EX-86", ONE, 1, ONE, "247/432", rules=("DT-CMB-7", "DT-CMB-13")),
    ],
)
def test_the_odds_of_a_hit(attacker: PoolShape, edge: int, defender: PoolShape, hit: str) -> None:
    assert attack_odds(totals(attacker, flat=edge), totals(defender)).chance == Fraction(hit)


@pytest.mark.rule("DT-CHK-3")
def test_a_simple_check_is_sure() -> None:
    odds = check_odds(None, cd_of(Cd.SIMPLE))
    assert (odds.chance, odds.placements) == (1, (1, 0, 0))
    for roll, cd in ((totals(ONE), 0), (None, 2)):
        with pytest.raises(ValueError, match="a check of CD"):
            check_odds(roll, cd)


@pytest.mark.rule("DT-CHK-4", "DT-CHK-5", "DT-CHK-7", "DT-CHK-8", *CHECKS, "DT-AMB-3", "DT-AMB-5", "DT-AMB-6")
@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: f"{s.base}d6-{s.adv}-{s.edge_die}")
def test_the_odds_of_a_check_are_those_of_every_throw(shape: PoolShape) -> None:
    for wishes in range(5 - len(shape.kinds)):
        rolls, odds = every_roll(shape, wishes, 0), totals(shape, wishes=wishes)
        for cd in range(1, 41):
            assert every_end(check_odds(odds, cd)) == placements_of_check(rolls, cd)


def test_a_miracle_die_counts_as_an_edge_die_does() -> None:
    assert totals(PoolShape(2, Adv.DIS, miracle_die=True)) == totals(PoolShape(2, Adv.DIS, edge_die=True))
    assert totals(PoolShape(1, miracle_die=True, edge_die=True)) == totals(ONE, wishes=2)


@settings(max_examples=60)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=5), st.integers(0, 2), st.integers(0, 3), st.integers(1, 40))
def test_the_odds_of_an_open_pool_are_those_of_every_throw(pool: list[int], wishes: int, flat: int, cd: int) -> None:
    odds = check_odds(totals_of_open_pool(pool, wishes=wishes, flat=flat), cd)
    assert every_end(odds) == placements_of_check(every_pool(pool, wishes, flat), cd)


@pytest.mark.rule("DT-CMB-6", "DT-CMB-7", "DT-CMB-9", "DT-AMB-13")
@settings(max_examples=30)
@given(SMALL, SMALL, st.integers(0, 3), st.integers(0, 3))
def test_the_odds_of_an_attack_are_those_of_every_throw(
    attacker: PoolShape, defender: PoolShape, edge: int, other_edge: int
) -> None:
    odds = attack_odds(totals(attacker, flat=edge), totals(defender, flat=other_edge))
    plain = cases_of_attack(every_roll(attacker, 0, edge), every_roll(defender, 0, other_edge))
    assert every_case(odds) == plain
    owed = {key: (key[1], key[2] + key[0]) for key in plain}
    for number in range(4):
        assert odds.placements[number] == sum(plain[key] for key in plain if sum(owed[key]) == number)


@pytest.mark.rule("DT-CMB-6")
def test_the_odds_of_an_attack_on_an_open_pool_with_a_wish_die() -> None:
    odds = attack_odds(totals_of_open_pool((4, 4)), totals_of_open_pool((2, 3), wishes=1))
    assert every_case(odds) == cases_of_attack(every_pool([4, 4], 0, 0), every_pool([2, 3], 1, 0))
    assert odds.chance == Fraction(2, 6)


@pytest.mark.rule("DT-AMB-2")
def test_a_monster_adds_nothing_to_the_dice_for_the_tower() -> None:
    assert check_odds(totals(ONE), 40, kind=MONSTER).placements == (1, 0, 0)
    both = attack_odds(totals(TWO), totals(ONE))
    against = attack_odds(totals(TWO), totals(ONE), defender_kind=MONSTER)
    by = attack_odds(totals(TWO), totals(ONE), attacker_kind=MONSTER)
    own = sum(case.chance for case in both.cases if case.attacker_net_fail)
    others = [
        sum(case.chance for case in both.cases if case.defender_net_fail + case.hit == number) for number in range(3)
    ]
    assert 0 < own < 1 and all(others)
    assert against.placements == (1 - own, own, 0, 0)
    assert by.placements == (*others, 0)


@pytest.mark.rule("DT-SIM-6")
def test_the_tower_falls_by_a_check_as_its_placements_and_their_risk_say() -> None:
    centres = tower((0, 0), (5, 0))
    odds = check_odds(totals(ONE), cd_of(Cd.AVERAGE))
    _, one, two = odds.placements
    assert (one, two) == (Fraction(1, 3), Fraction(1, 6))
    two_fall = Fraction(1, 6) + Fraction(1735, 13122)
    assert fall_chance(odds.placements, centres, 6) == one * Fraction(1, 6) + two * two_fall


@pytest.mark.rule("DT-SIM-1", "DT-SIM-6")
def test_the_first_dice_of_a_tower_and_those_after_a_miracle_are_safe() -> None:
    odds = check_odds(totals(ONE), 40)
    assert fall_chance(odds.placements, (), 5) == 0
    assert fall_chance(odds.placements, (Centre(0, 0),), 5) > 0
    high = standing_tower([(3, 2, 2, 2), (2, 3, 2, 2)] * 5 + [(6, 2, 1, 2)], 6)
    assert len(high) == 12 and standing_chances(high, 6, 2)[1] == standing_chances(high, 6, 2)[2]
    assert fall_chance(odds.placements, high, 6) == (1 - odds.placements[0]) * Fraction(risk(high, 6), 1296)


def test_the_tower_falls_by_an_attack_with_up_to_three_dice() -> None:
    odds = attack_odds(totals(ONE, flat=1), totals(ONE))
    assert odds.placements[3] == Fraction(1, 36)
    stands = [Fraction(1), Fraction(5, 6), Fraction(4600, 6561)]
    found = fall_chance(odds.placements[:3], tower((0, 0), (5, 0)), 6)
    assert found == sum(c * (1 - s) for c, s in zip(odds.placements[:3], stands, strict=True))
    assert fall_chance(odds.placements, tower((0, 0), (5, 0)), 6) > found + odds.placements[3] * (1 - stands[2])


def test_odds_with_all_wishes_that_anybody_may_hold_are_counted_and_no_more() -> None:
    largest = totals(PoolShape(2, Adv.ADV, edge_die=True, miracle_die=True), wishes=20)
    odds = check_odds(largest, 40)
    assert odds.success + odds.success_net_fail + odds.failure + odds.failure_net_fail == 1
    assert odds.chance > Fraction(99, 100)
    for wishes in (21, -1):
        with refused("odds.large"):
            totals(ONE, wishes=wishes)
        with refused("odds.large"):
            totals_of_open_pool((1,), wishes=wishes)


def test_a_flat_edge_moves_both_parts_of_the_totals() -> None:
    plain, moved = totals(TWO), totals(TWO, flat=3)
    assert moved == Totals(plain.net_fail.plus(3), plain.other.plus(3))
