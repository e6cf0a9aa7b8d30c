"""The language of the rule tests: when(state, command), then(events). No database, no mocks; dice are handed in."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import pytest

from games.engine.audience import GM_READER
from games.engine.bots import BotPassed, Policy, Thought
from games.engine.dice import SecretDice, Tray
from games.engine.errors import Refused
from games.engine.game_state import Role, dump
from games.engine.kernel import (
    CLOCK,
    Actor,
    Command,
    Context,
    Event,
    EventRecord,
    Issuer,
    apply_events,
    execute,
    require_clock,
)
from games.engine.lifecycle.messages import MessageSent
from games.engine.lifecycle.reports import MessageReported
from games.engine.message_history import PastMessage
from games.engine.prompts.prompt import PromptOpened
from games.engine.ruleset import Ruleset
from games.engine.timer import fire
from tests.dice import GivenDice, Planted

DAWN = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


class ToldHistory:
    """What a playbook has written down, as a decision may ask for it; nothing of it is gone back to."""

    def __init__(self, log: list[EventRecord]) -> None:
        self.log = log

    def at(self, number: int) -> tuple[int, Any]:
        """Refused (`history.missing`)."""
        raise Refused("history.missing", "A playbook goes back to nothing.")

    def lasting_behind(self, position: int) -> Sequence[Event]:
        """Nothing: no moment is gone back to."""
        return ()

    def last_messages(self, sender: UUID | None, most: int) -> list[PastMessage]:
        """The last messages of a sender, the latest first."""
        return [each for each in self._messages() if each.event.sender == sender][: -most - 1 : -1]

    def message(self, message: UUID) -> PastMessage | None:
        """The message of an id."""
        return next((each for each in self._messages() if each.event.message == message), None)

    def _messages(self) -> Iterator[PastMessage]:
        return (PastMessage(h.event, h.audience, h.at) for h in self.log if isinstance(h.event, MessageSent))

    def is_reported(self, message: UUID, reporter: UUID | None) -> bool:
        """Whether a seat has reported a message."""
        reports = (h.event for h in self.log if isinstance(h.event, MessageReported))
        return any((each.message, each.reporter) == (message, reporter) for each in reports)


class Playbook:
    """One game of a ruleset in memory: issues commands, moves the clock, records what happened."""

    def __init__(self, ruleset: Ruleset, state: Any, dice: Sequence[Planted] | None = None) -> None:
        self.ruleset, self.state, self.now = ruleset, state, DAWN
        self.heads: dict[Any, int] = {}
        self.log: list[EventRecord] = []
        self.given = GivenDice(dice) if dice is not None else None
        self.used: set[tuple[str, int]] = set()
        self.rolled: Counter[str] = Counter()
        self.commands: Counter[str] = Counter()
        """How often people and bots have issued each command; what was refused is not among them."""
        self._thought: Command | None = None
        self.policies, self.gm_policies = ruleset.policies, ruleset.gm_policies

    def context(self, actor: Actor) -> Context:
        """A context at the playbook's time; dice are the given ones, else those of a fixed secret."""
        game, self._thought = self.state.info.id, None
        source = self.given if self.given is not None else SecretDice(b"secret of the tests", str(game))
        return Context(
            game=game,
            now=self.state.info.paused_at or self.now,
            at=self.now,
            actor=actor,
            tray=Tray(source, rewinds=self.state.info.rewinds, rolled=self.rolled.__getitem__),
            id_secret=b"ids of the tests",
            salt_secret=b"salts of the tests",
            commands=self.ruleset.commands,
            start=self.ruleset.start,
            end_setup=self.ruleset.end_setup,
            goes_on=self.ruleset.course.go_on,
            attacks=self.ruleset.attacks,
            heads=self.heads,
            history=ToldHistory(self.log),
            policies=self._listening(self.policies),
            gm_policies=self._listening(self.gm_policies),
            bot_tray=Tray(SecretDice(b"bots of the tests", str(game))),
        )

    def when(
        self, command: Command, by: UUID | Actor | None = None, dice: Sequence[Planted] | None = None
    ) -> list[Event]:
        """Issue a command as a seat, as an actor, or as the clock; the events that followed.

        dice: all that are rolled, planted with `tests.dice.d`; those of a fixed secret when absent.
        """
        if dice is not None:
            self.given = GivenDice(dice)
        actor = by if isinstance(by, Actor) else Actor(Issuer.SEAT, seat=by) if by else CLOCK
        require_clock(self.state, type(command), actor)
        ctx = self.context(actor)
        happened = execute(self.state, command, ctx)
        self._record(ctx, happened)
        if actor is not CLOCK:
            self.commands[command.slug()] += 1
        if dice is not None:
            assert self.given is not None and self.given.is_exhausted(), "fewer dice were rolled than given"
            self.given = None
        return [h.event for h in happened]

    def plant(self, *events: Event) -> None:
        """Let these events have happened, by nobody's command: how a position is set up. They stand in the log."""
        self.log += apply_events(self.state, iter(events), self.context(CLOCK))

    def wait(self, by: timedelta) -> list[Event]:
        """Let time pass; every timer that comes due fires in its order, at its own time. In a pause none does."""
        until, events = self.now + by, []
        while self.state.info.paused_at is None and (due := self._due(until)):
            self.now = max(self.now, due[0][0])
            ctx = self.context(CLOCK)
            happened = apply_events(self.state, fire(self.state, due[0][2], ctx), ctx)
            self._record(ctx, happened)
            events += [h.event for h in happened]
        self.now = until
        return events

    def _due(self, until: datetime) -> list[tuple[datetime, int, str]]:
        """The timers that are due by then, the earliest first."""
        return sorted((t.due, t.generation, t.key) for t in self.state.timers.values() if t.due and t.due <= until)

    def _record(self, ctx: Context, happened: list[EventRecord]) -> None:
        """Write down what happened; a die has one use in a game, as the rows of the service have it (CF-3)."""
        uses = [(roll.label, roll.index) for roll in ctx.tray.all]
        again = self.used.intersection(uses)
        assert not again, f"rolled twice under one label: {sorted(again)}"
        self.used.update(uses)
        self.rolled.update(label for label, _ in uses)
        if self._thought is not None and not any(isinstance(h.event, BotPassed) for h in happened):
            self.commands[self._thought.slug()] += 1
        for opened in (h.event for h in happened if isinstance(h.event, PromptOpened)):
            assert self._is_asked_as_said(opened), f"{opened.kind} is asked of other seats than its row says"
        self.log += happened

    def _listening(self, policies: Mapping[str, Policy]) -> Mapping[str, Policy]:
        """These policies; what they want is counted, unless the rules refuse it."""
        return {name: partial(self._think, policy) for name, policy in policies.items()}

    def _think(self, policy: Policy, state: Any, seat: UUID, tray: Tray) -> Thought:
        thought = policy(state, seat, tray)
        self._thought = thought.command
        return thought

    def _is_asked_as_said(self, opened: PromptOpened) -> bool:
        """Whether the seats that are asked are those whose policies must have a word on it (`Question.roles`)."""
        rows = [row for row in self.ruleset.course.questions.values() if row.kind == opened.kind]
        seats = (self.state.seats[UUID(o.removeprefix("seat:"))] for o in opened.owners if o != GM_READER)
        asked = {seat.role for seat in seats} | ({Role.GM} if GM_READER in opened.owners else set())
        return not rows or asked <= {role for row in rows for role in row.roles}


@contextmanager
def refused(code: str, state: Any = None) -> Iterator[pytest.ExceptionInfo[Refused]]:
    """The block is refused with this code, as what is yielded says; with a state, nothing in it has changed."""
    before = dump(state) if state is not None else None
    with pytest.raises(Refused) as caught:
        yield caught
    assert caught.value.code == code
    if state is not None:
        assert dump(state) == before


class event_like:
    """Equal to an event of this class whose named fields have these values."""

    def __init__(self, kind: type[Event], **fields: Any) -> None:
        self.kind, self.fields = kind, fields

    def __eq__(self, other: object) -> bool:
        return type(other) is self.kind and all(getattr(other, n) == v for n, v in self.fields.items())

    def __repr__(self) -> str:
        return f"{self.kind.__name__}({', '.join(f'{n}={v!r}' for n, v in self.fields.items())})"


def of_kind(events: list[Event], *kinds: type[Event]) -> list[Event]:
    """The events of these classes, in order."""
    return [e for e in events if isinstance(e, kinds)]


def state_from_log(log: list[EventRecord], fresh: Any) -> Any:
    """The state that a log leads to."""
    for record in log:
        fresh.note_time(record.at)
        record.event.apply(fresh)
    return fresh


def attacks_by(book: Playbook, position: int) -> list[tuple[type[Event], set[UUID]]]:
    """The events behind a position of a playbook's log that have attacked somebody, and which seats."""
    return [(type(h.event), set(h.attacked)) for h in book.log[position:] if h.attacked]
