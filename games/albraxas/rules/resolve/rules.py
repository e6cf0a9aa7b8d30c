"""RESOLVE: juncture by juncture, everybody at once on a snapshot (AX-TRN-7 to 9, AX-ACT-*, AX-CLN-*).

The results of a juncture are collected in a `Round` and applied together at its end, net for each phase (AX-AMB-5, 20).
Dice are read rebels first in seat order, Albraxas last: the actor's, then the opposing ones, a fray's right after
(AX-TRN-8); their labels name turn, juncture and seat, so no die depends on what others ordered.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar
from uuid import UUID

from games.albraxas.rules.ending.rules import end_by_fall
from games.albraxas.rules.orders.rules import convalesce_price
from games.albraxas.rules.resolve.actions import dice, effect, price
from games.albraxas.rules.resolve.events import (
    BackboneChanged,
    CharacterFell,
    Convalesced,
    DynamismChanged,
    ValuesChanged,
)
from games.albraxas.rules.resolve.pools import Outcome, outcome_of_roll
from games.albraxas.rules.resolve.strength import Marks
from games.albraxas.rules.state.records import Character, Written
from games.albraxas.rules.state.schema_types import Action, Mode, Result, Side, Step, Strength
from games.albraxas.rules.state.state import State
from games.engine.kernel import Context, Event
from games.engine.wording import phrase, quantity

RULE = {
    Action.RECOVER: "AX-ACT-1",
    Action.BATTLE: "AX-ACT-2",
    Action.BACKBONE: "AX-ACT-3",
    Action.BLITZ: "AX-ACT-4",
    Action.HOLE_UP: "AX-ACT-6",
}
ENDED = {Result.WIN: "won", Result.LOSE: "lost", Result.TIE: "a tie"}


class JunctureStarted(Event[State]):
    """A juncture begins; these are the values that it is fought on."""

    rules: ClassVar[tuple[str, ...]] = ("AX-TRN-7",)

    juncture: int
    strengths: tuple[Strength, ...]

    def sentence(self, state: State) -> str:
        dice = (quantity(s.effective, "die", "dice") for s in self.strengths)
        names = (f"{state.characters[s.seat].name} in phase {s.phase} against " for s in self.strengths)
        return f"Juncture {self.juncture}: {', '.join(map(str.__add__, names, dice)) or 'nobody acts'}."


class ActionResolved(Event[State]):
    """What a character did in a juncture, and how the dice fell; it counts at the juncture's end."""

    seat: UUID
    juncture: int
    phase: int
    clones: int
    action: Action
    price: int
    dice: tuple[int, ...] = ()
    opposing: tuple[int, ...] = ()
    spent: int = 0
    """Dynamism for knocked-out pairs."""
    result: Result
    successes: int = 0
    """Of the side that won."""

    def cites(self) -> tuple[str, ...]:
        rolled = () if self.result is Result.NONE else ("AX-DIE-2",)
        broken = ("AX-DIE-3", "AX-DIE-5") if self.spent else ()
        return RULE[self.action], *rolled, *broken, *(("AX-CLN-2", "AX-CLN-3") if rolled and self.clones else ())

    def sentence(self, state: State) -> str:
        name, deed = state.characters[self.seat].name, phrase(self.action)
        if self.result is Result.NONE:
            return f"{name} in phase {self.phase}: {deed}."
        own, other = (" ".join(map(str, pool)) for pool in (self.dice, self.opposing))
        broken = f", {self.spent} Dynamism for tied pairs" if self.spent else ""
        how = f" with {quantity(self.successes, 'success', 'successes')}" if self.successes else ""
        return (
            f"{name} in phase {self.phase}: {deed} for {self.price} Dynamism, "
            f"{own} against {other}{broken}: {ENDED[self.result]}{how}."
        )


class OrderFizzled(Event[State]):
    """A character cannot pay their order and holes up, at no cost (AX-ACT-8); juncture 0 is a Convalesce."""

    rules: ClassVar[tuple[str, ...]] = ("AX-ACT-8",)

    seat: UUID
    juncture: int
    price: int

    def apply(self, state: State) -> None:
        del state.written[self.seat, self.juncture]

    def sentence(self, state: State) -> str:
        return f"{state.characters[self.seat].name} cannot pay {self.price} Dynamism and holes up."


class FrayForced(Event[State]):
    """A lost Recover draws the character into a free Battle."""

    rules: ClassVar[tuple[str, ...]] = ("AX-ACT-10",)

    seat: UUID
    juncture: int

    def sentence(self, state: State) -> str:
        return f"{state.characters[self.seat].name} is drawn into the fray."


class PhaseLost(Event[State]):
    """A tied Recover: all later junctures of this phase are lost."""

    rules: ClassVar[tuple[str, ...]] = ("AX-ACT-1",)

    seat: UUID
    juncture: int

    def apply(self, state: State) -> None:
        for seat, juncture in list(state.written):
            if seat == self.seat and juncture > self.juncture:
                del state.written[seat, juncture]

    def sentence(self, state: State) -> str:
        return f"{state.characters[self.seat].name} loses the rest of the phase."


@dataclass(slots=True)
class Round:
    """What the junctures' actions add up to, before it is applied."""

    juncture: int
    marks: Marks
    tide: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    ebb: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    backbone: dict[UUID, int] = field(default_factory=dict)
    """Backbone after the juncture, of those who lose some."""
    dynamism: dict[UUID, int] = field(default_factory=dict)
    """Dynamism after the juncture, of those who act."""


def resolve_phase(state: State, ctx: Context) -> Iterator[Event]:
    """The whole phase of everybody; it may end the game. The step RESOLVE has begun."""
    yield from _convalescing(state)
    last = max((w.juncture for w in state.written.values()), default=0)
    for juncture in range(1, last + 1):
        yield from _juncture(state, ctx, juncture)
        if state.storm.step is not Step.RESOLVE:
            return
    for character in state.in_play():
        if (character.id, 0) in state.written:
            amount = 1 + character.clones
            yield Convalesced(
                seat=character.id,
                backbone=min(character.start_backbone, character.backbone + amount),
                dynamism=character.most_dynamism,
            )


def _convalescing(state: State) -> Iterator[Event]:
    """Who sits the phase out pays for it; who cannot holes up (AX-ACT-5, AX-ACT-11)."""
    for character in state.in_play():
        if (character.id, 0) not in state.written:
            continue
        cost, before = convalesce_price(character), character.dynamism
        if cost > before:
            yield OrderFizzled(seat=character.id, juncture=0, price=cost)
        elif cost:
            yield DynamismChanged(seat=character.id, before=before, after=before - cost, reason="convalesce")


def _juncture(state: State, ctx: Context, juncture: int) -> Iterator[Event]:
    """One juncture of everybody who has an order for it."""
    acting = [c for c in state.in_play() if (c.id, juncture) in state.written]
    now = Round(juncture, state.marks())
    yield JunctureStarted(
        juncture=juncture,
        strengths=tuple(
            Strength(seat=c.id, phase=c.phase, effective=now.marks.against(c.side, c.phase)) for c in acting
        ),
    )
    for character in acting:
        yield from _act(state, ctx, now, character, state.written[character.id, juncture])
    yield from _apply_juncture(state, now)


def _act(state: State, ctx: Context, now: Round, character: Character, order: Written) -> Iterator[Event]:
    """One character's order: price, dice, and what it will change."""
    cost = price(order.action, character.clones, order.dice)
    if cost > character.dynamism:
        yield OrderFizzled(seat=character.id, juncture=now.juncture, price=cost)
        return
    if order.action is Action.HOLE_UP:
        yield ActionResolved(
            seat=character.id,
            juncture=now.juncture,
            phase=character.phase,
            clones=character.clones,
            action=order.action,
            price=0,
            result=Result.NONE,
        )
        return
    left = character.dynamism - cost
    event, left = _roll_action(state, ctx, now, character, order, order.action, cost, left)
    yield event
    changed = effect(order.action, _outcome(event), character.clones, character.backbone)
    if changed.fray:
        yield FrayForced(seat=character.id, juncture=now.juncture)
        event, left = _roll_action(state, ctx, now, character, order, Action.BATTLE, 0, left)
        yield event
        changed = effect(Action.BATTLE, _outcome(event), character.clones, character.backbone)
    if changed.lost:
        yield PhaseLost(seat=character.id, juncture=now.juncture)
    own, enemy = (now.ebb, now.tide) if character.side is Side.REBEL else (now.tide, now.ebb)
    own[character.phase] += changed.own
    enemy[character.phase] += changed.enemy
    now.dynamism[character.id] = min(character.most_dynamism, left + changed.dynamism)
    if changed.backbone:
        now.backbone[character.id] = max(0, character.backbone + changed.backbone)


def _roll_action(
    state: State, ctx: Context, now: Round, character: Character, order: Written, action: Action, cost: int, left: int
) -> tuple[ActionResolved, int]:
    """A roll as an event that carries its dice, and the Dynamism left after knock-outs."""
    fray = "fray/" if action is not order.action else ""
    use = f"turn:{state.storm.turn}/juncture:{now.juncture}/{character.id}/{fray}"
    own = dice(action, character.backbone, character.battle, character.blitz, order.dice)
    against = now.marks.against(character.side, character.phase)
    mine = ctx.tray.pool(f"{use}own", own, state.storm.sides, RULE[action])
    theirs = ctx.tray.pool(f"{use}opposing", against, state.storm.sides, RULE[action])
    ended = outcome_of_roll(mine, theirs, most=order.tie_max, mode=Mode(order.tie_mode), dynamism=left)
    event = ActionResolved(
        seat=character.id,
        juncture=now.juncture,
        phase=character.phase,
        clones=character.clones,
        action=action,
        price=cost,
        dice=tuple(mine),
        opposing=tuple(theirs),
        spent=ended.spent,
        result=ended.result,
        successes=ended.successes,
    )
    return event, left - ended.spent


def _outcome(event: ActionResolved) -> Outcome:
    return Outcome(event.result, event.successes, event.spent)


def _apply_juncture(state: State, now: Round) -> Iterator[Event]:
    """The end of a juncture: phases, Backbone, Dynamism, who falls, and whether that ends the game."""
    for number in sorted({*now.tide, *now.ebb}):
        phase = state.phases[number]
        tide = max(0, phase.tide + now.tide[number])
        ebb = max(0, phase.ebb + now.ebb[number])
        if (tide, ebb) != (phase.tide, phase.ebb):
            yield ValuesChanged(phase=number, tide=tide, ebb=ebb)
    for seat, backbone in now.backbone.items():
        yield BackboneChanged(seat=seat, before=state.characters[seat].backbone, after=backbone, reason="juncture")
    for seat, dynamism in now.dynamism.items():
        before = state.characters[seat].dynamism
        if before != dynamism:
            yield DynamismChanged(seat=seat, before=before, after=dynamism, reason="juncture")
    fell = [seat for seat, backbone in now.backbone.items() if backbone == 0]
    for seat in fell:
        yield CharacterFell(seat=seat)
    yield from end_by_fall(state, somebody_fell=bool(fell))
