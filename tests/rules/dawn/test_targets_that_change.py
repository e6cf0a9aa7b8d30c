"""A power that was asked about looks at its target again before it takes effect (DW-AMB-65)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from games.dawn.rules.avatars.commands import CommandAvatar
from games.dawn.rules.avatars.free_power_commands import FreeArgs, FreePower, FreeUse
from games.dawn.rules.command.arguments import Act, Args
from games.dawn.rules.command.commands import CommandCity, CommandRace
from games.dawn.rules.orders.commands import CommandOrder, CreateOrder
from games.dawn.rules.powers.answer_commands import AnswerConsent, RaiseChallenge, RaiseObjection, WaiveObjection
from games.dawn.rules.powers.commands import PowerCommand
from games.dawn.rules.powers.events import PowerDeclared, PowerFailed, PowerResolved, PowerWithdrawn
from games.dawn.rules.races.alignment_commands import ShiftAlignment
from games.dawn.rules.races.commands import CreateRace, UpgradeRace
from games.dawn.rules.races.edge_commands import GiftEdge
from games.dawn.rules.races.subrace_commands import CreateSubrace
from games.dawn.rules.state.records import Territory
from games.dawn.rules.state.schema_types import Asked, EdgeKind, Life, OrderKind, Place, Terrain, Tier
from games.dawn.rules.war.events import WarDeclared
from games.dawn.rules.war.reach_commands import AllowReach
from games.dawn.rules.wonders.commands import WonderKind, Works, WorkWonder
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.field import (
    ANSWER,
    EAST,
    GNOMES,
    HOLD,
    WEST,
    area,
    armies,
    bid,
    field,
    fold,
    target,
    terrain,
    waive_all,
    wild,
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
    edge,
    inner_prompt,
)

ORDER = UUID(int=0x0D000)
HERO, FOE, GHOST = (UUID(int=0xA7000 + number) for number in range(3))
Hand = Callable[[Playbook], Any]


def change(rows: str, key: Any, **fields: Any) -> Hand:
    """A game-master's hand changes a row."""

    def by_hand(book: Playbook) -> None:
        table = getattr(book.state, rows)
        table[key] = replace(table[key], **fields)

    return by_hand


def take(rows: str, *keys: Any) -> Hand:
    """A game-master's hand takes rows away."""

    def by_hand(book: Playbook) -> None:
        for key in keys:
            del getattr(book.state, rows)[key]

    return by_hand


NEXT = Place(x=2, y=1)


def ready() -> Playbook:
    """A's turn under open challenges: a city with an army on each side, an avatar of A's at home, an order of A's."""
    book = field(1, 0)
    avatar(book, A, WEST)
    avatar(book, B, EAST)
    avatar(book, C, EAST, alive=False)
    wild(book, B)
    book.state.territory[GNOMES, *EAST] = Territory(GNOMES, *EAST)
    book.state.territory[ELVES, *NEXT.at] = Territory(ELVES, *NEXT.at)
    book.state.set_course(open_challenge=True)
    return book


def command_race(act: Act, **args: Any) -> CommandRace:
    return CommandRace(race=ELVES, act=act, args=Args(**args))


def wonder(works: Works, *targets: UUID, kind: WonderKind = WonderKind.CATASTROPHE, **fields: Any) -> WorkWonder:
    return WorkWonder(kind=kind, squares=area(EAST), works=works, targets=targets, **fields)


def free(power: FreePower, **args: Any) -> CommandAvatar:
    return CommandAvatar(avatar=HERO, free_power=FreeUse(power=power, args=FreeArgs(**args)))


EXTINCT = change("races", DWARVES, life=Life.EXTINCT)
CASES: dict[str, tuple[PowerCommand, Hand]] = {
    "create-race": (CreateRace(name="Trolls", home=NEXT), change("races", DWARVES, name="Trolls")),
    "create-race on land": (
        CreateRace(name="Trolls", home=NEXT),
        lambda book: terrain(book, Terrain.OCEAN, NEXT.at),
    ),
    "create-subrace": (
        CreateSubrace(name="Trolls", parents=(DWARVES,), home=Place(x=EAST[0], y=EAST[1])),
        EXTINCT,
    ),
    "upgrade-race": (UpgradeRace(race=ELVES), change("races", ELVES, tier=Tier.MAJESTIC)),
    "settle": (command_race(Act.SETTLE, square=Place(x=3, y=1)), take("territory", (ELVES, *NEXT.at))),
    "found_city": (command_race(Act.FOUND_CITY, square=NEXT, name="Ford"), change("cities", HOLD, name="Ford")),
    "alliance": (command_race(Act.ALLIANCE, race=DWARVES), EXTINCT),
    "a deed where presence is lost": (
        command_race(Act.DEED, text="They sing."),
        lambda book: (take("orders", ORDER)(book), take("avatars", HERO)(book)),
    ),
    "raise_army": (
        CommandCity(city=HAVEN, act=Act.RAISE_ARMY),
        lambda book: (take("armies", *armies(book))(book), take("cities", HAVEN)(book)),
    ),
    "command-city": (
        CommandCity(city=HAVEN, act=Act.DEED, args=Args(text="It sings.")),
        lambda book: (take("armies", *armies(book))(book), take("cities", HAVEN)(book)),
    ),
    "gift-edge": (GiftEdge(target=DWARVES, name="music", kind=EdgeKind.OTHER), EXTINCT),
    "gift-edge twice": (
        GiftEdge(target=DWARVES, name="music", kind=EdgeKind.OTHER),
        lambda book: edge(book, DWARVES, "music"),
    ),
    "shift-alignment": (ShiftAlignment(target=ELVES, dir=1), change("races", ELVES, alignment=2)),
    "shift-alignment of a city": (ShiftAlignment(target=HOLD, dir=1), take("cities", HOLD)),
    "create-order": (CreateOrder(race=DWARVES, kind=OrderKind.GUILD, name="Smiths"), EXTINCT),
    "command-order": (CommandOrder(order=ORDER, task="Sing."), change("orders", ORDER, dissolved=True)),
    "save_city": (wonder(Works.SAVE_CITY, HOLD, kind=WonderKind.MIRACLE), take("cities", HOLD)),
    "breakthrough": (
        wonder(Works.BREAKTHROUGH, DWARVES, kind=WonderKind.MIRACLE, edge="music"),
        take("territory", (DWARVES, *EAST)),
    ),
    "restore": (wonder(Works.RESTORE, GHOST, kind=WonderKind.MIRACLE), change("avatars", GHOST, alive=True)),
    "kill_avatar": (wonder(Works.KILL_AVATAR, FOE), change("avatars", FOE, x=1, y=1)),
    "ravage": (wonder(Works.RAVAGE), change("cities", HOLD, saved_by=(B,))),
    "extinguish_race": (wonder(Works.EXTINGUISH_RACE, GNOMES), change("races", GNOMES, life=Life.EXTINCT)),
    "raze_city": (wonder(Works.RAZE_CITY, HOLD), lambda book: army(book, HOLD)),
}


def let_pass(book: Playbook) -> None:
    """Nobody objects to what is asked about, and all agree."""
    prompt = book.state.prompts[inner_prompt(book)]
    if prompt.kind != Asked.CONSENT:
        waive_all(book)
        return
    for owner in prompt.owners:
        book.when(AnswerConsent(prompt=prompt.id, yes=True), by=UUID(owner.removeprefix("seat:")))


@pytest.mark.rule("DW-AMB-65", "DW-DC-7", "DW-DC-5")
@pytest.mark.parametrize("case", CASES)
def test_what_can_be_done_no_longer_ends_without_effect_and_its_price_comes_back(case: str) -> None:
    power, hand = CASES[case]
    book = ready()
    before = balances(book, A)
    (declared,) = of_kind(book.when(power, by=A), PowerDeclared)
    while book.state.prompts[inner_prompt(book)].kind != Asked.CHALLENGE:
        let_pass(book)
    hand(book)
    events = book.wait(ANSWER)
    ended = of_kind(events, PowerWithdrawn, PowerResolved, PowerFailed)
    assert ended == [event_like(PowerWithdrawn, refund=declared.price)]
    assert balances(book, A) == before and not book.state.powers


@pytest.mark.rule("DW-AMB-65", "DW-ASK-1")
def test_a_question_about_it_that_is_open_is_void() -> None:
    book = ready()
    book.when(GiftEdge(target=DWARVES, name="music", kind=EdgeKind.OTHER), by=A)
    EXTINCT(book)
    for answer in (RaiseChallenge, WaiveObjection):
        with refused("prompt.closed", book.state):
            book.when(answer(prompt=inner_prompt(book)), by=B)


@pytest.mark.rule("DW-AMB-65", "DW-ALN-2")
def test_without_the_option_what_was_asked_about_looks_again_as_well() -> None:
    book = ready()
    book.state.set_course(open_challenge=False)
    book.when(ShiftAlignment(target=HOLD, dir=1), by=A)
    del book.state.cities[HOLD]
    with refused("prompt.closed", book.state):
        book.when(RaiseObjection(prompt=inner_prompt(book)), by=B)
    assert of_kind(book.wait(ANSWER), PowerWithdrawn, PowerResolved) == [event_like(PowerWithdrawn)]


@pytest.mark.rule("DW-AMB-65", "DW-DC-4")
def test_who_wins_the_conflict_about_it_has_the_price_back_and_the_bids_are_gone() -> None:
    book = ready()
    (declared,) = of_kind(book.when(GiftEdge(target=DWARVES, name="music", kind=EdgeKind.OTHER), by=A), PowerDeclared)
    book.when(RaiseChallenge(prompt=inner_prompt(book)), by=C)
    bid(book, C, 1)
    bid(book, A, 2)
    EXTINCT(book)
    assert of_kind(fold(book, C), PowerWithdrawn, PowerFailed) == [event_like(PowerWithdrawn, refund=declared.price)]
    assert balances(book, A, C) == [20 - 2, 20 - 1]


@pytest.mark.rule("DW-AMB-65", "DW-AVA-3")
def test_of_a_free_power_of_an_avatar_the_price_does_not_come_back() -> None:
    book = ready()
    book.when(free(FreePower.CREATE_ORDER, race=ELVES, kind=OrderKind.GUILD, name="Smiths"), by=A)
    change("avatars", HERO, alive=False)(book)
    assert of_kind(book.wait(ANSWER), PowerWithdrawn, PowerResolved) == [event_like(PowerWithdrawn, refund=0)]
    assert "Smiths" not in {each.name for each in book.state.orders.values()}


@pytest.mark.rule("DW-AMB-65", "DW-WAR-2")
def test_a_war_on_a_city_that_is_gone_is_not_declared() -> None:
    book = ready()
    book.when(command_race(Act.WAR, target=target(), armies=armies(book)), by=A)
    del book.state.cities[HOLD]
    assert of_kind(book.wait(ANSWER), PowerWithdrawn, WarDeclared) == [event_like(PowerWithdrawn)]


@pytest.mark.rule("DW-AMB-65", "DW-WAR-3")
def test_a_way_that_the_gm_has_opened_stays_open() -> None:
    book = ready()
    terrain(book, Terrain.OCEAN, *(set(book.state.squares) - {WEST, EAST}))
    order = AllowReach(source=ELVES, target=target(), armies=armies(book), reason="Whales carry them.")
    book.when(order, by=replace(GM, on_behalf_of=A))
    assert of_kind(book.wait(ANSWER), PowerWithdrawn, WarDeclared) == [event_like(WarDeclared, attacker=A)]


@pytest.mark.rule("DW-AMB-65")
def test_what_is_as_it_was_takes_effect() -> None:
    for power, _ in CASES.values():
        book = ready()
        book.when(power, by=A)
        while book.state.prompts[inner_prompt(book)].kind != Asked.CHALLENGE:
            let_pass(book)
        let_pass(book)
        assert of_kind([record.event for record in book.log], PowerWithdrawn, PowerFailed) == []
        assert all(each.worked for each in book.state.powers.values())
