"""The preview of a race's growth (setting `previews`): where its units would stand, shown to the GMs before it grows.

A GM may place the units otherwise, within what G2-GROW-2 to 9 leave open: the placing order is ours (G2-GROW-10,
AMB-5). Silence lets the rules have their way. Races are shown one after another; no preview outlasts the Activity
Phase.
"""

from collections.abc import Iterator, Sequence
from uuid import UUID

from games.engine.audience import GM
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.questions import ask_row, close_question, settle_by_silence
from games.gods2.rules.calendar.rules import leaves_time
from games.gods2.rules.cascade.aftermath import run_and_settle
from games.gods2.rules.cities.rules import site_questions
from games.gods2.rules.geometry.placement import Units
from games.gods2.rules.gm_previews.events import PreviewClosed
from games.gods2.rules.growth.events import KIND, GrowthPreviewed
from games.gods2.rules.growth.rules import grow, growth_of
from games.gods2.rules.state.effect_records import Preview
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.questions import GROWTH, Asked
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import held_units

Steps = Iterator[Event]


def preview_in_hand(state: State) -> Preview | None:
    """The preview of the race that grows next."""
    return next((p for p in state.previews.values() if p.kind == KIND), None)


def grow_races(state: State, ctx: Context) -> Steps:
    """Each race that still has to grow, in its order; with previews until one is shown."""
    for race in state.era.growing:
        if not state.races[race].extinct:
            if _in_time(state, ctx):
                yield from _show_preview(state, ctx, race)
                return
            yield from run_and_settle(state, ctx, grow(state, ctx, race), KIND)
            if site_questions(state, GROWTH):
                return


def _in_time(state: State, ctx: Context) -> bool:
    """Whether growth is shown beforehand, and the Activity Phase leaves time for that."""
    return options_of(state).previews and leaves_time(state, ctx, state.window("growth"))


def _show_preview(state: State, ctx: Context, race: UUID) -> Steps:
    prompt = ctx.mint(GM)
    yield GrowthPreviewed(prompt=prompt, race=race, placed=held_units(growth_of(state, race).after))
    yield from ask_row(state, ctx, Asked.GROWTH, race, prompt=prompt, race=state.races[race].name)


def grow_by_the_rules(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Steps:
    """Nobody places the units of a race, or a GM lets the rules place them: it grows."""
    yield from close_question(state, Asked.GROWTH, "deadline", prompt.subject)
    yield from grow_as_placed(state, ctx, state.previews[prompt.id])


def grow_as_placed(state: State, ctx: Context, preview: Preview, after: Units | None = None) -> Steps:
    """The race grows, as the rules or a GM place its units."""
    yield PreviewClosed(prompt=preview.id)
    if not state.races[preview.subject].extinct:
        yield from run_and_settle(state, ctx, grow(state, ctx, preview.subject, after), KIND)


def finish_growth(state: State, ctx: Context) -> Steps:
    """The Activity Phase ends while a race's growth is shown: it grows by the rules, and so do all that are left."""
    shown = preview_in_hand(state)
    if shown is not None:
        yield from settle_by_silence(state, ctx, state.prompts[shown.id])
