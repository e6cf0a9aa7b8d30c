"""What silence means, question by question (section 11 of the rulebook)."""

from collections.abc import Iterator

from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import close
from games.forgeborn.rules.boons.rules import leave_by_silence
from games.forgeborn.rules.conflict.deeds import drop_ruins
from games.forgeborn.rules.conflict.failure import learn
from games.forgeborn.rules.conflict.rules import choose_pool, default_pool, go_on_after_description, rule_artifacts
from games.forgeborn.rules.forge.rules import forge_by_silence, settle_help, spend_by_silence
from games.forgeborn.rules.setup.rules import settle_map
from games.forgeborn.rules.setup.smiths import settle_smiths
from games.forgeborn.rules.state.schema_types import Asked
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.turns.events import TurnEnd
from games.forgeborn.rules.turns.rules import end_turn
from games.forgeborn.rules.vault.rules import close_vote, leave_artifact, open_vote


def take_default(state: State, ctx: Context, prompt: Prompt) -> Iterator[Event]:
    """The events of silence; the question is closed by them."""
    match Asked(prompt.kind):
        case Asked.MAP:
            yield from settle_map(state, ctx)
        case Asked.SMITHS:
            yield from settle_smiths(state, ctx)
        case Asked.TURN:
            held = state.course.active is not None and state.is_held(state.course.active)
            yield from end_turn(state, TurnEnd.DEADLINE if held else TurnEnd.ABSENT)
        case Asked.HELP:
            yield from settle_help(state, ctx)
        case Asked.FORGE:
            yield from forge_by_silence(state, ctx)
        case Asked.SPEND:
            yield from spend_by_silence(state, ctx)
        case Asked.VAULT:
            vote = open_vote(state)
            if vote is not None:
                yield from close_vote(state, ctx, vote)
        case Asked.DENIED if prompt.subject is not None:
            yield from leave_artifact(state, prompt.subject)
        case Asked.FOREST:
            yield from leave_by_silence(state)
        case _:
            yield from _of_conflict(state, ctx, prompt)


def _of_conflict(state: State, ctx: Context, prompt: Prompt) -> Iterator[Event]:
    """The events of silence in a conflict."""
    action = state.action()
    match Asked(prompt.kind):
        case Asked.RULING:
            yield from rule_artifacts(state, ctx, (), "")
        case Asked.POOL | Asked.REPOOL if action is not None:
            again = prompt.kind == Asked.REPOOL
            yield from choose_pool(state, ctx, action, default_pool(state, action), again=again)
        case Asked.DESCRIBE:
            yield from close(state, prompt.id, "deadline")
            yield from go_on_after_description(state, ctx)
        case Asked.GAIN if action is not None:
            yield from close(state, prompt.id, "deadline")
            yield from learn(state, action, None)
        case Asked.RUINS:
            yield from close(state, prompt.id, "deadline")
            yield from drop_ruins(state, ctx)
        case _:
            raise RuntimeError(f"nothing follows the silence to {prompt.kind}")
