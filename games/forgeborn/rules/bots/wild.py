"""The policy `wild`: any legal deed, but all dice at the Dragon whenever it stands before it (section 10)."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from games.engine.bots import Thought
from games.engine.dice import Tray
from games.engine.game_state import Prompt
from games.engine.insight.legal_commands import LegalCommand, legal_commands_for
from games.engine.kernel import Actor, Command, Issuer
from games.forgeborn.rules.boons.commands import Commune, GiveUpDie, TakeBoon
from games.forgeborn.rules.bots.common import (
    RULE,
    artifact_name,
    free_pool,
    heroine_name,
    pause,
    questions_of,
    whole_pool,
)
from games.forgeborn.rules.conflict.commands import (
    AssistVillage,
    BeseechPrince,
    ChooseGain,
    ChoosePool,
    ContestArtifact,
    ExploreRuins,
    FaceDragon,
    StepBack,
    TakeTest,
)
from games.forgeborn.rules.conflict.purchases import bought_by
from games.forgeborn.rules.conflict.recruiting_commands import RecruitHeroine
from games.forgeborn.rules.conflict.rules import default_pool
from games.forgeborn.rules.conflict.spending import default_purchase
from games.forgeborn.rules.forge.commands import BeginArtifact, DeclineHelp, ForgeArtifact, OfferHelp, SpendRoll
from games.forgeborn.rules.forge.rules import FORM_DICE, FUNCTION_DICE, FormChoice, FunctionChoice
from games.forgeborn.rules.setup.commands import DefineSmith
from games.forgeborn.rules.state.constants import MOST_FACES
from games.forgeborn.rules.state.dice import dice_of, larger
from games.forgeborn.rules.state.names import free_name
from games.forgeborn.rules.state.records import Character
from games.forgeborn.rules.state.schema_types import Asked, Deed, ListName, PlaceKind, Size
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.story.lists import LISTS
from games.forgeborn.rules.turns.commands import (
    EndTurn,
    GiveArtifact,
    Journey,
    TakeBackArtifact,
    UseCharacter,
)
from games.forgeborn.rules.vault.commands import CastBallot, LetArtifactBe, RequestArtifact

HEROINES = ("Hele", "Bandi", "Olis", "Pina", "Nyca", "Adia", "Viloa", "Gunna")
THINGS = ("Ember", "Night Thread", "Loud Bell", "Long Splinter", "Cold Ring", "Third Key", "Wren's Coat", "Old Hammer")
DEEDS: tuple[type[Command], ...] = (
    UseCharacter, Journey, GiveArtifact, TakeBackArtifact, BeginArtifact, RecruitHeroine, RequestArtifact, TakeTest,
    ExploreRuins, AssistVillage, BeseechPrince, Commune, TakeBoon, EndTurn,
)  # fmt: skip
"""What a turn may hold, beside the Dragon."""
LIKED: tuple[type[Command], ...] = (
    BeginArtifact, RecruitHeroine, RequestArtifact, TakeTest, ExploreRuins, AssistVillage, BeseechPrince, Commune,
    TakeBoon, Journey,
)  # fmt: skip
"""What is drawn twice as often as the rest."""


def play(state: State, seat: UUID, tray: Tray) -> Thought:
    """Answer what is asked; in the own turn anything legal."""
    use = f"bot/{seat}/{state.table.timers_set}"
    for prompt in questions_of(state, seat):
        command = _answer(state, seat, prompt, tray, f"{use}/{prompt.id}")
        if command is not None:
            again = state.thinking_time if prompt.kind == Asked.TURN else pause(state)
            return Thought(command, again)
    return Thought(None, pause(state))


def _answer(state: State, seat: UUID, prompt: Prompt, tray: Tray, use: str) -> Command | None:
    """What it answers to a question; None where it has answered, or waits."""
    action, asker = state.action(), Actor(Issuer.SEAT, seat=seat)
    match prompt.kind:
        case Asked.SMITHS:
            return smith_command(state, seat, any_dice(tray, use), tray, use) if seat not in state.drafts else None
        case Asked.TURN:
            return _deed(state, asker, tray, use)
        case Asked.POOL if action is not None:
            if tray.roll(f"{use}/back", 8, RULE) == 1:
                return StepBack()
            return ChoosePool(pool=_pool(state, state.characters[action.character], action.kind))
        case Asked.REPOOL if action is not None:
            return ChoosePool(pool=default_pool(state, action))
        case Asked.HELP if action is not None and (action.id, seat) not in state.offers:
            smith = state.smith_of(seat)
            if smith is None or tray.roll(f"{use}/help", 2, RULE) == 1:
                return DeclineHelp()
            return OfferHelp(free=free_pool(smith).free)
        case Asked.FORGE if action is not None:
            offers = [o.seat for o in state.offers.values() if o.action == action.id and not o.is_declined]
            return ForgeArtifact(free=free_pool(state.characters[action.character]).free, helpers=tuple(offers))
        case Asked.SPEND if action is not None:
            return SpendRoll(dice=default_purchase(action.total or 0, bought_by(action)))
        case Asked.GAIN if action is not None:
            return ChooseGain.model_validate({"raise": _rising(state.characters[action.character], tray, use)})
        case Asked.VAULT if not _has_voted(state, seat):
            return CastBallot(yes=tray.roll(f"{use}/vote", 2, RULE) == 1)
        case Asked.DENIED:
            smith = state.acting_character()
            bold = smith is not None and tray.roll(f"{use}/contest", 2, RULE) == 1
            return ContestArtifact(pool=free_pool(smith)) if bold and smith is not None else LetArtifactBe()
        case Asked.FOREST:
            smith = state.acting_character()
            return GiveUpDie(die=tray.draw(f"{use}/die", dice_of(smith), RULE)) if smith is not None else None
    return None


def _deed(state: State, asker: Actor, tray: Tray, use: str) -> Command:
    """The Dragon with all dice where it stands; else anything legal, kinds of deeds before what they are done to."""
    character = state.acting_character()
    if character is None:
        return EndTurn()
    place = state.places[character.place]
    if place.kind is PlaceKind.LAIR and state.course.slayer is None and dice_of(character):
        return FaceDragon(pool=whole_pool(state, character))
    found = [legal for legal in legal_commands_for(state, DEEDS, asker) if legal.legal]
    kinds = {kind.slug(): kind for kind in DEEDS}
    names = sorted({legal.command for legal in found})
    weighted = [*names, *(name for name in names if kinds[name] in LIKED)]
    name = tray.draw(f"{use}/deed", weighted, RULE)
    legal = tray.draw(f"{use}/which", [each for each in found if each.command == name], RULE)
    return _command(state, character, kinds[name], legal, tray, use) or EndTurn()


def _command(
    state: State, character: Character, kind: type[Command], legal: LegalCommand, tray: Tray, use: str
) -> Command | None:
    """A legal command with values; None where nothing fits after all."""
    body: dict[str, Any] = {}
    for path in ("character", "to", "artifact", "heroine", "kind"):
        values = legal.choices(path)
        if values:
            body[path] = tray.draw(f"{use}/{path}", values, RULE)
    if kind is RecruitHeroine:
        body = {"name": heroine_name(state, character.seat, HEROINES), "pool": free_pool(character)}
    elif kind is BeginArtifact:
        return artifact_command(state, character, tray, use)
    elif kind is Commune:
        body = {"dice": tray.draw(f"{use}/commune", ((8,), (4, 4), (6, 4), (10,), (12,)), RULE)}
    elif kind is TakeBoon and body.get("kind") == "die":
        body["raise"] = _rising(character, tray, use)
    elif kind in (ExploreRuins, AssistVillage, BeseechPrince):
        body["pool"] = _pool(state, character)
    elif kind is TakeTest:
        body["pool"] = free_pool(character)
    return kind.model_validate(body)


def artifact_command(state: State, maker: Character, tray: Tray, use: str) -> Command | None:
    """An artifact that the maker can pay for, by dice or tokens, with one die left; None where there is none."""
    purse, own = state.purses[maker.seat], list(dice_of(maker))
    forms = [FormChoice(kind=kind, die=die) for kind, die in FORM_DICE.items() if die in own]
    forms += [FormChoice(kind=kind) for kind in FORM_DICE] if purse.resource else []
    if not forms:
        return None
    form = tray.draw(f"{use}/form", forms, RULE)
    rest = list(own)
    if form.die is not None:
        rest.remove(form.die)
    functions = [FunctionChoice(kind=kind, die=die) for kind, die in FUNCTION_DICE.items() if die in rest]
    functions += [FunctionChoice(kind=kind) for kind in FUNCTION_DICE] if purse.secret else []
    functions = [each for each in functions if len(rest) - (each.die is not None) >= 1]
    if not functions:
        return None
    function = tray.draw(f"{use}/function", functions, RULE)
    return BeginArtifact(name=artifact_name(state, THINGS), form=form, function=function)


def smith_command(state: State, seat: UUID, dice: Sequence[Size], tray: Tray, use: str) -> Command:
    """A Smith with these dice, and a name of the list that nobody bears."""
    names = LISTS[ListName.NAMES]
    name = free_name(tray.draw(f"{use}/name", names, RULE), [plate.name for plate in state.nameplates.values()])
    return DefineSmith(name=name, text="", dice=tuple(dice))


def any_dice(tray: Tray, use: str) -> list[Size]:
    """Dice at random until the faces are spent."""
    dice, faces = list[Size](), MOST_FACES
    while faces >= Size.D4:
        dice.append(tray.draw(f"{use}/dice/{len(dice)}", [size for size in Size if size <= faces], RULE))
        faces -= dice[-1]
    return dice


def _pool(state: State, character: Character, deed: Deed | None = None) -> Any:
    """All own dice at the Dragon and in a Test; else the three largest, and what the character holds."""
    if deed is Deed.FACE_DRAGON:
        return whole_pool(state, character)
    if deed is Deed.TAKE_TEST:
        return free_pool(character)
    return whole_pool(state, character).model_copy(update={"sacrifice": ()})


def _rising(character: Character, tray: Tray, use: str) -> Size | None:
    """A die that can rise, or none for a d4."""
    rising: list[Size | None] = [None, *sorted({die for die in dice_of(character) if larger(die) is not None})]
    return tray.draw(f"{use}/raise", rising, RULE)


def _has_voted(state: State, seat: UUID) -> bool:
    return any(ballot.seat == seat and not ballot.is_open for ballot in state.ballots.values())
