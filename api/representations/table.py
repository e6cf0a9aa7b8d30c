"""What is owed at a table, and when: timers, prompts, seats and the inbox across games, as plain JSON values.

Every row passes `visible_to`. `due_in` is counted anew for each answer.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from api.common.viewer import Viewer
from api.representations.resources.resource import Resource
from games import registry
from games.engine.audience import GM_READER, reader
from games.engine.lifecycle.waiting import Waiting, visible_waiting
from games.models import Answer, Game, Prompt, Seat, Timer
from worlds.visibility import Visibility

SEATS = Resource(
    "seats",
    Seat,
    ("id", "role", "name", "user", "bot", "is_claimable"),
    "Seat",
    {"game": "game", "role": "role"},
    ("role", "name", "id"),
)
TIMER_FIELDS = ("key", "does", "subject", "due", "left", "generation")
PROMPT_FIELDS = (
    "id", "kind", "lane", "depth", "parent_id", "owners", "rule", "answered_by", "question", "subject", "choices",
    "silence", "threshold", "sealed", "opened_at",
)  # fmt: skip


def seconds_until(due: datetime | None, left: timedelta | None, now: datetime) -> float | None:
    """Seconds until `due`, or what is left of a frozen deadline: three decimals, never below 0; None for neither."""
    wait = due - now if due is not None else left
    return None if wait is None else round(max(wait.total_seconds(), 0.0), 3)


def seat_row(seat: Seat) -> dict[str, Any]:
    """A seat as everybody at the table sees it."""
    return {
        "id": seat.pk,
        "role": seat.role,
        "name": seat.name,
        "user": seat.user_id,
        "bot": seat.bot,
        "is_claimable": seat.is_claimable,
    }


def seats_of(viewer: Viewer) -> list[dict[str, Any]]:
    """The seats of a game, by role and name: one query."""
    rows = Seat.objects.visible_to(viewer.visibility).filter(game=viewer.game).order_by("role", "name", "id")
    return [seat_row(seat) for seat in rows]


def visible_timers(viewer: Viewer) -> list[dict[str, Any]]:
    """The timers of a game that this viewer may see, the earliest first, as columns: one query."""
    rows = Timer.objects.visible_to(viewer.visibility).filter(game=viewer.game)
    return sorted(rows.values(*TIMER_FIELDS), key=lambda row: (row["due"] is None, row["due"], row["key"]))


def timers_json(viewer: Viewer, timers: Iterable[Mapping[str, Any]], now: datetime) -> list[dict[str, Any]]:
    """Timers as they are answered. While the game is paused each keeps what was left when it stopped."""
    stopped = viewer.game.paused_at
    return [
        {
            "key": row["key"],
            "does": row["does"],
            "subject": row["subject"],
            "due": row["due"],
            "due_in": seconds_until(row["due"], row["left"], stopped or now),
            "frozen": row["due"] is None or stopped is not None,
        }
        for row in timers
    ]


def me_as_owner(viewer: Viewer) -> frozenset[str]:
    """The readers that this viewer answers as: the seat acted through, all player's seats held, or the game-master."""
    if viewer.as_gm:
        return frozenset({GM_READER})
    if viewer.seat is not None:
        return frozenset({reader(viewer.seat.pk)})
    return frozenset(reader(seat.pk) for seat in viewer.seats if seat.role == "player")


@dataclass(frozen=True, slots=True)
class OpenPrompts:
    """Open prompts as columns, the longest open first, and which of them this viewer has answered."""

    rows: list[dict[str, Any]]
    answered: frozenset[UUID]


def open_prompts(viewer: Viewer, *, every: bool = False) -> OpenPrompts:
    """The open prompts that ask this viewer, or every one visible to them: two queries."""
    me = me_as_owner(viewer)
    inner = Prompt.objects.filter(parent=OuterRef("pk"))
    rows = Prompt.objects.visible_to(viewer.visibility).filter(game=viewer.game).annotate(waits=Exists(inner))
    if not every:
        asked = Q(pk__in=[])
        for owner in me:
            asked |= Q(owners__contains=f'"{owner}"')
        rows = rows.filter(asked)
    mine = Answer.objects.filter(game=viewer.game, owner__in=me)
    answered = frozenset(mine.values_list("prompt_id", flat=True)) if me else frozenset()
    return OpenPrompts(list(rows.order_by("opened_at", "id").values(*PROMPT_FIELDS, "waits")), answered)


def prompts_as_json(
    viewer: Viewer, asked: OpenPrompts, timers: Iterable[Mapping[str, Any]], now: datetime
) -> list[dict[str, Any]]:
    """Prompts as they are answered. timers: the visible timers of the game, which hold the deadlines."""
    me = me_as_owner(viewer)
    shown = timers_json(viewer, timers, now)
    settled_by = registry.ruleset(viewer.game.ruleset).course.ending_commands
    return [_prompt(row, me, asked.answered, deadline_of(row, shown, settled_by)) for row in asked.rows]


def deadline_of(
    row: Mapping[str, Any], timers: Iterable[Mapping[str, Any]], settled_by: Mapping[str, str]
) -> Mapping[str, Any]:
    """A prompt's own timer, else the one that settles its kind; empty where nothing but an answer ends it."""
    does, own = settled_by.get(row["kind"]), f"prompt:{row['id']}"
    found: Mapping[str, Any] = {}
    for timer in timers:
        if timer["key"] == own:
            return timer
        if not found and timer["does"] == does and timer["subject"] in (None, row["subject"]):
            found = timer
    return found


def prompts_json(
    viewer: Viewer, timers: Iterable[Mapping[str, Any]], now: datetime, *, every: bool = False
) -> list[dict[str, Any]]:
    """The open prompts that ask this viewer, or every one visible to them, as they are answered."""
    return prompts_as_json(viewer, open_prompts(viewer, every=every), timers, now)


def _prompt(
    row: Mapping[str, Any], me: frozenset[str], answered: frozenset[UUID], deadline: Mapping[str, Any]
) -> dict[str, Any]:
    owners = json.loads(row["owners"])
    return {
        "id": row["id"],
        "kind": row["kind"],
        "lane": row["lane"],
        "depth": row["depth"],
        "parent": row["parent_id"],
        "owners": owners,
        "rule": row["rule"],
        "answered_by": json.loads(row["answered_by"]),
        "question": row["question"],
        "subject": row["subject"],
        "choices": json.loads(row["choices"]),
        "silence": row["silence"],
        "threshold": row["threshold"],
        "sealed": row["sealed"],
        "opened_at": row["opened_at"],
        "due": deadline.get("due"),
        "due_in": deadline.get("due_in"),
        "frozen": deadline.get("frozen", False),
        "answerable": not row["waits"],
        "asks_me": not me.isdisjoint(owners),
        "answered": row["id"] in answered,
    }


def own_seats(user: UUID | None, games: Iterable[UUID] | None = None) -> dict[UUID, frozenset[UUID]]:
    """The player's and host's seats that a user holds, by game, in all games or in these: one query."""
    if user is None:
        return {}
    rows = Seat.objects.filter(user=user, role__in=("player", "host"))
    if games is not None:
        rows = rows.filter(game__in=list(games))
    held: dict[UUID, set[UUID]] = {}
    for seat, game in rows.values_list("id", "game_id"):
        held.setdefault(game, set()).add(seat)
    return {game: frozenset(seats) for game, seats in held.items()}


def games_waiting_for(user: UUID | None, *, as_gm: bool = False, must: bool = False) -> list[UUID]:
    """The live games in which a seat of this user may or must act now: two queries, whatever their number.

    as_gm: as game-master, in the games this user leads, instead of as player or host. must: only what is asked.
    """
    if user is None:
        return []
    led = Seat.objects.filter(user=user, role="gm").values_list("game_id", flat=True) if as_gm else ()
    held = dict.fromkeys(led, frozenset[UUID]()) if as_gm else own_seats(user)
    live = Game.objects.filter(pk__in=held).exclude(status="finished").values_list("id", "waiting_for")
    return sorted(
        game for game, waiting in live if any(_is_mine(each, held[game], as_gm, must) for each in _waiting(waiting))
    )


def _is_mine(each: Waiting, seats: frozenset[UUID], gm: bool, must: bool) -> bool:
    mine = each.owner == GM_READER if gm else any(each.owner == reader(seat) for seat in seats)
    return mine and (each.must or not must) and bool(visible_waiting([each], seats, gm=gm))


def _waiting(packed: str) -> list[Waiting]:
    return [Waiting.from_json(each) for each in json.loads(packed)]


def waiting_json(packed: str, seats: Collection[UUID], *, gm: bool) -> list[dict[str, Any]]:
    """Who is waited for, as somebody with these seats may know it. packed: the column of the game's row."""
    return [
        {
            "seat": None if each.owner == GM_READER else UUID(each.owner.removeprefix("seat:")),
            "must": each.must,
            "due": each.due,
        }
        for each in visible_waiting(_waiting(packed), seats, gm=gm)
    ]


def chapter_json(slug: str, number: int) -> dict[str, Any] | None:
    """The chapter that a game of a ruleset is in; None where the ruleset has none."""
    chapters = registry.ruleset(slug).chapters
    return None if chapters is None else {"word": chapters.word.lower(), "number": number}


def games_sat_in(user: UUID | None) -> Q:
    """The games in which this user holds any seat, as a condition on games."""
    if user is None:
        return Q(pk__in=[])
    return Q(Exists(Seat.objects.filter(game=OuterRef("pk"), user=user)))


def life_of(game: Game, visibility: Visibility) -> dict[str, Any]:
    """Where a game is and who is waited for, as this viewer may know it."""
    return {
        "status": game.status,
        "chapter": chapter_json(game.ruleset, game.chapter),
        "step": game.step,
        "waiting_for": waiting_json(game.waiting_for, visibility.seats, gm=game.pk in visibility.gm_games),
        "paused_at": game.paused_at,
    }
