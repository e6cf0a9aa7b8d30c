"""A Divine Conflict is decided once: its worker dies at any step of the deadline that ends the auction.

The auction stands inside a question inside a turn, and the next refuser's question follows upon it.
"""

import signal
from datetime import datetime
from pathlib import Path
from uuid import UUID

import pytest

from games import services
from games.dawn.rules.state.invariants import violations
from games.models import Prompt, Receipt, Timer
from games.runtime import failpoints
from tests.faults.servers import choice
from tests.faults.shared import healthy
from tests.faults.test_killed import fire_when_free, work
from tests.games.dawn import World, begin, command

EVENTS = (
    "TimerFired", "DeadlinePassed", "BidFolded", "PromptClosed", "ConflictResolved", "PowerAdvanced", "PromptOpened",
    "TimerSet", "TimerFrozen", "TimerThawed",
)  # fmt: skip
STEPS = [
    *(point for point in failpoints.POINTS if point != failpoints.EVENT_DECIDED),
    *(f"{failpoints.EVENT_DECIDED}:{event}" for event in EVENTS),
]
SHORT = [f"{failpoints.EVENT_DECIDED}:ConflictResolved"]
BID, PRICE = 4, 3


def late() -> tuple[World, datetime]:
    """Ann shapes land of Bob and Cat, who both refuse; she has bid against the first; and the second's deadline."""
    here = begin()
    for name, at in (("bob", (1, 0)), ("cat", (2, 0))):
        here.turn_of(name)
        here.grant(name, 20)
        here.shape(name, f"Shore of {name}", at)
    here.turn_of("ann")
    here.grant("ann", 20)
    here.shape("ann", "Two shores", (1, 0), (2, 0), (3, 0))
    for name in ("bob", "cat"):
        here.run(command("answer-leave", prompt=here.prompt_of("ask.leave"), yes=False), name)
    here.run(command("open-conflict", prompt=here.prompt_of("ask.decide")), "ann")
    (conflict,) = here.state.conflicts
    here.run(command("place-bid", conflict=conflict, total=BID), "ann")
    auction = Prompt.objects.get(game=here.id, kind="auction")
    assert (
        auction.parent is not None and Timer.objects.get(game=here.id, due__isnull=False).key == f"prompt:{auction.pk}"
    )
    return here, Timer.objects.get(game=here.id, due__isnull=False).due


def points(here: World, name: str) -> tuple[int, int, int]:
    """Free, held and spent points of a god."""
    purse = here.state.purses[here.seats[name]]
    return purse.balance, purse.held, purse.spent


@pytest.mark.django_db
def test_the_steps_of_an_auctions_end_are_all_there_are() -> None:
    here, due = late()
    _, happened = healthy(here.id, due)
    assert happened == set(EVENTS)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.rule("DW-DC-4", "DW-DC-5", "DW-LAND-3", "DW-AMB-31", "DW-AMB-36")
@pytest.mark.parametrize("point", choice(STEPS, SHORT))
def test_an_auction_whose_worker_dies_is_decided_once_and_no_point_is_lost(tmp_path: Path, point: str) -> None:
    here, due = late()
    before, (aim, _) = here.game.digest, healthy(here.id, due)
    had = {name: points(here, name) for name in here.seats}
    first = UUID(here.events_of("ConflictOpened")[0]["challenger"])

    killed = work(here.id, due, tmp_path, point)

    assert killed.returncode == -signal.SIGKILL, killed.stderr
    committed = point == failpoints.COMMIT
    assert here.game.digest == (aim if committed else before)
    here.rows_agree()
    assert (services.fire_due(here.id, due) if committed else fire_when_free(here.id, due)) == (0 if committed else 1)
    assert here.game.digest == aim
    here.rows_agree()
    assert Receipt.objects.filter(game=here.id, principal="clock").count() == 1
    (resolved,) = here.events_of("ConflictResolved")
    assert (resolved["winner"], resolved["paid_invoker"], resolved["paid_challenger"]) == ("invoker", BID, 0)
    assert {name: points(here, name) for name in here.seats} == had and violations(here.state) == []

    (prompt,) = (p for p in here.state.prompts.values() if p.kind == "ask.decide")
    other = next(name for name in ("bob", "cat") if here.seats[name] != first)
    assert f"Great {other}" in prompt.question
    here.now = due
    here.run(command("withdraw-power", prompt=prompt.id), "ann")
    balance, held, spent = had["ann"]
    assert points(here, "ann") == (balance + PRICE, held - PRICE, spent)
    assert violations(here.state) == []
    here.rows_agree()
