import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name='Bucket',
            fields=[
                ('number', models.PositiveSmallIntegerField(help_text='1 to 64.', primary_key=True, serialize=False)),
                ('schema', models.CharField(help_text='The schema of PostgreSQL.', max_length=63, unique=True)),
                ('state', models.CharField(choices=[('new', 'without tables yet'), ('open', 'in use')], default='new', help_text='Whether its tables are there.', max_length=10)),
            ],
        ),
        migrations.CreateModel(
            name='Slot',
            fields=[
                ('slot', models.PositiveSmallIntegerField(help_text='0 to 4095.', primary_key=True, serialize=False)),
                ('bucket', models.ForeignKey(help_text='Where they lie.', on_delete=django.db.models.deletion.PROTECT, related_name='slots', to='places.bucket')),
            ],
        ),
    ]
