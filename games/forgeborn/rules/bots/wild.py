"""The policy `wild`: any legal deed, but all dice at the Dragon whenever it stands before it (section 10)."""

from typing import Any

from games.engine.dice import Tray
from games.engine.game_state import Prompt
from games.engine.insight.legal_commands import LegalCommand, legal_commands_for
from games.engine.kernel import Actor, Command, Issuer
from games.engine.policies import RULE, Look
from games.forgeborn.rules.boons.commands import Commune, GiveUpDie, TakeBoon
from games.forgeborn.rules.bots.common import (
    acting_character,
    artifact_name,
    careful_pool,
    free_pool,
    heroine_name,
    smith_command,
    whole_pool,
)
from games.forgeborn.rules.bots.player import player_policy
from games.forgeborn.rules.conflict.commands import (
    AssistVillage,
    BeseechPrince,
    ChooseGain,
    ChoosePool,
    ExploreRuins,
    FaceDragon,
    StepBack,
    TakeTest,
)
from games.forgeborn.rules.conflict.recruiting_commands import RecruitHeroine
from games.forgeborn.rules.forge.commands import BeginArtifact
from games.forgeborn.rules.forge.rules import FORM_DICE, FUNCTION_DICE, FormChoice, FunctionChoice
from games.forgeborn.rules.state.constants import MOST_FACES
from games.forgeborn.rules.state.dice import dice_of, larger
from games.forgeborn.rules.state.records import Character
from games.forgeborn.rules.state.schema_types import Asked, Deed, PlaceKind, Size
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.turns.commands import (
    EndTurn,
    GiveArtifact,
    Journey,
    TakeBackArtifact,
    UseCharacter,
)
from games.forgeborn.rules.vault.commands import RequestArtifact

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


def _turn(look: Look[State], prompt: Prompt) -> Command:
    """The Dragon with all dice where it stands; else anything legal: first the kind of deed, then which."""
    state, tray, use = look.state, look.tray, look.use_for(prompt)
    character = state.acting_character()
    if character is None:
        return EndTurn()
    place = state.places[character.place]
    if place.kind is PlaceKind.LAIR and state.course.slayer is None and dice_of(character):
        return FaceDragon(pool=whole_pool(state, character))
    asker = Actor(Issuer.SEAT, seat=look.seat)
    found = [legal for legal in legal_commands_for(state, DEEDS, asker) if legal.legal]
    kinds = {kind.slug(): kind for kind in DEEDS}
    names = sorted({legal.command for legal in found})
    weighted = [*names, *(name for name in names if kinds[name] in LIKED)]
    name = tray.draw(f"{use}/deed", weighted, RULE)
    legal = tray.draw(f"{use}/which", [each for each in found if each.command == name], RULE)
    return _command(state, character, kinds[name], legal, tray, use) or EndTurn()


def _pool_or_back(look: Look[State], prompt: Prompt) -> Command:
    """Now and then it steps back."""
    if look.tray.roll(f"{look.use_for(prompt)}/back", 8, RULE) == 1:
        return StepBack()
    action = look.state.require_action()
    return ChoosePool(pool=_pool(look.state, look.state.characters[action.character], action.kind))


def _gain(look: Look[State], prompt: Prompt) -> Command:
    """A die that can rise, or none."""
    roller = look.state.characters[look.state.require_action().character]
    return ChooseGain.model_validate({"raise": _rising(roller, look.tray, look.use_for(prompt))})


def _give_up(look: Look[State], prompt: Prompt) -> Command:
    return GiveUpDie(die=look.tray.draw(f"{look.use_for(prompt)}/die", dice_of(acting_character(look)), RULE))


def _help(look: Look[State], prompt: Prompt) -> tuple[Size, ...]:
    """The three largest dice, or none."""
    smith = look.state.smith_of(look.seat)
    return () if smith is None or _coin(look, prompt, "help") else free_pool(smith).free


def _coin(look: Look[State], prompt: Prompt, what: str) -> bool:
    return look.tray.roll(f"{look.use_for(prompt)}/{what}", 2, RULE) == 1


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
        body = {"name": heroine_name(state, character.seat), "pool": free_pool(character)}
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
    return BeginArtifact(name=artifact_name(state), form=form, function=function)


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
    return careful_pool(state, character)


def _rising(character: Character, tray: Tray, use: str) -> Size | None:
    """A die that can rise, or none for a d4."""
    rising: list[Size | None] = [None, *sorted({die for die in dice_of(character) if larger(die) is not None})]
    return tray.draw(f"{use}/raise", rising, RULE)


wild = player_policy(
    {
        Asked.SMITHS: lambda look, prompt: smith_command(look, prompt, any_dice(look.tray, look.use_for(prompt))),
        Asked.TURN: _turn,
        Asked.POOL: _pool_or_back,
        Asked.GAIN: _gain,
        Asked.FOREST: _give_up,
    },
    help_offered=_help,
    is_in_favour=lambda look, prompt: _coin(look, prompt, "vote"),
    is_bold=lambda look, prompt: _coin(look, prompt, "contest"),
)
