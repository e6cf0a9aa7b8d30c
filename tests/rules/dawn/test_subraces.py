"""Subraces (DW-SUB-1..3): parents, how many edges are inherited, and who picks them."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from pydantic import ValidationError

from games.dawn.rules.edges import EdgeGifted, GiftEdge
from games.dawn.rules.land import ShapeLand
from games.dawn.rules.orders import OrderCreated
from games.dawn.rules.powers import PowerDeclared, PowerResolved
from games.dawn.rules.races import CreateRace
from games.dawn.rules.records import Edge, Territory
from games.dawn.rules.subraces import (
    CreateSubrace,
    EdgePicked,
    PickEdge,
    SubraceCreated,
    inherited,
    mean_alignment,
    pool,
)
from games.dawn.rules.turning import EndTurn, LeaveSeat
from games.dawn.rules.vocabulary import Asked, EdgeKind, EdgeTag, Life, Place, ShapeKind, Terrain, Tier
from games.engine.kernel import Actor, Event, Issuer
from games.engine.offers import Offer, Offering
from games.engine.prompt import DeadlinePassed, PromptOpened
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.stage import (
    DWARVES,
    ELVES,
    A,
    B,
    C,
    D,
    asked,
    balances,
    begun,
    city,
    edge,
    log_tells_the_state,
    people,
    playing,
    rounds,
    sound,
)

GNOMES, HOME = UUID(int=0x60), Place(x=1, y=1)
OFFENSIVE, DEFENSIVE, OTHER = EdgeKind
WATER, WINGS = EdgeTag


def stage(gods: int = 3, age: int = 2, **points: int) -> Playbook:
    """A's turn, with Elves and Dwarves at home on the plains of (1, 1)."""
    book = playing(gods, age=age, **(points or {"a": 12}))
    book.state.squares[1, 1] = replace(book.state.squares[1, 1], terrain=Terrain.PLAINS)
    return book


def branch(*parents: UUID, name: str = "Gnomes", home: Place = HOME) -> CreateSubrace:
    return CreateSubrace(name=name, parents=parents, home=home)


def edges(book: Playbook, target: UUID, *names: str) -> None:
    for name in names:
        edge(book, target, name)


def given(book: Playbook, target: UUID, name: str, kind: EdgeKind, *tags: EdgeTag) -> None:
    """Give an edge with tags."""
    edge(book, target, name, kind)
    book.state.edges[target, name] = replace(book.state.edges[target, name], tags=tags)


def pick(book: Playbook, seat: UUID, name: str) -> list[Event]:
    return book.when(PickEdge(prompt=asked(book), edge=name), by=seat)


def made(events: list[Event]) -> Any:
    (event,) = of_kind(events, SubraceCreated)
    return event


def pickers_of(events: list[Event]) -> list[UUID]:
    return [e.by for e in events if isinstance(e, EdgePicked)]


def offers(book: Playbook, command: type[Offering], seat: UUID = A) -> list[Offer]:
    return list(command.offers(book.state, Actor(Issuer.SEAT, seat=seat)))


# -- DW-SUB-1 --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-SUB-1", "DW-AMB-12")
def test_a_subrace_is_its_casters_mortal_and_without_an_order():
    book = stage()
    people(book, B, tier=Tier.MAJESTIC, alignment=2)
    people(book, C, race=DWARVES, alignment=1)
    before = book.state.land_of(ELVES)
    events = book.when(branch(ELVES, DWARVES), by=A)
    gnomes = made(events)
    assert of_kind(events, PowerDeclared, SubraceCreated, OrderCreated, PowerResolved) == [
        event_like(PowerDeclared, price=4),
        event_like(SubraceCreated, creator=A, parents=(ELVES, DWARVES), home=HOME, alignment=1, edge_number=0),
        event_like(PowerResolved),
    ]
    race = book.state.races[gnomes.race]
    assert (race.creators, race.parents, race.tier, race.alignment) == ((A,), (ELVES, DWARVES), Tier.MORTAL, 1)
    assert book.state.land_of(race.id) == {(1, 1)} and book.state.land_of(ELVES) == before
    assert balances(book, A) == [8] and sound(book)


@pytest.mark.rule("DW-SUB-1")
@pytest.mark.parametrize(("age", "price"), [(1, 12), (2, 4), (3, 10)])
def test_the_price_of_a_subrace(age: int, price: int):
    book = stage(age=age, a=price)
    people(book)
    (offer,) = offers(book, CreateSubrace)
    assert (offer.price, offer.legal) == (price, True)
    book.when(branch(ELVES), by=A)
    assert balances(book, A) == [0]
    (offer,) = offers(book, CreateSubrace)
    assert offer.barred is not None and offer.barred.code == "points.short"
    with refused("points.short", book.state):
        book.when(branch(ELVES, name="Sprites"), by=A)


@pytest.mark.rule("DW-EX-31", "DW-SUB-1", "DW-AMB-12")
@pytest.mark.parametrize(
    ("alignments", "mean"), [((-2, 1), 0), ((2, 1), 1), ((-2, -1), -1), ((-2, -2, -1), -1), ((2,), 2), ((-2,), -2)]
)
def test_its_alignment_is_the_mean_truncated_toward_0(alignments: tuple[int, ...], mean: int):
    book = stage()
    parents = [UUID(int=0xE0 + n) for n in range(len(alignments))]
    for parent, alignment in zip(parents, alignments, strict=True):
        people(book, race=parent, alignment=alignment)
    assert mean_alignment(book.state, parents) == mean
    assert made(book.when(branch(*parents), by=A)).alignment == mean


@pytest.mark.rule("DW-SUB-1", "DW-AMB-50")
def test_it_has_one_to_six_parents():
    book = stage()
    parents = [people(book, race=UUID(int=0xE0 + n)) for n in range(7)]
    for wrong in ((), parents):
        with pytest.raises(ValidationError):
            branch(*wrong)
    assert made(book.when(branch(*parents[:6]), by=A)).parents == tuple(parents[:6])


@pytest.mark.rule("DW-SUB-1", "DW-RACE-5")
def test_what_a_subrace_cannot_be():
    book = stage()
    people(book)
    people(book, race=DWARVES, life=Life.EXTINCT)
    book.state.territory[ELVES, 2, 1] = Territory(ELVES, 2, 1)
    for code, command in (
        ("parent.missing", branch(ELVES, GNOMES)),
        ("parent.missing", branch(ELVES, ELVES)),
        ("race.extinct", branch(ELVES, DWARVES)),
        ("name.taken", branch(ELVES, name=book.state.called(ELVES))),
        ("square.off_map", branch(ELVES, home=Place(x=6, y=1))),
        ("home.outside", branch(ELVES, home=Place(x=3, y=1))),
        ("square.unfit", branch(ELVES, home=Place(x=2, y=1))),
    ):
        with refused(code, book.state):
            book.when(command, by=A)
    with refused("turn.not_yours", book.state):
        book.when(branch(ELVES), by=B)
    given(book, ELVES, "Boats", OTHER, WATER)
    assert made(book.when(branch(ELVES, home=Place(x=2, y=1)), by=A)).home == Place(x=2, y=1)


# -- DW-SUB-2 --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-EX-09", "DW-EX-10", "DW-EX-11", "DW-EX-12", "DW-SUB-2")
@pytest.mark.parametrize(
    ("counts", "number"), [((6, 2), 2), ((5,), 2), ((5, 4, 4), 2), ((1,), 0), ((3, 4), 1), ((0,), 0), ((4, 4), 2)]
)
def test_half_the_mean_of_the_parents_edges_is_inherited(counts: tuple[int, ...], number: int):
    book = stage()
    parents = [people(book, race=UUID(int=0xE0 + n)) for n in range(len(counts))]
    for parent, count in zip(parents, counts, strict=True):
        edges(book, parent, *(f"{parent.int:x}-{n}" for n in range(count)))
    assert inherited(book.state, parents) == number
    events = book.when(branch(*parents), by=A)
    assert made(events).edge_number == number and (book.state.inner() is not None) is (number > 0)


@pytest.mark.rule("DW-SUB-2")
def test_never_more_than_there_are_names_in_the_pool():
    book = stage()
    people(book)
    edges(book, ELVES, "song", "Song", "SONG", "SonG")
    assert [e.name for e in pool(book.state, (ELVES,))] == ["song"]
    assert inherited(book.state, (ELVES,)) == 1


# -- DW-SUB-3 --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-SUB-3")
def test_the_pool_has_each_race_edge_once_with_the_better_kind_and_all_tags():
    book = stage()
    people(book)
    people(book, race=DWARVES)
    given(book, DWARVES, "Boats", OTHER, WATER)
    given(book, ELVES, "wings", OTHER, WINGS)
    given(book, ELVES, "BOATS", OTHER, WINGS)
    given(book, DWARVES, "Wings", OFFENSIVE)
    given(book, ELVES, "Walls", OTHER)
    given(book, DWARVES, "walls", DEFENSIVE)
    edge(book, city(book), "Harbour")
    assert pool(book.state, (ELVES, DWARVES)) == [
        Edge(DWARVES, "Boats", OTHER, (WATER, WINGS), 1),
        Edge(ELVES, "wings", OFFENSIVE, (WINGS,), 2),
        Edge(ELVES, "Walls", DEFENSIVE, (), 5),
    ]
    events = book.when(branch(ELVES, DWARVES), by=A)
    assert made(events).edge_number == 1
    (picked,) = of_kind(pick(book, A, "Wings"), EdgePicked)
    race = made(events).race
    assert picked == event_like(EdgePicked, race=race, edge="wings", tags=(WINGS,), given=2, by=A)
    assert book.state.edges_of(race) == [Edge(race, "wings", OFFENSIVE, (WINGS,), 2)] and sound(book)


@pytest.mark.rule("DW-SUB-3", "DW-AMB-13")
def test_the_parents_creators_pick_in_rotation_the_caster_first_if_he_is_one():
    book = playing(4, age=2, b=4)
    book.state.squares[1, 1] = replace(book.state.squares[1, 1], terrain=Terrain.PLAINS)
    people(book, C, A)
    people(book, B, C, race=DWARVES)
    for parent in (ELVES, DWARVES):
        edges(book, parent, *(f"{parent.int:x}-{n}" for n in range(8)))
    book.when(EndTurn(), by=A)
    events = book.when(branch(ELVES, DWARVES), by=B)
    assert made(events) == event_like(SubraceCreated, edge_number=4, pickers=(B, A, C))
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
    assert made(book.when(branch(ELVES), by=A)).pickers == (B,)
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
    (offer,) = offers(book, PickEdge)
    assert offer.arguments["edge"].values == ("a", "c", "d")
    with refused("prompt.closed"):
        offers(book, PickEdge, B)
    with refused("edge.not_in_pool", book.state):
        pick(book, A, "b")
    with refused("prompt.closed", book.state):
        book.when(PickEdge(prompt=UUID(int=5), edge="a"), by=A)
    turn = book.state.asked(Asked.TURN)
    with refused("prompt.closed", book.state):
        book.when(PickEdge(prompt=turn.id, edge="a"), by=A)
    pick(book, A, "a")
    with refused("prompt.closed"):
        offers(book, PickEdge)


@pytest.mark.rule("DW-SUB-3", "DW-AMB-31")
def test_silence_picks_the_oldest_edge_that_is_left():
    book = stage()
    people(book, B)
    people(book, C, race=DWARVES)
    edges(book, DWARVES, "b", "a")
    edges(book, ELVES, "c", "d", "e", "f")
    events = book.when(branch(ELVES, DWARVES), by=A)
    assert made(events).edge_number == 1
    events = book.wait(timedelta(seconds=90))
    assert of_kind(events, DeadlinePassed, EdgePicked, PowerResolved) == [
        event_like(DeadlinePassed, seats=(B,)),
        event_like(EdgePicked, edge="b", by=B),
        event_like(PowerResolved),
    ]
    (told,) = (h for h in book.log if isinstance(h.event, EdgePicked))
    assert told.by == "deadline" and sound(book)


@pytest.mark.rule("DW-SUB-3", "DW-AMB-37")
def test_who_leaves_inherits_the_oldest_once_and_the_rotation_goes_on_without_him():
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
    assert made(events).pickers == () and [e.edge for e in events if isinstance(e, EdgePicked)] == ["b", "a"]
    assert book.state.powers == {} and sound(book)


@pytest.mark.rule("DW-SUB-3")
def test_a_grandchild_inherits_an_edge_with_the_age_of_its_first_gift():
    book = stage()
    people(book)
    edges(book, ELVES, "old", "young")
    gnomes = made(book.when(branch(ELVES), by=A)).race
    pick(book, A, "young")
    edges(book, gnomes, "newest")
    assert [(e.name, e.given) for e in pool(book.state, (gnomes,))] == [("young", 2), ("newest", 3)]
    assert book.state.races[gnomes].parents == (ELVES,)
    assert made(book.when(branch(gnomes, name="Sprites"), by=A)).parents == (gnomes,)
    assert [(e.edge, e.given) for e in book.wait(timedelta(seconds=90)) if isinstance(e, EdgePicked)] == [("young", 2)]


def test_parents_are_needed_for_an_offer():
    book = stage()
    with refused("parent.missing"):
        offers(book, CreateSubrace)
    people(book)
    people(book, race=DWARVES, x=2, life=Life.NEAR_EXTINCT)
    (offer,) = offers(book, CreateSubrace)
    assert set(offer.arguments["parents"].values or ()) == {ELVES, DWARVES}
    assert offer.arguments["home"].values == ({"x": 1, "y": 1}, {"x": 2, "y": 1})


def test_the_log_tells_the_subraces():
    book = begun(turn_seconds=3600)
    seat = book.state.course.active
    book.when(ShapeLand(kind=ShapeKind.MUNDANE, squares=(HOME,), terrain=Terrain.HILLS), by=seat)
    rounds(book, 5)  # the Age of Races: everybody has saved up
    seat = book.state.course.active
    book.when(CreateRace(name="Elves", home=HOME), by=seat)
    (elves,) = book.state.races
    for name in ("Music", "Memory"):
        book.when(GiftEdge(target=elves, name=name, kind=OTHER), by=seat)
    race = made(book.when(branch(elves), by=seat)).race
    (picked,) = of_kind(pick(book, seat, "Memory"), EdgePicked)
    assert picked == event_like(EdgePicked, race=race, edge="Memory", given=2)
    assert len([h for h in book.log if isinstance(h.event, EdgeGifted)]) == 2
    assert log_tells_the_state(book, turn_seconds=3600) and sound(book)
