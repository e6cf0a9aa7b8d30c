"""The preview of a race's growth (setting `previews`): where its units would stand, shown to the GMs before it grows.

A GM may place the units otherwise, within what G2-GROW-2 to 9 leave open: the placing order is ours (G2-GROW-10,
AMB-5). Silence lets the rules have their way. Races are shown one after another; no preview outlasts the Activity
Phase.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar
from uuid import UUID

import numpy as np
from pydantic import Field

from games.engine.audience import GM
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.insight.domains import Choices, Domain, Fields, ListOf, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.prompts.questions import ask_row, close_question, settle_by_silence
from games.engine.wording import quantity
from games.gods2.rules.cascade.aftermath import run_and_settle
from games.gods2.rules.century.calendar import leaves_time
from games.gods2.rules.cities.rules import site_questions
from games.gods2.rules.gm_previews import PreviewClosed, preview_of, record_answer
from games.gods2.rules.growth.migration import Way
from games.gods2.rules.growth.placement import Units, ground_of
from games.gods2.rules.growth.rules import Growth, grow, growth_of
from games.gods2.rules.state.audiences import ForGm
from games.gods2.rules.state.effect_records import Preview
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.questions import GROWTH, Asked
from games.gods2.rules.state.records import Level
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Held, Place, held_units

Steps = Iterator[Event]
KIND = "growth"


class GrowthPreviewed(ForGm[State]):
    """Where a race would stand after its growth by the rules."""

    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-10",)

    prompt: UUID
    race: UUID
    placed: tuple[Held, ...]
    """All its units, old and new, by square."""

    def apply(self, state: State) -> None:
        state.previews[self.prompt] = Preview(self.prompt, KIND, self.race, "{}")

    def sentence(self, state: State) -> str:
        units, squares = quantity(sum(h.units for h in self.placed), "unit"), quantity(len(self.placed), "square")
        return f"{state.races[self.race].name} would stand on {squares} with {units}."


class GrowthPlacementSet(ForGm[State]):
    """A GM has placed the units of a race that grows."""

    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-10",)

    prompt: UUID
    race: UUID
    placed: tuple[Held, ...]

    def sentence(self, state: State) -> str:
        return f"The GM places the units of {state.races[self.race].name}."


class PlaceGrowth(Enumerable[State]):
    """Place the units of a race that grows yourself, within what the rules of growth leave open.

    Its legal entry is `partial`: how many units each square then holds follows from all squares together.
    """

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-10",)

    prompt: UUID
    """The preview's question."""
    placed: tuple[Held, ...] = Field(max_length=10_000)
    """All units of the race after its growth, old and new, by square."""

    def decide(self, state: State, ctx: Context) -> Steps:
        preview = preview_of(state, self.prompt)
        if preview.kind != KIND:
            raise Refused("prompt.not_yours", "This question is answered with another command.", rules=("G2-ASK-1",))
        after = {h.square.square: h.units for h in self.placed if h.units}
        if len(after) < len(self.placed):
            raise invalid("name each square once, with one unit at least")
        check_placement(state, growth_of(state, preview.subject), after)
        yield from record_answer(state, ctx, self.prompt, self.model_dump_json())
        yield GrowthPlacementSet(prompt=self.prompt, race=preview.subject, placed=self.placed)
        yield from grow_as_placed(state, ctx, preview, after)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        shown = preview_in_hand(state)
        if shown is None:
            raise Refused("prompt.closed", "No growth is shown to you beforehand now.", rules=("G2-GROW-10",))
        domains = {"prompt": Choices.of((shown.id,)), "placed": _places_domain(state, shown.subject)}
        yield LegalCommand(cls.slug(), domains, note=state.races[shown.subject].name, partial=True)


def _places_domain(state: State, race: UUID) -> Domain:
    """Units on the squares that a race may grow on; of more squares than a list shows any square may be named."""
    squares = Choices.of(Place.of(square).model_dump() for square in sorted(ground_of(state, race).limits))
    return ListOf(Fields({"square": Fields({}) if squares.more else squares, "units": Range(1)}), unique=False)


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


def invalid(why: str) -> Refused:
    """The refusal of a placing."""
    rules = tuple(f"G2-GROW-{number}" for number in range(2, 10))
    return Refused("placement.invalid", f"The units cannot stand like this: {why}.", rules=rules)


def check_placement(state: State, growth: Growth, after: Units) -> None:
    """Refuse (`placement.invalid`) what breaks G2-GROW-2 to 9; the order among equal squares is free."""
    ground = growth.ground
    for square, units in after.items():
        if square not in ground.limits:
            raise invalid(f"{square.column}, {square.row} is neither their own nor a free bordering square (G2-GROW-2)")
        if units > ground.limits[square]:
            raise invalid(f"{square.column}, {square.row} holds {ground.limits[square]} units (G2-GROW-6)")
    if sum(after.values()) != sum(growth.after.values()):
        raise invalid(f"{sum(growth.after.values())} units live on, {sum(after.values())} were placed (G2-GROW-6)")
    for square, before in ground.units.items():
        if after.get(square, 0) < min(_staying(state, growth, before), ground.limits[square]):
            raise invalid(f"more stay at {square.column}, {square.row} (G2-GROW-3 to 8)")
    _check_way(state, growth, after)
    _check_spread(state, growth, after)


def _staying(state: State, growth: Growth, before: int) -> int:
    """How many of a square's old units stay: of a primitive race and of migrating barbarians one at most."""
    if growth.order is not None and growth.level is Level.PRIMITIVE:
        return 0
    if growth.level is Level.PRIMITIVE or (growth.order is not None and growth.level is Level.BARBARIAN):
        return min(1, before)
    return before


def _check_way(state: State, growth: Growth, after: Units) -> None:
    """A migration fills the most forward squares first (G2-GROW-7 to 9): equally forward ones hold as many in all."""
    if growth.order is None:
        return
    ground, way = growth.ground, Way(growth.order, growth.ground.centre)
    more = ground.standing(after) - growth.stand
    concerned = np.ones(len(more), dtype=np.bool_)
    if growth.level is Level.CIVILIZED:
        concerned = way.ahead(ground.rows, ground.columns)
        concerned[: ground.own] = False
    ranks = np.stack(way.keys(ground.rows[concerned], ground.columns[concerned]), axis=1)
    _, rank = np.unique(ranks, axis=0, return_inverse=True)
    if np.bincount(rank.reshape(-1), more[concerned]).any():
        raise invalid("a migration fills the most forward squares first (G2-GROW-7 to 9)")


def _check_spread(state: State, growth: Growth, after: Units) -> None:
    """How many go to the free bordering squares, and that they go round them one at a time (G2-GROW-3 to 5)."""
    ground, order = growth.ground, growth.order
    if order is not None and growth.level is not Level.CIVILIZED:
        return
    free = np.arange(ground.own, len(ground.rows))
    if order is not None:
        free = free[~Way(order, ground.centre).ahead(ground.rows[free], ground.columns[free])]
    round_them = [ground.square_at(place) for place in free.tolist()]
    counts = {s: after.get(s, 0) for s in round_them}
    if growth.level is Level.PRIMITIVE:
        if 0 in counts.values() and max(after.values(), default=0) > 1:
            raise invalid("one unit goes to each free bordering square before any holds more (G2-GROW-3)")
        return
    wanted = sum(growth.after.get(s, 0) for s in round_them)
    if sum(counts.values()) != wanted:
        raise invalid(f"{wanted} units go to free bordering squares (G2-GROW-4, 5)")
    most = max(counts.values(), default=0)
    if any(n + 1 < most and n < ground.limits[s] for s, n in counts.items()):
        raise invalid("the free bordering squares are filled one unit at a time in turn (G2-GROW-4, 5)")
