"""Dice of a real table: where a game's option says so, a GM enters what was rolled; silence leaves it to the server.

A decision that needs such a die is set aside whole. The die's label binds it to its use, so the same decision finds its
value when it is taken up again: after the entry, or at the deadline with the server's die (CF-2, G2-DICE-2).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.audience import GM, GM_READER, SERVER, Audience
from games.engine.errors import DieOwed, Refused
from games.engine.game_state import EnteredDie, GameState
from games.engine.kernel import Actor, Command, Context, Event, Issuer
from games.engine.prompts.prompt import Rule, answer, ask, close, expire_prompt, open_prompt

WINDOW = timedelta(seconds=60)
KIND = "DICE"


class DecisionHeld(Event[GameState]):
    """A decision waits for a die from the real table."""

    prompt: UUID
    does: str
    with_: str
    """The command's fields as JSON."""
    role: Issuer
    user: UUID | None = None
    seat: UUID | None = None
    on_behalf_of: UUID | None = None
    label: str
    index: int
    faces: int

    def audience(self, state: GameState) -> Audience:
        return SERVER

    def apply(self, state: GameState) -> None:
        state.entered[self.label, self.index] = EnteredDie(self.label, self.index, None, awaited=True)


class DieEntered(Event[GameState]):
    """A die was rolled by hand."""

    prompt: UUID
    value: int

    def audience(self, state: GameState) -> Audience:
        return state.prompts[self.prompt].audience


class DieSettled(Event[GameState]):
    """The value of an awaited die: entered by a person, or none, which leaves it to the server."""

    label: str
    index: int
    value: int | None

    def audience(self, state: GameState) -> Audience:
        return SERVER

    def apply(self, state: GameState) -> None:
        state.entered[self.label, self.index] = EnteredDie(self.label, self.index, self.value)


class EnterDie(Command[GameState]):
    """Enter a die that was rolled at a real table."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})

    prompt: UUID
    """The question for the die."""
    value: int = Field(ge=1, le=1_000_000)
    """What it shows, from 1 to its sides."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        held = held_decision(open_prompt(state, self.prompt).choices)
        yield from self.settle(state, ctx)
        yield from resume_decision(state, ctx, held)

    def settle(self, state: GameState, ctx: Context) -> Iterator[Event]:
        """The question is answered and the die has its value; what waits for it is not decided yet."""
        held = held_decision(open_prompt(state, self.prompt).choices)
        if self.value > held.faces:
            raise Refused("die.range", f"This die shows 1 to {held.faces}.", low=1, high=held.faces)
        yield from answer(state, ctx, self.prompt, str(self.value))
        yield DieEntered(prompt=self.prompt, value=self.value)
        yield from close(state, self.prompt, str(self.value))
        yield DieSettled(label=held.label, index=held.index, value=self.value)


class RollForHand(Command[GameState]):
    """Nobody entered the die in time: the server rolls it."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})

    prompt: UUID

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        held = held_decision(open_prompt(state, self.prompt).choices)
        yield from self.settle(state, ctx)
        yield from resume_decision(state, ctx, held)

    def settle(self, state: GameState, ctx: Context) -> Iterator[Event]:
        """The question is closed and the die is left to the server; what waits for it is not decided yet."""
        held = held_decision(open_prompt(state, self.prompt).choices)
        yield from expire_prompt(state, self.prompt)
        yield DieSettled(label=held.label, index=held.index, value=None)


def hold(state: GameState, ctx: Context, command: Command, owed: DieOwed) -> Iterator[Event]:
    """Set a decision aside and ask the GMs for the die it needs.

    A decision that was taken up again and needs a further die is set aside anew; the die before stays settled.
    """
    while isinstance(command, (EnterDie, RollForHand)):
        held = held_decision(open_prompt(state, command.prompt).choices)
        yield from command.settle(state, ctx)
        ctx, command = take_up(ctx, held)
    prompt = ctx.mint(GM)
    held = DecisionHeld(
        prompt=prompt,
        does=command.slug(),
        with_=command.model_dump_json(),
        role=ctx.actor.role,
        user=ctx.actor.user,
        seat=ctx.actor.seat,
        on_behalf_of=ctx.actor.on_behalf_of,
        label=owed.label,
        index=owed.index,
        faces=owed.sides,
    )
    yield held
    yield from ask(
        state,
        ctx,
        KIND,
        f"Roll a d{owed.sides} at the table for {owed.rule or owed.label} and enter what it shows.",
        owners=(GM_READER,),
        readers=GM,
        lane=f"dice:{prompt}",
        rule=Rule.FIRST,
        answered_by=(EnterDie,),
        prompt=prompt,
        choices=(held.model_dump_json(),),
        due=ctx.now + WINDOW,
        default=RollForHand(prompt=prompt),
        silence="The server rolls it.",
    )


def held_decision(choices: tuple[str, ...]) -> DecisionHeld:
    """The decision that a DICE prompt keeps. Raises `prompt.closed` for another kind of prompt."""
    if len(choices) != 1:
        raise Refused("prompt.closed", "This question does not ask for a die.")
    return DecisionHeld.model_validate_json(choices[0])


def take_up(ctx: Context, held: DecisionHeld) -> tuple[Context, Command]:
    """A decision that was set aside, and the context of the one who made it."""
    actor = Actor(held.role, held.user, held.seat, held.on_behalf_of)
    return replace(ctx, actor=actor), ctx.command(held.does, held.with_)


def resume_decision(state: GameState, ctx: Context, held: DecisionHeld) -> Iterator[Event]:
    """Take a decision up again, as the one who made it."""
    own, command = take_up(ctx, held)
    yield from command.decide(state, own)


class EnteredView(Mapping[tuple[str, int], int]):
    """The entered dice of a state, as a tray reads them; it follows the state."""

    def __init__(self, state: GameState) -> None:
        self._state = state

    def _values(self) -> dict[tuple[str, int], int]:
        return {key: die.value for key, die in self._state.entered.items() if die.value is not None}

    def __getitem__(self, key: tuple[str, int]) -> int:
        return self._values()[key]

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())


def by_hand(state: GameState, label: str, index: int) -> bool:
    """Whether a die of this game is to be rolled at the table: the option is on, and it was not left to the server."""
    die = state.entered.get((label, index))
    return state.dice_by_hand() and (die is None or die.awaited)
