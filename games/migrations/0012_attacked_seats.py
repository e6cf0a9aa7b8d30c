from django.db import migrations, models


class Migration(migrations.Migration):
    """Whom each event attacks. What was logged before attacks nobody: it is news no longer."""

    dependencies = [
        ('games', '0011_digests'),
    ]

    operations = [
        migrations.AddField(
            model_name='loggedevent',
            name='attacked',
            field=models.TextField(blank=True, db_default='', default='', help_text="The players' seats that it attacks, as JSON; empty: none. It follows from the events, so no digest covers it."),
        ),
        migrations.AddIndex(
            model_name='loggedevent',
            index=models.Index(condition=models.Q(('attacked', ''), _negated=True), fields=['game', '-seq'], name='event_of_attacks'),
        ),
    ]
