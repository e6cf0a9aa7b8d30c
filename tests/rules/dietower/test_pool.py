"""Checks and attacks from dice that were thrown (DT-CHK-*, DT-CMB-*): pools, totals, what the tower is owed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.dietower.rules.checks.pool import (
    CDS,
    Cd,
    CheckResult,
    Placement,
    Pool,
    PoolShape,
    Side,
    Tally,
    attack_result,
    base_dice_of_attack,
    base_dice_of_check,
    cd_of,
    check_result,
    has_miracle_die,
    is_placer,
    is_rolled,
    joint_adv,
    net,
    pool_of,
)
from games.dietower.rules.state.schema_types import ActorKind, Adv, Reason, Uses
from tests.playbook import refused
from tests.rules.dietower.examples import example

NF, FAILURE, HIT = Reason.NET_FAIL, Reason.FAILURE, Reason.HIT
GOOD, OTHER = PoolShape(2), PoolShape(1)
PC, NPC, MONSTER = ActorKind.PC, ActorKind.NPC, ActorKind.MONSTER
DICE = st.integers(1, 6)
SHAPES = st.builds(PoolShape, st.sampled_from((1, 2)), st.sampled_from(Adv), st.booleans(), st.booleans())


@pytest.mark.parametrize(
    ("shape", "cd", "dice", "wishes", "extra", "flat", "pool", "net_of", "total", "placements"),
    [
        example("DT-EX-01", GOOD, Cd.MODERATE, [4, 3], [], [], 0, [4, 3], 0, 7, [], rules=("DT-CHK-10",)),
        example("DT-EX-02", GOOD, Cd.TOUGH, [5, 3], [], [], 0, [5, 3], 0, 8, [], rules=("DT-CHK-10",)),
        example("DT-EX-03", OTHER, Cd.AVERAGE, [3], [], [], 0, [3], 0, 3, [FAILURE], rules=("DT-CHK-11",)),
        example("DT-EX-04", OTHER, Cd.EASY, [1], [], [], 0, [1], -1, 1, [NF, FAILURE], rules=("DT-CHK-11", "DT-AMB-6")),
        example("DT-EX-05", GOOD, Cd.AVERAGE, [1, 5], [], [], 0, [1, 5], -1, 6, [NF], rules=("DT-CHK-9",)),
        example("DT-EX-06", GOOD, Cd.CHALLENGING, [6, 1], [], [], 0, [6, 1], 0, 7, [FAILURE], rules=("DT-CHK-7",)),
        example("DT-EX-07", GOOD, Cd.CHALLENGING, [6, 3], [], [2], 0, [6, 3], 1, 11, [], rules=("DT-CHK-8",)),
        example("DT-EX-08",
            GOOD, Cd.IMPROBABLE, [6, 6], [], [6, 1], 0, [6, 6], 2, 19, [], rules=("DT-CHK-8", "DT-AMB-5")),
        example(
            "DT-EX-09",
            PoolShape(2, Adv.ADV), Cd.TOUGH, [1, 4, 4], [], [], 0, [4, 4], 0, 8, [], rules=("DT-CHK-5", "DT-AMB-3")
        ),
        example("DT-EX-10", PoolShape(2, Adv.DIS), Cd.MODERATE, [6, 1, 2], [], [], 0, [1, 2], -1, 3, [NF, FAILURE]),
        example(
            "DT-EX-11",
            PoolShape(1, Adv.ADV), Cd.MODERATE, [6, 6], [], [3], 0, [6], 1, 9, [], rules=("DT-CHK-5", "DT-AMB-3")
        ),
        example("DT-EX-12", GOOD, Cd.CHALLENGING, [4, 3], [6], [2], 0, [4, 3, 6], 1, 15, [], rules=("DT-CHK-8",)),
        example("DT-EX-13", GOOD, Cd.TOUGH, [3, 4], [1], [], 0, [3, 4, 1], -1, 8, [NF], rules=("DT-CHK-9",)),
        example("DT-EX-14", GOOD, Cd.FORMIDABLE, [5, 5], [], [], 3, [5, 5], 0, 13, [], rules=("DT-CMB-13",)),
        example(
            "DT-EX-45", PoolShape(2, joint_adv([Adv.ADV, Adv.DIS])), Cd.MODERATE, [2, 5], [], [], 0, [2, 5], 0, 7, [],
            rules=("DT-AMB-16",),
        ),
        example("DT-EX-46", PoolShape(2, Adv.DIS), Cd.MODERATE, [6, 5, 3], [], [], 0, [5, 3], 0, 8, []),
        example(
            "DT-EX-46",
            PoolShape(base_dice_of_check(True, no_power=True)), Cd.MODERATE, [3], [], [], 0, [3], 0, 3, [FAILURE],
            rules=("DT-AMB-57",),
        ),
        example(
            "DT-EX-58", PoolShape(2, edge_die=True), Cd.EPIC, [2, 2, 6], [], [4], 3, [2, 2, 6], 1, 17,
            [FAILURE], rules=("DT-CMB-13", "DT-AMB-17"),
        ),
        example(
            "DT-EX-60",
            PoolShape(2, miracle_die=has_miracle_die(2)), Cd.CHALLENGING, [3, 4, 5], [], [], 0, [3, 4, 5], 0, 12,
            [], rules=("DT-AMB-24",),
        ),
        example(
            "DT-EX-70", PoolShape(2, Adv.ADV, edge_die=True, miracle_die=True), Cd.EPIC, [2, 5, 3, 6, 1], [6], [4], 0,
            [5, 3, 6, 1, 6], 1, 25, [], rules=("DT-CHK-13",),
        ),
    ],
)  # fmt: skip
def test_a_check_ends_as_the_rulebook_says(
    shape: PoolShape,
    cd: Cd,
    dice: list[int],
    wishes: list[int],
    extra: list[int],
    flat: int,
    pool: list[int],
    net_of: int,
    total: int,
    placements: list[Reason],
) -> None:
    thrown = pool_of(shape, dice, wishes)
    assert (list(thrown.pool), thrown.net) == (pool, net_of)
    result = check_result(cd_of(cd), Tally(thrown.pool, tuple(extra), flat))
    assert result == CheckResult(net_of, total, FAILURE not in placements, tuple(placements))


@pytest.mark.rule("DT-CHK-3", "DT-EX-43")
def test_a_simple_check_succeeds_without_a_roll() -> None:
    assert not is_rolled(cd_of(Cd.SIMPLE)) and all(is_rolled(cd) for cd in range(1, 41))
    assert check_result(cd_of(Cd.SIMPLE), None) == CheckResult(0, 0, True, ())
    with pytest.raises(ValueError, match="a check of CD 0 with a roll"):
        check_result(0, Tally((1,)))
    with pytest.raises(ValueError, match="a check of CD 2 without a roll"):
        check_result(2, None)


@pytest.mark.rule("DT-CHK-2")
def test_difficulties_have_names() -> None:
    assert list(CDS.values()) == [0, 2, 4, 6, 8, 10, 13, 16, 20, 30]
    assert [cd_of(name) for name in Cd] == list(CDS.values())
    assert (cd_of(Cd.FORMIDABLE), cd_of(Cd.LEGENDARY)) == (13, 30)


@pytest.mark.rule("DT-CHK-2", "DT-AMB-21", "DT-EX-44")
def test_a_custom_difficulty_is_from_1_to_40() -> None:
    assert [cd_of(cd) for cd in (1, 12, 40)] == [1, 12, 40]
    for cd in (41, 0, -1):
        with refused("cd.unknown"):
            cd_of(cd)


@pytest.mark.rule("DT-CHK-4", "DT-EX-78")
def test_two_dice_where_the_world_master_says_good_and_one_for_all_else() -> None:
    assert (base_dice_of_check(False), base_dice_of_check(True)) == (1, 2)


@pytest.mark.rule("DT-AMB-57", "DT-CMB-5")
def test_a_refused_power_takes_two_dice_of_any_check_and_of_an_attack_with_the_power_alone() -> None:
    assert [base_dice_of_check(good, no_power=True) for good in (True, False)] == [1, 1]
    attacks = {uses: base_dice_of_attack(uses, no_power=True) for uses in Uses}
    assert attacks == {Uses.WEAPON: 2, Uses.POWER: 1, Uses.NONE: 1}


@pytest.mark.rule("DT-CMB-5")
def test_two_dice_where_weapon_or_power_applies() -> None:
    assert {uses: base_dice_of_attack(uses) for uses in Uses} == {Uses.WEAPON: 2, Uses.POWER: 2, Uses.NONE: 1}
    assert [base_dice_of_attack(uses, applies=False) for uses in Uses] == [1, 1, 1]


@pytest.mark.rule("DT-AMB-16", "DT-AMB-57")
@pytest.mark.parametrize(
    ("_case", "advs", "joint"),
    [
        ("nothing", [], Adv.NONE),
        ("neither", [Adv.NONE, Adv.NONE], Adv.NONE),
        ("one advantage", [Adv.NONE, Adv.ADV], Adv.ADV),
        ("two disadvantages are one", [Adv.DIS, Adv.DIS], Adv.DIS),
        ("both cancel", [Adv.ADV, Adv.DIS], Adv.NONE),
        ("one advantage cancels two disadvantages", [Adv.DIS, Adv.ADV, Adv.DIS], Adv.NONE),
    ],
)
def test_advantage_and_disadvantage_cancel(_case: str, advs: list[Adv], joint: Adv) -> None:
    assert joint_adv(advs) is joint


@pytest.mark.rule("DT-CHK-5", "DT-AMB-34", "DT-EX-71")
def test_of_equal_dice_the_later_goes() -> None:
    thrown = pool_of(PoolShape(2, Adv.ADV), [4, 4, 5])
    assert (thrown.discarded, thrown.pool) == (1, (4, 5))
    assert pool_of(PoolShape(2, Adv.DIS), [5, 2, 5]).discarded == 2
    assert pool_of(PoolShape(1, Adv.DIS), [3, 3]).discarded == 1
    assert pool_of(PoolShape(2), [4, 4]).discarded is None


@pytest.mark.rule("DT-CHK-5", "DT-CMB-13")
def test_a_bonus_die_is_never_discarded() -> None:
    lowest = pool_of(PoolShape(1, Adv.ADV, edge_die=True, miracle_die=True), [5, 4, 1, 2], [1])
    assert (lowest.discarded, lowest.pool) == (1, (5, 1, 2, 1))
    highest = pool_of(PoolShape(1, Adv.DIS, edge_die=True), [3, 4, 6], [6])
    assert (highest.discarded, highest.pool) == (1, (3, 6, 6))


@pytest.mark.rule("DT-CHK-5", "DT-AMB-3")
@given(SHAPES, st.data())
def test_the_lowest_or_highest_of_the_first_dice_goes(shape: PoolShape, data: st.DataObject) -> None:
    dice = data.draw(st.lists(DICE, min_size=len(shape.kinds), max_size=len(shape.kinds)))
    thrown = pool_of(shape, dice)
    first = dice[: shape.base + (shape.adv is not Adv.NONE)]
    going = {Adv.NONE: [], Adv.ADV: [min(first)], Adv.DIS: [max(first)]}[shape.adv]
    assert sorted([*thrown.pool, *going]) == sorted(dice)
    assert len(thrown.pool) == shape.base + shape.edge_die + shape.miracle_die
    assert thrown.discarded is None or thrown.discarded < len(first)
    assert thrown.net == sum(d == 6 for d in thrown.pool) - sum(d == 1 for d in thrown.pool)


@pytest.mark.rule("DT-CHK-7", "DT-CHK-8")
@pytest.mark.parametrize(
    ("pool", "net_of"), [((6, 6, 1), 1), ((1, 1, 6), -1), ((2, 3, 4, 5), 0), ((6, 6, 6), 3), ((), 0)]
)
def test_net_is_criticals_less_fails_and_brings_as_many_extra_dice(pool: tuple[int, ...], net_of: int) -> None:
    assert net(pool) == net_of
    more = max(0, net_of)
    assert Pool(pool, None).net == Tally(pool, (1,) * more).net == net_of
    for wrong in {more - 1, more + 1} - {-1}:
        with pytest.raises(ValueError, match="extra dice for a net of"):
            Tally(pool, (1,) * wrong)


@pytest.mark.rule("DT-CHK-8", "DT-AMB-5")
def test_extra_dice_are_neither_criticals_nor_fails() -> None:
    tally = Tally((6, 6), (6, 1))
    assert (tally.net, tally.total) == (2, 19)
    assert check_result(30, Tally((6,), (1,))).placements == (FAILURE,)


@pytest.mark.rule("DT-CHK-9", "DT-CHK-11", "DT-AMB-6")
def test_one_die_for_a_net_of_fails_however_large_then_one_for_failure() -> None:
    assert check_result(40, Tally((1, 1, 1))).placements == (NF, FAILURE)
    assert check_result(3, Tally((1, 1, 1))).placements == (NF,)


@pytest.mark.rule("DT-AMB-2")
def test_a_monster_places_nothing() -> None:
    assert [is_placer(kind) for kind in (PC, NPC, MONSTER)] == [True, True, False]
    assert check_result(40, Tally((1,)), kind=MONSTER) == CheckResult(-1, 1, False, ())
    assert check_result(40, Tally((1,)), kind=NPC).placements == (NF, FAILURE)


@pytest.mark.rule("DT-CHK-10")
def test_a_total_as_high_as_the_difficulty_is_success() -> None:
    assert [check_result(cd, Tally((3, 2), flat=2)).success for cd in (6, 7, 8)] == [True, True, False]


A, D = Side.ATTACKER, Side.DEFENDER


@pytest.mark.parametrize(
    ("attacker", "kind", "defender", "other", "totals", "hit", "placements"),
    [
        example("DT-EX-15", Tally((4, 3)), PC, Tally((5,)), MONSTER, (7, 5), True, [], rules=("DT-CMB-7",)),
        example("DT-EX-16", Tally((3, 2)), PC, Tally((5,)), MONSTER, (5, 5), False, [], rules=("DT-CMB-7",)),
        example(
            "DT-EX-17", Tally((6,), (2,)), MONSTER, Tally((1, 4)), PC, (8, 5), True, [(D, NF), (D, HIT)],
            rules=("DT-CMB-6", "DT-CMB-9", "DT-CMB-10", "DT-AMB-13"),
        ),
        example(
            "DT-EX-18",
            Tally((1,), flat=3), PC, Tally((2,)), MONSTER, (4, 2), True, [(A, NF)], rules=("DT-CMB-6", "DT-CMB-13")
        ),
        example("DT-EX-54", Tally((4, 4)), PC, Tally((2, 3, 6), (1,)), PC, (8, 12), False, [], rules=("DT-CMB-6",)),
        pytest.param(
            Tally((1, 3)), PC, Tally((1, 2)), NPC, (4, 3), True, [(A, NF), (D, NF), (D, HIT)],
            id="both fail and it hits", marks=pytest.mark.rule("DT-CMB-9", "DT-CMB-10"),
        ),
        pytest.param(
            Tally((1, 1)), MONSTER, Tally((1,)), MONSTER, (2, 1), True, [],
            id="Monsters place nothing", marks=pytest.mark.rule("DT-CMB-6"),
        ),
        pytest.param(
            Tally((2,)), PC, Tally((5,)), PC, (2, 5), False, [],
            id="a miss is no failed check", marks=pytest.mark.rule("DT-CMB-6"),
        ),
    ],
)  # fmt: skip
def test_an_attack_ends_as_the_rulebook_says(
    attacker: Tally,
    kind: ActorKind,
    defender: Tally,
    other: ActorKind,
    totals: tuple[int, int],
    hit: bool,
    placements: list[tuple[Side, Reason]],
) -> None:
    result = attack_result(attacker, defender, attacker_kind=kind, defender_kind=other)
    assert (attacker.total, defender.total, result.hit) == (*totals, hit)
    assert result.placements == tuple(Placement(*each) for each in placements)
