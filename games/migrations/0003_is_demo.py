from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0002_answer_seal"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="is_demo",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Opened by the demo, which opens another when it is over.",
            ),
        ),
    ]
