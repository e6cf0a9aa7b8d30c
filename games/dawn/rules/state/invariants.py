"""What always holds of a settled state: asked after every amendment and by tests. A chapter adds to `CHECKS`."""

from collections.abc import Callable, Iterator

from core.names import comparable
from games.dawn.rules.state.constants import HIGHEST_ALIGNMENT, LAST_AGE, LOWEST_ALIGNMENT, MOST_ROUNDS
from games.dawn.rules.state.schema_types import EdgeKind, Life, Step
from games.dawn.rules.state.state import State
from games.engine.economy.purses import imbalances


def violations(state: State) -> list[str]:
    """Everything that cannot be, one sentence each; an empty list is a sound state."""
    return [what for check in CHECKS for what in check(state)]


def _points(state: State) -> Iterator[str]:
    """DW-PTS-1: never negative; nothing appears or vanishes."""
    yield from imbalances(state.purses.values(), state.holds.values(), state.title)
    for hold in state.holds.values():
        if hold.undertaking not in state.powers:
            yield "Points are held for a power that is not open."


def _course(state: State) -> Iterator[str]:
    course = state.course
    if course.step is not Step.TURN:
        return
    if not (1 <= course.age <= LAST_AGE and 1 <= course.round <= course.length <= MOST_ROUNDS):
        yield f"Age {course.age}, round {course.round} of {course.length} cannot be."
    if len(set(course.order)) != len(course.order) or not set(course.order) <= set(state.gods):
        yield "A god stands twice in the turn order, or none stands there."
    if course.active not in course.order or course.active in course.acted:
        yield "The active god has no place in the turn order, or has acted already."
    if len(state.squares) != course.width * course.height:
        yield f"The map has {len(state.squares)} squares, not {course.width} x {course.height}."


def _peoples(state: State) -> Iterator[str]:
    names = [comparable(r.name) for r in state.races.values()]
    if len(set(names)) != len(names):
        yield "Two races have one name."
    scales = [(r.name, r.alignment) for r in state.races.values()] + [
        (c.name, c.alignment) for c in state.cities.values()
    ]
    for name, alignment in scales:
        if not LOWEST_ALIGNMENT <= alignment <= HIGHEST_ALIGNMENT:
            yield f"The alignment of {name} is off the scale."
    for edge in state.edges.values():
        if edge.target not in state.races and edge.target not in state.cities:
            yield f"The edge {edge.name} belongs to nobody."
        heir = edge.target in state.races and state.races[edge.target].parents  # tags are united: DW-SUB-3
        if edge.tags and edge.kind is not EdgeKind.OTHER and not heir:
            yield f"The combat edge {edge.name} has a tag."
    for race in state.races.values():
        if not race.creators or not set(race.creators) <= set(state.gods) or not set(race.parents) <= set(state.races):
            yield f"{race.name} has no creators, or parents that are none."
    for order in state.orders.values():
        if order.race not in state.races:
            yield f"The order {order.name} belongs to no race."


def _land(state: State) -> Iterator[str]:
    """DW-LAND-2: only fantastic land floats; what was shaped belongs to a region."""
    for square in state.squares.values():
        if square.floating and not square.fantastic:
            yield f"({square.x}, {square.y}) floats and is not fantastic."
        if square.region is not None and square.region not in state.regions:
            yield f"({square.x}, {square.y}) belongs to a region that is none."


def _places(state: State) -> Iterator[str]:
    built = [(c.x, c.y) for c in state.cities.values()]
    if len(set(built)) != len(built):
        yield "Two cities stand on one square."
    for city in state.cities.values():
        if (city.x, city.y) not in state.squares:
            yield f"{city.name} stands off the map."
        if city.controller not in state.gods or city.race not in state.races:
            yield f"{city.name} has no controller or no race."
    for land in state.territory.values():
        if (land.x, land.y) not in state.squares or land.race not in state.races:
            yield "A territory lies off the map or belongs to nobody."
        elif state.races[land.race].life is Life.EXTINCT:
            yield f"{state.races[land.race].name} are extinct and have territory."
    for army in state.armies.values():
        if army.city not in state.cities or army.race not in state.races:
            yield "An army has no city or no race."
    for avatar in state.avatars.values():
        if (avatar.x, avatar.y) not in state.squares or avatar.owner not in state.gods:
            yield f"{avatar.name} stands off the map or belongs to nobody."
        if avatar.leads is not None and avatar.leads not in state.armies:
            yield f"{avatar.name} leads an army that is no more."


def _bonds(state: State) -> Iterator[str]:
    """DW-CMDC-2, DW-AVA-5, DW-MIR-5: what a city raises, how an avatar is dead, what ends with a race."""
    for city in state.cities.values():
        if city.raised > city.most_raised:
            yield f"{city.name} has raised {city.raised} armies in a round, and may raise {city.most_raised}."
    for avatar in state.avatars.values():
        if avatar.alive and (avatar.returning or avatar.avenging):
            yield f"{avatar.name} lives and is to return, or to be avenged."
        if not avatar.alive and (avatar.leads is not None or avatar.defending):
            yield f"{avatar.name} is dead and leads or defends."
    extinct = {race.id for race in state.races.values() if race.life is Life.EXTINCT}
    for order in state.orders.values():
        if order.race in extinct and not order.dissolved:
            yield f"The order {order.name} outlives its race."
    for alliance in state.alliances.values():
        if not alliance.ended and not (
            alliance.one in {*state.races, *state.cities} - extinct and alliance.other in {*state.races} - extinct
        ):
            yield "An alliance stands with who is no more."


def _open(state: State) -> Iterator[str]:
    if len(state.conflicts) > 1 or len(state.powers) > 1 or len(state.motions) > 1:
        yield "More than one conflict, power or motion is open."
    if state.conflicts and state.course.step is not Step.TURN:
        yield "A conflict is open outside a turn."
    for offer in state.offers.values():
        if offer.id not in state.prompts:
            yield "An offer is asked of nobody."


def _wars(state: State) -> Iterator[str]:
    """DW-WAR-*: one war at a time, in somebody's turn, waiting for an answer."""
    if len(state.wars) > 1:
        yield "More than one war is fought."
    for war in state.wars.values():
        if state.course.step is not Step.TURN or war.attacker not in state.gods:
            yield "A war is fought outside a turn, or by nobody."
        if (war.city is None) is (war.avatar is None) or (war.armies and war.alone is not None):
            yield "A war is made on nobody, or on two; or an avatar who has armies marches alone."


CHECKS: tuple[Callable[[State], Iterator[str]], ...] = (
    _points,
    _course,
    _peoples,
    _land,
    _places,
    _bonds,
    _open,
    _wars,
)
