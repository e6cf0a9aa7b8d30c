"""Shaping land (DW-LAND-*).

One shaping is one edge-connected set of squares and one named region. Seats that shaped a square before, and those that
control a city that it would drown, are asked for leave; the frame of a power does the rest.
"""

from collections.abc import Iterable, Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dawn.rules.land.events import LandShaped, count_in_words
from games.dawn.rules.land.shaping import ANSWERS, AREA, ROWS, ShapingLeave, one_square
from games.dawn.rules.powers.commands import PowerCommand
from games.dawn.rules.powers.forecast import CHALLENGES, certain, unaffordable
from games.dawn.rules.powers.frame import Cast
from games.dawn.rules.powers.questions import PowerQuestion
from games.dawn.rules.state.constants import MOST_SHAPED, PRICES, WATER
from games.dawn.rules.state.records import City, Power
from games.dawn.rules.state.schema_types import MAX_SIDE, Climate, Place, Price, ShapeKind, Step, Terrain, Text
from games.dawn.rules.state.state import State
from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.insight.breakdown import Sum
from games.engine.insight.domains import Choices, Flag, FreeText
from games.engine.insight.forecast import Forecast
from games.engine.insight.legal_commands import LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.lifecycle.seating import Name


class ShapeLand(PowerCommand):
    """Shape connected squares into one land, earthly or fantastic. Gods who shaped them before are asked for leave."""

    rules: ClassVar[tuple[str, ...]] = ("DW-LAND-1", "DW-LAND-2", "DW-LAND-3", "DW-LAND-5")

    kind: ShapeKind
    """`mundane`: earthly land, and what was fantastic there ends; `fantastic`: it may float."""
    squares: tuple[Place, ...] = Field(max_length=MAX_SIDE**2)
    """1 to 50 different squares that hang together edge by edge."""
    terrain: Terrain
    """What they become; a city is drowned only with its controller's leave."""
    climate: Climate | None = None
    """Their climate; each keeps its own when absent."""
    floating: bool = False
    """With `fantastic`: it floats, and is closed to marches without wings."""
    name: Name | None = None
    """The name of the region; that of its terrain when absent."""
    text: Text = ""
    """How it looks; free words."""

    def row(self, state: State) -> Price:
        return ROWS[self.kind]

    def price_sum(self, state: State, cast: Cast) -> Sum:
        """The price of a square, times the squares (DW-LAND-1)."""
        price = super().price_sum(state, cast)
        price.step("squares", "squares", count_in_words(self.squares), "DW-LAND-1", "multiply", len(self.squares))
        return price

    def check(self, state: State, cast: Cast) -> None:
        squares = [place.at for place in self.squares]
        different = len(set(squares))
        if not 1 <= len(squares) <= MOST_SHAPED or different < len(squares):
            raise Refused(
                "squares.count",
                f"One shaping takes 1 to {MOST_SHAPED} different squares; these are {len(squares)}, "
                f"{different} of them different.",
                rules=("DW-LAND-1",),
                most=MOST_SHAPED,
                squares=len(squares),
                different=different,
            )
        for at in squares:
            state.square(at)
        if not state.are_connected(squares):
            raise Refused(
                "squares.apart",
                "These squares do not hang together edge by edge; shape each part for itself.",
                rules=("DW-LAND-1",),
            )
        if self.floating and self.kind is ShapeKind.MUNDANE:
            raise Refused("act.invalid", "Earthly land does not float; shape it fantastic.", rules=("DW-LAND-2",))

    def owners(self, state: State, caster: UUID) -> dict[UUID, list[Place]]:
        """Whose leave it needs, in turn order, and for which squares (DW-LAND-3, DW-LAND-5)."""
        found: dict[UUID, list[Place]] = {}
        drowned = {(city.x, city.y): city.controller for city in self.drowned_cities(state)}
        for place in self.squares:
            for owner in {state.squares[place.at].shaped_by, drowned.get(place.at)} - {None, caster}:
                if owner is not None:
                    found.setdefault(owner, []).append(place)
        return {owner: found[owner] for owner in state.present(found)}

    def drowned_cities(self, state: State) -> list[City]:
        """The cities whose squares become water, by name."""
        if self.terrain not in WATER:
            return []
        dry = {place.at for place in self.squares if state.squares[place.at].terrain not in WATER}
        return sorted((c for c in state.cities.values() if (c.x, c.y) in dry), key=lambda c: (c.name, c.id))

    def questions(self, state: State, power: Power) -> Iterable[PowerQuestion]:
        owners = self.owners(state, power.caster)
        asked_for = {place.at for squares in owners.values() for place in squares}
        squares = tuple(place for place in self.squares if place.at in asked_for)
        drowned = tuple(city.name for city in self.drowned_cities(state) if city.controller in owners)
        yield ShapingLeave(asked=tuple(owners), squares=squares, drowned=drowned)

    def effect(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        yield LandShaped(
            region=ctx.mint(PUBLIC),
            name=self._region_name(),
            kind=self.kind,
            squares=self.squares,
            terrain=self.terrain,
            climate=self.climate,
            floating=self.floating,
            words=self.text,
            by=power.caster,
        )

    def _region_name(self) -> str:
        return self.name or self.terrain.value.title()

    def saying(self, state: State) -> str:
        return f"shape {count_in_words(self.squares)} of {self.kind} {self.terrain}"

    def forecast(self, state: State, ctx: Context, actor: Actor) -> Forecast:
        """Its price, and who would be asked for leave. Nothing is rolled: what they answer is theirs to say."""
        state.require(Step.TURN)
        god = state.acting(actor)
        self.check(state, Cast(god.id))
        owners = self.owners(state, god.id)
        price = self.price_sum(state, Cast(god.id))
        changes = [("shaped", self.terrain.value, list(self.squares))]
        changes += [("leave", str(owner), squares) for owner, squares in owners.items()]
        changes += [("drowned", str(city.id), [Place(x=city.x, y=city.y)]) for city in self.drowned_cities(state)]
        hidden = (ANSWERS,) if owners else ()
        return Forecast(
            price=int(price.value),
            steps=tuple(price.steps),
            exact=True,
            cases=1,
            prospects=tuple(certain(*each, amount=len(each[-1])) for each in changes),
            hidden=(*hidden, CHALLENGES) if state.course.open_challenge else hidden,
            barred=unaffordable(state, actor, int(price.value)),
        )

    @classmethod
    def candidates(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        for kind, row in ROWS.items():
            arguments = {
                "kind": Choices.of((kind.value,)),
                "squares": one_square(state),
                "terrain": Choices.of(t.value for t in Terrain),
                "climate": Choices.of(c.value for c in Climate),
                "name": FreeText(),
                "text": FreeText(),
            }
            if kind is ShapeKind.FANTASTIC:
                arguments["floating"] = Flag()
            price = PRICES[row][state.course.age - 1]
            yield LegalCommand(cls.slug(), arguments, price=price, note=AREA)
