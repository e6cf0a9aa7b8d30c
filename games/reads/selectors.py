"""Reads: what a viewer may know of a game. Every row passes `visible_to`, every event its stream."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from core.prepared_queries import Statement
from games import registry
from games.engine.audience import Audience, readable
from games.engine.board.board import Square
from games.engine.board.reach import Reach
from games.engine.dice import Tray
from games.engine.errors import Refused
from games.engine.game_state import GameState, Status
from games.engine.insight.breakdown import Breakdown
from games.engine.insight.forecast import DrawnDice, Forecast, Forecastable
from games.engine.insight.legal_commands import (
    EVERYTHING,
    LegalCommand,
    LegalCommandFilter,
    legal_commands_for,
    names_of,
)
from games.engine.kernel import Actor, Command, Context, require_clock
from games.models import Game, LoggedEvent, Seat, Stream
from games.models.log import AnyEventRow
from games.reads.muting import MESSAGE, muted_senders, without_text
from games.reads.positions import position_of, require_this_log, rows_behind, rows_up_to
from games.storage import cursors, log
from games.storage.cursors import Head
from games.storage.state_cache import STATE_CACHE
from games.storage.store import MORE
from worlds.visibility import Visibility

HEADS = Statement(lambda game: Stream.objects.filter(game=game).values_list("audience", "head", "mark"), UUID)


@dataclass(frozen=True, slots=True)
class EventView:
    """An event as one viewer reads it: its fields, and the cursor right after it."""

    cursor: str
    type: str
    """Its ruleset and its class, `gods2.WarDeclared`; `core` is the ruleset of what every game has."""
    at: datetime
    rules: list[str]
    rolls: list[dict[str, Any]]
    text: str
    by: str
    on_behalf_of: str | None
    undone: bool
    """Whether a rewind undid it."""
    data: dict[str, Any]
    """The event's own fields."""
    muted: bool = False
    """Whether it is a message of a seat that the viewer mutes: its text is withheld (`games.reads.muting`)."""
    number: str = ""
    """The event's number in the stream that it was read from; "" where it is of a dry run."""
    seq: int = 0
    """Its position in the whole log, which is shown to nobody."""
    cause: str = ""
    """The command or timer behind it, for telling its events from others of that moment; shown to nobody."""

    def as_json(self) -> dict[str, Any]:
        """The event as both APIs send it: one envelope, with the event's own fields as `data`."""
        return {
            "cursor": self.cursor,
            "type": self.type,
            "at": self.at,
            "rules": self.rules,
            "rolls": self.rolls,
            "text": self.text,
            "by": self.by,
            "on_behalf_of": self.on_behalf_of,
            "undone": self.undone,
            "muted": self.muted,
            "data": self.data,
        }


@dataclass(frozen=True, slots=True)
class EventPage:
    """Events in order, the positions before the first and after the last, and whether more are there that way."""

    results: list[EventView]
    start: str
    cursor: str
    more: bool


def can_read(game_id: UUID, visibility: Visibility) -> Callable[[str], bool]:
    """Whether this viewer may read a stream of this game."""
    gm = game_id in visibility.gm_games
    return lambda audience: readable(Audience(audience), visibility.seats, gm)


def heads_for(game: Game | UUID, visibility: Visibility) -> dict[str, Head]:
    """The heads of the streams that this viewer may read.

    game: its row as it was read, or its id. By an id one query; by a row the heads of that moment, without a query
    where this process has the game's state and nobody else has written since.
    """
    heads = STATE_CACHE.heads_at(game) if isinstance(game, Game) else None
    pk = game.pk if isinstance(game, Game) else game
    if heads is None:
        heads = {audience: Head(head, mark) for audience, head, mark in HEADS.rows(pk)}
    may_read = can_read(pk, visibility)
    return {audience: head for audience, head in heads.items() if may_read(audience)}


def cursor_for(game: Game | UUID, visibility: Visibility) -> str:
    """How far this viewer could have read by now; game: as in `heads_for`."""
    return cursors.encode(heads_for(game, visibility))


def check_cursor(game: Game, visibility: Visibility, cursor: str) -> None:
    """Raise `cursor.invalid` or `cursor.ahead`; without a cursor nothing is asked. One query more for one behind."""
    if cursor:
        heads = heads_for(game, visibility)
        require_this_log(game, heads, position_of(game.pk, visibility, heads, cursor))


def events_for(game: Game, visibility: Visibility, *, after: str = "", limit: int = 100) -> EventPage:
    """The next events that this viewer may read behind a cursor, in the game's order.

    Raises `cursor.invalid`, `cursor.ahead`.
    """
    heads = heads_for(game, visibility)
    wanted, position = Q(pk__in=[]), position_of(game.pk, visibility, heads, after)
    for audience, head in heads.items():
        reached = position[audience].ordinal
        if reached < head.ordinal:
            # Up to the heads as they were read together: what has come since may stand behind what was not asked for.
            # Of no stream are more wanted than a page has: else each page would read all that is unread.
            last = min(head.ordinal, reached + limit + 1)
            wanted |= Q(audience=audience, ordinal__gt=reached, ordinal__lte=last)
    rows = rows_behind(game, heads, position, wanted, limit + 1)
    return page_of(game, visibility, rows[:limit], position, more=len(rows) > limit)


def events_before(game: Game, visibility: Visibility, *, before: str = "", limit: int = 100) -> EventPage:
    """The last events that this viewer may read up to a cursor, or up to now, in the game's order.

    Raises `cursor.invalid`, `cursor.ahead`.
    """
    heads = heads_for(game, visibility)
    position = position_of(game.pk, visibility, heads, before) if before else heads
    rows = rows_up_to(game, heads, position, Q(), limit + 1)
    start = dict(position)
    for row, before_it in rows[:limit]:
        start[row.audience] = before_it
    shown = [row for row, _ in rows[:limit]][::-1]
    return page_of(game, visibility, shown, start, more=len(rows) > limit)


def page_of(
    game: Game, visibility: Visibility, rows: Sequence[AnyEventRow], position: dict[str, Head], *, more: bool
) -> EventPage:
    """Rows in order as a page; `position` (heads by audience before the first) moves on past them.

    One query where one of them is a message and somebody is signed in: whom they mute.
    """
    start, muted = cursors.encode(position), muted_senders(game.pk, visibility.user, rows)
    views = [render(game.ruleset, row, position) for row in rows]
    if muted:
        views = [
            without_text(view) if row.type == MESSAGE and view.data["sender"] in muted else view
            for row, view in zip(rows, views, strict=True)
        ]
    return EventPage(views, start, views[-1].cursor if views else start, more)


def events_between(game: Game, visibility: Visibility, first: int, last: int) -> EventPage:
    """The events `first`..`last` of the log that this viewer may read, with the cursor behind them."""
    rows = LoggedEvent.objects.filter(game=game, seq__gte=first, seq__lte=last).order_by("seq")
    streams = [audience for audience in log.heads_of(game) if can_read(game.pk, visibility)(audience)]
    return events_of_rows(game, visibility, rows, log.heads_before(game.pk, streams, first))


def events_of_rows(
    game: Game, visibility: Visibility, rows: Iterable[AnyEventRow], before: Mapping[str, Head]
) -> EventPage:
    """Those of consecutive events that this viewer may read. `before`: the heads of the streams before them."""
    may_read = can_read(game.pk, visibility)
    position = {audience: head for audience, head in before.items() if may_read(audience)}
    return page_of(game, visibility, [row for row in rows if may_read(row.audience)], position, more=False)


def render(ruleset: str, row: AnyEventRow, position: dict[str, Head]) -> EventView:
    """A row of a game's log as it is shown; `position` (heads by audience) moves on past it."""
    position[row.audience] = Head(row.ordinal, row.mark)
    return EventView(
        cursor=cursors.encode(position),
        type=registry.event_type(ruleset, row.type),
        at=row.at,
        rules=orjson.loads(row.rules),
        rolls=orjson.loads(row.rolls),
        text=row.text,
        by=row.by,
        on_behalf_of=str(row.on_behalf_of) if row.on_behalf_of else None,
        undone=row.fallen is not None,
        data=orjson.loads(row.body),
        number=cursors.number_of(row.audience, row.ordinal),
        seq=row.seq,
        cause=row.cause,
    )


def games_for(visibility: Visibility) -> QuerySet[Game]:
    """The games this viewer may see."""
    return Game.objects.visible_to(visibility)


def games_in_use(rows: QuerySet[Game], user: UUID | None) -> QuerySet[Game]:
    """Of these games all but the lobbies of others in which nobody but who opened them has a seat, and nothing public
    has happened since."""
    seats = Seat.objects.filter(~Q(user=OuterRef("opened_by")) | Q(user=user, user__isnull=False), game=OuterRef("pk"))
    return rows.filter(~Q(status=Status.LOBBY) | Q(public_at__gt=F("created_at")) | Q(Exists(seats)))


def demo_games(rows: QuerySet[Game]) -> QuerySet[Game]:
    """Of these games those that the service's demo plays now."""
    return rows.filter(is_demo=True).exclude(status=Status.FINISHED)


def state_for(game: Game, visibility: Visibility, only: frozenset[str] | None = None) -> dict[str, Any]:
    """The whole game as this viewer may see it: every table of the ruleset through `visible_to`, in fixed queries.

    What is over is no part of it (`Table.over`, `Table.ledger`): it stands in the lists of rows.

    only: the tables that are wanted, `MORE` for what is no table; all where it is None. Rows are objects with the
    record's fields as JSON values; times are datetimes.
    """
    store = registry.store(game.ruleset)
    tables = {m.table: m.view(game, visibility) for m in store.shown_tables if only is None or m.table in only}
    more: dict[str, Any] = store.view_more(game, visibility) if only is None or MORE in only else {}
    return tables | more


def legal_commands(
    game: Game,
    actor: Actor | Callable[[type[Command]], Actor],
    visibility: Visibility,
    narrow: LegalCommandFilter = EVERYTHING,
) -> tuple[list[LegalCommand], dict[str, str]]:
    """What an actor may do now, of all that, what is asked for; and what people call the ids in it.

    actor: one for all commands, or the one who would issue each. Who acts for a seat reads what that seat reads.
    """
    rules = registry.ruleset(game.ruleset)
    absent = actor.on_behalf_of if isinstance(actor, Actor) else None
    with STATE_CACHE.reading(game) as state:
        seats = visibility.seats if absent is None else frozenset({absent})
        seen = state.view_for(seats, gm=absent is None and game.pk in visibility.gm_games, user=visibility.user)
        found = legal_commands_for(seen, rules.commands.values(), actor, narrow)
        return found, names_of(seen, found)


def breakdowns(
    game: Game, visibility: Visibility, *, subject: UUID | None = None, square: Square | None = None
) -> list[Breakdown]:
    """How the numbers of one subject, or of all, came about, from what this viewer may see."""
    rules = registry.ruleset(game.ruleset)
    with STATE_CACHE.reading(game) as state:
        return list(
            rules.breakdowns(state.view_for(visibility.seats, gm=game.pk in visibility.gm_games), subject, square)
        )


def reaches(game: Game, visibility: Visibility, *, subject: UUID | None = None) -> list[Reach]:
    """The squares that one subject borders, or each, from what this viewer may see."""
    rules = registry.ruleset(game.ruleset)
    with STATE_CACHE.reading(game) as state:
        return list(rules.reaches(state.view_for(visibility.seats, gm=game.pk in visibility.gm_games), subject))


def forecast(game: Game, visibility: Visibility, command: Command, actor: Actor) -> Forecast:
    """What a command would do, from what this viewer may see. Nothing is locked, rolled or stored.

    Raises `command.silent` for a command without a forecast, and what bars the command for everybody.
    """
    if not isinstance(command, Forecastable):
        raise Refused("command.silent", f"{command.slug()} has no forecast; ?dry_run=1 says whether it is possible.")
    if actor.role not in command.issuers and not actor.is_gm:
        raise Refused("issuer.other", f"{command.slug()} is not for you; you act as {actor.role}.")
    state = registry.store(game.ruleset).load(game)
    require_clock(state, type(command), actor)
    return forecast_in(game, state.view_for(visibility.seats, gm=game.pk in visibility.gm_games), command, actor)


def forecast_in(game: Game, seen: GameState, command: Forecastable[Any], actor: Actor) -> Forecast:
    """The same from a state as its viewer sees it. Raises what bars the command for everybody."""
    ctx = Context(
        game=game.pk,
        now=game.paused_at or game.public_at or game.created_at,  # not of the last event: it may be a secret
        actor=actor,
        tray=Tray(DrawnDice(0)),
        id_secret=b"forecast",
        commands=registry.ruleset(game.ruleset).commands,
    )
    return command.forecast(seen, ctx, actor)
