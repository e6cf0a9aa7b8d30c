"""The policy `sensible`: a player's bot that tries what its characters are good at, and lets nobody wait."""

from datetime import timedelta
from uuid import UUID

from games.dietower.rules.actors.commands import SaveSheet
from games.dietower.rules.bots.fights import answer_trigger, choose_defence, take_turn
from games.dietower.rules.bots.lists import (
    DEEDS,
    DEVIATIONS,
    DRAWBACKS,
    MYSTERIES,
    POWER_DEEDS,
    POWERS,
    SHIELDS,
    WEAPON_DEEDS,
    WEAPONS,
)
from games.dietower.rules.bots.seen import free_name, fresh, has_turn, pause, soon, subject_of, tried, upright
from games.dietower.rules.bots.wishes import answer_window, wish_for_story
from games.dietower.rules.checks.commands import BuyDie, RequestCheck
from games.dietower.rules.state.constants import PRICES
from games.dietower.rules.state.schema_types import (
    ActorKind,
    Asked,
    Means,
    MiracleKind,
    Step,
)
from games.dietower.rules.state.state import State
from games.dietower.rules.tower.commands import ChooseMiracle, PlaceDie
from games.dietower.rules.tower.rules import revival_targets
from games.dietower.rules.wishes.commands import AskWish
from games.engine.dice import Tray
from games.engine.game_state import Prompt
from games.engine.insight.legal_commands import LegalCommand, legal_commands_for
from games.engine.kernel import Actor as CommandActor
from games.engine.kernel import Command, Issuer
from games.engine.policies import RULE, Look, QuestionPolicy

ONE_IN_WISHES, ONE_IN_SHIELDS = 4, 4
SIDES_OF_MEANS, BY_POWER, BY_WEAPON = 6, 1, 2
"""The faces of a d6 by which a check is done with the power, and with the weapon; else with what one is good at."""


def sheet_command(state: State, seat: UUID, tray: Tray, use: str) -> Command | None:
    """The sheet of the next character that the seat may have; None where it has all."""
    if len(state.characters_of(seat)) >= state.course.characters:
        return None
    defensive = tray.roll(f"{use}/shield", ONE_IN_SHIELDS, RULE) == 1
    power = tray.roll(f"{use}/power", len(POWERS), RULE) - 1
    return SaveSheet(
        name=free_name(state, state.seats[seat].name),
        weapon=tray.draw(f"{use}/weapon", SHIELDS if defensive else WEAPONS, RULE),
        weapon_defensive=defensive,
        power=POWERS[power],
        power_drawback=DRAWBACKS[power],
        deviation=tray.draw(f"{use}/deviation", DEVIATIONS, RULE),
        mystery=tray.draw(f"{use}/mystery", MYSTERIES, RULE),
        secret_mystery=tray.roll(f"{use}/secret", 2, RULE) == 1,
        good_at=tuple(tray.shuffle(f"{use}/traits", tuple(DEEDS), RULE)[:2]),
    )


def miracle(look: Look[State], prompt: Prompt) -> Command:
    """Who has fallen is up again; else the placer's character rolls a die more."""
    asked, fallen = look.state.miracles[subject_of(prompt)], revival_targets(look.state)
    if fallen:
        return ChooseMiracle(miracle=asked.id, kind=MiracleKind.REVIVE, target=fallen[0].id)
    return ChooseMiracle(miracle=asked.id, kind=MiracleKind.EXTRA_DIE, target=asked.actor)


def _own_idea(look: Look[State]) -> Command | None:
    """Try something that a character is good at, once no die waits for the tower; now and then a Wish for the story."""
    state, seat, tray, use = look.state, look.seat, look.tray, look.use
    asker = CommandActor(Issuer.SEAT, seat=seat)
    mine = [a for a in upright(state, ActorKind.PC) if a.seat == seat]
    rich = [a for a in mine if state.free_wishes(a.id) >= min(PRICES.values())]
    if rich and tray.roll(f"{use}/wish", ONE_IN_WISHES, RULE) == 1:
        asked = [legal for legal in legal_commands_for(state, (AskWish,), asker) if legal.legal]
        if _may(asked, rich[0].id):
            return wish_for_story(look, rich[0].id)
    if state.due_placements():
        return None
    able = [legal for legal in legal_commands_for(state, (RequestCheck,), asker) if legal.legal]
    free = [a for a in mine if _may(able, a.id)]
    if not free or tray.roll(f"{use}/try", 2, RULE) == 1:
        return None
    return _attempt(look, tray.draw(f"{use}/who", free, RULE).id)


def _attempt(look: Look[State], actor: UUID) -> Command:
    """Something that nobody has tried yet: with what they are good at, now and then with the power or the weapon."""
    state, tray, use = look.state, look.tray, look.use
    sheet = state.sheets[actor]
    luck = tray.roll(f"{use}/means", SIDES_OF_MEANS, RULE)
    trait = tray.draw(f"{use}/trait", sheet.good_at or tuple(DEEDS), RULE)
    deeds, means = DEEDS.get(trait, POWER_DEEDS), Means.TRAIT
    if luck == BY_POWER and sheet.power:
        deeds, means, trait = POWER_DEEDS, Means.POWER, ""
    elif luck == BY_WEAPON and sheet.weapon:
        deeds, means, trait = WEAPON_DEEDS, Means.WEAPON, ""
    intent = tray.draw(f"{use}/intent", fresh(deeds, tried(state)), RULE)
    return RequestCheck(actor=actor, intent=intent, trait=trait, uses=means)


def _may(legal: list[LegalCommand], actor: UUID) -> bool:
    return any(actor in each.choices("actor") for each in legal)


def _act_freely(look: Look[State]) -> Command | None:
    match look.state.course.step:
        case Step.SETUP:
            return sheet_command(look.state, look.seat, look.tray, look.use)
        case Step.FREE:
            return _own_idea(look)
    return None


def again_in(look: Look[State], prompt: Prompt | None, command: Command | None) -> timedelta | None:
    """Soon where more is asked, sheets are written, or the turn is its own; else at its ease."""
    state, wait = look.state, pause(look.state)
    is_more = prompt is not None and (len(look.asked) > 1 or isinstance(command, BuyDie))
    if is_more or (command is not None and state.course.step in (Step.SETUP, Step.TURN)):
        return state.thinking_time
    return min(wait, soon(state)) if has_turn(state, look.seat) else wait


sensible: QuestionPolicy[State] = QuestionPolicy(
    answers={
        Asked.CHECK_WISH: answer_window,
        Asked.ATTACK_WISH: answer_window,
        Asked.PLACE: lambda look, prompt: PlaceDie(placement=subject_of(prompt)),
        Asked.MIRACLE: miracle,
        Asked.TURN: take_turn,
        Asked.ATTACK_DEFEND: choose_defence,
        Asked.HELD: answer_trigger,
    },
    unasked=_act_freely,
    again_in=again_in,
)
