from django.db import migrations, models


def mark_those_with_a_city(apps, editor):
    """A people that has a city has had one; of a city that is no more nothing is known here."""
    sheets = apps.get_model("dawn", "RaceSheet").objects.using(editor.connection.alias)
    sheets.filter(race__cities__isnull=False).update(had_city=True)


class Migration(migrations.Migration):
    dependencies = [
        ("dawn", "0001_initial"),
        ("worlds", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="racesheet",
            name="had_city",
            field=models.BooleanField(db_default=False, default=False, help_text="Whether it has ever had a city."),
        ),
        migrations.RunPython(mark_those_with_a_city, migrations.RunPython.noop),
    ]
