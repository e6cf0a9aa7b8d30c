"""Rows that were read as cards: what they lead to lies in their own places (ADR 116)."""

from typing import Any, TypeVar

from django.db.models import Model, QuerySet, prefetch_related_objects

from core.places.place import CARDS
from core.places.routing import at_place, by_place, current

M = TypeVar("M", bound=Model, covariant=True)


class CardQuerySet(QuerySet[M]):
    """Rows that may be read as cards; what is fetched beside them then is read place by place.

    Their key says where they lie.
    """

    def _prefetch_related_objects(self) -> None:
        own: Any = self
        if current() is not CARDS or not own._prefetch_related_lookups:
            super()._prefetch_related_objects()  # type: ignore[misc]
            return
        rows = {row.pk: row for row in own._result_cache}
        for place, keys in by_place(rows).items():
            with at_place(place and place.aside()):
                prefetch_related_objects([rows[key] for key in keys], *own._prefetch_related_lookups)
        own._prefetch_done = True
