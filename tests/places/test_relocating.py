"""`places relocate`: a bucket goes to another server and comes back; killed anywhere, it is repeated whole."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection, connections, transaction
from django.db.migrations.executor import MigrationExecutor
from psycopg.errors import LockNotAvailable

from core.places import carrying, foreign, moving, relocating, routing
from core.places.models import Bucket
from core.places.routing import at_place
from games.models import Pulse
from tests import migrated
from tests.games.cairns import Cairns
from tests.places.buckets import NOON, TWO
from tests.places.elsewhere import (
    AWAY,
    OTHER,
    ask_other,
    first_game,
    opened_beside,
    ordinary_tables_at_home,
    places,
    relocate,
    server_away,
    session,
    where,
    write_stop,
)  # fmt: skip
from tests.places.test_games import issue, play, stones
from tests.places.test_moving import WAIT_SECONDS, until_somebody_waits
from tests.toy.rules.commands import AddStones

THERE = ("connect_both done", "_let_all_know", "carry", "carry done", "show_at_home", "_let_all_know 2")
HOME = ("_let_all_know", "carry", "carry done", "_let_all_know 2", "_drop_what_is_left done")
"""Where a relocation is killed: before a step, before its second time, or when it is done."""


@pytest.fixture(scope="module")
def first(two_servers: None) -> Cairns:
    return first_game()


@pytest.fixture
def second(first: Cairns, slots_as_they_are: None) -> Iterator[Cairns]:
    """A game of the second bucket, which lies at home, before and after."""
    found = opened_beside(first)
    play(issue(found, AddStones(stones=2)))
    yield found
    if where() != ("", "open"):
        relocate("home")
        routing.forget()
    assert stones(found) >= 2


@contextmanager
def killed_at(monkeypatch: pytest.MonkeyPatch, step: str) -> Iterator[None]:
    """The process ends at a step."""
    name, _, moment = step.partition(" ")
    real, left = getattr(relocating, name), [int(moment) if moment.isdigit() else 1]

    def dies(*given: Any, **more: Any) -> Any:
        left[0] -= 1
        if moment == "done":
            real(*given, **more)
        if left[0] == 0:
            raise KeyboardInterrupt
        return real(*given, **more)

    with monkeypatch.context() as patched:
        patched.setattr(relocating, name, dies)
        with pytest.raises(KeyboardInterrupt):
            yield
        assert left[0] <= 0


def plays(cairns: Cairns) -> bool:
    """Whether a game takes a command, and its rows are its log."""
    before = stones(cairns)
    (work,) = play(issue(cairns, AddStones(stones=1), at=before))
    return bool(work.waiting[0].outcome) and stones(cairns) == before + 1


def lies_whole(cairns: Cairns) -> None:
    """A game is where its bucket's row says, whole, and the same tables are seen from home."""
    server, _ = where()
    question = "SELECT count(*) FROM place_02.games_loggedevent WHERE game_id = %s"
    with connection.cursor() as cursor:
        cursor.execute(question, [cairns.game.pk])
        seen = cursor.fetchall()
    assert seen[0][0] > 3 and (not server or ask_other(question, cairns.game.pk) == seen)
    assert (ordinary_tables_at_home() == 0) == (server == OTHER) and stones(cairns) >= 2


def has_left_other() -> bool:
    return ask_other("SELECT 1 FROM pg_namespace WHERE nspname = 'place_02'") == []


def test_a_place_goes_with_every_row_and_comes_back_and_its_games_go_on(second):
    said = relocate()
    assert said.splitlines()[-1] == "place_02 lies at other and is open." and where() == (OTHER, "open")
    lies_whole(second)
    assert plays(second) and relocate() == "place_02 lies at other already.\n"

    relocate("home")
    assert where() == ("", "open") and has_left_other()
    lies_whole(second)
    assert plays(second) and relocate("home") == "place_02 lies at home already.\n"
    call_command("replay", "--all", stdout=open(os.devnull, "w"))  # noqa: SIM115


@pytest.mark.parametrize("step", THERE)
def test_what_is_killed_on_the_way_there_is_whole_and_is_repeated(second, monkeypatch, step):
    with killed_at(monkeypatch, step):
        relocate()
    lies_whole(second)
    assert where()[1] == ("open" if step == "connect_both done" else "moving")
    relocate()
    assert where() == (OTHER, "open")
    lies_whole(second)
    assert plays(second)


@pytest.mark.parametrize("step", HOME)
def test_what_is_killed_on_the_way_home_is_whole_and_is_repeated(second, monkeypatch, step):
    relocate()
    with killed_at(monkeypatch, step):
        relocate("home")
    lies_whole(second)
    relocate("home")
    assert where() == ("", "open") and has_left_other()
    lies_whole(second)
    assert plays(second)


@pytest.mark.parametrize("step", ["carry done", "_let_all_know 2"])
def test_what_was_killed_on_the_way_there_may_turn_back(second, monkeypatch, step):
    with killed_at(monkeypatch, step):
        relocate()
    relocate("home")
    assert where() == ("", "open") and has_left_other()
    lies_whole(second)
    assert plays(second)


def test_a_command_that_is_killed_by_the_system_is_repeated(second):
    there = settings.PLACE_SERVERS[OTHER]
    address = f"postgres://{there['USER']}:{there['PASSWORD']}@{there['HOST']}:{there['PORT']}/{there['NAME']}"
    here = migrated._variables(connection.settings_dict["NAME"]) | {"PLACE_SERVERS": f"{OTHER}={address}"}
    command = [sys.executable, "-m", "django", "places", "relocate", "2", OTHER]
    with subprocess.Popen(command, env=here, cwd=migrated.ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None and "takes no changes" in running.stdout.readline()
        pause = threading.Event()
        for _ in range(WAIT_SECONDS * 20):
            if where()[1] == "moving":
                break
            pause.wait(0.05)
        running.send_signal(signal.SIGKILL)
    assert where() == ("", "moving")
    lies_whole(second)
    relocate()
    assert where() == (OTHER, "open") and plays(second)


def test_who_writes_is_waited_for_and_what_they_wrote_goes_along(second):
    has_written, may_commit = threading.Event(), threading.Event()

    def write() -> None:
        with at_place(TWO), transaction.atomic():
            Pulse.objects.create(part="written in time", at=NOON)
            has_written.set()
            assert may_commit.wait(WAIT_SECONDS)
        connections.close_all()

    def move() -> None:
        relocate()
        connections.close_all()

    writer, mover = threading.Thread(target=write), threading.Thread(target=move)
    writer.start()
    assert has_written.wait(WAIT_SECONDS)
    mover.start()
    until_somebody_waits()
    may_commit.set()
    for thread in (writer, mover):
        thread.join(WAIT_SECONDS)
        assert not thread.is_alive()
    assert ask_other("SELECT 1 FROM place_02.games_pulse WHERE part = 'written in time'") == [(1,)]


def test_rows_that_differ_where_they_arrive_are_not_moved(second, monkeypatch):
    take = relocating.take_fingerprint
    for to in (OTHER, "home"):
        server, _ = where()
        with monkeypatch.context() as patched:
            patched.setattr(relocating, "take_fingerprint", lambda *given: take(*given).replace("games_game ", "x "))
            with pytest.raises(CommandError, match="place_02 differs from what was sent"):
                relocate(to)
        assert where() == (server, "moving")
        lies_whole(second)
        relocate(to)
    assert plays(second)


def test_what_a_fingerprint_says_changes_with_any_value(second):
    def taken() -> str:
        with at_place(None), transaction.atomic(), connection.cursor() as cursor:
            return carrying.take_fingerprint(cursor, TWO.schema, foreign.ordinary_tables(cursor, TWO.schema))

    before = taken()
    assert taken() == before and "games_game" in before
    with at_place(TWO):
        Pulse.objects.create(part="one more", at=NOON)
    assert taken() != before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("2", "nowhere"), "PLACE_SERVERS names no server nowhere; there is home, other"),
        (("3", OTHER), "There is no place 3 with tables"),
    ],
)
def test_what_cannot_be_relocated_is_refused_in_words(second, arguments, says):
    with pytest.raises(CommandError, match=says):
        places("relocate", *arguments)
    assert where() == ("", "open")


def test_a_server_that_cannot_take_a_place_is_refused_and_nothing_has_begun(second, monkeypatch):
    with server_away(), pytest.raises(CommandError, match="The server other cannot be reached"):
        relocate()
    with monkeypatch.context() as patched:
        patched.setattr(carrying, "PROGRAMS", ("pg_dump", "no-such-psql"))
        with pytest.raises(CommandError, match="no-such-psql must be installed"):
            relocate()
    with monkeypatch.context() as patched:
        patched.setattr(foreign, "EXTENSION", "no_such_fdw")
        with pytest.raises(CommandError, match="has no no_such_fdw"):
            relocate()
    with session(settings.PLACE_SERVERS[OTHER]) as other:
        other.execute("CREATE TABLE public.somebody_elses (id int)")
        try:
            with pytest.raises(CommandError, match="has a table somebody_elses in public"):
                relocate()
        finally:
            other.execute("DROP TABLE public.somebody_elses")
    connection.close()
    assert where() == ("", "open") and plays(second)


def test_the_same_database_by_another_name_is_not_cleared(second, monkeypatch):
    monkeypatch.setattr(settings, "PLACE_SERVERS", settings.PLACE_SERVERS | {"twin": settings.PLACE_SERVERS[OTHER]})
    relocate()
    lies_whole(second)


def test_who_writes_late_where_a_place_has_left_waits_and_loses_nothing(second, monkeypatch):
    relocate()
    written, wait = [], relocating._let_all_know

    def write_late() -> None:
        wait()
        if where() == ("", "moving"):
            with session(settings.PLACE_SERVERS[OTHER]) as other, pytest.raises(LockNotAvailable):
                other.execute("SET lock_timeout TO '50ms'")
                written.append(other.execute("DELETE FROM place_02.games_pulse"))
            written.append("refused")

    monkeypatch.setattr(relocating, "_let_all_know", write_late)
    relocate("home")
    assert written == ["refused"]


def test_one_place_stays_at_home_and_one_relocation_goes_on_at_a_time(second):
    Bucket.objects.filter(pk=1).update(server=OTHER)
    try:
        with pytest.raises(CommandError, match="One place stays at home"):
            relocate()
    finally:
        Bucket.objects.filter(pk=1).update(server="")
    with session(connection.settings_dict) as home:
        home.execute("SELECT pg_advisory_lock(%s)", [relocating.RELOCATION])
        with pytest.raises(CommandError, match="Another place is being moved"):
            relocate()


def test_slots_of_a_place_elsewhere_or_on_its_way_do_not_move(second):
    with write_stop(), pytest.raises(moving.Immovable, match="is on its way"):
        list(moving.move([0xABC], 1))
    relocate()
    for slots, to in (("100", "2"), ("abc", "1"), ("2", "1")):
        with pytest.raises(CommandError, match="Place 2 lies on another server"):
            places("move", slots, to)
    lies_whole(second)


def test_migrations_of_a_place_elsewhere_are_applied_there_and_seen_on_both_sides(second):
    relocate()
    with at_place(AWAY.alone()):
        executor = MigrationExecutor(connection)
        *_, former, newest = sorted(name for app, name in executor.loader.disk_migrations if app == "games")
        executor.migrate([("games", former)])
    behind = [name for (name,) in ask_other("SELECT name FROM place_02.django_migrations WHERE app = 'games'")]
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE public.later (id bigint GENERATED BY DEFAULT AS IDENTITY, name text)")
    try:
        call_command("migrate_places", stdout=open(os.devnull, "w"))  # noqa: SIM115
        routing.forget()
        now = [name for (name,) in ask_other("SELECT name FROM place_02.django_migrations WHERE app = 'games'")]
        assert set(now) - set(behind) == {newest}
        with at_place(AWAY), connection.cursor() as cursor:
            cursor.execute("INSERT INTO later (name) VALUES ('seen') RETURNING id")
            assert cursor.fetchone() == (1,)
        lies_whole(second)
        assert plays(second)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE public.later")
            cursor.execute("DROP VIEW place_numbers.later")
