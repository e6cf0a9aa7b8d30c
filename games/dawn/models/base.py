"""What most rows of Dawn have in common: everything on the table is public, save what `open` keeps apart."""

from collections.abc import Iterable
from enum import StrEnum

from django.db import models
from django.db.models import Q

from games.dawn.rules.state.constants import HIGHEST_ALIGNMENT, LOWEST_ALIGNMENT
from games.models.columns import is_known


def check_known(table: str, field: str, kinds: Iterable[StrEnum], *, empty: bool = False) -> models.CheckConstraint:
    """A check that a column holds one of the rulebook's words, or nothing where that is allowed."""
    return is_known(f"dawn_{table}", field, kinds, empty=empty)


def on_scale(table: str) -> models.CheckConstraint:
    """A check that an alignment is on the scale (DW-ALN-1)."""
    fits = Q(alignment__gte=LOWEST_ALIGNMENT, alignment__lte=HIGHEST_ALIGNMENT)
    return models.CheckConstraint(condition=fits, name=f"dawn_{table}_alignment_on_the_scale")
