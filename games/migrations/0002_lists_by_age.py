from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0001_tables'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['-created_at', 'id'], name='game_by_age'),
        ),
    ]
