"""Games are looked through after they have moved; their notifications, and webhooks of endpoints, are brought to what
should stand.

One game is one short transaction that holds the lock of its follower's row: what a killed worker has written is rolled
back with the position it had come to, so nothing is lost and nothing doubled. The writer of games does nothing for it.
"""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import F, Q, QuerySet

from api.notifications.attacks import Attacks
from api.notifications.standing import (
    GameNow,
    Question,
    SeatNow,
    Wanted,
    next_look,
    notifications_of_game,
    notifications_of_seat,
)
from api.notifications.wishes import Wishes, wishes_of_people
from api.webhooks.endpoint_rows import bring_webhooks_of_game
from core.ids import derived_id
from games import registry
from games.engine.audience import GM_READER, Audience, Reader, readable, reader
from games.engine.deadlines import TABLE_VOTE
from games.engine.game_state import Role, Status
from games.engine.lifecycle.waiting import Waiting, visible_waiting
from games.engine.prompts.prompt import timer_key
from games.models import Answer, Game, Notification, NotificationFollower, NotificationKind, Prompt, Seat, Timer
from games.runtime import failpoints

KEPT = timedelta(days=30)
"""How long what is gone is kept: a rewind may bring it back."""
MIN_REST, MAX_REST = timedelta(seconds=2), timedelta(minutes=10)
"""How long a game is left alone after a look that failed; each time twice as long."""
TOLD = (Role.PLAYER, Role.HOST, Role.GM)
logger = structlog.get_logger(__name__)


def games_to_look_at(now: datetime, most: int) -> list[UUID]:
    """Games of the place in force in which something may have changed, the longest waiting first: one query."""
    new = Q(notification_follower=None) & ~Q(status=Status.FINISHED)  # in a lobby, webhooks of endpoints alone
    moved = Q(notification_follower__seq__lt=F("seq")) | Q(notification_follower__look_at__lte=now)
    awake = Q(notification_follower__rests_until=None) | Q(notification_follower__rests_until__lte=now)
    found: QuerySet[Game] = Game.objects.filter(new | moved, awake)
    order = F("notification_follower__looked_at").asc(nulls_first=True)
    return list(found.order_by(order, "pk").values_list("pk", flat=True)[:most])


def look_at(game_id: UUID, now: datetime) -> bool:
    """Bring the notifications of a game, and the webhooks of endpoints in it, to what should stand now; False where
    another worker is at it.

    What stands already is left as it is; what is no longer so is gone; what is so again comes back, unread after a
    rewind.
    """
    NotificationFollower.objects.get_or_create(game_id=game_id)
    with transaction.atomic():
        follower = NotificationFollower.objects.select_for_update(skip_locked=True).filter(pk=game_id).first()
        if follower is None:
            return False
        game = Game.objects.get(pk=game_id)  # before all else: what happens from here on is found by the next look
        seats = list(Seat.objects.filter(game=game).exclude(user=None).order_by("role", "pk"))
        holders = {seat.user_id for seat in seats if seat.user_id is not None}
        bring_webhooks_of_game(game, follower.seq, holders, now)
        people = _People.of(game, seats, now)
        rows = Notification.objects.filter(game=game, gone_at=None)
        standing = {row.pk: row for row in rows}
        shared = people.shared_questions()
        wanted = {
            derived_id(game.pk, f"notification:{user}:{each.seat}:{each.key}"): (user, each)
            for user, each in people.notifications(shared, now)
        }
        _delete_put_off(standing, wanted, people)
        _bring(game, standing, wanted, now)
        failpoints.reach(failpoints.NOTIFICATIONS_WRITTEN)
        follower.seq, follower.looked_at, follower.look_at = game.seq, now, people.next_look(now)
        follower.rests_until = None
        follower.save(update_fields=["seq", "looked_at", "look_at", "rests_until"])
    return True


def put_off(game_id: UUID, now: datetime) -> None:
    """Let a game that could not be looked at rest, twice as long as after the failure before."""
    follower, _ = NotificationFollower.objects.get_or_create(game_id=game_id)
    rest = MIN_REST
    if follower.rests_until is not None and follower.looked_at is not None:
        rest = max(MIN_REST, min(2 * (follower.rests_until - follower.looked_at), MAX_REST))
    NotificationFollower.objects.filter(pk=game_id).update(looked_at=now, rests_until=now + rest)


@dataclass(slots=True)
class _People:
    """The seats of a game that people hold, as they are now, and what their holders want to be told."""

    game: Game
    now: GameNow
    seats: list[tuple[UUID, SeatNow, Wishes]]
    """Each with its holder."""
    attacks: Attacks

    @classmethod
    def of(cls, game: Game, seats: Iterable[Seat], now: datetime) -> "_People":
        """Those of a game, of its seats with a holder; a seat that a bot plays meanwhile, or whose holder has left for
        good, is none of them."""
        held = [seat for seat in seats if seat.role in TOLD and not seat.bot]
        wishes = wishes_of_people(seat.user_id for seat in held if seat.user_id is not None)
        views, attacks = _SeatViews.of(game), Attacks.of(game, now)
        people = [(seat.user_id, seat) for seat in held if seat.user_id is not None and seat.user_id in wishes]
        own: dict[UUID, set[Reader]] = {}
        for user, seat in people:
            own.setdefault(user, set()).add(_reader_of(seat))
        looks = [(user, views.of_seat(seat, own[user], attacks.on(seat.pk)), wishes[user]) for user, seat in people]
        has_chapters = registry.ruleset(game.ruleset).chapters is not None
        return cls(game, GameNow(Status(game.status), game.chapter if has_chapters else 0, game.step), looks, attacks)

    def notifications(
        self, shared: set[tuple[UUID, UUID | None, UUID | None]], now: datetime
    ) -> Iterator[tuple[UUID, Wanted]]:
        """What each person is told. shared: people, seats of theirs, and questions beside which others were waited for.

        Who conducts a game from two seats, as its opener does, is told as a game-master what both are asked.
        """
        roles: dict[UUID, set[Role]] = {}
        masters = {user: seat for user, seat, _ in self.seats if seat.role is Role.GM}
        for user, held_seat, wishes in self.seats:
            is_beside = held_seat.role is Role.HOST and user in masters
            seat = held_seat.beside(masters[user]) if is_beside else held_seat
            roles.setdefault(user, set()).add(seat.role)
            beside = {question.id for question in seat.questions if (user, seat.id, question.id) in shared}
            if NotificationKind.ASKED in wishes.kinds_off:  # no row knows of the others
                beside = {question.id for question in seat.questions}
            for each in notifications_of_seat(self.now, seat, beside, wishes.deadline_hours, now):
                if wishes.wants(each.kind, self.game.pk):
                    yield user, each
        wishes_of = {user: wishes for user, _, wishes in self.seats}
        for user, held in roles.items():
            for each in notifications_of_game(self.now, held):
                if wishes_of[user].wants(each.kind, self.game.pk):
                    yield user, each

    def shared_questions(self) -> set[tuple[UUID, UUID | None, UUID | None]]:
        """People, seats of theirs, and questions that they were told while others were waited for, too.

        What was interrupted since counts. One query where anybody is asked, else none.
        """
        asked = {question.id for _, seat, _ in self.seats for question in seat.questions}
        if not asked:
            return set()
        rows = Notification.objects.filter(game=self.game, subject__in=asked, was_shared=True)
        return set(rows.values_list("user_id", "seat", "subject"))

    def dues(self) -> dict[tuple[UUID | None, UUID | None], datetime | None]:
        """Until when each open question waits for each seat, as the seat may know."""
        return {(seat.id, question.id): question.due for _, seat, _ in self.seats for question in seat.questions}

    def next_look(self, now: datetime) -> datetime | None:
        """When something becomes true by time alone."""
        near = next_look(
            [(question, wishes.deadline_hours) for _, seat, wishes in self.seats for question in seat.questions], now
        )
        return min((each for each in (near, self.attacks.next_end()) if each is not None), default=None)


@dataclass(slots=True)
class _SeatViews:
    """The table of a game, from which each seat is shown what it may see."""

    waiting: list[Waiting]
    prompts: list[Prompt]
    timers: dict[str, Timer]
    """By their keys, in the order in which they are due."""
    answers: set[tuple[UUID, str]]
    ending: dict[str, str]

    @classmethod
    def of(cls, game: Game) -> "_SeatViews":
        """That of a game: three queries where anybody is waited for, else none."""
        waiting = [Waiting.from_json(each) for each in json.loads(game.waiting_for)]
        if not waiting:
            return cls([], [], {}, set(), {})
        prompts, timers = Prompt.objects.filter(game=game), Timer.objects.filter(game=game).exclude(due=None)
        if game.paused_at is not None:  # votes of the players alone wait for an answer, and no deadline comes
            prompts, timers = prompts.filter(kind=TABLE_VOTE), timers.none()
        return cls(
            waiting,
            list(prompts.order_by("opened_at", "id")),
            {timer.key: timer for timer in timers.order_by("due", "key")},
            set(Answer.objects.filter(game=game).values_list("prompt_id", "owner")),
            registry.ruleset(game.ruleset).course.ending_commands,
        )

    def of_seat(self, seat: Seat, own: Collection[Reader], attacks: Collection[str]) -> SeatNow:
        """What is waited for of a seat, and what has attacked it, as its holder may know it.

        own: all that the holder answers as.
        """
        gm, me = seat.role == Role.GM, _reader_of(seat)
        seen = visible_waiting(self.waiting, {seat.pk}, gm=gm)
        mine = next((each for each in seen if each.owner == me), None)
        return SeatNow(
            seat.pk,
            Role(seat.role),
            questions=list(self._questions(seat, me, gm=gm)) if mine is not None and mine.must else (),
            is_free_to_act=mine is not None and not mine.must,
            has_others=any(each.must and each.owner not in own for each in seen),
            attacks=attacks,
        )

    def _questions(self, seat: Seat, me: str, *, gm: bool) -> Iterator[Question]:
        interrupted = {each.parent_id for each in self.prompts}
        for prompt in self.prompts:
            is_asked = me in json.loads(prompt.owners) and (prompt.pk, me) not in self.answers
            if is_asked and prompt.pk not in interrupted and readable(Audience(prompt.audience), {seat.pk}, gm):
                yield Question(prompt.pk, prompt.opened_at, self._due(prompt, seat, gm=gm))

    def _due(self, prompt: Prompt, seat: Seat, *, gm: bool) -> datetime | None:
        """Until when, where the seat may know: by the question's own timer, else by the one that ends its kind."""
        does = self.ending.get(prompt.kind)
        ending = (t for t in self.timers.values() if t.does == does and t.subject in (None, prompt.subject))
        timer = self.timers.get(timer_key(prompt.pk)) or next(ending, None)
        return timer.due if timer is not None and readable(Audience(timer.audience), {seat.pk}, gm) else None


def _reader_of(seat: Seat) -> Reader:
    """What the holder of a seat answers as."""
    return GM_READER if seat.role == Role.GM else reader(seat.pk)


def _delete_put_off(
    standing: dict[UUID, Notification], wanted: dict[UUID, tuple[UUID, Wanted]], people: _People
) -> None:
    """Delete what says that a deadline is near which has been put off: when it is near again, that is new."""
    dues = people.dues()
    for pk in [pk for pk, row in standing.items() if pk not in wanted and row.kind == NotificationKind.DEADLINE]:
        due, former = dues.get((standing[pk].seat, standing[pk].subject)), standing[pk].due
        if due is not None and former is not None and due > former:
            standing.pop(pk).delete()


def _bring(
    game: Game, standing: dict[UUID, Notification], wanted: dict[UUID, tuple[UUID, Wanted]], now: datetime
) -> None:
    """Make, change and end rows, so that those stand that are wanted."""
    untrue = [pk for pk in standing if pk not in wanted]
    if untrue:
        Notification.objects.filter(pk__in=untrue).update(gone_at=now, changed_at=now)
        Notification.objects.filter(game=game, gone_at__lt=now - KEPT).delete()
    missing = [pk for pk in wanted if pk not in standing]
    gone = {row.pk: row for row in Notification.objects.filter(pk__in=missing)} if missing else {}
    made = [pk for pk in missing if pk not in gone]
    Notification.objects.bulk_create(_row(game, pk, *wanted[pk], now) for pk in made)
    changed = [*_changes(game, (row for pk, row in (standing | gone).items() if pk in wanted), wanted, now)]
    columns = ["due", "was_shared", "gone_at", "read_at", "rewinds", "created_at", "changed_at"]
    Notification.objects.bulk_update(changed, columns)
    if made or untrue:
        logger.info("notifications_changed", game=str(game.pk), made=len(made), gone=len(untrue))


def _row(game: Game, pk: UUID, user: UUID, wanted: Wanted, now: datetime) -> Notification:
    return Notification(
        id=pk, game=game, user_id=user, seat=wanted.seat, kind=wanted.kind, key=wanted.key, subject=wanted.subject,
        due=wanted.due, was_shared=wanted.is_shared, rewinds=game.rewinds, created_at=now, changed_at=now,
    )  # fmt: skip


def _changes(
    game: Game, rows: Iterable[Notification], wanted: dict[UUID, tuple[UUID, Wanted]], now: datetime
) -> Iterator[Notification]:
    """The rows that are not as they should be, changed. What a rewind brings back is new: unread, and the newest."""
    for row in rows:
        each = wanted[row.pk][1]
        is_shared = row.was_shared or each.is_shared
        if (row.gone_at, row.due, row.was_shared) == (None, each.due, is_shared):
            continue
        if row.gone_at is not None and row.rewinds != game.rewinds:
            row.read_at, row.rewinds, row.created_at = None, game.rewinds, now
        row.gone_at, row.due, row.was_shared, row.changed_at = None, each.due, is_shared, now
        yield row
