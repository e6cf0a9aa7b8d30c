"""The past of a game as a viewer may know it: its chapters, the state at the end of each, the figures of charts.

A moment of the past is the folded log up to it, seen through `view_for`. What stands at the end of a chapter that is
over changes only by a rewind, so it is cached under the digest of its last event, which covers all events before.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any
from uuid import UUID

import orjson
from django.core.cache import caches

from core.prepared_queries import Statement, column_names, instance
from games import registry
from games.engine.audience import PUBLIC, Audience, readable
from games.engine.errors import Refused
from games.engine.insight.cards import Card, CardName
from games.engine.insight.charts import About, Chapters, Chart, Figure, Moment, Row, Series, Tree
from games.models import Game, LoggedEvent
from games.storage import cursors, log
from games.storage.drawing import colours_of
from games.storage.state_cache import STATE_CACHE
from worlds.visibility import Visibility

CACHE_SECONDS = 600
DIGEST = Statement(lambda game, seq: LoggedEvent.objects.filter(game=game, seq=seq).values_list("digest"), UUID, int)
"""Of an event, by its position in the log."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A chapter that was opened: its number, and the position of its first event in the log (shown to nobody)."""

    number: int
    seq: int


def chapters_of(game: Game) -> Chapters:
    """How a game is divided. Raises `chapter.none` where it is not."""
    found = registry.ruleset(game.ruleset).chapters
    if found is None:
        raise Refused("chapter.none", f"{registry.ruleset(game.ruleset).title} is not divided into chapters.")
    return found


def openings(game: Game, until: int | None = None) -> list[Opening]:
    """The chapters that were opened and not taken back, in order, up to event `until` or up to now: one query."""
    chapters = registry.ruleset(game.ruleset).chapters
    if chapters is None:
        return []
    found = _openings(game.ruleset, until is not None).rows(game.pk, *(() if until is None else (until,)))
    rows = [instance(LoggedEvent, row) for row in found]
    return [Opening(chapters.number(log.event_of(game.ruleset, row)), row.seq) for row in rows]


@cache
def _openings(slug: str, is_bounded: bool) -> Statement:
    """The events that open a chapter, all of them or up to one: asked for with each chart and each picture."""
    kinds = [kind.__name__ for kind in chapters.opened_by] if (chapters := registry.ruleset(slug).chapters) else []
    stand = LoggedEvent.objects.filter(audience=PUBLIC, type__in=kinds, fallen__isnull=True).order_by("seq")
    rows = stand.values_list(*column_names(LoggedEvent))
    if is_bounded:
        return Statement(lambda game, until: rows.filter(game=game, seq__lte=until), UUID, int)
    return Statement(lambda game: rows.filter(game=game), UUID)


def span_of(game: Game, chapter: int) -> tuple[int, int | None]:
    """The first event of a chapter, and the first behind it; None while it is running.

    Raises `chapter.none`, `chapter.ahead`.
    """
    word, opened = chapters_of(game).word, openings(game)
    check_begun(word, opened, chapter)
    first = next((o.seq for o in opened if o.number == chapter), 1)
    return first, next((o.seq for o in opened if o.number == chapter + 1), None)


def check_begun(word: str, opened: Sequence[Opening], chapter: int) -> None:
    """Refuse (`chapter.ahead`) a chapter that has not begun."""
    running = opened[-1].number if opened else 0
    if chapter > running:
        where = f"{word.lower()} {running} is running" if running else f"the first {word.lower()} has not begun"
        raise Refused("chapter.ahead", f"{word} {chapter} has not begun: {where}.", asked=chapter, running=running)


def current_state_for(game: Game, visibility: Visibility) -> Any:
    """The state of now as this viewer may see it: no query of its rows where it is here, else a fixed number."""
    with STATE_CACHE.reading(game) as state:
        return state_for(state, game, visibility)


def state_for(state: Any, game: Game, visibility: Visibility) -> Any:
    """A state without what this viewer may not see."""
    return state.view_for(visibility.seats, gm=game.pk in visibility.gm_games)


def once(game: Game, visibility: Visibility, name: str, until: int, make: Callable[[], bytes]) -> bytes:
    """Bytes that follow from the log up to event `until` and from the viewer, made once while they are cached.

    The key holds the digest of that event, which covers all events before; it is shown to nobody.
    """
    digest = DIGEST.rows(game.pk, until)[0][0]
    viewer = "+".join([str(game.pk in visibility.gm_games), *sorted(map(str, visibility.seats))])
    key = f"past:{sha256(f'{game.pk}/{digest}/{viewer}/{name}'.encode()).hexdigest()}"
    cached: bytes | None = caches["responses"].get(key)
    if cached is None:
        cached = make()
        caches["responses"].set(key, cached, CACHE_SECONDS)
    return cached


def at_end_of(
    game: Game, visibility: Visibility, chapter: int | None, name: str, make: Callable[[Any, str], bytes]
) -> bytes:
    """What is made of the state at the end of a chapter, or of now while it is running or none is asked for.

    name: what it is cached under, beside moment and viewer. make: takes the state and the words for the moment.
    Raises `chapter.none`, `chapter.ahead`.
    """
    if chapter is None:
        return make(current_state_for(game, visibility), registry.store(game.ruleset).caption(game))
    word, opened = chapters_of(game).word, openings(game)
    check_begun(word, opened, chapter)
    after = next((o.seq for o in opened if o.number == chapter + 1), None)
    if after is None:
        return make(current_state_for(game, visibility), registry.store(game.ruleset).caption(game))
    caption = f"The end of {word.lower()} {chapter}" if chapter else f"Before the first {word.lower()}"
    until = after - 1
    return once(
        game, visibility, name, until, lambda: make(state_for(log.fold(game, until), game, visibility), caption)
    )


def series(game: Game, visibility: Visibility, name: str, subject: UUID | None) -> Series:
    """A chart with its values at the end of each chapter, and now, or after each of its events, as this viewer may
    see them.

    Raises `chart.missing`, `race.missing`, `chapter.none` (of a chart at the ends of chapters); `subject.needed`,
    `subject.unneeded` where the chart is about one subject, or none.
    """
    require_chart(game, name, subject)
    return _series(game, visibility, name, subject, ChartMoment(current_state_for(game, visibility), None))


def series_at(game: Game, visibility: Visibility, name: str, then: "ChartMoment") -> Series:
    """A chart about nobody alone as it was at a moment: nothing later is part of it. Raises what `series` raises."""
    require_chart(game, name, None)
    return _series(game, visibility, name, None, then)


@dataclass(frozen=True, slots=True)
class ChartMoment:
    """The last moment of a chart: the state as its viewer could see it, and the last event before; None: of now."""

    state: Any
    until: int | None


def require_chart(game: Game, name: str, subject: UUID | None) -> None:
    """Refuse a chart that there is not, about this subject or about none. Raises what `series` raises."""
    chart = chart_of(game, name)
    if subject is None and chart.about is About.SUBJECT:
        raise Refused("subject.needed", f"The chart {name} is that of one subject; say which with `subject`.")
    if subject is not None and chart.about is About.NOBODY:
        raise Refused("subject.unneeded", f"The chart {name} is not about one subject; leave `subject` out.")
    if not chart.taken_at:
        chapters_of(game)


def _series(game: Game, visibility: Visibility, name: str, subject: UUID | None, then: ChartMoment) -> Series:
    chart = chart_of(game, name)
    if chart.taken_at:
        return _series_at_events(game, visibility, name, subject, then)
    chapters, opened, last_state = chapters_of(game), openings(game, then.until), then.state
    of_subject = last_state.subject_name(subject) if subject is not None else ""
    past = _past_figures(game, visibility, [o.seq - 1 for o in opened])
    columns = [_figures_of(taken, name, subject) for taken in past]
    columns.append(list(chart.figures(last_state, subject)))
    last = opened[-1].number if opened else 0
    moments = [Moment(o.number - 1, ended=True) for o in opened]
    moments.append(Moment(last, ended=bool(opened) and chapters.ended(last_state)))
    return Series(chart, chapters.word, tuple(moments), tuple(_rows(columns, colours_of(game, last_state))), of_subject)


def _series_at_events(game: Game, visibility: Visibility, name: str, subject: UUID | None, then: ChartMoment) -> Series:
    """A chart with its values after each of its events that this viewer may read."""
    chart, opened, gm = chart_of(game, name), openings(game, then.until), game.pk in visibility.gm_games
    moments, ends = list[Moment](), list[int]()
    kinds = [kind.__name__ for kind in chart.taken_at]
    taken_after = LoggedEvent.objects.filter(game=game, type__in=kinds, fallen__isnull=True).order_by("seq")
    if then.until is not None:
        taken_after = taken_after.filter(seq__lte=then.until)
    for row in taken_after:
        if not readable(Audience(row.audience), visibility.seats, gm):
            continue
        chapter = max((o.number for o in opened if o.seq <= row.seq), default=0)
        label = chart.label(log.event_of(game.ruleset, row)) or str(len(moments) + 1)
        moments.append(Moment(chapter, True, cursors.number_of(row.audience, row.ordinal), label))
        ends.append(row.seq)
    of_subject = then.state.subject_name(subject) if subject is not None else ""
    columns = [_figures_of(taken, name, subject) for taken in _past_figures(game, visibility, ends, name)]
    return Series(chart, chart.word, tuple(moments), tuple(_rows(columns, colours_of(game, then.state))), of_subject)


def chart_of(game: Game, name: str) -> Chart:
    """A chart of a game's ruleset. Raises `chart.missing`."""
    charts = registry.ruleset(game.ruleset).charts
    if name not in charts:
        raise Refused("chart.missing", f"There is no such chart; there are: {', '.join(sorted(charts)) or 'none'}.")
    return charts[name]


def decks(game: Game, visibility: Visibility) -> list[tuple[str, str, list[CardName]]]:
    """The kinds of cards of a game with the cards that this viewer may see: name, title, cards."""
    kinds = registry.ruleset(game.ruleset).cards
    if not kinds:
        return []
    now = current_state_for(game, visibility)
    return [(kind, deck.title, list(deck.names(now))) for kind, deck in sorted(kinds.items())]


def card(game: Game, visibility: Visibility, kind: str, subject: UUID) -> tuple[Card, str]:
    """A card as this viewer may see it, and the colour of its edge. Raises `card.missing`."""
    kinds = registry.ruleset(game.ruleset).cards
    if kind not in kinds:
        known = ", ".join(sorted(kinds)) or "none"
        raise Refused("card.missing", f"There is no such kind of cards; there are: {known}.")
    now = current_state_for(game, visibility)
    found = kinds[kind].card(now, subject)
    if found is None:
        raise Refused("card.missing", f"There is no such card among the {kind}; `pictures/` lists them.")
    return found, colours_of(game, now).get(found.seat, "") if found.seat is not None else ""


def tree(game: Game, visibility: Visibility, name: str, subject: UUID | None) -> Tree:
    """A tree with the progress of one subject, or of all, as this viewer may see it.

    Raises `tree.missing`, `race.missing`.
    """
    trees = registry.ruleset(game.ruleset).trees
    if name not in trees:
        raise Refused("tree.missing", f"There is no such tree; there are: {', '.join(sorted(trees)) or 'none'}.")
    return trees[name](current_state_for(game, visibility), subject)


def _past_figures(game: Game, visibility: Visibility, ends: Sequence[int], at_events: str = "") -> list[dict[str, Any]]:
    """The figures of all charts of chapters, or of one chart at events, at some moments, in order.

    The log is folded once for all, and they are cached.
    """
    if not ends:
        return []
    charts = {
        name: chart
        for name, chart in registry.ruleset(game.ruleset).charts.items()
        if (name == at_events if at_events else not chart.taken_at)
    }
    name = f"figures of {at_events}" if at_events else "figures"
    made = once(
        game, visibility, name, ends[-1], lambda: orjson.dumps(list(_points_taken(game, visibility, ends, charts)))
    )
    found: list[dict[str, Any]] = orjson.loads(made)
    return found


def _points_taken(
    game: Game, visibility: Visibility, ends: Iterable[int], charts: Mapping[str, Chart]
) -> Iterator[dict[str, Any]]:
    for state in states_at(game, ends):
        here = state_for(state, game, visibility)
        subjects = here.subjects()
        yield {
            name: {
                str(subject or ""): [(f.key, f.name, f.amount) for f in chart.figures(here, subject)]
                for subject in _subjects_of(chart, subjects)
            }
            for name, chart in charts.items()
        }


def states_at(game: Game, ends: Iterable[int]) -> Iterator[Any]:
    """The state after each of some events (by `seq`, ascending): one pass over the log, the same object each time."""
    wanted = list(ends)
    state, line = registry.store(game.ruleset).new_state(game.pk), log.numbered_line(game, wanted[-1])
    ahead = next(line, None)
    for end in wanted:
        while ahead is not None and ahead[0] <= end:
            _, event, at = ahead
            state.note_time(at)
            event.apply(state)
            ahead = next(line, None)
        yield state


def _subjects_of(chart: Chart, subjects: Sequence[UUID]) -> list[UUID | None]:
    everybody: list[UUID | None] = [] if chart.about is About.SUBJECT else [None]
    return everybody if chart.about is About.NOBODY else [*everybody, *subjects]


def _figures_of(taken: dict[str, Any], name: str, subject: UUID | None) -> list[Figure]:
    return [Figure(*figure) for figure in taken.get(name, {}).get(str(subject or ""), ())]


def _rows(columns: Sequence[Sequence[Figure]], colours: Mapping[UUID, str]) -> list[Row]:
    """One row for each key, under the name that it has last; what is no more comes last."""
    names = {figure.key: figure.name for figures in columns for figure in figures}
    amounts = [{figure.key: figure.amount for figure in figures} for figures in columns]
    gone = {figure.key for figure in columns[-1] if figure.gone} if columns else set()
    inks = {str(key): colour for key, colour in colours.items()}
    rows = [
        Row(key, name, tuple(at.get(key) for at in amounts), key in gone, inks.get(key, ""))
        for key, name in names.items()
    ]
    return sorted(rows, key=lambda row: (row.gone, -(row.amounts[-1] or 0), row.name, row.key))
