"""Drop the columns that left the models in 0004 and 0005, which the release before those still used.

SQLite makes a table anew from the models for most changes, so there 0006 has dropped them: each is dropped where it is.
"""

from typing import Any

from django.db import migrations, models

COLUMNS: dict[str, dict[str, Any]] = {
    'Seat': {'absent': models.BooleanField(default=False, null=True)},
    'Game': {
        'floor_kind': models.CharField(default='shut', max_length=8, null=True),
        'floor_holders': models.TextField(default='[]', null=True),
    },
}


def drop(apps: Any, schema_editor: Any) -> None:
    """Take them away where they are."""
    for model, name, field in columns(apps):
        if name in present(model, schema_editor):
            schema_editor.remove_field(model, field)


def bring_back(apps: Any, schema_editor: Any) -> None:
    """The way back of 0005 and 0004 needs them."""
    for model, name, field in columns(apps):
        if name not in present(model, schema_editor):
            schema_editor.add_field(model, field)


def columns(apps: Any) -> list[tuple[Any, str, Any]]:
    """(model, column, field) of each."""
    found = []
    for model_name, fields in COLUMNS.items():
        model = apps.get_model('games', model_name)
        for name, field in fields.items():
            own = field.clone()
            own.set_attributes_from_name(name)
            own.model = model
            found.append((model, name, own))
    return found


def present(model: Any, schema_editor: Any) -> set[str]:
    """The columns that a table has now."""
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        return {column.name for column in connection.introspection.get_table_description(cursor, model._meta.db_table)}


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0008_timer_early'),
    ]

    operations = [
        # A new database never had them.
        migrations.RunPython(drop, bring_back, elidable=True),
    ]
