"""The commands and events of Cairns."""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.audience import PUBLIC, Audience, seat_and_gm
from games.engine.errors import Refused
from games.engine.insight.domains import Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Command, Context, Event, Issuer
from games.engine.prompts import prompt
from games.engine.prompts.questions import ask_row
from games.engine.wording import quantity
from tests.toy.rules.state import Hoard, Pile, State


class StonesAdded(Event[State]):
    """A seat has added stones to its pile."""

    seat: UUID
    stones: int
    rolled: bool = False

    def apply(self, state: State) -> None:
        pile = state.piles.get(self.seat) or Pile(self.seat)
        state.piles[self.seat] = replace(pile, stones=pile.stones + self.stones, rolled=pile.rolled + self.rolled)

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
        state.tide = replace(state.tide, count=self.count)
        for pile in list(state.piles.values()):
            state.piles[pile.id] = replace(pile, stones=max(0, pile.stones - 1))


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
        yield StonesAdded(seat=state.seat_on_turn(ctx.actor.acting_seat).id, stones=self.stones)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.seat_on_turn(actor.acting_seat)
        yield LegalCommand(cls.slug(), {"stones": Range(low=1, high=5)}, price=0)


class RollStones(Command[State]):
    """Add as many stones as the dice show."""

    dice: int = Field(default=1, ge=1, le=3)
    """How many are rolled."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        seat = state.seat_on_turn(ctx.actor.acting_seat).id
        pile = state.piles.get(seat) or Pile(seat)
        stones = sum(ctx.tray.pool(f"pile:{seat}/{pile.rolled}", self.dice, 6, "TOY-PILE-2"))
        yield StonesAdded(seat=seat, stones=stones, rolled=True)


class HideCoins(Command[State]):
    """Hide coins; nobody but you and the game-master sees it."""

    coins: int = Field(ge=1, le=100)
    """How many."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        seat = state.seat_on_turn(ctx.actor.acting_seat)
        hoard = state.hoards.get(seat.id) or Hoard(seat.id)
        if hoard.coins + self.coins > 1000:
            raise Refused("coins.many", f"{seat.name} hides 1,000 coins at most.", have=hoard.coins)
        yield CoinsHidden(seat=seat.id, coins=self.coins)


class Propose(Command[State]):
    """Put a motion to the vote of all players; silence is no."""

    text: str = Field(min_length=1, max_length=200)
    """What is proposed."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        motion, most = ctx.mint(PUBLIC), prompt.more_than_half(len(state.players()))
        yield from ask_row(state, ctx, "MOTION", prompt=motion, threshold=most, text=self.text, motion=motion)


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
            yield from settle_motion(state, self.prompt, carried=carried)


class BringTide(Command[State]):
    """The tide comes."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield TideCame(count=state.tide.count + 1)


def settle_motion(state: State, motion: UUID, *, carried: bool) -> Iterator[Event]:
    """Close a motion and say how it was settled."""
    yield from prompt.close(state, motion, "carried" if carried else "lost")
    yield MotionSettled(passed=carried)
