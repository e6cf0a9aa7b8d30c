"""Cults at their edges (G2-PAN-8 to 11): ties, the last member, gods who are not there, features that preach."""

from collections.abc import Iterable
from typing import Any

import pytest

from games.engine.errors import Refused
from games.gods2.rules.pack.pack import Pack, build
from games.gods2.rules.pantheon.turmoil_events import CultGrew
from games.gods2.rules.state.records import ATHEISM, DIABOLISM
from games.gods2.rules.state.shares import apportion, cult, dissenter, nobody_takes
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import ShareOf
from tests.playbook import event_like, of_kind, refused
from tests.rules.gods2.lands import century_begins
from tests.rules.gods2.raw_packs import raw_pack
from tests.rules.gods2.strikes import cast, pack_of
from tests.rules.gods2.worlds import People, earth_of, race

A, B, C, Z = "a", "b", "c", "z"


@pytest.mark.rule("G2-PAN-9", "G2-AMB-6")
def test_of_equal_remainders_the_larger_old_share_gets_what_is_left_then_gods_by_id_then_atheism() -> None:
    # 70, 70 and 70 raised from 40, 60 and 0: a third each, and one hundredth more for who had most before
    assert cult({A: 4000, B: 6000}, {A: 3000, B: 1000, Z: 7000}) == {A: 3333, B: 3334, Z: 3333}
    assert apportion({A: 1, B: 1, C: 1}, 10_000) == {A: 3334, B: 3333, C: 3333}
    assert apportion({ATHEISM: 1, DIABOLISM: 1, "f": 1}, 10_000) == {ATHEISM: 3333, DIABOLISM: 3333, "f": 3334}
    assert apportion({ATHEISM: 1, DIABOLISM: 1, "f": 1}, 10_001)[ATHEISM] == 3334


@pytest.mark.rule("G2-W88", "G2-PAN-8", "G2-PAN-9")
@pytest.mark.parametrize(
    ("before", "gains", "after"),
    [
        ({A: 9500, B: 500}, {A: 1000}, {A: 10_000}),
        ({A: 9000, B: 1000}, {A: 1000}, {A: 10_000}),
        ({A: 10_000}, {Z: 10_000}, {Z: 10_000}),
        ({A: 9999, B: 1}, {Z: 5000}, {A: 5000, Z: 5000}),  # 4999.5 and 0.5: the larger old share gets it, B leaves
        ({A: 5000, B: 5000}, {A: 1, B: 1}, {A: 5000, B: 5000}),
        ({A: 10_000}, {A: 500}, {A: 10_000}),
        ({A: 3333, B: 3333, C: 3334}, {Z: 1000}, {A: 3000, B: 3000, C: 3000, Z: 1000}),
        ({Z: 9700, A: 300}, {Z: 500, DIABOLISM: 500}, {Z: 9524, DIABOLISM: 476}),  # 100 and 5, not 102 and 5
        ({A: 9500, B: 500}, {A: 2000, B: 9900}, {A: 5000, B: 5000}),
    ],
)
def test_the_named_gain_and_the_others_shrink_in_proportion(
    before: dict[str, int], gains: dict[str, int], after: dict[str, int]
) -> None:
    assert cult(before, gains) == after
    assert sum(after.values()) == 10_000


@pytest.mark.rule("G2-W82", "G2-PAN-11", "G2-AMB-67")
@pytest.mark.parametrize(
    ("before", "points", "after"),
    [
        ({A: 6000, B: 3400, DIABOLISM: 600}, -1000, {A: 6383, B: 3617}),
        ({A: 6000, B: 2500, DIABOLISM: 1500}, -1000, {A: 6706, B: 2794, DIABOLISM: 500}),
        ({A: 9000, DIABOLISM: 1000}, -1000, {A: 10_000}),
        ({A: 10_000}, -1000, {A: 10_000}),
        ({A: 6000, DIABOLISM: 4000}, -1, {A: 6001, DIABOLISM: 3999}),
    ],
)
def test_negative_points_take_at_most_what_is_held_and_go_to_the_others(
    before: dict[str, int], points: int, after: dict[str, int]
) -> None:
    assert cult(before, {DIABOLISM: points}) == after


@pytest.mark.rule("G2-PAN-11", "G2-AMB-67")
def test_nobody_takes_the_share_of_the_last_member() -> None:
    with pytest.raises(Refused) as caught:
        cult({DIABOLISM: 10_000}, {DIABOLISM: -1})
    assert caught.value.code == "pantheon.sole"
    assert nobody_takes({A: 5000, B: 5000}, {A: -1, B: -1}) and not nobody_takes({A: 10_000}, {A: -1, Z: 1})
    assert not nobody_takes({A: 10_000}, {DIABOLISM: -1})


@pytest.mark.rule("G2-PAN-5", "G2-AMB-29")
@pytest.mark.parametrize(
    ("before", "after", "veto"),
    [
        ({A: 9000, DIABOLISM: 1000}, {A: 8501, DIABOLISM: 1499}, DIABOLISM),
        ({A: 9000, DIABOLISM: 1000}, {A: 8500, DIABOLISM: 1500}, None),
        ({A: 9000, DIABOLISM: 1000}, {A: 10_000}, DIABOLISM),
        ({A: 9000, ATHEISM: 1000}, {A: 9000, ATHEISM: 1000}, ATHEISM),
        ({A: 8000, ATHEISM: 1000, DIABOLISM: 1000}, {A: 7000, ATHEISM: 1500, DIABOLISM: 1500}, None),
        ({A: 8000, ATHEISM: 1000, DIABOLISM: 1000}, {A: 7001, ATHEISM: 1499, DIABOLISM: 1500}, ATHEISM),
        ({A: 8000, ATHEISM: 1000, DIABOLISM: 1000}, {A: 7001, ATHEISM: 1500, DIABOLISM: 1499}, DIABOLISM),
        ({A: 10_000}, {A: 9900, DIABOLISM: 100}, None),
        ({DIABOLISM: 9700, A: 300}, {DIABOLISM: 10_000}, DIABOLISM),
    ],
)
def test_each_special_member_agrees_to_five_points_more_and_to_nothing_less(
    before: dict[str, int], after: dict[str, int], veto: str | None
) -> None:
    assert dissenter(before, after) == veto


def pack_with_shrine(*effects: dict[str, Any]) -> dict[int, Pack]:
    """The default pack with a feature `shrine` that does this as each century begins."""
    raw = raw_pack(1)
    given = [{**effect, "on": "century_start"} for effect in effects]
    shrine = {"id": "shrine", "name": "Shrine", "code": "Fp", "terrains": ["any"], "origin": "test", "effects": given}
    raw["features"].append(shrine)
    return {2: build(2, raw)}


def believing(packs: dict[int, Pack], shares: Iterable[tuple[str, int]]) -> tuple[State, People]:
    """Norse with these shares at a shrine."""
    norse = race("Norse", {(0, 0): 1}, faith=tuple(ShareOf(member=member, share=share) for member, share in shares))
    features = [("shrine", (0, 0)), ("void_gate", (0, 2))]
    return earth_of(["PPP"], norse, features=features, packs=packs, century=2), norse


@pytest.mark.rule("G2-PAN-10", "G2-PAN-11")
@pytest.mark.parametrize(
    ("shares", "after"),
    [
        ([(DIABOLISM, 10_000)], {DIABOLISM: 10_000}),
        ([(DIABOLISM, 6000), (ATHEISM, 4000)], {ATHEISM: 5000, DIABOLISM: 5000}),
    ],
)
def test_a_shrine_takes_from_diabolism_where_somebody_can_take_it(shares: Any, after: dict[str, int]) -> None:
    state, norse = believing(pack_with_shrine({"op": "cult", "deity": DIABOLISM, "points": -10}), shares)
    events = century_begins(state)
    assert state.pantheon(norse.id) == after
    assert bool(of_kind(events, CultGrew)) is (len(shares) > 1)


@pytest.mark.rule("G2-PAN-10", "G2-PAN-8")
def test_a_shrine_of_a_god_who_is_not_in_the_game_changes_nothing_and_one_of_diabolism_does() -> None:
    effects = ({"op": "cult", "deity": "nobody", "points": 10}, {"op": "cult", "deity": "caster", "points": 10})
    state, norse = believing(pack_with_shrine(*effects), [(ATHEISM, 10_000)])
    assert of_kind(century_begins(state), CultGrew) == []
    state, norse = believing(pack_with_shrine({"op": "cult", "deity": DIABOLISM, "points": 3}), [(ATHEISM, 10_000)])
    assert of_kind(century_begins(state), CultGrew) == [event_like(CultGrew, race=norse.id, cause="feature:shrine")]
    assert state.pantheon(norse.id) == {ATHEISM: 9700, DIABOLISM: 300}


@pytest.mark.rule("G2-PAN-2", "G2-PAN-8")
def test_a_power_for_a_god_who_is_not_in_the_game_is_refused_before_payment() -> None:
    norse = race("Norse", {(0, 0): 1})
    packs = pack_of(None, hymn={"codes": ["Mu"], "effects": [{"op": "cult", "deity": "nobody", "points": 5}]})
    with refused("member.missing"):
        cast(earth_of(["P"], norse, packs=packs), "hymn", norse)
