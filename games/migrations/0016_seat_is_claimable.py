from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0015_prefix_indexes"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="is_claimable",
            field=models.BooleanField(
                db_default=False, default=False, help_text="Whether a bot keeps it for anybody who takes it."
            ),
        ),
    ]
