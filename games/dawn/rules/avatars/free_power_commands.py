"""The free powers of an avatar (DW-AVA-3, DW-AVA-4): a god's powers, used on the avatar's square at no further cost."""

from collections.abc import Iterator
from enum import StrEnum
from uuid import UUID

from games.dawn.rules.command.arguments import Act, Args, require_argument, require_only
from games.dawn.rules.command.commands import CommandCity, CommandRace, acts_of, as_city
from games.dawn.rules.command.rules import founding_squares
from games.dawn.rules.land.presence import require_here
from games.dawn.rules.land.shaping import squares_domain
from games.dawn.rules.orders.commands import CommandOrder, CreateOrder
from games.dawn.rules.orders.rules import Task, living_orders
from games.dawn.rules.powers.frame import Cast, PowerRules, require_unmarked
from games.dawn.rules.races.alignment_commands import ShiftAlignment
from games.dawn.rules.state.records import Avatar
from games.dawn.rules.state.schema_types import OrderKind, Place, Value
from games.dawn.rules.state.state import State
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, Fields, FreeText
from games.engine.lifecycle.seating import Name


class FreePower(StrEnum):
    """What an avatar may do with a god's power, at no cost (DW-AVA-3)."""

    COMMAND_CITY = "command_city"
    CREATE_ORDER = "create_order"
    COMMAND_ORDER = "command_order"
    FOUND_CITY = "found_city"
    PURIFY_CITY = "purify_city"
    CORRUPT_CITY = "corrupt_city"


class FreeArgs(Value):
    """The arguments of a free power: those it takes, and no others."""

    city: UUID | None = None
    """command_city: the city on the avatar's square."""
    act: Act | None = None
    """command_city: what the city is to do."""
    args: Args | None = None
    """command_city: the arguments of the act."""
    race: UUID | None = None
    """create_order, found_city: a race whose territory the avatar stands on."""
    kind: OrderKind | None = None
    """create_order: what the order is."""
    name: Name | None = None
    """create_order, found_city: the name."""
    order: UUID | None = None
    """command_order: an order of a race whose territory the avatar stands on."""
    task: Task | None = None
    """command_order: what it is to do."""
    square: Place | None = None
    """found_city: the avatar's square."""
    target: UUID | None = None
    """purify_city, corrupt_city: the city on the avatar's square."""


class FreeUse(Value):
    """A power that an avatar uses at no cost."""

    power: FreePower
    args: FreeArgs = FreeArgs()


FREE_TAKES: dict[FreePower, frozenset[str]] = {
    FreePower.COMMAND_CITY: frozenset({"city", "act", "args"}),
    FreePower.CREATE_ORDER: frozenset({"race", "kind", "name"}),
    FreePower.COMMAND_ORDER: frozenset({"order", "task"}),
    FreePower.FOUND_CITY: frozenset({"race", "square", "name"}),
    FreePower.PURIFY_CITY: frozenset({"target"}),
    FreePower.CORRUPT_CITY: frozenset({"target"}),
}
"""The arguments of each free power."""


def rules_of_free(use: FreeUse) -> PowerRules:
    """The power itself, with its arguments. Raises `act.invalid`."""
    args, power = use.args, use.power
    require_only(power, args, FREE_TAKES[power])
    match power:
        case FreePower.COMMAND_CITY:
            city, act = require_argument(args.city, power, "city"), require_argument(args.act, power, "act")
            return CommandCity(city=city, act=act, args=args.args or Args())
        case FreePower.CREATE_ORDER:
            race, name = require_argument(args.race, power, "race"), require_argument(args.name, power, "name")
            return CreateOrder(race=race, kind=require_argument(args.kind, power, "kind"), name=name)
        case FreePower.COMMAND_ORDER:
            return CommandOrder(
                order=require_argument(args.order, power, "order"), task=require_argument(args.task, power, "task")
            )
        case FreePower.FOUND_CITY:
            square, name = require_argument(args.square, power, "square"), require_argument(args.name, power, "name")
            founding = Args(square=square, name=name)
            return CommandRace(race=require_argument(args.race, power, "race"), act=Act.FOUND_CITY, args=founding)
        case FreePower.PURIFY_CITY:
            return ShiftAlignment(target=require_argument(args.target, power, "target"), dir=1)
        case FreePower.CORRUPT_CITY:
            return ShiftAlignment(target=require_argument(args.target, power, "target"), dir=-1)


def require_free_here(state: State, avatar: Avatar, power: PowerRules) -> None:
    """Refuse (`presence.missing`) a free power that does not act where the avatar stands (DW-AVA-4)."""
    match power:
        case CommandCity(city=target) | ShiftAlignment(target=target):
            city = state.city(target)
            require_here(avatar, f"in {city.name}", {(city.x, city.y)}, "DW-AVA-4")
        case CommandOrder(order=order) if order in state.orders:
            race = state.orders[order].race
            require_here(avatar, f"on the territory of {state.title(race)}", state.land_of(race), "DW-AVA-4")
        case CreateOrder(race=people):
            race = state.race(people).id
            require_here(avatar, f"on the territory of {state.title(race)}", state.land_of(race), "DW-AVA-4")
        case CommandRace(race=people, args=args) if args.square is not None:
            land = state.land_of(state.race(people).id)
            place = f"on ({args.square.x}, {args.square.y}) in the territory of {state.title(people)}"
            require_here(avatar, place, land & {args.square.at}, "DW-AVA-4")


def free_powers_of(state: State, avatar: Avatar) -> Iterator[tuple[Fields, Refused | None]]:
    """The free powers of an avatar where they stand, and why not."""
    at = (avatar.x, avatar.y)
    city, races = state.city_at(at), [r for r in state.living_races() if (r.id, *at) in state.territory]
    if city:
        for arguments, barred, _ in acts_of(state, avatar.owner, as_city(state, city), CommandCity.acts, led=True):
            yield _free(FreePower.COMMAND_CITY, city=Choices.of((city.id,)), **arguments), barred
        for power, direction in ((FreePower.PURIFY_CITY, 1), (FreePower.CORRUPT_CITY, -1)):
            shift = ShiftAlignment(target=city.id, dir=direction)
            yield _free(power, target=Choices.of((city.id,))), _refusal_through_avatar(state, avatar, shift)
    if races:
        among, kinds = Choices.of(r.id for r in races), Choices.of(k.value for k in OrderKind)
        yield _free(FreePower.CREATE_ORDER, race=among, name=FreeText(), kind=kinds), None
    orders = [o.id for o in living_orders(state) if o.race in {r.id for r in races}]
    if orders:
        yield _free(FreePower.COMMAND_ORDER, order=Choices.of(orders), task=FreeText()), None
    founders = [r.id for r in races if at in founding_squares(state, r)]
    if founders:
        place = squares_domain([at])
        yield _free(FreePower.FOUND_CITY, race=Choices.of(founders), square=place, name=FreeText()), None


def _refusal_through_avatar(state: State, avatar: Avatar, power: PowerRules) -> Refused | None:
    """Why a power with these arguments cannot be used through an avatar now."""
    try:
        require_unmarked(state, power.mark(state))
        power.check(state, Cast(avatar.owner, avatar.id))
    except Refused as barred:
        return barred
    return None


def _free(power: FreePower, **arguments: Domain) -> Fields:
    """A free power with all the arguments it takes."""
    args = Fields(arguments, required=tuple(arguments))
    return Fields({"power": Choices.of((power.value,)), "args": args}, required=("args",))
