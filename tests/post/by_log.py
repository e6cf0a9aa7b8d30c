"""What people should have been told of a game of Albraxas by post: a plain computation of its own, from what was done.

It reads from the log who was asked, who answered and who went away. When deadlines fall, whom grace excuses and what is
told when, it works out from `docs/play-by-post.md` and `docs/notifications.md`, and from nothing of the service.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from games.models import LoggedEvent

ZONE, HOUR_OF_SLOT, REST = ZoneInfo("Europe/Berlin"), 20, 2
"""The calendar of the game: at 20:00, on no Wednesday."""
EXCUSES = 2
UTC = ZoneInfo("UTC")
DAY = timedelta(days=1)
ANSWERS = ("LocationLocked", "OrdersSealed")
Ping = tuple[datetime, str, str, str]
"""When, who, of what kind, and the question it is about."""


def slot_after(moment: datetime) -> datetime:
    """The first slot at or after a moment."""
    day = moment.astimezone(ZONE).replace(hour=HOUR_OF_SLOT, minute=0, second=0, microsecond=0, tzinfo=ZONE)
    while day.astimezone(UTC) < moment or day.weekday() == REST:
        day += DAY  # on the clocks of the zone
    return day.astimezone(UTC)


def day_later(moment: datetime) -> datetime:
    """The first slot a day later, on the clocks of the zone."""
    return slot_after((moment.astimezone(ZONE) + DAY).astimezone(UTC))


@dataclass
class Asked:
    """One question, and what became of it."""

    id: str
    kind: str
    owners: tuple[str, ...]
    """Seats."""
    opened: datetime
    seq: int
    dues: list[tuple[datetime, datetime]]
    """Since when its deadline was when."""
    answers: dict[str, tuple[datetime, int]] = field(default_factory=dict)
    """When and by which event each seat answered, in order."""
    excused: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    closed: datetime | None = None
    closed_seq: int = 0

    @property
    def due(self) -> datetime:
        return self.dues[-1][1]

    def silent(self) -> tuple[str, ...]:
        return tuple(seat for seat in self.owners if seat not in self.answers)


@dataclass
class Month:
    """A game as its log tells it."""

    asked: list[Asked] = field(default_factory=list)
    away: list[tuple[str, datetime, datetime]] = field(default_factory=list)
    chapters: list[datetime] = field(default_factory=list)
    over: list[datetime] = field(default_factory=list)
    albraxas: str = ""
    """Its seat; the seats of rebels are all others that are asked."""
    attacks: set[tuple[datetime, bool]] = field(default_factory=set)
    """When one side has won a Backbone, and whether that was Albraxas: one attack on the other at each moment."""
    left: dict[str, int] = field(default_factory=dict)

    def put_off(self, due: datetime, owners: tuple[str, ...]) -> datetime:
        """A deadline, behind the vacations of who is asked."""
        while until := [end for seat, start, end in self.away if seat in owners and start <= due < end]:
            due = slot_after(max(until))
        return due

    def pass_time(self, now: datetime, seq: int) -> None:
        """Let the deadline that has come do what it does."""
        for each in self.asked:
            if each.closed is not None or each.due > now:
                continue
            excusable = tuple(seat for seat in each.silent() if self.left.setdefault(seat, EXCUSES) > 0)
            if excusable and not each.excused:
                each.excused = excusable
                for seat in excusable:
                    self.left[seat] -= 1
                each.dues.append((each.due, self.put_off(day_later(each.due), each.owners)))
            else:
                each.late, each.closed, each.closed_seq = each.silent(), each.due, seq

    def answer(self, seat: str, now: datetime, seq: int) -> None:
        """A seat answers what is open."""
        (each,) = (each for each in self.asked if each.closed is None)
        each.answers[seat] = (now, seq)
        if not each.silent():
            each.closed, each.closed_seq = now, seq


def read_log(game: Any) -> Month:
    """A game from its log."""
    month = Month()
    for row in LoggedEvent.objects.filter(game=game).order_by("seq"):
        body = json.loads(row.body)
        month.pass_time(row.at, row.seq)
        if row.type == "PromptOpened" and body["kind"] in ("locate", "order"):
            owners = tuple(owner.removeprefix("seat:") for owner in body["owners"])
            due = month.put_off(day_later(row.at), owners)
            month.asked.append(Asked(body["prompt"], body["kind"], owners, row.at, row.seq, [(row.at, due)]))
        elif row.type in ANSWERS and any(each.closed is None for each in month.asked):
            month.answer(body["seat"], row.at, row.seq)  # behind a deadline the rules lock the places of the silent
        elif row.type == "VacationTaken":
            month.away.append((body["seat"], *(datetime.fromisoformat(body[key]) for key in ("starts_at", "ends_at"))))
            for each in month.asked:
                if each.closed is None and (due := month.put_off(each.due, each.owners)) != each.due:
                    each.dues.append((row.at, due))
        elif row.type == "AlbraxasChosen":
            month.albraxas = body["seat"]
        elif row.type == "ActionResolved" and (body["action"], body["result"]) == ("backbone", "win"):
            month.attacks.add((row.at, body["seat"] == month.albraxas))
        elif row.type == "TurnStarted":
            month.chapters.append(row.at)
        elif row.type == "GameFinished":
            month.over.append(row.at)
    return month


def pings(month: Month, names: Mapping[str, str], hours: Mapping[str, int]) -> Iterator[Ping]:
    """What each person is told, and when. names: of the people, by seats. hours: when a deadline is near to each."""
    for each in month.asked:
        for seat in each.owners:
            yield each.opened, names[seat], "asked", each.id
            yield from ((at, names[seat], "deadline", each.id) for at in _near(each, seat, hours[names[seat]]))
        if len(each.answers) >= len(each.owners) - 1:
            answered = list(each.answers)[: len(each.owners) - 1]
            (last,) = set(each.owners) - set(answered)
            yield each.answers[answered[-1]][0], names[last], "alone", each.id
    for at, by_albraxas in month.attacks:
        yield from ((at, names[s], "attacked", "") for s in names if (s == month.albraxas) is not by_albraxas)
    for name in names.values():
        yield from ((at, name, "chapter", "") for at in month.chapters)
    for name in (*names.values(), "host"):
        yield from ((at, name, "over", "") for at in month.over)


def _near(asked: Asked, seat: str, hours: int) -> Iterator[datetime]:
    """When a deadline comes near to a seat that has not answered: anew where it was put off meanwhile."""
    ends = [*(since for since, _ in asked.dues[1:]), asked.closed]
    was_near = False
    for (since, due), end in zip(asked.dues, ends, strict=True):
        near = due - timedelta(hours=hours)
        at = max(since, near)
        is_owed = seat not in asked.answers or asked.answers[seat][0] >= at
        is_told = near > asked.opened and at < (end or due) and is_owed
        if is_told and not (was_near and near <= since):
            yield at
        was_near = is_told


def owed(month: Month, seq: int) -> set[tuple[str, str]]:
    """The seats that owe an answer after an event of the log, each with its question."""
    found = set()
    for each in month.asked:
        if each.seq <= seq and (each.closed is None or seq < each.closed_seq):
            found |= {(seat, each.id) for seat in each.owners if seq < each.answers.get(seat, (0, seq + 1))[1]}
    return found
