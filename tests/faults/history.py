"""A checker of histories: what clients sent, were answered and saw, against the log, the receipts and the rows.

A promise that a history breaks is one sentence. An acknowledged command is in the log once, however often it was sent,
and in the order of its acknowledgement; a refused or dry one is not in it. A reader of the log gets all that
the viewer may read of it, in its order, each event once. All who look at the state see it as it was between two acts.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from games import registry
from games.engine.game_state import dump
from games.engine.kernel import Actor, Command
from games.models import Game, LoggedEvent, Receipt, Stream
from games.reads import selectors
from games.reads.selectors import EventPage, EventView
from games.services import Outcome
from games.storage import cursors
from games.storage import log as chain
from games.storage.cursors import Head
from worlds.visibility import Visibility

TABLES = ("seats", "invitations", "answers", "standing", "piles", "hoards", "tides")


@dataclass(frozen=True, slots=True)
class Sent:
    """One sending of a command, and the answer: an outcome, or the code of a refusal."""

    key: str
    actor: Actor
    command: Command
    answer: Outcome | str
    expected: str = ""
    """The cursor it was sent with; empty for none."""
    visibility: Visibility = field(default_factory=Visibility.nobody)
    """The visibility that the cursor is for."""
    dry: bool = False
    begun: int = 0
    ended: int = 0
    """Places of the sending and of the answer among all of the history's."""


@dataclass(slots=True)
class Reading:
    """What one client read, in order: pages of the log, and the state at cursors."""

    name: str
    visibility: Visibility
    pages: list[EventPage] = field(default_factory=list)
    states: list[dict[str, Any]] = field(default_factory=list)
    """Bodies of `state/`, each with its cursor."""

    @property
    def cursor(self) -> str:
        """How far the client has read."""
        return self.pages[-1].cursor if self.pages else ""


@dataclass(slots=True)
class History:
    """A game and what happened to its clients since its log was `after` events long."""

    game: Game
    after: int
    sent: list[Sent] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)


def faults_of(history: History) -> list[str]:
    """One sentence for each promise that the history breaks."""
    return list(Checker(history).faults())


def comparable(state: Mapping[str, Any]) -> dict[str, Any]:
    """A state without what counts seconds, its rows in one order: from `state/`, or from the tables themselves."""
    plain = json.loads(orjson.dumps(state, option=orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS, default=str))
    view = {name: sorted(plain[name], key=str) for name in TABLES}
    return view | {"timers": {row["key"]: row["due"] for row in plain["timers"]}, "prompts": ids_of(plain["prompts"])}


def ids_of(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The ids of some rows, in order."""
    return sorted(row["id"] for row in rows)


class Checker:
    """The log of one game as it is after a history, and the questions that are asked of it."""

    def __init__(self, history: History) -> None:
        self.history, self.game = history, Game.objects.get(pk=history.game.pk)
        self.rows = list(LoggedEvent.objects.filter(game=self.game).order_by("seq"))
        self.log = {row.seq: row for row in self.rows}
        self.receipts = list(Receipt.objects.filter(game=self.game))
        self.owners: dict[int, str] = {}
        self.seen: dict[tuple[int, Visibility], dict[str, Any]] = {}

    def faults(self) -> Iterator[str]:
        """Every fault of the history."""
        yield from self.log_faults()
        yield from self.sending_faults()
        yield from self.order_faults()
        for reading in self.history.readings:
            yield from self.page_faults(reading)
            yield from self.state_faults(reading)

    def log_faults(self) -> Iterator[str]:
        """The log by itself: numbers, streams, digests, and the rows it leads to."""
        if list(self.log) != list(range(1, len(self.rows) + 1)):
            yield "the log has a gap"
        heads: dict[str, int] = defaultdict(int)
        for row in self.rows:
            heads[row.audience] += 1
            if row.ordinal != heads[row.audience]:
                yield f"event {row.seq} is number {row.ordinal} of its stream, where {heads[row.audience]} is due"
        if heads != dict(Stream.objects.filter(game=self.game).values_list("audience", "head")):
            yield "the heads of the streams are not those of the log"
        if broken := list(chain.broken_links(self.game)):
            yield f"the chain of digests is broken at {broken}"
        elif (self.game.seq, self.game.digest) != (len(self.rows), self.rows[-1].digest):
            yield "the game is not where its log ends"
        else:
            rows, found = dump(registry.store(self.game.ruleset).load(self.game)), dump(self.state_at(self.game.seq))
            yield from (f"the rows of {name} are not what the log says" for name in rows if rows[name] != found[name])

    def sending_faults(self) -> Iterator[str]:
        """Each key against its receipts and its events, and each event against those who own it."""
        by_key: dict[tuple[str, str], list[Sent]] = defaultdict(list)
        for sent in self.history.sent:
            by_key[str(sent.actor.user), sent.key].append(sent)
        sends_by_key = defaultdict(list)
        for receipt in self.receipts:
            sends_by_key[receipt.principal, receipt.key].append(receipt)
        for principal, sendings in by_key.items():
            yield from self.key_faults(principal[1], sendings, sends_by_key[principal])
        for receipt in self.receipts:
            if receipt.principal == "clock":
                yield from self.assign_owner(receipt.key, range(receipt.first_seq, receipt.last_seq + 1))
        for row in self.rows:
            if row.seq > self.history.after and row.seq not in self.owners and row.cause != "clock":
                yield f"event {row.seq} ({row.type}) was acknowledged to nobody"

    def key_faults(self, key: str, sendings: Sequence[Sent], receipts: Sequence[Receipt]) -> Iterator[str]:
        """One key of one principal."""
        done = [s for s in sendings if isinstance(s.answer, Outcome) and not s.dry]
        outcomes = [s.answer for s in done if isinstance(s.answer, Outcome)]
        if len(receipts) != bool(outcomes):
            yield f"{key} has {len(receipts)} receipt(s) and {len(outcomes)} acknowledgement(s)"
        if not outcomes:
            return
        first, last = outcomes[0].first_seq, outcomes[0].last_seq
        if {(o.first_seq, o.last_seq) for o in outcomes} != {(first, last)}:
            yield f"{key} was acknowledged with different outcomes"
        if len({(s.actor.role, s.command.slug(), s.command.model_dump_json()) for s in done}) != 1:
            yield f"{key} was acknowledged for different commands"
        if (times := sum(not o.replayed for o in outcomes)) != 1:
            yield f"{key} took effect {times} times"
        for sent in sendings:
            same = not sent.dry and (sent.actor.role, sent.command) == (done[0].actor.role, done[0].command)
            if isinstance(sent.answer, str) and same and sent.begun > min(s.ended for s in done):
                yield f"{key} was refused ({sent.answer}) after it had been acknowledged"
        yield from self.assign_owner(key, range(first, last + 1))
        for seq in range(first, last + 1):
            if not self.is_of(seq, done[0]):
                yield f"{key} was acknowledged with event {seq}, which is not its own"
        for row in (row for outcome in outcomes for row in outcome.written):
            if row.seq in self.log and (row.digest, row.body) != (self.log[row.seq].digest, self.log[row.seq].body):
                yield f"{key} was acknowledged with event {row.seq}, which has changed since"

    def assign_owner(self, key: str, seqs: range) -> Iterator[str]:
        """Note whose events these are; an event has one owner."""
        for seq in seqs:
            if seq in self.owners:
                yield f"{key} and {self.owners[seq]} share event {seq}"
            self.owners[seq] = key

    def is_of(self, seq: int, sent: Sent) -> bool:
        """Whether an event is one that this command leads to: its cause, its seat, and the sentence they share."""
        row = self.log.get(seq)
        if row is None or row.cause != sent.command.slug():
            return False
        body = json.loads(row.body)
        wanted = json.loads(sent.command.model_dump_json())
        if row.type == "Rewound":  # it says where in the log, the command which event for game-masters
            del wanted["to"]
        if row.type in ("StonesAdded", "CoinsHidden"):
            wanted["seat"] = str(sent.actor.acting_seat)
        plain = {name: value for name, value in wanted.items() if isinstance(value, str | int) and value != ""}
        return all(body[name] == value for name, value in plain.items() if name in body)

    def order_faults(self) -> Iterator[str]:
        """What was acknowledged before another was sent comes first; cursors and dry runs mean what they say."""
        fresh = [s for s in self.history.sent if isinstance(s.answer, Outcome) and not s.answer.replayed and not s.dry]
        for sent in fresh:
            assert isinstance(sent.answer, Outcome)
            for other in fresh:
                assert isinstance(other.answer, Outcome)
                if sent.ended < other.begun and sent.answer.last_seq >= other.answer.first_seq:
                    yield f"{sent.key} was acknowledged before {other.key} was sent, and comes after it"
            if sent.expected and self.cursor_at(sent.answer.first_seq - 1, sent.visibility) != sent.expected:
                yield f"{sent.key} took effect although the game had moved on"
        for sent in self.history.sent:
            if sent.answer == "position.stale" and sent.expected == self.cursor_at(len(self.rows), sent.visibility):
                yield f"{sent.key} was refused as stale although nothing has happened since"
            if sent.dry and isinstance(sent.answer, Outcome) and sent.answer.written:
                yield f"{sent.key} was a dry run and wrote {len(sent.answer.written)} event(s)"

    def page_faults(self, reading: Reading) -> Iterator[str]:
        """The log as one client has read it: all that it may read, once, in order, as it stands."""
        may_read = selectors.can_read(self.game.pk, reading.visibility)
        own = [row for row in self.rows if may_read(row.audience)]
        position: dict[str, Head] = {}
        place = 0
        for page in reading.pages:
            for event in page.results:
                row = own[place] if place < len(own) else None
                if row is None or not is_event(self.game.ruleset, row, event):
                    yield f"{reading.name} was sent {self.amiss(event, own, place)}"
                    return
                position[row.audience] = Head(row.ordinal, row.mark)
                place += 1
                if event.cursor != cursors.encode(position):
                    yield f"{reading.name} was given a cursor with event {row.seq} that does not stand behind it"
                    return
            if page.cursor != cursors.encode(position):
                yield f"{reading.name} was given a cursor that does not stand behind its page"
                return
        if place < len(own):
            yield f"{reading.name} was never sent event {own[place].seq} ({own[place].type})"

    def amiss(self, event: EventView, own: Sequence[LoggedEvent], place: int) -> str:
        """What is wrong with an event that does not stand at its place."""
        for index, row in enumerate(own):
            if is_event(self.game.ruleset, row, event):
                return f"event {row.seq} {'again' if index < place else 'before its time'}"
        if any(is_event(self.game.ruleset, row, event) for row in self.rows):
            return f"{event.type}, which the viewer may not read"
        return f"{event.type}, which is not in the log"

    def state_faults(self, reading: Reading) -> Iterator[str]:
        """What one client saw of the state: at its cursor, between two acts, and never half of one."""
        moments = self.moments()
        for snapshot in reading.states:
            there = [seq for seq in moments if self.cursor_at(seq, reading.visibility) == snapshot["cursor"]]
            if not there:
                yield f"{reading.name} saw the state at a cursor where the game never was"
            elif not any(self.view_at(seq, reading.visibility) == comparable(snapshot) for seq in there):
                yield f"{reading.name} saw a state that never was, at the cursor of event {there[-1]}"

    def moments(self) -> list[int]:
        """Where something had just been done: the ends of commands and of timers."""
        ends = {r.last_seq for r in self.receipts} | {self.history.after}
        ends |= {s.answer.last_seq for s in self.history.sent if isinstance(s.answer, Outcome) and not s.dry}
        ends |= {row.seq for row in self.rows if row.cause == "clock"}
        return sorted(ends)

    def cursor_at(self, seq: int, visibility: Visibility) -> str:
        """The cursor of a visibility right after an event."""
        may_read = selectors.can_read(self.game.pk, visibility)
        return cursors.encode(
            {row.audience: Head(row.ordinal, row.mark) for row in self.rows[:seq] if may_read(row.audience)}
        )

    def view_at(self, seq: int, visibility: Visibility) -> dict[str, Any]:
        """The state right after an event, as a visibility shows it."""
        if (seq, visibility) not in self.seen:
            state = self.state_at(seq).view_for(visibility.seats, gm=self.game.pk in visibility.gm_games)
            store = registry.store(self.game.ruleset)
            tables = {
                mapped.table: [
                    {n: c.to_json(c.to_row(getattr(record, n))) for n, c in shapes.items()}
                    for record in getattr(state, mapped.table).values()
                ]
                for mapped in store.tables
                for shapes in [{n: mapped.codec(n, self.game) for n in mapped.names() if n not in mapped.hidden}]
            }
            self.seen[seq, visibility] = comparable(tables)
        return self.seen[seq, visibility]

    def state_at(self, seq: int) -> Any:
        """The state right after an event, as it stood then: a later rewind has not yet undone anything."""
        state = registry.store(self.game.ruleset).new_state(self.game.pk)
        for row in self.rows[:seq]:
            event = chain.event_of(self.game.ruleset, row)
            if row.fallen is None or row.fallen > seq or event.survives_rewind:
                state.note_time(row.at)
                event.apply(state)
        return state


def is_event(ruleset: str, row: LoggedEvent, event: EventView) -> bool:
    """Whether this is the event, word for word. A rewind may have undone it since it was sent."""
    kind = registry.event_type(ruleset, row.type)
    logged = (kind, row.at, row.text, row.by, json.loads(row.body), json.loads(row.rules), json.loads(row.rolls))
    received = (event.type, event.at, event.text, event.by, event.data, event.rules, event.rolls)
    return logged == received and not (event.undone and row.fallen is None)
