"""What is owed at a table, and when: timers, prompts, seats and the inbox across games, as plain JSON values.

Every row passes `visible_to`. `due_in` is counted anew for each answer.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from api.common.viewer import Viewer
from games import registry
from games.engine.audience import GM_READER, reader
from games.models import Answer, Game, Prompt, Seat, Timer

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
    }


def seats_of(viewer: Viewer) -> list[dict[str, Any]]:
    """The seats of a game, by role and name: one query."""
    rows = Seat.objects.visible_to(viewer.sight).filter(game=viewer.game).order_by("role", "name", "id")
    return [seat_row(seat) for seat in rows]


def visible_timers(viewer: Viewer) -> list[dict[str, Any]]:
    """The timers of a game that this viewer may see, the earliest first, as columns: one query."""
    rows = Timer.objects.visible_to(viewer.sight).filter(game=viewer.game)
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
    rows = Prompt.objects.visible_to(viewer.sight).filter(game=viewer.game).annotate(waits=Exists(inner))
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
    told = timers_json(viewer, timers, now)
    settled_by = registry.ruleset(viewer.game.ruleset).settled_by
    return [_prompt(row, me, asked.answered, _deadline(row, told, settled_by)) for row in asked.rows]


def _deadline(
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


def games_that_ask(user: UUID | None, *, as_gm: bool = False) -> list[UUID]:
    """The games in which a seat of this user owes an answer that is not in yet: three queries, whatever their number.

    as_gm: what game-masters are asked, in the games this user leads, instead of what players' seats are asked.
    """
    if user is None:
        return []
    role = "gm" if as_gm else "player"
    held: dict[UUID, set[str]] = {}
    for seat, game in Seat.objects.filter(user=user, role=role).values_list("id", "game_id"):
        held.setdefault(game, set()).add(GM_READER if as_gm else reader(seat))
    prompts = Prompt.objects.filter(game__in=held).exclude(game__status="finished")
    opened = list(prompts.values_list("id", "game_id", "owners"))
    given = set(Answer.objects.filter(game__in=held).values_list("prompt_id", "owner"))
    asking = {
        game
        for prompt, game, owners in opened
        for owner in held[game].intersection(json.loads(owners))
        if (prompt, owner) not in given
    }
    return sorted(asking)


def games_sat_in(user: UUID | None) -> Q:
    """The games in which this user holds any seat, as a condition on games."""
    if user is None:
        return Q(pk__in=[])
    return Q(Exists(Seat.objects.filter(game=OuterRef("pk"), user=user)))


def floor_of(game: Game) -> dict[str, Any]:
    """Who may act unasked."""
    return {"kind": game.floor_kind, "holders": json.loads(game.floor_holders)}
