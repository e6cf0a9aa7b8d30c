"""What stands on the big screen of a game: what a stranger may know, and nothing else, whoever looks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from api.common.viewer import Viewer, viewer_of
from api.pages.desk_view import Remaining
from api.pages.forms import what_ends
from api.representations import maps, table
from games import registry
from games.engine.errors import Refused
from games.engine.insight.charts import About
from games.engine.insight.event_pages import Contest, Panel
from games.models import Game
from games.reads import selectors
from games.reads.selectors import EventView
from games.storage.state_cache import STATE_CACHE

LINES = 5
LOOKED_THROUGH = 60
"""Events among which the last lines of the chronicle are found."""
DICE_SHOWN = 40
STANDINGS = 10


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


def screen_json(viewer: Viewer) -> dict[str, Any]:
    """All that the screen shows: the context of its template."""
    game, now = viewer.game, timezone.now()
    rules = registry.ruleset(game.ruleset)
    with STATE_CACHE.reading(game) as state:
        seen = state.view_for(viewer.visibility.seats)
        main, standings = seen.phase_timer(), rules.pages.standings(seen)
        contests = list(rules.pages.contests(seen))
    names = {seat["id"]: seat["name"] for seat in table.seats_of(viewer)}
    timers = table.visible_timers(viewer)
    shown = table.timers_json(viewer, timers, now)
    chief = next((row for row in shown if row["key"] == main), None)
    prompts = table.prompts_json(viewer, timers, now, every=True)
    events = selectors.events_before(game, viewer.visibility, limit=LOOKED_THROUGH).results
    return {
        "game": game,
        "title": rules.title,
        "caption": registry.store(game.ruleset).caption(game),
        "chief": {"what": what_ends(chief, prompts, names), "remaining": remaining(chief)} if chief else None,
        "decisions": [{"question": row["question"], "remaining": remaining(row)} for row in prompts if row["question"]],
        "standings": cut(standings),
        "contests": [shown_contest(contest, game, now) for contest in shown_first(contests)],
        "dice": last_dice(events),
        "lines": [event for event in events if event.text and not event.undone][-LINES:][::-1],
        "charts": charts_of(game),
        "has_map": has_map(game),
        "now": now,
    }


def shown_first(contests: Sequence[Contest]) -> list[Contest]:
    """The next contest that is open, and the last that was decided."""
    still_open = [contest for contest in contests if not contest.outcome]
    return [*still_open[:1], *[contest for contest in contests if contest.outcome][:1]]


def remaining(row: Any) -> Remaining:
    """What is left of a timer or of a question."""
    return Remaining(row["due_in"], row["frozen"])


def cut(panel: Panel) -> Panel:
    """The first lines of the standings."""
    return Panel(panel.key, panel.title, panel.columns, panel.lines[:STANDINGS], empty=panel.empty)


def shown_contest(contest: Contest, game: Game, now: datetime) -> ShownContest:
    """A contest as it is now."""
    countdown = contest.countdown
    return ShownContest(contest, None if countdown is None else Remaining.of(countdown, game.paused_at, now))


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
