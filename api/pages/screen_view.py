"""What stands on the big screen of a game: for everybody what a stranger may know, and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from api.common.viewer import Viewer, viewer_of
from api.pages.forms import what_ends
from api.pages.panels import Remaining
from api.representations import maps
from games import registry
from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.game_state import Timer
from games.engine.insight.charts import About
from games.engine.insight.event_pages import Contest, Countdown, Panel
from games.engine.lifecycle.waiting import deadline_of
from games.models import Game, LoggedEvent
from games.reads import history, selectors
from games.reads.selectors import EventView
from games.storage import log
from games.storage.state_cache import STATE_CACHE

LINES = 5
LOOKED_THROUGH = 60
"""Events among which the last lines of the chronicle are found."""
DICE_SHOWN = 40
STANDINGS, CONTEST, DICE_BOX = 10, 3, 1
"""Lines of the standings where they have the side to themselves, and how many of them a contest and dice take."""


@dataclass(frozen=True, slots=True)
class ShownContest:
    """A contest with its time as it is now."""

    contest: Contest
    remaining: Remaining | None


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice of one event: what it was, how many sides they have, what they show."""

    text: str
    sides: int
    values: tuple[int, ...]
    more: int


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

    @property
    def paused_at(self) -> datetime | None:
        """Since when the clock stood still then."""
        found: datetime | None = self.state.table.paused_at
        return found

    def remaining(self, timer: Timer | None) -> Remaining | None:
        """What was left of a timer then; None without one."""
        return Remaining.of(Countdown(timer.due, timer.left), self.paused_at, self.at) if timer is not None else None


def sight_of(viewer: Viewer) -> Sight:
    """What the screen looks at: the state of now, or the log up to `spectator_delay` seconds ago, folded."""
    game, now = viewer.game, timezone.now()
    with STATE_CACHE.reading(game) as state:
        delay = registry.ruleset(game.ruleset).options.of(state).spectator_delay
        if not delay:
            return Sight(history.state_for(state, game, viewer.visibility), now, 0, None)
    at = now - timedelta(seconds=delay)
    until = (
        LoggedEvent.objects.filter(game=game, at__lte=at).order_by("-seq").values_list("seq", flat=True).first() or 0
    )
    return Sight(history.state_for(log.fold(game, until), game, viewer.visibility), at, delay, until)


def screen_json(viewer: Viewer) -> dict[str, Any]:
    """All that the screen shows: the context of its template."""
    game, sight = viewer.game, sight_of(viewer)
    rules, state = registry.ruleset(game.ruleset), sight.state
    main = state.phase_timer()
    events = events_of(viewer, sight)
    contests, dice = choose_contests(list(rules.pages.contests(state))), last_dice(events)
    room = STANDINGS - CONTEST * len(contests) - (DICE_BOX if dice is not None else 0)
    return {
        "game": game,
        "status": state.table.status.value,
        "paused": sight.paused_at is not None,
        "delay": sight.delay,
        "title": rules.title,
        "caption": caption_of(game, sight),
        "chief": chief_of(sight, state.timers[main]) if main in state.timers else None,
        "decisions": [
            {"question": prompt.question, "remaining": sight.remaining(deadline_of(state, prompt, rules.settled_by))}
            for prompt in sorted(state.prompts.values(), key=lambda prompt: (prompt.opened_at, prompt.id))
            if prompt.question
        ],
        "standings": cut(rules.pages.standings(state), room),
        "contests": [show_contest(contest, sight) for contest in contests],
        "dice": dice,
        "lines": [event for event in events if event.text and not event.undone][-LINES:][::-1],
        "charts": charts_of(game) if sight.until is None else [],
        "has_map": has_map(game),
    }


def events_of(viewer: Viewer, sight: Sight) -> Sequence[EventView]:
    """The last events that everybody may read."""
    if sight.until is None:
        return selectors.events_before(viewer.game, viewer.visibility, limit=LOOKED_THROUGH).results
    rows = LoggedEvent.objects.filter(game=viewer.game, audience=PUBLIC, seq__lte=sight.until).order_by("-seq")
    last = list(rows[:LOOKED_THROUGH])[::-1]
    return selectors.events_of_rows(viewer.game, viewer.visibility, last, {}).results


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


def map_svg_of(viewer: Viewer, tag: str) -> bytes:
    """The map as the screen shows it. tag: names what strangers know now. Raises `map.missing`."""
    sight = sight_of(viewer)
    if sight.until is None:
        return maps.map_now(viewer.game, viewer.visibility, tag)
    game, drawing, caption = viewer.game, maps.drawing_of(viewer.game), caption_of(viewer.game, sight)
    drawn = drawing.svg(sight.state, game, caption) if sight.until else None
    if drawn is None:
        raise Refused("map.missing", "There is no map yet.")
    return drawn.encode()


def choose_contests(contests: Sequence[Contest]) -> list[Contest]:
    """The next contest that is open, and the last that was decided."""
    still_open = [contest for contest in contests if not contest.outcome]
    return [*still_open[:1], *[contest for contest in contests if contest.outcome][:1]]


def cut(panel: Panel, most: int) -> Panel:
    """The first lines of the standings."""
    return Panel(panel.key, panel.title, panel.columns, panel.lines[:most], empty=panel.empty)


def show_contest(contest: Contest, sight: Sight) -> ShownContest:
    """A contest with its time."""
    countdown = contest.countdown
    return ShownContest(contest, None if countdown is None else Remaining.of(countdown, sight.paused_at, sight.at))


def last_dice(events: Sequence[EventView]) -> Dice | None:
    """The dice of the last event that used some."""
    event = next((each for each in reversed(events) if each.rolls and not each.undone), None)
    if event is None:
        return None
    values = tuple(roll["value"] for roll in event.rolls)
    return Dice(event.text, event.rolls[0]["sides"], values[:DICE_SHOWN], max(0, len(values) - DICE_SHOWN))


def charts_of(game: Game) -> list[dict[str, str]]:
    """The charts that are about nobody alone, which the screen shows in turn."""
    charts = registry.ruleset(game.ruleset).charts
    return [{"name": name, "title": chart.title} for name, chart in charts.items() if chart.about is not About.RACE]


def has_map(game: Game) -> bool:
    """Whether there is a map to draw."""
    try:
        maps.drawing_of(game)
    except Refused:
        return False
    return True
