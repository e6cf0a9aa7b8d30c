"""The tables of a new database, made from the models at once instead of migration by migration (ADR 94).

Nearly all that migrating an empty database costs is the states of the models between operations; here there is one.
A database with any table goes through `migrate`. `tests/operations/test_migrations.py` holds that both ways make the
same tables and rows.
"""

from django.apps import apps
from django.core.management.sql import emit_post_migrate_signal, emit_pre_migrate_signal
from django.db import router
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations import RunPython, RunSQL
from django.db.migrations.state import ProjectState


def is_empty(connection: BaseDatabaseWrapper) -> bool:
    """Whether a database has no table at all; views do not count."""
    return not connection.introspection.table_names()


def create(connection: BaseDatabaseWrapper) -> None:
    """Make every table of an empty database, the rows that migrations bring, and the record that all are applied.

    Tables, rows and record are one transaction: a process that is killed leaves the database empty. Content types and
    permissions follow, as after `migrate`. Raises what the database raises where it has such a table already.
    """
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes(), clean_start=True)
    state = ProjectState.from_apps(apps)
    emit_pre_migrate_signal(0, False, connection.alias, apps=apps, plan=plan)
    with connection.schema_editor(atomic=True) as editor:
        executor.recorder.ensure_schema()
        for model in state.apps.get_models():
            is_here = model._meta.can_migrate(connection) and router.allow_migrate_model(connection.alias, model)
            if is_here and model._meta.app_label in executor.loader.migrated_apps:
                editor.create_model(model)
        for migration, _ in plan:
            for operation in migration.operations:
                if isinstance(operation, RunPython | RunSQL) and not operation.elidable:
                    operation.database_forwards(migration.app_label, editor, state, state)
            for label, name in [*migration.replaces, (migration.app_label, migration.name)]:
                executor.recorder.record_applied(label, name)
    emit_post_migrate_signal(0, False, connection.alias, apps=apps, plan=plan)
