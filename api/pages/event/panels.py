"""Panels, questions and actions as the desk of somebody shows them now: tables with buttons."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

import orjson

from api.pages.access import PageViewer
from api.pages.forms.commands import NOWHERE, Stage, acts_on_stage, is_whole
from api.pages.forms.legal_answers import LegalAnswers
from api.pages.wording import value_words, words_of
from api.representations import table
from games import registry
from games.engine.audience import GM_READER, Reader, reader
from games.engine.game_state import GameState, Role
from games.engine.insight.event_pages import Action, Countdown, Panel
from games.engine.kernel import Command, Issuer
from games.engine.lifecycle.amend import Amend
from games.engine.lifecycle.gm_commands import EndNow, Extend, FireNow, Pause, Resume, Rewind, Start
from games.engine.prompts.sealed import ClientSealed
from games.models import Game

EXTENSIONS = ((60, "+1 min"), (300, "+5 min"))
CLOCK_COMMANDS = (Start, Pause, Resume, Extend, EndNow, FireNow)
"""Commands that stand beside the clock and not in the menu."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button of the desk. values: as JSON. at_once: whether it issues the command without a form.

    That is so only where no field is left open and nobody else is acted for: what is pressed says all that is sent.
    """

    command: str
    label: str
    values: str = "{}"
    at_once: bool = False
    acting_for: UUID | None = None
    key: str = ""
    """The key of the keyboard that presses it."""
    once: str = ""
    """By which a second press of the same button is known."""
    whom: str = ""
    """The name of the seat that is acted for."""
    question: UUID | None = None
    """The question that it answers."""
    stage: str = ""
    """The stage of the game on which it acts; "" where it says itself on what."""
    begun: str = ""
    """What its form begins with and may be changed there, as JSON; "" for what the panel or question says."""

    @property
    def fixed(self) -> Mapping[str, Any]:
        """The values."""
        found: Mapping[str, Any] = orjson.loads(self.values)
        return found

    @property
    def query(self) -> str:
        """What its address says of it."""
        about = {"for": self.acting_for, "question": self.question, "stage": self.stage, "begin": self.begun}
        return urlencode({"values": self.values, **{name: str(each) for name, each in about.items() if each}})


@dataclass(frozen=True, slots=True)
class Remaining:
    """What is left of a deadline, in seconds; None without one."""

    seconds: float | None
    frozen: bool

    def place(self) -> float:
        """Its place among others: the first to pass stands first, what has no deadline last."""
        return float("inf") if self.seconds is None else self.seconds

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

    @property
    def has_buttons(self) -> bool:
        """Whether any of its lines has some."""
        return any(line.buttons for line in self.lines)


@dataclass(frozen=True, slots=True)
class Answers:
    """The buttons that answer a question for one of those who are asked. name: whom for; "" for oneself.

    given: whether they have answered already.
    """

    name: str
    buttons: tuple[Button, ...]
    given: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """An open question on the desk.

    exhibit: what it shows besides its words. later: puts its own deadline off; None without one that runs.
    """

    row: Mapping[str, Any]
    owners: tuple[str, ...]
    answers: tuple[Answers, ...]
    exhibit: ShownPanel | None = None
    later: Button | None = None

    @property
    def buttons(self) -> tuple[Button, ...]:
        """Every button that answers it."""
        return tuple(button for each in self.answers for button in each.buttons)

    @property
    def remaining(self) -> Remaining:
        """What is left of its time."""
        return Remaining(self.row["due_in"], self.row["frozen"])


@dataclass(frozen=True, slots=True)
class Panels:
    """What turns panels, questions and actions into what the desk of somebody shows now."""

    leader: PageViewer
    now: datetime
    nouns: Mapping[UUID, frozenset[str]]
    """What open questions are about, each with the tables that hold it."""
    running: frozenset[str] = frozenset()
    """The keys of the timers that run."""
    given: frozenset[tuple[UUID, Reader]] = frozenset()
    """The questions and those who have answered them already, sealed or not, as far as that may be known."""
    stage: Stage = NOWHERE
    """The stage that the game is in."""
    legal: LegalAnswers | None = None
    """What may be answered now; None: whatever answers a question at all."""
    nonce: str = field(default_factory=lambda: uuid4().hex)
    """Of this look at the desk: a button pressed twice in it counts once."""

    @property
    def game(self) -> Game:
        """The game."""
        return self.leader.viewer.game

    @property
    def commands(self) -> Mapping[str, type[Command]]:
        """The commands that people may issue in this game by hand."""
        found = registry.ruleset(self.game.ruleset).open_commands
        return {name: kind for name, kind in found.items() if not issubclass(kind, ClientSealed)}

    def show_panel(self, panel: Panel, question: Mapping[str, Any] | None = None) -> ShownPanel:
        """A panel as it stands now. question: to which it belongs."""
        lines = tuple(
            ShownLine(tuple(self.cell(cell) for cell in line.cells), self.buttons(line.actions, question))
            for line in panel.lines
        )
        return ShownPanel(panel, lines, self.buttons(panel.actions, question))

    def cell(self, cell: str | int | Countdown) -> str | int | Remaining:
        """A cell, with the time that is left."""
        return Remaining.of(cell, self.game.paused_at, self.now) if isinstance(cell, Countdown) else cell

    def buttons(self, actions: Iterable[Action], question: Mapping[str, Any] | None = None) -> tuple[Button, ...]:
        """Buttons for those actions that the one at the desk may take at all. question: that some of them answer."""
        answering = dict.fromkeys(question["answered_by"], question["id"]) if question is not None else {}
        ours = [
            action
            for action in actions
            if self.is_ours(action.command)
            and (action.command not in answering or self.is_open(self.commands[action.command], action.values))
        ]
        return tuple(self.button(action, question=answering.get(action.command)) for action in ours)

    def button(
        self,
        action: Action,
        *,
        acting_for: UUID | None = None,
        whom: str = "",
        key: str = "",
        question: UUID | None = None,
        begun: Mapping[str, Any] | None = None,
    ) -> Button:
        """A button for an action. acting_for: the seat that is acted for, whom: its name. question: that it answers.

        begun: what its form begins with, other than a panel or a question says.
        """
        is_open = action.asks or not is_whole(self.commands[action.command], action.values)
        at_once = acting_for is None and not is_open
        label = action.label or words_of(action.command)
        values = orjson.dumps(dict(action.values), default=str, option=orjson.OPT_SORT_KEYS).decode()
        once = sha256(f"{self.nonce} {action.command} {values} {acting_for}".encode()).hexdigest()[:32]
        rules, kind = registry.ruleset(self.game.ruleset), self.commands[action.command]
        is_bound = question is None and acts_on_stage(rules, kind, action.values)
        stage = self.stage.mark_for(kind) if is_bound else ""
        begin = orjson.dumps(begun, default=str).decode() if begun else ""
        return Button(action.command, label, values, at_once, acting_for, key, once, whom, question, stage, begin)

    def is_ours(self, command: str) -> bool:
        """Whether a command is one of those that the one at the desk may issue; in a pause as `require_clock` says."""
        kind = self.commands.get(command)
        if kind is None or self.leader.issuer not in kind.issuers:
            return False
        waits = self.game.paused_at is not None and (kind.ends_time or self.leader.role is not Role.GM)
        return kind.while_paused or not waits

    def is_open(self, kind: type[Command], values: Mapping[str, Any], acting_for: UUID | None = None) -> bool:
        """Whether an answer with these values would be taken now."""
        return self.legal is None or self.legal.are_open(kind, values, acting_for)

    def question(self, row: Mapping[str, Any], names: Mapping[Any, str], exhibit: Panel | None) -> Question:
        """A question with the buttons that answer it, for oneself or for those who are asked."""
        owners = [UUID(owner.removeprefix("seat:")) for owner in row["owners"] if owner != GM_READER]
        called = tuple(names.get(owner, "somebody") for owner in owners) or ("the game-masters",)
        own = {action.command for action in exhibit.actions} if exhibit is not None else frozenset[str]()
        answers: list[Answers] = []
        if row["answerable"] and row["asks_me"] and not row["answered"]:
            answers.append(Answers("", tuple(b for b in self.answers(row) if b.command not in own)))
        elif row["answerable"] and not row["asks_me"] and self.leader.role is Role.GM:
            answers += [
                Answers(name, tuple(self.answers(row, owner, name)), (row["id"], reader(owner)) in self.given)
                for owner, name in zip(owners, called, strict=True)
            ]
        shown = self.show_panel(exhibit, row) if exhibit is not None else None
        return Question(row, called, tuple(each for each in answers if each.buttons), shown, self.later(row))

    def later(self, row: Mapping[str, Any]) -> Button | None:
        """What puts the own deadline of a question off by a minute; None without one that runs."""
        timer = f"prompt:{row['id']}"
        if timer not in self.running or not self.is_ours(Extend.slug()):
            return None
        seconds, label = EXTENSIONS[0]
        return self.button(extension(timer, seconds, label))

    def answers(self, row: Mapping[str, Any], acting_for: UUID | None = None, whom: str = "") -> Iterator[Button]:
        """Buttons that answer a question: one for each of its choices, or one for each command that answers it."""
        for name in row["answered_by"]:
            kind = self.commands.get(name)
            if kind is None or not (self.is_ours(name) or (acting_for and Issuer.SEAT in kind.issuers)):
                continue
            about = answer_values(kind, row, self.nouns.get(row["subject"], frozenset()))
            if not self.is_open(kind, about, acting_for):
                continue
            if acting_for is None and "choice" in kind.model_fields and row["choices"]:
                for choice in row["choices"]:
                    action = Action(name, {**about, "choice": choice}, value_words(choice))
                    yield self.button(action, question=row["id"])
                continue
            yield self.button(Action(name, about), acting_for=acting_for, whom=whom, question=row["id"])

    def clock_buttons(self, chief: str) -> Iterator[Button]:
        """The buttons beside the clock. chief: the key of the deadline of what goes on now, "" without one."""
        if self.game.status == "finished":
            return
        if self.game.status == "lobby":
            yield self.button(Action(Start.slug(), asks=True), key="s")
        elif self.game.paused_at is not None:
            yield self.button(Action(Resume.slug()), key="p")
        else:
            yield self.button(Action(Pause.slug(), {"reason": ""}), key="p")
        if chief:
            for seconds, label in EXTENSIONS:
                key = "+" if seconds == EXTENSIONS[0][0] else ""
                yield self.button(extension(chief, seconds, label), key=key)
            if self.is_ours(EndNow.slug()):
                yield self.button(Action(EndNow.slug(), asks=True), key="e")

    def menu(self) -> Iterator[Button]:
        """Every other command that may be issued from here."""
        beside = {kind.slug() for kind in CLOCK_COMMANDS} | {Rewind.slug(), Amend.slug()}
        for name in sorted(self.commands):
            if self.is_ours(name) and name not in beside:
                yield self.button(Action(name, asks=True))


def extension(timer: str, seconds: int, label: str) -> Action:
    """A deadline is put off by so much, without more words: which one is said, so that no later one can be meant."""
    return Action(Extend.slug(), {"timer": timer, "seconds": seconds, "reason": ""}, label)


def answer_values(kind: type[Command], row: Mapping[str, Any], nouns: frozenset[str]) -> dict[str, Any]:
    """What an answer to a question says already: the question, or what it is about, for the argument of that name.

    nouns: the tables that hold what it is about; a `war` is one of `wars`.
    """
    fields = kind.model_fields
    if "prompt" in fields:
        return {"prompt": row["id"]}
    named = [name for name in fields if not nouns.isdisjoint((f"{name}s", f"{name[:-1]}ies"))]
    return {named[0]: row["subject"]} if len(named) == 1 else {}


def nouns_of(state: Any) -> dict[UUID, frozenset[str]]:
    """What open questions are about, each with the tables of a state that hold it."""
    subjects = {prompt.subject for prompt in state.prompts.values() if prompt.subject is not None}
    return {each: frozenset(name for name in state.tables if each in getattr(state, name)) for each in subjects}


def subject_names(state: GameState) -> dict[UUID, str]:
    """What that is called which open questions and timers are about, where it has a name."""
    subjects = {prompt.subject for prompt in state.prompts.values()} | {t.subject for t in state.timers.values()}
    named = {subject: state.name_of(str(subject)) for subject in subjects if subject is not None}
    return {subject: name for subject, name in named.items() if name}
