"""Dice of a real table: where a game's option says so, people enter what was rolled; silence leaves it to the server.

A decision that needs such dice is set aside whole. Their label binds them to their use, so the same decision finds
their values when it is taken up again: after the entry, or at the deadline with the server's dice (CF-2, G2-DICE-2).
The dice of a pool are asked for together. The state says who is asked, and how long.
Long for one reason: the whole way of such dice stands here.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.audience import GM, GM_READER, SERVER, Audience
from games.engine.dice import MAX_HAND_DICE
from games.engine.errors import DieOwed, Refused
from games.engine.game_state import EnteredDie, GameState, Prompt, Timer
from games.engine.insight.domains import Choices, ListOf, Range
from games.engine.insight.legal_commands import LegalCommand, TableCommand
from games.engine.kernel import Actor, Command, Context, Event, Issuer, follow
from games.engine.model import IN_ORDER, Model
from games.engine.prompts.prompt import (
    Rule,
    answer,
    ask,
    close,
    expire_prompt,
    innermost,
    is_owner,
    open_prompt,
    owners_and_gm,
    timer_key,
)
from games.engine.timer import TimerFired, TimerSet, WindowSet

KIND = "DICE"
Shown = Annotated[int, Field(ge=1, le=1_000_000)]


class AwaitedDice(Model):
    """The dice that a question asks for: `count` of `faces` sides, under one label from `index` on."""

    label: str
    index: int
    faces: int
    count: int = 1


class DecisionHeld(Event[GameState]):
    """A decision waits for dice from the real table."""

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
    count: int = 1
    """How many dice it waits for, from `index` on."""
    apart: bool = False
    """Whether it stands with its first die and not in the question, which others than the GMs may read."""

    def audience(self, state: GameState) -> Audience:
        return SERVER

    def apply(self, state: GameState) -> None:
        for index in range(self.index, self.index + self.count):
            held = self.model_dump_json() if self.apart and index == self.index else ""
            state.entered[self.label, index] = EnteredDie(self.label, index, None, awaited=True, held=held)

    def dice(self) -> AwaitedDice:
        """The dice it waits for."""
        return AwaitedDice(label=self.label, index=self.index, faces=self.faces, count=self.count)


class DieEntered(Event[GameState]):
    """A die was rolled by hand."""

    prompt: UUID
    value: int

    def audience(self, state: GameState) -> Audience:
        return state.prompts[self.prompt].audience


class DiceEntered(Event[GameState]):
    """The dice of a question were rolled by hand."""

    prompt: UUID
    values: tuple[int, ...]
    """In the order in which they were rolled."""

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


class EnterDie(TableCommand):
    """Enter a die that was rolled at a real table; of several it is the first, and the others are asked for anew."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})

    prompt: UUID
    """The question for the die."""
    value: int = Field(ge=1, le=1_000_000)
    """What it shows, from 1 to its sides."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        yield from resume_decision(state, ctx, self)

    def settle(self, state: GameState, ctx: Context, held: DecisionHeld) -> Iterator[Event]:
        """The question is answered and the die has its value; what waits for it is not decided yet."""
        if self.value > held.faces:
            raise Refused("die.range", f"This die shows 1 to {held.faces}.", low=1, high=held.faces)
        yield from answer(state, ctx, self.prompt, str(self.value))
        yield DieEntered(prompt=self.prompt, value=self.value)
        yield from close(state, self.prompt, str(self.value))
        yield from settle_dice(state, held, [self.value])

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        for prompt, dice in _dice_questions(state, actor):
            shown = Range(low=1, high=dice.faces)
            yield LegalCommand(cls.slug(), {"prompt": Choices((prompt.id,)), "value": shown})


class EnterDice(TableCommand):
    """Enter all dice of a question as they were rolled at a real table."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.SEAT, Issuer.GM})

    prompt: UUID
    """The question for the dice."""
    values: tuple[Shown, ...] = Field(min_length=1, max_length=MAX_HAND_DICE, json_schema_extra=IN_ORDER)
    """What they show, each from 1 to its sides, as many as are asked for, in the order in which they were rolled."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        yield from resume_decision(state, ctx, self)

    def settle(self, state: GameState, ctx: Context, held: DecisionHeld) -> Iterator[Event]:
        """The question is answered and the dice have their values; what waits for them is not decided yet."""
        if len(self.values) != held.count:
            raise Refused(
                "dice.count",
                f"The question is for {held.count}d{held.faces}; enter {held.count}, not {len(self.values)}.",
                need=held.count,
                given=len(self.values),
            )
        if max(self.values) > held.faces:
            raise Refused("die.range", f"Each of these dice shows 1 to {held.faces}.", low=1, high=held.faces)
        shown = json.dumps(self.values)
        yield from answer(state, ctx, self.prompt, shown)
        yield DiceEntered(prompt=self.prompt, values=self.values)
        yield from close(state, self.prompt, shown)
        yield from settle_dice(state, held, self.values)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        for prompt, dice in _dice_questions(state, actor):
            shown = ListOf(Range(low=1, high=dice.faces), low=dice.count, high=dice.count, unique=False)
            yield LegalCommand(cls.slug(), {"prompt": Choices((prompt.id,)), "values": shown})


class RollForHand(Command[GameState]):
    """Nobody entered the dice in time: the server rolls them."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})

    prompt: UUID

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        yield from resume_decision(state, ctx, self)

    def settle(self, state: GameState, ctx: Context, held: DecisionHeld) -> Iterator[Event]:
        """The question is closed and its dice are left to the server; what waits for them is not decided yet."""
        yield from expire_prompt(state, self.prompt)
        yield from settle_dice(state, held, [None] * held.count)


Entry = EnterDie | EnterDice | RollForHand


def put_off(state: GameState, ctx: Context, timer: Timer, owed: DieOwed) -> Iterator[Event]:
    """What a timer does when its command needs dice: it is set aside, and asks for them.

    Where a decision before it waits for the same die, the timer waits for that one's question instead: it comes due
    right after it, and finds the die settled.
    """
    command = ctx.command(timer.does, timer.arguments)
    asked = _question_for(state, owed)
    if asked is None:
        yield TimerFired(key=timer.key, generation=timer.generation)
        yield from hold(state, ctx, command, owed)
        return
    waiting = state.timers[timer_key(asked.id)]
    setting = TimerSet if timer.early else WindowSet
    yield setting.of(timer.key, waiting.due or ctx.now, command, shown=timer.shown, subject=timer.subject)


def _question_for(state: GameState, owed: DieOwed) -> Prompt | None:
    """The open question for a die, if somebody is asked for it already."""
    die = state.entered.get((owed.label, owed.index))
    if die is None or not die.awaited:
        return None
    return next((p for p in state.prompts.values() if p.kind == KIND and _is_for(dice_of_question(p), owed)), None)


def _is_for(dice: AwaitedDice, owed: DieOwed) -> bool:
    return dice.label == owed.label and dice.index <= owed.index < dice.index + dice.count


def hold(state: GameState, ctx: Context, command: Command, owed: DieOwed) -> Iterator[Event]:
    """Set a decision aside and ask for the dice it needs.

    A decision that was taken up again and needs further dice is set aside anew; the dice before stay settled. Raises
    `prompt.open` for a new decision that needs a die for which somebody is asked already.
    """
    if not isinstance(command, Entry) and _question_for(state, owed) is not None:
        raise Refused("prompt.open", "The dice for this are being rolled at the table; enter them first, or wait.")
    while isinstance(command, Entry):
        held = held_decision(state, open_prompt(state, command.prompt))
        yield from command.settle(state, ctx, held)
        ctx, command = take_up(ctx, held)
    owners = state.hand_dice_owners(owed.roller or ctx.actor.acting_seat)
    readers = owners_and_gm(owners)
    prompt, apart = ctx.mint(readers), readers != GM
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
        count=owed.count,
        apart=apart,
    )
    yield held
    several = owed.count > 1
    what, show = (f"{owed.count}d{owed.sides}", "they show") if several else (f"a d{owed.sides}", "it shows")
    for_gms = (EnterDice, EnterDie) if several else (EnterDie,)
    yield from ask(
        state,
        ctx,
        KIND,
        f"Roll {what} at the table for {owed.rule or owed.label} and enter what {show}.",
        owners=owners,
        readers=readers,
        lane=f"dice:{prompt}",
        rule=Rule.FIRST,
        answered_by=for_gms if set(owners) == {GM_READER} else (EnterDice,),
        prompt=prompt,
        choices=(held.dice().model_dump_json() if apart else held.model_dump_json(),),
        due=ctx.now + timedelta(seconds=state.hand_dice_seconds()),
        default=RollForHand(prompt=prompt),
        silence="The server rolls them." if several else "The server rolls it.",
    )


def _dice_questions(state: GameState, actor: Actor) -> Iterator[tuple[Prompt, AwaitedDice]]:
    """The open questions for dice that an actor may answer. Raises `prompt.closed` where there is none."""
    asked = [p for p in state.prompts.values() if p.kind == KIND and innermost(state, p) and is_owner(p, actor)]
    if not asked:
        raise Refused("prompt.closed", "No question that you may answer asks for a die.")
    for prompt in sorted(asked, key=lambda p: p.id):
        yield prompt, dice_of_question(prompt)


def dice_of_question(prompt: Prompt) -> AwaitedDice:
    """The dice that a DICE prompt asks for. Raises `prompt.closed` for another kind of prompt."""
    values = _choice(prompt)
    return AwaitedDice(**{name: values[name] for name in AwaitedDice.model_fields if name in values})


def held_decision(state: GameState, prompt: Prompt) -> DecisionHeld:
    """The decision that waits for the dice of a DICE prompt. Raises `prompt.closed` for another kind of prompt."""
    if "does" in _choice(prompt):
        return DecisionHeld.model_validate_json(prompt.choices[0])
    wanted = dice_of_question(prompt)
    return DecisionHeld.model_validate_json(state.entered[wanted.label, wanted.index].held)


def _choice(prompt: Prompt) -> Mapping[str, object]:
    if prompt.kind != KIND or len(prompt.choices) != 1:
        raise Refused("prompt.closed", "This question does not ask for a die.")
    values: Mapping[str, object] = json.loads(prompt.choices[0])
    return values


def settle_dice(state: GameState, held: DecisionHeld, values: Sequence[int | None]) -> Iterator[Event]:
    """Give awaited dice their values, the first one first, under the label that they have since the last rewind."""
    label = f"{state.info.rewinds}/{held.label.partition('/')[2]}"
    for index, value in enumerate(values, start=held.index):
        yield DieSettled(label=label, index=index, value=value)


def take_up(ctx: Context, held: DecisionHeld) -> tuple[Context, Command]:
    """A decision that was set aside, and the context of the one who made it."""
    actor = Actor(held.role, held.user, held.seat, held.on_behalf_of)
    return replace(ctx, actor=actor), ctx.command(held.does, held.with_)


def resume_decision(state: GameState, ctx: Context, entry: Entry) -> Iterator[Event]:
    """Settle the dice of a question, and take up the decision that waits for them, as the one who made it."""
    held = held_decision(state, open_prompt(state, entry.prompt))
    yield from entry.settle(state, ctx, held)
    own, command = take_up(ctx, held)
    yield from follow(state, command, own)


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
