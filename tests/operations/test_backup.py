"""The restore drill (F15): a dump at a random moment of play is a whole game, a prefix of what was played, and goes on.

The same drill on both databases: `manage.py backup` on SQLite, pg_dump and pg_restore on PostgreSQL.
"""

import glob
import os
import random
import re
import shlex
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, connections
from django.utils import timezone

from core.places import routing
from games import services
from games.models import Game, LoggedEvent, Receipt, Timer
from tests.games.cairns import Cairns, table
from tests.operations.standing import standing_in
from tests.toy.models import Pile
from tests.toy.rules.commands import AddStones, RollStones

ROOT = Path(__file__).resolve().parents[2]
ON_POSTGRES = "postgres" in os.environ.get("DATABASE_URL", "")
FIRST, AT_MOST = 30, 4000
pytestmark = pytest.mark.django_db(transaction=True)


def program(name: str) -> str:
    """A client program of PostgreSQL. Where the suite runs on PostgreSQL, a missing one is a failure."""
    found = shutil.which(name) or next(iter(sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))[::-1]), "")
    assert found, f"{name} is not installed: the restore drill needs the client programs of PostgreSQL"
    return found


def address(database: str) -> str:
    """The address of a database on the server of these tests."""
    wanted = connections["default"].settings_dict
    password = f":{wanted['PASSWORD']}" if wanted["PASSWORD"] else ""
    return f"postgresql://{wanted['USER']}{password}@{wanted['HOST']}:{wanted['PORT']}/{database}"


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[str]:
    """The address of a database that is not there yet; afterwards it is gone."""
    if not ON_POSTGRES:
        yield f"sqlite:///{tmp_path / 'restored.sqlite3'}"
        return
    name = f"{connection.settings_dict['NAME']}_restored_{os.getpid()}"
    with closing(psycopg.connect(address("postgres"), autocommit=True)) as server:
        server.execute(f'CREATE DATABASE "{name}"')
        try:
            yield address(name)
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def dump(folder: Path) -> Path:
    """A dump of the database in which this test plays, with the commands of docs/backup.md."""
    file = folder / "theogony.dump"
    if ON_POSTGRES:
        command = [program("pg_dump"), "--format=custom", f"--file={file}", address(connection.settings_dict["NAME"])]
        subprocess.run(command, check=True, timeout=600)
    else:
        call_command("backup", str(file), stdout=StringIO())
    return file


def restore(file: Path, url: str) -> None:
    """That dump in a database of its own."""
    if ON_POSTGRES:
        command = [program("pg_restore"), "--exit-on-error", "--no-owner", f"--dbname={url}", str(file)]
        subprocess.run(command, check=True, timeout=600)
    else:
        shutil.copy(file, url.removeprefix("sqlite:///"))


def replay() -> str:
    out = StringIO()
    call_command("replay", "--all", stdout=out)
    call_command("verify_dice", "--all", stdout=out)
    return out.getvalue()


def play_while_dumping(cairns: Cairns, dumped: Callable[[], object]) -> None:
    """Two people play; after a random one of their commands, and while others go on, the database is dumped."""
    begun, ended, moment = threading.Event(), threading.Event(), random.randrange(2, FIRST)
    done: list[int] = []
    place = routing.current()

    def play() -> None:
        try:
            with routing.at_place(place):
                play_on()
        finally:
            begun.set()
            connections.close_all()

    def play_on() -> None:
        for number in range(AT_MOST):
            who = cairns.bob if number % 2 else cairns.ann
            cairns.run(RollStones() if number % 3 else AddStones(stones=1), who)
            done.append(number)
            if number == moment:
                begun.set()
            if ended.is_set():
                return

    player = threading.Thread(target=play)
    player.start()
    try:
        assert begun.wait(240)
        dumped()
    finally:
        ended.set()
        player.join(240)
    assert moment < len(done) < AT_MOST, f"dumped after command {moment}, but only {len(done)} were played"


def test_a_dump_at_a_random_moment_is_a_prefix_of_the_game_and_play_goes_on_from_it(tmp_path: Path, copy: str) -> None:
    cairns = table('{"tide_seconds": 3600}')  # begun months ago, so a first look finds an overdue clock
    begun = cairns.fresh().seq
    play_while_dumping(cairns, lambda: restore(dump(tmp_path), copy))

    digests = dict(LoggedEvent.objects.filter(game=cairns.game).values_list("seq", "digest"))
    assert "rows equal the log, chain whole" in replay()

    with standing_in(copy):
        found = Game.objects.get(pk=cairns.game.pk)
        assert begun < found.seq < len(digests)  # in the midst of play, or the drill proves little
        assert found.digest == digests[found.seq]  # not a byte of the past differs
        assert LoggedEvent.objects.filter(game=found).count() == found.seq
        events = replay()
        assert f"{found.seq} events, rows equal the log, chain whole" in events
        assert ", 0 wrong" in events

        # Play goes on: the clock logs how long it stood, fires what is due, and the command is done.
        due = Timer.objects.get(game=found).due
        at = timezone.now() + timedelta(hours=2)
        services.run(found.pk, AddStones(stones=1), actor=cairns.actor(cairns.ann), key="after the restore", now=at)
        new = LoggedEvent.objects.filter(game=found, seq__gt=found.seq).order_by("seq")
        types = list(new.values_list("type", flat=True))
        assert types[0] == "ClockSlipped" and types[-1] == "StonesAdded"
        assert Timer.objects.get(game=found).due > due
        services.fire_due(found.pk, at + timedelta(hours=1))
        assert "TideCame" in new.values_list("type", flat=True)
        assert Receipt.objects.filter(game=found, key="after the restore").exists()
        assert "rows equal the log, chain whole" in replay()

    assert dict(LoggedEvent.objects.filter(game=cairns.game).values_list("seq", "digest")) == digests


def test_a_restored_database_that_was_tampered_with_ends_the_check_with_status_1(tmp_path: Path, copy: str) -> None:
    """By the very command line of docs/backup.md; one line for each game, the sound one and the other."""
    cairns = table()
    cairns.run(AddStones(stones=2), cairns.ann)
    whole = services.open_game("toy", "Whole", user=cairns.host.pk)
    restore(dump(tmp_path), copy)
    with standing_in(copy):
        Pile.objects.update(stones=5)
    name = copy.removeprefix("sqlite:///").rpartition("/")[2] if ON_POSTGRES else copy.removeprefix("sqlite:///")
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings", "TEST_DATABASE_NAME": name}

    done = subprocess.run(
        [sys.executable, "manage.py", "replay", "--all"], cwd=ROOT, env=environment, capture_output=True, text=True,
        timeout=600,
    )  # fmt: skip

    lines = done.stdout.splitlines()
    assert done.returncode == 1, done.stderr
    assert [line.split()[0] for line in lines] == [str(cairns.game.pk), str(whole.pk)]
    assert "rows differ in piles" in lines[0] and "rows equal the log" in lines[1]
    assert "1 game(s) disagree with their log." in done.stderr


@pytest.mark.skipif(ON_POSTGRES, reason="the copy of a SQLite file")
def test_a_backup_is_its_owners_alone_and_overwrites_nothing(tmp_path: Path) -> None:
    table()
    file = dump(tmp_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = file.read_bytes()
    with pytest.raises(CommandError, match="is there already"):
        dump(tmp_path)
    assert file.read_bytes() == before


@pytest.mark.skipif(not ON_POSTGRES, reason="what PostgreSQL is told")
def test_on_postgresql_the_command_names_pg_dump(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="use pg_dump"):
        call_command("backup", str(tmp_path / "copy"))
    assert not (tmp_path / "copy").exists()


def test_the_page_names_the_commands_that_the_drill_uses() -> None:
    page = (ROOT / "docs/backup.md").read_text()
    commands = [
        shlex.split(line) for block in re.findall(r"```sh\n(.*?)```", page, re.S) for line in block.splitlines()
    ]
    used = {(words[0], *(word for word in words if word.startswith("--"))) for words in commands if words}
    assert ("pg_dump", "--format=custom", "--file=theogony.dump") in used
    assert ("pg_restore", "--exit-on-error", "--no-owner", "--dbname=theogony_restored") in used
    assert ("python", "--all") in used
    assert ["python", "manage.py", "backup", "theogony.sqlite3"] in commands
    assert ["python", "manage.py", "replay", "--all"] in commands
    assert ["python", "manage.py", "verify_dice", "--all"] in commands
