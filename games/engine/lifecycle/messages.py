"""Messages between seats: one command, whose events change nothing and are read by sender and receivers.

Players write as the option `press` and the rule of the game (`Ruleset.message_rule`) allow; host and game-masters
write to everybody, and everybody who plays may write to them. Observers neither write nor are written to. How much
was written lately stands in the log alone (`Context.history`); its times bound what a seat writes (`message.flood`).

An anonymous message is two events of one id: `AnonymousMessageSent` for its receivers, which names no sender, and
`MessageSent` for the sender alone.
"""

from collections.abc import Collection, Iterable, Iterator
from datetime import timedelta
from typing import Annotated, Any, ClassVar
from uuid import UUID

from pydantic import BeforeValidator, Field, model_validator

from games.engine.audience import PUBLIC, Audience, seats
from games.engine.errors import Refused
from games.engine.game_state import GameState, Role, Seat
from games.engine.insight.domains import Choices, FreeText, ListOf
from games.engine.insight.legal_commands import LegalCommand, TableCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.message_options import message_options
from games.engine.wording import listing

MAX_RECEIVERS = 16
MAX_CHARACTERS = 2000
FLOOD_WINDOW = timedelta(minutes=10)
MAX_MESSAGES, MAX_MESSAGES_OF_LEADERS = 20, 100
"""Of one sender in `FLOOD_WINDOW`: of a player, and of a host or game-master."""
EVERYBODY = "everybody"
"""The receiver that stands for all who may see the game."""
SEAT_ID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
NOT_IN_TEXTS = r"\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
"""Control characters other than a line's end, and those that change the direction of what follows."""
Text = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MAX_CHARACTERS,
        pattern=rf"^[^\s{NOT_IN_TEXTS}]([^{NOT_IN_TEXTS}]*[^\s{NOT_IN_TEXTS}])?$",
    ),
    BeforeValidator(lambda given: given.replace("\r\n", "\n").strip() if isinstance(given, str) else given),
]


def _receiver_text(given: Any) -> Any:
    """A seat's id as it is written in a command's body."""
    return str(given) if isinstance(given, UUID) else given.lower() if isinstance(given, str) else given


def _require_receivers(given: Any) -> Any:
    """What is written in `to`. Raises ValueError for nothing: who reads a message is said and never implied."""
    if given is None or (isinstance(given, list | tuple) and not given):
        raise ValueError(f"say who reads it: ids of seats, or `{EVERYBODY}` alone")
    return tuple(given) if isinstance(given, list) else given  # behind such a validator no list passes for a tuple


Receiver = Annotated[str, Field(pattern=rf"^({EVERYBODY}|{SEAT_ID})$"), BeforeValidator(_receiver_text)]
Receivers = Annotated[
    tuple[Receiver, ...], Field(min_length=1, max_length=MAX_RECEIVERS), BeforeValidator(_require_receivers)
]


class MessageSent(Event[GameState]):
    """Somebody has written to some seats, or to everybody."""

    survives_rewind: ClassVar[bool] = True

    sender: UUID | None
    """The seat that wrote; none for a game-master without one."""
    to: tuple[UUID, ...]
    """The seats that it is for, by id; none: everybody."""
    text: str
    for_gm: bool
    """Whether game-masters read it: always what one of them writes or gets, and by an option of the game the rest."""
    message: UUID | None = None
    """Its id, by which `report-message` names it; none where it was written by a release without reports."""
    anonymous: bool = False
    """Whether nobody else is told who wrote: then its receivers read `core.AnonymousMessageSent`, this the sender."""

    @property
    def receivers(self) -> Audience:
        """Who reads what was written, by whichever event, whether they wrote it or not."""
        return seats(*self.to, gm=self.for_gm) if self.to else PUBLIC

    def audience(self, state: GameState) -> Audience:
        own = [self.sender] if self.sender else []
        if self.anonymous:
            return seats(*own)
        return seats(*self.to, *own, gm=self.for_gm) if self.to else PUBLIC

    def sentence(self, state: GameState) -> str:
        sender = state.seats[self.sender].name if self.sender else "The game-master"
        how = ", anonymously" if self.anonymous else ""
        return f"{sender} to {_names_of(state, self.to)}{how}: {self.text}"


class AnonymousMessageSent(Event[GameState]):
    """A player has written to some seats, or to everybody, and nobody is told who it was."""

    survives_rewind: ClassVar[bool] = True

    to: tuple[UUID, ...]
    """The seats that it is for, by id; none: everybody. The sender may be among them."""
    text: str
    for_gm: bool
    """Whether game-masters read it: what one of them gets, and by an option of the game the rest."""
    message: UUID
    """Its id, by which `report-message` names it."""

    def audience(self, state: GameState) -> Audience:
        return seats(*self.to, gm=self.for_gm) if self.to else PUBLIC

    def sentence(self, state: GameState) -> str:
        return f"A player to {_names_of(state, self.to)}: {self.text}"


class SendMessage(TableCommand):
    """Write to some seats, or to everybody; it changes nothing in the game, and a rewind does not take it back.

    A later holder of one of these seats reads it too. Refused after the end, for observers, and where the option
    `press` or a rule of the game keeps players from writing to each other; to host and game-masters they always may.
    A player writes 20 messages in 10 minutes at most, host and game-masters 100, and nobody the same twice in a row.

    With the `press` `anonymous` nobody is told which player wrote to players or to everybody: the answer and your log
    have a copy that names you, which you alone read. Then your own seat may stand in `to`, so that it does not say who
    did not write, and it is sent in no batch. What is for host or game-masters alone names you.

    Its legal entries are `partial`: how much was written lately stands in the log alone.
    """

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.SEAT, Issuer.HOST, Issuer.GM})
    while_paused: ClassVar[bool] = True
    reads_log: ClassVar[bool] = True

    to: Receivers
    """Who reads it, beside you: ids of seats, or `everybody` alone. To one game-master is to all of them."""
    text: Text
    """What you write: line breaks are kept, other control characters refused."""

    @model_validator(mode="before")
    @classmethod
    def _without_receivers(cls, given: Any) -> Any:
        """A body without `to` is refused in the words of an empty one."""
        return {"to": (), **given} if isinstance(given, dict) else given

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        sender = sender_of(state, ctx.actor)
        receivers = self._receivers(state)
        if not receivers:
            require_public(state, sender)
        for receiver in receivers:
            require_receiver(state, sender, receiver)
        sent = MessageSent(
            sender=sender.id if sender else None,
            to=tuple(seat.id for seat in receivers),
            text=self.text,
            for_gm=_is_for_gm(state, sender, receivers),
            anonymous=is_anonymous(state, sender, receivers),
        )
        require_no_flood(sent, sender, ctx)
        if not sent.anonymous:
            yield sent.model_copy(update={"message": ctx.mint(sent.audience(state))})
            return
        if ctx.is_in_batch:
            raise Refused(
                "message.batch",
                "All commands of a batch have one time in the log, by which it would be plain who wrote; send an "
                "anonymous message by itself.",
            )
        message = ctx.mint(sent.receivers)
        yield AnonymousMessageSent(to=sent.to, text=sent.text, for_gm=sent.for_gm, message=message)
        yield sent.model_copy(update={"message": message})

    def _receivers(self, state: GameState) -> list[Seat]:
        """The seats that are written to, by id; none: everybody. Raises `message.receivers`, `seat.missing`."""
        if EVERYBODY not in self.to:
            return [state.seat(UUID(seat)) for seat in sorted(set(self.to))]
        if set(self.to) != {EVERYBODY}:
            raise Refused(
                "message.receivers",
                "`everybody` stands alone in `to`; name the seats without it for what they alone shall read.",
            )
        return []

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        """To everybody, and to those who may be written to; nobody writes for another."""
        if actor.on_behalf_of is not None:
            return
        sender = sender_of(state, actor)
        barred = public_refusal(state, sender)
        by_name = sorted(state.seats.values(), key=lambda seat: (seat.name.casefold(), seat.role, seat.id))
        receivers = {seat.id: seat.name for seat in by_name if receiver_refusal(state, sender, seat) is None}
        if barred and not receivers:
            raise barred
        to_all = ListOf(Choices.with_titles({EVERYBODY: EVERYBODY}), low=1, high=1)
        to_some = ListOf(Choices.with_titles(receivers), low=1, high=min(MAX_RECEIVERS, len(receivers)))
        if barred is None:
            yield LegalCommand(cls.slug(), {"to": to_all, "text": FreeText()}, partial=True)
        if receivers:
            yield LegalCommand(cls.slug(), {"to": to_some, "text": FreeText()}, partial=True)


def require_no_flood(message: MessageSent, sender: Seat | None, ctx: Context) -> None:
    """Refuse (`message.flood`, `message.repeated`) what follows too much of the same sender, by the times of the log.

    A pause stops the clock of the game and not that of its log, so nobody is kept from writing until it ends.
    Without a history nothing is refused.
    """
    most = MAX_MESSAGES if _is_player(sender) else MAX_MESSAGES_OF_LEADERS
    if ctx.history is None:
        return
    since = ctx.happens_at - FLOOD_WINDOW
    recent = [sent for sent in ctx.history.last_messages(message.sender, most) if sent.at > since]
    if len(recent) == most:
        goes_on = recent[-1].at + FLOOD_WINDOW
        raise Refused(
            "message.flood",
            f"These are {most} messages in 10 minutes; you may write again at {goes_on:%H:%M:%S} UTC.",
            most=most,
            goes_on=goes_on,
        )
    if recent and (recent[0].event.to, recent[0].event.text) == (message.to, message.text):
        goes_on = recent[0].at + FLOOD_WINDOW
        raise Refused(
            "message.repeated",
            f"You have just written that; write something else, or the same after {goes_on:%H:%M:%S} UTC.",
            goes_on=goes_on,
        )


def sender_of(state: GameState, actor: Actor) -> Seat | None:
    """The seat that writes; None for a game-master without one.

    Raises `seat.other`, `seat.missing`, `message.observer`, `phase.closed`.
    """
    state.require_unfinished()
    if actor.on_behalf_of is not None:
        raise Refused("seat.other", "What a seat writes is its own; write as game-master, without naming a seat.")
    if actor.is_gm and actor.seat not in state.seats:
        return None
    sender = state.seat(actor.seat)
    if sender.role is Role.OBSERVER:
        raise Refused("message.observer", "Observers write no messages; take a seat as a player with `join`.")
    return sender


def public_refusal(state: GameState, sender: Seat | None) -> Refused | None:
    """Why nothing may be written to everybody (`press.none`); None where it may."""
    if _is_player(sender) and message_options(state.info.options).press == "none":
        return _no_press()
    return None


def require_public(state: GameState, sender: Seat | None) -> None:
    """Refuse (`press.none`) what is written to everybody where players write nothing to each other."""
    if refused := public_refusal(state, sender):
        raise refused


def receiver_refusal(state: GameState, sender: Seat | None, receiver: Seat) -> Refused | None:
    """Why a seat may not be written to alone; None where it may.

    `message.self`, `message.observer`, `press.none`, `press.public`, or what the rule of the game refuses with.
    """
    if sender is not None and receiver.id == sender.id:
        if is_anonymous(state, sender, [receiver]):
            return None
        return Refused("message.self", "You read what you write; name other seats alone.")
    if receiver.role is Role.OBSERVER:
        return Refused("message.observer", f"{receiver.name} only watches; write to everybody, or to those who play.")
    if sender is None or not (_is_player(sender) and _is_player(receiver)):
        return None
    press = message_options(state.info.options).press
    if press == "none":
        return _no_press()
    if press == "public":
        return Refused(
            "press.public",
            "In this game players write to `everybody` at once; name that in `to`, or host or game-masters alone.",
        )
    return state.message_refusal(sender, receiver)


def require_receiver(state: GameState, sender: Seat | None, receiver: Seat) -> None:
    """Refuse a receiver to whom this sender may not write (`receiver_refusal`)."""
    if refused := receiver_refusal(state, sender, receiver):
        raise refused


def is_anonymous(state: GameState, sender: Seat | None, receivers: Collection[Seat]) -> bool:
    """Whether nobody is told who writes: a player to players, others among them or not, or to everybody (none)."""
    if message_options(state.info.options).press != "anonymous" or not _is_player(sender):
        return False
    return not receivers or any(map(_is_player, receivers))


def _no_press() -> Refused:
    return Refused(
        "press.none", "In this game players write nothing to each other; name in `to` the host or game-masters alone."
    )


def _is_player(seat: Seat | None) -> bool:
    return seat is not None and seat.role is Role.PLAYER


def _names_of(state: GameState, receivers: Iterable[UUID]) -> str:
    return listing(sorted(state.seats[seat].name for seat in receivers)) or "everybody"


def _is_for_gm(state: GameState, sender: Seat | None, receivers: Iterable[Seat]) -> bool:
    """Whether game-masters read a message: one of them writes or gets it, or they read all."""
    gets = any(seat is None or seat.role is Role.GM for seat in (sender, *receivers))
    return gets or message_options(state.info.options).gm_reads_messages
