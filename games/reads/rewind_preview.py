"""What a rewind would undo: the events behind a moment, the latest command first, for a game-master to read first.

Nothing changes here. What a rewind undoes stays in the log, marked; an event with `survives_rewind` stays in force.
"""

from dataclasses import dataclass
from datetime import datetime

from games import registry
from games.engine.errors import Refused
from games.models import Game, LoggedEvent, Stream
from games.reads.selectors import can_read
from worlds.visibility import Visibility


@dataclass(frozen=True, slots=True)
class RewindPreviewEvent:
    """One event behind the moment. stays: a rewind leaves it in force.

    last: the last event of the same command or timer; a rewind to it leaves no command half undone.
    """

    seq: int
    last: int
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
    """What a rewind to event `to` would undo, as this viewer may read it, the latest first.

    `to` 0 lists the latest events of all. Raises `history.missing` for what is no moment of the main line.
    """
    moment = None
    if to:
        row = LoggedEvent.objects.filter(game=game, seq=to, fallen__isnull=True).first()
        if row is None:
            raise Refused("history.missing", f"Event {to} is no moment of this game's main line.")
        moment = row.at
    may_read = can_read(game.pk, visibility)
    streams = [a for a in Stream.objects.filter(game=game).values_list("audience", flat=True) if may_read(a)]
    behind = LoggedEvent.objects.filter(game=game, seq__gt=to, fallen__isnull=True, audience__in=streams)
    rows = list(behind.order_by("-seq")[:limit])
    last = _ends(game, rows[-1].seq) if rows else {}
    results = tuple(
        RewindPreviewEvent(
            row.seq, last[row.seq], registry.event_type(game.ruleset, row.type), row.at, row.text, row.by,
            registry.event_class(game.ruleset, row.type).survives_rewind,
        )
        for row in rows
    )  # fmt: skip
    return RewindPreview(to, moment, behind.count(), results)


def _ends(game: Game, first: int) -> dict[int, int]:
    """For each event from `first` on the last one of the same command or timer."""
    ends: dict[int, int] = {}
    command, last = None, 0
    rows = LoggedEvent.objects.filter(game=game, seq__gte=first).order_by("-seq")
    for seq, *here in rows.values_list("seq", "cause", "at"):
        if here != command:
            command, last = here, seq
        ends[seq] = last
    return ends
