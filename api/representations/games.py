"""Games: rows of the list, the detail, the whole state, and the shape of the wish for a new one."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from hashlib import sha256
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

import orjson
from django.db.models import QuerySet
from django.utils import timezone
from pydantic import BaseModel as Body
from pydantic import ConfigDict, Field, create_model

from api.common.viewer import Viewer
from api.common.viewer_cache import CachedViewer, Since, since, store_sections
from api.representations import table
from api.representations.shapes.state_schemas import sections_of
from games import registry, services
from games.engine.lifecycle.seating import Name
from games.engine.ruleset import Options
from games.models import Game
from games.reads import selectors
from games.storage.state_cache import DIGEST
from games.storage.store import MORE

LIST_FIELDS = (
    "id", "ruleset", "name", "status", "chapter", "step", "waiting_for", "is_public", "world", "paused_at",
    "created_at",
)  # fmt: skip
PACKED = orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS | orjson.OPT_SERIALIZE_NUMPY
T = TypeVar("T")


def games_rows(rows: QuerySet[Game]) -> QuerySet[Game, dict[str, Any]]:
    """Games as columns of the list; `games_json` makes them what is answered."""
    return rows.values(*LIST_FIELDS)


def games_json(rows: Iterable[Mapping[str, Any]], user: UUID | None) -> list[dict[str, Any]]:
    """Columns of the list as a user may see them, from the player's seats they hold: one query besides."""
    listed = list(rows)
    seats = table.own_seats(user, [row["id"] for row in listed])
    return [
        dict(row)
        | {
            "chapter": table.chapter_json(row["ruleset"], row["chapter"]),
            "waiting_for": table.waiting_json(row["waiting_for"], seats.get(row["id"], frozenset()), gm=False),
        }
        for row in listed
    ]


def game_detail(viewer: Viewer, cursor: str) -> dict[str, Any]:
    """A game as this viewer sees it; no query. How much happened in secret (`seq`, `last_at`) is not reported."""
    game = viewer.game
    return {
        "id": game.pk,
        "ruleset": game.ruleset,
        "name": game.name,
        **table.life_of(game, viewer.visibility),
        "is_public": game.is_public,
        "world": game.world_id,
        "created_at": game.created_at,
        "options": json.loads(game.options),
        "messages": messages_json(game),
        "rewinds": game.rewinds,
        "commitment": game.commitment,
        "my_seats": [table.seat_row(seat) for seat in viewer.seats],
        "acting_seat": viewer.on_behalf_of if viewer.as_gm else viewer.seat.pk if viewer.seat else None,
        "as_gm": viewer.as_gm,
        "cursor": cursor,
    }


def messages_json(game: Game) -> dict[str, Any]:
    """What holds for messages between seats in a game, the usual said too."""
    options: Options = registry.ruleset(game.ruleset).options.from_text(game.options)
    return {
        "press": options.press,
        "gm_reads_messages": options.gm_reads_messages,
        "sentences": options.sentences(),
    }


def viewer_tag(viewer: Viewer) -> str:
    """A few characters that distinguish viewers: who they are and what they may see."""
    visibility = viewer.visibility
    seats = sorted(str(seat) for seat in visibility.seats)
    parts = [str(visibility.user), seats, sorted(str(game) for game in visibility.gm_games), str(viewer.on_behalf_of)]
    return sha256(json.dumps(parts).encode()).hexdigest()[:10]


def position_of(seen: CachedViewer) -> str:
    """What an ETag of the state says: cursor, viewer, and the deadlines that this viewer sees.

    A deadline may move by an event that its viewer does not read (a secret inner question freezes it), so the cursor
    alone would not show that the state has changed.
    """
    return seen.once("position", lambda viewer: _position(viewer, _cursor(seen), _timers(seen)))


def _cursor(seen: CachedViewer) -> str:
    return seen.once("cursor", lambda viewer: selectors.cursor_for(viewer.game, viewer.visibility))


def _timers(seen: CachedViewer) -> list[dict[str, Any]]:
    return seen.once("timers", lambda viewer: _rows(seen, "timers", ("timers",), lambda: table.visible_timers(viewer)))


def _prompts(seen: CachedViewer) -> table.OpenPrompts:
    """Every open prompt that this viewer sees, and what they answered."""
    of = ("prompts", "answers")
    return seen.once(
        "prompts", lambda viewer: _rows(seen, "prompts", of, lambda: table.open_prompts(viewer, every=True))
    )


def _rows(seen: CachedViewer, name: str, tables: tuple[str, ...], read: Callable[[], T]) -> T:
    """Rows as they were read before, where none of these tables was touched since; else as they are read now."""
    before = since(seen)
    if before.sections is None or name not in before.sections.rows or not before.holds(*tables):
        return read()
    found: T = before.sections.rows[name]
    return found


def _position(viewer: Viewer, cursor: str, timers: list[dict[str, Any]]) -> str:
    deadlines = "".join(f"{row['key']}#{row['due']}#{row['left']};" for row in timers)
    return f"{cursor}.{viewer_tag(viewer)}{sha256(deadlines.encode()).hexdigest()[:10]}"


def state_json(seen: CachedViewer, parts: frozenset[str] | None = None) -> bytes | None:
    """The game as this viewer may see it, as JSON; None when something happened while it was read.

    parts: those that are wanted; all where it is None. Of the tables only those are read that were not yet read for
    this viewer, or were touched since.
    """
    now, viewer, timers, cursor = timezone.now(), seen.viewer, _timers(seen), _cursor(seen)
    asked = _prompts(seen) if parts is None or "prompts" in parts else None
    before, wanted = since(seen), sections_of(viewer.game.ruleset, parts)
    known = _known_sections(viewer, before)
    if before.sections is not None and before.sections.digest == seen.digest and known.keys() >= set(wanted):
        if not seen.once("whole", lambda _: _is_unmoved(seen)):
            return None
    else:
        known = known | _sections(viewer, frozenset(wanted) - known.keys())
        if not _is_unmoved(seen):
            return None
        rows = {"timers": timers} | ({} if asked is None else {"prompts": asked})
        store_sections(viewer, before, known, rows)
    body: dict[str, Any] = {"ruleset": viewer.game.ruleset, "cursor": cursor, "at": now}
    body["game"] = game_detail(viewer, cursor)
    body |= {name: orjson.Fragment(known[name]) for name in wanted}
    if parts is None or "timers" in parts:
        body["timers"] = table.timers_json(viewer, timers, now)
    if asked is not None:
        body["prompts"] = table.prompts_as_json(viewer, asked, timers, now)
    return orjson.dumps(body, option=PACKED, default=str)


def _known_sections(viewer: Viewer, before: Since) -> dict[str, bytes]:
    """What was read before and was not touched since, by its name."""
    if before.sections is None or before.moved is None:
        return {}
    moved = before.moved | (registry.store(viewer.game.ruleset).more.keys() if MORE in before.moved else set())
    return {name: packed for name, packed in before.sections.tables.items() if name not in moved}


def _sections(viewer: Viewer, wanted: frozenset[str]) -> dict[str, bytes]:
    """Parts of the state, packed, as they are now."""
    more = {MORE} if wanted & registry.store(viewer.game.ruleset).more.keys() else set()
    found = selectors.state_for(viewer.game, viewer.visibility, wanted | more)
    return {name: orjson.dumps(rows, option=PACKED, default=str) for name, rows in found.items()}


def _is_unmoved(seen: CachedViewer) -> bool:
    """Whether all that was found out since a glance is of one moment: the game is still where it was."""
    return DIGEST.first(seen.viewer.game.pk) == (seen.digest,)


@cache
def opening_of(slug: str) -> type[Body]:
    """The body that opens a game of a ruleset: its options are the ruleset's own. Raises `ruleset.missing`."""
    rules = registry.ruleset(slug)
    options: type[Options] = rules.options
    fields: dict[str, Any] = {
        "ruleset": (Literal[slug], Field(description="The ruleset's slug.")),
        "name": (Annotated[Name, Field(description="How the game is called.")], ...),
        "options": (options, Field(default_factory=options, description=f"How {rules.title} is played.")),
        "is_public": (bool, Field(default=True, description="Whether people without a seat may watch and join.")),
    }
    config = ConfigDict(frozen=True, extra="forbid")
    return create_model(f"Open{slug.title()}", __config__=config, __doc__=f"A new game of {rules.title}.", **fields)


def open_game(slug: str, raw: bytes, user: UUID) -> Game:
    """Open a game by its JSON body. Raises `ruleset.missing`, pydantic's ValidationError with the place at fault."""
    wish: Any = opening_of(slug).model_validate_json(raw, strict=True)
    return services.open_game(
        slug, wish.name, user=user, options=wish.options.model_dump_json(), is_public=wish.is_public
    )
