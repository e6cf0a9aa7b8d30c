"""Albraxas in the frame: three `steady` rebels against a `steady` Albraxas, decided when it arrives (section 7)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

from games.albraxas.rules import RULESET
from games.albraxas.rules.ending.events import GameFinished
from games.albraxas.rules.resolve.events import (
    ActionResolved,
    BackboneChanged,
    CharacterFell,
    Convalesced,
    ValuesChanged,
)
from games.albraxas.rules.setup.commands import PlayAlbraxas
from games.albraxas.rules.state.options import AlbraxasOptions
from games.albraxas.rules.state.schema_types import Action, Side, Step
from games.albraxas.rules.turn.charts import strength
from games.albraxas.rules.turn.events import TurnStarted
from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import EndSetup, Start
from tests.balance.frame import Bound, Facts
from tests.balance.tables import HOST, fresh, to_the_end
from tests.playbook import Playbook

REBELS = 3
ALBRAXAS = UUID(int=100 + REBELS)
SETUP = timedelta(minutes=1)
SIDES = {Side.ALBRAXAS: "tide", Side.REBEL: "ebb"}
"""The mark of each side."""


def start(number: int) -> Any:
    """The seats and options of game `number`; the last seat is that of Albraxas."""
    options = AlbraxasOptions()
    late = options.model_copy(update={"check_from": options.phases - 1})
    return fresh(RULESET, UUID(int=0xBA1A << 64 | number), ("steady",) * (REBELS + 1), late)


def play(number: int) -> tuple[Playbook, Any]:
    """A whole game."""
    book = Playbook(RULESET, start(number))
    book.when(Start(), by=HOST)
    book.when(PlayAlbraxas(seat=ALBRAXAS), by=HOST)
    book.wait(SETUP)
    book.when(EndSetup(), by=HOST)
    to_the_end(book, lambda state: state.storm.step is Step.FINISHED, timedelta(minutes=10))
    return book, start(number)


def powers(event: Event) -> Iterator[str]:
    """What a character does in a juncture."""
    match event:
        case ActionResolved():
            yield f"action {event.action.value}"
        case Convalesced():
            yield f"action {Action.CONVALESCE.value}"


FACTS = Facts(
    ruleset=RULESET,
    word="turn",
    play=play,
    opened_by=(TurnStarted,),
    changes=(ValuesChanged, BackboneChanged, CharacterFell, GameFinished),
    ahead="marks of a side",
    standing=lambda state: {figure.key: figure.amount for figure in strength(state, None)},
    winners=lambda state: [SIDES[state.storm.winner]],
    powers=powers,
    every_power=[f"action {action.value}" for action in Action],
    unused={
        **dict.fromkeys(("configure-game", "leave-seat", "concede"), "for people: a bot sits where it is, to the end"),
        "seal-orders": "a bot trusts the service with its orders",
        "open-orders": "a bot trusts the service with its orders",
        "unlock-location": "a bot locks where it means to stay",
    },
    bounds={
        "shortest": Bound(least=10),
        "longest": Bound(most=99),
        "spread": Bound(least=33),
        "comebacks": Bound(most=70),
        "idle": Bound(most=15),
        "rarest": Bound(least=30),
    },
    in_one={"longest": Bound(most=99), "idle": Bound(most=95)},
)
