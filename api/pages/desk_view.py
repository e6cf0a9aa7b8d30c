"""What stands on the desk: the clock, who is waited for, the inbox, the game's own panels, the last events."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

import orjson
from django.utils import timezone

from api.common.problems import plain
from api.common.viewer import Viewer
from api.pages.access import Leader
from api.pages.forms import is_ready, what_ends, words_of
from api.representations import table
from api.streams.presence import connected
from games import registry
from games.engine.audience import GM_READER
from games.engine.game_state import Role
from games.engine.insight.event_pages import Action, Countdown, Panel
from games.engine.kernel import Command, Issuer
from games.engine.lifecycle.amend import Amend
from games.engine.lifecycle.gm_commands import EndNow, Extend, FireNow, Pause, Resume, Rewind, Start
from games.models import Game
from games.reads import rewind_preview, selectors
from games.storage.state_cache import STATE_CACHE

LAST_EVENTS = 25
EXTENSIONS = ((60, "+1 min"), (300, "+5 min"))
CONDUCTING = (Start, Pause, Resume, Extend, EndNow, FireNow)
"""Commands that stand beside the clock and not in the menu."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button of the desk. values: as JSON. at_once: whether it issues the command without a form."""

    command: str
    label: str
    values: str = "{}"
    at_once: bool = False
    acting_for: UUID | None = None
    key: str = ""
    """The key of the keyboard that presses it."""
    once: str = ""
    """By which a second press of the same button is known."""


@dataclass(frozen=True, slots=True)
class Remaining:
    """What is left of a deadline, in seconds; None without one."""

    seconds: float | None
    frozen: bool

    @classmethod
    def of(cls, countdown: Countdown, stopped: datetime | None, now: datetime) -> "Remaining":
        """What is left now; a pause keeps what was left when it began."""
        seconds = table.seconds_until(countdown.due, countdown.left, stopped or now)
        return cls(seconds, countdown.due is None or stopped is not None)


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of a panel. cells: texts, numbers, and what is left of deadlines."""

    cells: tuple[str | int | Remaining, ...]
    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class ShownPanel:
    """A panel with its times as they are now, and its actions as buttons."""

    panel: Panel
    lines: tuple[ShownLine, ...]
    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """An open question on the desk. exhibit: what it shows besides its words."""

    row: Mapping[str, Any]
    owners: tuple[str, ...]
    buttons: tuple[Button, ...]
    exhibit: ShownPanel | None = None

    @property
    def remaining(self) -> Remaining:
        """What is left of its time."""
        return Remaining(self.row["due_in"], self.row["frozen"])


def desk_json(leader: Leader) -> dict[str, Any]:
    """All that the desk shows: the context of its template."""
    viewer, now = leader.viewer, timezone.now()
    game, rules = viewer.game, registry.ruleset(viewer.game.ruleset)
    with STATE_CACHE.reading(game) as state:
        seen = state.view_for(viewer.visibility.seats, gm=leader.role is Role.GM)
        main, desk = state.phase_timer(), list(rules.pages.desk(seen))
        exhibits, nouns = dict(rules.pages.exhibits(seen)), nouns_of(seen)
    seats = table.seats_of(viewer)
    names = {seat["id"]: seat["name"] for seat in seats}
    timers = table.visible_timers(viewer)
    shown = table.timers_json(viewer, timers, now)
    panels = Panels(leader, now, nouns)
    prompts = table.prompts_json(viewer, timers, now, every=True)
    asked = [panels.question(row, names, exhibits.get(row["id"])) for row in prompts]
    inbox = sorted((question for question in asked if is_mine(question, leader)), key=by_time)
    waiting = table.waiting_json(game.waiting_for, viewer.visibility.seats, gm=leader.role is Role.GM)
    chief = next((row for row in shown if row["key"] == main), None)
    return {
        "game": game,
        "title": rules.title,
        "role": leader.role.value,
        "caption": registry.store(game.ruleset).caption(game),
        "chief": timer_line(chief, prompts, names, panels) if chief else None,
        "conduct": tuple(panels.conduct(bool(chief))),
        "timers": [timer_line(row, prompts, names, panels) for row in shown if row["key"] != main],
        "must": [names.get(each["seat"], "the game-masters") for each in waiting if each["must"]],
        "may": [names.get(each["seat"], "the game-masters") for each in waiting if not each["must"]],
        "presence": presence_of(viewer, seats),
        "inbox": inbox,
        "next": inbox[0] if inbox else None,
        "others": [question for question in asked if not is_mine(question, leader)],
        "panels": [panels.show_panel(panel) for panel in desk if panel.is_shown],
        "events": events_of(leader),
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


def is_mine(question: Question, leader: Leader) -> bool:
    """Whether a question waits for the one at the desk."""
    row = question.row
    return bool(row["asks_me"] and row["answerable"] and not row["answered"])


def by_time(question: Question) -> float:
    """What is left of a question, in seconds: the first to lapse stands first, one without a deadline last."""
    return float("inf") if question.remaining.seconds is None else question.remaining.seconds


@dataclass(frozen=True, slots=True)
class Panels:
    """What turns panels, questions and actions into what the desk of somebody shows now."""

    leader: Leader
    now: datetime
    nouns: Mapping[UUID, frozenset[str]]
    """What open questions are about, each with the tables that hold it."""
    nonce: str = field(default_factory=lambda: uuid4().hex)
    """Of this look at the desk: a button pressed twice in it counts once."""

    @property
    def game(self) -> Game:
        """The game."""
        return self.leader.viewer.game

    @property
    def commands(self) -> Mapping[str, type[Command]]:
        """The commands that people may issue in this game."""
        return registry.ruleset(self.game.ruleset).open_commands

    def show_panel(self, panel: Panel) -> ShownPanel:
        """A panel as it stands now."""
        lines = tuple(
            ShownLine(tuple(self.cell(cell) for cell in line.cells), self.buttons(line.actions)) for line in panel.lines
        )
        return ShownPanel(panel, lines, self.buttons(panel.actions))

    def cell(self, cell: str | int | Countdown) -> str | int | Remaining:
        """A cell, with the time that is left."""
        return Remaining.of(cell, self.game.paused_at, self.now) if isinstance(cell, Countdown) else cell

    def buttons(self, actions: Iterable[Action]) -> tuple[Button, ...]:
        """Buttons for those actions that the one at the desk may take at all."""
        return tuple(self.button(action) for action in actions if self.is_ours(action.command))

    def button(self, action: Action, *, acting_for: UUID | None = None, key: str = "") -> Button:
        """A button for an action."""
        at_once = not action.asks and is_ready(self.commands[action.command], action.values)
        label = action.label or words_of(action.command)
        values = orjson.dumps(dict(action.values), default=str, option=orjson.OPT_SORT_KEYS).decode()
        once = sha256(f"{self.nonce} {action.command} {values} {acting_for}".encode()).hexdigest()[:32]
        return Button(action.command, label, values, at_once, acting_for, key, once)

    def is_ours(self, command: str) -> bool:
        """Whether a command is one of those that the one at the desk may issue."""
        role = Issuer.GM if self.leader.role is Role.GM else Issuer.HOST
        kind = self.commands.get(command)
        return kind is not None and role in kind.issuers and (kind.while_paused or self.game.paused_at is None)

    def question(self, row: Mapping[str, Any], names: Mapping[Any, str], exhibit: Panel | None) -> Question:
        """A question with the buttons that answer it, for oneself or for those who are asked."""
        owners = [UUID(owner.removeprefix("seat:")) for owner in row["owners"] if owner != GM_READER]
        called = tuple(names.get(owner, "somebody") for owner in owners)
        buttons: list[Button] = []
        if row["answerable"] and row["asks_me"] and not row["answered"]:
            buttons += self.answers(row)
        elif row["answerable"] and not row["asks_me"] and self.leader.role is Role.GM:
            for owner, name in zip(owners, called, strict=True):
                buttons += self.answers(row, owner, f" for {name}")
        if not owners:
            called = ("the game-masters",)
        if exhibit is None:
            return Question(row, called, tuple(buttons))
        own = {action.command for action in exhibit.actions}
        return Question(
            row, called, tuple(button for button in buttons if button.command not in own), self.show_panel(exhibit)
        )

    def answers(self, row: Mapping[str, Any], acting_for: UUID | None = None, words: str = "") -> Iterator[Button]:
        """Buttons that answer a question: one for each of its choices, or one for each command that answers it."""
        for name in row["answered_by"]:
            kind = self.commands.get(name)
            if kind is None or not (self.is_ours(name) or (acting_for and Issuer.SEAT in kind.issuers)):
                continue
            about = answer_values(kind, row, self.nouns.get(row["subject"], frozenset()))
            if acting_for is None and "choice" in kind.model_fields and row["choices"]:
                for choice in row["choices"]:
                    yield self.button(Action(name, {**about, "choice": choice}, str(choice).replace("_", " ")))
                continue
            yield self.button(Action(name, about, words_of(name) + words), acting_for=acting_for)

    def conduct(self, has_deadline: bool) -> Iterator[Button]:
        """The buttons beside the clock."""
        if self.game.status == "finished":
            return
        if self.game.status == "lobby":
            yield self.button(Action(Start.slug(), asks=True), key="s")
        elif self.game.paused_at is not None:
            yield self.button(Action(Resume.slug()), key="p")
        else:
            yield self.button(Action(Pause.slug(), {"reason": ""}), key="p")
        if has_deadline and self.game.paused_at is None:
            for seconds, label in EXTENSIONS:
                key = "+" if seconds == EXTENSIONS[0][0] else ""
                yield self.button(Action(Extend.slug(), {"seconds": seconds}, label), key=key)
            yield self.button(Action(EndNow.slug(), asks=True), key="e")

    def menu(self) -> Iterator[Button]:
        """Every other command that may be issued from here."""
        beside = {kind.slug() for kind in CONDUCTING} | {Rewind.slug(), Amend.slug()}
        for name in sorted(self.commands):
            if self.is_ours(name) and name not in beside:
                yield self.button(Action(name, asks=True))


def initial_of(leader: Leader, command: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
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


def ways_to_answer(leader: Leader, prompt: UUID) -> tuple[Button, ...]:
    """The buttons that answer one open question, as the desk has them; none for one that is not open."""
    viewer, now = leader.viewer, timezone.now()
    with STATE_CACHE.reading(viewer.game) as state:
        nouns = nouns_of(state)
    names = {seat["id"]: seat["name"] for seat in table.seats_of(viewer)}
    row = next((row for row in table.prompts_json(viewer, (), now, every=True) if row["id"] == prompt), None)
    return Panels(leader, now, nouns).question(row, names, None).buttons if row is not None else ()


def nouns_of(state: Any) -> dict[UUID, frozenset[str]]:
    """What open questions are about, each with the tables of a state that hold it."""
    subjects = {prompt.subject for prompt in state.prompts.values() if prompt.subject is not None}
    return {each: frozenset(name for name in state.tables if each in getattr(state, name)) for each in subjects}


def answer_values(kind: type[Command], row: Mapping[str, Any], nouns: frozenset[str]) -> dict[str, Any]:
    """What an answer to a question says already: the question, or what it is about, for the argument of that name.

    nouns: the tables that hold what it is about; a `war` is one of `wars`.
    """
    fields = kind.model_fields
    if "prompt" in fields:
        return {"prompt": row["id"]}
    named = [name for name in fields if not nouns.isdisjoint((f"{name}s", f"{name[:-1]}ies"))]
    return {named[0]: row["subject"]} if len(named) == 1 else {}


def timer_line(
    row: Mapping[str, Any], prompts: Sequence[Mapping[str, Any]], names: Mapping[Any, str], panels: Panels
) -> dict[str, Any]:
    """A timer with its buttons."""
    runs = not row["frozen"]
    timer = {"timer": row["key"]}
    actions = [Action(Extend.slug(), {**timer, "seconds": seconds}, label) for seconds, label in EXTENSIONS[:1]]
    actions.append(Action(FireNow.slug(), timer, "Now", asks=True))
    return {
        "what": what_ends(row, prompts, names),
        "remaining": Remaining(row["due_in"], row["frozen"]),
        "buttons": panels.buttons(actions) if runs else (),
    }


def events_of(leader: Leader) -> list[dict[str, Any]]:
    """The last events with a sentence, the latest first, each with the number to which one may rewind."""
    viewer = leader.viewer
    page = selectors.events_before(viewer.game, viewer.visibility, limit=2 * LAST_EVENTS)
    told = [event for event in page.results if event.text][-LAST_EVENTS:]
    numbers = rewind_preview.numbers_from(viewer.game, told[0].seq) if told and leader.role is Role.GM else {}
    return [
        {
            "at": event.at,
            "text": event.text,
            "rules": event.rules,
            "undone": event.undone,
            "number": None if event.undone else numbers.get(event.seq),
        }
        for event in reversed(told)
    ]
