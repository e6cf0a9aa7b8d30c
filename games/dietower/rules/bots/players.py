"""The policy `sensible`: a player's bot that tries what its characters are good at, and lets nobody wait."""

from datetime import timedelta
from uuid import UUID

from games.dietower.rules.actors.commands import RollChart, SaveSheet
from games.dietower.rules.bots.fights import answer_trigger, choose_defence, holds_action, release_late, take_turn
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
from games.dietower.rules.bots.seen import able, free_name, fresh, has_turn, pause, soon, subject_of, tried, upright
from games.dietower.rules.bots.wishes import answer_window, take_back_wish, wish_for_story
from games.dietower.rules.checks.commands import BuyDie, RequestCheck
from games.dietower.rules.checks.rules import CLOSE_WHEN_EMPTY, STANDING_WINDOW
from games.dietower.rules.combat.commands import EndTurn
from games.dietower.rules.state.schema_types import (
    ActorKind,
    Asked,
    Means,
    MiracleKind,
    SheetField,
    Step,
    Uses,
)
from games.dietower.rules.state.state import State
from games.dietower.rules.table.commands import STANDING_DEFEND, SetStandingAnswer
from games.dietower.rules.tower.commands import ChooseMiracle, PlaceDie
from games.dietower.rules.tower.rules import revival_targets
from games.engine.dice import Tray
from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.engine.policies import RULE, Look, QuestionPolicy

ONE_IN_SHIELDS = 4
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
    mine = [a for a in upright(state, ActorKind.PC) if a.seat == seat]
    wish = wish_for_story(look, mine)
    if wish is not None or state.due_placements():
        return wish
    if not mine or tray.roll(f"{use}/try", 2, RULE) == 1:
        return None
    free = able(state, seat, RequestCheck, mine)
    return _attempt(look, tray.draw(f"{use}/who", free, RULE).id) if free else None


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


def draw_gap(state: State, seat: UUID) -> Command | None:
    """Draw what a sheet of the seat lacks from the world master's chart for it (DT-CHR-6); None where it has none."""
    for actor in state.characters_of(seat):
        sheet, mystery = state.sheets[actor.id], state.mysteries.get(actor.id)
        texts = {"mystery": mystery.text if mystery is not None else ""}
        for field in state.charts:
            if field is not SheetField.NAME and not (texts.get(field) or getattr(sheet, field, "")):
                return RollChart(actor=actor.id, field=field)
    return None


def word_in_advance(state: State, seat: UUID) -> Command | None:
    """Say in advance what is always answered alike (DT-WSH-7): no dice without Wishes, a shield against each blow."""
    said = {kind for owner, kind in state.standing if owner == seat}
    if STANDING_WINDOW not in said:
        return SetStandingAnswer(kind=STANDING_WINDOW, answer=CLOSE_WHEN_EMPTY)
    has_shield = any(state.sheets[actor.id].weapon_defensive for actor in state.characters_of(seat))
    if has_shield and STANDING_DEFEND not in said:
        return SetStandingAnswer(kind=STANDING_DEFEND, answer=Uses.WEAPON)
    return None


def _act_freely(look: Look[State]) -> Command | None:
    """Sheets and words in advance at first; then something of its own while nobody has a turn."""
    state, seat = look.state, look.seat
    match state.course.step:
        case Step.SETUP:
            sheet = sheet_command(state, seat, look.tray, look.use)
            return sheet or draw_gap(state, seat) or word_in_advance(state, seat)
        case Step.FREE:
            return take_back_wish(state, seat) or word_in_advance(state, seat) or _own_idea(look)
        case Step.TURN:
            return take_back_wish(state, seat) or release_late(state, seat)
    return None


def again_in(look: Look[State], prompt: Prompt | None, command: Command | None) -> timedelta | None:
    """Soon where more is asked, sheets are written, the turn is its own, or an action is held; else at its ease."""
    state, wait = look.state, pause(look.state)
    is_more = prompt is not None and (len(look.asked) > 1 or isinstance(command, BuyDie))
    if isinstance(command, EndTurn):
        return wait  # who is next is asked, and so woken
    its_turn = has_turn(state, look.seat)
    is_on = command is not None and (state.course.step is Step.SETUP or its_turn or holds_action(state, look.seat))
    if is_more or is_on:
        return state.thinking_time
    return min(wait, soon(state)) if its_turn else wait


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
