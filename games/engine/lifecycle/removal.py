"""A person is taken off their seat, and may be banned: an observer's seat goes with them, any other stands empty."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.audience import GM, seat_and_gm
from games.engine.errors import Refused
from games.engine.game_state import GameState, Role, Seat
from games.engine.insight.domains import Choices, FreeText
from games.engine.insight.legal_commands import LegalCommand, TableCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.lifecycle.bans import Banned
from games.engine.lifecycle.gm_commands import CONDUCTORS
from games.engine.lifecycle.seating import HandedOver, InvitationUsed, SeatMoved, require_power_over


class SeatRemoved(Event[GameState]):
    """A seat is no more; who sat there sees what everybody sees, and their streams end."""

    survives_rewind: ClassVar[bool] = True

    seat: UUID
    name: str

    def apply(self, state: GameState) -> None:
        del state.seats[self.seat]
        for key in [key for key, standing in state.standing.items() if standing.seat == self.seat]:
            del state.standing[key]

    def sentence(self, state: GameState) -> str:
        return f"{self.name} sits here no more."


class RemoveSeat(TableCommand):
    """Take a person off their seat, with or without a ban from this game.

    An observer's seat goes with them; any other stands empty, keeps what is its own, and can be taken or given to a
    bot. A game-master's seat is emptied by a game-master alone where one sits here. Who is banned loses every seat
    that they hold in this game, and gets none again by joining, by invitation or by `hand-over`, until `lift-ban`.

    The legal entry for empty seats is `partial`: whether secret rows speak of such a seat is not said there.
    """

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS
    while_paused: ClassVar[bool] = True

    seat: UUID
    """The seat whose holder goes."""
    ban: bool = False
    """Whether they may not come back."""
    reason: str = Field(min_length=1, max_length=2000)
    """Why; the game-masters read it, and who sits there next."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        seats = removable_seats(state, ctx.actor, state.seat(self.seat), ban=self.ban)
        for seat in seats:
            yield from _empty(state, seat)
            yield SeatMoved(seat=seat.id, reason=self.reason)
        holder = seats[0].user
        if self.ban and holder is not None:
            by = ctx.actor.seat
            ban = ctx.mint(GM if by is None else seat_and_gm(by))
            yield Banned(ban=ban, user=holder, name=seats[0].name, by=by)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        found = {ban: {s.id: s.name for s in _removable_seats(state, actor, ban=ban)} for ban in (False, True)}
        if not any(found.values()):
            raise Refused("seat.empty", "Nobody sits in this game whom you might take off their seat.")
        for ban, seats in found.items():
            held = {seat: name for seat, name in seats.items() if state.seats[seat].user is not None}
            empty = {seat: name for seat, name in seats.items() if seat not in held}
            for named in filter(None, (held, empty)):
                arguments = {"seat": Choices.with_titles(named), "ban": Choices((ban,)), "reason": FreeText()}
                # Whether rows that are secret speak of an empty seat is not said here.
                yield LegalCommand(cls.slug(), arguments, partial=named is empty)


def removable_seats(state: GameState, actor: Actor, seat: Seat, *, ban: bool) -> list[Seat]:
    """The seats that are emptied with one: the seat itself, and with a ban all others of its holder.

    Raises `seat.empty`, `ban.self`, `issuer.other`.
    """
    holder = seat.user
    if holder is None and (ban or not _goes(state, seat)):
        instead = "a bot plays it: give it away with `hand-over`" if seat.bot else "it can be taken as it is"
        raise Refused("seat.empty", f"Nobody sits as {seat.name}; {instead}.")
    if ban and holder == actor.user:
        raise Refused("ban.self", "You cannot ban yourself; give your seat away with `hand-over`.")
    others = [s for s in state.seats.values() if s.user == holder and s.id != seat.id] if ban else []
    seats = [seat, *sorted(others, key=lambda other: other.id)]
    for each in seats:
        require_power_over(each.role, state, actor)
    return seats


def _removable_seats(state: GameState, actor: Actor, *, ban: bool) -> Iterator[Seat]:
    """The seats that somebody may take a person off, as the command itself would say; not the seat they act from."""
    for seat in sorted(state.seats.values(), key=lambda each: each.name.casefold()):
        if seat.id == actor.seat:
            continue
        try:
            removable_seats(state, actor, seat, ban=ban)
        except Refused:
            continue  # which the command would say of this seat
        yield seat


def _goes(state: GameState, seat: Seat) -> bool:
    """Whether a seat goes with its holder: an observer's, of which no row of the game speaks."""
    return seat.role is Role.OBSERVER and not state.speaks_of(seat.id, besides="standing")


def _empty(state: GameState, seat: Seat) -> Iterator[Event]:
    """Let a seat go, with the invitations to it, or stand empty."""
    if not _goes(state, seat):
        yield HandedOver(seat=seat.id, user=None)
        return
    for invitation in [i for i in state.invitations.values() if i.seat == seat.id]:
        yield InvitationUsed(invitation=invitation.id)
    yield SeatRemoved(seat=seat.id, name=seat.name)
