"""Buckets and slots: which schema the games of a slot lie in. Rows of `public`, written by `migrate_places`."""

from typing import ClassVar

from django.db import models


class State(models.TextChoices):
    """How far a bucket is."""

    NEW = "new", "without tables yet"
    OPEN = "open", "in use"
    MOVING = "moving", "being moved to another server: read, not written"


class Bucket(models.Model):
    """A schema that holds whole games."""

    number = models.PositiveSmallIntegerField(primary_key=True, help_text="1 to 64.")
    schema = models.CharField(max_length=63, unique=True, help_text="The schema of PostgreSQL.")
    state = models.CharField(max_length=10, choices=State, default=State.NEW, help_text="Whether its tables are there.")
    server = models.CharField(
        max_length=63, blank=True, default="", db_default="",
        help_text="The server that has it, by its name in PLACE_SERVERS; empty: that of `public`.",
    )  # fmt: skip

    objects: ClassVar["models.Manager[Bucket]"] = models.Manager()

    class Meta:
        app_label = "places"

    def __str__(self) -> str:
        return self.schema


class Slot(models.Model):
    """The first twelve bits of an id, and where rows with such ids lie."""

    slot = models.PositiveSmallIntegerField(primary_key=True, help_text="0 to 4095.")
    bucket = models.ForeignKey(Bucket, on_delete=models.PROTECT, related_name="slots", help_text="Where they lie.")

    objects: ClassVar["models.Manager[Slot]"] = models.Manager()

    class Meta:
        app_label = "places"

    def __str__(self) -> str:
        return f"{self.slot:03x} in {self.bucket}"
