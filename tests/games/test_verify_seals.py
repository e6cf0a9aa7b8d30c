"""Seals are checked from outside: a reader of what is public alone shows that orders stood before the reveal."""

import json
from hashlib import sha256

import pytest
from django.test import Client

from games.albraxas.rules.orders.commands import OpenOrders, SealOrders, WriteOrders
from tests.games import dawn
from tests.games.albraxas import ALBERT, HOLE_UP, battle, begin, blitz

pytestmark = [pytest.mark.django_db, pytest.mark.rule("CF-9", "AX-TRN-5")]
SALT = "the salt that Rex has drawn"


def events_of(here, kind: str):
    """The public events of a kind, as a stranger reads them."""
    page = Client().get(here.url("events/?limit=500")).json()["results"]
    return [event["data"] for event in page if event["type"].endswith(f".{kind}")]


def digest(salt: str, convalesce: bool, orders) -> str:
    """What docs and rulebook say: SHA-256 of `salt:orders`, the orders as canonical JSON."""
    value = json.dumps({"convalesce": convalesce, "orders": orders}, sort_keys=True, separators=(",", ":"))
    return sha256(f"{salt}:{value}".encode()).hexdigest()


def test_a_stranger_proves_every_seal_that_was_not_rewritten_and_finds_the_one_that_was():
    here = begin()
    here.go(ria=1, rex=2)
    here.write(ria=(battle(2), blitz(3)))
    own = {"action": "battle", "dice": None, "tie": {"max": 1, "mode": "if_wins"}}
    here.run(SealOrders(digest=digest(SALT, False, [own])), "rex")
    here.write(albert=(battle(),))
    assert events_of(here, "OrdersRevealed") == []
    here.run(OpenOrders(orders=(battle(1),), salt=SALT), "rex")
    sealed = {event["seat"]: event["digest"] for event in events_of(here, "OrdersSealed")}
    (shown,) = events_of(here, "OrdersRevealed")
    proved = {p["seat"]: digest(p["salt"], p["convalesce"], p["orders"]) for p in shown["papers"]}
    assert proved == sealed and len(proved) == 3

    here = begin()
    here.go(ria=1, rex=2)
    here.write(ria=(HOLE_UP,), rex=(battle(),))
    here.run(WriteOrders(convalesce=True), "ria")
    here.write(albert=())
    sealed = {event["seat"]: event["digest"] for event in events_of(here, "OrdersSealed")}
    (shown,) = events_of(here, "OrdersRevealed")
    proved = {p["seat"]: digest(p["salt"], p["convalesce"], p["orders"]) for p in shown["papers"]}
    assert len(sealed) == 3
    assert {seat for seat in sealed if proved[seat] != sealed[seat]} == {str(here.seats["ria"])}
    assert proved[str(here.seats[ALBERT])] == sealed[str(here.seats[ALBERT])]


@pytest.mark.rule("DW-AGE-5")
def test_a_stranger_proves_every_ballot_of_dawn():
    here = dawn.begin()
    here.run(dawn.command("open-motion", length=6), here.active)
    (opened,) = events_of(here, "MotionOpened")
    for name, yes in (("ann", False), ("bob", True), ("cat", False)):
        here.run(dawn.command("cast-ballot", motion=opened["motion"], yes=yes), name)
        assert len(events_of(here, "MotionClosed")) == (name == "cat")
    sealed = {event["seat"]: event["digest"] for event in events_of(here, "BallotSealed")}
    (closed,) = events_of(here, "MotionClosed")
    proved = {b["seat"]: sha256(f"{b['salt']}:{json.dumps(b['yes'])}".encode()).hexdigest() for b in closed["ballots"]}
    assert proved == sealed and len(proved) == 3


def test_the_salt_of_a_seal_is_too_long_to_be_guessed_and_never_the_same():
    here = begin()
    here.go(ria=1, rex=2)
    here.write(ria=(), rex=(), albert=())
    (shown,) = events_of(here, "OrdersRevealed")
    salts = {paper["salt"] for paper in shown["papers"]}
    assert len(salts) == 3 and min(map(len, salts)) >= 32
