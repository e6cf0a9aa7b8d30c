"""The kernel: a command is decided into events, each event changes the state, and later decisions see it.

Everything here is pure. Clock, dice and ids come in the context; rows, log and locks belong to `games.services`.
Long for one reason: command, event and context name each other.
"""

import hmac
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cache
from hashlib import sha256
from typing import Any, ClassVar, Generic, Protocol, Self
from uuid import UUID

from core.ids import in_slot_of
from games.engine.attacks import Attacks, targets_of
from games.engine.audience import PUBLIC, Audience, reader, readers_of
from games.engine.dice import Roll, Tray
from games.engine.errors import Refused
from games.engine.game_state import GameState, S, S_contra, Timer
from games.engine.message_history import MessageHistory
from games.engine.model import Model


class Issuer(StrEnum):
    """Who may issue a command. CLOCK commands never appear in a schema."""

    SEAT = "seat"
    HOST = "host"
    GM = "gm"
    CLOCK = "clock"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who issues a command: a user through a seat, or the clock. A GM may act for an absent seat."""

    role: Issuer
    user: UUID | None = None
    seat: UUID | None = None
    on_behalf_of: UUID | None = None

    @property
    def acting_seat(self) -> UUID | None:
        """The seat that the command is for: the one represented, else the actor's own."""
        return self.on_behalf_of or self.seat

    @property
    def acts_as_seat(self) -> bool:
        """Whether what is done is a seat's own doing: its holder's, or that of a GM for it."""
        return self.role is Issuer.SEAT or self.on_behalf_of is not None

    @property
    def is_gm(self) -> bool:
        """Whether a GM acts, in their own right or for another."""
        return self.role is Issuer.GM


CLOCK = Actor(Issuer.CLOCK)


class Named(Model):
    """What commands and events have in common: frozen, exact fields, a kebab name."""

    abstract: ClassVar[bool] = True
    """Whether this is a base and no command or event: `class Base(Command[State], abstract=True)`; not inherited."""

    def __init_subclass__(cls, abstract: bool = False, **config: Any) -> None:
        super().__init_subclass__(**config)
        cls.abstract = abstract

    @classmethod
    def __class_getitem__(cls, state: Any) -> type[Self]:
        """The class itself: `Event[State]` names the state for type checkers, and makes no class at run time."""
        return cls

    @classmethod
    def slug(cls) -> str:
        """The name in an address: `DeclareWar` is `declare-war`."""
        return _slug_of(cls.__name__)


@cache
def _slug_of(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()


class Event(Named, Generic[S_contra], abstract=True):
    """A fact. It says who may read it and how it changes the state; it decides nothing."""

    v: ClassVar[int] = 1
    rules: ClassVar[tuple[str, ...]] = ()
    survives_rewind: ClassVar[bool] = False
    """Whether the event stands when the game is rewound behind it: who sits where is not undone."""
    unseals: ClassVar[bool] = False
    """Whether it shows sealed answers; a dry run stops before it (`sealed.until_opened`)."""

    def audience(self, state: S_contra) -> Audience:
        """The readers, judged on the state before the event."""
        return PUBLIC

    def apply(self, state: S_contra) -> None:
        """Change the state in place."""

    def cites(self) -> tuple[str, ...]:
        """The rules it rests on: those of its class, unless its fields say more."""
        return self.rules

    def sentence(self, state: S_contra) -> str:
        """One sentence with its figures, in words that this event's audience may read; "" to stay silent."""
        return ""

    @classmethod
    def upcast(cls, v: int, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields of an event stored with version `v`, in the shape of today's class."""
        return fields


class Command(Named, Generic[S_contra], abstract=True):
    """An intention. It refuses first, rolls second, and yields events third."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.SEAT})
    rules: ClassVar[tuple[str, ...]] = ()
    for_seat: ClassVar[bool] = False
    """Whether a game-master issues it for the seat that they act for, though no seat may itself."""
    while_paused: ClassVar[bool] = False
    """Whether everybody may issue it while the clock stands still; game-masters may issue most that is theirs."""
    ends_time: ClassVar[bool] = False
    """Whether it ends time that others still have: nobody issues it while the clock stands still."""
    takes_long: ClassVar[bool] = False
    """Whether it may take more than a moment (a chapter's end, a map), so that no other game is made to wait for it."""
    is_followed: ClassVar[bool] = True
    """Whether the game goes on after it by itself; what only issues another command is followed by that one's."""
    reads_log: ClassVar[bool] = False
    """Whether `decide` asks for the game's past (`Context.history`), so that all that has happened must stand there."""

    def decide(self, state: S_contra, ctx: "Context") -> Iterator[Event[S_contra]]:
        """The events of this command. Raises Refused before anything is rolled or paid."""
        raise TypeError(f"{type(self).__name__} decides nothing")

    @classmethod
    def summary(cls) -> str:
        """The class's docstring: the documentation in both APIs."""
        return inspect.getdoc(cls) or cls.__name__


def require_issuer(command: Command, actor: Actor) -> None:
    """Refuse (`issuer.other`) an actor for whose role this command is not; a GM may issue a represented seat's."""
    represented = actor.is_gm and actor.on_behalf_of is not None and Issuer.SEAT in command.issuers
    if actor.role not in command.issuers and not represented:
        wanted = " or ".join(sorted(i for i in command.issuers if i is not Issuer.CLOCK))
        raise Refused("issuer.other", f"{command.slug()} is for {wanted or 'the clock'}; you act as {actor.role}.")


def require_clock(state: GameState, command: type[Command], actor: Actor) -> None:
    """Refuse (`clock.paused`) what is not done while the clock stands still, and say what would do.

    A game-master works on meanwhile: what is theirs is taken, and answers that they give for a seat that is asked. What
    a seat does itself or unasked waits, and so does what would end time that was left.
    """
    if state.info.paused_at is None or command.while_paused or actor.role is Issuer.CLOCK:
        return
    rules = state.pause_rules
    if command.ends_time:
        raise Refused(
            "clock.paused",
            "The clock stands still and keeps for everybody the time that was left; `resume` lets it go on first.",
            rules=rules,
        )
    if actor.role is Issuer.SEAT:
        raise Refused("clock.paused", "The clock stands still; wait until the GM resumes.", rules=rules)
    if actor.role is Issuer.HOST:
        raise Refused(
            "clock.paused", "The clock stands still, and a game-master alone acts; `resume` lets it go on.", rules=rules
        )
    if actor.on_behalf_of is not None and not _is_asked(state, command, actor.on_behalf_of):
        raise Refused(
            "clock.paused",
            "The clock stands still, and for a seat only answers to open questions are taken; `resume` lets it go on.",
            rules=rules,
        )


def _is_asked(state: GameState, command: type[Command], seat: UUID) -> bool:
    """Whether a command answers an open question to a seat."""
    return any(command.slug() in p.answered_by and reader(seat) in p.owners for p in state.prompts.values())


def nothing_follows(state: GameState, ctx: "Context") -> Iterator[Event]:
    """What follows where a ruleset adds nothing."""
    yield from ()


class DryRunEnd(Exception):
    """A dry run has come to what somebody else has decided in secret."""


class History(MessageHistory, Protocol):
    """The past of one game: for rewinds, and for bounds and reports of messages."""

    def at(self, number: int) -> tuple[int, GameState]:
        """The end of the command of a game-masters' event: its position in the log, and the state then.

        number: which event it is of those that game-masters may read, from 1. Raises `history.missing`.
        """

    def lasting_behind(self, position: int) -> Iterable["Event"]:
        """The events behind a position in the log that survive a rewind to it, in their order."""


@dataclass(slots=True)
class Context:
    """What a decision may use beside the state: the time, the actor, dice, new ids and the past."""

    game: UUID
    now: datetime
    """On the game's own clock, which stands still in a pause: what is due so much later is due so much after it."""
    actor: Actor
    tray: Tray
    id_secret: bytes
    commands: Mapping[str, type[Command]]
    start: "Hook" = nothing_follows
    end_setup: "Hook" = nothing_follows
    goes_on: "Hook" = nothing_follows
    """What follows the start of the game, the end of its set-up, and each command until somebody is waited for."""
    attacks: Attacks = field(default_factory=dict)
    """Which events attack whom."""
    at: datetime | None = None
    """When it happens, as the log has it; None: that is `now`."""
    heads: dict[Audience, int] = field(default_factory=dict)
    """Ordinal of the last event in each stream; the kernel counts on from here."""
    history: History | None = None
    policies: Mapping[str, Any] = field(default_factory=dict)
    gm_policies: Mapping[str, Any] = field(default_factory=dict)
    """The policies by name: those of players' seats, and those of game-masters'."""
    salt_secret: bytes = b""
    bot_tray: Tray | None = None
    """The dice of bots: another secret, so that a policy never learns of the game's."""
    is_dry_run: bool = False
    fired: Timer | None = None
    """The timer whose command is decided."""
    by: str = ""
    """`deadline` while a default is taken, `clock` while a timer fires, `bot` for a policy."""
    is_in_batch: bool = False
    """Whether the command was sent in a batch, whose commands all have one time."""
    discloses: bool = False
    """Whether something was read that somebody else may have decided in secret, or a seal was opened."""
    _minted: dict[tuple[Audience, int], int] = field(default_factory=dict)

    @property
    def happens_at(self) -> datetime:
        """The time of its events in the log."""
        return self.at or self.now

    def mint(self, audience: Audience) -> UUID:
        """A new id for a thing that the next event of `audience` names: deterministic; it shows but the game's slot."""
        ordinal = self.heads.get(audience, 0) + 1
        k = self._minted.get((audience, ordinal), 0)
        self._minted[audience, ordinal] = k + 1
        digest = hmac.new(self.id_secret, f"{audience}/{ordinal}/{k}".encode(), sha256).digest()
        return in_slot_of(self.game, UUID(bytes=digest[:16], version=4))

    def salt(self, audience: Audience) -> str:
        """A salt for the next event of `audience`: 32 hexadecimal digits from a secret of its own, never used twice."""
        ordinal = self.heads.get(audience, 0) + 1
        return hmac.new(self.salt_secret, f"{audience}/{ordinal}".encode(), sha256).hexdigest()[:32]

    def open_secret_of(self, seat: UUID) -> None:
        """End anybody else's dry run before what a seat may have decided in secret is read, be there such or not."""
        if self.actor.seat != seat:
            self.discloses = True
            if self.is_dry_run:
                raise DryRunEnd

    def roll(self, use: str, sides: int, rule: str) -> int:
        """One die of `sides`, bound to its use; the next event carries it."""
        return self.tray.roll(use, sides, rule)

    def rest(self) -> None:
        """Let nothing follow what is decided: those asked next have the whole window, held seat or not."""
        self.goes_on = nothing_follows

    def command(self, name: str, arguments: str) -> Command:
        """The command that a timer or prompt names, from its JSON."""
        return self.commands[name].model_validate_json(arguments)


Hook = Callable[[S, Context], Iterator[Event[S]]]
"""What a ruleset adds at a moment of every game's life: (state, context) -> events."""


@dataclass(frozen=True, slots=True)
class EventRecord:
    """An event as it happened: with its readers, citations, dice and words."""

    event: Event
    audience: Audience
    at: datetime
    rules: tuple[str, ...] = ()
    rolls: tuple[Roll, ...] = ()
    text: str = ""
    by: str = ""
    on_behalf_of: UUID | None = None
    attacked: tuple[UUID, ...] = ()
    """The players' seats that it attacks."""


def execute(state: S, command: Command[S], ctx: Context) -> list[EventRecord]:
    """Decide `command` and apply each event as it comes.

    The state is changed in place: after Refused or any other error it must be dropped. Dice rolled since the event
    before are carried by the next event, so they share its audience; dice that no event carries are an error.
    """
    return apply_events(state, follow(state, command, ctx), ctx, command.rules)


def follow(state: S, command: Command[S], ctx: Context) -> Iterator[Event[S]]:
    """The events of a command, then what follows until somebody is waited for (`Context.goes_on`)."""
    yield from command.decide(state, ctx)
    if command.is_followed:
        yield from ctx.goes_on(state, ctx)


def apply_events(state: S, events: Iterable[Event[S]], ctx: Context, cited: tuple[str, ...] = ()) -> list[EventRecord]:
    """Apply events as they are decided; their records in order. `cited` stands where an event cites no rule."""
    happened: list[EventRecord] = []
    for event in events:
        audience, at = event.audience(state), ctx.happens_at
        attacked = targets_of(ctx.attacks, event, state)
        state.note_time(at)
        event.apply(state)
        ctx.heads[audience] = ctx.heads.get(audience, 0) + 1
        happened.append(
            EventRecord(
                event=event,
                audience=audience,
                at=at,
                rules=event.cites() or cited,
                rolls=ctx.tray.take(),
                text=event.sentence(state),
                by=ctx.by,
                on_behalf_of=_represented_seat(event, audience, ctx.actor),
                attacked=attacked,
            )
        )
    if ctx.tray.take():
        raise RuntimeError("dice were rolled that no event carries")
    return happened


def _represented_seat(event: Event, audience: Audience, actor: Actor) -> UUID | None:
    """The seat a GM acted for, shown only where the event's readers know the author anyway."""
    seat = actor.on_behalf_of
    if seat is None:
        return None
    named = getattr(event, "seat", None) == seat
    return seat if named or f"seat:{seat}" in readers_of(audience) else None


def fold(state: S, facts: Iterable[tuple[Event[S], datetime]]) -> S:
    """Apply logged events to a state in their order; the same state, for chaining."""
    for event, at in facts:
        state.note_time(at)
        event.apply(state)
    return state
