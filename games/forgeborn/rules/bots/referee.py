"""The policy `steady` on a game-master's seat: it accepts the map, describes from the lists, lets artifacts help."""

from uuid import UUID

from games.engine.bots import Thought, questions_of
from games.engine.dice import Tray
from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.forgeborn.rules.bots.common import RULE, pause
from games.forgeborn.rules.conflict.gm_commands import DescribeDanger, PlaceRuins, RuleArtifacts
from games.forgeborn.rules.setup.commands import AcceptMap, DropDice
from games.forgeborn.rules.state.constants import RUINS_SIDES
from games.forgeborn.rules.state.options import options_of
from games.forgeborn.rules.state.schema_types import Asked, Deed, DropBy, ListName
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.story.lists import LISTS


def lead(state: State, seat: UUID, tray: Tray) -> Thought:
    """Answer what the game-masters are asked."""
    use = f"bot/{seat}/{state.info.timers_set}"
    for prompt in questions_of(state, seat, last=Asked.TURN):
        command = _answer(state, prompt, tray, f"{use}/{prompt.id}")
        if command is not None:
            return Thought(command, pause(state))
    return Thought(None, pause(state))


def _answer(state: State, prompt: Prompt, tray: Tray, use: str) -> Command | None:
    """What it answers; a real drop it leaves to people, and at the deadline to the service."""
    match prompt.kind:
        case Asked.MAP:
            if state.places:
                return AcceptMap()
            return DropDice() if options_of(state).drop is DropBy.SERVICE else None
        case Asked.DESCRIBE:
            action = state.require_action()
            name = ListName.GUARDIANS if action.kind is Deed.EXPLORE_RUINS else ListName.THREATS
            known = state.places[action.place].threat
            return DescribeDanger(text=known or tray.draw(f"{use}/threat", LISTS[name], RULE))
        case Asked.RULING:
            return RuleArtifacts()
        case Asked.RUINS:
            options = options_of(state)
            return PlaceRuins(
                face=tray.roll(f"{use}/face", RUINS_SIDES, RULE),
                x=tray.roll(f"{use}/x", options.width, RULE) - 1,
                y=tray.roll(f"{use}/y", options.height, RULE) - 1,
            )
    return None
