"""Games are looked through after they have moved, and their rows of notifications brought to what should stand.

One game is one short transaction that holds the lock of its follower's row: what a killed worker has written is rolled
back with the position it had come to, so nothing is lost and nothing doubled. The writer of games does nothing for it.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import F, Q, QuerySet

from api.notifications.standing import (
    PLAYED,
    GameNow,
    Question,
    SeatNow,
    Wanted,
    next_look,
    wanted_of_game,
    wanted_of_seat,
)
from api.notifications.wishes import Wishes, wishes_of_people
from core.ids import derived_id
from games import registry
from games.engine.audience import GM_READER, Audience, readable, reader
from games.engine.game_state import Role, Status
from games.engine.lifecycle.waiting import Waiting, visible_waiting
from games.engine.prompts.prompt import timer_key
from games.models import Answer, Game, Notification, NotificationFollower, NotificationKind, Prompt, Seat, Timer
from games.runtime import failpoints

KEPT = timedelta(days=30)
"""How long what is gone is kept: a rewind may bring it back."""
TOLD = (Role.PLAYER, Role.HOST, Role.GM)
logger = structlog.get_logger(__name__)


def games_to_look_at(now: datetime, most: int) -> list[UUID]:
    """Games of the place in force in which something may have changed, the longest waiting first: one query."""
    new = Q(notification_follower=None, status__in=PLAYED)
    moved = Q(notification_follower__seq__lt=F("seq")) | Q(notification_follower__look_at__lte=now)
    found: QuerySet[Game] = Game.objects.filter(new | moved)
    order = F("notification_follower__looked_at").asc(nulls_first=True)
    return list(found.order_by(order, "pk").values_list("pk", flat=True)[:most])


def look_at(game_id: UUID, now: datetime) -> bool:
    """Bring the notifications of a game to what should stand now; False where another worker is at it.

    What stands already is left as it is; what is no longer so is gone; what is so again comes back, unread after a
    rewind.
    """
    NotificationFollower.objects.get_or_create(game_id=game_id)
    with transaction.atomic():
        follower = NotificationFollower.objects.select_for_update(skip_locked=True).filter(pk=game_id).first()
        if follower is None:
            return False
        game = Game.objects.get(pk=game_id)  # before all else: what happens from here on is found by the next look
        people = _People.of(game)
        rows = Notification.objects.filter(game=game, gone_at=None)
        standing = {row.pk: row for row in rows}
        shared = {(row.seat, row.subject) for row in standing.values() if row.was_shared}
        wanted = {
            derived_id(game.pk, f"notification:{user}:{each.seat}:{each.key}"): (user, each)
            for user, each in people.notifications(shared, now)
        }
        _bring(game, standing, wanted, now)
        failpoints.reach(failpoints.NOTIFICATIONS_WRITTEN)
        follower.seq, follower.looked_at, follower.look_at = game.seq, now, people.next_look(now)
        follower.save(update_fields=["seq", "looked_at", "look_at"])
    return True


def put_off(game_id: UUID, now: datetime) -> None:
    """Let a game that could not be looked at stand behind the others."""
    NotificationFollower.objects.filter(pk=game_id).update(looked_at=now)


@dataclass(slots=True)
class _People:
    """The seats of a game that people hold, as they are now, and what their holders want to be told."""

    game: Game
    now: GameNow
    seats: list[tuple[UUID, SeatNow, Wishes]]
    """Each with its holder."""

    @classmethod
    def of(cls, game: Game) -> "_People":
        """Those of a game; a seat that a bot plays meanwhile, or whose holder has left for good, is none of them."""
        held = list(Seat.objects.filter(game=game, role__in=TOLD, bot="").exclude(user=None).order_by("role", "pk"))
        wishes = wishes_of_people(seat.user_id for seat in held if seat.user_id is not None)
        views = _SeatViews.of(game)
        people = ((seat.user_id, seat) for seat in held if seat.user_id is not None and seat.user_id in wishes)
        seats = [(user, views.of_seat(seat), wishes[user]) for user, seat in people]
        has_chapters = registry.ruleset(game.ruleset).chapters is not None
        return cls(game, GameNow(Status(game.status), game.chapter if has_chapters else 0, game.step), seats)

    def notifications(
        self, shared: set[tuple[UUID | None, UUID | None]], now: datetime
    ) -> Iterator[tuple[UUID, Wanted]]:
        """What each person is told. shared: seats and questions of theirs that others were waited for beside."""
        roles: dict[UUID, set[Role]] = {}
        for user, seat, wishes in self.seats:
            roles.setdefault(user, set()).add(seat.role)
            beside = {question for of, question in shared if of == seat.id and question is not None}
            if NotificationKind.ASKED in wishes.kinds_off:  # no row knows of the others
                beside = {question.id for question in seat.questions}
            for each in wanted_of_seat(self.now, seat, beside, wishes.deadline_hours, now):
                if wishes.wants(each.kind, self.game.pk):
                    yield user, each
        wishes_of = {user: wishes for user, _, wishes in self.seats}
        for user, held in roles.items():
            for each in wanted_of_game(self.now, held):
                if wishes_of[user].wants(each.kind, self.game.pk):
                    yield user, each

    def next_look(self, now: datetime) -> datetime | None:
        """When something becomes true by time alone."""
        return next_look(
            [(question, wishes.deadline_hours) for _, seat, wishes in self.seats for question in seat.questions], now
        )


@dataclass(slots=True)
class _SeatViews:
    """The table of a game, from which each seat is shown what it may see."""

    waiting: list[Waiting]
    prompts: list[Prompt]
    timers: list[Timer]
    answers: set[tuple[UUID, str]]
    ending: dict[str, str]

    @classmethod
    def of(cls, game: Game) -> "_SeatViews":
        """That of a game: three queries where anybody is waited for, else none."""
        waiting = [Waiting.from_json(each) for each in json.loads(game.waiting_for)]
        if not waiting:
            return cls([], [], [], set(), {})
        prompts = list(Prompt.objects.filter(game=game).order_by("opened_at", "id"))
        return cls(
            waiting,
            prompts,
            list(Timer.objects.filter(game=game).exclude(due=None).order_by("due", "key")),
            set(Answer.objects.filter(game=game).values_list("prompt_id", "owner")),
            registry.ruleset(game.ruleset).course.ending_commands,
        )

    def of_seat(self, seat: Seat) -> SeatNow:
        """What is waited for of a seat, as its holder may know it."""
        gm = seat.role == Role.GM
        me = GM_READER if gm else reader(seat.pk)
        seen = visible_waiting(self.waiting, {seat.pk}, gm=gm)
        mine = next((each for each in seen if each.owner == me), None)
        return SeatNow(
            seat.pk,
            Role(seat.role),
            questions=list(self._questions(seat, me, gm=gm)) if mine is not None and mine.must else (),
            is_free_to_act=mine is not None and not mine.must,
            has_others=any(each.must and each.owner != me for each in seen),
        )

    def _questions(self, seat: Seat, me: str, *, gm: bool) -> Iterator[Question]:
        interrupted = {each.parent_id for each in self.prompts}
        for prompt in self.prompts:
            is_asked = me in json.loads(prompt.owners) and (prompt.pk, me) not in self.answers
            if is_asked and prompt.pk not in interrupted and readable(Audience(prompt.audience), {seat.pk}, gm):
                yield Question(prompt.pk, prompt.opened_at, self._due(prompt, seat, gm=gm))

    def _due(self, prompt: Prompt, seat: Seat, *, gm: bool) -> datetime | None:
        """Until when, where the seat may know: by the question's own timer, else by the one that ends its kind."""
        own = [timer for timer in self.timers if timer.key == timer_key(prompt.pk)]
        does = self.ending.get(prompt.kind)
        ending = [timer for timer in self.timers if timer.does == does and timer.subject in (None, prompt.subject)]
        timer = next(iter(own or ending), None)
        return timer.due if timer is not None and readable(Audience(timer.audience), {seat.pk}, gm) else None


def _bring(
    game: Game, standing: dict[UUID, Notification], wanted: dict[UUID, tuple[UUID, Wanted]], now: datetime
) -> None:
    """Make, change and end rows, so that those stand that are wanted."""
    untrue = [pk for pk in standing if pk not in wanted]
    if untrue:
        Notification.objects.filter(pk__in=untrue).update(gone_at=now)
        Notification.objects.filter(game=game, gone_at__lt=now - KEPT).delete()
    missing = [pk for pk in wanted if pk not in standing]
    gone = {row.pk: row for row in Notification.objects.filter(pk__in=missing)} if missing else {}
    made = [pk for pk in missing if pk not in gone]
    Notification.objects.bulk_create(_row(game, pk, *wanted[pk], now) for pk in made)
    changed = [*_changes(game, (row for pk, row in (standing | gone).items() if pk in wanted), wanted)]
    Notification.objects.bulk_update(changed, ["due", "was_shared", "gone_at", "read_at", "rewinds"])
    if made or untrue:
        logger.info("notifications_changed", game=str(game.pk), made=len(made), gone=len(untrue))


def _row(game: Game, pk: UUID, user: UUID, wanted: Wanted, now: datetime) -> Notification:
    return Notification(
        id=pk, game=game, user_id=user, seat=wanted.seat, kind=wanted.kind, key=wanted.key, subject=wanted.subject,
        due=wanted.due, was_shared=wanted.is_shared, rewinds=game.rewinds, created_at=now,
    )  # fmt: skip


def _changes(
    game: Game, rows: Iterable[Notification], wanted: dict[UUID, tuple[UUID, Wanted]]
) -> Iterator[Notification]:
    """The rows that are not as they should be, changed."""
    for row in rows:
        each = wanted[row.pk][1]
        is_shared = row.was_shared or each.is_shared
        if (row.gone_at, row.due, row.was_shared) == (None, each.due, is_shared):
            continue
        if row.gone_at is not None and row.rewinds != game.rewinds:
            row.read_at, row.rewinds = None, game.rewinds  # asked anew
        row.gone_at, row.due, row.was_shared = None, each.due, is_shared
        yield row
