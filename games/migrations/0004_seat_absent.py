from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0003_is_demo"),
    ]

    operations = [
        migrations.AlterField(model_name="seat", name="absent", field=models.BooleanField(default=False, null=True)),
        # Rows of their own say who is away (gods2.Absence). The release before still reads the column: it goes later.
        migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("seat", "absent")]),
    ]
