"""What there is to post of a game now, of what a stranger may know who sees it at all: no seat, no game-master.

The chronicle tells it in its own sentences; a caption says where the game is.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from games import registry
from games.engine.audience import GM_READER, PUBLIC
from games.engine.game_state import Status
from games.engine.lifecycle.waiting import Waiting, visible_waiting
from games.models import ChatHook, Game, LoggedEvent, Seat
from games.reads import history
from games.reads.story import public_story
from games.storage.state_cache import STATE_CACHE
from worlds.visibility import Visibility

PLAYED = (Status.SETUP, Status.RUNNING)
END = "GameEnded"
GAME_MASTER = "the game-master"


@dataclass(frozen=True, slots=True)
class Awaited:
    """Somebody who is waited for. seat: None for the game-masters."""

    seat: UUID | None
    name: str
    must: bool
    """Whether they are asked; else they may act."""
    due: datetime | None
    """Until when; None where nothing ends it."""

    @property
    def key(self) -> str:
        """Who they are, as text."""
        return str(self.seat or GM_READER)


@dataclass(frozen=True, slots=True)
class News:
    """What a channel could be told. Text of players is in it as they wrote it."""

    name: str
    """Of the game."""
    caption: str
    """Where the game is."""
    chapter: int
    """The number of the chapter that has begun."""
    beginning: str
    """The chapter with what the chronicle tells of its beginning; empty where that was posted."""
    end: str
    """What the log says of the end; empty where that was posted, and before."""
    is_over: bool
    waiting: tuple[Awaited, ...]
    """Without bots, and without those whose time is over."""


def news_of(hook: ChatHook, game: Game, now: datetime) -> News:
    """The news of a game for a hook."""
    is_over = game.status == Status.FINISHED
    return News(
        name=game.name,
        caption=registry.store(game.ruleset).caption(game),
        chapter=game.chapter,
        beginning="" if is_over or game.chapter <= hook.chapter else _beginning(game),
        end=_end(game) if is_over and not hook.is_end_posted else "",
        is_over=is_over,
        waiting=_waiting(game, now) if game.status in PLAYED else (),
    )


def _waiting(game: Game, now: datetime) -> tuple[Awaited, ...]:
    """Who is asked first, the earliest deadline first."""
    known = visible_waiting(map(Waiting.from_json, json.loads(game.waiting_for)), (), gm=False)
    if not known:
        return ()
    names = dict(Seat.objects.filter(game=game, bot="").values_list("pk", "name"))
    found = []
    for each in known:
        if each.due is not None and each.due <= now:
            continue
        if each.owner == GM_READER:
            if each.must:
                found.append(Awaited(None, GAME_MASTER, each.must, each.due))
            continue
        seat = UUID(each.owner.removeprefix("seat:"))
        if seat in names:
            found.append(Awaited(seat, names[seat], each.must, each.due))
    return tuple(sorted(found, key=lambda a: (not a.must, a.due is None, a.due or now, a.name)))


def _beginning(game: Game) -> str:
    """The title of the chapter that runs, and the last sentence that its opening completes."""
    chapters = registry.ruleset(game.ruleset).chapters
    opening = next((each for each in reversed(history.openings(game)) if each.number == game.chapter), None)
    if chapters is None or opening is None:
        return ""
    with STATE_CACHE.reading(game) as state:
        seen = history.state_for(state, game, Visibility.nobody())
    told = public_story(game, seen, chapter=game.chapter, until=opening.seq)
    title = chapters.title(game.chapter)
    return f"{title}: {told[-1].text}" if told else f"{title}."


def _end(game: Game) -> str:
    """The sentence of the log for the end."""
    ended = LoggedEvent.objects.filter(game=game, audience=PUBLIC, type=END, fallen__isnull=True).order_by("-seq")
    return ended.values_list("text", flat=True).first() or f"{game.name} is over."
