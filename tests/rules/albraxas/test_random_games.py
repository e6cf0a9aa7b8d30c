"""Whole games of bots, at random: each ends with a winner, the log folds to the state, nothing is ever below nothing.

Sixty in the ordinary run; `ALBRAXAS_GAMES=1000` plays the long form.
"""

import os
from collections import Counter
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest

from games.albraxas.rules import RULESET
from games.albraxas.rules.ending.events import GameFinished
from games.albraxas.rules.orders.events import OrdersRevealed
from games.albraxas.rules.resolve.events import BackboneChanged, DynamismChanged, ValuesChanged
from games.albraxas.rules.setup.commands import PlayAlbraxas
from games.albraxas.rules.state.invariants import violations
from games.albraxas.rules.state.options import AlbraxasOptions
from games.albraxas.rules.state.schema_types import Step
from games.engine.bots import BotPassed
from games.engine.game_state import GameInfo, Role, Seat, dump
from games.engine.lifecycle.gm_commands import EndSetup, Start
from games.engine.timer import TimerRefused
from tests.balance import of_albraxas
from tests.balance.frame import misses_in_one
from tests.playbook import Playbook, of_kind, state_from_log
from tests.rules.albraxas.stage import HOST, proves

IN_THE_FRAME = (1, 2)
"""The games that are held to the bounds of a single one (`tests/balance`)."""
GAMES = int(os.environ.get("ALBRAXAS_GAMES", "60"))


def state_of(number: int) -> Any:
    """The seats and options of game `number`: 1 to 8 rebels, small numbers of phases and sides."""
    lot = Random(number)
    phases = lot.choice((4, 5, 6, 9, 12))
    chosen = AlbraxasOptions(phases=phases, sides=lot.choice((4, 6, 10)), check_from=lot.randrange(1, phases))
    state = RULESET.new_state(UUID(int=number + 1))
    state.info = GameInfo(state.info.id, "albraxas", options=chosen.model_dump_json())
    for seat in range(1, 2 + lot.randint(1, 8)):
        bot = lot.choice(("random", "random", "steady"))
        state.seats.load(UUID(int=seat), Seat(UUID(int=seat), Role.PLAYER, f"Seat {seat}", bot=bot))
    return state


def random_game(number: int) -> Playbook:
    """A game of bots from start to end; every fifth one has a seat that leaves everything to the deadlines."""
    book = Playbook(RULESET, state_of(number))
    book.when(Start(), by=HOST)
    book.when(PlayAlbraxas(seat=UUID(int=1)), by=HOST)
    book.wait(timedelta(seconds=40))
    book.when(EndSetup(), by=HOST)
    if number % 5 == 0:
        silent = UUID(int=2)
        book.state.seats.load(silent, Seat(silent, Role.PLAYER, "Silent", user=UUID(int=77)))
    for _ in range(40):
        if book.state.storm.step is Step.FINISHED:
            return book
        book.wait(timedelta(minutes=10))
        assert violations(book.state) == []
    raise AssertionError(f"game {number} does not end")


def sound(number: int, book: Playbook) -> str:
    """Check one game; who won it and why."""
    events = [h.event for h in book.log]
    assert of_kind(events, BotPassed, TimerRefused) == []
    assert all(e.tide >= 0 and e.ebb >= 0 for e in of_kind(events, ValuesChanged))
    assert all(e.after >= 0 for e in of_kind(events, BackboneChanged, DynamismChanged))
    assert all(proves(p) for e in of_kind(events, OrdersRevealed) for p in e.papers if p.digest)
    (end,) = of_kind(events, GameFinished)
    assert end.winner is not None and book.state.storm.turn <= book.state.storm.phases - 1
    if number % 5:
        assert dump(state_from_log(book.log, state_of(number))) == dump(book.state)
    if number in IN_THE_FRAME:
        assert misses_in_one(of_albraxas.FACTS, book, state_of(number)) == []
    return f"{end.winner}: {end.reason}"


@pytest.mark.timeout(1800)
@pytest.mark.rule("AX-TRN-9", "AX-ACT-12", "AX-END-5", "CF-1", "CF-8")
def test_random_games_end_with_a_winner_and_never_hold_less_than_nothing() -> None:
    ended = Counter(sound(number, random_game(number)) for number in range(GAMES))
    assert sum(ended.values()) == GAMES
    assert {reason.partition(":")[0] for reason in ended} == {"albraxas", "rebel"}


@pytest.mark.rule("CF-1")
def test_the_same_dice_play_the_same_game() -> None:
    first, second = random_game(7), random_game(7)
    assert [h.event for h in first.log] == [h.event for h in second.log]
    assert dump(first.state) == dump(second.state)


def test_every_price_paid_was_covered() -> None:
    """Dynamism moves from what a character has, event by event."""
    book = random_game(3)
    state = state_of(3)
    for record in book.log:
        event = record.event
        if isinstance(event, DynamismChanged | BackboneChanged):
            here = state.characters[event.seat]
            assert event.before == (here.dynamism if isinstance(event, DynamismChanged) else here.backbone)
        state.note_time(record.at)
        event.apply(state)
        assert not state.characters or violations(state) == [] or state.storm.step is Step.RESOLVE
