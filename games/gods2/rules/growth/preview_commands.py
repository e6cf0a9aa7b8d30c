"""Growth placed by hand, while its preview is shown (G2-GROW-10)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

import numpy as np
from pydantic import Field

from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, Fields, ListOf, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.gods2.rules.effects.migration import Way
from games.gods2.rules.geometry.placement import Units, ground_of
from games.gods2.rules.gm_previews.rules import preview_of, record_answer
from games.gods2.rules.growth.events import KIND, GrowthPlacementSet
from games.gods2.rules.growth.preview import grow_as_placed, preview_in_hand
from games.gods2.rules.growth.rules import Growth, growth_of
from games.gods2.rules.state.records import Level
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Held, Place

Steps = Iterator[Event]


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
