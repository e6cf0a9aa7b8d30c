"""What a conflict is worth to a god without a player, and how far it bids in it (DW-DC-*).

What was bid is gone (DW-DC-5), so nobody bids more than the thing costs: the price of the power that is fought about,
of the land that would be shaped, of another avatar, of a new city or new armies in place of those that are hit.
"""

from uuid import UUID

from games.dawn.rules.conflict.commands import Fold, PlaceBid
from games.dawn.rules.conflict.events import auction_of
from games.dawn.rules.conflict.rules import bidder
from games.dawn.rules.land.commands import ShapeLand
from games.dawn.rules.state.constants import PRICES
from games.dawn.rules.state.schema_types import Price, Works
from games.dawn.rules.state.state import State
from games.dawn.rules.wonders.commands import WorkWonder
from games.dawn.rules.wonders.rules import armies_in
from games.engine.dice import Tray
from games.engine.economy.auction import reach
from games.engine.kernel import Command

RULE = "bot"
HONOUR = 3
"""What a conflict is worth in which a god has nothing but its word to lose."""
MOODS = (2, 3, 4)
"""How costly a thing is at the moment, in thirds of its worth; the dice choose."""


def worth(state: State, seat: UUID, about: UUID | None) -> int:
    """What it is worth to a god to win a conflict about a power or an avatar; about nothing: its honour. In points."""
    age = state.course.age - 1
    power = state.powers.get(about) if about is not None else None
    if power is None:
        return PRICES[Price.CREATE_AVATAR][age] if about in state.avatars else HONOUR
    if power.caster == seat:
        return power.price
    if power.does == WorkWonder.slug():
        return _stake_in(state, seat, WorkWonder.model_validate_json(power.arguments), power.price)
    if power.does != ShapeLand.slug():
        return power.price
    shaping = ShapeLand.model_validate_json(power.arguments)
    squares = sum(state.squares[place.at].shaped_by == seat for place in shaping.squares)
    cities = sum(city.controller == seat for city in shaping.drowned_cities(state))
    return max(1, squares * PRICES[Price.SHAPE_MUNDANE][age] + cities * PRICES[Price.COMMAND_RACE][age])


def _stake_in(state: State, seat: UUID, wonder: WorkWonder, price: int) -> int:
    """What a god would pay for what a catastrophe takes from it, in points; its honour where that is nothing.

    price: what any other wonder is worth.
    """
    controllers = {city.id: city.controller for city in state.cities.values()}
    match wonder.works:
        case Works.KILL_AVATAR:
            row, owners = Price.CREATE_AVATAR, [state.avatars[target].owner for target in wonder.targets]
        case Works.RAZE_CITY:
            row, owners = Price.COMMAND_RACE, [controllers[target] for target in wonder.targets]
        case Works.RAVAGE:
            armies = armies_in(state, (place.at for place in wonder.squares))
            row, owners = Price.COMMAND_CITY, [controllers[state.armies[army].city] for army in armies]
        case _:
            return price
    return PRICES[row][state.course.age - 1] * owners.count(seat) or HONOUR


def contests(state: State, seat: UUID, about: UUID | None) -> bool:
    """Whether a god has the points to fight for a thing: half of what it is worth, and one at least."""
    return 2 * state.balance(seat) >= max(2, worth(state, seat, about))


def bid(state: State, seat: UUID, tray: Tray, use: str) -> Command | None:
    """Half of what is left up to the worth of the thing, as long as that beats the other side; else fold."""
    for conflict in state.conflicts.values():
        if bidder(conflict) != seat:
            continue
        auction = auction_of(conflict)
        mood = tray.draw(f"{use}/mood", MOODS, RULE)
        most = min(worth(state, seat, conflict.about) * mood // 3, reach(auction, state.balance(seat)))
        if most <= auction.to_beat:
            return Fold(conflict=conflict.id)
        return PlaceBid(conflict=conflict.id, total=(auction.to_beat + most + 1) // 2)
    return None
