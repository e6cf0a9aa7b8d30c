"""Migrations: each adds before a later one takes away, each has a way back, and none is missing.

What they make together is what the models make at once.
"""

import json
import subprocess
import sys
from difflib import unified_diff
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, migrations, models
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.functions import Now

from core import new_database
from games.management.commands import prepare
from tests import migrated
from tests.operations import schema_text
from tests.operations.expanding import BASELINE, CONTRACTED, faults

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"accounts", "worlds", "games"}
OURS = sorted(c.label for c in apps.get_app_configs() if c.name.split(".")[0] in PACKAGES)


def own_migrations() -> dict[tuple[str, str], migrations.Migration]:
    """Every migration of ours, by app and name."""
    found = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    return {key: migration for key, migration in found.items() if key[0] in OURS}


def test_no_migration_takes_away_what_the_release_before_still_uses() -> None:
    assert faults(list(own_migrations().values())) == []


def test_every_exception_is_of_a_migration_that_is_there_and_says_why() -> None:
    assert set(own_migrations()) >= BASELINE | set(CONTRACTED)
    assert [key for key, reason in CONTRACTED.items() if len(reason.split()) < 6] == []
    assert {app for app, _ in own_migrations()} == set(OURS)


WRONG = {
    "a field goes": migrations.RemoveField("game", "name"),
    "a model goes": migrations.DeleteModel("Game"),
    "a field is renamed": migrations.RenameField("game", "name", "title"),
    "a model is renamed": migrations.RenameModel("Game", "Match"),
    "a table is renamed": migrations.AlterModelTable("game", "match"),
    "a field must be filled at once": migrations.AddField("game", "mood", models.CharField(max_length=9, default="")),
    "a field may no longer be empty": migrations.AlterField("game", "world", models.IntegerField()),
    "a constraint comes": migrations.AddConstraint("game", models.UniqueConstraint(fields=["name"], name="name_once")),
    "code without a way back": migrations.RunPython(migrations.RunPython.noop),
    "SQL without a way back": migrations.RunSQL("SELECT 1"),
    "a field goes behind a curtain": migrations.SeparateDatabaseAndState([migrations.RemoveField("game", "name")]),
}
RIGHT = {
    "a field that may be empty": migrations.AddField("game", "mood", models.CharField(max_length=9, null=True)),
    "a field the database fills": migrations.AddField("game", "since", models.DateTimeField(db_default=Now())),
    "a model with all it needs": migrations.CreateModel("Mood", [("name", models.CharField(max_length=9))]),
    "an index": migrations.AddIndex("game", models.Index(fields=["name"], name="by_name")),
    "code with a way back": migrations.RunPython(migrations.RunPython.noop, migrations.RunPython.noop),
    "a field may be empty from now on": migrations.AlterField("game", "world", models.IntegerField(null=True)),
    "state alone": migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("game", "name")]),
}


def migration_of(*operations: migrations.operations.base.Operation) -> list[migrations.Migration]:
    migration = migrations.Migration("0002_changed", "games")
    migration.operations = list(operations)
    return [migration]


@pytest.mark.parametrize("_case", WRONG)
def test_an_operation_that_the_old_code_cannot_live_with_is_refused(
    _case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (fault,) = faults(migration_of(WRONG[_case]))
    assert fault.startswith("games.0002_changed: ")
    monkeypatch.setitem(CONTRACTED, ("games", "0002_changed"), "no release uses this since the one before")
    assert faults(migration_of(WRONG[_case])) == []


@pytest.mark.parametrize("_case", RIGHT)
def test_an_operation_that_only_adds_is_allowed(_case: str) -> None:
    assert faults(migration_of(RIGHT[_case])) == []


def test_a_model_of_this_very_migration_is_nobodys_yet() -> None:
    made = migrations.CreateModel("Mood", [("name", models.CharField(max_length=9))])
    constraint = migrations.AddConstraint("mood", models.UniqueConstraint(fields=["name"], name="mood_once"))
    assert faults(migration_of(made, constraint)) == []


FORTH = """
import json, sys
import django; django.setup()
from django.core.management import call_command
from django.core.management.base import CommandError
from tests.operations import quick_states, schema_text

quick_states.install()
call_command("migrate", interactive=False, verbosity=0)
json.dump(schema_text.lines(), sys.stdout)
"""
AT_ONCE = """
import json, sys
from contextlib import suppress
from unittest.mock import patch
import django; django.setup()
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from core import new_database
from tests.operations import schema_text

failing = patch.object(MigrationRecorder, "record_applied", side_effect=[*[None] * 40, OSError("out of space")])
with failing, suppress(OSError):
    new_database.create(connection)
assert new_database.is_empty(connection), connection.introspection.table_names()
new_database.create(connection)
json.dump(schema_text.lines(), sys.stdout)
"""
BACK_AND_FORTH = """
import json, sys
import django; django.setup()
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from tests.operations import quick_states, schema_text
from tests.operations.test_migrations import newest

quick_states.install()

def schema():
    return [line for line in schema_text.lines() if not line.startswith("row ")]

executor, first = MigrationExecutor(connection), schema()
applied = set(executor.recorder.applied_migrations())
executor.migrate(newest())  # all together: each `migrate` alone makes every model of every app anew
gone = applied - set(executor.recorder.applied_migrations())
call_command("migrate", interactive=False, verbosity=0)
call_command("makemigrations", check_changes=True, dry_run=True, verbosity=0)
json.dump([first, sorted(app for app, _ in gone), schema()], sys.stdout)
"""


def newest() -> list[tuple[str, str]]:
    """(app, name of the migration before its newest) of every app of ours that has more than a first one."""
    graph = MigrationLoader(None).graph
    steps = [(leaf, parent) for leaf in graph.leaf_nodes() for parent in graph.node_map[leaf].parents]
    return [(parent.key[0], parent.key[1]) for leaf, parent in steps if leaf[0] == parent.key[0] in OURS]


def output(script: str, environment: dict[str, str]) -> str:
    """What a process prints that runs a script on a database."""
    here = {**environment, "THEOGONY_PROCESS": "clock"}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=here, capture_output=True, text=True, timeout=1100
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
def test_a_new_database_is_the_one_that_all_migrations_make(tmp_path: Path) -> None:
    """Whole, too, where its making failed once: what had been made is gone (ADR 94)."""
    made = []
    for name, script in (("forth", FORTH), ("at_once", AT_ONCE)):
        (tmp_path / name).mkdir()
        with migrated.empty_database(tmp_path / name) as environment:
            made.append(json.loads(output(script, environment)))
    assert list(unified_diff(*made, "migrations", "models", lineterm="", n=0)) == []


@pytest.mark.long
def test_the_newest_migration_of_each_app_goes_back_and_no_model_lacks_one(tmp_path: Path) -> None:
    """Those before them went back when they were the newest. Back and forth again, the schema is the same.

    Rows are left out: Django keeps content types and permissions of models that an older state had.
    """
    assert {app for app, _ in newest()} >= {"accounts", "gods2_packs"}
    with migrated.copy_database(tmp_path) as environment:
        first, gone, again = json.loads(output(BACK_AND_FORTH, environment))
    assert set(gone) >= {app for app, _ in newest()}
    assert list(unified_diff(first, again, "before", "back and forth", lineterm="", n=0)) == []


@pytest.mark.django_db
def test_schema_text_shows_an_index_a_column_and_a_row() -> None:
    before = schema_text.lines()
    with connection.cursor() as cursor:
        cursor.execute("CREATE INDEX probe ON games_game (name)")
        cursor.execute("ALTER TABLE games_seat ADD COLUMN mood varchar(9)")
    Group.objects.create(name="keepers")
    more = sorted(set(schema_text.lines()) - set(before))
    assert [line.split()[0] for line in more if "probe" in line and "CREATE" in line] == ["index"]
    assert any("games_seat" in line and "mood" in line for line in more)
    assert "row auth_group {'name': 'keepers'}" in more
    assert not set(before) - set(schema_text.lines())


def test_definitions_of_a_table_are_cut_at_commas_outside_of_brackets_and_quotes() -> None:
    text = """"a" integer CHECK ("a" IN (1, 2)), "b, c" text DEFAULT 'x, ''(', CONSTRAINT "once" UNIQUE ("a", "b, c")"""
    assert schema_text.definitions(text) == [
        """"a" integer CHECK ("a" IN (1, 2))""",
        """"b, c" text DEFAULT 'x, ''('""",
        """CONSTRAINT "once" UNIQUE ("a", "b, c")""",
    ]


@pytest.mark.django_db
def test_prepare_makes_tables_only_where_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A database with any table goes through `migrate`, and through nothing where all is applied."""
    done: list[str] = []
    monkeypatch.setattr(prepare, "call_command", lambda name, **_options: done.append(name))
    monkeypatch.setattr(new_database, "create", lambda _connection: done.append("create"))
    call_command("prepare")
    assert done == []
    MigrationRecorder(connection).record_unapplied("sessions", "0001_initial")
    call_command("prepare")
    assert done == ["migrate"]
    monkeypatch.setattr(connection.introspection, "table_names", lambda *_arguments, **_options: [])
    call_command("prepare")
    assert done == ["migrate", "create"]


@pytest.mark.django_db
def test_a_database_of_before_the_first_migrations_is_taken_where_it_had_all_that_they_replace() -> None:
    recorder = MigrationRecorder(connection)
    for key, migration in own_migrations().items():
        if migration.replaces:
            recorder.record_unapplied(*key)
    call_command("prepare")
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
    recorder.record_unapplied("worlds", "0009_squares_of_a_world")
    recorder.record_unapplied("oauth", "0001_initial")
    with pytest.raises(CommandError, match=r"older revision \(worlds\): bring it up to date with revision \w+ first"):
        call_command("prepare")
