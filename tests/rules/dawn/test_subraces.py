"""Subraces (DW-SUB-1, DW-SUB-2): parents, home, alignment, and how many edges are inherited."""

from dataclasses import replace
from uuid import UUID

import pytest
from pydantic import ValidationError

from games.dawn.rules.land.commands import ShapeLand
from games.dawn.rules.orders.events import OrderCreated
from games.dawn.rules.powers.events import PowerDeclared, PowerResolved
from games.dawn.rules.races.commands import CreateRace
from games.dawn.rules.races.edge_commands import GiftEdge
from games.dawn.rules.races.events import EdgeGifted, EdgePicked, SubraceCreated
from games.dawn.rules.races.subrace_commands import CreateSubrace
from games.dawn.rules.races.subraces import inherited_count, mean_alignment, pool
from games.dawn.rules.state.records import Territory
from games.dawn.rules.state.schema_types import Life, Place, ShapeKind, Terrain, Tier
from games.engine.insight.domains import Choices, ListOf
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.branching import (
    GNOMES,
    HOME,
    OTHER,
    WATER,
    branch,
    creation_in,
    edges,
    give_edge,
    legal_commands_of,
    pick,
    stage,
)
from tests.rules.dawn.stage import (
    DWARVES,
    ELVES,
    A,
    B,
    C,
    balances,
    begin,
    city,
    log_folds_to_state,
    people,
    rounds,
    sound,
)

# -- DW-SUB-1 --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-SUB-1", "DW-AMB-12")
def test_a_subrace_is_its_casters_mortal_and_without_an_order():
    book = stage()
    people(book, B, tier=Tier.MAJESTIC, alignment=2)
    people(book, C, race=DWARVES, alignment=1)
    before = book.state.land_of(ELVES)
    events = book.when(branch(ELVES, DWARVES), by=A)
    gnomes = creation_in(events)
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
    (candidate,) = legal_commands_of(book, CreateSubrace)
    assert (candidate.price, candidate.legal) == (price, True)
    book.when(branch(ELVES), by=A)
    assert balances(book, A) == [0]
    (candidate,) = legal_commands_of(book, CreateSubrace)
    assert candidate.barred is not None and candidate.barred.code == "points.short"
    with refused("points.short", book.state):
        book.when(branch(ELVES, name="Sprites"), by=A)


@pytest.mark.rule("DW-EX-31", "DW-SUB-1", "DW-AMB-12")
@pytest.mark.parametrize(
    ("alignments", "mean"),
    [
        ((-2, 1), 0),
        ((2, 1), 1),
        ((-2, -1), -1),
        ((-2, -2, -1), -1),
        ((2,), 2),
        ((1,), 1),
        ((-1,), -1),
        ((2, 2, 1), 1),
        ((-2,), -2),
    ],
)
def test_its_alignment_is_the_mean_truncated_toward_0(alignments: tuple[int, ...], mean: int):
    book = stage()
    parents = [UUID(int=0xE0 + n) for n in range(len(alignments))]
    for parent, alignment in zip(parents, alignments, strict=True):
        people(book, race=parent, alignment=alignment)
    assert mean_alignment(book.state, parents) == mean
    assert creation_in(book.when(branch(*parents), by=A)).alignment == mean


@pytest.mark.rule("DW-SUB-1", "DW-AMB-50")
def test_it_has_one_to_six_parents():
    book = stage()
    parents = [people(book, race=UUID(int=0xE0 + n)) for n in range(7)]
    for wrong in ((), parents):
        with pytest.raises(ValidationError):
            branch(*wrong)
    assert creation_in(book.when(branch(*parents[:6]), by=A)).parents == tuple(parents[:6])


@pytest.mark.rule("DW-SUB-1")
def test_its_home_is_any_square_of_any_parent_and_a_subrace_may_be_a_parent():
    book = stage()
    people(book, B)
    people(book, C, race=DWARVES, x=2, y=1)
    book.state.squares[2, 1] = replace(book.state.squares[2, 1], terrain=Terrain.HILLS)
    land = {parent: book.state.land_of(parent) for parent in (ELVES, DWARVES)}
    gnomes = creation_in(book.when(branch(ELVES, DWARVES, home=Place(x=2, y=1)), by=A)).race
    sprites = creation_in(book.when(branch(gnomes, name="Sprites", home=Place(x=2, y=1)), by=A)).race
    assert (book.state.land_of(gnomes), book.state.land_of(sprites)) == ({(2, 1)}, {(2, 1)})
    assert {parent: book.state.land_of(parent) for parent in (ELVES, DWARVES)} == land
    assert book.state.races[sprites].creators == (A,) and book.state.orders == {} and sound(book)


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
        ("name.taken", branch(ELVES, name=book.state.title(ELVES))),
        ("square.off_map", branch(ELVES, home=Place(x=6, y=1))),
        ("home.outside", branch(ELVES, home=Place(x=3, y=1))),
        ("square.unfit", branch(ELVES, home=Place(x=2, y=1))),
    ):
        with refused(code, book.state):
            book.when(command, by=A)
    with refused("turn.not_yours", book.state):
        book.when(branch(ELVES), by=B)
    give_edge(book, ELVES, "Boats", OTHER, WATER)
    assert creation_in(book.when(branch(ELVES, home=Place(x=2, y=1)), by=A)).home == Place(x=2, y=1)


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
    assert inherited_count(book.state, parents) == number
    events = book.when(branch(*parents), by=A)
    assert creation_in(events).edge_number == number and (book.state.inner() is not None) is (number > 0)


@pytest.mark.rule("DW-SUB-2", "DW-SUB-3")
def test_edges_of_cities_count_for_nothing_and_are_not_inherited():
    book = stage()
    people(book)
    haven = city(book)
    edges(book, haven, *(f"city {n}" for n in range(6)))
    edges(book, ELVES, "a", "b", "c")
    assert inherited_count(book.state, (ELVES,)) == 1 and [e.name for e in pool(book.state, (ELVES,))] == [
        "a",
        "b",
        "c",
    ]


@pytest.mark.rule("DW-SUB-2")
@pytest.mark.parametrize(
    ("counts", "number"),
    [((2,), 1), ((3,), 1), ((4, 3), 1), ((5, 3), 2), ((7, 5), 3), ((1,) * 6, 0), ((2,) * 6, 1), ((11,), 5)],
)
def test_it_is_rounded_down_once_and_not_for_each_parent(counts: tuple[int, ...], number: int):
    book = stage()
    parents = [people(book, race=UUID(int=0xE0 + n)) for n in range(len(counts))]
    for parent, count in zip(parents, counts, strict=True):
        edges(book, parent, *(f"{parent.int:x}-{n}" for n in range(count)))
    assert inherited_count(book.state, parents) == number


@pytest.mark.rule("DW-SUB-2", "DW-SUB-3")
def test_equal_names_of_two_parents_are_counted_for_each_and_picked_once():
    book = stage()
    people(book)
    people(book, race=DWARVES)
    for parent in (ELVES, DWARVES):
        edges(book, parent, "a", "b", "c", "d", "e")
    assert inherited_count(book.state, (ELVES, DWARVES)) == 2
    gnomes = creation_in(book.when(branch(ELVES, DWARVES), by=A))
    assert gnomes.edge_number == 2
    pick(book, A, "a")
    with refused("edge.not_in_pool", book.state):
        pick(book, A, "A")
    pick(book, A, "e")
    assert [e.name for e in book.state.edges_of(gnomes.race)] == ["a", "e"] and book.state.powers == {}


@pytest.mark.rule("DW-SUB-2")
def test_never_more_than_there_are_names_in_the_pool():
    book = stage()
    people(book)
    edges(book, ELVES, "song", "Song", "SONG", "SonG")
    assert [e.name for e in pool(book.state, (ELVES,))] == ["song"]
    assert inherited_count(book.state, (ELVES,)) == 1


def test_parents_are_needed_for_an_offer():
    book = stage()
    with refused("parent.missing"):
        legal_commands_of(book, CreateSubrace)
    people(book)
    people(book, race=DWARVES, x=2, life=Life.NEAR_EXTINCT)
    (candidate,) = legal_commands_of(book, CreateSubrace)
    assert set(candidate.choices("parents")) == {ELVES, DWARVES}
    (case,) = candidate.cases
    homes = {each["parents"]: each["home"] for each in case.either}
    assert homes == {
        ListOf.beginning_with(Choices((ELVES,))): Choices(({"x": 1, "y": 1},)),
        ListOf.beginning_with(Choices((DWARVES,))): Choices(({"x": 2, "y": 1},)),
    }


def test_the_log_has_a_sentence_for_each_event_of_subraces():
    book = begin(turn_seconds=3600)
    seat = book.state.course.active
    book.when(ShapeLand(kind=ShapeKind.MUNDANE, squares=(HOME,), terrain=Terrain.HILLS), by=seat)
    rounds(book, 5)  # the Age of Races: everybody has saved up
    seat = book.state.course.active
    book.when(CreateRace(name="Elves", home=HOME), by=seat)
    (elves,) = book.state.races
    for name in ("Music", "Memory"):
        book.when(GiftEdge(target=elves, name=name, kind=OTHER), by=seat)
    race = creation_in(book.when(branch(elves), by=seat)).race
    (picked,) = of_kind(pick(book, seat, "Memory"), EdgePicked)
    assert picked == event_like(EdgePicked, race=race, edge="Memory", given=2)
    assert len([h for h in book.log if isinstance(h.event, EdgeGifted)]) == 2
    assert log_folds_to_state(book, turn_seconds=3600) and sound(book)
