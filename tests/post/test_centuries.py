"""An event of The Gods II by post, a century a day: sixteen at their slots, over a change of summer time and an outage.

One god gives their seat away, for another a bot stands in, and the service is off for a day.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.management import call_command

from api.notifications import following
from games import services
from games.engine.kernel import Actor, Command, Issuer
from games.engine.lifecycle.seating import HandOver
from games.engine.lifecycle.votes import AnswerVote, ProposeVote
from games.gods2.models import Era
from games.gods2.rules.state.options import CENTURIES
from games.gods2.rules.window.commands import DrawNumber
from games.models import LoggedEvent, Notification, Prompt, Seat, Timer
from games.storage import log
from tests.api.worlds import user
from tests.games.live import Event, live

pytestmark = [pytest.mark.django_db, pytest.mark.long]
BERLIN, DAY = ZoneInfo("Europe/Berlin"), timedelta(days=1)
OPTIONS = {
    "century_seconds": 64_800, "auto_sessions": True, "time_zone": "Europe/Berlin", "deadline_at": "20:00",
}  # fmt: skip
MARGIN = timedelta(minutes=5)
GIVEN_AWAY, AWAY, BACK, OFF = 3, 5, 8, 11
"""The centuries in which Ana leaves, Ben goes away and is back, and the service is off."""


def evening(opened: datetime, days: int) -> datetime:
    """Eight o'clock in Berlin, so many days later."""
    there = opened.astimezone(BERLIN) + days * DAY
    return there.replace(hour=20, minute=0, tzinfo=BERLIN).astimezone(UTC)


def run(event: Event, command: Command, name: str, seat: str, now: datetime) -> None:
    services.run(event.id, command, actor=Actor(Issuer.SEAT, user(name).pk, event.seats[seat]), now=now)


def chapters_told(event: Event, now: datetime) -> set[str]:
    """Who is told of the century that goes on."""
    for game in following.games_to_look_at(now, 10):
        following.look_at(game, now)
    rows = Notification.objects.filter(game=event.id, kind="chapter", gone_at=None)
    return set(rows.values_list("user__username", flat=True))


@pytest.mark.timeout(300)
@pytest.mark.parametrize("begin", [datetime(2026, 3, 20, 12, tzinfo=UTC), datetime(2026, 10, 17, 12, tzinfo=UTC)])
def test_sixteen_centuries_by_post_end_at_their_slots_each_once_whoever_is_away(begin: datetime, capsys) -> None:
    event = live(OPTIONS, now=begin)
    ends = [evening(begin, day) for day in (*range(1, OFF), *range(OFF + 1, CENTURIES + 2))]
    for century, end in enumerate(ends, 1):
        play_century(event, century, end - timedelta(hours=3))
        if century == OFF:
            fire_until(event, end - timedelta(hours=30))
            services.fire_due(event.id, now=end - timedelta(hours=4))  # most of a day after the slot that was missed
        fire_until(event, end)

    assert event.game.status == "finished"
    opened = LoggedEvent.objects.filter(game=event.id, type="CenturyOpened").order_by("seq")
    closed = LoggedEvent.objects.filter(game=event.id, type="CenturyClosed").order_by("seq")
    assert [row.at for row in closed] == ends
    assert [each["century"] for each in event.events_of("CenturyOpened")] == [*range(1, CENTURIES + 1)]
    assert [row.at for row in opened] == [begin, *ends[:-1]]
    assert {end.hour for end in ends} == {18, 19}
    event.rows_agree()
    assert list(log.broken_links(event.game)) == []
    call_command("verify_dice", str(event.id))
    capsys.readouterr()


def fire_until(event: Event, until: datetime) -> None:
    """Fire timer after timer, each at its time."""
    while timer := Timer.objects.filter(game=event.id, due__lte=until).order_by("due").first():
        services.fire_due(event.id, now=timer.due)


def play_century(event: Event, century: int, now: datetime) -> None:
    """What the gods do in a century, at a time at which it is open."""
    if century == OFF:
        return
    fire_until(event, now)
    era = Era.objects.get(game=event.id)
    assert (era.century, era.ends_at - era.activity_ends_at) == (century, MARGIN)
    if century == GIVEN_AWAY:
        run(event, HandOver(seat=event.seats["ana"], user=user("dora").pk), "ana", "ana", now)
    if century == AWAY:
        stand_in = HandOver(seat=event.seats["ben"], user=user("ben").pk, bot="god")
        run(event, stand_in, "ben", "ben", now)
    if century == BACK:
        run(event, DrawNumber(), "ben", "ben", now)
        assert Seat.objects.get(pk=event.seats["ben"]).bot == ""
    gods = {"ana" if century < GIVEN_AWAY else "dora", "cleo"}
    assert chapters_told(event, now) == (gods if AWAY <= century < BACK else {*gods, "ben"})


def test_by_votes_a_century_is_put_off_to_another_slot_and_ends_as_its_host_would_end_it() -> None:
    """The kind: a vote that does less, or more, than the host's own command; it is tried on a copy of a whole world."""
    begin = datetime(2026, 3, 20, 12, tzinfo=UTC)
    event = live(OPTIONS | {"votes": "majority"}, now=begin)
    vote(event, "extend", begin + timedelta(hours=1))
    assert Era.objects.get(game=event.id).ends_at == evening(begin, 2)
    for hours, what in ((3, "ActivityClosed"), (4, "CenturyClosed")):
        ended = begin + timedelta(hours=hours)
        vote(event, "end", ended)
        assert LoggedEvent.objects.filter(game=event.id, at=ended, type=what).count() == 1
    assert [each["refused"] for each in event.events_of("VoteSettled")] == ["", "", ""]
    assert Era.objects.get(game=event.id).century == 2
    event.rows_agree()


def vote(event: Event, subject: str, now: datetime) -> None:
    """Ana calls a vote, and all who play say yes."""
    run(event, ProposeVote(subject=subject), "ana", "ana", now)
    for name in ("ben", "cleo"):
        asked = Prompt.objects.filter(game=event.id, kind="TABLE_VOTE").first()
        if asked is not None:
            run(event, AnswerVote(prompt=asked.pk, yes=True), name, name, now)
