"""Reports of messages: a reader shows one, with a reason, to those who lead the game; its sender does not learn of it.

Whoever holds the seat that wrote is no reader of the report, by whatever seat; of several who lead a game the others
read it. Nothing in the game changes.

A report of an anonymous message is two events: `MessageReported`, which names who wrote, for those who lead the game,
and `AnonymousMessageReported` for who reports. What who reports is answered does not depend on who wrote.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from games.engine.audience import SERVER, Audience, readable, seats
from games.engine.errors import Refused
from games.engine.game_state import GameState, Role, Seat
from games.engine.insight.domains import AnyValue, FreeText
from games.engine.insight.legal_commands import LegalCommand, TableCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.lifecycle.messages import MessageSent, Text
from games.engine.wording import full_sentence

LEADERS = (Role.HOST, Role.GM)


class MessageReported(Event[GameState]):
    """A reader of a message has shown it to those who lead the game."""

    survives_rewind: ClassVar[bool] = True

    reporter: UUID | None
    """The seat that reports; none for a game-master without one."""
    message: UUID
    sender: UUID | None
    """The seat that wrote it; none for a game-master without one."""
    sent_at: datetime
    """When it was written, by the log."""
    text: str
    """What was written."""
    reason: str
    shown_to: tuple[UUID, ...]
    """The seats of those who lead the game that read this, by id; with `for_gm` those of hosts alone."""
    for_gm: bool
    """Whether every game-master reads it: unless one of them wrote the message; of an anonymous one unless who wrote or
    reports it leads the game."""
    anonymous: bool = False
    """Whether nobody else is told who wrote; who reports reads `core.AnonymousMessageReported` then, and not this."""

    def audience(self, state: GameState) -> Audience:
        own = [self.reporter] if self.reporter and not self.anonymous else []
        return seats(*self.shown_to, *own, gm=self.for_gm)

    def sentence(self, state: GameState) -> str:
        reporter, sender = _name_of(state, self.reporter), _name_of(state, self.sender)
        what = "an anonymous message" if self.anonymous else "a message"
        return f"{reporter} reports {what} of {sender}: {full_sentence(self.reason)} {self.text}"


class AnonymousMessageReported(Event[GameState]):
    """A reader of an anonymous message has reported it; who reports reads this, and not who wrote it."""

    survives_rewind: ClassVar[bool] = True

    reporter: UUID | None
    """The seat that reports; none for a game-master without one."""
    message: UUID
    sent_at: datetime
    """When it was written, by the log."""
    text: str
    """What was written."""
    reason: str

    def audience(self, state: GameState) -> Audience:
        return seats(self.reporter) if self.reporter else SERVER

    def sentence(self, state: GameState) -> str:
        reporter = _name_of(state, self.reporter)
        return f"{reporter} reports an anonymous message: {full_sentence(self.reason)} {self.text}"


class ReportMessage(TableCommand):
    """Show a message that you can read, with your reason, to host and game-masters; each message once.

    They read its text then, whoever it was for. Who wrote it does not learn of it, also where they lead the game
    themselves; then the others who lead it read the report. Refused after the end.

    Of an anonymous message they learn who wrote it, and you do not, also where you lead the game. Nor does anything
    say so where the only one who could read the report wrote it: then only who runs the service can.

    Its legal entry is `partial`: which messages there are stands in the log alone.
    """

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.SEAT, Issuer.HOST, Issuer.GM})
    while_paused: ClassVar[bool] = True
    reads_log: ClassVar[bool] = True

    message: UUID
    """The id of the message: `message` in the data of its event."""
    reason: Text
    """Why: read by those who lead the game."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        reporter = reporter_of(state, ctx.actor)
        seat = reporter.id if reporter else None
        found = ctx.history.message(self.message) if ctx.history is not None else None
        own = (seat,) if seat else ()
        if found is None or not any(readable(a, own, ctx.actor.is_gm) for a in (found.audience, found.event.receivers)):
            raise Refused("message.missing", "There is no such message; its id is `message` in the event's data.")
        sent: MessageSent = found.event
        if sent.sender == seat:
            raise Refused("report.own", "You wrote this message yourself; report what others write.")
        if ctx.history is not None and ctx.history.is_reported(self.message, seat):
            raise Refused("message.reported", "You have reported this message; those who lead the game can read that.")
        sender = state.seats.get(sent.sender) if sent.sender else None
        if sent.anonymous:
            shown_to, for_gm = readers_of_name(state, reporter, ctx.actor, sender)
        else:
            shown_to, for_gm = readers_of_report(state, reporter, sender)
        yield MessageReported(
            reporter=seat,
            message=self.message,
            sender=sent.sender,
            sent_at=found.at,
            text=sent.text,
            reason=self.reason,
            shown_to=shown_to,
            for_gm=for_gm,
            anonymous=sent.anonymous,
        )
        if sent.anonymous:
            yield AnonymousMessageReported(
                reporter=seat, message=self.message, sent_at=found.at, text=sent.text, reason=self.reason
            )

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        """For everybody with a seat, and for game-masters; nobody reports for another."""
        if actor.on_behalf_of is not None:
            return
        reporter_of(state, actor)
        yield LegalCommand(cls.slug(), {"message": AnyValue(), "reason": FreeText()}, partial=True)


def reporter_of(state: GameState, actor: Actor) -> Seat | None:
    """The seat that reports; None for a game-master without one.

    Raises `seat.other`, `seat.missing`, `phase.closed`.
    """
    state.require_unfinished()
    if actor.on_behalf_of is not None:
        raise Refused("seat.other", "A seat reports for itself; report as game-master, without naming a seat.")
    if actor.is_gm and actor.seat not in state.seats:
        return None
    return state.seat(actor.seat)


def readers_of_report(state: GameState, reporter: Seat | None, sender: Seat | None) -> tuple[tuple[UUID, ...], bool]:
    """The seats that read a report beside the reporter's, by id, and whether every game-master does.

    sender: who wrote the message; None: a game-master without a seat, or a seat that was removed. Nobody who holds the
    sender's seat is among them. Raises `report.nobody`.
    """
    others = [seat for seat in _leading(state) if not _is_held_by_holder_of(sender, seat)]
    if all(seat.id == getattr(reporter, "id", None) for seat in others):
        raise _nobody_reads()
    return _by_name(state, others, for_gm=sender is not None and sender.role is not Role.GM)


def readers_of_name(
    state: GameState, reporter: Seat | None, actor: Actor, sender: Seat | None
) -> tuple[tuple[UUID, ...], bool]:
    """The seats that read the report of an anonymous message, and who wrote it, as `readers_of_report`.

    Neither who reports nor who wrote is among them, by whatever seat. Raises `report.nobody` where nobody else than who
    reports leads the game: whoever wrote, so that it tells nothing of that. So there may be no reader at all.
    """
    user, leading = reporter.user if reporter is not None else actor.user, _leading(state)
    others = [seat for seat in leading if seat != reporter and seat.user != user]
    if not others:
        raise _nobody_reads()
    readers = [seat for seat in others if not _is_held_by_holder_of(sender, seat)]
    # By name where who reports or who wrote leads: who becomes a game-master later reads what all of them may.
    return _by_name(state, readers, for_gm=readers == leading and not actor.is_gm)


def _leading(state: GameState) -> list[Seat]:
    """The seats of those who lead the game."""
    return [seat for seat in state.seats.values() if seat.role in LEADERS and seat.user is not None]


def _by_name(state: GameState, readers: Sequence[Seat], *, for_gm: bool) -> tuple[tuple[UUID, ...], bool]:
    """These readers by id, without those who read it as game-masters, and whether every game-master does.

    for_gm: whether they may, where every seat of theirs is among the readers.
    """
    every = for_gm and all(seat in readers for seat in _leading(state) if seat.role is Role.GM)
    return tuple(sorted(seat.id for seat in readers if seat.role is Role.HOST or not every)), every


def _nobody_reads() -> Refused:
    return Refused("report.nobody", "Nobody else leads this game who could read a report.")


def _is_held_by_holder_of(sender: Seat | None, seat: Seat) -> bool:
    """Whether whoever holds the sender's seat holds this one, too."""
    return sender is not None and (seat.id == sender.id or (sender.user is not None and seat.user == sender.user))


def _name_of(state: GameState, seat: UUID | None) -> str:
    """What a seat is called in a sentence, also one that is not there any more."""
    if seat is None:
        return "The game-master"
    return state.seats[seat].name if seat in state.seats else "a former seat"
