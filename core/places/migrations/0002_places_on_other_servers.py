from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('places', '0001_tables'),
    ]

    operations = [
        migrations.AddField(
            model_name='bucket',
            name='server',
            field=models.CharField(blank=True, db_default='', default='', help_text='The server that has it, by its name in PLACE_SERVERS; empty: that of `public`.', max_length=63),
        ),
        migrations.SeparateDatabaseAndState(  # choices are nothing to the database
            state_operations=[
                migrations.AlterField(
                    model_name='bucket',
                    name='state',
                    field=models.CharField(choices=[('new', 'without tables yet'), ('open', 'in use'), ('moving', 'being moved to another server: read, not written')], default='new', help_text='Whether its tables are there.', max_length=10),
                ),
            ],
        ),
    ]
