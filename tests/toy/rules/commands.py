"""The commands and events of Cairns."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine import ruleset
from games.engine.audience import PUBLIC, Audience, reader, seat_and_gm
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.insight.domains import Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Command, Context, Event, Issuer
from games.engine.lifecycle.gm_commands import GameEnded
from games.engine.prompts import prompt
from games.engine.timer import TimerSet
from games.engine.wording import quantity
from tests.toy.rules.state import Hoard, Pile, State


class Options(ruleset.Options):
    """How a game of Cairns is played."""

    tide_seconds: int = Field(default=60, ge=1, le=3600)
    """Seconds from one tide to the next."""
    tides: int = Field(default=10, ge=1, le=1000)
    """After how many tides the game ends."""
    dice_by_hand: bool = False
    """Whether people enter the dice: a GM, unless `rollers_enter`."""
    rollers_enter: bool = False
    """Whether the roller may enter the dice too, and has 90 seconds for it."""


class StonesAdded(Event[State]):
    """A seat has added stones to its pile."""

    seat: UUID
    stones: int
    rolled: bool = False

    def apply(self, state: State) -> None:
        pile = state.piles.get(self.seat) or Pile(self.seat)
        state.piles[self.seat] = replace(pile, stones=pile.stones + self.stones, rolled=pile.rolled + int(self.rolled))

    def sentence(self, state: State) -> str:
        return f"{state.seats[self.seat].name} adds {quantity(self.stones, 'stone')}."


class CoinsHidden(Event[State]):
    """A seat has hidden coins; nobody else knows."""

    seat: UUID
    coins: int

    def audience(self, state: State) -> Audience:
        return seat_and_gm(self.seat)

    def apply(self, state: State) -> None:
        hoard = state.hoards.get(self.seat) or Hoard(self.seat)
        state.hoards[self.seat] = replace(hoard, coins=hoard.coins + self.coins)


class TideCame(Event[State]):
    """The tide takes a stone of each pile."""

    count: int

    def apply(self, state: State) -> None:
        state.set_tide(count=self.count)
        for pile in list(state.piles.values()):
            state.piles[pile.id] = replace(pile, stones=max(0, pile.stones - 1))

    def sentence(self, state: State) -> str:
        return f"Tide {self.count} takes a stone of each pile."


class MotionSettled(Event[State]):
    """A vote was carried or lost."""

    passed: bool

    def sentence(self, state: State) -> str:
        return "The motion is carried." if self.passed else "The motion is lost."


class AddStones(Enumerable[State]):
    """Add stones to your pile."""

    rules: ClassVar[tuple[str, ...]] = ("TOY-PILE-1",)

    stones: int = Field(ge=1, le=5)
    """How many."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        seat = state.seat(ctx.actor.acting_seat)
        state.require_turn(seat.id)
        yield StonesAdded(seat=seat.id, stones=self.stones)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require_turn(state.seat(actor.acting_seat).id)
        yield LegalCommand(cls.slug(), {"stones": Range(low=1, high=5)}, price=0)


class RollStones(Command[State]):
    """Add as many stones as the dice show."""

    dice: int = Field(default=1, ge=1, le=3)
    """How many are rolled."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        seat = state.seat(ctx.actor.acting_seat)
        state.require_turn(seat.id)
        pile = state.piles.get(seat.id) or Pile(seat.id)
        stones = sum(ctx.tray.pool(f"pile:{seat.id}/{pile.rolled}", self.dice, 6, "TOY-PILE-2"))
        yield StonesAdded(seat=seat.id, stones=stones, rolled=True)


class HideCoins(Command[State]):
    """Hide coins; nobody but you and the game-master sees it."""

    coins: int = Field(ge=1, le=100)
    """How many."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        seat = state.seat(ctx.actor.acting_seat)
        state.require_turn(seat.id)
        hoard = state.hoards.get(seat.id) or Hoard(seat.id)
        if hoard.coins + self.coins > 1000:
            raise Refused("coins.many", f"{seat.name} hides 1,000 coins at most.", have=hoard.coins)
        yield CoinsHidden(seat=seat.id, coins=self.coins)


class Propose(Command[State]):
    """Put a motion to the vote of all players."""

    text: str = Field(min_length=1, max_length=200)
    """What is proposed."""
    seconds: int = Field(default=30, ge=1, le=600)
    """How long ballots are taken; silence is no."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        voters = [reader(s.id) for s in state.seats_of(Role.PLAYER)]
        motion = ctx.mint(PUBLIC)
        yield from prompt.ask(
            state,
            ctx,
            "MOTION",
            self.text,
            owners=voters,
            readers=PUBLIC,
            lane=f"motion:{motion}",
            rule=prompt.Rule.MAJORITY,
            answered_by=(CastVote,),
            prompt=motion,
            threshold=prompt.more_than_half(len(voters)),
            due=ctx.now + timedelta(seconds=self.seconds),
            default=CloseMotion(prompt=motion),
            silence="A missing ballot counts as no.",
        )


class CastVote(Command[State]):
    """Vote on a motion; the ballot may be changed until the vote closes."""

    prompt: UUID
    """The motion."""
    yes: bool
    """For it?"""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield from prompt.answer(state, ctx, self.prompt, "true" if self.yes else "false")
        carried = prompt.verdict(state.prompts[self.prompt], prompt.answers_to(state, self.prompt))
        if carried is not None:
            yield from prompt.close(state, self.prompt, "carried" if carried else "lost")
            yield MotionSettled(passed=carried)


class CloseMotion(Command[State]):
    """The time to vote is over."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})

    prompt: UUID

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield from prompt.expire_prompt(state, self.prompt)
        yield MotionSettled(passed=False)


class BringTide(Command[State]):
    """The tide comes, and sets the time of the next."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        if state.tide.poisoned:
            raise ZeroDivisionError("the moon is missing")
        options = Options.of(state)
        yield TideCame(count=state.tide.count + 1)
        if state.tide.count >= options.tides:
            yield GameEnded(reason="the last tide has come")
            return
        due = ctx.now + timedelta(seconds=options.tide_seconds)
        yield TimerSet.of("tide", due, BringTide(), shown=PUBLIC)


def start(state: State, ctx: Context) -> Iterator[Event]:
    """The game begins: the first tide is on its way."""
    if not state.seats_of(Role.PLAYER):
        raise Refused("seats.few", "At least one player must have joined.")
    options = Options.of(state)
    yield TimerSet.of("tide", ctx.now + timedelta(seconds=options.tide_seconds), BringTide(), shown=PUBLIC)
