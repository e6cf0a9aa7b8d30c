"""How many dice of a game were rolled under each label: there the next command's dice of that use begin (CF-3)."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Max

from core.prepared_queries import Statement
from games.models import Die

LAST = Statement(
    lambda game: Die.objects.filter(game=game).order_by().values("label").annotate(Max("index")).values_list(
        "label", "index__max"
    ),
    UUID,
)  # fmt: skip


class RolledDice:
    """The counts of one game, read from its dice with the first that is rolled, and kept up to date from then on.

    Only what stands is counted: a refusal and a dry run take no label.
    """

    def __init__(self, game: UUID) -> None:
        self._game = game
        self._counts: dict[str, int] | None = None

    def under(self, label: str) -> int:
        """How many dice were rolled under a label: one query for the first label asked for, none after."""
        if self._counts is None:
            self._counts = {each: last + 1 for each, last in LAST.rows(self._game)}
        return self._counts.get(label, 0)

    def add(self, dice: Iterable[tuple[str, int]]) -> None:
        """Count dice that an event carries: label and index of each. What was never read is read whole, these too."""
        if self._counts is not None:
            for label, index in dice:
                self._counts[label] = max(self._counts.get(label, 0), index + 1)
