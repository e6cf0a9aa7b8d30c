"""Who sits at the table: the game is opened, seats are taken, handed over, and invitations written.

These commands and events belong to every ruleset. Long for one reason: each command says beside what it refuses what it
would accept.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import BeforeValidator, Field

from core.names import is_among, name_to_store
from games.engine.audience import GM, PUBLIC, Audience, seat_and_gm
from games.engine.bots import WAKING, require_policy, wake_bots
from games.engine.deadlines import end_vacations, forget_missed
from games.engine.errors import Refused
from games.engine.game_state import ROLES, GameState, Invitation, Role, Seat, Status
from games.engine.insight.domains import AnyValue, Choices, Domain, Flag, FreeText
from games.engine.insight.legal_commands import LegalCommand, TableCommand, refusal_of
from games.engine.kernel import Actor, Command, Context, Event, Issuer
from games.engine.lifecycle.bans import require_admitted
from games.engine.message_options import message_options
from games.engine.phases import ended_game
from games.engine.prompts.abandonment import end_silence
from games.engine.wording import listing, quantity

MAX_SEATS_HELD = {**dict.fromkeys(Role, 16), Role.OBSERVER: 1}
"""How many seats of a role a person may come to hold in a game by joining it."""
MAX_EMPTY_SEATS = 16
"""How many seats of a role may stand empty before people must take one of these instead of a new one."""
MAX_NAME = 80
StoredName = Annotated[str, Field(min_length=1, max_length=MAX_NAME, pattern=r"^[^\s\x00]([^\n\x00]*[^\s\x00])?$")]
"""A name in a row: not judged again, so that older logs fold as they did."""
NOT_IN_NAMES = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
Name = Annotated[
    str,
    Field(min_length=1, max_length=MAX_NAME, pattern=rf"^[^\s{NOT_IN_NAMES}]([^{NOT_IN_NAMES}]*[^\s{NOT_IN_NAMES}])?$"),
    BeforeValidator(lambda given: name_to_store(given, MAX_NAME) if isinstance(given, str) else given),
]
"""A name that somebody gives: `core.names` says how it is stored, and which are none."""


class GameOpened(Event[GameState]):
    """A game has been set up; its seats can be taken."""

    survives_rewind: ClassVar[bool] = True

    ruleset: str
    name: str
    chosen: str
    """The options it was opened with, as canonical JSON."""
    commitment: str
    """SHA-256 of the dice secret that is shown at the end."""
    is_public: bool

    def apply(self, state: GameState) -> None:
        state.info = replace(
            state.info,
            ruleset=self.ruleset,
            name=self.name,
            options=self.chosen,
            is_public=self.is_public,
            commitment=self.commitment,
        )

    def sentence(self, state: GameState) -> str:
        return f"{self.name} was opened. {message_options(self.chosen).notice()}".strip()


class SeatTaken(Event[GameState]):
    """Somebody sits down, on a new seat or an empty one."""

    survives_rewind: ClassVar[bool] = True

    seat: UUID
    role: Role
    name: str
    user: UUID | None = None
    bot: str = ""

    def apply(self, state: GameState) -> None:
        state.seats[self.seat] = Seat(self.seat, self.role, self.name, self.user, self.bot)
        state.enter_seat(self.seat)

    def sentence(self, state: GameState) -> str:
        return f"{self.name} takes a seat as {ROLES[self.role]}."


class HandedOver(Event[GameState]):
    """A seat passes to another user; the former one keeps what was shown, and their streams end.

    With a user and a bot the bot stands in for the user, who keeps the seat.
    """

    survives_rewind: ClassVar[bool] = True

    seat: UUID
    user: UUID | None
    bot: str = ""

    def apply(self, state: GameState) -> None:
        former = state.seats[self.seat]
        state.seats[self.seat] = replace(former, user=self.user, bot=self.bot, is_claimable=False)
        if self.user != former.user:  # a vacation is its person's
            end_vacations(state, self.seat)
            forget_missed(state, self.seat)
        state.reseat(self.seat)

    def sentence(self, state: GameState) -> str:
        name = state.seats[self.seat].name
        if self.bot and self.user:
            return f"{name} is played by the service until somebody takes over."
        if self.bot:
            return f"{name} is played by the service from now on."
        return f"{name} is played by somebody else from now on." if self.user else f"{name} is without a player."


class SeatMadeClaimable(Event[GameState]):
    """A bot keeps a seat for anybody who takes it, until it changes hands."""

    survives_rewind: ClassVar[bool] = True

    seat: UUID

    def apply(self, state: GameState) -> None:
        state.seats[self.seat] = replace(state.seats[self.seat], is_claimable=True)

    def sentence(self, state: GameState) -> str:
        return f"A bot keeps the seat of {state.seats[self.seat].name} for anybody who takes it."


class Invited(Event[GameState]):
    """A code was written that seats one person."""

    survives_rewind: ClassVar[bool] = True

    invitation: UUID
    code: str
    role: Role
    seat: UUID | None = None
    by: UUID | None = None
    """The host's seat that wrote it, which reads the code; none for a game-master's."""

    def audience(self, state: GameState) -> Audience:
        return GM if self.by is None else seat_and_gm(self.by)

    def apply(self, state: GameState) -> None:
        state.invitations[self.invitation] = Invitation(self.invitation, self.code, self.role, self.seat)


class InvitationUsed(Event[GameState]):
    """A code was used up, or taken back."""

    survives_rewind: ClassVar[bool] = True

    invitation: UUID

    def audience(self, state: GameState) -> Audience:
        return GM

    def apply(self, state: GameState) -> None:
        del state.invitations[self.invitation]


class SeatMoved(Event[GameState]):
    """Where a GM's hand was needed: why a seat changed hands."""

    survives_rewind: ClassVar[bool] = True

    seat: UUID
    reason: str

    def audience(self, state: GameState) -> Audience:
        return seat_and_gm(self.seat)


class Join(TableCommand):
    """Take a free seat, or a new one as player or observer; a private game asks for an invitation code.

    A free seat is empty, or a bot keeps it for anybody who plays in this game no other (`is_claimable`).

    The legal entry by code is `partial`: which codes there are is known to those who were invited.
    """

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.SEAT})
    while_paused: ClassVar[bool] = True

    role: Role = Role.PLAYER
    """`player` or `observer`; what an invitation says goes first."""
    name: Name
    """The seat's name, unique in the game."""
    seat: UUID | None = None
    """A free seat to take; a new one when absent."""
    code: str = Field(default="", max_length=80)
    """An invitation's code."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        user = ctx.actor.user
        if user is None:
            raise Refused("user.missing", "Sign in before you take a seat.")
        if state.info.status is Status.FINISHED:
            raise ended_game("the game is over", step=state.step)
        require_admitted(state, user)
        invitation = self._invitation(state)
        place = self._place(state, invitation)
        role = place.role if place else invitation.role if invitation else self.role
        if invitation is None and role not in (Role.PLAYER, Role.OBSERVER):
            raise Refused(
                "invitation.missing", f"The seat of {ROLES[role]} needs an invitation; ask the host for a code."
            )
        if invitation is None and not state.info.is_public:
            raise Refused("invitation.missing", "This game is private; ask the host for an invitation code.")
        if place is not None and place.is_claimable:
            require_none_held(state, role, user)
        require_few_held(state, role, user)
        if place is not None:
            yield from self._take(place, user)
        else:
            if invitation is None:
                require_few_empty(state, role)
            yield from self._new(state, ctx, role, user)
        if invitation is not None:
            yield InvitationUsed(invitation=invitation.id)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        """For those who act through no seat: a new one, a free one, or what the code of an invitation is for."""
        if actor.acting_seat is not None:
            return
        name = str(state.info.id)
        roles = [r for r in (Role.PLAYER, Role.OBSERVER) if not refusal_of(cls(role=r, name=name), state, actor)]
        seats = [each for each in free_seats(state) if not refusal_of(cls(name=name, seat=each), state, actor)]
        barred = refusal_of(cls(name=name), state, actor)
        by_code = barred is None or barred.code == "invitation.missing"
        if barred and not by_code and not roles and not seats:
            raise barred
        if roles:
            new = {"role": Choices(tuple(r.value for r in roles)), "name": free_name(state)}
            yield LegalCommand(cls.slug(), new, required=() if Role.PLAYER in roles else ("role",))
        if seats:
            yield LegalCommand(cls.slug(), {"seat": Choices(tuple(seats)), "name": AnyValue()}, required=("seat",))
        if by_code:
            invited = {"name": free_name(state), "code": FreeText(low=1)}
            yield LegalCommand(cls.slug(), invited, required=("code",), partial=True)

    def _invitation(self, state: GameState) -> Invitation | None:
        if not self.code:
            return None
        for invitation in state.invitations.values():
            if invitation.code == self.code:
                return invitation
        raise Refused("invitation.missing", "This invitation code is unknown or was used already.")

    def _place(self, state: GameState, invitation: Invitation | None) -> Seat | None:
        """The seat that is asked for; none for a new one. Raises `seat.missing`, `invitation.other`."""
        bound = invitation.seat if invitation else None
        if bound is not None and self.seat not in (None, bound):
            raise Refused("invitation.other", "This invitation is for another seat.")
        wanted = bound or self.seat
        seat = state.seat(wanted) if wanted else None
        if invitation and seat and bound is None and seat.role is not invitation.role:
            raise Refused(
                "invitation.other", f"This invitation is for {ROLES[invitation.role]}, not for {ROLES[seat.role]}."
            )
        return seat

    def _take(self, seat: Seat, user: UUID) -> Iterator[Event]:
        if not seat.is_free:
            raise Refused(
                "seat.taken",
                f"{seat.name} is taken; choose an empty seat, or one that a bot keeps for anybody (`is_claimable`).",
            )
        yield HandedOver(seat=seat.id, user=user)

    def _new(self, state: GameState, ctx: Context, role: Role, user: UUID) -> Iterator[Event]:
        require_free_name(state, self.name)
        seat = Seat(ctx.mint(PUBLIC), role, self.name, user)
        state.joining(seat)
        yield SeatTaken(seat=seat.id, role=role, name=self.name, user=user)


class AddSeat(TableCommand):
    """Put a seat at the table: empty, so that somebody can take it, or played by a bot."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.HOST, Issuer.GM})
    while_paused: ClassVar[bool] = True

    role: Role = Role.PLAYER
    """What the seat is for."""
    name: Name
    """The seat's name, unique in the game."""
    bot: str = Field(default="", max_length=40)
    """The policy that plays it, one for its role; empty for a seat that waits for a person."""
    is_claimable: bool = False
    """Whether the bot keeps the seat for anybody who takes it (`join`); an empty seat is free as it is."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        require_policy(self.bot, self.role, ctx)
        require_free_name(state, self.name)
        seat = Seat(ctx.mint(PUBLIC), self.role, self.name, bot=self.bot)
        state.joining(seat)
        yield SeatTaken(seat=seat.id, role=self.role, name=self.name, bot=self.bot)
        if self.bot and self.is_claimable:
            yield SeatMadeClaimable(seat=seat.id)
        if is_open(state):  # it may be asked something already
            yield from wake_bots(state, ctx, [seat.id], WAKING)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        refusals = {role: refusal_of(cls(role=role, name=str(state.info.id)), state, actor) for role in Role}
        for role in (role for role, refused in refusals.items() if refused is None):
            new: dict[str, Domain] = {"role": Choices((role.value,)), "name": free_name(state)}
            if bots := state.bots_for(role):
                new |= {"bot": Choices(("", *bots)), "is_claimable": Flag()}
            yield LegalCommand(cls.slug(), new, required=() if role is Role.PLAYER else ("role",))
        if (barred := refusals[Role.PLAYER]) and None not in refusals.values():
            raise barred


class Invite(TableCommand):
    """Write an invitation code that seats one person; who wrote it reads it in the answer, and GMs in the log.

    `/join/<code>/` of the service is a page that takes it.
    """

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.HOST, Issuer.GM})
    while_paused: ClassVar[bool] = True

    role: Role = Role.PLAYER
    """The role of the seat."""
    seat: UUID | None = None
    """The free seat it is for; a new one when absent."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        seat = state.seat(self.seat) if self.seat is not None else None
        if seat is not None and not seat.is_free:
            raise Refused("seat.taken", "This seat is taken; invite to one that is free.")
        require_power_over(seat.role if seat is not None else self.role, state, ctx.actor)
        by = ctx.actor.seat if ctx.actor.role is Issuer.HOST else None
        readers = GM if by is None else seat_and_gm(by)
        invitation, code = ctx.mint(readers), ctx.mint(readers).hex
        yield Invited(invitation=invitation, code=code, role=self.role, seat=self.seat, by=by)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        roles = tuple(role.value for role in Role if not refusal_of(cls(role=role), state, actor))
        yield LegalCommand(cls.slug(), {"role": Choices(roles)})
        seats = tuple(each for each in free_seats(state) if not refusal_of(cls(seat=each), state, actor))
        if seats:
            yield LegalCommand(cls.slug(), {"seat": Choices(seats)}, required=("seat",))


class HandOver(TableCommand):
    """Give a seat to another user, to a bot, or to nobody; anybody may give away their own.

    That of a game-master, who reads every secret, only a game-master; the host where nobody is one. With its holder
    and a bot the seat stays theirs, and the bot stands in until they issue a command of the game, or are given the
    seat without a bot. A bot may also keep a seat for anybody who takes it first, by `join` (`is_claimable`).

    The legal entry for another person is `partial`: who has an account here, and who is banned, is not listed.
    """

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.SEAT, Issuer.HOST, Issuer.GM})
    while_paused: ClassVar[bool] = True

    seat: UUID
    """The seat that changes hands."""
    user: UUID | None = None
    """Its new holder."""
    bot: str = Field(default="", max_length=40)
    """The policy that plays it, one for its role, when no person does."""
    is_claimable: bool = False
    """Whether the bot keeps the seat for anybody who takes it (`join`); an empty seat is free as it is."""
    reason: str = Field(default="", max_length=2000)
    """Why; a GM or host must say so."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        seat = state.seat(self.seat)
        own = ctx.actor.seat == seat.id
        if not own and ctx.actor.role is Issuer.SEAT:
            raise Refused(
                "seat.other", f"{seat.name} is another's seat; only its holder, the host or a GM gives it away."
            )
        if not own:
            require_power_over(seat.role, state, ctx.actor)
        if not own and not self.reason:
            raise Refused("reason.missing", "Say why the seat changes hands.")
        require_policy(self.bot, seat.role, ctx)
        if self.bot and self.user not in (None, seat.user):
            raise Refused("seat.holder", "Name a user or a bot; both where the bot stands in for the seat's holder.")
        if self.is_claimable and self.user is not None and not self.bot:
            raise Refused("seat.holder", "A seat that a person plays is not free; name the bot that keeps it.")
        require_admitted(state, self.user, another=True)
        yield HandedOver(seat=seat.id, user=self.user, bot=self.bot)
        if self.bot and self.is_claimable:
            yield SeatMadeClaimable(seat=seat.id)
        if self.reason:
            yield SeatMoved(seat=seat.id, reason=self.reason)
        if is_open(state):  # it may be asked something already
            yield from wake_bots(state, ctx, [seat.id], WAKING)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        """To a bot, or to nobody; and to another person, whose account the giver knows. Nobody does it for another."""
        if actor.on_behalf_of is not None:
            return
        refused = {each: refusal_of(cls(seat=each, reason="."), state, actor) for each in sorted(state.seats)}
        able = [state.seats[each] for each, barred in refused.items() if barred is None]
        if not able:
            raise next((barred for barred in refused.values() if barred), Refused("seat.missing", "There is no seat."))
        groups: dict[tuple[Role, bool], list[UUID]] = {}
        for seat in able:
            groups.setdefault((seat.role, seat.id == actor.seat), []).append(seat.id)
        for (role, own), seats in groups.items():
            reason, needed = (FreeText(), ()) if own else (FreeText(low=1), ("reason",))
            bots: dict[str, Domain] = {}
            if policies := state.bots_for(role):
                bots = {"bot": Choices(("", *policies)), "is_claimable": Flag()}
            named: dict[str, Domain] = {"seat": Choices(tuple(seats))}
            yield LegalCommand(cls.slug(), {**named, **bots, "reason": reason}, required=needed, quits=own)
            to_person = {**named, "user": AnyValue(), "reason": reason}
            yield LegalCommand(cls.slug(), to_person, required=("user", *needed), quits=own, partial=True)


def free_seats(state: GameState) -> list[UUID]:
    """The seats that somebody could take, by id."""
    return sorted(seat.id for seat in state.seats.values() if seat.is_free)


def take_over(state: GameState, command: Command, actor: Actor) -> Iterator[Event]:
    """Let a person who plays their seat take it over from the bot that stands in for them; their silence is over.

    A command about the table is no play.
    """
    seat = state.seats.get(actor.seat) if actor.role is Issuer.SEAT and actor.seat is not None else None
    if seat is None or seat.user is None or isinstance(command, TableCommand) or seat.user != actor.user:
        return
    if seat.bot:
        yield HandedOver(seat=seat.id, user=seat.user)
    yield from end_silence(state, seat.id)


def is_open(state: GameState) -> bool:
    """Whether the game is played or set up: between its lobby and its end."""
    return state.info.status in (Status.SETUP, Status.RUNNING)


def free_name(state: GameState) -> FreeText:
    """A name that no seat has."""
    return FreeText(taken=tuple(sorted(seat.name for seat in state.seats.values())))


def require_power_over(role: Role, state: GameState, actor: Actor) -> None:
    """Refuse a host (`issuer.other`) who seats or removes a game-master where one sits: they read every secret."""
    if role is not Role.GM or actor.role is not Issuer.HOST:
        return
    if any(seat.role is Role.GM and seat.user is not None for seat in state.seats.values()):
        raise Refused(
            "issuer.other", "This game has a game-master; only a game-master seats or removes one. Use ?as=gm."
        )


def require_free_name(state: GameState, name: str) -> None:
    """Refuse a name that is the same as another seat's."""
    if is_among(name, (seat.name for seat in state.seats.values())):
        raise Refused("name.taken", f"Another seat is called {name}; choose another name.")


def require_none_held(state: GameState, role: Role, user: UUID) -> None:
    """Refuse (`seat.held`) a seat that a bot keeps to a person who plays here: they would learn what it knows."""
    held = [seat for seat in state.seats_of(role) if seat.user == user]
    if held:
        raise Refused(
            "seat.held",
            f"You sit here as {ROLES[role]} already, as {held[0].name}; "
            "a bot keeps this seat for somebody who does not. Play yours, or give it away with `hand-over` first.",
            seat=str(held[0].id),
            most=1,
        )


def require_few_held(state: GameState, role: Role, user: UUID) -> None:
    """Refuse (`seat.held`) one more seat of a role to a person who holds as many as they may."""
    held, most = [s for s in state.seats_of(role) if s.user == user], MAX_SEATS_HELD[role]
    if len(held) >= most:
        raise Refused(
            "seat.held",
            f"You sit here as {ROLES[role]} already, as {listing(sorted(s.name for s in held))}; "
            f"a person takes at most {quantity(most, 'such seat')} in a game.",
            seat=str(held[0].id),
            most=most,
        )


def require_few_empty(state: GameState, role: Role) -> None:
    """Refuse (`seats.empty`) a new seat where so many of its role stand empty: who comes and goes leaves no heap."""
    empty = [s for s in state.seats_of(role) if s.user is None and not s.bot]
    if len(empty) >= MAX_EMPTY_SEATS:
        raise Refused(
            "seats.empty",
            f"{len(empty)} seats for {ROLES[role]} stand empty here; take one of these: name it as `seat`.",
            seat=str(empty[0].id),
            most=MAX_EMPTY_SEATS,
        )
