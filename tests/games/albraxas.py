"""A game of Albraxas in the service, for the tests: a host who leads it, Albert who plays Albraxas, and rebels."""

import json
from datetime import datetime, timedelta
from typing import Any

from games import services
from games.albraxas.rules.locate.commands import LockLocation, SetLocation
from games.albraxas.rules.orders.commands import WriteOrders
from games.albraxas.rules.setup.commands import DefineCharacter, PlayAlbraxas
from games.albraxas.rules.state.schema_types import Order
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import EndSetup, Start
from games.engine.lifecycle.seating import AddSeat, Join
from games.models import Seat
from tests.api.worlds import user
from tests.games.table import DAWN, Table

ALBERT, REBELS = "albert", ("ria", "rex")
SMALL = {"phases": 4, "sides": 6}
FOUR_FIVE_FOUR, SIX_EIGHT_SIX = (4, 5, 4), (6, 8, 6)
HOLE_UP = Order(action="hole_up")


class Battle(Table):
    """A game of Albraxas."""

    # --- what a turn is made of --------------------------------------------------------------------------------------
    def go(self, **places: int) -> None:
        """Rebels set and lock their places."""
        for name, phase in places.items():
            self.run(SetLocation(phase=phase), name)
            self.run(LockLocation(), name)

    def write(self, **written: tuple[Order, ...]) -> None:
        """Characters write their orders; nothing is hole_up."""
        for name, orders in written.items():
            self.run(WriteOrders(orders=orders), name)


PEOPLE = (*REBELS, ALBERT)


def open_lobby(options: dict[str, Any] | None = None, people: tuple[str, ...] = PEOPLE, now: datetime = DAWN) -> Battle:
    """A game in the lobby with a seat for each of these people."""
    text = json.dumps(SMALL if options is None else options)
    game = services.open_game("albraxas", "Storm", user=user("host").pk, options=text, now=now)
    here = Battle(game.pk, now=now)
    for name in people:
        services.run(game.pk, Join(name=name.title()), actor=Actor(Issuer.SEAT, user(name).pk), now=now)
        here.seats[name] = Seat.objects.get(game=game, user=user(name)).pk
    return here


def writing(options: dict[str, Any] | None = None, people: tuple[str, ...] = PEOPLE, now: datetime = DAWN) -> Battle:
    """A game in which characters are written; Albert plays Albraxas."""
    here = open_lobby(options, people, now)
    here.run(PlayAlbraxas(), ALBERT)
    here.run(Start())
    return here


def define(here: Battle, name: str, numbers: tuple[int, int, int] | None = None) -> None:
    """A player writes a character."""
    backbone, battle, blitz = numbers or (SIX_EIGHT_SIX if name == ALBERT else FOUR_FIVE_FOUR)
    here.run(DefineCharacter(name=f"Great {name}", backbone=backbone, battle=battle, blitz=blitz), name)


def begin(options: dict[str, Any] | None = None, people: tuple[str, ...] = PEOPLE, now: datetime = DAWN) -> Battle:
    """A game in LOCATE of turn 1."""
    here = writing(options, people, now)
    for name in people:
        define(here, name)
    here.run(EndSetup())
    return here


def of_bots(policies: tuple[str, ...], options: dict[str, Any] | None = None) -> Battle:
    """A game of bots, the first of them Albraxas, in which characters are being written."""
    here = open_lobby(options, ())
    for number, policy in enumerate(policies):
        here.run(AddSeat(name=f"Bot {number}", bot=policy))
        here.seats[f"bot{number}"] = Seat.objects.get(game=here.id, name=f"Bot {number}").pk
    here.run(PlayAlbraxas(seat=here.seats["bot0"]))
    here.run(Start())
    here.now += timedelta(seconds=1)
    return here


def battle(most: int = 0) -> Order:
    """The order to battle."""
    return Order.model_validate({"action": "battle", "tie": {"max": most}})


def blitz(dice: int) -> Order:
    """The order to blitz with so many dice."""
    return Order(action="blitz", dice=dice)
