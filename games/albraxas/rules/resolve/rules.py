"""RESOLVE: juncture by juncture, everybody at once on a snapshot (AX-TRN-7 to 9, AX-ACT-*, AX-CLN-*).

The results of a juncture are collected in a `Round` and applied together at its end, net for each phase (AX-AMB-5, 20).
Dice are read rebels first in seat order, Albraxas last: the actor's, then the opposing ones, a fray's right after
(AX-TRN-8); their labels name turn, juncture and seat, so no die depends on what others ordered.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

from games.albraxas.rules.ending.rules import end_by_fall
from games.albraxas.rules.resolve.actions import convalesce_price, dice, effect, price
from games.albraxas.rules.resolve.events import (
    RULE,
    ActionResolved,
    BackboneChanged,
    CharacterFell,
    Convalesced,
    DynamismChanged,
    FrayForced,
    JunctureStarted,
    OrderFizzled,
    PhaseLost,
    ValuesChanged,
)
from games.albraxas.rules.resolve.pools import Outcome, outcome_of_roll
from games.albraxas.rules.state.records import Character, Written
from games.albraxas.rules.state.schema_types import Action, Mode, Result, Side, Step, Strength
from games.albraxas.rules.state.state import State
from games.albraxas.rules.state.strength import Marks
from games.engine.kernel import Context, Event


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
