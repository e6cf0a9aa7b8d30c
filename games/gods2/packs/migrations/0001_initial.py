"""Packs are an app of their own. The tables are those of The Gods II, as they stand: nothing changes in the database."""

import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


CALLED = ('packversion', 'packsphere', 'packattribute', 'packknowledge', 'packfeature', 'packpower', 'packsource', 'packtable')


def move_content_types(before, after):
    """Permissions and the admin's history go with the models: what they hang on gets the other label."""
    def move(apps, schema_editor):
        types = apps.get_model('contenttypes', 'ContentType').objects.using(schema_editor.connection.alias)
        types.filter(app_label=before, model__in=CALLED).update(app_label=after)

    return move


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('contenttypes', '0002_remove_content_type_name'),
        ('gods2', '0010_people_without_keys'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='PackVersion',
                    fields=[
                        ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                        ('name', models.CharField(max_length=80)),
                        ('number', models.PositiveIntegerField(blank=True, help_text='What games name it by; given when it is published.', null=True, unique=True)),
                        ('state', models.CharField(choices=[('draft', 'draft'), ('published', 'published')], default='draft', max_length=10)),
                        ('digest', models.CharField(blank=True, default='', help_text='SHA-256 of number and entries.', max_length=64)),
                        ('note', models.TextField(blank=True, default='', help_text='What is different, for those who choose a pack.')),
                        ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('published_at', models.DateTimeField(blank=True, null=True)),
                        ('created_by', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('parent', models.ForeignKey(blank=True, help_text='What it was copied from.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='children', to='gods2_packs.packversion')),
                    ],
                    options={
                        'verbose_name': 'pack',
                        'db_table': 'gods2_packversion',
                        'ordering': ['number', 'created_at', 'id'],
                    },
                ),
                migrations.CreateModel(
                    name='PackTable',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('position', models.PositiveIntegerField(default=0, help_text='Its place among the entries of its kind.')),
                        ('key', models.CharField(help_text='Small letters, digits and _; games and other entries name it so.', max_length=60)),
                        ('die', models.PositiveSmallIntegerField(default=6)),
                        ('codes', models.TextField(default='[]', help_text='Codes that give the elements of what a row does, as JSON.')),
                        ('rows', models.TextField(default='[]', help_text='Rows of from, to and effects, as JSON.')),
                        ('pack', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='gods2_packs.packversion')),
                    ],
                    options={
                        'db_table': 'gods2_packtable',
                        'ordering': ['pack', 'position', 'id'],
                        'abstract': False,
                    },
                ),
                migrations.CreateModel(
                    name='PackSphere',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('position', models.PositiveIntegerField(default=0, help_text='Its place among the entries of its kind.')),
                        ('key', models.CharField(help_text='Small letters, digits and _; games and other entries name it so.', max_length=60)),
                        ('name', models.CharField(max_length=80)),
                        ('elemental', models.BooleanField(default=False)),
                        ('group', models.CharField(help_text='greater, generic, sample or pool.', max_length=10)),
                        ('pack', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='gods2_packs.packversion')),
                    ],
                    options={
                        'db_table': 'gods2_packsphere',
                        'ordering': ['pack', 'position', 'id'],
                        'abstract': False,
                    },
                ),
                migrations.CreateModel(
                    name='PackSource',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('position', models.PositiveIntegerField(default=0, help_text='Its place among the entries of its kind.')),
                        ('key', models.CharField(help_text='Small letters, digits and _; games and other entries name it so.', max_length=60)),
                        ('sphere', models.CharField(help_text='Key of a sphere.', max_length=4)),
                        ('when', models.CharField(default='century_end', help_text='century_end, event or era_end.', max_length=12)),
                        ('counter', models.CharField(help_text='What is counted, for example deaths:fire,earth.', max_length=60)),
                        ('once', models.CharField(blank=True, db_default='', default='', help_text='race: counted once a race and century.', max_length=8)),
                        ('factor', models.CharField(help_text='Mana for one card and counted thing, at most 4 places.', max_length=12)),
                        ('origin', models.CharField(default='ours', max_length=60)),
                        ('pack', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='gods2_packs.packversion')),
                    ],
                    options={
                        'db_table': 'gods2_packsource',
                        'ordering': ['pack', 'position', 'id'],
                        'abstract': False,
                    },
                ),
                migrations.CreateModel(
                    name='PackPower',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('position', models.PositiveIntegerField(default=0, help_text='Its place among the entries of its kind.')),
                        ('key', models.CharField(help_text='Small letters, digits and _; games and other entries name it so.', max_length=60)),
                        ('name', models.CharField(max_length=80)),
                        ('origin', models.CharField(default='ours', help_text='Where name and numbers come from.', max_length=60)),
                        ('effects', models.TextField(default='[]', help_text='What it does: operations of section 4.2, as JSON.')),
                        ('sphere', models.CharField(help_text='Key of a sphere.', max_length=4)),
                        ('level', models.PositiveSmallIntegerField(help_text='0 to 6.')),
                        ('kind', models.CharField(default='history', help_text='history, creation or personal.', max_length=10)),
                        ('codes', models.TextField(default='[]', help_text='Codes of section 4.1, as JSON.')),
                        ('cost', models.TextField(default='0', help_text='Mana, or a formula in quotation marks, as JSON.')),
                        ('cost_kind', models.CharField(default='fixed', help_text='fixed, per_square or variable.', max_length=10)),
                        ('target', models.CharField(default='race', help_text='race, race+contact, square, squares:n, connected:n, city or earth.', max_length=20)),
                        ('requires', models.TextField(default='[]', help_text='Conditions on the target, as JSON.')),
                        ('duration', models.CharField(blank=True, default='', help_text='Where it is not that of its code.', max_length=20)),
                        ('stackable', models.BooleanField(default=False, help_text='Whether it may run twice on a race (G2-MOD-1).')),
                        ('pack', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='gods2_packs.packversion')),
                    ],
                    options={
                        'db_table': 'gods2_packpower',
                        'ordering': ['pack', 'position', 'id'],
                        'abstract': False,
                    },
                ),
                migrations.CreateModel(
                    name='PackKnowledge',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('position', models.PositiveIntegerField(default=0, help_text='Its place among the entries of its kind.')),
                        ('key', models.CharField(help_text='Small letters, digits and _; games and other entries name it so.', max_length=60)),
                        ('name', models.CharField(max_length=80)),
                        ('origin', models.CharField(default='ours', help_text='Where name and numbers come from.', max_length=60)),
                        ('effects', models.TextField(default='[]', help_text='What it does: operations of section 4.2, as JSON.')),
                        ('code', models.CharField(help_text='K, Kc civics, Ke engineering, Km military, Ks scholarly.', max_length=2)),
                        ('tier', models.PositiveSmallIntegerField(help_text='Length of the longest chain of prerequisites, itself included.')),
                        ('prereqs', models.TextField(default='[]', help_text='Keys of knowledges that come before, as JSON.')),
                        ('requires', models.TextField(default='[]', help_text='Conditions on the race, as JSON.')),
                        ('pack', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='gods2_packs.packversion')),
                    ],
                    options={
                        'db_table': 'gods2_packknowledge',
                        'ordering': ['pack', 'position', 'id'],
                        'abstract': False,
                    },
                ),
                migrations.CreateModel(
                    name='PackFeature',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('position', models.PositiveIntegerField(default=0, help_text='Its place among the entries of its kind.')),
                        ('key', models.CharField(help_text='Small letters, digits and _; games and other entries name it so.', max_length=60)),
                        ('name', models.CharField(max_length=80)),
                        ('origin', models.CharField(default='ours', help_text='Where name and numbers come from.', max_length=60)),
                        ('effects', models.TextField(default='[]', help_text='What it does: operations of section 4.2, as JSON.')),
                        ('code', models.CharField(help_text='Fp stays, Fl while land, Ft until new terrain, Fr locked, Fc city.', max_length=2)),
                        ('terrains', models.TextField(default='["any"]', help_text='Letters P F D M I W, L any land, any; as JSON.')),
                        ('pack', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='gods2_packs.packversion')),
                    ],
                    options={
                        'db_table': 'gods2_packfeature',
                        'ordering': ['pack', 'position', 'id'],
                        'abstract': False,
                    },
                ),
                migrations.CreateModel(
                    name='PackAttribute',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('position', models.PositiveIntegerField(default=0, help_text='Its place among the entries of its kind.')),
                        ('key', models.CharField(help_text='Small letters, digits and _; games and other entries name it so.', max_length=60)),
                        ('name', models.CharField(max_length=80)),
                        ('origin', models.CharField(default='ours', help_text='Where name and numbers come from.', max_length=60)),
                        ('effects', models.TextField(default='[]', help_text='What it does: operations of section 4.2, as JSON.')),
                        ('cost', models.IntegerField()),
                        ('pack', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='gods2_packs.packversion')),
                    ],
                    options={
                        'db_table': 'gods2_packattribute',
                        'ordering': ['pack', 'position', 'id'],
                        'abstract': False,
                    },
                ),
                migrations.AddConstraint(
                    model_name='packversion',
                    constraint=models.CheckConstraint(condition=models.Q(models.Q(('digest', ''), ('number__isnull', True), ('state', 'draft')), models.Q(('number__isnull', False), ('state', 'published'), models.Q(('digest', ''), _negated=True)), _connector='OR'), name='gods2_pack_numbered_when_published'),
                ),
                migrations.AddConstraint(
                    model_name='packtable',
                    constraint=models.UniqueConstraint(fields=('pack', 'key'), name='gods2_packtable_once'),
                ),
                migrations.AddConstraint(
                    model_name='packsphere',
                    constraint=models.UniqueConstraint(fields=('pack', 'key'), name='gods2_packsphere_once'),
                ),
                migrations.AddConstraint(
                    model_name='packsource',
                    constraint=models.UniqueConstraint(fields=('pack', 'key'), name='gods2_packsource_once'),
                ),
                migrations.AddConstraint(
                    model_name='packpower',
                    constraint=models.UniqueConstraint(fields=('pack', 'key'), name='gods2_packpower_once'),
                ),
                migrations.AddConstraint(
                    model_name='packknowledge',
                    constraint=models.UniqueConstraint(fields=('pack', 'key'), name='gods2_packknowledge_once'),
                ),
                migrations.AddConstraint(
                    model_name='packfeature',
                    constraint=models.UniqueConstraint(fields=('pack', 'key'), name='gods2_packfeature_once'),
                ),
                migrations.AddConstraint(
                    model_name='packattribute',
                    constraint=models.UniqueConstraint(fields=('pack', 'key'), name='gods2_packattribute_once'),
                ),
            ],
        ),
        # Of rows that were there before alone: a new database has none.
        migrations.RunPython(
            move_content_types('gods2', 'gods2_packs'), move_content_types('gods2_packs', 'gods2'), elidable=True
        ),
    ]
