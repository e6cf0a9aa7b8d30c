"""The policy `god`: it acts by the rules, on what its seat may see."""

from collections import Counter
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.engine.bots import BotPassed, bot_key
from games.engine.conduct import Start
from games.engine.dice import GivenDice, SecretDice, Tray
from games.engine.kernel import Event
from games.gods2.rules.bots import play_god
from games.gods2.rules.casting import PowerCast
from games.gods2.rules.castpower import CastPower
from games.gods2.rules.century import OpenSession
from games.gods2.rules.declaring import DeclareWar
from games.gods2.rules.foretelling import twin_of as foretelling_twin
from games.gods2.rules.marking import MarkGod
from games.gods2.rules.orders import PantheonOrderAccepted
from games.gods2.rules.pantheon import DraftPantheonOrder, HandInPantheonOrder, SignPantheonOrder
from games.gods2.rules.queue import DrawNumber, PassNumber
from games.gods2.rules.records import Cards, GodStatus, Purse
from games.gods2.rules.targets import Target
from tests.playbook import Playbook, of_kind
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, HOST, A, B, demo_game, shares, two_peoples


def thought(book: Playbook, seat: UUID, *dice: int) -> Any:
    """What the policy does for a seat, with these dice of its own."""
    return play_god(book.state.seen_by(frozenset({seat})), seat, Tray(GivenDice(dice))).command


def test_bots_declare_wars_and_change_pantheons_within_three_centuries() -> None:
    book = demo_game(seconds=60)
    book.when(Start(), by=HOST)
    book.when(OpenSession(), by=GM)
    assert sum(1 for key in book.state.timers if key.startswith("bot:")) == 12

    events: list[Event] = book.wait(timedelta(seconds=180))

    assert of_kind(events, PowerCast) and of_kind(events, PantheonOrderAccepted)
    refusals = Counter(e.code for e in of_kind(events, BotPassed))
    assert set(refusals) <= {"number.not_called", "contact.missing", "phase.closed"}, refusals


def test_a_bot_that_wants_a_war_declares_one_it_can_pay_for() -> None:
    book, dwarves, elves = two_peoples()
    assert thought(book, ANA, 1) == DeclareWar(attacker=dwarves, defender=elves)
    assert thought(book, ANA, 6) is None
    book.when(DrawNumber(), by=CLEO)
    assert thought(book, ANA, 2) == DrawNumber()


def test_a_called_bot_without_a_target_passes() -> None:
    book, *_ = two_peoples()
    book.when(DrawNumber(), by=CLEO)
    for race in [r for r, m in book.state.shares if m == str(CLEO)]:
        del book.state.shares[race, str(CLEO)]
    assert thought(book, CLEO) == PassNumber()


def test_bots_sign_what_does_not_hurt_them_and_hand_in_what_all_have_signed() -> None:
    book, dwarves, _ = two_peoples()
    drafted = thought(book, ANA, 3)
    assert drafted == DraftPantheonOrder(race=dwarves, pantheon=shares(a=62, b=38))
    order = book.when(drafted, by=ANA)[0].order
    for seat in (ANA, BEN):
        assert thought(book, seat) == SignPantheonOrder(order=order)
        book.when(SignPantheonOrder(order=order), by=seat)
    assert thought(book, ANA) == HandInPantheonOrder(order=order)
    book.when(HandInPantheonOrder(order=order), by=ANA)
    assert book.state.pantheon(dwarves) == {A: 6200, B: 3800}


def test_a_bot_does_not_sign_itself_away() -> None:
    book, dwarves, _ = two_peoples()
    book.when(DraftPantheonOrder(race=dwarves, pantheon=shares(a=70, b=30)), by=ANA)
    assert thought(book, BEN, 6) is None


@pytest.mark.rule("G2-AMB-48")
def test_a_dead_god_does_nothing() -> None:
    book, *_ = two_peoples()
    book.when(MarkGod(seat=ANA, status=GodStatus.KILLED), by=GM)
    assert thought(book, ANA) is None
    assert bot_key(ANA) not in book.state.timers


def test_a_policy_sees_no_secret_of_others() -> None:
    book, *_ = two_peoples()
    before = play_god(book.state.seen_by(frozenset({ANA})), ANA, Tray(SecretDice(b"x", "y")))
    book.state.purses[BEN] = type(book.state.purses[BEN])(BEN, 10_000)
    assert play_god(book.state.seen_by(frozenset({ANA})), ANA, Tray(SecretDice(b"x", "y"))) == before


def test_a_bot_casts_what_helps_on_its_own_and_what_harms_on_others() -> None:
    book, dwarves, elves = two_peoples()
    for sphere in book.state.pack.spheres:
        book.state.cards[ANA, sphere] = Cards(ANA, sphere, 6)
    book.state.purses[ANA] = Purse(ANA, 100)
    seen, cast = set(), 0
    for n in range(150):
        command = play_god(book.state.seen_by(frozenset({ANA})), ANA, Tray(SecretDice(f"{n}".encode(), "bots"))).command
        again = play_god(book.state.seen_by(frozenset({ANA})), ANA, Tray(SecretDice(f"{n}".encode(), "bots"))).command
        assert command == again
        if not isinstance(command, CastPower):
            continue
        power, cast = book.state.pack.powers[command.power], cast + 1
        seen.add(power.id)
        harms = any(c.startswith("B") or c == "Mn" for c in power.codes)
        for target in command.targets:
            squares = [book.state.board.people_at(place.square) for place in target.squares]
            for race in [target.race, *squares] if target.race else squares:
                assert harms is (race == elves) or (not harms and race == dwarves), power.id
        twin = twin_of(book)
        twin.when(command, by=ANA)
    assert cast > 10 and len(seen) > 5


def test_a_bot_that_is_called_casts_what_it_can() -> None:
    book, dwarves, _ = two_peoples()
    for race in [r for r, m in list(book.state.shares) if m == str(ANA) and r != dwarves]:
        del book.state.shares[race, str(ANA)]
    book.state.purses[ANA] = Purse(ANA, 4)
    book.when(DrawNumber(), by=ANA)
    found = play_god(book.state.seen_by(frozenset({ANA})), ANA, Tray(SecretDice(b"x", "bots"))).command
    assert isinstance(found, CastPower) and found.power in ("call_to_arms", "teach_archery")
    assert found.targets == (Target(race=dwarves),)
    book.when(found, by=ANA)


def test_powers_show_in_the_centuries_of_the_demo() -> None:
    book = demo_game(seconds=60)
    book.when(Start(), by=HOST)
    book.when(OpenSession(), by=GM)
    events: list[Event] = book.wait(timedelta(seconds=240))
    powers = Counter(e.power for e in of_kind(events, PowerCast))
    assert len(set(powers) - {"declare_war", "order_war"}) >= 4, powers


def twin_of(book: Playbook) -> Playbook:
    """The same game once more, to try a command in."""
    return Playbook(book.ruleset, foretelling_twin(book.state))
