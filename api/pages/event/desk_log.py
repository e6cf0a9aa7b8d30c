"""The log as the desk tells it: what each of the last commands and timers did, the latest first, and who issued it.

A rewind keeps or undoes a command as a whole, so its events stand together.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from api.pages.access import LEADERS, PageViewer
from games import registry
from games.engine.game_state import Role
from games.engine.kernel import Command, Issuer
from games.engine.lifecycle.reports import MessageReported
from games.models import LoggedEvent, Receipt
from games.models.log import OF_MESSAGES
from games.reads import rewind_preview, selectors
from games.reads.selectors import EventView

LAST_ENTRIES = 20
PAGE, PAGES = 60, 12
"""So many events are read at once, and so often at most: the end of a chapter is some hundreds of them."""
MESSAGE, ANONYMOUS_MESSAGE = "core.MessageSent", "core.AnonymousMessageSent"
LAST_REPORTS = 5
SENTENCES = 5
"""So many sentences of one entry are open to the eye; the others can be opened."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What one command or timer did. by: who issued it, where that is a leader of the game; "" for all others.

    number: the event to which one may rewind, None where a rewind undid it, or for a host.
    """

    at: datetime
    sentences: tuple[str, ...]
    rules: tuple[str, ...]
    by: str
    undone: bool
    number: int | None
    message: str = ""
    """The id of the message that it is, where it is one that can be reported."""
    sender: str = ""
    """The seat that wrote it, by id; "" for a game-master without one, and where it is anonymous."""
    sender_name: str = ""
    is_own: bool = False
    """Whether whoever looks wrote it."""
    muted: bool = False
    """Whether whoever looks mutes that seat."""

    @property
    def first(self) -> tuple[str, ...]:
        """What is open to the eye."""
        return self.sentences[:SENTENCES]

    @property
    def more(self) -> tuple[str, ...]:
        """What can be opened."""
        return self.sentences[SENTENCES:]


@dataclass(frozen=True, slots=True)
class Report:
    """A message that somebody has shown to those who lead the game."""

    at: datetime
    text: str


def entries_of(leader: PageViewer, seats: Sequence[Mapping[str, Any]]) -> list[Entry]:
    """The last commands and timers that have something to say, the latest first. seats: those of the game."""
    viewer, before = leader.viewer, ""
    events: list[EventView] = []
    told: list[list[EventView]] = []
    for _ in range(PAGES):
        page = selectors.events_before(viewer.game, viewer.visibility, before=before, limit=PAGE)
        events, before = [*page.results, *events], page.start
        groups = [list(found) for _, found in groupby(events, key=lambda event: (event.at, event.cause))]
        told = [group for group in groups if any(event.text or event.muted for event in group)]
        if not page.more or len(told) > LAST_ENTRIES:  # the first of them may go on before the page
            break
    told = told[-LAST_ENTRIES:]
    if not told:
        return []
    first = told[0][0].seq
    numbers = rewind_preview.numbers_from(viewer.game, first) if leader.role is Role.GM else {}
    issuers = Issuers.of(leader, first, seats) if leader.role in LEADERS else Issuers([], {}, {}, {})
    names = {str(seat["id"]): str(seat["name"]) for seat in seats}
    own = {str(seat.pk) for seat in viewer.seats}
    return [_entry(group, numbers, issuers, names, own) for group in reversed(told)]


def reports_for(leader: PageViewer) -> list[Report]:
    """The last reports of messages that somebody may read, the latest first: one query."""
    viewer = leader.viewer
    rows = LoggedEvent.objects.visible_to(viewer.visibility).filter(
        OF_MESSAGES, game=viewer.game, type=MessageReported.__name__
    )
    return [Report(*row) for row in rows.order_by("-seq").values_list("at", "text")[:LAST_REPORTS]]


def _entry(
    events: Sequence[EventView],
    numbers: Mapping[int, int],
    issuers: "Issuers",
    names: Mapping[str, str],
    own: Collection[str],
) -> Entry:
    """The entry of the events of one command or timer, in their order. names: of seats. own: those of who looks."""
    message = next((event for kind in (MESSAGE, ANONYMOUS_MESSAGE) for event in events if event.type == kind), None)
    sender = str(message.data.get("sender") or "") if message is not None else ""
    told = [event for event in events if event.type != ANONYMOUS_MESSAGE or event is message]  # one's own once
    known = [numbers[event.seq] for event in events if event.seq in numbers and not event.undone]
    return Entry(
        at=events[0].at,
        sentences=tuple(dict.fromkeys(_sentence(event, names) for event in told if event.text or event.muted)),
        rules=tuple(dict.fromkeys(rule for event in events for rule in event.rules)),
        by=issuers.name_of(events),
        undone=all(event.undone for event in events),
        number=known[-1] if known else None,
        message=str(message.data.get("message") or "") if message is not None else "",
        sender=sender if sender in names else "",
        sender_name=names.get(sender, ""),
        is_own=sender in own,
        muted=message is not None and message.muted,
    )


def _sentence(event: EventView, names: Mapping[str, str]) -> str:
    """What an event says; of a muted message who wrote it."""
    return f"{names.get(event.data['sender'], 'Somebody')} has written what you mute." if event.muted else event.text


@dataclass(frozen=True, slots=True)
class Issuers:
    """Who of those who lead a game issued which commands, as far as these were sent with a key."""

    receipts: Sequence[tuple[int, int, str]]
    """First and last event of a command, and the id of its issuer as text."""
    people: Mapping[str, str]
    """The names of the seats of those who lead the game, by the id of who sits there, as text."""
    seats: Mapping[str | None, str]
    """The names of all seats by id as text."""
    commands: Mapping[str, type[Command]]

    @classmethod
    def of(cls, leader: PageViewer, first: int, seats: Iterable[Mapping[str, Any]]) -> "Issuers":
        """Of the events from a place in the log on: one query."""
        rows = Receipt.objects.filter(game=leader.viewer.game, last_seq__gte=first).exclude(principal="clock")
        every = list(seats)
        leading = [seat for role in reversed(LEADERS) for seat in every if seat["role"] == role]
        led = {str(seat["user"]): seat["name"] for seat in leading}  # by the last: a game-master's seat
        names: dict[str | None, str] = {str(seat["id"]): seat["name"] for seat in every}
        commands = registry.ruleset(leader.viewer.game.ruleset).open_commands
        return cls(list(rows.values_list("first_seq", "last_seq", "principal")), led, names, commands)

    def name_of(self, events: Sequence[EventView]) -> str:
        """Who of the leaders issued the command of these events, and for whom; "" for what others and the clock did.

        Of a command that a player's seat may issue as well this is said only where it was issued for an absent one:
        somebody who leads the game may play in it too, in secret.
        """
        absent = next((self.seats[e.on_behalf_of] for e in events if e.on_behalf_of in self.seats), "")
        kind = self.commands.get(events[0].cause)
        if kind is None or (Issuer.SEAT in kind.issuers and not absent):
            return ""
        seq = events[0].seq
        principal = next((who for first, last, who in self.receipts if first <= seq <= last), "")
        name = self.people.get(principal, "an administrator") if principal else "a game-master"
        return " for ".join(filter(None, (name, absent)))
