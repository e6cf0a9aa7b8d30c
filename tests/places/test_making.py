"""Tables of places: made, replayed, migrated, each bucket for itself; killed at any point, the next run goes on."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import migrated

KILLED = 9
KILL = """
import os, django
django.setup()
from django.core.management import call_command
from django.db import transaction
from core.places import making
make = making._make_bucket
def killed(schema, script):
    with transaction.atomic():
        {before}
        make(schema, script)
        {after}
making._make_bucket = killed
call_command("migrate_places")
"""
EXIT = "schema == 'place_02' and os._exit(9)"
BACK = """
import django
django.setup()
from django.core.management import call_command
from core.places.place import Place
from core.places.routing import at_place
with at_place(Place.of(2, "place_02").alone()):
    call_command("migrate", "forgeborn", "zero", verbosity=0)
"""
COLUMNS = """SELECT table_name, column_name, ordinal_position, data_type, character_maximum_length, is_nullable,
column_default, is_identity FROM information_schema.columns WHERE table_schema = %s ORDER BY 1, 2"""
CONSTRAINTS = """SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = %s::regnamespace AND contype <> 'n' ORDER BY 1, 2"""
INDEXES = "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = %s ORDER BY 1, 2"
TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = %s"
STATES = "SELECT schema, state FROM places_bucket ORDER BY number"


class Ground:
    """A database, and processes that work on it."""

    def __init__(self, variables: dict[str, str]) -> None:
        self.variables = {**variables, "THEOGONY_PROCESS": "clock", "DEMO": "0"}
        self.session = migrated._server(variables["TEST_DATABASE_NAME"])

    def run(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments], env=self.variables | more, cwd=migrated.ROOT, capture_output=True, text=True
        )

    def django(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return self.run("manage.py", *arguments, **more)

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        return self.session.execute(statement, values).fetchall()

    def tables(self, schema: str) -> set[str]:
        return {name for (name,) in self.rows(TABLES, schema)}

    def shape(self, schema: str) -> str:
        """All that a schema is made of, without its name."""
        self.session.execute(f"SET search_path = {schema}")
        found = [self.rows(each, schema) for each in (COLUMNS, CONSTRAINTS, INDEXES)]
        found.append(self.rows("SELECT app, name FROM django_migrations ORDER BY 1, 2"))
        self.session.execute("SET search_path = public")
        return repr(found).replace(f"{schema}.", "")


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Ground]:
    with migrated.empty_database(tmp_path) as variables:
        ground = Ground(variables)
        yield ground
        ground.session.close()


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Ground]:
    with migrated.copy_database(tmp_path) as variables:
        ground = Ground(variables)
        yield ground
        ground.session.close()


@pytest.mark.django_db
def test_what_was_killed_is_finished_by_the_next_run(empty: Ground) -> None:
    """Between two buckets, and in the middle of the second."""
    for before, after in ((EXIT, "pass"), ("pass", EXIT)):
        killed = empty.run("-c", KILL.format(before=before, after=after))
        assert killed.returncode == KILLED, killed.stderr
        assert empty.rows(STATES) == [("place_01", "open"), ("place_02", "new")]
        assert empty.tables("place_01") and not empty.tables("place_02")

    done = empty.django("prepare")
    assert (done.returncode, done.stdout) == (0, "Making the tables of place_02 ...\n"), done.stderr
    assert empty.rows(STATES) == [("place_01", "open"), ("place_02", "open")]
    assert empty.shape("place_01") == empty.shape("place_02")
    assert empty.django("migrate_places").stdout == ""


@pytest.mark.django_db
def test_public_has_no_table_of_games_and_a_bucket_none_of_people(made: Ground) -> None:
    public, first, second = map(made.tables, ("public", "place_01", "place_02"))

    assert first == second and public & first == {"django_migrations"}
    assert {"accounts_user", "django_session", "gods2_packversion", "places_slot", "django_content_type"} <= public
    assert {"games_game", "games_pulse", "worlds_world", "toy_stone", "gods2_race"} & public == set()
    assert {"games_game", "games_pulse", "worlds_world"} <= first
    assert made.shape("place_01") == made.shape("place_02")  # the second was replayed


@pytest.mark.django_db
def test_a_bucket_that_is_behind_is_migrated_alone(made: Ground) -> None:
    shape = made.shape("place_01")
    back = made.run("-c", BACK)
    assert back.returncode == 0, back.stderr
    assert "forgeborn_character" in made.tables("place_01") - made.tables("place_02")

    done = made.django("migrate_places")
    assert done.stdout == "Bringing place_02 up to date: 1 migrations ...\n", done.stderr
    assert made.tables("place_01") == made.tables("place_02")
    assert made.shape("place_01") == shape and len(made.shape("place_02")) == len(shape)
    assert "forgeborn_character" not in made.tables("public")


@pytest.mark.django_db
def test_more_places_are_added_without_slots_and_fewer_are_refused(made: Ground) -> None:
    done = made.django("migrate_places", PLACES="3")
    assert done.stdout == "Making the tables of place_03 ...\n", done.stderr
    assert made.shape("place_01") == made.shape("place_03")
    assert made.rows("SELECT count(*) FROM places_slot WHERE bucket_id = 3") == [(0,)]

    refused = made.django("migrate_places", PLACES="2")
    assert refused.returncode == 1 and "PLACES is 2, and this database has 3; set PLACES=3." in refused.stderr


@pytest.mark.django_db
def test_what_does_not_fit_is_refused_in_words(made: Ground) -> None:
    for command, words, more in (
        ("migrate", "run `manage.py migrate_places` instead", {}),
        ("prepare", "set PLACES", {"PLACES": "0"}),
    ):
        refused = made.django(command, **more)
        assert (refused.returncode, words in refused.stderr) == (1, True), refused.stderr
    made.session.execute("CREATE TABLE games_game (id uuid)")
    refused = made.django("migrate_places")
    assert refused.returncode == 1 and "has places, and games_game in `public` besides" in refused.stderr


BEGIN = """
import django
django.setup()
from django.core.management import call_command
from accounts.models import User
from games import services
call_command("prepare", verbosity=0)
print(services.open_game("toy", "Cairns", user=User.objects.create_user("host").pk).pk)
"""
GO_ON = """
import django
django.setup()
from uuid import UUID
from django.core.management import call_command
from core.places import routing
from games import services
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.seating import AddSeat
from games.models import Game, Seat
game = UUID("{game}")
with routing.at(game):
    host = Seat.objects.get(game=game, role="host")
services.run(game, AddSeat(name="Ann"), actor=Actor(Issuer.HOST, host.user_id, host.pk))
print(routing.place_of(game).schema)
services.open_game("toy", "More", user=host.user_id)
call_command("places", "split", "1", "2")
call_command("places", "check")
"""


@pytest.mark.django_db
def test_a_database_that_began_without_places_gets_them_while_its_games_stay(empty: Ground) -> None:
    """Also where who takes the games is killed behind that."""
    begun = empty.run("-c", BEGIN, PLACES="0")
    assert begun.returncode == 0, begun.stderr
    game = begun.stdout.splitlines()[-1]
    assert empty.rows("SELECT count(*) FROM games_game") == [(1,)]
    killed = empty.run("-c", KILL.format(before=EXIT, after="pass"), PYTHONUNBUFFERED="1")
    assert killed.returncode == KILLED, killed.stderr
    assert "Taking the games of public into place_01" in killed.stdout
    done = empty.django("prepare")
    assert done.returncode == 0 and "Taking" not in done.stdout, done.stderr
    assert empty.rows("SELECT bucket_id, count(*) FROM places_slot GROUP BY 1") == [(1, 4096)]
    assert empty.rows("SELECT count(*) FROM place_01.games_game") == [(1,)]
    assert "games_game" not in empty.tables("public")
    assert empty.tables("place_01") == empty.tables("place_02")

    went_on = empty.run("-c", GO_ON.format(game=game))
    assert went_on.returncode == 0, went_on.stderr
    first, *split, checked = went_on.stdout.splitlines()
    assert (first, checked) == ("place_01", "Every row lies where its slot is.")
    assert any("2048 slots" in line for line in split), split
    found = empty.rows("SELECT count(*) FROM (TABLE place_01.games_game UNION ALL TABLE place_02.games_game) g")
    assert found == [(2,)]
    back = empty.django("prepare", PLACES="0")
    assert back.returncode == 1 and "set PLACES" in back.stderr


@pytest.mark.django_db
def test_the_places_are_listed(made: Ground) -> None:
    listed = made.django("places", "list").stdout.splitlines()

    assert [line.rpartition(",")[0] for line in listed] == [
        "place_01: 0 slots, 0 games",
        "place_02: 4096 slots, 0 games",
    ]
    assert all(line.endswith(" MB") for line in listed)
