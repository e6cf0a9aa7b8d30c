"""Whole games of bots, at random: each is over after three sessions, the log folds to the state, and nothing hangs.

A few tens in the ordinary run; `DIETOWER_EVENINGS=1000` plays the long form.
"""

import os
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest

from games.dietower.rules import RULESET
from games.dietower.rules.checks.events import PoolRolled
from games.dietower.rules.combat.encounter_commands import OpenEncounter
from games.dietower.rules.combat.events import EncounterClosed
from games.dietower.rules.state.invariants import violations
from games.dietower.rules.state.options import DieTowerOptions
from games.dietower.rules.state.schema_types import Condition, Mode, Step, WishStatus
from games.dietower.rules.table.events import GameFinished
from games.dietower.rules.wishes.events import WishEarned, WishesSpent
from games.engine.bots import BotPassed
from games.engine.game_state import GameInfo, Role, Seat, dump
from games.engine.lifecycle.gm_commands import Start
from games.engine.timer import TimerRefused
from tests import forms
from tests.balance import of_dietower
from tests.balance.frame import misses_in_one
from tests.playbook import Playbook, of_kind, state_from_log
from tests.rules.dietower.stage import GM, HOST, S1, S2, monster, playing

EVENINGS = int(os.environ.get("DIETOWER_EVENINGS", "24"))
IN_THE_FRAME = 2
"""So many evenings are held to the bounds of a single one (`tests/balance`)."""
LONGEST = 3_000
"""Rounds of a minute in which an evening is over."""


def state_of(number: int) -> Any:
    """The seats and options of evening `number`; the world master is a bot."""
    lot = Random(number)
    chosen = DieTowerOptions(
        seats=12,
        characters=lot.choice((1, 1, 2, 4)),
        mode=lot.choice((Mode.SIMULATED, Mode.SIMULATED, Mode.PHYSICAL)),
        half_width=lot.randint(5, 8),
        dice_by_hand=lot.random() < 0.1,
    )
    state = RULESET.new_state(UUID(int=0xD1E000 + number))
    state.info = GameInfo(state.info.id, "dietower", options=chosen.model_dump_json())
    state.seats.load(GM.seat, Seat(GM.seat, Role.GM, "World master", bot="steady"))
    for seat in range(lot.randint(1, 12)):
        place = UUID(int=100 + seat)
        state.seats.load(place, Seat(place, Role.PLAYER, f"Seat {seat}", bot=lot.choice(("random", "sensible"))))
        state.enter_seat(place)
    return state


def evening(number: int) -> Playbook:
    """A game of bots from the start to its end; what always holds is asked each minute."""
    book = Playbook(RULESET, state_of(number))
    book.when(Start(), by=HOST)
    for _ in range(LONGEST):
        book.wait(timedelta(minutes=1))
        assert violations(book.state) == []
        assert not [p for p in book.state.prompts.values() if is_late(book, p.id)]
        if book.state.course.step is Step.FINISHED:
            return book
    raise AssertionError(f"evening {number} does not end: {book.state.course}")


def is_late(book: Playbook, prompt: UUID) -> bool:
    """Whether the deadline of a question is past."""
    timer = book.state.timers.get(f"prompt:{prompt}")
    return timer is not None and timer.due is not None and timer.due < book.now


def sound(number: int, book: Playbook) -> None:
    """Check one evening."""
    state, events = book.state, [record.event for record in book.log]
    assert of_kind(events, BotPassed, TimerRefused) == []
    (end,) = of_kind(events, GameFinished)
    assert end.sessions == 3
    assert state.due_placements() == []
    assert all(die.placement in state.placements for die in state.dice.values())
    assert all(placement.roll in state.rolls for placement in state.placements.values())
    assert all(roll.closed for roll in state.rolls.values())
    assert dump(state_from_log(book.log, state_of(number))) == dump(state)
    wishes_add_up(book)
    no_roll_of_the_fallen(book, number)
    if number < IN_THE_FRAME:
        assert misses_in_one(of_dietower.FACTS, book, state_of(number)) == []


def wishes_add_up(book: Playbook) -> None:
    """Wishes earned are spent, or there; those that were too many were never had."""
    state, events = book.state, [record.event for record in book.log]
    earned = len(of_kind(events, WishEarned)) + len(state.sheets)
    spent = sum(event.count for event in of_kind(events, WishesSpent))
    assert not [w for w in state.wishes.values() if w.status is WishStatus.PENDING]
    there = sum(sheet.wishes for sheet in state.sheets.values())
    assert earned == spent + there


def no_roll_of_the_fallen(book: Playbook, number: int) -> None:
    """Nobody rolls who has fallen."""
    state = state_of(number)
    for record in book.log:
        event = record.event
        if isinstance(event, PoolRolled):
            assert state.actors[event.actor].condition is Condition.ACTIVE
        state.note_time(record.at)
        event.apply(state)


@pytest.mark.timeout(3600)
@pytest.mark.rule("DT-TBL-2", "DT-TBL-3", "DT-CMB-16", "DT-WSH-1", "DT-TWR-8")
@pytest.mark.parametrize("number", forms.first(range(EVENINGS), 6))
def test_an_evening_of_bots_is_over_after_three_sessions(number: int) -> None:
    sound(number, evening(number))


def test_the_same_dice_play_the_same_evening() -> None:
    first, second = evening(7), evening(7)
    assert [record.event for record in first.log] == [record.event for record in second.log]


@pytest.mark.rule("DT-CMB-17", "DT-AMB-44")
def test_a_game_in_which_nobody_answers_comes_to_rest() -> None:
    book = playing(S1, S2)
    book.when(OpenEncounter(members=(monster(book),)), by=GM)

    book.wait(timedelta(hours=2))

    (closed,) = of_kind([record.event for record in book.log], EncounterClosed)
    assert closed.reason == "silence"
    assert (book.state.course.step, dict(book.state.timers), dict(book.state.prompts)) == (Step.FREE, {}, {})
