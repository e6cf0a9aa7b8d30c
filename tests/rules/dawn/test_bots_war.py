"""What bots do with wonders and war: whatever they wish or answer, the rules accept."""

from collections.abc import Iterable
from uuid import UUID

import pytest

from games.dawn.rules.bots import war as bot_war
from games.dawn.rules.bots.policy import Wish, plain
from games.dawn.rules.command.commands import CommandCity
from games.dawn.rules.state.schema_types import Asked, Terrain, WonderKind, Works
from games.dawn.rules.war.commands import AttackAgain, CommitArmies, StandIn, StopWar, WaiveStandIn
from games.dawn.rules.wonders.commands import WORKS_OF, WorkWonder
from games.engine.dice import SecretDice, Tray
from games.engine.kernel import Command
from games.engine.policies import Look
from tests.dice import d
from tests.playbook import Playbook
from tests.rules.dawn.field import EAST, HOLD, armies, commit, field, march, terrain, the_war
from tests.rules.dawn.stage import DWARVES, GODS, A, B, army, avatar, city, inner_prompt, people, sound

IN_WAR = {Asked.STAND_IN: bot_war.stand_in, Asked.COMMIT: bot_war.commit, Asked.CONTINUE: bot_war.go_on}


def tray(number: int) -> Tray:
    return Tray(SecretDice(f"bots {number}".encode(), "dawn"))


def wishes_of(wish: Wish, books: Iterable[Playbook]) -> list[Command]:
    """What a bot wishes in each of these games; the rules accept it."""
    found = []
    for number, book in enumerate(books):
        command = wish(book.state, A, tray(number))
        if command is not None:
            book.when(command, by=A)
            assert sound(book)
            found.append(command)
    return found


@pytest.mark.parametrize(
    ("ours", "points", "ocean", "wanted"),
    [(2, 2, False, {CommandCity}), (0, 2, False, set()), (2, 1, False, set()), (2, 2, True, set())],
)
def test_a_bot_attacks_where_it_can_pay_and_go(ours: int, points: int, ocean: bool, wanted: set[type[Command]]) -> None:
    books = [field(ours, 1, a=points) for _ in range(12)]
    for book in books:
        if ocean:
            terrain(book, Terrain.OCEAN, *((2, y) for y in range(5)))
    assert {type(command) for command in wishes_of(bot_war.attack, books)} == wanted


def ruins() -> Playbook:
    """What a wonder of A's may hit of B's: a city without army, another's armies, an avatar, a race without city."""
    book = field(1, a=10)
    people(book, B, race=GODS[4], x=3, y=3)
    avatar(book, B, EAST)
    army(book, city(book, DWARVES, B, at=(4, 2), id=UUID(int=0xC3)))
    return book


def test_a_bot_works_wonders_of_every_kind_it_can_pay() -> None:
    book = ruins()
    wishes = [bot_war.wreck(book.state, A, tray(number)) for number in range(800)]
    found = {wish.works: wish for wish in wishes if isinstance(wish, WorkWonder)}
    assert set(found) == set(WORKS_OF[WonderKind.CATASTROPHE]) and None in wishes
    signs = [wish for wish in wishes if isinstance(wish, WorkWonder) and wish.works is Works.DEED]
    assert {wish.kind for wish in signs} == set(WonderKind)
    for wish in found.values():
        book = ruins()
        book.when(wish, by=A)
        assert sound(book)
    assert wishes_of(bot_war.wreck, [field(a=9) for _ in range(12)]) == []


def test_a_bot_wrecks_nothing_of_its_own_and_works_few_signs() -> None:
    book = field(1, a=10)
    people(book, A, race=GODS[4], x=3, y=3)
    avatar(book, A, (3, 3))
    del book.state.cities[HOLD]
    wishes = [bot_war.wreck(book.state, A, tray(number)) for number in range(400)]
    found = [wish for wish in wishes if isinstance(wish, WorkWonder)]
    assert {(wish.works, wish.targets) for wish in found if wish.works is not Works.DEED} == {
        (Works.EXTINGUISH_RACE, (DWARVES,))
    }
    assert 0 < sum(wish.works is Works.DEED for wish in found) < 400 // 4 // 2


def answer_kind(book: Playbook, *, coin: bool) -> type[Command]:
    """What a bot answers to what the war waits for; the rules accept it."""
    prompt = book.state.prompts[inner_prompt(book)]
    seat = next(god for god in GODS if f"seat:{god}" in prompt.owners)
    number = next(n for n in range(99) if Look(book.state, seat, tray(n), (prompt,)).coin(prompt) is coin)
    command = IN_WAR[Asked(prompt.kind)](Look(book.state, seat, tray(number), (prompt,)), prompt)
    book.when(command, by=seat)
    assert sound(book)
    return type(command)


@pytest.mark.parametrize(
    ("coin", "ours", "wanted"),
    [
        (True, 2, (StandIn, CommitArmies, AttackAgain)),
        (False, 2, (WaiveStandIn, CommitArmies, AttackAgain)),
        (False, 1, (WaiveStandIn, CommitArmies, StopWar)),
    ],
)
def test_a_bot_answers_all_that_a_war_asks(coin: bool, ours: int, wanted: tuple[type[Command], ...]) -> None:
    book = field(ours)
    avatar(book, B, EAST)
    march(book)
    assert answer_kind(book, coin=coin) is wanted[0]
    assert answer_kind(book, coin=coin) is wanted[1]
    book = field(ours, 2)
    march(book)
    commit(book, B, armies(book, HOLD)[0])
    commit(book, A, armies(book)[0], dice=[d(6, "attacker", 6), d(6, "defender", 1)])
    assert book.state.prompts[inner_prompt(book)].kind == Asked.CONTINUE
    assert answer_kind(book, coin=coin) is wanted[2]


def test_a_bot_in_a_war_answers_by_its_policy() -> None:
    book = field(1)
    march(book)
    thought = plain(book.state, A, tray(1))
    assert thought.command == CommitArmies(war=the_war(book).id, armies=armies(book))
