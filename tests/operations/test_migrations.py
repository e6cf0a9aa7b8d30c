"""Migrations: each adds before a later one takes away, each has a way back, and none is missing."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.models.functions import Now

from tests import migrated
from tests.operations.expanding import BASELINE, CONTRACTED, faults

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"accounts", "worlds", "games"}
OURS = sorted(c.label for c in apps.get_app_configs() if c.name.split(".")[0] in PACKAGES)
PREFIXES = sorted({m._meta.db_table.split("_")[0] for label in OURS for m in apps.get_app_config(label).get_models()})
"""How the names of our tables begin: packs keep the names they had as rows of their game."""


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


BACK = """
import django; django.setup()
from django.core.management import call_command
from django.db import connection
from tests.operations.test_migrations import PREFIXES

def tables():
    return {name for name in connection.introspection.table_names() if name.split("_")[0] in PREFIXES}

everything = tables()
assert {name.split("_")[0] for name in everything} == set(PREFIXES), everything
call_command("migrate", "accounts", "zero", verbosity=0)  # and with it what stands on it: all
assert not tables(), tables()
call_command("makemigrations", check_changes=True, dry_run=True, verbosity=1)
"""


@pytest.mark.long
def test_all_migrations_go_back_and_no_model_lacks_one(tmp_path: Path) -> None:
    """All back in the order that they ask for, from the database that every run of the tests has migrated forth."""
    with migrated.copy_database(tmp_path) as environment:
        done = subprocess.run(
            [sys.executable, "-c", BACK], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600
        )
    assert done.returncode == 0, done.stdout + done.stderr
