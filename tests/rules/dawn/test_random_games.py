"""Whole games of bots, at random: they end, the log folds to the state, and every point is accounted for at each event.

Five in the ordinary run; `DAWN_GAMES=500` plays the long form.
"""

import os
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest

from games.dawn.rules.bots.policy import POLICIES
from games.dawn.rules.conflict.events import BidPlaced
from games.dawn.rules.powers.events import PowerDeclared, PowerFailed, PowerResolved, PowerWithdrawn, SharesDrawn
from games.dawn.rules.setup.commands import DefineGod
from games.dawn.rules.state.invariants import violations
from games.dawn.rules.state.options import DawnOptions
from games.dawn.rules.state.schema_types import Moral, Step
from games.dawn.rules.trade.events import PlaceSold, PointsGiven
from games.dawn.rules.turn.commands import LeaveSeat
from games.dawn.rules.turn.events import GameFinished, IncomeRolled, RoundStarted
from games.engine.bots import BotPassed, Thought
from games.engine.dice import Tray
from games.engine.game_state import GameInfo, Role, Seat, dump
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Event, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.seating import HandOver
from games.engine.timer import TimerRefused
from tests import forms
from tests.balance import of_dawn
from tests.balance.frame import misses_in_one
from tests.playbook import Playbook, of_kind
from tests.rules.dawn.stage import GODS, HOST, RULESET

GAMES = int(os.environ.get("DAWN_GAMES", "5"))
IN_THE_FRAME = 2
"""So many games are held to the bounds of a single one (`tests/balance`)."""
BOT = "plain"
STEP = timedelta(minutes=5)


def starting_state(number: int) -> Any:
    """Seats, options and dice of game `number`: 2 to 5 gods; in two games of five the last is a person."""
    lot, game, gods = Random(number), UUID(int=0xDA000 + number), 2 + number % 4
    chosen = DawnOptions(
        width=lot.randint(4, 8), height=lot.randint(4, 6), open_challenge=lot.random() < 0.3, free_alignment=True
    )
    state = RULESET.new_state(game)
    state.info = GameInfo(game, "dawn", name="Dawn", options=chosen.model_dump_json())
    for seat in GODS[:gods]:
        state.seats.load(seat, Seat(seat, Role.PLAYER, f"God {seat.int}", bot=BOT))
    if person := person_of(number):
        state.seats.load(person, Seat(person, Role.PLAYER, "Somebody", user=UUID(int=77)))
    return state


def person_of(number: int) -> UUID | None:
    """The seat of a person: in every fifth game one who is silent, in the next one who leaves."""
    return GODS[1 + number % 4] if number % 5 < 2 else None


def random_game(number: int) -> Playbook:
    """A game from start to end. A silent person says nothing at all, in every other game not even a god's name."""
    book, person = Playbook(RULESET, starting_state(number)), person_of(number)
    book.when(Start(), by=HOST)
    if person and (number % 5 == 1 or number % 10 == 0):
        book.when(DefineGod(name="Somebody", portfolio=("doubt",), moral=Moral.NEUTRAL), by=person)
    book.wait(timedelta(minutes=61))
    leaves = number % 5 == 1
    for _ in range(5000):
        course = book.state.course
        if course.step is Step.FINISHED:
            return book
        assert violations(book.state) == []
        seat = book.state.seats[person] if person else None
        if leaves and seat and seat.user and course.rounds >= 3:
            book.when(LeaveSeat(), by=person)
        if leaves and seat and course.age == 2 and not seat.bot:
            book.when(HandOver(seat=seat.id, bot=BOT, reason="He has left."), by=HOST)
        book.wait(STEP)
    raise AssertionError(f"game {number} does not end")


class Ledger:
    """What every god has, computed from the amounts in the events, and from nothing else."""

    def __init__(self) -> None:
        self.free: Counter[UUID] = Counter()
        self.held: dict[UUID, Counter[UUID]] = {}
        self.earned = self.spent = 0

    def write(self, event: Event) -> None:
        match event:
            case IncomeRolled(seat=seat, gain=gain):
                self.free[seat] += gain
                self.earned += gain
            case BidPlaced(seat=seat, paid=paid):
                self.free[seat] -= paid
                self.spent += paid
            case PointsGiven(giver=giver, receiver=receiver, amount=amount):
                self._move(giver, receiver, amount)
            case PlaceSold(buyer=giver, seller=receiver, price=amount):
                self._move(giver, receiver, amount)
            case PowerDeclared(power=power, caster=caster, escrow=amount):
                self.held[power] = Counter()
                self._hold(power, caster, amount)
            case SharesDrawn(power=power, shares=shares):
                for share in shares:
                    self._hold(power, share.seat, share.amount)
            case PowerResolved(power=power):
                self.spent += self.held.pop(power).total()
            case PowerFailed(power=power, refund=refund) | PowerWithdrawn(power=power, refund=refund):
                held = self.held.pop(power)
                assert refund in (0, held.total())
                if refund:
                    self.free.update(held)
                else:
                    self.spent += held.total()

    def _move(self, giver: UUID, receiver: UUID, amount: int) -> None:
        self.free[giver] -= amount
        self.free[receiver] += amount

    def _hold(self, power: UUID, seat: UUID, amount: int) -> None:
        self.free[seat] -= amount
        self.held[power][seat] += amount

    def matches(self, state: Any) -> bool:
        """Whether the purses are what the events say, and nothing has come or gone beside them."""
        purses = {seat: purse.balance for seat, purse in state.purses.items()}
        held = sum(shares.total() for shares in self.held.values())
        assert purses == {seat: self.free[seat] for seat in purses}
        assert min(purses.values(), default=0) >= 0
        return self.earned == self.free.total() + held + self.spent


@pytest.mark.rule("DW-PTS-1", "CF-1", "CF-8")
@pytest.mark.parametrize("number", forms.first(range(GAMES), 2))
def test_a_game_of_bots_ends_and_every_point_is_accounted_for(number: int) -> None:
    book = random_game(number)
    events = [h.event for h in book.log]
    assert of_kind(events, BotPassed, TimerRefused) == []
    assert len(of_kind(events, GameFinished)) == 1
    rounds = of_kind(events, RoundStarted)
    assert {r.age for r in rounds} == {1, 2, 3} and 15 <= len(rounds) <= 30
    left = book.state
    assert [*left.prompts.values(), *left.powers.values(), *left.conflicts.values(), *left.wars.values()] == []
    assert [*left.motions.values(), *left.offers.values(), *left.holds.values()] == []
    assert violations(left) == []
    state, ledger = starting_state(number), Ledger()
    for record in book.log:
        state.note_time(record.at)
        record.event.apply(state)
        ledger.write(record.event)
        assert ledger.matches(state), f"{record.event!r} makes or loses points"
    assert dump(state) == dump(left)
    if number < IN_THE_FRAME:
        assert misses_in_one(of_dawn.FACTS, book, starting_state(number)) == []


NOT_FOR_BOTS = {"configure-game", "set-map", "end-setup", "allow-reach", "leave-seat"}
"""Commands of the host, the GM and the clock; and a bot never leaves."""


RICH = (10, 19)
"""Games in which nearly everything happens; where the dice change, others are played until everything has."""


@pytest.fixture
def command_counts(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """What bots command while the test runs."""
    found: Counter[str] = Counter()
    plain = POLICIES[BOT]

    def count_command(state: Any, seat: UUID, tray: Tray) -> Thought:
        thought = plain(state, seat, tray)
        if thought.command is not None:
            found[thought.command.slug()] += 1
        return thought

    monkeypatch.setitem(POLICIES, BOT, count_command)
    yield found


def test_bots_use_every_command_that_there_is(command_counts: Counter[str]) -> None:
    every = {command.slug() for command in RULESET.own.commands} - NOT_FOR_BOTS
    for number in (*RICH, *range(60)):
        random_game(number)
        if every == set(command_counts):
            return
    assert set(command_counts) == every


def test_every_command_says_what_it_would_accept() -> None:
    """Whatever the state, a listed command is legal or says why not; no command breaks."""
    book = Playbook(RULESET, starting_state(1))
    book.when(Start(), by=HOST)
    named: set[str] = set()
    for _ in range(12):
        for seat in GODS[:3]:
            actor = Actor(Issuer.SEAT, seat=seat)
            for candidate in legal_commands_for(book.state, RULESET.own.commands, actor):
                named.add(candidate.command)
                assert candidate.legal or (candidate.barred is not None and candidate.barred.message)
        book.wait(timedelta(minutes=6))
    assert {"define-god", "end-turn", "open-motion", "give-points", "open-dispute", "answer-leave"} <= named
