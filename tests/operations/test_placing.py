"""Migrations and models fit a schema on another server: each fault is found, and today there is none."""

import re
from pathlib import Path

import pytest
from django.db import models
from django.db.migrations import Migration, RunPython, RunSQL
from django.db.migrations import operations as op
from django.db.migrations.loader import MigrationLoader
from django.test.utils import isolate_apps

from accounts.models import User
from games.models import Game
from tests.operations.expanding import BASELINE
from tests.operations.placing import faults, keys_across

ROOT = Path(__file__).resolve().parent.parent.parent
MATCHED = re.compile(r"\bdiag\b|constraint_name")
UNFIT = [
    op.AddField("game", "x", models.PositiveIntegerField(default=0)),
    op.AddField("game", "x", models.CharField(max_length=3, unique=True, null=True)),
    op.AddField("game", "x", models.ForeignKey("games.Game", models.CASCADE, null=True)),
    op.AddField("game", "x", models.OneToOneField("games.Game", models.CASCADE, null=True)),
    op.SeparateDatabaseAndState([RunPython(RunPython.noop, RunPython.noop)]),
    RunSQL("UPDATE games_game SET name = random()::text", RunSQL.noop),
]
FIT = [
    op.AddField("game", "x", models.IntegerField(null=True)),
    op.AddField("game", "x", models.ForeignKey("games.Game", models.CASCADE, null=True, db_constraint=False)),
    op.AddConstraint("game", models.CheckConstraint(condition=models.Q(seq__gte=0), name="x")),
    RunPython(RunPython.noop, RunPython.noop, hints={"model_name": "game"}),
    RunSQL("UPDATE games_game SET name = upper(name)", RunSQL.noop),
]


def migration(app: str, operation: op.base.Operation) -> Migration:
    made = Migration("0099_new", app)
    made.operations = [operation]
    return made


@pytest.mark.parametrize("operation", UNFIT, ids=lambda each: type(each).__name__)
def test_what_a_place_cannot_take_is_found_in_migrations_of_games_alone(operation):
    assert len(faults([migration("games", operation)], BASELINE)) == 1
    assert faults([migration("accounts", operation)], BASELINE) == []


@pytest.mark.parametrize("operation", FIT, ids=lambda each: type(each).__name__)
def test_what_it_can_take_passes(operation):
    assert faults([migration("gods2", operation)], BASELINE) == []


def test_every_migration_after_the_first_release_fits():
    assert faults(MigrationLoader(None).disk_migrations.values(), BASELINE) == []


def test_no_key_of_the_database_leads_from_games_to_people_or_back():
    assert keys_across() == []


@isolate_apps("games", "accounts")
@pytest.mark.parametrize(
    ("app", "other", "is_found"), [("games", User, True), ("accounts", Game, True), ("games", Game, False)]
)
def test_such_a_key_is_found(app, other, is_found):
    class Bad(models.Model):  # noqa: DJ008  (nobody reads it)
        key = models.ForeignKey(other, models.CASCADE)
        free = models.ForeignKey(other, models.DO_NOTHING, db_constraint=False, related_name="+")

        class Meta:
            app_label = app

    assert keys_across([Bad]) == [f"{app}.Bad.key -> {other._meta.label}"] * is_found


def test_no_code_tells_refusals_apart_by_the_name_of_a_constraint():
    """Through a coordinator the name of a constraint is another one on each worker."""
    sources = [
        path
        for folder in ("core", "games", "worlds", "accounts", "api", "config")
        for path in (ROOT / folder).rglob("*.py")
        if "migrations" not in path.parts
    ]
    assert len(sources) > 500
    assert [str(path.relative_to(ROOT)) for path in sources if MATCHED.search(path.read_text())] == []
