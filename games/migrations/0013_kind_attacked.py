from django.db import migrations, models


class Migration(migrations.Migration):
    """A kind of notification more.

    The check comes again with one kind more, so nothing that stands, or that older code writes, is refused by it.
    """

    dependencies = [
        ('games', '0012_attacked_seats'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='notification',
            name='notification_kind_known',
        ),
        migrations.AlterField(
            model_name='notification',
            name='kind',
            field=models.CharField(choices=[('asked', 'asked'), ('turn', 'turn'), ('deadline', 'deadline'), ('alone', 'alone'), ('attacked', 'attacked'), ('chapter', 'chapter'), ('over', 'over')], max_length=10),
        ),
        migrations.AddConstraint(
            model_name='notification',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['asked', 'turn', 'deadline', 'alone', 'attacked', 'chapter', 'over'])), name='notification_kind_known'),
        ),
    ]
