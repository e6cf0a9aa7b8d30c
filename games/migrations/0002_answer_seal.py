from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="answer",
            name="salt",
            field=models.CharField(blank=True, db_default="", default="", max_length=200),
        ),
        migrations.AddField(
            model_name="answer",
            name="digest",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="The commitment to a sealed answer.",
                max_length=64,
            ),
        ),
    ]
