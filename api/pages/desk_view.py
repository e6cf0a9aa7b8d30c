"""What stands on the desk: the clock, who is waited for, the inbox, the game's own panels, the last events."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils import timezone

from api.common.problems import plain
from api.common.viewer import Viewer
from api.pages.access import PageViewer
from api.pages.command_forms import Stage, what_ends
from api.pages.desk_log import entries_of
from api.pages.inbox import InboxCard, inbox_cards
from api.pages.legal_answers import LegalAnswers
from api.pages.panels import (
    EXTENSIONS,
    Panels,
    Question,
    Remaining,
    extension,
    nouns_of,
    subject_names,
)
from api.representations import table
from api.streams.presence import connected
from games import registry
from games.engine.game_state import Role
from games.engine.insight.event_pages import Action
from games.engine.lifecycle.gm_commands import FireNow
from games.storage.state_cache import STATE_CACHE


def desk_json(leader: PageViewer) -> dict[str, Any]:
    """All that the desk shows: the context of its template."""
    viewer, now = leader.viewer, timezone.now()
    game, rules = viewer.game, registry.ruleset(viewer.game.ruleset)
    with STATE_CACHE.reading(game) as state:
        seen = state.view_for(viewer.visibility.seats, gm=leader.role is Role.GM)
        main, desk = state.phase_timer(), list(rules.pages.desk(seen))
        given = frozenset(seen.answers)
        stage = Stage.of(state)
        exhibits, nouns, subjects = dict(rules.pages.exhibits(seen)), nouns_of(seen), subject_names(seen)
    seats = table.seats_of(viewer)
    names = {seat["id"]: seat["name"] for seat in seats}
    timers = table.visible_timers(viewer)
    shown = table.timers_json(viewer, timers, now)
    legal = LegalAnswers(seen, leader.own_actor)
    panels = Panels(leader, now, nouns, running_timers(timers), given, stage, legal)
    prompts = table.prompts_json(viewer, timers, now, every=True)
    asked = [panels.question(row, names, exhibits.get(row["id"])) for row in prompts]
    inbox = inbox_cards((question for question in asked if is_mine(question)), subjects)
    waiting = table.waiting_json(game.waiting_for, viewer.visibility.seats, gm=leader.role is Role.GM)
    chief, called = next((row for row in shown if row["key"] == main), None), {**subjects, **names}
    return {
        "game": game,
        "place": leader.place,
        "title": rules.title,
        "role": leader.role.value,
        "caption": registry.store(game.ruleset).caption(game),
        "chief": timer_line(chief, prompts, called, panels) if chief else None,
        "clock_buttons": tuple(panels.clock_buttons(chief["key"] if chief else "")),
        "timers": [timer_line(row, prompts, called, panels) for row in shown if row["key"] != main],
        "must": [names.get(each["seat"], "the game-masters") for each in waiting if each["must"]],
        "may": [names.get(each["seat"], "the game-masters") for each in waiting if not each["must"]],
        "presence": presence_of(viewer, seats),
        "inbox": inbox,
        "next": inbox[0] if inbox else None,
        "others": [InboxCard("", (question,)) for question in asked if not is_mine(question)],
        "panels": [panels.show_panel(panel) for panel in desk if panel.is_shown],
        "entries": entries_of(leader, seats),
        "menu": tuple(panels.menu()),
        "now": now,
    }


def presence_of(viewer: Viewer, seats: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Which seats of other people have a stream open, by name, and which have none; bots have no need of any."""
    people = [seat for seat in seats if seat["user"] not in (None, viewer.user) and not seat["bot"]]
    here = connected(viewer.game.pk, {seat["user"] for seat in people})
    return {
        "here": [seat["name"] for seat in people if seat["user"] in here],
        "absent": [seat["name"] for seat in people if seat["user"] not in here],
    }


def is_mine(question: Question) -> bool:
    """Whether a question waits for the one at the desk."""
    row = question.row
    return bool(row["asks_me"] and row["answerable"] and not row["answered"])


def initial_of(leader: PageViewer, command: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the form of a command begins with, where a panel or a question of the desk offers it with these values."""
    viewer = leader.viewer
    pages = registry.ruleset(viewer.game.ruleset).pages
    with STATE_CACHE.reading(viewer.game) as state:
        seen = state.view_for(viewer.visibility.seats, gm=leader.role is Role.GM)
        panels = [*pages.desk(seen), *pages.exhibits(seen).values()]
    offered = [action for panel in panels for action in panel.all_actions]
    wanted = plain(values)
    found = (action.initial for action in offered if action.command == command and plain(dict(action.values)) == wanted)
    return next(found, {})


def question_of(leader: PageViewer, prompt: Any) -> Question | None:
    """One open question, as the desk has it, without what a ruleset shows with it; None for one that is not open."""
    viewer, now = leader.viewer, timezone.now()
    with STATE_CACHE.reading(viewer.game) as state:
        seen, nouns = state.view_for(viewer.visibility.seats, gm=leader.role is Role.GM), nouns_of(state)
    names = {seat["id"]: seat["name"] for seat in table.seats_of(viewer)}
    timers = table.visible_timers(viewer)
    legal = LegalAnswers(seen, leader.own_actor)
    panels = Panels(leader, now, nouns, running_timers(timers), legal=legal)
    rows = table.prompts_json(viewer, timers, now, every=True)
    return next((panels.question(row, names, None) for row in rows if str(row["id"]) == str(prompt)), None)


def running_timers(timers: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """The keys of the timers that wait for nothing but their time; a pause stops them all alike."""
    return frozenset(row["key"] for row in timers if row["due"] is not None)


def timer_line(
    row: Mapping[str, Any], prompts: Sequence[Mapping[str, Any]], names: Mapping[Any, str], panels: Panels
) -> dict[str, Any]:
    """A timer with its buttons."""
    actions = [extension(row["key"], seconds, label) for seconds, label in EXTENSIONS[:1]]
    actions.append(Action(FireNow.slug(), {"timer": row["key"]}, "Now", asks=True))
    return {
        "what": what_ends(row, prompts, names),
        "remaining": Remaining(row["due_in"], row["frozen"]),
        "buttons": panels.buttons(actions) if row["due"] is not None else (),
    }
