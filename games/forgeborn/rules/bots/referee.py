"""The policy `steady` on a game-master's seat: it accepts the map, describes from the lists, lets artifacts help."""

from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.engine.policies import RULE, Look, QuestionPolicy
from games.forgeborn.rules.bots.common import pause
from games.forgeborn.rules.conflict.gm_commands import DescribeDanger, PlaceRuins, RuleArtifacts
from games.forgeborn.rules.setup.commands import AcceptMap, DropDice
from games.forgeborn.rules.state.constants import RUINS_SIDES
from games.forgeborn.rules.state.options import options_of
from games.forgeborn.rules.state.schema_types import Asked, Deed, DropBy, ListName
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.story.lists import LISTS


def _map(look: Look[State], prompt: Prompt) -> Command | None:
    """A real drop it leaves to people, and at the deadline to the service."""
    if look.state.places:
        return AcceptMap()
    return DropDice() if options_of(look.state).drop is DropBy.SERVICE else None


def _describe(look: Look[State], prompt: Prompt) -> Command:
    action = look.state.require_action()
    name = ListName.GUARDIANS if action.kind is Deed.EXPLORE_RUINS else ListName.THREATS
    known = look.state.places[action.place].threat
    return DescribeDanger(text=known or look.tray.draw(f"{look.use_for(prompt)}/threat", LISTS[name], RULE))


def _place_ruins(look: Look[State], prompt: Prompt) -> Command:
    options, tray, use = options_of(look.state), look.tray, look.use_for(prompt)
    return PlaceRuins(
        face=tray.roll(f"{use}/face", RUINS_SIDES, RULE),
        x=tray.roll(f"{use}/x", options.width, RULE) - 1,
        y=tray.roll(f"{use}/y", options.height, RULE) - 1,
    )


referee: QuestionPolicy[State] = QuestionPolicy(
    answers={
        Asked.MAP: _map,
        Asked.DESCRIBE: _describe,
        Asked.RULING: lambda look, prompt: RuleArtifacts(),
        Asked.RUINS: _place_ruins,
    },
    again_in=lambda look, prompt, command: pause(look.state),
)
