"""A log that was restored from an earlier copy: a reader of events that it no longer holds gets a refusal (P4).

Streams and subscriptions: `test_streams_door.py`, `test_streams_websocket.py`.
"""

import pytest

from games.engine.audience import seat_and_gm
from games.storage import cursors
from tests.api.test_graphql_play import fault
from tests.api.worlds import assert_refused, client, cursor_ahead, restore_afterwards, run, toy_game
from tests.toy.rules.commands import AddStones, HideCoins

pytestmark = pytest.mark.django_db
LOG = {
    "events": "query($g: UUID!, $a: String!) { game(id: $g) { events(after: $a) { cursor } } }",
    "dice": "query($g: UUID!, $a: String!) { game(id: $g) { dice(after: $a) { cursor } } }",
    "chronicle": "query($g: UUID!, $a: String!) { game(id: $g) { chronicle(after: $a) { cursor } } }",
}


@pytest.mark.parametrize("command", [AddStones(stones=1), HideCoins(coins=1)], ids=["public", "secret"])
def test_a_cursor_ahead_of_a_restored_log_is_refused_by_everything_that_reads_the_log(command):
    toy = toy_game()
    run(toy, AddStones(stones=1), toy.bob)
    bob, cursor = client(toy.bob), cursor_ahead(toy, toy.bob, command)
    for name, query in LOG.items():
        assert_refused(bob.get(toy.path(f"{name}/?after={cursor}")), 410, "cursor.ahead")
        found = fault(bob, query, g=str(toy.game.pk), a=cursor)
        assert (found["code"], found["status"]) == ("cursor.ahead", 410)
    stale = bob.post(
        toy.path(f"commands/add-stones/?expected={cursor}"), {"stones": 1}, content_type="application/json"
    )
    assert_refused(stale, 412, "position.stale")
    here = bob.get(toy.path()).json()["cursor"]
    assert bob.get(toy.path(f"events/?after={here}")).json() == {
        "results": [], "start": here, "cursor": here, "more": False,
    }  # fmt: skip


def test_a_reader_ahead_of_the_restored_log_gets_the_full_state():
    toy = toy_game()
    ann = client(toy.ann)
    before = ann.get(toy.path("state/"))
    with restore_afterwards():
        run(toy, AddStones(stones=1), toy.ann)
        tag = ann.get(toy.path("state/"))["ETag"]
    again = ann.get(toy.path("state/"), headers={"If-None-Match": tag})
    assert (again.status_code, again["ETag"]) == (200, before["ETag"])
    assert again.json()["cursor"] == before.json()["cursor"]
    assert ann.get(toy.path("state/"), headers={"If-None-Match": before["ETag"]}).status_code == 304


def test_a_cursor_with_streams_of_others_is_ahead_of_nothing_and_reveals_none():
    """Whether Bob's stream is there, and how far it goes, must not show in how Ann's made-up cursor is taken."""
    toy = toy_game()
    made_up = cursors.encode({seat_and_gm(toy.seat(toy.bob)): 99, "gm": 99})
    ann, place = client(toy.ann), toy.path(f"events/?after={made_up}")
    before = ann.get(place)
    run(toy, HideCoins(coins=1), toy.bob)
    assert before.status_code == 200 and ann.get(place).json() == before.json()
    assert_refused(client(toy.bob).get(place), 410, "cursor.ahead")
    assert_refused(client(toy.host).get(f"{place}&as=gm"), 410, "cursor.ahead")
