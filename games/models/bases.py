"""Bases of the rows that rulesets keep: who may see a row."""

from django.db import models

from games.models.querysets import AudienceQuerySet, OfGameQuerySet


class OfGame(models.Model):
    """A row that everybody may see who may see its game."""

    objects = OfGameQuerySet.as_manager()

    class Meta:
        abstract = True


class OfReaders(models.Model):
    """A row with its readers."""

    audience = models.CharField(max_length=1000)

    objects = AudienceQuerySet.as_manager()

    class Meta:
        abstract = True
