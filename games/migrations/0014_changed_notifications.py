from django.db import migrations, models


class Migration(migrations.Migration):
    """When a notification was last written, for who follows theirs; what stood before was written at no known time."""

    dependencies = [
        ('games', '0013_kind_attacked'),
    ]

    operations = [
        migrations.AddField(
            model_name='notification',
            name='changed_at',
            field=models.DateTimeField(blank=True, editable=False, help_text='When it was last written: made, changed, read or gone.', null=True),
        ),
        migrations.AddIndex(
            model_name='notification',
            index=models.Index(fields=['user', 'changed_at'], name='notification_by_change'),
        ),
    ]
