"""Where a race may live, squares to choose from, and leave to shape the land (DW-LAND-5, DW-RACE-5)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.dawn.rules.powers.questions import Leave
from games.dawn.rules.state.constants import MOST_SHAPED, WATER
from games.dawn.rules.state.records import Power
from games.dawn.rules.state.schema_types import EdgeTag, Price, ShapeKind
from games.dawn.rules.state.state import At, State
from games.engine.errors import Refused
from games.engine.insight.domains import SHOWN, Choices, Domain, Fields, ListOf, Range

ROWS = {ShapeKind.MUNDANE: Price.SHAPE_MUNDANE, ShapeKind.FANTASTIC: Price.SHAPE_FANTASTIC}
AREA = f"For each square; one command takes up to {MOST_SHAPED} that hang together edge by edge."
ANSWERS = "Whether they grant leave is known when they answer."


# -- what other chapters read ---------------------------------------------------------------------------------------


def at_home_on_water(state: State, race: UUID) -> bool:
    """Whether a race may live on water: it has an edge that crosses water, or its home is water (DW-RACE-5)."""
    people = state.races[race]
    afloat = state.square((people.x, people.y)).terrain in WATER
    return afloat or any(EdgeTag.CROSSES_WATER in edge.tags for edge in state.edges_of(race))


def require_fit(state: State, races: Iterable[UUID], at: At) -> None:
    """Refuse (`square.off_map`, `square.unfit`) water where none of these races may live."""
    terrain = state.square(at).terrain
    if terrain in WATER and not any(at_home_on_water(state, race) for race in races):
        raise Refused(
            "square.unfit",
            f"({at[0]}, {at[1]}) is {terrain}; only a race with an edge that crosses water, or with a home on water, "
            "may live there.",
            rules=("DW-RACE-5",),
            x=at[0],
            y=at[1],
        )


def squares_domain(squares: Iterable[At], page: int = 0) -> Choices:
    """Squares as `{x, y}`, row by row; 200 on a page."""
    rows = sorted(squares, key=lambda at: (at[1], at[0]))
    return Choices.of({"x": x, "y": y} for x, y in rows[page * SHOWN :])


def any_square(state: State) -> Domain:
    """Any square of the map."""
    columns, rows = (max(at[k] for at in state.squares) for k in (0, 1))
    return Fields({"x": Range(low=0, high=columns), "y": Range(low=0, high=rows)})


def one_square(state: State) -> Domain:
    """An area of one square: what a schema can say of squares that hang together."""
    return ListOf(any_square(state), low=1, high=1)


# -- shaping --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShapingLeave(Leave):
    """Leave to shape: its words name the cities that would be drowned (DW-LAND-5)."""

    drowned: tuple[str, ...] = ()

    def words(self, state: State, power: Power) -> dict[str, Any]:
        cities = f"; it drowns {', '.join(self.drowned)}" if self.drowned else ""
        which = f"that are yours or bear your city{cities}. Do you grant it?"
        return {"caster": state.title(power.caster), "which": which}
