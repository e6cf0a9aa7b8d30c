"""Which notifications should stand, from what a seat may see at a moment. Pure: no rows, no clock."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from games.engine.game_state import Role, Status
from games.models import NotificationKind

PLAYED = (Status.SETUP, Status.RUNNING)


@dataclass(frozen=True, slots=True)
class GameNow:
    """Where a game is, as everybody knows who sits in it."""

    status: Status
    chapter: int
    """0 before the first one, and where the ruleset has none."""
    step: str


@dataclass(frozen=True, slots=True)
class Question:
    """An open question that the seat may and must answer now."""

    id: UUID
    opened_at: datetime
    due: datetime | None
    """Until when, as the seat may know."""


@dataclass(frozen=True, slots=True)
class SeatNow:
    """What is waited for of a seat, as its holder may know it."""

    id: UUID
    role: Role
    questions: Collection[Question] = ()
    is_free_to_act: bool = False
    """Whether it is waited for without a question."""
    has_others: bool = False
    """Whether its holder sees that others owe an answer, too: who may act unasked keeps nobody waiting."""
    attacks: Collection[str] = ()
    """What has attacked it of late, as it may know: the key of each attack."""

    def beside(self, other: "SeatNow") -> "SeatNow":
        """It without what its holder is asked, or free to do, from another seat as well."""
        asked = {question.id for question in other.questions}
        return replace(
            self,
            questions=[question for question in self.questions if question.id not in asked],
            is_free_to_act=self.is_free_to_act and not (other.is_free_to_act or asked),
        )


@dataclass(frozen=True, slots=True)
class Wanted:
    """A notification that should stand. key: once for a seat; for a person where it is about no seat."""

    kind: NotificationKind
    key: str
    seat: UUID | None = None
    subject: UUID | None = None
    due: datetime | None = None
    is_shared: bool = False
    """Whether others are waited for now, beside this seat."""


def notifications_of_game(game: GameNow, roles: Collection[Role]) -> Iterator[Wanted]:
    """What a person with seats of these roles is told of the game itself."""
    if game.status is Status.FINISHED:
        yield Wanted(NotificationKind.OVER, "over")
    elif game.status is Status.RUNNING and game.chapter and Role.PLAYER in roles:
        yield Wanted(NotificationKind.CHAPTER, f"chapter:{game.chapter}")


def notifications_of_seat(
    game: GameNow, seat: SeatNow, shared: Collection[UUID], deadline_hours: int, now: datetime
) -> Iterator[Wanted]:
    """What the holder of a seat is told about it.

    shared: questions that were open to the seat while others were waited for. deadline_hours: how long before a
    deadline it is near; 0: never.
    """
    if game.status not in PLAYED:
        return
    asked = [question for question in seat.questions if question.due is None or question.due > now]
    for each in asked:
        yield Wanted(NotificationKind.ASKED, f"asked:{each.id}", seat.id, each.id, each.due, is_shared=seat.has_others)
        if not seat.has_others and each.id in shared:
            yield Wanted(NotificationKind.ALONE, f"alone:{each.id}", seat.id, each.id, each.due)
        near = near_at(each, deadline_hours)
        if near is not None and near <= now:
            yield Wanted(NotificationKind.DEADLINE, f"deadline:{each.id}", seat.id, each.id, each.due)
    if seat.is_free_to_act and not asked:
        yield Wanted(NotificationKind.TURN, f"turn:{game.chapter}:{game.step}", seat.id)
    for key in seat.attacks:
        yield Wanted(NotificationKind.ATTACKED, key, seat.id)


def near_at(question: Question, deadline_hours: int) -> datetime | None:
    """When a question's deadline becomes near; None where it never does.

    A question that is asked when its deadline is near already says so itself.
    """
    if question.due is None or not deadline_hours:
        return None
    near = question.due - timedelta(hours=deadline_hours)
    return near if near > question.opened_at else None


def next_look(questions: Collection[tuple[Question, int]], now: datetime) -> datetime | None:
    """When something becomes true by time alone: the nearest moment at which a deadline becomes near.

    questions: each with the hours of whom it asks.
    """
    moments = [near_at(question, hours) for question, hours in questions]
    return min((each for each in moments if each is not None and each > now), default=None)
