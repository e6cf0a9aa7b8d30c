"""Columns that hold a word of a rulebook: its choices in forms and documents, and the check of the database."""

from collections.abc import Iterable
from enum import StrEnum

from django.db import models
from django.db.models import Q


def choices_of(words: Iterable[StrEnum]) -> list[tuple[str, str]]:
    """The choices of a column that holds one of these words."""
    return [(word.value, word.value) for word in words]


def is_known(row: str, field: str, words: Iterable[StrEnum], *, empty: bool = False) -> models.CheckConstraint:
    """A check that a column holds one of these words, or nothing where that is allowed.

    row: what begins the name of the check, such as `dawn_race`.
    """
    fits = Q(**{f"{field}__in": [word.value for word in words]})
    fits = fits | Q(**{f"{field}__isnull": True}) if empty else fits
    return models.CheckConstraint(condition=fits, name=f"{row}_{field}_known")
