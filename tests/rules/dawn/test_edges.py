"""Edges (DW-EDGE-*): what each kind is good for, names and tags, and who may give one to whom."""

from uuid import UUID

import pytest

from games.dawn.rules.powers.events import PowerResolved
from games.dawn.rules.races.edge_commands import GiftEdge
from games.dawn.rules.races.events import EdgeGifted
from games.dawn.rules.state.schema_types import BonusSource, EdgeKind, EdgeTag, Life
from games.dawn.rules.war.battles import attack_bonuses
from tests.dice import d
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.field import HOLD, armies, commit, field, march
from tests.rules.dawn.stage import DWARVES, ELVES, HAVEN, A, B, C, balances, city, people, playing, sound, turn_of

OFFENSIVE, DEFENSIVE, OTHER = EdgeKind


def gift(book: Playbook, target: UUID, name: str, kind: EdgeKind, *tags: EdgeTag, by: UUID = A) -> EdgeGifted:
    (event,) = of_kind(book.when(GiftEdge(target=target, name=name, kind=kind, tags=tags), by=by), EdgeGifted)
    assert isinstance(event, EdgeGifted)
    return event


def bonuses_of(book: Playbook, side: str) -> dict[BonusSource, int]:
    """What a side adds in a battle of one army against one."""
    march(book)
    (mine,), (theirs,) = armies(book), armies(book, HOLD)
    commit(book, A, mine)
    (battle,) = (
        e
        for e in commit(book, B, theirs, dice=[d(6, "attacker", 6), d(6, "defender", 1)])
        if type(e).__name__ == "BattleRolled"
    )
    return {bonus.source: bonus.amount for bonus in getattr(battle, side).bonuses}


@pytest.mark.rule("DW-EDGE-1")
@pytest.mark.parametrize("number", [1, 3, 7])
def test_each_offensive_edge_is_one_attack_and_no_defence_without_limit(number: int):
    book = field(1, 1, a=100, b=0, c=0)
    for n in range(number):
        gift(book, ELVES, f"Bows {n}", OFFENSIVE)
        gift(book, DWARVES, f"Rams {n}", OFFENSIVE)
    assert bonuses_of(book, "attacker").get(BonusSource.RACE_EDGES) == number
    book = field(1, 1, a=100, b=0, c=0)
    gift(book, DWARVES, "Rams", OFFENSIVE)
    assert not bonuses_of(book, "defender").get(BonusSource.RACE_EDGES)


@pytest.mark.rule("DW-EDGE-1")
@pytest.mark.parametrize("number", [1, 3, 7])
def test_each_defensive_edge_is_one_defence_and_no_attack_without_limit(number: int):
    book = field(1, 1, a=100, b=0, c=0)
    for n in range(number):
        gift(book, DWARVES, f"Walls {n}", DEFENSIVE)
        gift(book, HOLD, f"Towers {n}", DEFENSIVE)
    found = bonuses_of(book, "defender")
    assert (found[BonusSource.RACE_EDGES], found[BonusSource.CITY_EDGES]) == (number, number)
    book = field(1, 1, a=100, b=0, c=0)
    gift(book, ELVES, "Walls", DEFENSIVE)
    assert not bonuses_of(book, "attacker").get(BonusSource.RACE_EDGES)


@pytest.mark.rule("DW-EDGE-2")
def test_other_edges_add_nothing_to_a_battle():
    book = field(1, 1, a=100, b=0, c=0)
    for target in (ELVES, HAVEN, DWARVES, HOLD):
        gift(book, target, "Music", OTHER)
        gift(book, target, "Seamanship", OTHER, EdgeTag.CROSSES_WATER, EdgeTag.FLIES)
    assert {bonus.amount for bonus in attack_bonuses(book.state, armies(book))} <= {0}
    assert set(bonuses_of(book, "defender").values()) <= {0}


@pytest.mark.rule("DW-EDGE-2")
@pytest.mark.parametrize("tags", [(EdgeTag.CROSSES_WATER,), (EdgeTag.FLIES,), tuple(EdgeTag)])
def test_only_other_edges_carry_tags(tags: tuple[EdgeTag, ...]):
    book = playing(age=2, a=40)
    people(book, B)
    for kind in (OFFENSIVE, DEFENSIVE):
        with refused("tag.kind", book.state):
            gift(book, ELVES, "Ships", kind, *tags)
    assert set(gift(book, ELVES, "Ships", OTHER, *tags).tags) == set(tags)
    assert set(book.state.edges[ELVES, "Ships"].tags) == set(tags) and sound(book)


@pytest.mark.rule("DW-EDGE-2")
def test_a_name_occurs_once_for_each_race_and_for_each_city():
    book = playing(age=2, a=40)
    haven, elves, dwarves = city(book), people(book, B), people(book, C, race=DWARVES)
    for target in (elves, haven, dwarves):
        assert gift(book, target, "Archery", OFFENSIVE) == event_like(EdgeGifted, target=target, edge="Archery")
    for kind in EdgeKind:
        for target in (elves, haven, dwarves):
            with refused("edge.exists", book.state):
                gift(book, target, "ARCHERY", kind)
    assert balances(book, A) == [40 - 5 - 4 - 5]


@pytest.mark.rule("DW-EDGE-3")
def test_any_god_gives_an_edge_to_any_race_or_city_that_is_there():
    book = playing(age=2, a=40, c=40)
    haven = city(book, people(book, B), controller=B)
    turn_of(book, C)
    gift(book, ELVES, "Archery", OFFENSIVE, by=C)
    gift(book, haven, "Walls", DEFENSIVE, by=C)
    with refused("turn.not_yours", book.state):
        gift(book, haven, "Music", OTHER)
    with refused("target.missing", book.state):
        gift(book, UUID(int=1), "Music", OTHER, by=C)
    people(book, B, life=Life.EXTINCT)
    for target in (ELVES, haven):
        with refused("race.extinct", book.state):
            gift(book, target, "Music", OTHER, by=C)
    assert balances(book, A, C) == [40, 40 - 5 - 4]


@pytest.mark.rule("DW-EX-32", "DW-EDGE-1", "DW-EDGE-3", "DW-PRC-3")
@pytest.mark.parametrize(("age", "other", "combat"), [(1, 6, 8), (2, 3, 4), (3, 4, 5)])
def test_an_edge_of_a_city_costs_by_its_kind_and_age(age, other, combat):
    book = playing(age=age, a=20)
    haven = city(book, people(book, B), controller=B)
    events = book.when(GiftEdge(target=haven, name="music", kind=EdgeKind.OTHER), by=A)
    assert of_kind(events, EdgeGifted, PowerResolved) == [
        event_like(EdgeGifted, target=haven, edge="music", tags=(), by=A),
        event_like(PowerResolved),
    ]
    assert balances(book, A) == [20 - other]
    book.when(GiftEdge(target=haven, name="archery", kind=EdgeKind.OFFENSIVE), by=A)
    assert balances(book, A) == [20 - other - combat] and sound(book)


@pytest.mark.rule("DW-EDGE-2")
def test_an_edge_has_a_name_of_its_own_and_only_others_carry_tags():
    book = playing(age=2, a=20)
    elves = people(book, B)
    book.when(GiftEdge(target=elves, name="Ships", kind=EdgeKind.OTHER, tags=(EdgeTag.CROSSES_WATER,)), by=A)
    assert book.state.edges[elves, "Ships"].tags == (EdgeTag.CROSSES_WATER,)
    with refused("edge.exists", book.state):
        book.when(GiftEdge(target=elves, name="ships", kind=EdgeKind.DEFENSIVE), by=A)
    with refused("tag.kind", book.state):
        book.when(GiftEdge(target=elves, name="wings", kind=EdgeKind.OFFENSIVE, tags=(EdgeTag.FLIES,)), by=A)
    people(book, B, life=Life.EXTINCT)
    with refused("race.extinct", book.state):
        book.when(GiftEdge(target=elves, name="songs", kind=EdgeKind.OTHER), by=A)


@pytest.mark.rule("DW-PTS-1")
def test_what_costs_more_than_the_balance_is_refused_whole():
    book = playing(age=2, a=4)
    elves = people(book, A)
    with refused("points.short", book.state):
        book.when(GiftEdge(target=elves, name="archery", kind=EdgeKind.OFFENSIVE), by=A)
