import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def take_over(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Whoever is marked as away in the seats of this game has a row of their own."""
    away = apps.get_model("games", "Seat").objects.filter(models.Q(("absent", True), game__ruleset="gods2"))
    absence = apps.get_model("gods2", "Absence")
    absence.objects.bulk_create([absence(seat_id=seat, game_id=game) for seat, game in away.values_list("pk", "game")])


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0002_answer_seal"),
        ("gods2", "0006_migration_until"),
    ]
    run_before = [("games", "0004_seat_absent")]

    operations = [
        migrations.CreateModel(
            name="Absence",
            fields=[
                (
                    "seat",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="gods2_absence",
                        serialize=False,
                        to="games.seat",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="gods2_absences", to="games.game"
                    ),
                ),
            ],
            options={"ordering": ["game", "seat"]},
        ),
        # Of rows that were there before alone: a new database has none.
        migrations.RunPython(take_over, migrations.RunPython.noop, elidable=True),
    ]
