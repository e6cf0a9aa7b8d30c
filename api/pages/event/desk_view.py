"""What stands on a desk, and what a seat has of it: clock, who is waited for, inbox, the game's panels, last events."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.utils import timezone

from api.common.plain_json import plain
from api.common.viewer import Viewer
from api.pages.access import PageViewer
from api.pages.event.board import abouts_of, has_map, sight_of
from api.pages.event.desk_log import entries_of, reports_for
from api.pages.event.inbox import InboxItem, inbox_items
from api.pages.event.panels import (
    EXTENSIONS,
    Panels,
    Question,
    Remaining,
    extension,
    nouns_of,
    subject_names,
)
from api.pages.forms.commands import Stage, what_ends
from api.pages.forms.legal_answers import LegalAnswers
from api.representations import table
from api.representations.games import messages_json
from api.streams.presence import connected
from games import registry
from games.engine.game_state import GameState, Role, Status
from games.engine.insight.event_pages import Action, Panel, holdings_panel
from games.engine.lifecycle.gm_commands import FireNow
from games.engine.message_options import message_options
from games.engine.ruleset import Ruleset
from games.reads.muting import muted_seats_for
from games.storage.state_cache import STATE_CACHE


@dataclass(frozen=True, slots=True)
class Sight:
    """A game as somebody at a page of it sees it now: the state, and what their desk or seat is made of."""

    viewer: PageViewer
    rules: Ruleset
    seen: GameState
    main: str | None
    """The key of the deadline of what goes on now."""
    own_panels: tuple[Panel, ...]
    """Those of the ruleset."""
    panels: Panels
    subjects: Mapping[UUID, str]
    seats: Sequence[Mapping[str, Any]]
    shown: Sequence[Mapping[str, Any]]
    """The timers."""
    prompts: Sequence[Mapping[str, Any]]
    asked: tuple[Question, ...]

    @classmethod
    def of(cls, viewer: PageViewer) -> "Sight":
        """What somebody sees now."""
        at, now = viewer.viewer, timezone.now()
        rules, gm = registry.ruleset(at.game.ruleset), viewer.role is Role.GM
        with STATE_CACHE.reading(at.game) as state:
            seen = state.view_for(at.visibility.seats, gm=gm)
            main, own, stage = state.phase_timer(), tuple(rules.pages.desk(seen)), Stage.of(state)
            exhibits, nouns, subjects = dict(rules.pages.exhibits(seen)), nouns_of(seen), subject_names(seen)
        seats = table.seats_of(at)
        names = {seat["id"]: seat["name"] for seat in seats}
        timers = table.visible_timers(at)
        legal, given = LegalAnswers(seen, viewer.own_actor), frozenset(seen.answers)
        panels = Panels(viewer, now, nouns, running_timers(timers), given, stage, legal)
        prompts = table.prompts_json(at, timers, now, every=True)
        asked = tuple(panels.question(row, names, exhibits.get(row["id"])) for row in prompts)
        shown = table.timers_json(at, timers, now)
        return cls(viewer, rules, seen, main, own, panels, subjects, seats, shown, prompts, asked)

    @property
    def names(self) -> dict[UUID, str]:
        """Those of the seats, by id."""
        return {seat["id"]: seat["name"] for seat in self.seats}

    @property
    def chief(self) -> Mapping[str, Any] | None:
        """The deadline of what goes on now."""
        return next((row for row in self.shown if row["key"] == self.main), None)

    @property
    def waiting(self) -> list[dict[str, Any]]:
        """Who is waited for."""
        at = self.viewer.viewer
        return table.waiting_json(at.game.waiting_for, at.visibility.seats, gm=self.viewer.role is Role.GM)

    def timer_line(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """A timer with its buttons."""
        return timer_line(row, self.prompts, {**self.subjects, **self.names}, self.panels)

    def as_json(self, asked: Iterable[Question]) -> dict[str, Any]:
        """What a desk and a seat have both: the context of their templates. asked: the questions as they show them."""
        game, chief, questions = self.viewer.viewer.game, self.chief, list(asked)
        inbox = inbox_items(filter(is_mine, questions), self.subjects, partial(abouts_of, self.seen))
        return {
            "has_map": has_map(game, self.seen),
            "sight": sight_of(self.viewer),
            "game": game,
            "place": self.viewer.place,
            "title": self.rules.title,
            "caption": registry.store(game.ruleset).caption(game),
            "chief": self.timer_line(chief) if chief else None,
            "must": [self.names.get(each["seat"], "the game-masters") for each in self.waiting if each["must"]],
            "inbox": inbox,
            "next": inbox[0] if inbox else None,
            "others": [InboxItem("", (question,)) for question in questions if not is_mine(question)],
            "panels": [self.panels.show_panel(panel) for panel in self.own_panels if panel.is_shown],
            "entries": entries_of(self.viewer, self.seats),
            "muted": [
                {"seat": seat, "name": self.names[seat]}
                for seat in muted_seats_for(game.pk, self.viewer.viewer.user)
                if seat in self.names
            ],
            "messages": messages_json(game)["sentences"] if game.status == Status.LOBBY else (),
        }


def desk_json(leader: PageViewer) -> dict[str, Any]:
    """All that the desk shows: the context of its template."""
    sight = Sight.of(leader)
    chief, shown = sight.chief, sight.as_json(sight.asked)
    held = holdings_panel(sight.seen, sight.rules.pages)
    return {
        **shown,
        "panels": [*shown["panels"], *([sight.panels.show_panel(held)] if held.is_shown else [])],
        "role": leader.role.value,
        "clock_buttons": tuple(sight.panels.clock_buttons(chief["key"] if chief else "")),
        "timers": [sight.timer_line(row) for row in sight.shown if row["key"] != sight.main],
        "may": [sight.names.get(each["seat"], "the game-masters") for each in sight.waiting if not each["must"]],
        "presence": presence_of(leader.viewer, sight.seats),
        "menu": tuple(sight.panels.menu()),
        "reports": reports_for(leader),
    }


def presence_of(viewer: Viewer, seats: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Which seats of other people have a stream open, by name, and which have none; bots have no need of any.

    Nobody where messages are anonymous: who is there when one comes could have written it.
    """
    if message_options(viewer.game.options).press == "anonymous":
        return {"here": [], "absent": []}
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
    """One open question, as the desk has it, without what a ruleset shows with it; None for none, and one not open."""
    if not prompt:
        return None
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
