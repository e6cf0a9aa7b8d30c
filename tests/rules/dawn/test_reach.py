"""Reach and the war order: ways over land, water and air; what may be attacked, and with which armies.

Long for one reason: each rule of reach has its tests.
"""

from dataclasses import replace
from uuid import UUID

import pytest

from games.dawn.rules import RULESET
from games.dawn.rules.avatars.actions import Action, Doing
from games.dawn.rules.avatars.commands import CommandAvatar
from games.dawn.rules.powers.events import PowerDeclared, PowerResolved
from games.dawn.rules.state.records import Edge
from games.dawn.rules.state.schema_types import EdgeKind, EdgeTag, Terrain
from games.dawn.rules.war.events import ReachAllowed, WarDeclared
from games.dawn.rules.war.march import targets
from games.dawn.rules.war.reach import without_path
from games.dawn.rules.war.reach_commands import AllowReach
from games.engine.insight.domains import Choices, ListOf
from games.engine.insight.legal_commands import LegalCommandFilter, legal_commands_for
from games.engine.kernel import Actor, Issuer
from tests.dice import d
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.field import (
    EAST,
    HOLD,
    WEST,
    actor_of,
    armies,
    commit,
    field,
    march,
    sally,
    target,
    terrain,
    the_war,
)
from tests.rules.dawn.stage import (
    DWARVES,
    ELVES,
    GM,
    HAVEN,
    A,
    B,
    C,
    army,
    avatar,
    balances,
    city,
    inner_prompt,
    order,
    people,
    sound,
)

STRAIT = tuple((2, y) for y in range(5))
"""A column of squares between the two cities."""
ISLE = UUID(int=0xC3)


def add_tags(book: Playbook, owner: UUID, *tags: EdgeTag) -> None:
    """Give a race or city an edge that opens a way."""
    book.state.edges[owner, "ways"] = Edge(owner, "ways", EdgeKind.OTHER, tags, 1)


def isolate(book: Playbook, **strait: object) -> Playbook:
    """Put something between the two cities."""
    for at in STRAIT:
        book.state.squares[at] = replace(book.state.squares[at], **strait)
    return book


@pytest.mark.rule("DW-WAR-3", "DW-AMB-24")
@pytest.mark.parametrize("strait", [{"terrain": Terrain.OCEAN}, {"terrain": Terrain.LAKE}, {"floating": True}])
def test_a_march_without_a_way_is_refused_and_costs_nothing(strait: dict[str, object]):
    book = isolate(field(1), **strait)
    with refused("path.missing", book.state):
        march(book)
    assert balances(book, A) == [20]


@pytest.mark.rule("DW-WAR-3", "DW-EDGE-2")
@pytest.mark.parametrize("of", [ELVES, HAVEN])
@pytest.mark.parametrize(
    ("tag", "strait", "reached"),
    [
        (EdgeTag.CROSSES_WATER, {"terrain": Terrain.OCEAN}, True),
        (EdgeTag.CROSSES_WATER, {"floating": True}, False),
        (EdgeTag.CROSSES_WATER, {"terrain": Terrain.OCEAN, "floating": True}, False),
        (EdgeTag.FLIES, {"terrain": Terrain.OCEAN}, True),
        (EdgeTag.FLIES, {"floating": True}, True),
    ],
)
def test_an_edge_of_the_race_or_of_the_city_opens_the_way(
    of: UUID, tag: EdgeTag, strait: dict[str, object], reached: bool
):
    book = isolate(field(1), **strait)
    add_tags(book, of, tag)
    if reached:
        march(book)
    else:
        with refused("path.missing", book.state):
            march(book)


@pytest.mark.rule("DW-WAR-3")
def test_another_citys_edge_and_another_races_open_nothing():
    book = isolate(field(1), terrain=Terrain.OCEAN)
    city(book, ELVES, A, at=(1, 3), id=ISLE)
    add_tags(book, ISLE, EdgeTag.FLIES)
    add_tags(book, DWARVES, EdgeTag.FLIES)
    with refused("path.missing", book.state):
        march(book)


@pytest.mark.rule("DW-WAR-3", "DW-SET-6")
def test_a_way_goes_over_edges_and_its_length_does_not_matter():
    book = field(1)
    for at in [(2, y) for y in range(4)] + [(3, 0), (3, 1), (3, 2)]:
        terrain(book, Terrain.OCEAN, at)
    march(book)
    book = field(1)
    # The squares (2, 3) and (3, 4) touch at a corner only.
    terrain(book, Terrain.OCEAN, *[(2, y) for y in (0, 1, 2, 4)], *[(3, y) for y in range(4)])
    with refused("path.missing", book.state):
        march(book)


@pytest.mark.rule("DW-WAR-3")
def test_the_target_itself_must_be_open_but_not_the_square_that_is_left():
    book = field(1)
    terrain(book, Terrain.OCEAN, WEST)
    assert without_path(book.state, book.state.armies.values(), EAST) == []
    book.state.squares[EAST] = replace(book.state.squares[EAST], floating=True)
    assert len(without_path(book.state, book.state.armies.values(), EAST)) == 1


@pytest.mark.rule("DW-EX-48", "DW-WAR-3")
def test_each_marching_army_needs_a_way_of_its_own():
    book = field(1)
    city(book, ELVES, A, at=(0, 4), id=ISLE)
    stranded = army(book, ISLE)
    terrain(book, Terrain.OCEAN, (0, 3), (1, 4))
    first = armies(book)[0]
    with refused("path.missing", book.state):
        march(book, first, stranded)
    assert balances(book, A) == [20]
    march(book, first)
    assert the_war(book).armies == (first,)


@pytest.mark.rule("DW-WAR-3", "DW-AMB-39", "DW-AVA-6")
def test_an_avatar_alone_goes_anywhere():
    book = isolate(field(), terrain=Terrain.OCEAN)
    hero = avatar(book, A, WEST)
    attack = Action(action=Doing.ATTACK_CITY, target=target())
    book.when(CommandAvatar(avatar=hero, actions=(attack,)), by=A)
    assert (the_war(book).alone, the_war(book).armies) == (hero, ())


@pytest.mark.rule("DW-WAR-3")
def test_the_gm_opens_a_way_after_it_was_missed():
    book = isolate(field(1), terrain=Terrain.OCEAN)
    gm = replace(GM, on_behalf_of=A)
    allow = AllowReach(source=ELVES, target=target(), armies=armies(book), reason="Whales carry them.")
    events = book.when(allow, by=gm)
    assert of_kind(events, ReachAllowed, PowerDeclared, WarDeclared, PowerResolved) == [
        event_like(ReachAllowed, by=A, armies=armies(book), reason="Whales carry them."),
        event_like(PowerDeclared, does="command-race", price=3),
        event_like(WarDeclared, attacker=A),
        event_like(PowerResolved),
    ]
    assert balances(book, A) == [17] and sound(book)
    commit(book, A, *armies(book), dice=[d(6, "attacker", 6), d(6, "defender", 1)])
    assert book.state.cities[HOLD].controller == A


@pytest.mark.rule("DW-WAR-3")
def test_the_gm_opens_a_way_for_a_city_and_for_an_avatar_leading_an_army():
    for source in ("city", "avatar"):
        book = isolate(field(1), terrain=Terrain.OCEAN)
        hero = avatar(book, A, WEST, leads=armies(book)[0])
        named = {"source": HAVEN, "armies": armies(book)} if source == "city" else {"source": hero}
        events = book.when(AllowReach(target=target(), reason="Whales.", **named), by=replace(GM, on_behalf_of=A))
        assert of_kind(events, ReachAllowed) == [event_like(ReachAllowed, armies=armies(book))]
        assert the_war(book).armies == armies(book) and sound(book)


@pytest.mark.rule("DW-WAR-3")
def test_the_gm_opens_only_what_is_shut():
    book = field(1)
    gm = replace(GM, on_behalf_of=A)
    with refused("path.open", book.state):
        book.when(AllowReach(source=ELVES, target=target(), armies=armies(book), reason="?"), by=gm)
    isolate(book, terrain=Terrain.OCEAN)
    with refused("target.own", book.state):
        book.when(AllowReach(source=ELVES, target=target(WEST), armies=armies(book), reason="?"), by=gm)
    with refused("act.invalid", book.state):
        book.when(AllowReach(source=A, target=target(), armies=armies(book), reason="?"), by=gm)
    with refused("turn.not_yours", book.state):
        allow = AllowReach(source=DWARVES, target=target(WEST), armies=armies(book), reason="?")
        book.when(allow, by=replace(GM, on_behalf_of=B))
    book.state.purses[A] = replace(book.state.purses[A], balance=0, earned=0)
    with refused("points.short", book.state):
        book.when(AllowReach(source=ELVES, target=target(), armies=armies(book), reason="?"), by=gm)


@pytest.mark.rule("DW-WAR-3")
def test_opening_a_way_is_a_legal_command_of_the_gm_alone():
    assert AllowReach.issuers == frozenset({Issuer.GM})
    narrow, gm = LegalCommandFilter(command="allow-reach"), replace(GM, on_behalf_of=A)
    book = field(1)
    assert legal_commands_for(book.state, RULESET.own.commands, actor_of(A), narrow) == []
    (barred,) = legal_commands_for(book.state, RULESET.own.commands, gm, narrow)
    assert barred.barred is not None and barred.barred.code == "path.open", "every march has its way"
    book = isolate(field(1), terrain=Terrain.OCEAN)
    (candidate,) = legal_commands_for(book.state, RULESET.own.commands, gm, narrow)
    assert candidate.legal and candidate.choices("source") == (ELVES, HAVEN)
    (case,) = candidate.cases
    armed = ListOf(Choices(armies(book)), low=1)
    assert [march["armies"] for march in case.either] == [armed, armed]
    book.when(AllowReach(source=HAVEN, target=target(), armies=armies(book), reason="By raft."), by=gm)


# -- the war order --------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-EX-40", "DW-WAR-2", "DW-AMB-35")
def test_nobody_attacks_their_own_city_or_avatar():
    book = field(1)
    with refused("target.own", book.state):
        march(book, at=WEST)
    assert balances(book, A) == [20]
    own = avatar(book, A, (3, 3))
    with refused("target.own", book.state):
        march(book, at=(3, 3), avatar=own)


@pytest.mark.rule("DW-WAR-2")
def test_a_target_is_a_city_or_an_avatar_who_is_there():
    book = field(1)
    here, dead = avatar(book, B, (3, 3)), avatar(book, B, (3, 3), alive=False)
    for at, whom in (((2, 3), None), ((3, 3), None), ((2, 3), here), ((3, 3), dead)):
        with refused("target.empty", book.state):
            march(book, at=at, avatar=whom)
    within = avatar(book, B, EAST)
    with refused("act.invalid", book.state):
        march(book, at=EAST, avatar=within)
    with refused("square.off_map", book.state):
        march(book, at=(9, 9))
    events = march(book, at=(3, 3), avatar=here)
    assert of_kind(events, WarDeclared) == [event_like(WarDeclared, city=None, avatar=here)]


@pytest.mark.rule("DW-WAR-2")
def test_one_army_at_least_marches_and_each_is_named_once():
    book = field(1)
    with refused("army.missing", book.state):
        sally(book, HAVEN)
    with refused("army.missing", book.state):
        march(book, UUID(int=404))
    with refused("act.invalid", book.state):
        march(book, *armies(book), *armies(book))


@pytest.mark.rule("DW-EX-39", "DW-WAR-12", "DW-AMB-38")
def test_only_armies_of_the_commanders_own_cities_march():
    book = field(2)
    other = city(book, ELVES, B, at=(1, 3), id=ISLE)
    foreign = army(book, other)
    order(book, ELVES, B)
    book.state.set_course(active=B)
    city(book, DWARVES, C, at=EAST, id=HOLD)
    with refused("army.foreign", book.state):
        march(book, *armies(book), foreign, by=B)
    assert balances(book, B) == [20]
    march(book, foreign, by=B)
    assert (the_war(book).attacker, the_war(book).armies) == (B, (foreign,))


@pytest.mark.rule("DW-WAR-1", "DW-CMDC-1")
def test_a_city_sends_its_own_armies_and_a_race_those_of_all_its_cities():
    book = field(1)
    city(book, ELVES, A, at=(1, 3), id=ISLE)
    beside = army(book, ISLE)
    with refused("army.foreign", book.state):
        sally(book, HAVEN, beside)
    sally(book, ISLE, beside)
    assert the_war(book).armies == (beside,)
    book = field(1)
    city(book, ELVES, A, at=(1, 3), id=ISLE)
    march(book, *armies(book), army(book, ISLE))
    assert len(the_war(book).armies) == 2


@pytest.mark.rule("DW-WAR-1", "DW-WAR-12")
def test_armies_of_another_race_do_not_march_though_they_are_the_commanders():
    book = field(1, 1)
    city(book, DWARVES, A, at=EAST, id=HOLD)
    prey = city(book, DWARVES, B, at=(4, 3), id=ISLE)
    with refused("army.foreign", book.state):
        march(book, *armies(book), *armies(book, HOLD), at=(4, 3))
    march(book, *armies(book), at=(4, 3))
    assert (the_war(book).city, the_war(book).armies) == (prey, armies(book))


@pytest.mark.rule("DW-WAR-2")
def test_the_armies_that_march_are_those_named_and_no_others():
    book = field(3)
    first, _, third = armies(book)
    march(book, third, first)
    assert set(the_war(book).armies) == {first, third}
    book = field(3)
    sally(book, HAVEN, armies(book)[1])
    assert the_war(book).armies == (armies(book)[1],)


@pytest.mark.rule("DW-WAR-1", "DW-AVA-6")
def test_an_avatar_marches_with_exactly_the_army_they_lead():
    book = field(2)
    hero = avatar(book, A, WEST, leads=armies(book)[1])
    attack = Action(action=Doing.ATTACK_CITY, target=target())
    book.when(CommandAvatar(avatar=hero, actions=(attack,)), by=A)
    assert (the_war(book).armies, the_war(book).alone) == ((armies(book)[1],), None)
    assert balances(book, A) == [19], "for the price of command_avatar only"


@pytest.mark.rule("DW-WAR-1")
def test_the_price_is_spent_before_the_war_begins():
    book = field(1)
    events = march(book)
    assert of_kind(events, PowerDeclared, WarDeclared, PowerResolved) == [
        event_like(PowerDeclared, price=3),
        event_like(WarDeclared),
        event_like(PowerResolved),
    ]
    assert book.state.powers == {} and book.state.purses[A].spent == 3
    assert book.state.prompts[inner_prompt(book)].kind == "war.commit"


@pytest.mark.rule("DW-WAR-2")
def test_every_possible_target_is_listed():
    book = field(1)
    whom = avatar(book, B, (3, 3))
    avatar(book, B, EAST)
    avatar(book, A, (3, 4))
    assert targets(book.state, A) == [target(EAST), target((3, 3), whom)]
    legal = legal_commands_for(
        book.state, RULESET.own.commands, actor_of(A), LegalCommandFilter(command="command-race")
    )
    wars = [o for o in legal if "war" in (o.arguments.get("act").values if o.arguments.get("act") else ())]
    assert wars and all(candidate.legal and candidate.price == 3 for candidate in wars)


def test_the_gm_speaks_for_a_god_or_not_at_all():
    book = field(1)
    with refused("seat.missing", book.state):
        book.when(AllowReach(source=ELVES, target=target(), armies=armies(book), reason="?"), by=Actor(Issuer.GM))
    people(book, C, race=UUID(int=0xEE))
    assert sound(book)
