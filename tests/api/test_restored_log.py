"""A log that was restored from an earlier copy: a reader of events that it no longer holds gets a refusal (P4).

Where it has gone on past them, no process may take what it remembers of the other log for a part of this one: a number
of an event names no position, its digest does. Who looks by the door: `test_door_guards.py`.

Streams and subscriptions: `test_streams_door.py`, `test_streams_websocket.py`.
"""

import pytest
from django.test import Client, TestCase
from django.utils import timezone

from core.process_cache import clear_process_caches
from games import services
from games.engine.audience import seat_and_gm
from games.gods2.rules.history.naming import NamePlace
from games.gods2.rules.state.value_types import Place
from games.storage import cursors
from tests.api.pictures import earth, gm_of
from tests.api.test_graphql_play import fault
from tests.api.worlds import ToyGame, assert_refused, client, cursor_ahead, restore_afterwards, run, toy_game
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


STATE = "query($g: UUID!) { game(id: $g) { ... on ToyGame { state { piles { stones } } } } }"


def add(toy: ToyGame, stones: int) -> None:
    """Bob adds stones; the process keeps the state."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        run(toy, AddStones(stones=stones), toy.bob)


def test_what_was_read_of_another_log_is_not_shown_where_the_restored_one_has_gone_on_past_it(monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    toy = toy_game()
    ann = client(toy.ann)

    def read() -> list[object]:
        asked = {"query": STATE, "variables": {"g": str(toy.game.pk)}}
        return [
            ann.get(toy.path("state/")).json(),
            ann.post("/graphql/", asked, content_type="application/json").json()["data"]["game"],
        ]

    read()
    with restore_afterwards():
        for _ in range(2):
            run(toy, AddStones(stones=5), toy.ann)
            read()
    for _ in range(3):
        add(toy, 1)
    found = read()
    clear_process_caches()
    assert found == read()
    assert [pile["stones"] for pile in found[0]["piles"]] == [3]


@pytest.mark.parametrize(
    "shown", ["/api/v1/games/{}/map.svg", "/games/{}/screen/map.svg", "/games/{}/screen/charts/population.svg"]
)
def test_a_picture_of_another_log_is_not_shown_at_the_same_cursor_of_the_restored_one(shown, monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    played = earth()
    race = next(iter(played.cast.races.values()))

    def draw(name: str) -> bytes:
        """What is drawn once a race and a land have this name."""
        for named in (
            {"kind": "race", "subject": race},
            {"kind": "land", "squares": (Place(x=1, y=0), Place(x=0, y=0))},
        ):
            services.run(played.game.pk, NamePlace(name=name, **named), actor=gm_of(played))
        answer = Client().get(shown.format(played.game.pk))
        assert answer.status_code == 200
        return answer.content

    with restore_afterwards():
        assert b"Formerly" in draw("Formerly")
    found = draw("Hitherto")
    assert b"Hitherto" in found and b"Formerly" not in found
