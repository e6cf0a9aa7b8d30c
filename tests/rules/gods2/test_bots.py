"""The policy `god`: it acts by the rules, on what its seat may see."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.engine.bots import BotPassed, bot_key
from games.engine.game_state import Role
from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import Start
from games.gods2.rules.bots import ANSWERS
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.events import PowerCast
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.course import COURSE
from games.gods2.rules.pantheon.commands import (
    DraftPantheonOrder,
    DropPantheonOrder,
    HandInPantheonOrder,
    SignPantheonOrder,
)
from games.gods2.rules.pantheon.events import PantheonOrderAccepted
from games.gods2.rules.setup.roster_commands import MarkGod
from games.gods2.rules.state.records import ATHEISM, GodStatus
from games.gods2.rules.state.shares import share_out
from games.gods2.rules.state.value_types import Target
from games.gods2.rules.window.commands import DrawNumber, PassNumber
from tests.playbook import Playbook, of_kind
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, HOST, A, B, demo_game, shares, two_peoples
from tests.rules.gods2.thinkers import castings, commands, give, think


def bot_command(book: Playbook, seat: UUID, lot: int = 0) -> Any:
    """What the policy does for a seat, with one lot of its dice."""
    return think(book, seat, lot=lot).command


def test_bots_declare_wars_and_change_pantheons_within_three_centuries() -> None:
    book = demo_game(seconds=60)
    book.when(Start(), by=HOST)
    book.when(OpenSession(), by=GM)
    assert sum(1 for key in book.state.timers if key.startswith("bot:")) == 12

    events: list[Event] = book.wait(timedelta(seconds=180))

    assert of_kind(events, PowerCast) and of_kind(events, PantheonOrderAccepted)
    refusals = Counter(e.code for e in of_kind(events, BotPassed))
    assert set(refusals) <= {"number.not_called", "contact.missing", "phase.closed"}, refusals


def test_a_bot_has_an_answer_to_each_question_that_a_god_is_asked() -> None:
    assert {row.kind for row in COURSE.questions.values() if Role.PLAYER in row.roles} == {*ANSWERS}


def test_a_bot_draws_a_number_where_others_wait() -> None:
    book, *_ = two_peoples()
    give(book, 20, LB=6)
    assert any(isinstance(command, CastPower) for command in commands(book))
    for seat in (CLEO, BEN):
        book.when(DrawNumber(), by=seat)
    assert DrawNumber() in commands(book)
    assert not any(isinstance(command, CastPower) for command in commands(book))


def test_a_called_bot_without_a_target_passes() -> None:
    book, *_ = two_peoples()
    book.when(DrawNumber(), by=CLEO)
    for race in [r for r, m in book.state.shares if m == str(CLEO)]:
        del book.state.shares[race, str(CLEO)]
    assert bot_command(book, CLEO) == PassNumber()


def test_bots_sign_harmless_orders_and_hand_in_orders_all_have_signed() -> None:
    book, dwarves, _ = two_peoples()
    give(book, 0, WA=6)
    drafted = DraftPantheonOrder(race=dwarves, pantheon=shares(a=62, b=38))
    assert drafted in commands(book)
    order = book.when(drafted, by=ANA)[0].order
    for seat in (ANA, BEN):
        assert bot_command(book, seat) == SignPantheonOrder(order=order)
        book.when(SignPantheonOrder(order=order), by=seat)
    assert bot_command(book, ANA) == HandInPantheonOrder(order=order)
    book.when(HandInPantheonOrder(order=order), by=ANA)
    assert book.state.pantheon(dwarves) == {A: 6200, B: 3800}


@pytest.mark.rule("G2-PAN-5")
def test_a_bot_drops_a_draft_that_a_member_who_came_later_objects_to_and_goes_on_to_other_things() -> None:
    """A bot that wants what is void stands still for the rest of the age."""
    book, dwarves, _ = two_peoples()
    give(book, 0)
    order = book.when(DraftPantheonOrder(race=dwarves, pantheon=shares(a=62, b=38)), by=ANA)[0].order
    for seat in (ANA, BEN):
        book.when(SignPantheonOrder(order=order), by=seat)
    share_out(book.state, dwarves, {A: 5500, B: 3500, ATHEISM: 1000})
    assert bot_command(book, ANA) == DropPantheonOrder(order=order)
    book.when(DropPantheonOrder(order=order), by=ANA)
    assert bot_command(book, ANA) != DropPantheonOrder(order=order)


def test_a_bot_does_not_sign_its_own_share_away() -> None:
    book, dwarves, _ = two_peoples()
    book.when(DraftPantheonOrder(race=dwarves, pantheon=shares(a=70, b=30)), by=ANA)
    assert not any(isinstance(command, SignPantheonOrder) for command in commands(book, BEN))


@pytest.mark.rule("G2-AMB-48")
def test_a_dead_god_does_nothing() -> None:
    book, *_ = two_peoples()
    book.when(MarkGod(seat=ANA, status=GodStatus.KILLED), by=GM)
    assert bot_command(book, ANA) is None
    assert bot_key(ANA) not in book.state.timers


def test_every_cast_of_a_bot_is_allowed_and_harms_none_of_its_own() -> None:
    book, dwarves, elves = two_peoples()
    give(book, 100, **dict.fromkeys(book.state.pack.spheres, 6))
    cast = castings(book, policy="warlord", lots=40) + castings(book, policy="trader", lots=40)
    assert len({command.power for command in cast}) >= 3
    for command in cast:
        twin = twin_of(book)
        twin.when(command, by=ANA)
        assert twin.state.board.units_of(dwarves) >= book.state.board.units_of(dwarves), command.power
        assert twin.state.board.units_of(elves) >= book.state.board.units_of(elves), command.power


def test_a_bot_that_is_called_casts_what_it_can() -> None:
    book, dwarves, _ = two_peoples()
    give(book, 4, WA=3)
    book.state.races[dwarves] = replace(book.state.races[dwarves], knowledges=("toolmaking",))
    book.when(DrawNumber(), by=ANA)
    found = bot_command(book, ANA)
    assert isinstance(found, CastPower) and found.power == "teach_archery"
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
    return Playbook(book.ruleset, book.state.twin())
