"""Vacations: days on which a seat is away by its own word, which everybody sees; deadlines wait for it meanwhile.

A rewind leaves them standing, and so does a pause: they are days of the calendar on the wall.
"""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.audience import PUBLIC
from games.engine.deadlines import end_vacations, moment_of, put_off_for_absent
from games.engine.errors import Refused
from games.engine.game_state import GameState, Leave, Role, Seat
from games.engine.insight.domains import FreeText
from games.engine.insight.legal_commands import LegalCommand, TableCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.post_options import post_options
from games.engine.wording import quantity

DAY = r"^\d{4}-\d{2}-\d{2}$"
Day = Annotated[str, Field(pattern=DAY, min_length=10, max_length=10)]
MIDNIGHT = time(0)
LONGEST_AHEAD = timedelta(days=366)
"""How long before it a vacation may be taken."""


class VacationTaken(Event[GameState]):
    """A seat is away for some days."""

    survives_rewind: ClassVar[bool] = True

    leave: UUID
    seat: UUID
    starts_at: datetime
    ends_at: datetime
    days: int
    """How many days of its vacation that costs."""
    left: int
    """How many it has left in this game."""

    def apply(self, state: GameState) -> None:
        state.leaves[self.leave] = Leave(self.leave, self.seat, self.starts_at, self.ends_at, self.days, PUBLIC)

    def sentence(self, state: GameState) -> str:
        when = f"from {self.starts_at:%Y-%m-%d %H:%M} to {self.ends_at:%Y-%m-%d %H:%M} UTC"
        return f"{state.seats[self.seat].name} is away {when}; {quantity(self.left, 'day')} of vacation left."


class VacationEnded(Event[GameState]):
    """A seat is back before the end of its vacation, or takes none: what it had planned is over."""

    survives_rewind: ClassVar[bool] = True

    seat: UUID

    def apply(self, state: GameState) -> None:
        end_vacations(state, self.seat)

    def sentence(self, state: GameState) -> str:
        return f"{state.seats[self.seat].name} is back."


class TakeVacation(TableCommand):
    """Be away for some days: no deadline of an hour or more that waits for you falls meanwhile.

    It falls at the first time after them at which deadlines fall, and everybody sees it. The days are spent, however
    soon you come back. What waits for nobody alone, such as a century of The Gods II, goes on.

    Its legal entry is `partial`: any days do that are left to you, and it names one.
    """

    while_paused: ClassVar[bool] = True

    first_day: Day
    """The first day, `2026-12-24`, in the time zone of the game; today: from now on."""
    last_day: Day
    """The last day."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        seat, zone = _require_player(state, ctx.actor), post_options(state.info.options).zone
        now, first, last = ctx.happens_at, _day_of(self.first_day), _day_of(self.last_day)
        today = now.astimezone(zone).date()
        if not today <= first <= last:
            raise Refused(
                "vacation.past",
                f"A vacation begins today ({today}) at the earliest, and ends no sooner than it begins.",
                today=str(today),
            )
        if last - today > LONGEST_AHEAD:
            raise Refused("vacation.far", f"A vacation ends in {LONGEST_AHEAD.days} days at the latest.")
        starts_at = max(now, moment_of(first, MIDNIGHT, zone))
        ends_at = moment_of(last + timedelta(days=1), MIDNIGHT, zone)
        for other in vacations_of(state, seat.id):
            if starts_at < other.ends_at and other.starts_at < ends_at:
                raise Refused(
                    "vacation.overlap",
                    f"You are away from {other.starts_at:%Y-%m-%d} on already; choose days before or after that, "
                    "or `end-vacation` first.",
                )
        days, left = (last - first).days + 1, days_left(state, seat.id)
        if days > left:
            raise Refused(
                "vacation.short",
                f"That is {quantity(days, 'day')} of vacation, and you have {left} left in this game; take fewer.",
                need=days,
                have=left,
            )
        yield VacationTaken(
            leave=ctx.mint(PUBLIC), seat=seat.id, starts_at=starts_at, ends_at=ends_at, days=days, left=left - days
        )
        if state.info.paused_at is None:  # the end of a pause looks at every deadline anew
            yield from put_off_for_absent(state, f"{seat.name} is away.")

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        """Nothing is listed where the game has no vacations."""
        if post_options(state.info.options).vacation_days:
            seat = _require_player(state, actor)
            if not days_left(state, seat.id):
                raise Refused("vacation.short", "You have no day of vacation left in this game.", need=1, have=0)
            day = FreeText(10, 10, DAY)
            yield LegalCommand(cls.slug(), {"first_day": day, "last_day": day}, partial=True)


class EndVacation(TableCommand):
    """Be back before the end of your vacation, and take none that you have planned; its days are spent.

    Deadlines that were put off for you stay where they are, unless you and all others answer sooner.
    """

    while_paused: ClassVar[bool] = True

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        seat = _require_player(state, ctx.actor)
        if not any(leave.ends_at > ctx.happens_at for leave in vacations_of(state, seat.id)):
            raise Refused("vacation.missing", "You are not away, and have planned no vacation.")
        yield VacationEnded(seat=seat.id)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        """Nothing is listed where the game has no vacations."""
        if post_options(state.info.options).vacation_days:
            seat, now = _require_player(state, actor), state.info.last_at
            if not any(now is None or leave.ends_at > now for leave in vacations_of(state, seat.id)):
                raise Refused("vacation.missing", "You are not away, and have planned no vacation.")
            yield LegalCommand(cls.slug())


def vacations_of(state: GameState, seat: UUID) -> list[Leave]:
    """The vacations of a seat, those that are over included, in their order."""
    found = (leave for leave in state.leaves.values() if leave.is_vacation and leave.seat == seat)
    return sorted(found, key=lambda leave: (leave.starts_at, leave.id))


def days_left(state: GameState, seat: UUID) -> int:
    """How many days of vacation a seat has left."""
    spent = sum(leave.days for leave in vacations_of(state, seat))
    return max(0, post_options(state.info.options).vacation_days - spent)


def _require_player(state: GameState, actor: Actor) -> Seat:
    """The player's seat that takes a vacation. Raises `phase.closed`, `vacation.none`, `seat.missing`, `seat.other`."""
    state.require_unfinished()
    if not post_options(state.info.options).vacation_days:
        raise Refused("vacation.none", "This game has no vacations; ask the host to pause it, or to extend a deadline.")
    seat = state.seat(actor.acting_seat)
    if seat.role is not Role.PLAYER:
        raise Refused("seat.other", "Only those who play take a vacation; nothing waits for others.")
    return seat


def _day_of(text: str) -> date:
    """A day of the calendar. Raises `vacation.day`."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise Refused("vacation.day", f"There is no day {text}; write it as 2026-12-24.") from error
