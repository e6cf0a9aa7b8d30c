"""Miracles and catastrophes: areas and prices, and the effects on avatars, cities and armies."""

from dataclasses import replace
from uuid import UUID

import pytest

from games.dawn.rules import RULESET
from games.dawn.rules.powers.events import PowerDeclared, PowerResolved
from games.dawn.rules.revenge.events import AvatarDestroyed
from games.dawn.rules.state.records import Alliance
from games.dawn.rules.state.schema_types import Asked, EdgeKind, Place, WonderKind, Works
from games.dawn.rules.war.battle_events import ArmiesLost
from games.dawn.rules.wonders.commands import WORKS_OF, WorkWonder
from games.dawn.rules.wonders.events import CityRazed, WonderWorked
from games.engine.game_state import dump
from games.engine.insight.legal_commands import LegalCommandFilter, legal_commands_for
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.field import (
    EAST,
    HOLD,
    actor_of,
    area,
    armies,
    field,
    log_folds_to_rest,
    snapshot,
    wild,
    work,
    work_unopposed,
)
from tests.rules.dawn.stage import (
    DWARVES,
    ELVES,
    HAVEN,
    A,
    B,
    C,
    army,
    avatar,
    balances,
    city,
    edge,
    give,
    inner_prompt,
    playing,
    sound,
)

FOUR = ((1, 1), (2, 1), (3, 1), (3, 2))


@pytest.mark.rule("DW-EX-15", "DW-MIR-1")
@pytest.mark.parametrize("age", [1, 2, 3])
@pytest.mark.parametrize("kind", list(WonderKind))
def test_the_first_square_is_ten_and_each_further_one_five(age: int, kind: WonderKind):
    book = playing(age=age, a=30)
    events = work(book, at=FOUR, kind=kind)
    assert of_kind(events, PowerDeclared) == [event_like(PowerDeclared, price=25)]
    assert balances(book, A) == [5] and sound(book)


@pytest.mark.rule("DW-MIR-1")
@pytest.mark.parametrize(
    ("squares", "code"),
    [
        (((1, 1), (3, 1)), "squares.apart"),
        (((1, 1), (2, 2)), "squares.apart"),
        (((1, 1), (1, 1)), "squares.count"),
        (((1, 1), (9, 1)), "square.off_map"),
    ],
)
def test_an_area_is_of_different_squares_that_hang_together(squares: tuple[tuple[int, int], ...], code: str):
    book = playing(a=30)
    with refused(code, book.state):
        work(book, at=squares)


def test_a_wonder_is_the_active_gods_and_is_paid():
    book = playing(a=9, b=30)
    with refused("points.short", book.state):
        work(book)
    with refused("turn.not_yours", book.state):
        book.when(WorkWonder(kind=WonderKind.MIRACLE, squares=area(EAST)), by=B)


@pytest.mark.rule("DW-MIR-2", "DW-AMB-20")
@pytest.mark.parametrize("kind", list(WonderKind))
def test_a_deed_is_recorded_and_changes_nothing_else(kind: WonderKind):
    book = field(1, 1)
    avatar(book, B, EAST)
    since = snapshot(book)
    events = work(book, at=(EAST,), kind=kind, text="The sea stands still.")
    assert of_kind(events, WonderWorked, PowerResolved) == [
        event_like(WonderWorked, works=Works.DEED, words="The sea stands still.", by=A),
        event_like(PowerResolved),
    ]
    give(book, A, 20)
    before, _ = since
    before.purses[A] = book.state.purses[A]
    before.set_course(begun=True)
    assert dump(before) == dump(book.state)


@pytest.mark.rule("DW-MIR-2", "DW-AMB-60")
@pytest.mark.parametrize(
    ("kind", "works"),
    [(kind, works) for kind, of_it in WORKS_OF.items() for works in Works if works not in of_it],
)
def test_a_wonder_does_nothing_that_the_other_kind_does(kind: WonderKind, works: Works):
    book = field()
    with refused("effect.invalid", book.state):
        work(book, works, HOLD, kind=kind)


@pytest.mark.rule("DW-MIR-2")
@pytest.mark.parametrize("works", [Works.DEED, Works.RAVAGE])
def test_what_acts_on_the_whole_area_has_no_targets(works: Works):
    book = field()
    with refused("effect.invalid", book.state):
        work(book, works, HOLD)


@pytest.mark.rule("DW-MIR-2", "DW-AMB-20")
def test_catastrophes_and_miracles_do_one_of_five_things_each():
    five = {"deed", "kill_avatar", "raze_city", "ravage", "extinguish_race"}
    assert {works.value for works in WORKS_OF[WonderKind.CATASTROPHE]} == five
    others = {"deed", "save_city", "breakthrough", "restore", "artifact"}
    assert {works.value for works in WORKS_OF[WonderKind.MIRACLE]} == others


# -- kill_avatar ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-MIR-2", "DW-AMB-53", "DW-AVA-5")
def test_one_avatar_on_each_square_may_die():
    book = field()
    one, other = avatar(book, B, EAST), avatar(book, C, (4, 2))
    beside, outside = avatar(book, C, EAST), avatar(book, B, (0, 0))
    gone = avatar(book, B, (4, 2), alive=False)
    for targets in ((one, beside), (one, one), (outside,), (gone,), (HOLD,), ()):
        with refused("effect.invalid", book.state):
            work(book, Works.KILL_AVATAR, *targets, at=(EAST, (4, 2)))
    events = work_unopposed(book, Works.KILL_AVATAR, one, other, at=(EAST, (4, 2)))
    assert of_kind(events, WonderWorked, AvatarDestroyed, PowerResolved) == [
        event_like(WonderWorked, targets=(one, other)),
        event_like(AvatarDestroyed, avatar=one, by=A, square=Place(x=4, y=1)),
        event_like(AvatarDestroyed, avatar=other, by=A, square=Place(x=4, y=2)),
        event_like(PowerResolved),
    ]
    assert book.state.avatars[beside].alive and book.state.prompts[inner_prompt(book)].kind == Asked.REVENGE
    assert sound(book)


# -- raze_city, ravage ----------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-EX-34", "DW-MIR-2", "DW-MIR-5", "DW-AMB-53")
def test_a_city_on_each_square_is_razed_with_its_edges():
    book = field()
    second = city(book, ELVES, C, at=(4, 2), id=UUID(int=0xC3))
    edge(book, HOLD, "walls", EdgeKind.DEFENSIVE)
    edge(book, DWARVES, "shield walls", EdgeKind.DEFENSIVE)
    lives = avatar(book, B, EAST, defending=True)
    book.state.alliances[UUID(int=1)] = Alliance(UUID(int=1), HOLD, ELVES)
    book.state.alliances[UUID(int=2)] = Alliance(UUID(int=2), DWARVES, ELVES)
    since = snapshot(book)
    events = work_unopposed(book, Works.RAZE_CITY, HOLD, second, at=(EAST, (4, 2)))
    assert of_kind(events, PowerDeclared, CityRazed) == [
        event_like(PowerDeclared, price=15),
        event_like(CityRazed, city=HOLD),
        event_like(CityRazed, city=second),
    ]
    assert list(book.state.cities) == [HAVEN] and list(book.state.edges) == [(DWARVES, "shield walls")]
    hero = book.state.avatars[lives]
    assert hero.alive and not hero.defending and [a.ended for a in book.state.alliances.values()] == [True, False]
    assert EAST in book.state.land_of(DWARVES) and balances(book, A) == [5]
    assert log_folds_to_rest(book, since) and sound(book)


@pytest.mark.rule("DW-MIR-2")
def test_a_city_with_an_army_is_not_razed():
    book = field(0, 1)
    for targets in ((HOLD,), (HAVEN,), ()):
        with refused("effect.invalid", book.state):
            work(book, Works.RAZE_CITY, *targets)


@pytest.mark.rule("DW-MIR-2", "DW-WAR-11")
def test_all_armies_in_the_area_are_lost_and_an_avatar_who_led_one_lives():
    book = field(2, 2)
    third = city(book, ELVES, C, at=(4, 2), id=UUID(int=0xC3))
    army(book, third)
    led = avatar(book, B, EAST, leads=armies(book, HOLD)[0])
    events = work_unopposed(book, Works.RAVAGE, at=(EAST, (4, 2)))
    assert of_kind(events, WonderWorked, ArmiesLost) == [event_like(WonderWorked), event_like(ArmiesLost)]
    assert armies(book, HOLD) == armies(book, third) == () and len(armies(book)) == 2
    assert book.state.avatars[led].alive and book.state.avatars[led].leads is None and sound(book)
    give(book, A, 20)
    assert of_kind(work(book, Works.RAVAGE), ArmiesLost) == [], "nothing is left to lose"


@pytest.mark.rule("DW-MIR-2")
def test_every_possible_wonder_is_listed():
    book = field(1)
    race, hero = wild(book, B), avatar(book, B, (0, 0))
    legal = legal_commands_for(book.state, RULESET.own.commands, actor_of(A), LegalCommandFilter(command="work-wonder"))
    found = {(o.arguments["kind"].values[0], o.arguments["works"].values[0]): o for o in legal}
    assert set(found) == {(kind.value, works.value) for kind, of_it in WORKS_OF.items() for works in of_it} - {
        ("miracle", "restore")
    }, "nothing is nearly lost"
    assert found["catastrophe", "kill_avatar"].choices("targets") == (hero,)
    assert found["catastrophe", "raze_city"].choices("targets") == (HOLD,), "the other has an army"
    assert found["catastrophe", "extinguish_race"].choices("targets") == (race,)
    assert all(o.legal and o.price == 10 for o in legal)
    book.state.purses[A] = replace(book.state.purses[A], balance=9, earned=9)
    legal = legal_commands_for(book.state, RULESET.own.commands, actor_of(A), LegalCommandFilter(command="work-wonder"))
    assert {o.barred.code for o in legal if o.barred} == {"points.short"} and not any(o.legal for o in legal)
