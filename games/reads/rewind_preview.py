"""What a rewind would undo: the events behind a moment, the latest command first, for a game-master to read first.

Nothing changes here. What a rewind undoes stays in the log, marked; an event with `survives_rewind` stays in force.
"""

from dataclasses import dataclass
from datetime import datetime

from games import registry
from games.models import Game
from games.reads.selectors import can_read
from games.storage.moments import events_of_gms, moment_at, streams_of_gms
from worlds.visibility import Visibility


@dataclass(frozen=True, slots=True)
class RewindPreviewEvent:
    """One event behind the moment.

    number: which event it is of those that game-masters may read; what `rewind` takes. stays: a rewind leaves it in
    force.
    """

    number: int
    type: str
    at: datetime
    text: str
    by: str
    stays: bool


@dataclass(frozen=True, slots=True)
class RewindPreview:
    """What lies behind a moment. moment: when the last event that stands was; none before the first."""

    to: int
    moment: datetime | None
    count: int
    results: tuple[RewindPreviewEvent, ...]

    @property
    def more(self) -> bool:
        """Whether there are more than are listed."""
        return self.count > len(self.results)


def rewind_preview(game: Game, visibility: Visibility, to: int, limit: int = 100) -> RewindPreview:
    """What a rewind to event `to` would undo of what this viewer may read as a game-master, the latest first.

    `to` 0 lists the latest events of all. The command of event `to` stands as a whole. Raises `history.missing` for
    what is no moment of the main line.
    """
    found = moment_at(game, to) if to else None
    readable = events_of_gms(game)
    streams = filter(can_read(game.pk, visibility), streams_of_gms(game))
    behind = readable.filter(seq__gt=found.seq if found else 0, fallen__isnull=True, audience__in=list(streams))
    rows = list(behind.order_by("-seq")[:limit])
    numbers = numbers_from(game, rows[-1].seq if rows else 0)
    results = tuple(
        RewindPreviewEvent(
            numbers[row.seq], registry.event_type(game.ruleset, row.type), row.at, row.text, row.by,
            registry.event_class(game.ruleset, row.type).survives_rewind,
        )
        for row in rows
    )  # fmt: skip
    return RewindPreview(to, found.row.at if found else None, behind.count(), results)


def numbers_from(game: Game, seq: int) -> dict[int, int]:
    """The numbers of the events from a position in the log on, by their positions: two queries."""
    readable = events_of_gms(game)
    before = readable.filter(seq__lt=seq).count()
    positions = readable.filter(seq__gte=seq).order_by("seq").values_list("seq", flat=True)
    return {position: number for number, position in enumerate(positions, before + 1)}
