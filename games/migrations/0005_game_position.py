from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0004_seat_absent"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="chapter",
            field=models.PositiveIntegerField(
                db_default=0,
                default=0,
                help_text="Century, Age, turn ...; 0 before the first, and where there are none.",
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="step",
            field=models.CharField(
                db_default="",
                default="",
                help_text="The phase or question it is in, a word of its rulebook.",
                max_length=40,
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="waiting_for",
            field=models.TextField(
                db_default="[]",
                default="[]",
                help_text="Who may or must act now, as JSON; each entry says who may know.",
            ),
        ),
        # `waiting_for` says who may act. The release before still writes the two columns: they go later.
        migrations.AlterField(
            model_name="game", name="floor_kind", field=models.CharField(default="shut", max_length=8, null=True)
        ),
        migrations.AlterField(
            model_name="game", name="floor_holders", field=models.TextField(default="[]", null=True)
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField("game", "floor_kind"),
                migrations.RemoveField("game", "floor_holders"),
                migrations.AlterField(
                    model_name="game",
                    name="status",
                    field=models.CharField(
                        choices=[("lobby", "Lobby"), ("setup", "Setup"), ("running", "Running"), ("finished", "Finished")],
                        default="lobby",
                        max_length=12,
                    ),
                ),
            ]
        ),
    ]
