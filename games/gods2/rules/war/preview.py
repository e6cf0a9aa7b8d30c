"""The preview of a war (setting `previews`): who would die where, what would be vacated, who would go where.

A GM may place deaths, squares and movements otherwise, in the same numbers (G2-WAR-3, 6, 12). Of wars that are fought
together each is shown when its turn comes. Those left when the Activity Phase ends are fought without a preview.
"""

import json
from collections.abc import Iterator, Sequence
from uuid import UUID

from games.engine.audience import GM
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import close, lapse_event
from games.engine.prompts.questions import ask_row, close_question
from games.gods2.rules.declarations.events import KIND, CasualtiesPreviewed, name_of
from games.gods2.rules.gm_previews.events import PreviewClosed
from games.gods2.rules.state.effect_records import Preview
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import War, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Fighter, PairOf, held_units, moves, places
from games.gods2.rules.war.battle import Footing, outcome
from games.gods2.rules.war.forecast import Plan, plan_of
from games.gods2.rules.war.rules import Pair, battle, conclude_wars

Steps = Iterator[Event]


def pairs_of(preview: Preview) -> list[Pair]:
    """The wars of a preview that are still to be fought, with their numbers."""
    read = [PairOf.model_validate(raw) for raw in json.loads(preview.plan)["pairs"]]
    return [Pair(p.war, _footing(p.attacker), _footing(p.defender)) for p in read]


def wars_of(preview: Preview) -> list[UUID]:
    """All wars that are fought together with the one of a preview, itself among them."""
    return [UUID(war) for war in json.loads(preview.plan)["wars"]]


def _footing(fighter: Fighter) -> Footing:
    return Footing(fighter.race, fighter.strength, fighter.military)


def preview_for(state: State, war: War) -> Preview | None:
    """The preview on which a war waits: it is being fought."""
    shown = (p for p in state.previews.values() if p.kind == KIND)
    return next((p for p in shown if war.id in wars_of(p)), None)


def show_or_fight(state: State, ctx: Context, pairs: Sequence[Pair], wars: Sequence[UUID]) -> Steps:
    """Show the next war to the GMs where the setting says so, else fight all; then what follows from them."""
    standing = [pair for pair in pairs if state.wars[pair.war].status is WarStatus.DECLARED]
    if standing and options_of(state).previews:
        yield from _show_war(state, ctx, standing, wars)
        return
    for pair in standing:
        yield from battle(state, ctx, pair)
    yield from conclude_wars(state, ctx, wars)


def _show_war(state: State, ctx: Context, pairs: Sequence[Pair], wars: Sequence[UUID]) -> Steps:
    pair, prompt = pairs[0], ctx.mint(GM)
    plan = plan_of(state, outcome(state, pair.attacker, pair.defender))
    yield CasualtiesPreviewed(
        prompt=prompt,
        war=pair.war,
        losses=tuple(h for side in plan.dead.values() for h in held_units(side)),
        squares=places(plan.gone),
        moves=(*moves(plan.ways), *moves(plan.taking)),
        pairs=tuple(_pair_shown(pair) for pair in pairs),
        wars=tuple(wars),
    )
    yield from ask_row(state, ctx, Asked.BATTLE, pair.war, prompt=prompt, war=name_of(state, pair.war))


def _pair_shown(pair: Pair) -> PairOf:
    one, other = (
        Fighter(race=f.race, strength=f.strength, military=f.military) for f in (pair.attacker, pair.defender)
    )
    return PairOf(war=pair.war, attacker=one, defender=other)


def fight_by_the_rules(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Steps:
    """Nobody places the losses of a war, or a GM lets the rules place them: it is fought."""
    yield from close_question(state, Asked.BATTLE, "deadline", prompt.subject)
    yield from fight_as_placed(state, ctx, state.previews[prompt.id])


def fight_as_placed(state: State, ctx: Context, preview: Preview, plan: Plan | None = None) -> Steps:
    """What was shown happens, as the rules or a GM place it; then the next war of those fought together is shown."""
    pair, *rest = pairs_of(preview)
    yield PreviewClosed(prompt=preview.id)
    yield from battle(state, ctx, pair, plan)
    yield from show_or_fight(state, ctx, rest, wars_of(preview))


def finish_wars(state: State, ctx: Context, preview: Preview) -> Steps:
    """The Activity Phase ends: what was shown, and all that is fought with it, happens by the rules."""
    yield lapse_event(state, preview.id)
    yield from close(state, preview.id, "deadline")
    yield PreviewClosed(prompt=preview.id)
    for pair in pairs_of(preview):
        yield from battle(state, ctx, pair)
    yield from conclude_wars(state, ctx, wars_of(preview))
