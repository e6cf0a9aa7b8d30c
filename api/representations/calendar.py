"""A person's deadlines as iCalendar (RFC 5545), which calendars of all kinds subscribe to."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from icalendar import Calendar, Event

from api.representations.turns import Turn

PRODUCT = "-//Theogony//Deadlines//EN"
NAME = "Theogony"
REFRESH = timedelta(minutes=15)
"""After which a calendar looks again; many look less often, and choose that themselves."""


def calendar_of(turns: Iterable[Turn], now: datetime, address: Callable[[Turn], str]) -> bytes:
    """The calendar, with one entry for each of these seats that has a deadline; UTF-8, lines as RFC 5545 folds them.

    An entry is a moment: when it is too late. It keeps its UID while the seat is there, so that a deadline which moves
    moves it, and it is gone once nothing is asked. now: when it was made. address: of the page of a seat, absolute.
    """
    made = Calendar()
    made.add("prodid", PRODUCT)
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    made.add("name", NAME)
    made.add("x-wr-calname", NAME)
    made.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    made.add("x-published-ttl", REFRESH)
    for turn in turns:
        if turn.due is not None:
            made.add_component(_entry(turn, turn.due, now, address(turn)))
    return made.to_ical()


def _entry(turn: Turn, due: datetime, now: datetime, address: str) -> Event:
    entry = Event()
    entry.add("uid", f"{turn.seat.pk}@theogony")
    entry.add("dtstamp", now)
    entry.add("dtstart", due)
    entry.add("summary", f"{turn.game.name}: {'you are asked' if turn.must else 'you may act'}")
    entry.add("description", f"{turn.seat.name}, {turn.caption}" if turn.caption else turn.seat.name)
    entry.add("url", address)
    entry.add("transp", "TRANSPARENT")
    return entry
