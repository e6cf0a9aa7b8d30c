"""What stands in the book of a game: everything that its chronicle tells to strangers, chapter by chapter."""

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from api.common.viewer import Viewer
from api.pages.event.faces import faces_of
from api.pages.event.screen_view import sight_of
from games import registry
from games.reads.story import StoryLine, public_story


@dataclass(frozen=True, slots=True)
class BookChapter:
    """A chapter of a book. number: None where a game is not divided into chapters, but into days."""

    number: int | None
    title: str
    lines: tuple[StoryLine, ...]


def book_json(viewer: Viewer) -> dict[str, Any]:
    """The context of its template: what has happened by now, or by then where the pages of a game are behind."""
    sight, game = sight_of(viewer), viewer.game
    told = public_story(game, sight.state, until=sight.until)
    by_chapter = groupby(told, key=lambda line: (line.chapter, line.heading))
    return {
        "game": game,
        "title": registry.ruleset(game.ruleset).title,
        "delay": sight.delay,
        "faces": faces_of(game, sight.state),
        "chapters": [BookChapter(number, title, tuple(lines)) for (number, title), lines in by_chapter],
    }
