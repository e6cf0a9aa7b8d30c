"""Edges: what a race or a city is good at (DW-EDGE-*)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dawn.rules.powers.commands import PowerCommand
from games.dawn.rules.powers.frame import Cast
from games.dawn.rules.races.edges import require_new_edge
from games.dawn.rules.races.events import EdgeGifted
from games.dawn.rules.state.constants import PRICES
from games.dawn.rules.state.records import Power
from games.dawn.rules.state.schema_types import EdgeKind, EdgeTag, Price
from games.dawn.rules.state.state import State
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, FreeText, ListOf
from games.engine.insight.legal_commands import LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.lifecycle.seating import Name

ROWS = {  # (combat edge, of a city)
    (True, False): Price.COMBAT_EDGE_RACE,
    (True, True): Price.COMBAT_EDGE_CITY,
    (False, False): Price.OTHER_EDGE_RACE,
    (False, True): Price.OTHER_EDGE_CITY,
}


class GiftEdge(PowerCommand):
    """Give a race or a city an edge: offensive, defensive, or another that may open a way."""

    rules: ClassVar[tuple[str, ...]] = ("DW-EDGE-1", "DW-EDGE-2", "DW-EDGE-3")

    target: UUID
    """The race or the city; anybody's."""
    name: Name
    """Its name, once for each race or city."""
    kind: EdgeKind
    """`offensive` (+1 attack), `defensive` (+1 defence) or `other`."""
    tags: tuple[EdgeTag, ...] = Field(default=(), max_length=2)
    """With `other`: `crosses_water`, `flies`."""

    def row(self, state: State) -> Price:
        return ROWS[self.kind is not EdgeKind.OTHER, self.target in state.cities]

    def check(self, state: State, cast: Cast) -> None:
        require_new_edge(state, self.target, self.name)
        if self.tags and self.kind is not EdgeKind.OTHER:
            raise Refused("tag.kind", "Only an edge of the kind other carries a tag.", rules=("DW-EDGE-2",))

    def effect(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        tags = tuple(sorted(set(self.tags)))
        yield EdgeGifted(target=self.target, edge=self.name, kind=self.kind, tags=tags, by=power.caster)

    def saying(self, state: State) -> str:
        return f"gift {state.title(self.target)} an edge, {self.name}"

    @classmethod
    def candidates(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        races = [r.id for r in state.living_races()]
        cities = [c.id for c in state.cities.values() if c.race in set(races)]
        for combat, targets in ((True, races), (True, cities), (False, races), (False, cities)):
            if targets:
                kinds = [k.value for k in EdgeKind if (k is not EdgeKind.OTHER) is combat]
                arguments: dict[str, Domain] = {
                    "target": Choices.of(targets),
                    "name": FreeText(),
                    "kind": Choices.of(kinds),
                }
                if not combat:
                    arguments["tags"] = ListOf(Choices.of(t.value for t in EdgeTag))
                row = ROWS[combat, targets is cities]
                yield LegalCommand(cls.slug(), arguments, price=PRICES[row][state.course.age - 1])
