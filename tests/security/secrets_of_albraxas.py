"""The secrets of Albraxas."""

from games.albraxas.rules.locate.commands import LockLocation, SetLocation, UnlockLocation
from games.albraxas.rules.locate.events import LocationLocked, LocationSet, LocationUnlocked
from games.albraxas.rules.orders.commands import SealOrders, WriteOrders
from games.albraxas.rules.orders.events import OrdersSealed, OrdersWritten
from games.albraxas.rules.setup.commands import DefineCharacter
from games.albraxas.rules.setup.events import CharacterWritten
from games.albraxas.rules.state.schema_types import Step
from games.engine.kernel import Actor, Command, Issuer
from tests.games.albraxas import battle, blitz
from tests.security.grounds import Ground
from tests.security.planting import Plant


def as_rob(g: Ground, *commands: Command) -> None:
    """Rob, whom none of the viewers plays, does this."""
    rob = g.game.seats.get(name="Rob")
    for command in commands:
        g.run(command, Actor(Issuer.SEAT, rob.user_id, rob.pk))


def ria_does(step: Step, *commands: Command) -> Plant:
    """The owner does this in a step, and nothing of it is public."""

    def plant(g: Ground) -> None:
        for command in commands:
            g.as_owner(command)

    return Plant("albraxas", plant, step=step.value)


def character(name: str, *numbers: int) -> DefineCharacter:
    """A character to be written."""
    return DefineCharacter(name=name, **dict(zip(("backbone", "battle", "blitz"), numbers, strict=True)))


THIRD, FIFTH, LOCK = SetLocation(phase=3), SetLocation(phase=5), LockLocation()
ALBRAXAS = {
    CharacterWritten: Plant(
        "albraxas",
        lambda g: as_rob(g, character("Rob", 4, 5, 4), character("Rob", 1, 1, 11)),
        lambda g: as_rob(g, character("Rob", 5, 5, 3)),
        step="characters",
    ),
    LocationSet: ria_does(Step.LOCATE, THIRD, FIFTH),
    LocationLocked: Plant("albraxas", lambda g: as_rob(g, THIRD, LOCK), step="locate"),
    LocationUnlocked: ria_does(Step.LOCATE, THIRD, LOCK, UnlockLocation(), FIFTH),
    OrdersWritten: ria_does(Step.ORDER, WriteOrders(orders=(blitz(4),)), SealOrders(digest="f" * 64)),
    OrdersSealed: Plant(
        "albraxas",
        lambda g: as_rob(g, WriteOrders(orders=(battle(5),)), SealOrders(digest="e" * 64), WriteOrders()),
        lambda g: as_rob(g, WriteOrders(convalesce=True)),
        step="order",
    ),
}
"""That Rob has written something is public, and the character's name; not what it is, nor that it was changed."""
