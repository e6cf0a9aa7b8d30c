"""What stands on the big screen of a game: for everybody what a stranger may know, and nothing else."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from textwrap import shorten
from typing import Any
from uuid import UUID

from django.utils import timezone

from api.common.viewer import Viewer, viewer_of
from api.pages.event.panels import Remaining
from api.pages.forms.commands import what_ends
from api.representations import charts, maps, table
from games import registry
from games.drawing.highlights import highlights_svg
from games.engine.audience import PUBLIC
from games.engine.dice import Source
from games.engine.errors import Refused
from games.engine.game_state import Timer
from games.engine.insight.charts import About
from games.engine.insight.event_pages import Contest, Countdown, Highlight, Panel
from games.engine.lifecycle.waiting import deadline_of
from games.engine.wording import listing, quantity
from games.models import Game, LoggedEvent
from games.reads import history, selectors
from games.reads.selectors import EventView
from games.reads.story import public_story
from games.storage import log
from games.storage.state_cache import STATE_CACHE
from worlds.models import Chronicle

LINES, DECISIONS, CONTESTS, STANDINGS = 12, 4, 2, 20
"""So much is given to a page at most; its script hides whole what does not fit."""
LOOKED_THROUGH = 60
"""Events among which the last dice are found, and the last lines where nothing is retold."""
DICE_SHOWN = 20
HIGHLIGHT_SECONDS, HIGHLIGHTS, MARKED_AMONG = 20, 12, 300
"""So long what happened is marked on the picture, so many marks at once, of so many last events."""
LINE_WORDS = 170
"""Characters of a line of the chronicle."""
DICE_WORDS = 110
"""Characters of what dice were for."""


@dataclass(frozen=True, slots=True)
class ShownContest:
    """A contest with its time as it is now."""

    contest: Contest
    remaining: Remaining | None


@dataclass(frozen=True, slots=True)
class Retold:
    """A line of the chronicle: what happened, and the chapter in which it did, or else when."""

    text: str
    heading: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice of one event: what they were for, which they are (`2d6`), what they show."""

    text: str
    pool: str
    values: tuple[int, ...]
    more: int
    by_hand: bool
    """Whether any was entered from a real table."""


def stranger(game_id: UUID) -> Viewer:
    """How somebody without a seat looks at a game. Raises `game.missing`, also for a private one."""
    return viewer_of(game_id, None)


@dataclass(frozen=True, slots=True)
class Sight:
    """A game as a stranger may know it, and when it was so.

    until: the place in the log of the last event of then, where the screen is behind on purpose; None: it is of now.
    """

    state: Any
    at: datetime
    delay: int
    until: int | None
    main: str | None
    """The key of the deadline of what goes on then; of it no more is known than its timer, where that is no secret."""

    @property
    def paused_at(self) -> datetime | None:
        """Since when the clock stood still then."""
        found: datetime | None = self.state.info.paused_at
        return found

    def remaining(self, timer: Timer | None) -> Remaining | None:
        """What was left of a timer then; None without one."""
        return Remaining.of(Countdown(timer.due, timer.left), self.paused_at, self.at) if timer is not None else None


def delay_of(game: Game) -> int:
    """By how many seconds the screen of a game is behind."""
    with STATE_CACHE.reading(game) as state:
        delay: int = registry.ruleset(game.ruleset).options.of(state).spectator_delay
    return delay


def sight_of(viewer: Viewer) -> Sight:
    """What the screen looks at: the state of now, or the log up to `spectator_delay` seconds ago, folded."""
    game = viewer.game
    with STATE_CACHE.reading(game) as state:
        delay = registry.ruleset(game.ruleset).options.of(state).spectator_delay
        if not delay:
            seen = history.state_for(state, game, viewer.visibility)
            return Sight(seen, timezone.now(), 0, None, state.phase_timer())
    at, until = shown_until(game, delay)
    then = log.fold(game, until)
    return Sight(history.state_for(then, game, viewer.visibility), at, delay, until, then.phase_timer())


def shown_until(game: Game, delay: int) -> tuple[datetime, int]:
    """The moment that a page which is so many seconds behind shows, and the last event before it; 0: none."""
    at = timezone.now() - timedelta(seconds=delay)
    last = LoggedEvent.objects.filter(game=game, at__lte=at).order_by("-seq").values_list("seq", flat=True).first()
    return at, last or 0


def screen_json(viewer: Viewer, sight: Sight) -> dict[str, Any]:
    """What stands on the screen of a game that goes on: the context of its template."""
    game = viewer.game
    rules, state = registry.ruleset(game.ruleset), sight.state
    main, events = sight.main, events_of(viewer, sight)
    asked = sorted(
        (each for each in state.prompts.values() if each.question), key=lambda each: (each.opened_at, each.id)
    )
    return {
        "game": game,
        "status": state.info.status.value,
        "paused": sight.paused_at is not None,
        "delay": sight.delay,
        "title": rules.title,
        "caption": caption_of(game, sight),
        "chief": chief_of(sight, state.timers[main]) if main in state.timers else None,
        "decisions": [
            {"question": prompt.question, "remaining": sight.remaining(deadline_of(state, prompt))}
            for prompt in asked[:DECISIONS]
        ],
        "decision_count": len(asked),
        "last_asked": last_asked(viewer, sight),
        "standings": standings_json(rules.pages.standings(state)),
        "contests": [show_contest(each, sight) for each in choose_contests(list(rules.pages.contests(state)))],
        "dice": last_dice(events),
        "lines": chronicle_lines(viewer, sight) or event_lines(game, sight, events),
        "introduction": f"{rules.summary.partition('. ')[0].removesuffix('.')}.",
        "charts": charts_shown(game, sight) if sight.until != 0 else [],
        "has_map": has_map(game),
        "marked": new_highlights(viewer, sight)[0],
    }


def events_of(viewer: Viewer, sight: Sight) -> Sequence[EventView]:
    """The last events that everybody may read."""
    if sight.until is None:
        return selectors.events_before(viewer.game, viewer.visibility, limit=LOOKED_THROUGH).results
    rows = LoggedEvent.objects.filter(game=viewer.game, audience=PUBLIC, seq__lte=sight.until).order_by("-seq")
    last = list(rows[:LOOKED_THROUGH])[::-1]
    return selectors.events_of_rows(viewer.game, viewer.visibility, last, {}).results


def new_highlights(viewer: Viewer, sight: Sight) -> tuple[str, list[Highlight]]:
    """What is marked on the picture: of the public events of the last seconds, the latest last; and a key of them."""
    rules = registry.ruleset(viewer.game.ruleset)
    last, since = sight.until or viewer.game.seq, sight.at - timedelta(seconds=HIGHLIGHT_SECONDS)
    rows = LoggedEvent.objects.filter(
        game=viewer.game, seq__gt=last - MARKED_AMONG, seq__lte=last, audience=PUBLIC, at__gt=since, fallen__isnull=True
    )
    found, key = list[Highlight](), ""
    for row in list(rows.order_by("-seq")[:LOOKED_THROUGH])[::-1]:
        marked = list(rules.pages.highlights(sight.state, log.event_of(viewer.game.ruleset, row)))
        if marked:
            found, key = [*found, *marked], str(row.ordinal)
    return key, found[-HIGHLIGHTS:]


def highlights_svg_of(viewer: Viewer) -> bytes:
    """What is marked on the map of the screen, as a picture to lie over it. Raises `map.missing`."""
    game, sight = viewer.game, sight_of(viewer)
    spots = maps.drawing_of(game).spots(sight.state, game)
    if spots is None:
        raise Refused("map.missing", "Nothing is marked on this map.")
    return highlights_svg(spots, new_highlights(viewer, sight)[1]).encode()


def chronicle_lines(viewer: Viewer, sight: Sight) -> list[Retold]:
    """The last entries of the chronicle of the game's world, the newest first; behind on purpose: those of then."""
    entries = Chronicle.objects.visible_to(viewer.visibility).filter(world=viewer.game.world_id)
    if sight.until is not None:
        entries = entries.filter(written_at__lte=sight.at)
    rows = entries.order_by("-position").values_list("text", "heading", "written_at")[: 2 * LINES]
    once_each = {text: Retold(brief(text), heading, at) for text, heading, at in list(rows)[::-1]}
    return list(once_each.values())[::-1][:LINES]


def event_lines(game: Game, sight: Sight, events: Sequence[EventView]) -> list[Retold]:
    """What is told of the running chapter, or else what the last events say, the newest first."""
    if registry.ruleset(game.ruleset).pages.story.kinds:
        lines = public_story(game, sight.state, chapter=sight.state.chapter, until=sight.until)
        told = {line.text: line.last.at for line in lines}
    else:
        told = {event.text: event.at for event in events if event.text and not event.undone}
    return [Retold(brief(text), "", at) for text, at in list(told.items())[-LINES:][::-1]]


def brief(text: str) -> str:
    """A sentence as a room reads it: a long one is cut."""
    return shorten(text, LINE_WORDS, placeholder="…")


def caption_of(game: Game, sight: Sight) -> str:
    """Where the game is, or was."""
    if sight.until is None:
        caption: str = registry.store(game.ruleset).caption(game)
        return caption
    chapters = registry.ruleset(game.ruleset).chapters
    return f"{chapters.word} {sight.state.chapter}" if chapters is not None and sight.state.chapter else ""


def chief_of(sight: Sight, timer: Timer) -> dict[str, Any]:
    """The deadline of what goes on: what happens then, and what is left."""
    names = {seat.id: seat.name for seat in sight.state.seats.values()}
    prompts = [{"id": prompt.id, "silence": prompt.silence} for prompt in sight.state.prompts.values()]
    row = {"key": timer.key, "does": timer.does, "subject": timer.subject}
    return {"what": what_ends(row, prompts, names), "remaining": sight.remaining(timer)}


def last_asked(viewer: Viewer, sight: Sight) -> str:
    """The name of the one seat for which all wait, as far as everybody may know; "" else, and behind on purpose."""
    if sight.until is not None:
        return ""
    waiting = table.waiting_json(viewer.game.waiting_for, viewer.visibility.seats, gm=False)
    asked = [each["seat"] for each in waiting if each["must"]]
    seat = sight.state.seats.get(asked[0]) if len(asked) == 1 else None
    return seat.name if seat is not None else ""


def map_svg_of(viewer: Viewer, tag: str) -> bytes:
    """The map as the screen shows it. tag: names what strangers know now. Raises `map.missing`."""
    game, sight, drawing = viewer.game, sight_of(viewer), maps.drawing_of(viewer.game)
    if sight.until is None and drawing.from_rows:
        return maps.wall_map_now(game, tag)
    drawn = drawing.wall_svg(sight.state, game, caption_of(game, sight)) if sight.until != 0 else None
    if drawn is None:
        raise Refused("map.missing", "There is no map yet.")
    return drawn.encode()


def chart_svg_of(viewer: Viewer, name: str) -> bytes:
    """A chart as the screen shows it, of now or as it was then. Raises `chart.missing`."""
    sight = sight_of(viewer)
    if sight.until == 0 or name not in [each["name"] for each in charts_of(viewer.game)]:
        raise Refused("chart.missing", "The screen shows no chart of this name.")
    return charts.wall_chart_of(viewer, name, history.ChartMoment(sight.state, sight.until))


def choose_contests(contests: Sequence[Contest]) -> list[Contest]:
    """The next contest that is open, then the last that was decided, or another open one where none was."""
    still_open = [contest for contest in contests if not contest.outcome]
    decided = [contest for contest in contests if contest.outcome][:1]
    return [*still_open[: CONTESTS - len(decided)], *decided]


def standings_json(panel: Panel) -> dict[str, Any]:
    """The first lines of the standings, each with how long its bar is: its first count in percent of the largest."""
    lines = panel.lines[:STANDINGS]
    counts = [next((cell for cell in line.cells if isinstance(cell, int)), None) for line in lines]
    most = max((count for count in counts if count is not None), default=0)
    shares = [None if count is None or most <= 0 else max(0, 100 * count // most) for count in counts]
    shown = [{"cells": line.cells, "share": share} for line, share in zip(lines, shares, strict=True)]
    return {"title": panel.title, "columns": panel.columns, "lines": shown}


def show_contest(contest: Contest, sight: Sight) -> ShownContest:
    """A contest with its time."""
    countdown = contest.countdown
    return ShownContest(contest, None if countdown is None else Remaining.of(countdown, sight.paused_at, sight.at))


def last_dice(events: Sequence[EventView]) -> Dice | None:
    """The dice of the last event that used some and says what for."""
    event = next((each for each in reversed(events) if each.rolls and each.text and not each.undone), None)
    return dice_of(event) if event is not None else None


def dice_of(event: EventView) -> Dice:
    """The dice of an event with its sentence."""
    values = tuple(roll["value"] for roll in event.rolls)
    return Dice(
        shorten(event.text, DICE_WORDS, placeholder="…"),
        pool_of([roll["sides"] for roll in event.rolls]),
        values[:DICE_SHOWN],
        max(0, len(values) - DICE_SHOWN),
        by_hand=any(roll["source"] == Source.ENTERED for roll in event.rolls),
    )


def pool_of(sides: Sequence[int]) -> str:
    """Which dice these are, by their sides: `2d6`, `1d20 and 2d6`; of more than two kinds how many."""
    kinds = Counter(sides)
    if len(kinds) > 2:
        return quantity(len(sides), "die", "dice")
    return listing(f"{count}d{of}" for of, count in kinds.items())


def charts_of(game: Game) -> list[dict[str, str]]:
    """The charts that are about nobody alone, which the screen shows in turn."""
    shown = {n: chart for n, chart in registry.ruleset(game.ruleset).charts.items() if chart.about is not About.SUBJECT}
    return [{"name": name, "title": chart.title} for name, chart in shown.items()]


def charts_shown(game: Game, sight: Sight) -> list[dict[str, str]]:
    """Those of them on which a stranger sees something now."""
    charts = registry.ruleset(game.ruleset).charts
    return [each for each in charts_of(game) if any(True for _ in charts[each["name"]].figures(sight.state, None))]


def has_map(game: Game) -> bool:
    """Whether there is a map to draw."""
    try:
        maps.drawing_of(game)
    except Refused:
        return False
    return True
