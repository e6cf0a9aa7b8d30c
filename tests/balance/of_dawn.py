"""Dawn in the frame: four gods, each a bot, with the options that a game is opened with."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

from games.dawn.rules import RULESET
from games.dawn.rules.powers.events import PowerDeclared, PowerResolved
from games.dawn.rules.powers.frame import PowerRules
from games.dawn.rules.state.options import DawnOptions
from games.dawn.rules.state.schema_types import Step
from games.dawn.rules.turn.events import RoundStarted
from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import Start
from tests.balance.frame import Bound, Facts, Standing
from tests.balance.tables import HOST, fresh, to_the_end
from tests.playbook import Playbook

GODS = 4
SETUP, STEP = timedelta(minutes=61), timedelta(minutes=1)


def start(number: int) -> Any:
    """The seats and options of game `number`."""
    return fresh(RULESET, UUID(int=0xBA1D << 64 | number), ("plain",) * GODS, DawnOptions())


def play(number: int) -> tuple[Playbook, Any]:
    """A whole game."""
    book = Playbook(RULESET, start(number))
    book.when(Start(), by=HOST)
    book.wait(SETUP)
    to_the_end(book, lambda state: state.course.step is Step.FINISHED, STEP)
    return book, start(number)


def holdings(state: Any) -> Standing:
    """Cities, orders and avatars of every god."""
    held: Counter[str] = Counter({str(god): 0 for god in state.gods})
    held.update(str(city.controller) for city in state.cities.values())
    held.update(str(owner) for order in state.orders.values() if not order.dissolved for owner in order.owners)
    held.update(str(avatar.owner) for avatar in state.avatars.values() if avatar.alive)
    return held


def powers(event: Event) -> Iterator[str]:
    """What a god uses."""
    if isinstance(event, PowerDeclared):
        yield f"power {event.does}"


FACTS = Facts(
    ruleset=RULESET,
    word="round",
    play=play,
    opened_by=(RoundStarted,),
    changes=(PowerResolved,),
    ahead="cities, orders and avatars of a god",
    standing=holdings,
    powers=powers,
    every_power=[f"power {c.slug()}" for c in RULESET.own.commands if issubclass(c, PowerRules)],
    unused={
        **dict.fromkeys(("configure-game", "set-map", "allow-reach"), "of the host and the game-master, beside play"),
        "leave-seat": "a bot stays to the end",
        "raise-challenge": "of the option `open_challenge`, without which games are opened; games at random have it",
    },
    seldom={"cancel-offer": "most offers are answered before their maker takes one back"},
    bounds={
        "shortest": Bound(least=15),
        "longest": Bound(most=30),
        "spread": Bound(least=33),
        "comebacks": Bound(most=70),
        "idle": Bound(most=15),
    },
    in_one={"longest": Bound(most=30), "idle": Bound(most=60)},
)
