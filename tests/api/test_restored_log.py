"""A log that was restored from an earlier copy: a reader of events that it no longer holds gets a refusal (P4).

Where it has gone on past them, no process may take what it remembers of the other log for a part of this one: a number
of an event names no position, its digest does. Who looks by the door: `test_door_guards.py`.

Streams and subscriptions: `test_streams_door.py`, `test_streams_websocket.py`.
"""

import json
from base64 import urlsafe_b64encode
from collections.abc import Sequence

import pytest
from django.http import HttpResponse
from django.test import Client, TestCase
from django.utils import timezone

from core.process_cache import clear_process_caches
from games import services
from games.engine.audience import seat_and_gm
from games.engine.errors import Refused
from games.engine.kernel import Command
from games.gods2.rules.history.commands import NamePlace
from games.gods2.rules.state.value_types import Place
from games.models import LoggedEvent
from games.reads import selectors
from games.storage import cursors
from games.storage.cursors import Head
from tests.api.pictures import earth, gm_of
from tests.api.test_graphql_play import fault
from tests.api.worlds import ToyGame, assert_refused, client, cursor_ahead, restore_afterwards, run, toy_game
from tests.toy.rules.commands import AddStones, HideCoins
from worlds.visibility import Visibility

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
    made_up = cursors.encode({seat_and_gm(toy.seat(toy.bob)): Head(99), "gm": Head(99, "0123abcd")})
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

    def draw(name: str) -> HttpResponse:
        """What is drawn once a race and a land have this name."""
        for named in (
            {"kind": "race", "subject": race},
            {"kind": "land", "squares": (Place(x=1, y=0), Place(x=0, y=0))},
        ):
            services.run(played.game.pk, NamePlace(name=name, **named), actor=gm_of(played))
        answer = Client().get(shown.format(played.game.pk))
        assert answer.status_code == 200
        return answer

    with restore_afterwards():
        former = draw("Formerly")
        assert b"Formerly" in former.content
    found = draw("Hitherto").content
    assert b"Hitherto" in found and b"Formerly" not in found
    tag = former.get("ETag", "none")  # a screen gives none
    again = Client().get(shown.format(played.game.pk), headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (200, found)


FUTURES = {
    "public": ([AddStones(stones=5)], [AddStones(stones=1)]),
    "secret": ([HideCoins(coins=5)], [HideCoins(coins=1)]),
    "equal at last": ([AddStones(stones=5), AddStones(stones=3)], [AddStones(stones=1), AddStones(stones=3)]),
}
"""What is played before the restore and after it: to the same heads, at the same moments."""


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wall clock stands, so that equal events of two futures have equal times."""
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)


def play(toy: ToyGame, commands: Sequence[Command]) -> None:
    """Bob issues commands; the process keeps the state."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        for command in commands:
            run(toy, command, toy.bob)


def ordinals(cursor: str) -> dict[str, int]:
    """The heads in a cursor, without what tells one future from another."""
    return {name: head.ordinal for name, head in cursors.decode(cursor).items()}


@pytest.mark.parametrize("former, later", FUTURES.values(), ids=FUTURES)
def test_nothing_a_client_keeps_of_another_future_of_the_same_heads_is_taken_for_this_one(former, later, stopped):
    """The tag of the state, the cursor to read on from, the position that a command expects."""
    toy = toy_game()
    bob = client(toy.bob)
    with restore_afterwards():
        play(toy, former)
        old = bob.get(toy.path("state/"))
    play(toy, later)
    cursor = old.json()["cursor"]
    new = bob.get(toy.path("state/"), headers={"If-None-Match": old["ETag"]})
    assert (new.status_code, new.json()["cursor"] == cursor) == (200, False)
    assert ordinals(new.json()["cursor"]) == ordinals(cursor)
    for name, query in LOG.items():
        assert_refused(bob.get(toy.path(f"{name}/?after={cursor}")), 410, "cursor.ahead")
        found = fault(bob, query, g=str(toy.game.pk), a=cursor)
        assert (found["code"], found["status"]) == ("cursor.ahead", 410)
    for before in ("events", "chronicle"):
        assert_refused(bob.get(toy.path(f"{before}/?last=2&before={cursor}")), 410, "cursor.ahead")
    here = new.json()["cursor"]
    for expected, status in ((cursor, 412), (f"{cursor},nothing", 412), (f"{cursor},{here}", 201)):
        address = toy.path(f"commands/add-stones/?expected={expected}")
        assert bob.post(address, {"stones": 1}, content_type="application/json").status_code == status


@pytest.mark.parametrize("former, later", FUTURES.values(), ids=FUTURES)
def test_a_cursor_of_another_future_that_the_restored_log_has_gone_on_past_is_refused(former, later, stopped):
    toy = toy_game()
    bob = client(toy.bob)
    with restore_afterwards():
        play(toy, former)
        cursor = bob.get(toy.path()).json()["cursor"]
    play(toy, later)
    here = bob.get(toy.path()).json()["cursor"]
    play(toy, [AddStones(stones=2), HideCoins(coins=2)])
    asked = ("events/?", "dice/?", "chronicle/?", f"events/?about={toy.seat(toy.bob)}&", "events/?limit=1&")
    for place in asked:
        assert_refused(bob.get(toy.path(f"{place}after={cursor}")), 410, "cursor.ahead")
    backwards = ("events/?last=9&", "chronicle/?last=9&", f"events/?last=9&about={toy.seat(toy.bob)}&")
    for place in backwards:
        assert_refused(bob.get(toy.path(f"{place}before={cursor}")), 410, "cursor.ahead")
    page = bob.get(toy.path("events/?last=1&before=" + here)).json()
    assert bob.get(toy.path(f"events/?after={page['start']}&limit=1")).json()["results"] == page["results"]
    bobs = Visibility.of(toy.bob.pk, seats=[toy.seat(toy.bob)])
    with pytest.raises(Refused, match="restored"):
        selectors.check_cursor(toy.fresh(), bobs, cursor)  # who opens a stream
    selectors.check_cursor(toy.fresh(), bobs, here)
    found = [bob.get(toy.path(f"{place}after={here}")).json()["results"] for place in asked]
    assert [len(results) for results in found] == [2, 0, 1, 2, 1]


def test_what_others_read_leaves_no_trace_in_a_cursor(stopped):
    """The mark of a stream is a digest of that stream alone: Ann's cursor is the same whatever Bob has hidden."""
    toy, found = toy_game(), set()
    for coins in (1, 2):
        with restore_afterwards():
            play(toy, [HideCoins(coins=coins), AddStones(stones=1)])
            found.add(client(toy.ann).get(toy.path()).json()["cursor"])
    assert len(found) == 1


def test_a_cursor_of_a_release_without_marks_is_read_as_it_was(stopped):
    toy = toy_game()
    play(toy, [AddStones(stones=1)])
    bob = client(toy.bob)
    marked = bob.get(toy.path()).json()["cursor"]
    plain = {name: head.ordinal for name, head in cursors.decode(marked).items()}
    older = urlsafe_b64encode(json.dumps(plain).encode()).decode().rstrip("=")
    play(toy, [AddStones(stones=2)])
    assert [len(bob.get(toy.path(f"events/?after={at}")).json()["results"]) for at in (older, marked)] == [1, 1]
    LoggedEvent.objects.filter(game=toy.game).update(mark="")  # written by that release
    assert len(bob.get(toy.path(f"events/?after={marked}")).json()["results"]) == 1
