from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('worlds', '0002_lists_of_a_world'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='world',
            index=models.Index(fields=['-created_at', 'id'], name='world_by_age'),
        ),
    ]
