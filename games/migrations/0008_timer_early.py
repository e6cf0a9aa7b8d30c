from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0007_held_decisions'),
    ]

    operations = [
        migrations.AddField(
            model_name='timer',
            name='early',
            field=models.BooleanField(db_default=True, default=True, help_text='Whether a GM may fire it before its time.'),
        ),
    ]
