"""Who picks which edges of a subrace (DW-SUB-3): the pool, the rotation, silence, and who leaves."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.dawn.rules.land.shaping import at_home_on_water
from games.dawn.rules.powers.answer_commands import WaiveObjection
from games.dawn.rules.powers.events import PowerResolved
from games.dawn.rules.races.edge_commands import GiftEdge
from games.dawn.rules.races.events import EdgePicked, SubraceCreated
from games.dawn.rules.races.subrace_commands import PickEdge
from games.dawn.rules.races.subraces import pool
from games.dawn.rules.state.records import Edge
from games.dawn.rules.state.schema_types import Asked, Terrain
from games.dawn.rules.trade.commands import AcceptOffer, OfferPlace
from games.dawn.rules.trade.events import OfferMade
from games.dawn.rules.turn.commands import EndTurn, LeaveSeat
from games.engine.prompts.prompt import DeadlinePassed, PromptOpened
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.branching import (
    DEFENSIVE,
    OFFENSIVE,
    OTHER,
    WATER,
    WINGS,
    branch,
    creation_in,
    edges,
    give_edge,
    legal_commands_of,
    pick,
    pickers_of,
    stage,
)
from tests.rules.dawn.stage import DWARVES, ELVES, A, B, C, D, city, edge, inner_prompt, people, playing, sound


@pytest.mark.rule("DW-SUB-3")
def test_the_pool_has_each_race_edge_once_with_the_better_kind_and_all_tags():
    book = stage()
    people(book)
    people(book, race=DWARVES)
    give_edge(book, DWARVES, "Boats", OTHER, WATER)
    give_edge(book, ELVES, "wings", OTHER, WINGS)
    give_edge(book, ELVES, "BOATS", OTHER, WINGS)
    give_edge(book, DWARVES, "Wings", OFFENSIVE)
    give_edge(book, ELVES, "Walls", OTHER)
    give_edge(book, DWARVES, "walls", DEFENSIVE)
    edge(book, city(book), "Harbour")
    assert pool(book.state, (ELVES, DWARVES)) == [
        Edge(DWARVES, "Boats", OTHER, (WATER, WINGS), 1),
        Edge(ELVES, "wings", OFFENSIVE, (WINGS,), 2),
        Edge(ELVES, "Walls", DEFENSIVE, (), 5),
    ]
    events = book.when(branch(ELVES, DWARVES), by=A)
    assert creation_in(events).edge_number == 1
    (picked,) = of_kind(pick(book, A, "Wings"), EdgePicked)
    race = creation_in(events).race
    assert picked == event_like(EdgePicked, race=race, edge="wings", tags=(WINGS,), given=2, by=A)
    assert book.state.edges_of(race) == [Edge(race, "wings", OFFENSIVE, (WINGS,), 2)] and sound(book)


@pytest.mark.rule("DW-SUB-3", "DW-AMB-13")
def test_the_parents_creators_pick_in_rotation_the_caster_first_if_among_them():
    book = playing(4, age=2, b=4)
    book.state.squares[1, 1] = replace(book.state.squares[1, 1], terrain=Terrain.PLAINS)
    people(book, C, A)
    people(book, B, C, race=DWARVES)
    for parent in (ELVES, DWARVES):
        edges(book, parent, *(f"{parent.int:x}-{n}" for n in range(8)))
    book.when(EndTurn(), by=A)
    events = book.when(branch(ELVES, DWARVES), by=B)
    assert creation_in(events) == event_like(SubraceCreated, edge_number=4, pickers=(B, A, C))
    events, names = [], [e.name for e in reversed(pool(book.state, (ELVES, DWARVES)))]
    for seat, name in zip((B, A, C, B), names, strict=False):
        for other in {A, B, C, D} - {seat}:
            with refused("prompt.not_yours", book.state):
                pick(book, other, name)
        events += pick(book, seat, name)
    assert pickers_of(events) == [B, A, C, B] and len(of_kind(events, PowerResolved)) == 1
    assert {e.name for e in book.state.edges.values() if e.target not in (ELVES, DWARVES)} == set(names[:4])
    assert book.state.inner() is None and sound(book)


@pytest.mark.rule("DW-SUB-3", "DW-AMB-13")
def test_a_caster_who_made_no_parent_picks_nothing_and_one_creator_of_all_picks_all():
    book = stage()
    people(book, B)
    edges(book, ELVES, "a", "b", "c", "d")
    assert creation_in(book.when(branch(ELVES), by=A)).pickers == (B,)
    with refused("prompt.open", book.state):
        book.when(EndTurn(), by=A)
    assert pickers_of([*pick(book, B, "c"), *pick(book, B, "a")]) == [B, B] and book.state.powers == {}


@pytest.mark.rule("DW-SUB-3")
def test_only_what_is_left_of_the_pool_is_picked():
    book = stage()
    people(book)
    edges(book, ELVES, "a", "b", "c", "d")
    events = book.when(branch(ELVES), by=A)
    (question,) = (e for e in events if isinstance(e, PromptOpened))
    assert (question.kind, question.choices) == (Asked.PICK, ("a", "b", "c", "d"))
    with refused("edge.not_in_pool", book.state):
        pick(book, A, "e")
    pick(book, A, "B")
    (candidate,) = legal_commands_of(book, PickEdge)
    assert candidate.arguments["edge"].values == ("a", "c", "d")
    with refused("prompt.closed"):
        legal_commands_of(book, PickEdge, B)
    with refused("edge.not_in_pool", book.state):
        pick(book, A, "b")
    with refused("prompt.closed", book.state):
        book.when(PickEdge(prompt=UUID(int=5), edge="a"), by=A)
    turn = book.state.open_prompt(Asked.TURN)
    with refused("prompt.closed", book.state):
        book.when(PickEdge(prompt=turn.id, edge="a"), by=A)
    pick(book, A, "a")
    with refused("prompt.closed"):
        legal_commands_of(book, PickEdge)


@pytest.mark.rule("DW-SUB-3", "DW-AMB-31")
def test_silence_picks_the_oldest_edge_that_is_left():
    book = stage()
    people(book, B)
    people(book, C, race=DWARVES)
    edges(book, DWARVES, "b", "a")
    edges(book, ELVES, "c", "d", "e", "f")
    events = book.when(branch(ELVES, DWARVES), by=A)
    assert creation_in(events).edge_number == 1
    events = book.wait(timedelta(seconds=90))
    assert of_kind(events, DeadlinePassed, EdgePicked, PowerResolved) == [
        event_like(DeadlinePassed, seats=(B,)),
        event_like(EdgePicked, edge="b", by=B),
        event_like(PowerResolved),
    ]
    (found,) = (h for h in book.log if isinstance(h.event, EdgePicked))
    assert found.by == "deadline" and sound(book)


@pytest.mark.rule("DW-SUB-3", "DW-AMB-37")
def test_a_god_who_leaves_inherits_the_oldest_once_and_the_rotation_goes_on_without_them():
    book = playing(4, age=2, a=4)
    book.state.squares[1, 1] = replace(book.state.squares[1, 1], terrain=Terrain.PLAINS)
    people(book, A, B, C)
    edges(book, ELVES, *"abcdefghij")
    book.when(branch(ELVES), by=A)
    events = pick(book, A, "j")
    events += book.when(LeaveSeat(), by=B)
    events += pick(book, C, "i")
    events += pick(book, A, "h")
    assert [(e.by, e.edge) for e in events if isinstance(e, EdgePicked)] == [(A, "j"), (B, "a"), (C, "i"), (A, "h")]
    events = pick(book, C, "g")
    assert len(of_kind(events, PowerResolved)) == 1 and sound(book)


@pytest.mark.rule("DW-SUB-3", "DW-AMB-37")
def test_where_no_creator_is_left_the_oldest_edges_are_inherited():
    book = stage()
    people(book, B)
    edges(book, ELVES, "b", "a", "c", "d")
    book.when(LeaveSeat(), by=B)
    events = book.when(branch(ELVES), by=A)
    assert creation_in(events).pickers == () and [e.edge for e in events if isinstance(e, EdgePicked)] == ["b", "a"]
    assert book.state.powers == {} and sound(book)


@pytest.mark.rule("DW-SUB-3")
def test_a_grandchild_inherits_an_edge_with_the_age_of_its_first_gift():
    book = stage()
    people(book)
    edges(book, ELVES, "old", "young")
    gnomes = creation_in(book.when(branch(ELVES), by=A)).race
    pick(book, A, "young")
    edges(book, gnomes, "newest")
    assert [(e.name, e.given) for e in pool(book.state, (gnomes,))] == [("young", 2), ("newest", 3)]
    assert book.state.races[gnomes].parents == (ELVES,)
    assert creation_in(book.when(branch(gnomes, name="Sprites"), by=A)).parents == (gnomes,)
    assert [(e.edge, e.given) for e in book.wait(timedelta(seconds=90)) if isinstance(e, EdgePicked)] == [("young", 2)]


@pytest.mark.rule("DW-SUB-3", "DW-ORD-3")
def test_the_rotation_follows_the_turn_order_of_the_round_also_after_a_place_was_sold():
    book = playing(4, age=2, d=4)
    book.state.squares[1, 1] = replace(book.state.squares[1, 1], terrain=Terrain.PLAINS)
    people(book, A, B, C)
    edges(book, ELVES, *"abcdef")
    (sold,) = of_kind(book.when(OfferPlace(to=D, price=0), by=A), OfferMade)
    book.when(AcceptOffer(offer=sold.offer), by=D)
    book.state.set_course(order=(D, C, A, B))
    assert creation_in(book.when(branch(ELVES), by=D)) == event_like(SubraceCreated, edge_number=3, pickers=(C, A, B))
    assert pickers_of([e for seat, name in zip((C, A, B), "abc", strict=True) for e in pick(book, seat, name)]) == [
        C,
        A,
        B,
    ]


@pytest.mark.rule("DW-SUB-3", "DW-AMB-37")
def test_a_god_who_leaves_before_their_pick_is_passed_over():
    book = stage()
    people(book, A, B, C)
    edges(book, ELVES, *"abcdefgh")
    book.when(branch(ELVES), by=A)
    book.when(LeaveSeat(), by=B)
    events = [*pick(book, A, "h"), *pick(book, C, "g"), *pick(book, A, "f"), *pick(book, C, "e")]
    assert [(e.by, e.edge) for e in events if isinstance(e, EdgePicked)] == [(A, "h"), (C, "g"), (A, "f"), (C, "e")]
    assert book.state.powers == {} and sound(book)


@pytest.mark.rule("DW-SUB-3")
@pytest.mark.parametrize(
    ("kinds", "expected"),
    [((OTHER, DEFENSIVE), DEFENSIVE), ((DEFENSIVE, OFFENSIVE), OFFENSIVE), ((OFFENSIVE, OTHER), OFFENSIVE)],
)
def test_of_equal_names_offensive_goes_before_defensive_before_other(kinds: tuple[Any, Any], expected: Any):
    for elves, dwarves in (kinds, kinds[::-1]):
        book = stage()
        people(book)
        people(book, race=DWARVES)
        give_edge(book, ELVES, "Craft", elves)
        give_edge(book, DWARVES, "Craft", dwarves)
        edges(book, DWARVES, "Music", "Memory")
        events = [*book.when(branch(ELVES, DWARVES), by=A), *pick(book, A, "Craft")]
        (picked,) = of_kind(events, EdgePicked)
        assert (picked.kind, picked.given) == (expected, 1)  # type: ignore[attr-defined]


@pytest.mark.rule("DW-SUB-3")
def test_an_heir_crosses_water_by_the_tag_even_of_a_combat_edge():
    book = stage(a=30)
    people(book)
    people(book, race=DWARVES)
    give_edge(book, ELVES, "Ships", OTHER, WATER)
    give_edge(book, DWARVES, "Ships", OFFENSIVE)
    edges(book, DWARVES, "Music", "Memory")
    gnomes = creation_in(book.when(branch(ELVES, DWARVES), by=A)).race
    pick(book, A, "Ships")
    assert book.state.edges[gnomes, "Ships"] == Edge(gnomes, "Ships", OFFENSIVE, (WATER,), 1)
    assert at_home_on_water(book.state, gnomes) and not at_home_on_water(book.state, DWARVES)


@pytest.mark.rule("DW-SUB-3", "DW-DC-7")
def test_where_all_may_challenge_a_subrace_its_edges_are_picked_after_that():
    book = stage(a=12, b=1, c=1)
    book.state.set_course(open_challenge=True)
    people(book, B, C)
    edges(book, ELVES, *"abcdef")
    book.when(branch(ELVES), by=A)
    challenge = inner_prompt(book)
    book.when(WaiveObjection(prompt=challenge), by=B)
    assert creation_in(book.when(WaiveObjection(prompt=challenge), by=C)).pickers == (B, C)
    events = [*pick(book, B, "f"), *pick(book, C, "e"), *pick(book, B, "d")]
    assert pickers_of(events) == [B, C, B] and len(of_kind(events, PowerResolved)) == 1 and sound(book)


@pytest.mark.rule("DW-SUB-3")
def test_a_pick_of_edges_that_a_correction_has_taken_away_is_void():
    book = stage()
    people(book)
    edges(book, ELVES, *"abcd")
    book.when(branch(ELVES), by=A)
    pick(book, A, "d")
    for key in list(book.state.edges):
        if key[0] == ELVES:
            del book.state.edges[key]
    with refused("edge.not_in_pool", book.state):
        pick(book, A, "a")
    events = book.wait(timedelta(seconds=90))
    assert of_kind(events, EdgePicked, PowerResolved) == [event_like(PowerResolved)]
    assert book.state.inner() is None and sound(book)


@pytest.mark.rule("DW-SUB-3")
def test_an_edge_is_as_old_as_its_gift_whatever_race_or_city_it_went_to():
    book = stage(a=60)
    people(book, A, B)
    people(book, A, race=DWARVES)
    for target, name in ((DWARVES, "Zither"), (city(book), "Bells"), (ELVES, "Archery"), (DWARVES, "Masonry")):
        book.when(GiftEdge(target=target, name=name, kind=OTHER), by=A)
    assert [(e.name, e.given) for e in pool(book.state, (ELVES, DWARVES))] == [
        ("Zither", 1),
        ("Archery", 3),
        ("Masonry", 4),
    ]
    book.when(GiftEdge(target=ELVES, name="Memory", kind=OTHER), by=A)
    book.when(branch(ELVES, DWARVES), by=A)
    events = book.wait(timedelta(seconds=90))
    assert [(e.edge, e.given) for e in events if isinstance(e, EdgePicked)] == [("Zither", 1)]
