"""Leaving a seat: it stands empty, then what it owes is settled; nobody does after the end, or without a seat."""

from collections.abc import Iterator
from typing import Any, ClassVar
from uuid import UUID

import pytest

from games.engine.game_state import Status
from games.engine.insight.legal_commands import LegalCommand, legal_commands_for
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.lifecycle import leaving
from games.engine.lifecycle.seating import HandedOver
from tests.engine.cairns import ANN, BOB, ruleset_with, table
from tests.playbook import refused
from tests.rulesets import RULESETS

LEFT = {slug: ruleset for slug, ruleset in RULESETS.items() if "leave-seat" in ruleset.commands}


class SeatLeft(leaving.SeatLeft[Any]):
    """Somebody has left."""


class DebtSettled(Event[Any]):
    """What an empty seat owed is settled."""

    is_held: bool


class LeaveSeat(leaving.LeaveSeat[Any]):
    """Leave a table at which a seat owes something."""

    left: ClassVar[type[SeatLeft]] = SeatLeft
    end_rules: ClassVar[tuple[str, ...]] = ("TOY-END-1",)

    def settle_left_seat(self, state: Any, ctx: Context, seat: UUID) -> Iterator[Event]:
        """The debt."""
        yield DebtSettled(is_held=state.is_held(seat))


def test_what_a_left_seat_owes_is_settled_once_it_stands_empty() -> None:
    here = table(ruleset=ruleset_with(LeaveSeat))

    events = here.when(LeaveSeat(), by=ANN)

    assert events[:3] == [SeatLeft(seat=ANN), HandedOver(seat=ANN, user=None), DebtSettled(is_held=False)]
    assert (here.state.is_held(ANN), here.state.is_held(BOB)) == (False, True)


def test_a_seat_may_be_left_until_the_end_and_that_is_offered_as_what_ends_its_part() -> None:
    here = table(ruleset=ruleset_with(LeaveSeat))
    actor = Actor(Issuer.SEAT, seat=ANN)
    assert legal_commands_for(here.state, (LeaveSeat,), actor) == [LegalCommand("leave-seat", quits=True)]

    here.state.set_status(Status.FINISHED)

    with refused("phase.closed", here.state) as caught:
        here.when(LeaveSeat(), by=ANN)
    assert caught.value.rules == ("TOY-END-1",)
    (barred,) = legal_commands_for(here.state, (LeaveSeat,), actor)
    assert barred.barred is not None and barred.barred.code == "phase.closed"


def test_nobody_leaves_a_seat_that_is_not_there() -> None:
    here = table(ruleset=ruleset_with(LeaveSeat))

    with refused("seat.missing", here.state):
        here.when(LeaveSeat(), by=UUID(int=0xFFFF))


@pytest.mark.parametrize("slug", sorted(LEFT))
def test_every_game_has_the_one_command_with_its_own_event_and_the_rules_that_let_a_player_go(slug: str) -> None:
    ruleset = LEFT[slug]
    command = ruleset.commands["leave-seat"]

    assert issubclass(command, leaving.LeaveSeat)
    assert ruleset.events["SeatLeft"] is command.left
    assert command.rules and command.left.rules
    assert command.decide is leaving.LeaveSeat.decide
    state: Any = ruleset.new_state(UUID(int=1))
    state.set_status(Status.FINISHED)
    with refused("phase.closed") as caught:
        state.require_unfinished(command.end_rules)
    assert caught.value.rules
