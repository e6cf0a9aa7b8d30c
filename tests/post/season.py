"""A season by post of four people in four time zones, whoever is away, and a clock that is moved.

Each looks at the game at hours of their own and does what a policy of the ruleset does with what they may see. The
clock goes by half hours, and to whatever is due before that; while the service is off it is not looked at.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from random import Random
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.core import mail

from api.notifications import following, mailing
from api.notifications.wishes import change_wishes
from games import registry, services
from games.albraxas.rules.setup.commands import PlayAlbraxas
from games.engine.dice import SecretDice, Tray
from games.engine.errors import Refused
from games.engine.game_state import Status
from games.engine.kernel import Actor, Command, Issuer
from games.engine.kernel import fold as fold_events
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.seating import HandOver, Join
from games.engine.lifecycle.vacations import TakeVacation
from games.engine.lifecycle.votes import AnswerVote, ProposeVote
from games.engine.policies import questions_of
from games.models import LoggedEvent, Notification, Seat, Timer
from games.reads import due_timers
from games.storage import log
from tests.api.worlds import user
from tests.games.table import Table
from tests.notifications.test_mailing import confirm
from tests.post.by_log import Ping
from tests.post.seasons import BY_POST, Facts

TICK, DAY = timedelta(minutes=30), timedelta(days=1)
PEOPLE = ("ria", "rex", "ron", "ida")
"""Ria gives her seat to Dora, Rex goes away, Ron is silent for long, Ida calls votes."""
SUBSTITUTE, HOST = "dora", "host"
ZONES = {
    "ria": "America/New_York", "rex": "Asia/Tokyo", "ron": "Pacific/Auckland", "ida": "Europe/Berlin",
    SUBSTITUTE: "America/Sao_Paulo", HOST: "Africa/Nairobi",
}  # fmt: skip
LOOKS = {
    "ria": ("07:30", "13:00", "20:30"), "rex": ("08:00", "12:30", "22:00"), "ron": ("09:00", "18:00", "21:30"),
    "ida": ("08:30", "12:00", "16:00", "22:00"), SUBSTITUTE: ("10:00", "15:00", "21:00"),
    HOST: ("07:00", "12:00", "17:30", "22:30"),
}  # fmt: skip
"""When each looks at the game, on the clocks where they live."""
HOURS = {"ria": 12, "rex": 3, "ron": 24, "ida": 6, SUBSTITUTE: 0, HOST: 2}
"""How long before a deadline each wants to be told of it; 0: never."""
BY_MAIL, MAIL_KINDS = "rex", ("asked", "deadline", "alone", "turn")
VACATION_TAKEN, VACATION = 1 * DAY, (5 * DAY, 8 * DAY)
"""From when on Rex takes a vacation, and from which day to which, counted from the beginning as all that follows."""
SILENT_FROM, RON_IS_GONE = 4 * DAY, 3 * DAY
"""From when on Ron is silent, and for how long when a bot plays for them already."""
GIVEN_AWAY = 12 * DAY
VOTES = (("extend", 8 * DAY), ("pause", 10 * DAY), ("resume", 11.5 * DAY), ("end", 16 * DAY))
"""What Ida calls votes for, one after the other, and from when on; the clocks change while the game is paused."""
NOT_NOW = ("vote.open", "timer.missing", "timer.frozen", "timer.early", "clock.running")
"""Why a vote cannot be called at a moment."""
OFF_FROM, OFF_FOR, OFF_BEFORE = 14 * DAY, timedelta(hours=25), timedelta(hours=20)
"""From when on the service goes off, for how long, and how soon before something is due."""


@dataclass
class Season:
    """A game, what its people were told, and when the clock was looked at."""

    facts: Facts
    table: Table
    chance: Random
    names: dict[str, str]
    """Of people, by the ids of their accounts."""
    state: Any
    """The game as its log folds."""
    holders: dict[str, UUID] = field(default_factory=dict)
    """The seats of those who play, by name."""
    looks: list[tuple[datetime, int]] = field(default_factory=list)
    """When the workers looked at the game, and its last event then."""
    told: list[Ping] = field(default_factory=list)
    returned: list[Ping] = field(default_factory=list)
    """What came back and is not new to whom it is told."""
    standing: set[UUID] = field(default_factory=set)
    made: dict[UUID, datetime] = field(default_factory=dict)
    mailed: list[datetime] = field(default_factory=list)
    read: int = 0
    abandoned_at: datetime | None = None
    votes: list[tuple[str, timedelta]] = field(default_factory=lambda: list(VOTES))
    """Those that are still to be carried and done."""
    off: tuple[datetime, datetime] | None = None
    """When the service was off."""

    @classmethod
    def opened(cls, facts: Facts, seed: str) -> "Season":
        """A game whose people have joined, on the day on which it begins."""
        options = json.dumps({**facts.options, **BY_POST})
        game = services.open_game(facts.ruleset, "Season", user=user(HOST).pk, options=options, now=facts.begin)
        table = Table(game.pk, now=facts.begin)
        for name in PEOPLE:
            services.run(game.pk, Join(name=name.title()), actor=Actor(Issuer.SEAT, user(name).pk), now=facts.begin)
            table.seats[name] = Seat.objects.get(game=game, user=user(name)).pk
        everybody = (*PEOPLE, SUBSTITUTE, HOST)
        for name in everybody:
            change_wishes(user(name).pk, facts.begin, {"time_zone": ZONES[name], "deadline_hours": HOURS[name]})
        confirm(user(BY_MAIL))
        change_wishes(user(BY_MAIL).pk, facts.begin, {"mail_kinds": list(MAIL_KINDS)})
        state = registry.store(facts.ruleset).new_state(game.pk)
        names = {str(user(name).pk): name for name in everybody}
        season = cls(facts, table, Random(seed), names, state, dict(table.seats))
        season.follow()
        if facts.ruleset == "albraxas":
            season.run(PlayAlbraxas(), "ida")
        season.run(Start(), HOST)
        return season

    @property
    def now(self) -> datetime:
        return self.table.now

    @property
    def since(self) -> timedelta:
        """How long the season goes on already."""
        return self.now - self.facts.begin

    @property
    def is_over(self) -> bool:
        return bool(self.state.info.status is Status.FINISHED)

    # --- the clock ------------------------------------------------------------------------------------------------
    def play(self, until: datetime) -> None:
        """Until the end of the game, or a time."""
        while not self.is_over and self.now < until:
            self.step()

    def step(self) -> None:
        """Let people look, then the clock go on to what comes next."""
        for name in self.people_who_look():
            self.look(name)
            if self.is_over:
                return
        tick = self.facts.begin + (self.since // TICK + 1) * TICK
        due = Timer.objects.filter(game=self.table.id, due__isnull=False).order_by("due").values_list("due", flat=True)
        first = due.first()
        if self.off is None and self.since >= OFF_FROM and first is not None and first <= self.now + OFF_BEFORE:
            self.off = self.now, self.now + OFF_FOR
            self.table.now = self.off[1]
        else:
            self.table.now = min(tick, first) if first is not None and first > self.now else tick
        for games in due_timers.due_games_in_lists(self.now, 8):
            services.fire_due_in(games, now=self.now)
        self.tell()

    # --- the workers ----------------------------------------------------------------------------------------------
    def tell(self) -> None:
        """What the workers do in the second after a change, and at each tick."""
        self.follow()
        for game in following.games_to_look_at(self.now, 10):
            assert following.look_at(game, self.now)
            self.record()
        self.looks.append((self.now, self.read))
        before = len(mail.outbox)
        mailing.write_mails(self.now)
        for each in mailing.take(self.now, 10):
            mailing.deliver(each, lambda: self.now)
        self.mailed += [self.now] * (len(mail.outbox) - before)

    def follow(self) -> None:
        """Fold what is new in the log."""
        rows = list(LoggedEvent.objects.filter(game=self.table.id, seq__gt=self.read).order_by("seq"))
        fold_events(self.state, ((log.event_of(self.facts.ruleset, row), row.at) for row in rows))
        self.read = rows[-1].seq if rows else self.read
        for row in rows:
            if row.type == "SeatAbandoned":
                self.abandoned_at = row.at
            if row.type == "VoteSettled" and not json.loads(row.body)["refused"]:
                del self.votes[0]

    def record(self) -> None:
        """Keep what is new of what stands now."""
        rows = list(Notification.objects.filter(game=self.table.id, gone_at=None))
        for row in rows:
            if row.pk not in self.standing:
                ping = (self.now, self.names[str(row.user_id)], row.kind, str(row.subject or ""))
                is_new = self.made.get(row.pk) != row.created_at
                assert not is_new or (row.read_at, row.created_at) == (None, self.now)
                (self.told if is_new else self.returned).append(ping)
        self.standing = {row.pk for row in rows}
        self.made |= {row.pk: row.created_at for row in rows}

    # --- the people -----------------------------------------------------------------------------------------------
    def people_who_look(self) -> list[str]:
        """Those whose hour it is and who are there."""
        return [name for name in (*self.holders, HOST) if self.is_hour_of(name) and self.is_there(name)]

    def is_hour_of(self, name: str) -> bool:
        there = self.now.astimezone(ZoneInfo(ZONES[name])).time()
        return any(there == time.fromisoformat(hour) for hour in LOOKS[name])

    def is_there(self, name: str) -> bool:
        if name == "rex":
            first, last = self.vacation_days()
            return not first <= self.now.astimezone(ZoneInfo(BY_POST["time_zone"])).date().isoformat() <= last
        if name == "ron" and self.since >= SILENT_FROM:
            return self.abandoned_at is not None and self.now >= self.abandoned_at + RON_IS_GONE
        return True

    def look(self, name: str) -> None:
        """Read what is new, and do what is to be done."""
        Notification.objects.filter(game=self.table.id, user_id=user(name).pk, read_at=None).update(read_at=self.now)
        if self.state.info.paused_at is not None:
            self.vote(name)
            return
        if name == "rex" and VACATION_TAKEN <= self.since < VACATION_TAKEN + DAY and not self.vacations():
            first, last = self.vacation_days()
            self.run(TakeVacation(first_day=first, last_day=last), name)
        if name == "ria" and self.since >= GIVEN_AWAY:
            self.run(HandOver(seat=self.holders[name], user=user(SUBSTITUTE).pk), name)
            self.holders[SUBSTITUTE] = self.table.seats[SUBSTITUTE] = self.holders.pop(name)
            return
        if name == "ron" and self.is_played_for(self.holders[name]):
            self.run(HandOver(seat=self.holders[name], user=user(name).pk), name)
        self.vote(name)
        for seat, actor in self.seats_of(name) if self.state.info.paused_at is None else ():
            self.act(name, seat, actor)

    def is_played_for(self, seat: UUID) -> bool:
        """Whether a bot plays a seat, and nothing is asked of it: else an answer takes the seat back."""
        return bool(self.state.seats[seat].bot) and not questions_of(self.state, seat)

    def vacations(self) -> list[Any]:
        return [leave for leave in self.state.leaves.values() if leave.is_vacation]

    def vacation_days(self) -> tuple[str, str]:
        first, last = ((self.facts.begin + each).date().isoformat() for each in VACATION)
        return first, last

    def vote(self, name: str) -> None:
        """Say yes to what is voted on; Ida calls the next vote, as soon as what it is for can be done."""
        if name == "ida" and self.votes and self.since >= self.votes[0][1]:
            try:
                self.run(ProposeVote(subject=self.votes[0][0]), name)
            except Refused as refused:
                assert refused.code in NOT_NOW, refused
        for seat, actor in self.seats_of(name):
            for each in questions_of(self.state, seat):
                if each.kind == "TABLE_VOTE":
                    self.run(AnswerVote(prompt=each.id, yes=True), actor)

    def seats_of(self, name: str) -> Iterator[tuple[UUID, str]]:
        """The seats from which somebody acts, with how: the host from that of the game-master."""
        if name != HOST:
            yield self.holders[name], name
        elif self.facts.master:
            yield Seat.objects.get(game=self.table.id, role="gm").pk, "gm"

    def act(self, name: str, seat: UUID, actor: str) -> None:
        """Do what there is to do, until others are waited for."""
        rules = registry.ruleset(self.facts.ruleset)
        master = actor == "gm"
        policy = rules.gm_policies[self.facts.master] if master else rules.policies[self.facts.policy]
        for _ in range(self.facts.most_acts):
            if self.is_over:
                return
            tray = Tray(SecretDice(self.chance.randbytes(32), str(self.table.id)))
            thought = policy(self.state.view_for(frozenset({seat}), gm=master), seat, tray)
            if thought.command is None:
                return
            self.run(thought.command, actor)
            is_on = thought.again_in is not None and thought.again_in <= timedelta(seconds=5)
            if not is_on and not questions_of(self.state, seat):
                return

    def run(self, command: Command, name: str) -> None:
        """Somebody issues a command; the workers tell what has come of it."""
        self.table.run(command, name)
        self.tell()
