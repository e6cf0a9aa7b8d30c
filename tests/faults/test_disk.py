"""The disk is full, or the database may only be read: 503 and when to try again, nothing half done; play goes on."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from django.core.cache import caches
from django.db import DatabaseError, connection

from games import services
from games.models import LoggedEvent, Receipt, Timer
from tests.api.worlds import ToyGame, client, toy_game
from tests.toy.models import Pile, Tide

Fault = Callable[[], AbstractContextManager[None]]
ON_SQLITE = connection.vendor == "sqlite"
pytestmark = pytest.mark.django_db(transaction=True)


def say(statement: str) -> None:
    """Set an option of this database connection."""
    with connection.cursor() as cursor:
        cursor.execute(statement)


@contextmanager
def read_only() -> Iterator[None]:
    """Nothing can be written: a disk that was remounted, a standby that was asked by mistake."""
    on, off = ("PRAGMA query_only = 1", "PRAGMA query_only = 0") if ON_SQLITE else (
        "SET default_transaction_read_only = on", "SET default_transaction_read_only = off"
    )  # fmt: skip
    say(on)
    try:
        yield
    finally:
        say(off)


@contextmanager
def full() -> Iterator[None]:
    """No page can be added to the database; on PostgreSQL the log's table says what the server says of a full disk."""
    if ON_SQLITE:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM")  # the tests before this one leave pages free, some of them thousands
            limit = cursor.execute("PRAGMA max_page_count").fetchone()[0]
            cursor.execute("PRAGMA max_page_count = 1")  # as small as what is there
    else:
        say(
            "CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$"
        )
        say(f"CREATE TRIGGER no_space BEFORE INSERT ON {LoggedEvent._meta.db_table} EXECUTE FUNCTION no_space()")
    try:
        yield
    finally:
        if ON_SQLITE:
            say(f"PRAGMA max_page_count = {limit}")
        else:
            say(f"DROP TRIGGER no_space ON {LoggedEvent._meta.db_table}")
            say("DROP FUNCTION no_space")


FAULTS = [pytest.param(read_only, id="read-only"), pytest.param(full, id="full")]


def rows(toy: ToyGame) -> tuple[Any, ...]:
    """All that a command or a timer would change."""
    game = toy.fresh()
    return (
        game.seq, game.digest, game.paused_at, LoggedEvent.objects.filter(game=game).count(),
        list(Pile.objects.filter(game=game).values()), list(Timer.objects.filter(game=game).values()),
        list(Receipt.objects.filter(game=game).values_list("key")), Tide.objects.filter(game=game).count(),
    )  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_command_is_answered_with_503_and_the_same_key_works_when_the_disk_is_back(fault: Fault) -> None:
    caches["throttles"].clear()
    toy = toy_game()
    ann = client(toy.ann)
    assert ann.get(toy.path("state/")).status_code == 200
    filler, path = {"text": "x" * 200}, toy.path("commands/propose/")

    def send(n: int) -> Any:
        headers = {"Idempotency-Key": f"motion-{n}"}
        return ann.post(path, filler, content_type="application/json", headers=headers)

    with fault():
        before = rows(toy)
        for n in range(200):  # until what space is left is used up
            if (answer := send(n)).status_code != 201:
                break
            before = rows(toy)
        assert rows(toy) == before
        assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json")
        assert answer.json()["code"] == "database.down"
        assert int(answer["Retry-After"]) > 0
        assert ann.get(toy.path("events/")).status_code == 200
        found = ann.get(toy.path("state/")).json()
        assert len(found["prompts"]) == n

    assert send(n).status_code == 201
    again = send(n)
    assert (again.status_code, again.json()["replayed"]) == (201, True)
    assert len(ann.get(toy.path("state/")).json()["prompts"]) == n + 1


@pytest.mark.parametrize("fault", FAULTS)
def test_a_timer_waits_for_the_disk_and_then_fires_at_its_own_time(fault: Fault) -> None:
    toy = toy_game('{"tide_seconds": 3600, "tides": 1000}')

    def tide() -> Timer:
        return Timer.objects.get(game=toy.game, key="tide")

    with fault():
        before, due = rows(toy), tide().due
        with pytest.raises(DatabaseError):
            for _ in range(500):  # until what space is left is used up
                assert services.fire_due(toy.game.pk, due) == 1
                before, due = rows(toy), tide().due
        for _ in range(4):
            with pytest.raises(DatabaseError):
                services.fire_due(toy.game.pk, due)
        assert rows(toy) == before
    assert (toy.fresh().paused_at, tide().failures) == (None, 0)
    assert services.fire_due(toy.game.pk, due) == 1
    assert LoggedEvent.objects.filter(game=toy.game, type="TideCame").latest("seq").at == due
