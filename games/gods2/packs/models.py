"""Packs as rows: versions, and for each part of a pack a row for every entry.

A published version never changes: games play with it, and their logs are folded with it. Everybody may read it; drafts
are for staff. Lists, conditions and effects stand as JSON, as in the files of `pack/`. Tables are called as when they
were the game's own.
"""

import json
from collections.abc import Mapping
from typing import Any, ClassVar, Self
from uuid import uuid4

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import models, transaction
from django.db.models import Exists, Q
from django.utils import timezone

from games.engine.errors import Refused
from worlds.visibility import Visibility

DRAFT, PUBLISHED = "draft", "published"
STATES = ((DRAFT, "draft"), (PUBLISHED, "published"))


class VersionQuerySet(models.QuerySet[Any]):
    """Versions: published ones for everybody."""

    def visible_to(self, visibility: Visibility) -> Self:
        """The versions this viewer may see."""
        return self if visibility.admin else self.filter(Q(state=PUBLISHED) | _is_staff(visibility))


class EntryQuerySet(models.QuerySet[Any]):
    """Entries: those of published versions for everybody."""

    def visible_to(self, visibility: Visibility) -> Self:
        """The entries this viewer may see."""
        return self if visibility.admin else self.filter(Q(pack__state=PUBLISHED) | _is_staff(visibility))

    def update(self, **kwargs: Any) -> int:
        """As ever. Raises `pack.published` where an entry is of a published version."""
        self._only_drafts()
        return super().update(**kwargs)

    def delete(self) -> Any:
        """As ever. Raises `pack.published` where an entry is of a published version."""
        self._only_drafts()
        return super().delete()

    def _only_drafts(self) -> None:
        entry = self.filter(pack__state=PUBLISHED).select_related("pack").first()
        if entry is not None:
            raise entry.pack.refusal_of_change()


def _is_staff(visibility: Visibility) -> Exists:
    """Whether this is somebody who may work in the admin."""
    people = get_user_model()._default_manager.filter(is_staff=True, is_active=True)
    return Exists(people.filter(pk=visibility.user) if visibility.user else people.none())


class PackVersion(models.Model):
    """A version of the data pack: a draft, or published under a number and never changed again."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    name = models.CharField(max_length=80)
    number = models.PositiveIntegerField(
        null=True, blank=True, unique=True, help_text="What games name it by; given when it is published."
    )
    parent = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="children",
        help_text="What it was copied from.",
    )
    state = models.CharField(max_length=10, choices=STATES, default=DRAFT)
    digest = models.CharField(max_length=64, blank=True, default="", help_text="SHA-256 of number and entries.")
    note = models.TextField(blank=True, default="", help_text="What is different, for those who choose a pack.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.DO_NOTHING, db_constraint=False,
        related_name="+",
    )  # fmt: skip
    created_at = models.DateTimeField(default=timezone.now)
    published_at = models.DateTimeField(null=True, blank=True)

    objects = VersionQuerySet.as_manager()

    class Meta:
        db_table = "gods2_packversion"
        ordering: ClassVar = ["number", "created_at", "id"]
        verbose_name = "pack"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(state=DRAFT, number__isnull=True, digest="")
                | Q(state=PUBLISHED, number__isnull=False) & ~Q(digest=""),
                name="gods2_pack_numbered_when_published",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.number}" if self.is_published else f"{self.name} (draft)"

    @property
    def is_published(self) -> bool:
        """Whether it never changes again."""
        return self.state == PUBLISHED

    def refusal_of_change(self) -> Refused:
        """The refusal to change it."""
        return Refused(
            "pack.published",
            f"{self} is published: games play with it. Copy it to a new draft, change that, and publish it.",
            number=self.number,
        )

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        """As ever. Raises `pack.published`."""
        if self.is_published:
            raise self.refusal_of_change()
        return super().delete(*args, **kwargs)


class PackEntry(models.Model):
    """An entry of a pack. `shape` names the fields of its data in their order; `id` stands in the column `key`."""

    part: ClassVar[str]
    shape: ClassVar[tuple[str, ...]]
    parsed: ClassVar[frozenset[str]] = frozenset()
    """Fields that stand as JSON."""
    sparse: ClassVar[frozenset[str]] = frozenset()
    """Fields that are left out of the data where they say nothing."""

    pack = models.ForeignKey(PackVersion, on_delete=models.CASCADE, related_name="%(class)ss", db_index=False)
    position = models.PositiveIntegerField(default=0, help_text="Its place among the entries of its kind.")
    key = models.CharField(max_length=60, help_text="Small letters, digits and _; games and other entries name it so.")
    name = models.CharField(max_length=80)

    objects = EntryQuerySet.as_manager()

    class Meta:
        abstract = True
        ordering: ClassVar = ["pack", "position", "id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["pack", "key"], name="gods2_%(class)s_once")]

    def __str__(self) -> str:
        return self.name or self.key

    @transaction.atomic
    def save(self, *args: Any, **kwargs: Any) -> None:
        """As ever. Raises `pack.published`."""
        self._hold()
        super().save(*args, **kwargs)

    @transaction.atomic
    def delete(self, *args: Any, **kwargs: Any) -> Any:
        """As ever. Raises `pack.published`."""
        self._hold()
        return super().delete(*args, **kwargs)

    def _hold(self) -> None:
        """Keep the version as it is until this change is done, so that nobody publishes half of it."""
        version = PackVersion.objects.select_for_update().get(pk=self.pack_id)
        if version.is_published:
            raise version.refusal_of_change()

    def plain(self) -> dict[str, Any]:
        """The entry's data, as it stands in a file."""
        values = {}
        for name in self.shape:
            value = getattr(self, "key" if name == "id" else name)
            if name in self.sparse and not value:
                continue
            values[name] = json.loads(value) if name in self.parsed else value
        return values

    @classmethod
    def columns(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """The columns of an entry's data."""
        return {
            "key" if name == "id" else name: compact(given[name]) if name in cls.parsed else given[name]
            for name in cls.shape
            if name in given
        }


def compact(value: Any) -> str:
    """JSON text, characters as they are, keys in their order."""
    return json.dumps(value, ensure_ascii=False)


class Kept(PackEntry):
    """What the entries with effects have in common."""

    origin = models.CharField(max_length=60, default="ours", help_text="Where name and numbers come from.")
    effects = models.TextField(default="[]", help_text="What it does: operations of section 4.2, as JSON.")

    class Meta(PackEntry.Meta):
        abstract = True


class PackSphere(PackEntry):
    """A sphere of the gods."""

    part = "spheres"
    shape = ("id", "name", "elemental", "group")

    elemental = models.BooleanField(default=False)
    group = models.CharField(max_length=10, help_text="greater, generic, sample or pool.")

    class Meta(PackEntry.Meta):
        abstract = False
        db_table = "gods2_packsphere"


class PackAttribute(Kept):
    """An attribute of races, fixed before Era Centrum begins."""

    part = "attributes"
    shape = ("id", "name", "cost", "origin", "effects")
    parsed = frozenset({"effects"})

    cost = models.IntegerField()

    class Meta(Kept.Meta):
        abstract = False
        db_table = "gods2_packattribute"


class PackKnowledge(Kept):
    """A knowledge that a race has or has not."""

    part = "knowledges"
    shape = ("id", "name", "code", "tier", "prereqs", "requires", "origin", "effects")
    parsed = frozenset({"prereqs", "requires", "effects"})

    code = models.CharField(max_length=2, help_text="K, Kc civics, Ke engineering, Km military, Ks scholarly.")
    tier = models.PositiveSmallIntegerField(help_text="Length of the longest chain of prerequisites, itself included.")
    prereqs = models.TextField(default="[]", help_text="Keys of knowledges that come before, as JSON.")
    requires = models.TextField(default="[]", help_text="Conditions on the race, as JSON.")

    class Meta(Kept.Meta):
        abstract = False
        db_table = "gods2_packknowledge"


class PackFeature(Kept):
    """A kind of terrain feature."""

    part = "features"
    shape = ("id", "name", "code", "terrains", "origin", "effects")
    parsed = frozenset({"terrains", "effects"})

    code = models.CharField(
        max_length=2, help_text="Fp stays, Fl while land, Ft until new terrain, Fr locked, Fc city."
    )
    terrains = models.TextField(default='["any"]', help_text="Letters P F D M I W, L any land, any; as JSON.")

    class Meta(Kept.Meta):
        abstract = False
        db_table = "gods2_packfeature"


class PackPower(Kept):
    """A history power: what a card lets a god do."""

    part = "powers"
    shape = (
        "id", "sphere", "level", "name", "kind", "codes", "cost", "cost_kind", "target", "requires", "duration",
        "stackable", "origin", "effects",
    )  # fmt: skip
    parsed = frozenset({"codes", "cost", "requires", "effects"})
    sparse = frozenset({"duration", "stackable"})

    sphere = models.CharField(max_length=4, help_text="Key of a sphere.")
    level = models.PositiveSmallIntegerField(help_text="0 to 6.")
    kind = models.CharField(max_length=10, default="history", help_text="history, creation or personal.")
    codes = models.TextField(default="[]", help_text="Codes of section 4.1, as JSON.")
    cost = models.TextField(default="0", help_text="Mana, or a formula in quotation marks, as JSON.")
    cost_kind = models.CharField(max_length=10, default="fixed", help_text="fixed, per_square or variable.")
    target = models.CharField(
        max_length=20, default="race", help_text="race, race+contact, square, squares:n, connected:n, city or earth."
    )
    requires = models.TextField(default="[]", help_text="Conditions on the target, as JSON.")
    duration = models.CharField(max_length=20, blank=True, default="", help_text="Where it is not that of its code.")
    stackable = models.BooleanField(default=False, help_text="Whether it may run twice on a race (G2-MOD-1).")

    class Meta(Kept.Meta):
        abstract = False
        db_table = "gods2_packpower"


class PackSource(PackEntry):
    """A source of mana: what is counted, and the mana for one card."""

    part = "mana_sources"
    shape = ("id", "sphere", "when", "counter", "once", "factor", "origin")
    sparse = frozenset({"once"})

    name = None  # type: ignore[assignment]
    sphere = models.CharField(max_length=4, help_text="Key of a sphere.")
    when = models.CharField(max_length=12, default="century_end", help_text="century_end, event or era_end.")
    counter = models.CharField(max_length=60, help_text="What is counted, for example deaths:fire,earth.")
    once = models.CharField(
        max_length=8, blank=True, default="", db_default="", help_text="race: counted once a race and century."
    )
    factor = models.CharField(max_length=12, help_text="Mana for one card and counted thing, at most 4 places.")
    origin = models.CharField(max_length=60, default="ours")

    class Meta(PackEntry.Meta):
        abstract = False
        db_table = "gods2_packsource"

    def __str__(self) -> str:
        return self.key


class PackTable(PackEntry):
    """A roll table; a result without a row does nothing."""

    part = "tables"
    shape = ("id", "die", "codes", "rows")
    parsed = frozenset({"codes", "rows"})

    name = None  # type: ignore[assignment]
    die = models.PositiveSmallIntegerField(default=6)
    codes = models.TextField(default="[]", help_text="Codes that give the elements of what a row does, as JSON.")
    rows = models.TextField(default="[]", help_text="Rows of from, to and effects, as JSON.")

    class Meta(PackEntry.Meta):
        abstract = False
        db_table = "gods2_packtable"

    def __str__(self) -> str:
        return self.key


ENTRIES: tuple[type[PackEntry], ...] = (
    PackSphere, PackAttribute, PackKnowledge, PackFeature, PackPower, PackSource, PackTable,
)  # fmt: skip
"""The entries' models in the order of a pack's parts."""
