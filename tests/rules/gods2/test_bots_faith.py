"""What bots do about wars, pantheons and names, and how their tempers differ."""

from dataclasses import replace
from typing import Any

import pytest

from games.engine.board.board import Square
from games.engine.dice import SecretDice, Tray
from games.gods2.rules.bots import POLICIES
from games.gods2.rules.bots.faith import GIFT, WILL_LOSE, WISHES
from games.gods2.rules.bots.names import SOUNDS
from games.gods2.rules.bots.tempers import TEACHER, TRADER, WARLORD, temper_of
from games.gods2.rules.bots.view import FOOTHOLD
from games.gods2.rules.bots.worth import believers
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.history.commands import NamePlace
from games.gods2.rules.history.events import PlaceNamed
from games.gods2.rules.pantheon.commands import DraftPantheonOrder, SignPantheonOrder
from games.gods2.rules.state.records import War, WarKind
from games.gods2.rules.state.shares import share_out
from games.gods2.rules.state.value_types import ShareOf, Target
from tests.playbook import DAWN, Playbook, of_kind
from tests.rules.gods2.era import ANA, BEN, CLEO, A, B, C, begin, define, set_up, shares, two_peoples, units
from tests.rules.gods2.thinkers import PLAINS, castings, commands, give, options_of, think, view_of

TRIBAL = ("tribal_law",)


def strong_and_weak(strong: int, weak: int, god: str = "a") -> tuple[Playbook, Any, Any]:
    """Two peoples side by side; god: whose the strong one is, the weak one is the other's."""
    book = set_up(PLAINS)
    other = "b" if god == "a" else "a"
    one = tuple((x, y, strong) for x in range(5) for y in range(3))
    two = tuple((x, y, weak) for x in range(5, 10) for y in range(3))
    big = define(book, "Strong", units(*one), attributes=("giants",), knowledges=TRIBAL, pantheon=shares(**{god: 100}))
    small = define(book, "Weak", units(*two), knowledges=TRIBAL, pantheon=shares(**{other: 100}))
    return begin(book), big, small


def plant_war(book: Playbook, attacker: Any, defender: Any) -> None:
    """A war that waits, and no other."""
    at_peace(book)
    war = type(attacker)(int=4711)
    century = book.state.era.century
    book.state.wars[war] = War(war, century, 1, attacker, defender, WarKind.AGGRESSIVE, DAWN)


def at_peace(book: Playbook) -> None:
    """No war waits."""
    for war in list(book.state.wars):
        del book.state.wars[war]


def wars_of(book: Playbook, policy: str) -> list[DeclareWar]:
    """The wars that a policy declares with some dice."""
    return [c for c in commands(book, policy=policy, lots=40) if isinstance(c, DeclareWar)]


def test_a_warlord_declares_the_war_that_its_forecast_says_it_wins() -> None:
    book, strong, weak = strong_and_weak(3, 2)
    at_peace(book)
    give(book, 6, WA=2)
    wars = wars_of(book, "warlord")
    assert wars and set(wars) == {DeclareWar(attacker=strong, defender=weak)}
    foreseen = view_of(book).forecast(strong, weak)
    assert foreseen.attacker.losses < foreseen.defender.losses


@pytest.mark.parametrize("policy", ["warlord", "teacher", "trader"])
def test_nobody_declares_a_war_that_is_lost_or_ends_a_people(policy: str) -> None:
    book, _, _ = strong_and_weak(3, 2, god="b")  # Ana's are the weak ones
    at_peace(book)
    give(book, 30, WA=2)
    assert not wars_of(book, policy)
    book, _, weak = strong_and_weak(3, 1)
    at_peace(book)
    for square in [Square(r, c) for r in range(3) for c in range(6, 10)]:
        book.state.board.put(square, None, 0)
    assert view_of(book).units(weak) < 8
    give(book, 30, WA=2)
    assert not wars_of(book, policy)


def test_a_war_that_hurts_its_own_is_called_off_and_one_that_pays_is_not() -> None:
    book, strong, weak = strong_and_weak(3, 2, god="b")
    plant_war(book, weak, strong)  # Ana's own attack the stronger
    give(book, 10)
    assert {(c.power, c.targets) for c in castings(book)} == {("order_peace", (Target(race=weak),))}
    book, strong, weak = strong_and_weak(3, 2)
    plant_war(book, strong, weak)
    give(book, 10)
    assert view_of(book).pending and "order_peace" not in options_of(book)


def test_where_it_has_no_foothold_a_bot_often_asks_for_points_before_it_serves() -> None:
    book, dwarves, elves = two_peoples()
    share_out(book.state, dwarves, {A: FOOTHOLD - 100, B: 10_000 - FOOTHOLD + 100})
    share_out(book.state, elves, {A: 6000, C: 4000})
    give(book, 10, CK=1)
    asks = DraftPantheonOrder(race=dwarves, pantheon=shares(a=6, b=94))
    assert (FOOTHOLD - 100 + WISHES) / 100 == 6
    done = commands(book, policy="teacher", lots=60)
    assert 15 <= done.count(asks) <= 45 and not any(isinstance(c, DraftPantheonOrder) and c != asks for c in done)
    order = book.when(asks, by=ANA)[0].order
    assert think(book, BEN).command == SignPantheonOrder(order=order)


def test_a_trader_gives_points_of_its_own_to_a_god_who_is_no_member() -> None:
    book, dwarves, _ = two_peoples()
    give(book, 0)
    drafts = {c for c in commands(book, policy="trader") if isinstance(c, DraftPantheonOrder)}
    points = {A: 6000 - GIFT, B: 4000, C: GIFT}
    pantheon = tuple(ShareOf(member=member, share=share) for member, share in points.items())
    assert drafts == {DraftPantheonOrder(race=dwarves, pantheon=pantheon)}
    assert not any(isinstance(c, DraftPantheonOrder) and C in str(c) for c in commands(book, policy="teacher"))


def test_a_bot_signs_away_little_of_much_and_nothing_of_little() -> None:
    book, dwarves, _ = two_peoples()
    give(book, 0, BEN)
    taken = WILL_LOSE / 100
    order = book.when(DraftPantheonOrder(race=dwarves, pantheon=shares(a=60 + taken, b=40 - taken)), by=ANA)[0].order
    assert think(book, BEN, lot=3).command == SignPantheonOrder(order=order)
    book, dwarves, _ = two_peoples()
    book.state.shares[dwarves, A] = replace(book.state.shares[dwarves, A], share=8900)
    book.state.shares[dwarves, B] = replace(book.state.shares[dwarves, B], share=1100)
    give(book, 0, BEN)
    book.when(DraftPantheonOrder(race=dwarves, pantheon=shares(a=91, b=9)), by=ANA)
    assert not any(isinstance(c, SignPantheonOrder) for c in commands(book, BEN))


@pytest.mark.rule("G2-HREC-3")
def test_asked_how_a_war_is_called_a_bot_answers_with_a_name_that_sounds_of_its_people() -> None:
    book, strong, weak = strong_and_weak(3, 2)
    at_peace(book)
    give(book, 6, WA=2)
    book.when(DeclareWar(attacker=strong, defender=weak), by=ANA)
    named = think(book).command
    assert isinstance(named, NamePlace) and named == think(book).command
    name = named.name.removeprefix("War of ")
    endings = [end for _, ends in SOUNDS for end in ends]
    assert name.startswith("Stro") and any(name.endswith(end) for end in endings)
    events = book.when(named, by=ANA)
    assert [e.name for e in of_kind(events, PlaceNamed)] == [named.name]
    assert not isinstance(think(book).command, NamePlace)


@pytest.mark.rule("G2-HREC-3")
def test_bots_give_no_name_twice() -> None:
    book, strong, weak = strong_and_weak(3, 2)
    at_peace(book)
    give(book, 6, WA=2)
    book.when(DeclareWar(attacker=strong, defender=weak), by=ANA)
    first = think(book).command
    other = next(iter(book.state.wars.values()))
    twin = replace(other, id=type(other.id)(int=5), name=first.name)
    book.state.wars[twin.id] = twin
    second = think(book).command
    assert isinstance(second, NamePlace) and second.name != first.name


def test_the_policy_god_plays_by_the_sphere_of_its_cards() -> None:
    book, *_ = two_peoples()
    for sphere, temper in (("WA", WARLORD), ("CK", TEACHER), ("CW", TRADER), ("DE", WARLORD), ("LI", TEACHER)):
        give(book, 20, **{sphere: 6})
        assert temper_of(book.state.view_for(frozenset({ANA})), ANA) is temper
        for lot in range(5):
            assert think(book, policy="god", lot=lot) == think(book, policy=temper.name, lot=lot)
    give(book, 20)
    assert temper_of(book.state, ANA) is TRADER
    assert set(POLICIES) == {"god", "warlord", "teacher", "trader"}


def test_a_policy_sees_no_secret_of_others() -> None:
    book, *_ = two_peoples()
    before = think(book)
    give(book, 10_000, BEN, CH=6)
    assert think(book) == before
    give(book, 10_000, CLEO, DE=6)
    assert think(book) == before


def test_a_policy_throws_dice_of_its_own_and_the_same_twice() -> None:
    book, *_ = two_peoples()
    give(book, 30, CK=6, LB=6)
    view = book.state.view_for(frozenset({ANA}))
    once, again = (POLICIES["god"](view, ANA, Tray(SecretDice(b"x", "y"))) for _ in range(2))
    assert once == again
    assert any(isinstance(c, CastPower) for c in commands(book))


def preach(book: Playbook, people: Any) -> None:
    """A people knows Proselytism."""
    record = book.state.races[people]
    book.state.races[people] = replace(record, knowledges=(*record.knowledges, "proselytism"))


def test_a_bot_sees_missionaries_of_another_god_and_answers_with_a_cult_of_its_own_and_with_war() -> None:
    book, strong, weak = strong_and_weak(3, 2)
    share_out(book.state, strong, {A: 6000, B: 4000})
    share_out(book.state, weak, {B: 5100, C: 4900})
    before = view_of(book)
    assert before.missionaries == frozenset() and before.enmity(weak) < 100
    preach(book, weak)
    seen = view_of(book)
    assert seen.missionaries == {weak} and seen.is_preached_to(strong) and seen.enmity(weak) == 100
    assert believers(seen, strong, 10) == 2 * believers(before, strong, 10) > 0


def test_its_own_missionaries_are_no_threat_to_a_bot() -> None:
    book, strong, weak = strong_and_weak(3, 2)
    preach(book, strong)
    seen = view_of(book)
    assert seen.missionaries == frozenset() and not seen.is_preached_to(weak)
    assert view_of(book, BEN).missionaries == {strong} and view_of(book, BEN).is_preached_to(weak)
