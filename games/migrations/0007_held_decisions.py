from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0006_people_without_keys'),
    ]

    operations = [
        migrations.AddField(
            model_name='entereddie',
            name='held',
            field=models.TextField(blank=True, db_default='', default='', help_text='The decision that waits for it, as JSON.'),
        ),
    ]
