"""A season by post as its log tells it: questions, who owes what, when each deadline should fall, and who is told.

A plain computation of its own for every ruleset, from `docs/play-by-post.md`, `docs/notifications.md` and the tables of
prompts in `docs/games/`. It uses nothing of the service but the rows of the log. What it expects of a deadline it
compares with what the log says of its timer, event by event. One state that each event changes, so it is one file.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from games.models import LoggedEvent
from tests.post.by_log import DAY, UTC, ZONE, Ping, slot_after
from tests.post.seasons import ABANDONED_AFTER, EXCUSES, FINISHED, RUNNING, SETUP, Facts

HOUR, TOLD_FOR = timedelta(hours=1), timedelta(days=3)
PEOPLES_ROLES = ("player", "host", "gm")
VOTES = {"TABLE_VOTE": DAY}
LIFE = {"Started": RUNNING, "GameEnded": FINISHED}
Key = tuple[str, str, str]
"""What stands: whom it tells, of what kind, and what it is about. Who holds two seats that are asked is told once."""


def window_end(now: datetime, window: timedelta) -> datetime:
    """When a window ends that opens now: counted on the clocks of the zone, at a slot where it has an hour or more."""
    return now + window if window < HOUR else slot_after((now.astimezone(ZONE) + window).astimezone(UTC))


@dataclass
class Sitting:
    """A seat, and who plays it."""

    id: str
    role: str
    user: str
    bot: str
    away: list[tuple[datetime, datetime]] = field(default_factory=list)
    """Vacations."""
    excused: int = 0
    missed: int = 0
    """Deadlines in a row."""

    def is_away(self, moment: datetime) -> bool:
        return any(start <= moment < end for start, end in self.away)

    @property
    def is_person(self) -> bool:
        return bool(self.user) and not self.bot

    @property
    def reader(self) -> str:
        return "gm" if self.role == "gm" else f"seat:{self.id}"


@dataclass
class Asked:
    """An open question."""

    id: str
    kind: str
    owners: tuple[str, ...]
    """Readers."""
    readers: str
    sealed: bool
    parent: str
    opened: datetime
    window: timedelta | None
    """None where another thing ends it, or a moment does."""
    answered: set[str] = field(default_factory=set)
    due: datetime | None = None
    """When its deadline should fall; None while it stands still, and without one."""
    left: timedelta | None = None
    is_excused: bool = False
    known: bool = False
    """Whether all who see it read who has answered."""

    def owing(self) -> list[str]:
        return [owner for owner in self.owners if owner not in self.answered]

    def waited(self) -> list[str]:
        """Whom its deadline waits for, as far as everybody knows: of a sealed question all."""
        return list(self.owners) if self.sealed else self.owing()


@dataclass
class SeasonLog:
    """A game as its log tells it up to an event."""

    facts: Facts
    names: Mapping[str, str]
    """Of people, by their ids."""
    seats: dict[str, Sitting] = field(default_factory=dict)
    asked: dict[str, Asked] = field(default_factory=dict)
    timers: dict[str, datetime | None] = field(default_factory=dict)
    """When each timer is due; None while it stands still."""
    left: dict[str, timedelta] = field(default_factory=dict)
    """What timers that stand still have left."""
    shown: dict[str, str] = field(default_factory=dict)
    status: str = "lobby"
    chapter: int = 0
    free: str = ""
    """The step in which players act unasked, while it goes on."""
    conductors: bool = False
    """Whether host and game-master alone move the game on."""
    paused: datetime | None = None
    ended_at: datetime | None = None
    """When a vote has ended what went on."""
    seq: int = 0
    was_shared: set[tuple[str, str]] = field(default_factory=set)
    """People and questions that they were asked while others were waited for."""
    shared_later: set[tuple[str, str]] = field(default_factory=set)
    attacks: dict[tuple[str, str, datetime], int] = field(default_factory=dict)
    """Seat, what caused it, and when -> the first event that its holder may read: one attack each."""
    missed: list[tuple[str, str, datetime]] = field(default_factory=list)
    """Seat, question, and when: deadlines at which people were silent, after the grace."""
    slips: list[tuple[datetime, timedelta]] = field(default_factory=list)
    dues: set[datetime] = field(default_factory=set)
    """When deadlines of an hour or more were to fall."""

    # --- what happens -------------------------------------------------------------------------------------------
    def read(self, row: LoggedEvent) -> None:
        """Take the next event of the log."""
        self.seq, body = row.seq, json.loads(row.body)
        taken = getattr(self, f"_on_{row.type}", None)
        if taken is not None:
            taken(body, row.at)
        self.status = {**LIFE, **self.facts.status}.get(row.type, self.status)
        if row.type in self.facts.chapters:
            self.chapter = body[self.facts.chapters[row.type]]
        if row.type in self.facts.free:
            self.free, self.conductors = self.facts.free[row.type], row.type in self.facts.conducted
        if row.type in self.facts.answers:
            self._answer(self.facts.answers[row.type], body)
        for seat in json.loads(row.attacked or "[]"):  # whom it strikes, the tests of its rules say
            if self._sees(self.seats[seat], row.audience):
                self.attacks.setdefault((seat, row.cause, row.at), row.seq)

    def _answer(self, where: tuple[str, str], body: Mapping[str, Any]) -> None:
        """An answer with an event of its own. where: the field of the question, or its kind; the field of the seat."""
        asked, seat = where
        found = [each for each in self.asked.values() if body.get(asked) == each.id or each.kind == asked]
        for each in found:
            each.answered.add(f"seat:{body[seat]}")

    def _on_SeatTaken(self, body: Mapping[str, Any], at: datetime) -> None:
        self.seats[body["seat"]] = Sitting(body["seat"], body["role"], body["user"] or "", body["bot"])

    def _on_HandedOver(self, body: Mapping[str, Any], at: datetime) -> None:
        seat = self.seats[body["seat"]]
        if (body["user"] or "") != seat.user:
            seat.away, seat.missed = [(start, min(end, at)) for start, end in seat.away], 0
        seat.user, seat.bot = body["user"] or "", body["bot"]

    def _on_SeatAbandoned(self, body: Mapping[str, Any], at: datetime) -> None:
        seat = self.seats[body["seat"]]
        assert seat.missed == ABANDONED_AFTER, (seat, at)
        seat.bot, seat.missed = body["bot"], 0

    def _on_SilenceEnded(self, body: Mapping[str, Any], at: datetime) -> None:
        self.seats[body["seat"]].missed = 0

    def _on_DeadlineMissed(self, body: Mapping[str, Any], at: datetime) -> None:
        seat = self.seats[body["seat"]]
        seat.missed += 1
        assert body["count"] == seat.missed <= ABANDONED_AFTER, (body, at)
        assert self.missed[-1:] and (seat.id, body["prompt"], at) in self.missed, (body, at)

    def _on_PromptOpened(self, body: Mapping[str, Any], at: datetime) -> None:
        kind = body["kind"]
        self.asked[body["prompt"]] = Asked(
            body["prompt"], kind, tuple(body["owners"]), body["readers"], body["sealed"], body["parent"] or "", at,
            (self.facts.windows | VOTES).get(kind), known=kind in self.facts.told,
        )  # fmt: skip

    def _on_PromptAnswered(self, body: Mapping[str, Any], at: datetime) -> None:
        self.asked[body["prompt"]].answered.add(body["owner"])

    def _on_AnswerWithdrawn(self, body: Mapping[str, Any], at: datetime) -> None:
        self.asked[body["prompt"]].answered.discard(body["owner"])

    def _on_PromptClosed(self, body: Mapping[str, Any], at: datetime) -> None:
        closed = self.asked.pop(body["prompt"])
        parent = self.asked.get(closed.parent)
        if parent is not None and parent.left is not None and not self._children(parent.id):
            parent.due, parent.left = at + parent.left, None
            self._realign(parent, at - closed.opened, at)

    def _children(self, prompt: str) -> list[Asked]:
        return [each for each in self.asked.values() if each.parent == prompt]

    # --- deadlines ----------------------------------------------------------------------------------------------
    def _of_timer(self, key: str) -> Asked | None:
        asked = self.asked.get(key.removeprefix("prompt:")) if key.startswith("prompt:") else None
        return asked if asked is not None and asked.window is not None else None

    def _set(self, body: Mapping[str, Any], at: datetime) -> None:
        due = datetime.fromisoformat(body["due"])
        self.timers[body["key"]], self.shown[body["key"]] = due, body["shown"]
        asked = self._of_timer(body["key"])
        if asked is None:
            return
        if asked.is_excused or json.loads(body["with_"]).get("is_excused"):
            self._give_grace(asked, at)
        else:
            asked.due = window_end(self.paused or at, asked.window or DAY)  # in a pause time stands still
            if asked.kind != "TABLE_VOTE" and asked.window >= HOUR:
                asked.due = self._put_off(asked.due, asked.owners)

    _on_TimerSet = _on_WindowSet = _set

    def _give_grace(self, asked: Asked, at: datetime) -> None:
        assert (asked.due, asked.is_excused) == (at, False), (asked, at)
        asked.is_excused, asked.due = True, self._put_off(window_end(at, DAY), asked.owners)
        silent = self._silent(asked)
        assert any(seat.excused < EXCUSES for seat in silent), (asked, at)
        for seat in silent:
            seat.excused += seat.excused < EXCUSES

    def _silent(self, asked: Asked) -> list[Sitting]:
        """People who owe an answer."""
        readers = {} if asked.kind in self.facts.unowed else {seat.reader: seat for seat in self.seats.values()}
        found = (readers.get(owner) for owner in asked.owing())
        return [seat for seat in found if seat is not None and seat.is_person and seat.role != "gm"]

    def _on_DeadlinePassed(self, body: Mapping[str, Any], at: datetime) -> None:
        asked = self.asked[body["prompt"]]
        if asked.window is None or asked.window < HOUR or self.ended_at == at:  # what people end is nobody's silence
            return
        assert asked.due == at, (asked, at)
        silent = self._silent(asked)
        if asked.kind == "TABLE_VOTE":
            return
        assert asked.is_excused or all(seat.excused == EXCUSES for seat in silent), (asked, at)
        assert not any(seat.is_away(at) for seat in silent), (asked, at)
        self.missed += [(seat.id, asked.id, at) for seat in silent]

    def _on_TimerFired(self, body: Mapping[str, Any], at: datetime) -> None:
        due = self.timers.pop(body["key"])
        assert due == at or self.ended_at == at, (body, due, at)

    def _on_VoteSettled(self, body: Mapping[str, Any], at: datetime) -> None:
        if body["subject"] == "end" and body["passed"] and not body["refused"]:
            self.ended_at = at

    def _on_TimerCleared(self, body: Mapping[str, Any], at: datetime) -> None:
        del self.timers[body["key"]]

    def _on_TimerFrozen(self, body: Mapping[str, Any], at: datetime) -> None:
        key, now = body["key"], self.paused or at
        due, self.timers[key] = self.timers[key], None
        if due is not None:
            self.left[key] = max(due - now, timedelta())
        asked = self._of_timer(key)
        if asked is not None and asked.due is not None:
            asked.left, asked.due = max(asked.due - now, timedelta()), None

    def _on_TimerThawed(self, body: Mapping[str, Any], at: datetime) -> None:
        self.timers[body["key"]] = (self.paused or at) + self.left.pop(body["key"])

    def _on_Extended(self, body: Mapping[str, Any], at: datetime) -> None:
        due = datetime.fromisoformat(body["due"])
        self.timers[body["timer"]] = due
        asked = self._of_timer(body["timer"])
        if asked is not None and body["reason"] == "The players have voted for it.":
            assert asked.due is not None
            asked.due = self._put_off(slot_after(asked.due + DAY), asked.waited())

    def _on_VacationTaken(self, body: Mapping[str, Any], at: datetime) -> None:
        start, end = (datetime.fromisoformat(body[key]) for key in ("starts_at", "ends_at"))
        self.seats[body["seat"]].away.append((start, end))
        for asked in self.asked.values():
            if asked.due is not None and asked.window is not None and asked.window >= HOUR:
                asked.due = self._put_off(asked.due, asked.waited())

    def _on_ClockSlipped(self, body: Mapping[str, Any], at: datetime) -> None:
        by, first = _duration(body["by"]), min(due for due in self.timers.values() if due is not None)
        assert first + by == at, "what was due first in the outage is due at its end"
        self.slips.append((at, by))
        self._shift(by, at)

    def _on_Paused(self, body: Mapping[str, Any], at: datetime) -> None:
        self.paused = at

    def _on_Resumed(self, body: Mapping[str, Any], at: datetime) -> None:
        self.paused = None
        self._shift(_duration(body["by"]), at)

    def _shift(self, by: timedelta, at: datetime) -> None:
        """All that lies ahead moves, and deadlines fall at slots again."""
        self.timers = {key: due and due + by for key, due in self.timers.items()}
        for asked in self.asked.values():
            if asked.due is not None:
                asked.due += by
                self._realign(asked, by, at)

    def _realign(self, asked: Asked, by: timedelta, at: datetime) -> None:
        """A deadline that was moved: where that took less than an hour it stays, and falls now if it has passed."""
        if asked.due is None or asked.window is None or asked.window < HOUR:
            return
        if timedelta() < by < HOUR:
            asked.due = max(asked.due - by, at)
        else:
            asked.due = self._put_off(slot_after(asked.due), asked.waited())

    def _put_off(self, due: datetime, owners: Any) -> datetime:
        """A deadline, behind the vacations of who is asked; a seat that a bot plays waits for nobody."""
        seats = [seat for seat in self.seats.values() if seat.reader in owners and not seat.bot]
        while until := [end for seat in seats for start, end in seat.away if start <= due < end]:
            due = slot_after(max(until))
        return due

    def unexpected(self) -> list[tuple[str, str, Any, Any]]:
        """Questions whose deadline is another one in the log than it should be: kind, id, in the log, as expected."""
        found = []
        for asked in self.asked.values():
            if asked.window is not None and (due := self.timers.get(f"prompt:{asked.id}")) != asked.due:
                found.append((asked.kind, asked.id, due, asked.due))
            if asked.window is not None and asked.window >= HOUR and asked.due is not None:
                self.dues.add(asked.due)
        return found

    # --- what people are told -----------------------------------------------------------------------------------
    def standing(self, now: datetime, hours: Mapping[str, int]) -> dict[Key, bool]:
        """What people should be told at a moment, and of what it matters: whether others are waited for beside them.

        hours: how long before a deadline it is near, by people.
        """
        found: dict[Key, bool] = {}
        self.was_shared |= self.shared_later
        for seat in self.seats.values():
            if seat.is_person and seat.role in PEOPLES_ROLES and seat.user in self.names:
                name = self.names[seat.user]
                found |= {(name, *key): shared for key, shared in self._of_game(seat)}
                if self.status in (SETUP, RUNNING):
                    found |= {(name, *key): shared for key, shared in self._of_seat(seat, now, hours[name])}
        return found

    def _of_game(self, seat: Sitting) -> Iterator[tuple[tuple[str, str], bool]]:
        if self.status == FINISHED:
            yield ("over", ""), False
        elif self.status == RUNNING and self.chapter and seat.role == "player":
            yield ("chapter", f"{self.chapter}"), False

    def _of_seat(self, seat: Sitting, now: datetime, hours: int) -> Iterator[tuple[tuple[str, str], bool]]:
        seen = [each for each in self.asked.values() if not self._children(each.id) and self._sees(seat, each.readers)]
        if self.paused is not None:
            seen = [each for each in seen if each.kind in VOTES]
        mine = [each for each in seen if seat.reader in each.owing()]
        mine = [each for each in mine if (due := self._due(seat, each)) is None or due > now]
        own = {each.reader for each in self.seats.values() if each.user == seat.user and each.is_person}
        others = any(owner not in own for each in seen for owner in self._known_owing(each))
        for each in mine:
            yield ("asked", each.id), others
            if others:
                self.shared_later.add((seat.user, each.id))
            elif (seat.user, each.id) in self.was_shared:
                yield ("alone", each.id), False
            if hours and (due := self._due(seat, each)) is not None:
                near = due - timedelta(hours=hours)
                if each.opened < near <= now:
                    yield ("deadline", each.id), False
        is_free = bool(self.free) if seat.role == "player" else self.conductors
        if is_free and not mine and self.paused is None:
            yield ("turn", f"{self.chapter}:{self.free}"), False
        for (struck, _, at), seq in self.attacks.items():
            if struck == seat.id and at > now - TOLD_FOR:
                yield ("attacked", f"{seq}"), False

    def is_put_off(self, key: Key, former: datetime | None) -> bool:
        """Whether a deadline that was near has been put off since, while its question could be answered."""
        due = self.timers.get(f"prompt:{key[2]}")
        return due is not None and former is not None and due > former

    def _known_owing(self, asked: Asked) -> list[str]:
        """Who owes an answer as far as others know."""
        return list(asked.owners) if asked.sealed and not asked.known else asked.owing()

    def _sees(self, seat: Sitting, readers: str) -> bool:
        return readers == "public" or seat.reader in readers.split("+")

    def _due(self, seat: Sitting, asked: Asked) -> datetime | None:
        key = f"prompt:{asked.id}"
        if self.paused is not None:
            return None
        return self.timers.get(key) if self._sees(seat, self.shown.get(key, "server")) else None


def pings_of(
    season: SeasonLog, rows: QuerySet[LoggedEvent], looks: Iterable[tuple[datetime, int]], hours: Mapping[str, int]
) -> tuple[list[Ping], list[Ping]]:
    """What people should have been told, and what should have come back to them that they know already.

    looks: when the workers looked at the game, and the last event then.
    """
    told, returned = list[Ping](), list[Ping]()
    known, before = set[Key](), dict[Key, Any]()
    for now, seq in looks:
        if season.seq < seq:
            for row in rows.filter(seq__gt=season.seq, seq__lte=seq).order_by("seq"):
                season.read(row)
        assert (wrong := season.unexpected()) == [], (str(now), seq, [(k, str(d), str(e)) for k, _, d, e in wrong])
        present = season.standing(now, hours)
        for key in before.keys() - present.keys():
            if key[1] == "deadline" and season.is_put_off(key, before[key]):
                known.discard(key)
        for key in present.keys() - before.keys():
            about = key[2] if key[1] in ("asked", "alone", "deadline") else ""
            (returned if key in known else told).append((now, key[0], key[1], about))
        known |= present.keys()
        before = {key: season.timers.get(f"prompt:{key[2]}") for key in present}
    return told, returned


def _duration(text: str) -> timedelta:
    """A length of time as the log writes it: `P1DT2H3M4.5S`."""
    days, _, rest = text.removeprefix("P").partition("T")
    length, number = timedelta(days=float(days.removesuffix("D") or 0)), ""
    for letter in rest:
        if letter in "HMS":
            length += timedelta(seconds=float(number) * {"H": 3600, "M": 60, "S": 1}[letter])
            number = ""
        else:
            number += letter
    return length
