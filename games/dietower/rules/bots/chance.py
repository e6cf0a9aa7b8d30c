"""The policy `random`: a player's bot that does anything legal, with arguments that the dice choose."""

from typing import Any
from uuid import UUID

from games.dietower.rules.actors.commands import SaveSheet
from games.dietower.rules.bots.seen import RULE, entry_by_hand, free_name, pause
from games.dietower.rules.checks.commands import BuyDie, CloseRoll, RequestCheck, WithdrawCheck
from games.dietower.rules.combat.commands import (
    ChooseDefence,
    DeclareAttack,
    EndTurn,
    HoldAction,
    KeepHold,
    MoveActor,
    ReleaseHold,
)
from games.dietower.rules.state.schema_types import Asked, Step
from games.dietower.rules.state.state import State
from games.dietower.rules.table.commands import SetStandingAnswer
from games.dietower.rules.tower.commands import ChooseMiracle, PlaceDie
from games.dietower.rules.wishes.commands import AskWish, WithdrawWish
from games.engine.bots import Thought, questions_of
from games.engine.dice import Tray
from games.engine.insight.domains import Choices, Domain, Fields, Flag, ListOf, OneOf, Range
from games.engine.insight.legal_commands import LegalCommand, legal_commands_for
from games.engine.kernel import Actor as CommandActor
from games.engine.kernel import Command, Issuer

ANSWERS = (
    BuyDie, CloseRoll, PlaceDie, ChooseMiracle, MoveActor, DeclareAttack, HoldAction, RequestCheck, EndTurn,
    ChooseDefence, ReleaseHold, KeepHold,
)  # fmt: skip
UNASKED = (RequestCheck, WithdrawCheck, AskWish, WithdrawWish, SetStandingAnswer)
KINDS: dict[str, type[Command]] = {kind.slug(): kind for kind in (SaveSheet, *ANSWERS, *UNASKED)}
ONE_IN = 2
WORDS = "whatever comes"


def play(state: State, seat: UUID, tray: Tray) -> Thought:
    """Answer what is asked by anything legal, and do something legal unasked now and then."""
    use = f"bot/{seat}/{state.info.timers_set}"
    if state.course.step is Step.SETUP:
        lacking = len(state.characters_of(seat)) < state.course.characters
        return Thought(_chosen(state, seat, (SaveSheet,), tray, use) if lacking else None, pause(state))
    for prompt in questions_of(state, seat, last=Asked.TURN):
        by_hand = entry_by_hand(prompt, tray, use)
        kinds = tuple(kind for kind in ANSWERS if kind.slug() in prompt.answered_by)
        command = by_hand or _chosen(state, seat, kinds, tray, f"{use}/{prompt.id}")
        if command is not None:
            return Thought(command, pause(state))
    free = state.course.step is Step.FREE and tray.roll(f"{use}/unasked", ONE_IN, RULE) == 1
    return Thought(_chosen(state, seat, UNASKED, tray, use) if free else None, pause(state))


def _chosen(state: State, seat: UUID, kinds: tuple[type[Command], ...], tray: Tray, use: str) -> Command | None:
    """One of the legal commands of these kinds; None where there is none."""
    found = legal_commands_for(state, kinds, CommandActor(Issuer.SEAT, seat=seat))
    fit = [each for each in found if each.legal and not each.quits and not each.partial]
    if kinds == (SaveSheet,):
        fit = [each for each in fit if "actor" not in each.arguments]
    if not fit:
        return None
    name = tray.draw(f"{use}/name", sorted({each.command for each in fit}), RULE)
    chosen = tray.draw(f"{use}/offer", [each for each in fit if each.command == name], RULE)
    return KINDS[name].model_validate(_body(state, seat, chosen, tray, use))


def _body(state: State, seat: UUID, legal: LegalCommand, tray: Tray, use: str) -> dict[str, Any]:
    body = {path: _value(tray, f"{use}/{path}", domain) for path, domain in legal.arguments.items()}
    if "name" in body:
        body["name"] = free_name(state, state.seats[seat].name)
    return body


def _value(tray: Tray, use: str, domain: Domain) -> Any:
    """A value of a domain, of lists with one item."""
    match domain:
        case Choices(values):
            return tray.draw(use, values, RULE)
        case Range(int(low), int(high)):
            return tray.draw(use, range(low, high + 1), RULE)
        case Flag():
            return tray.roll(use, 2, RULE) == 1
        case ListOf(of):
            return (_value(tray, use, of),)
        case Fields(fields):
            return {name: _value(tray, f"{use}.{name}", each) for name, each in fields.items()}
        case OneOf(domains):
            return _value(tray, f"{use}/of", tray.draw(f"{use}/which", domains, RULE))
    return WORDS
