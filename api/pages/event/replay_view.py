"""What stands on the replay of a game: its past, chapter by chapter, as a stranger may know it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import F, Q
from django.http import HttpRequest

from api.common.exceptions import Fault
from api.common.viewer import Viewer, look, visible_game
from api.pages.access import person
from api.pages.event.faces import faces_of
from api.pages.event.screen_view import Dice, Sight, charts_of, delay_of, dice_of, has_map, shown_until, sight_of
from api.representations import charts, maps
from api.representations.log import WITH_DICE
from api.representations.log_span import Span, events_in
from core.places.routing import at_hand, by_place
from games import registry
from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.game_state import Status
from games.engine.insight.charts import Chapters, Series
from games.engine.insight.event_pages import EventPages
from games.engine.insight.turning_points import turning_points
from games.models import Game, LoggedEvent
from games.reads import history
from games.reads.story import StoryLine, public_story

LINES, DICE, BEST = 60, 6, 3
"""So much of a chapter is shown at most: sentences, events with dice, sentences between two chapters."""
CLOSING_EVENTS = 60
"""Among so many last events of a finished game stands the one that says how it has ended."""


@dataclass(frozen=True, slots=True)
class Past:
    """The chapters of a game that are over for who looks. last: the number of the last one; -1: none is."""

    chapters: Chapters[Any]
    last: int
    is_over: bool
    """Whether nothing more is to come."""
    until: int | None
    """The last event that may be shown where the pages of the game are behind on purpose; None: all."""

    @property
    def word(self) -> str:
        """A chapter of any number."""
        return self.chapters.word

    def title(self, chapter: int) -> str:
        """What a chapter is called: `Century 3`."""
        return self.chapters.title(chapter)


def observer(request: HttpRequest, game_id: UUID) -> Viewer:
    """Who asks, with the eyes of a stranger, at a game that they may see: a private one for its members alone.

    Raises `game.missing`.
    """
    user = person(request)
    return look(visible_game(game_id, user.pk if user is not None else None), None)


def past_of(game: Game) -> Past:
    """The chapters that are over. Raises `chapter.none`."""
    chapters, delay = history.chapters_of(game), delay_of(game)
    until = shown_until(game, delay)[1] if delay else None
    opened = history.openings(game, until)
    is_over = game.status == Status.FINISHED and (until is None or until >= game.seq)
    running = opened[-1].number if opened else 0
    return Past(chapters, running if is_over else running - 1, is_over, until)


def chapter_of(request: HttpRequest, past: Past) -> int:
    """The chapter that an address asks for with `at`; the last one where it does not.

    Raises Fault (query.invalid) for no number, `chapter.ahead` for one that is not over.
    """
    asked = request.GET.get("at", "")
    if not asked:
        return past.last
    if not asked.isdecimal() or len(asked) > 6:
        raise Fault("query.invalid", "This must be the number of a chapter.", parameter="at")
    chapter = int(asked)
    if chapter > past.last:
        raise Refused("chapter.ahead", f"{past.title(chapter)} is not over yet.", asked=chapter, running=past.last + 1)
    return chapter


def replay_json(viewer: Viewer, past: Past, chapter: int) -> dict[str, Any]:
    """The frame of the page and its moving part: the context of its template."""
    return {
        **chapter_json(viewer, past, chapter),
        "title": registry.ruleset(viewer.game.ruleset).title,
        "turning_points": turns_of(viewer, past, sight_of(viewer)),
    }


def chapter_json(viewer: Viewer, past: Past, chapter: int) -> dict[str, Any]:
    """A chapter of the replay: the context of its moving part."""
    sight, pages, told = sight_of(viewer), pages_of(viewer.game), story_of(viewer, chapter)
    best = best_of(pages, told)
    lines = [line for line in told if line not in best]
    is_ending = past.is_over and chapter == past.last
    return {
        "game": viewer.game,
        "past": past,
        "chapter": chapter,
        "caption": past.title(chapter),
        "has_map": has_map(viewer.game),
        "faces": faces_of(viewer.game, sight.state),
        "charts": [{"name": name, "title": found.chart.title} for name, found in series_of(viewer, sight)],
        "best": best,
        "lines": lines[:LINES],
        "more": max(0, len(lines) - LINES),
        "dice": list(dice_in(viewer, chapter)),
        "previous": chapter - 1 if chapter > 0 else None,
        "next": chapter + 1 if chapter < past.last else None,
        "ending": ending_json(viewer, sight) if is_ending else None,
    }


def recap_json(viewer: Viewer, past: Past, chapter: int) -> dict[str, Any]:
    """What is shown of a chapter between it and the next: where it began, where it ended, its best sentences."""
    sight = sight_of(viewer)
    return {
        "game": viewer.game,
        "chapter": chapter,
        "before": max(0, chapter - 1),
        "caption": past.title(chapter),
        "best": best_of(pages_of(viewer.game), story_of(viewer, chapter)),
        "faces": faces_of(viewer.game, sight.state),
        "has_map": has_map(viewer.game),
    }


def ending_json(viewer: Viewer, sight: Sight) -> dict[str, Any]:
    """How a game that is over has ended: who has won, and the sentence of its last event that says why."""
    winners = list(pages_of(viewer.game).winners(sight.state))
    return {"winners": winners, "sentence": endings_of([viewer.game]).get(viewer.game.pk, "")}


def last_words(viewer: Viewer, past: Past) -> list[StoryLine]:
    """The best sentences of the last chapter of a game, besides the one that says how it has ended."""
    pages = pages_of(viewer.game)
    ends = {kind.__name__ for kind in pages.finished_by}
    return best_of(pages, [line for line in story_of(viewer, past.last) if not ends & kinds_of(line)])


def turns_of(viewer: Viewer, past: Past, sight: Sight) -> list[dict[str, Any]]:
    """The chapters that are over in which the main chart swings most, with what they are called."""
    found = [point for _, series in series_of(viewer, sight)[:1] for point in turning_points(series)]
    return [{"point": point, "title": past.title(point.chapter)} for point in found if point.chapter <= past.last]


def endings_of(games: Sequence[Game]) -> dict[UUID, str]:
    """How those of some games that are over have ended, a sentence each: one query a place."""
    kinds = {kind.__name__ for rules in registry.rulesets() for kind in rules.pages.finished_by}
    endings: dict[UUID, str] = {}
    for place, over in by_place(game.pk for game in games if game.status == Status.FINISHED).items():
        last = LoggedEvent.objects.filter(
            game__in=over, seq__gt=F("game__seq") - CLOSING_EVENTS, audience=PUBLIC, type__in=kinds, fallen__isnull=True
        )
        with at_hand(place):
            endings.update(last.order_by("seq").values_list("game_id", "text"))
    return endings


def story_of(viewer: Viewer, chapter: int) -> list[StoryLine]:
    """A chapter as the chronicle tells it to everybody who may see the game."""
    return public_story(viewer.game, sight_of(viewer).state, chapter=chapter)


def best_of(pages: EventPages[Any], told: Sequence[StoryLine]) -> list[StoryLine]:
    """The sentences that tell a chapter best, in the order in which it happened: of the most telling kinds, one a kind
    before a second of any."""
    by_kind = [[line for line in told if kind.__name__ in kinds_of(line)] for kind in pages.headlines]
    first = [lines[-1] for lines in by_kind if lines]
    others = [line for lines in by_kind for line in lines[:-1]]
    chosen: list[StoryLine] = []
    for line in (*first, *others):
        if line not in chosen:
            chosen.append(line)
    return [line for line in told if line in chosen[:BEST]]


def kinds_of(line: StoryLine) -> set[str]:
    """The names of the classes of the events that a sentence tells of."""
    return {event.type.rpartition(".")[2] for event in line.events}


def dice_in(viewer: Viewer, chapter: int) -> Iterator[Dice]:
    """The last events of a chapter with dice, and a sentence that says what for."""
    wanted = WITH_DICE & ~Q(text="") & Q(fallen__isnull=True)
    for event in events_in(viewer, Span(limit=DICE, before="", chapter=chapter), wanted).results:
        yield dice_of(event)


def series_of(viewer: Viewer, sight: Sight) -> list[tuple[str, Series]]:
    """The charts about nobody alone on which a stranger sees something, by name; the main one stands first."""
    then, main = history.ChartMoment(sight.state, sight.until), pages_of(viewer.game).main_chart
    names = sorted((each["name"] for each in charts_of(viewer.game)), key=lambda name: name != main)
    found = [(name, history.series_at(viewer.game, viewer.visibility, name, then)) for name in names]
    return [(name, series) for name, series in found if series.rows]


def map_of_past(viewer: Viewer, chapter: int) -> bytes:
    """The map at the end of a chapter as a stranger could know it, as SVG. Raises `map.missing`."""
    return maps.wall_map_at(viewer.game, viewer.visibility, chapter)


def chart_of_past(viewer: Viewer, name: str, chapter: int) -> bytes:
    """A chart with the end of a chapter marked in it, as SVG. Raises `chart.missing`."""
    if name not in [each["name"] for each in charts_of(viewer.game)]:
        raise Refused("chart.missing", "The replay shows no chart of this name.")
    sight = sight_of(viewer)
    return charts.wall_chart_of(viewer, name, history.ChartMoment(sight.state, sight.until), chapter)


def pages_of(game: Game) -> EventPages[Any]:
    """What the ruleset of a game gives to pages."""
    pages: EventPages[Any] = registry.ruleset(game.ruleset).pages
    return pages
