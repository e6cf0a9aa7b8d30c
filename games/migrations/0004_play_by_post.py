import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0003_webhooks'),
    ]

    operations = [
        migrations.CreateModel(
            name='Leave',
            fields=[
                ('id', models.UUIDField(primary_key=True, serialize=False)),
                ('audience', models.CharField(max_length=1000)),
                ('seat', models.UUIDField(help_text='The seat that is away.')),
                ('starts_at', models.DateTimeField(help_text='From when; of an absence the deadline at which it was excused.')),
                ('ends_at', models.DateTimeField(help_text='Until when; of an absence the deadline that follows.')),
                ('days', models.PositiveSmallIntegerField(default=0, help_text='Days of vacation that it costs; 0: an absence.')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='leaves', to='games.game')),
            ],
            options={
                'ordering': ['starts_at', 'id'],
            },
        ),
    ]
