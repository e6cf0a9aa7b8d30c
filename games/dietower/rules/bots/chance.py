"""The policy `random`: a player's bot that does anything legal, with arguments that the dice choose."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from games.dietower.rules.actors.commands import RollChart, SaveSheet
from games.dietower.rules.bots.lists import CHARTS, DEEDS, TRIGGERS, WISHES
from games.dietower.rules.bots.players import again_in
from games.dietower.rules.bots.seen import free_name
from games.dietower.rules.checks.commands import RequestCheck, WithdrawCheck
from games.dietower.rules.course import QUESTIONS
from games.dietower.rules.state.schema_types import SheetField, Step
from games.dietower.rules.state.state import State
from games.dietower.rules.table.commands import SetStandingAnswer
from games.dietower.rules.wishes.commands import AskWish, WithdrawWish
from games.engine.dice import Tray
from games.engine.game_state import Prompt, Role
from games.engine.insight.domains import Choices, Domain, Fields, Flag, ListOf, OneOf, Range
from games.engine.insight.legal_commands import LegalCommand, legal_commands_for
from games.engine.kernel import Actor as CommandActor
from games.engine.kernel import Command, Issuer
from games.engine.policies import RULE, Look, QuestionPolicy

UNASKED = (RequestCheck, WithdrawCheck, AskWish, WithdrawWish, SetStandingAnswer)
ONE_IN = 2
WORDS: Mapping[str, Sequence[str]] = {
    **{field.value: lines for field, lines in CHARTS.items()},
    "good_at": tuple(DEEDS),
    "trait": tuple(DEEDS),
    "intent": tuple(deed for deeds in DEEDS.values() for deed in deeds),
    "text": tuple(text for texts in WISHES.values() for text in texts),
    "trigger": TRIGGERS,
}
"""What it writes into a field."""
OTHER_WORDS = ("Whatever comes.",)


def _answer(look: Look[State], prompt: Prompt) -> Command | None:
    """Anything legal of what answers a question."""
    kinds = QUESTIONS[prompt.kind].answered_by
    return _chosen(look.state, look.seat, kinds, look.tray, look.use_for(prompt))


def _act_freely(look: Look[State]) -> Command | None:
    """Sheets with notes from a chart at first; something legal now and then while nobody has a turn."""
    state, seat = look.state, look.seat
    if state.course.step is Step.SETUP:
        if len(state.characters_of(seat)) < state.course.characters:
            return _chosen(state, seat, (SaveSheet,), look.tray, look.use)
        blank = [actor.id for actor in state.characters_of(seat) if not state.sheets[actor.id].notes]
        can_draw = blank and SheetField.NOTES in state.charts
        return RollChart(actor=blank[0], field=SheetField.NOTES) if can_draw else None
    free = state.course.step is Step.FREE and look.tray.roll(f"{look.use}/unasked", ONE_IN, RULE) == 1
    return _chosen(state, seat, UNASKED, look.tray, look.use) if free else None


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
    kind = next(kind for kind in kinds if kind.slug() == name)
    return kind.model_validate(_body(state, seat, chosen, tray, use))


def _body(state: State, seat: UUID, legal: LegalCommand, tray: Tray, use: str) -> dict[str, Any]:
    body = {path: _value(tray, f"{use}/{path}", path, domain) for path, domain in legal.arguments.items()}
    if "name" in body:
        body["name"] = free_name(state, state.seats[seat].name)
    body.pop("notes", None)  # they are drawn from a chart
    return body


def _value(tray: Tray, use: str, name: str, domain: Domain) -> Any:
    """A value of a domain, of lists with one item. name: of the field that it is for."""
    match domain:
        case Choices(values):
            return tray.draw(use, values, RULE)
        case Range(int(low), int(high)):
            return tray.draw(use, range(low, high + 1), RULE)
        case Flag():
            return tray.roll(use, 2, RULE) == 1
        case ListOf(of):
            return (_value(tray, use, name, of),)
        case Fields(fields):
            return {each: _value(tray, f"{use}.{each}", each, of) for each, of in fields.items()}
        case OneOf(domains):
            return _value(tray, f"{use}/of", name, tray.draw(f"{use}/which", domains, RULE))
    return tray.draw(use, WORDS.get(name, OTHER_WORDS), RULE)


random: QuestionPolicy[State] = QuestionPolicy(
    answers=dict.fromkeys((row.kind for row in QUESTIONS.values() if Role.PLAYER in row.roles), _answer),
    unasked=_act_freely,
    again_in=again_in,
)
