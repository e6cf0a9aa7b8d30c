"""Moments of the past as game-masters name them: by the number of an event among those that game-masters may read.

The number in the log would tell how much happened that they may not read. A command is never undone by half: its last
event is the moment, whichever of its events is named.
"""

from dataclasses import dataclass

from django.db.models import QuerySet

from games.engine.audience import Audience, readable
from games.engine.errors import Refused
from games.models import Game, LoggedEvent, Stream


@dataclass(frozen=True, slots=True)
class Moment:
    """An event that stands. seq: the place in the log of the last event of its command or timer."""

    number: int
    seq: int
    row: LoggedEvent


def streams_of_gms(game: Game) -> list[str]:
    """The audiences of a game among whom every game-master is."""
    streams = Stream.objects.filter(game=game).values_list("audience", flat=True)
    return [audience for audience in streams if readable(Audience(audience), (), True)]


def events_of_gms(game: Game) -> QuerySet[LoggedEvent]:
    """The events that every game-master may read, undone ones too; the first has number 1."""
    return LoggedEvent.objects.filter(game=game, audience__in=streams_of_gms(game))


def moment_at(game: Game, number: int) -> Moment:
    """The moment of event `number`. Raises `history.missing` for none, and for one that a rewind has undone."""
    row = events_of_gms(game).order_by("seq")[number - 1 : number].first() if number > 0 else None
    if row is None or row.fallen is not None:
        raise Refused("history.missing", f"Event {number} is no moment of this game's main line.")
    later = LoggedEvent.objects.filter(game=game, seq__gt=row.seq).exclude(cause=row.cause, at=row.at)
    after = later.order_by("seq").values_list("seq", flat=True).first()
    last = game.events.order_by("-seq").values_list("seq", flat=True)[0] if after is None else after - 1
    return Moment(number, last, row)
