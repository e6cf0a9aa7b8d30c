"""Four people of a game of Albraxas by post, the workers that tell them, and a clock that is moved by half hours.

Ria never signs in: she reads her mail, and answers by the link that is in it.
"""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import orjson
from django.core import mail
from django.test import Client

from accounts.models import User
from api.common.authentication import Principal
from api.notifications import following, mailing
from api.notifications.wishes import change_wishes
from api.outbound.posting import Answer
from api.webhooks.chat import delivery, hooks
from api.webhooks.chat.hooks import Wish
from games import services
from games.albraxas.rules.locate.commands import LockLocation, SetLocation
from games.albraxas.rules.orders.commands import WriteOrders
from games.albraxas.rules.state.schema_types import Order
from games.engine.lifecycle.vacations import TakeVacation
from games.models import Notification, Prompt
from games.reads import due_timers
from tests.api.worlds import user
from tests.event_pages.desks import Form
from tests.games.albraxas import ALBERT, HOLE_UP, Battle, begin
from tests.notifications.test_mailing import confirm
from tests.post.by_log import Ping

BEGIN, MOST = datetime(2026, 3, 10, 9, tzinfo=UTC), timedelta(days=60)
TICK = timedelta(minutes=30)
PEOPLE = ("ria", "rex", "ron", ALBERT)
ZONES = {
    "ria": "America/New_York", "rex": "Asia/Tokyo", "ron": "Pacific/Auckland", ALBERT: "Europe/Berlin",
}  # fmt: skip
HOURS = {"ria": 12, "rex": 3, "ron": 24, ALBERT: 6}
"""How long before a deadline each wants to be told of it."""
BY_MAIL, MAIL_KINDS = "ria", ("asked", "deadline", "alone")
"""Who answers from mail alone, and of what they are mailed."""
LINK = re.compile(r"https://games\.example(/answer/\w+/)")
MENTIONS = {name: f"<@{number}>" for number, name in enumerate(PEOPLE, 71)}
BACKBONE = Order(action="backbone")
ATTACKS = {*((ALBERT, turn) for turn in range(1, 8)), ("rex", 3), ("rex", 5), ("rex", 6)}
"""Who tries to take away what the other side has laid, and in which turns; else all hole up."""
SILENT_FROM = BEGIN + timedelta(days=6)
VACATIONS = {
    BEGIN + timedelta(days=5): ("2026-03-19", "2026-03-23"),
    BEGIN + timedelta(days=23): ("2026-04-02", "2026-04-04"),
}
"""When Rex takes a vacation, and from which day to which: once before it, once on the day itself."""
OPTIONS = {
    "phases": 12, "sides": 6, "check_from": 11, "pace": "by_post", "time_zone": "Europe/Berlin",
    "deadline_at": "20:00", "rest_days": ["wednesday"], "grace_seconds": 86_400, "excused_absences": 2,
    "vacation_days": 14,
}  # fmt: skip


@dataclass
class Post:
    """A game, what its people were told, and what was posted in its channel."""

    game: Battle
    names: dict[str, str]
    """Of the people, by seats and by the ids of their accounts."""
    told: list[Ping] = field(default_factory=list)
    returned: list[Ping] = field(default_factory=list)
    """What came back and is not new to whom it is told."""
    standing: list[tuple[int, set[tuple[str, str]], str]] = field(default_factory=list)
    """After each look: the last event, who stands as asked of what, and the line in the channel."""
    posted: list[tuple[datetime, str, list[str]]] = field(default_factory=list)
    """When, the line, and whom it calls."""
    line: str = ""
    seen: set[Any] = field(default_factory=set)
    unread: set[str] = field(default_factory=set)
    """Who has been told something that they have not read."""
    is_over: bool = False
    asked_at: dict[str, datetime] = field(default_factory=dict)
    mailed: list[datetime] = field(default_factory=list)
    """When each mail was sent."""
    opened_mails: int = 0
    late_links: int = 0
    """Links of mails whose question was over when they were opened."""

    @classmethod
    def opened(cls) -> "Post":
        game = begin(OPTIONS, PEOPLE, now=BEGIN)
        names = {str(seat): name for name, seat in game.seats.items()}
        for name in PEOPLE:
            change_wishes(user(name).pk, BEGIN, {"time_zone": ZONES[name], "deadline_hours": HOURS[name]})
        confirm(user(BY_MAIL))
        change_wishes(user(BY_MAIL).pk, BEGIN, {"mail_kinds": list(MAIL_KINDS)})
        mentions = [{"seat": game.seats[name], "mention": text} for name, text in MENTIONS.items()]
        channel = "https://discord.com/api/webhooks/1234/a-long-key"
        hooks.create(
            Principal(User.objects.get(pk=user("host").pk)),
            Wish(url=channel, game=game.id, format="discord", time_zone="Asia/Tokyo", mentions=mentions),
            BEGIN,
        )
        return cls(game, names | {str(user(name).pk): name for name in (*PEOPLE, "host")})

    @property
    def now(self) -> datetime:
        return self.game.now

    def play(self) -> None:
        """Until the end, tick by tick."""
        while not self.is_over:
            for games in due_timers.due_games_in_lists(self.now, 8):
                services.fire_due_in(games, now=self.now)
            self.tell()
            if self.now in VACATIONS:
                first, last = VACATIONS[self.now]
                self.game.run(TakeVacation(first_day=first, last_day=last), "rex")
                self.tell()
            for name in PEOPLE:
                if name in self.unread and self.looks(name):
                    self.look(name)
            assert self.now < BEGIN + MOST, "it ends"
            self.game.now += TICK
        self.game.now -= TICK

    # --- the workers ----------------------------------------------------------------------------------------------
    def tell(self) -> None:
        """What the workers do in the second after a change, and at each tick."""
        moved = following.games_to_look_at(self.now, 10)
        for game in moved:
            assert following.look_at(game, self.now)
        while taken := delivery.take(self.now, 10):
            for hook in taken:
                delivery.deliver(hook, lambda: self.now)
            moved += taken
        if moved:
            self.record()
        before = len(mail.outbox)
        mailing.write_mails(self.now)
        for each in mailing.take(self.now, 10):
            mailing.deliver(each, lambda: self.now)
        self.mailed += [self.now] * (len(mail.outbox) - before)

    def record(self) -> None:
        """Keep what stands now, and what of it is new."""
        rows = list(Notification.objects.filter(game=self.game.id, gone_at=None))
        for row in rows:
            if row.pk not in self.seen:
                name = self.names[str(row.user_id)]
                is_new = row.read_at is None and row.created_at == self.now
                ping = (self.now, name, row.kind, str(row.subject or ""))
                (self.told if is_new else self.returned).append(ping)
                if row.kind == "asked":
                    self.asked_at[name] = self.now
        self.seen = {row.pk for row in rows}
        self.unread = {self.names[str(row.user_id)] for row in rows if row.read_at is None}
        asked = {(str(row.seat), str(row.subject)) for row in rows if row.kind == "asked"}
        row = self.game.game
        self.is_over = row.status == "finished"
        self.standing.append((row.seq, asked, self.line))

    def send(self, method: str, url: str, body: bytes, headers: Any, **more: Any) -> Answer:
        """The channel: one line that stands, and each that was posted."""
        if method == "DELETE":
            self.line = ""
        elif method == "PATCH":
            self.line = orjson.loads(body)["content"]
        else:
            text = orjson.loads(body)
            self.posted.append((self.now, text["content"], text["allowed_mentions"]["users"]))
            if "wait=true" in url:
                self.line = text["content"]
        return Answer(200, body=b'{"id": "1"}')

    # --- the people -----------------------------------------------------------------------------------------------
    def looks(self, name: str) -> bool:
        """Whether somebody reads now what they were told: Albert at once, Ria each morning, the rest hours later."""
        there = self.now.astimezone(ZoneInfo(ZONES[name]))
        if name == "ria":
            return (there.hour, there.minute) == (7, 30)
        waits = {ALBERT: 0, "rex": 5, "ron": 8}[name]
        is_time = self.now >= self.asked_at.get(name, self.now) + timedelta(hours=waits)
        if name == "ron":
            return is_time and self.now < SILENT_FROM
        if name == "rex":
            day = self.now.astimezone(ZoneInfo(OPTIONS["time_zone"])).date().isoformat()
            return is_time and not any(first <= day <= last for first, last in VACATIONS.values())
        return is_time

    def look(self, name: str) -> None:
        """Read what is new, and answer what is asked."""
        if name == BY_MAIL:
            self.look_into_mail()
            return
        client = self.game.client(name)
        unread = client.get("/api/v1/me/notifications/?unread=1").json()["results"]
        left = client.post("/api/v1/me/notifications/read/", {"up_to": unread[0]["id"]}, "application/json")
        assert left.json() == {"unread": 0}
        self.unread.discard(name)
        for each in unread:
            if each["kind"] == "asked":
                self.answer(name)

    def look_into_mail(self) -> None:
        """Open the link of each new mail in a browser of nobody's, and answer what it asks."""
        while self.opened_mails < len(mail.outbox):
            letter = mail.outbox[self.opened_mails]
            self.opened_mails += 1
            found = LINK.search(str(letter.body))
            assert found is not None, letter.body
            shown = Client().get(found[1])
            if shown.status_code == 410 or "You have answered" in shown.content.decode():
                self.late_links += 1
            elif "Where do you go" in shown.content.decode():
                self.send_form(found[1], "Set location", phase=str(self.game.game.chapter))
                self.send_form(found[1], "Lock location")
            else:
                self.send_form(found[1], "Write orders", action='"hole_up"')

    def send_form(self, path: str, label: str, **filled: str) -> None:
        """Fill and send the form with this button that is behind a link. filled: a field's last name, and its text."""
        browser, text = Client(enforce_csrf_checks=True), Client().get(path).content.decode()
        if link := re.search(rf'href="(\?way=\w+)">{label}', text):
            text = browser.get(path + link[1]).content.decode()
        (form,) = [each for each in re.findall(r"<form .*?</form>", text, re.S) if f">{label}</button>" in each]
        action = re.match(r'<form method="post" action="(\?way=\w+)"', form)
        assert action is not None, form
        fields = Form(form).values
        for last, value in filled.items():
            name = next(each for each in fields if each.partition(":")[0].rpartition(".")[2] == last)
            fields[name] = [value, *fields[name][1:]]
        sent = browser.post(path + action[1], fields)
        assert sent.status_code == 200 and 'id="done"' in sent.content.decode(), sent.content.decode()
        self.tell()

    def answer(self, name: str) -> None:
        kind = Prompt.objects.get(game=self.game.id).kind
        if kind == "locate":
            turn = self.game.game.chapter
            self.game.run(SetLocation(phase=turn), name)
            self.tell()
            self.game.run(LockLocation(), name)
        else:
            order = BACKBONE if (name, self.game.game.chapter) in ATTACKS else HOLE_UP
            self.game.run(WriteOrders(orders=(order,)), name)
        self.tell()
