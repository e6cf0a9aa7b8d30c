"""What is asked of one game: a resolver of a few lines for each field that is no row.

The value of a game is REST's detail with its viewer; `api.graphql.games` makes the types.
"""

from dataclasses import replace
from typing import Any
from uuid import UUID

import orjson
import strawberry
from django.utils import timezone
from strawberry.scalars import JSON

from api.common.exceptions import Fault
from api.common.problems import problem
from api.common.viewer import Viewer
from api.graphql.events import typed_value
from api.graphql.rows import entity_of
from api.graphql.visibility import look_with
from api.representations import charts as representation_charts
from api.representations import games, log, maps, story, table
from api.representations.breakdowns import breakdowns_json
from api.representations.issuing.commands import SILENT, filter_of, forecast_json, legal_commands_json
from api.representations.log_span import Span, events_in
from api.representations.reaches import reaches_json
from api.representations.resources.worlds import WORLDS
from api.representations.rewind_preview import rewind_preview_json
from games import registry
from games.engine.board.board import Square
from games.reads import selectors
from games.storage.store import MORE

MAX_EVENTS, MAX_LINES = 100, 100


class Seen(dict[str, Any]):
    """A game as somebody sees it: REST's detail, and the viewer for what is asked besides."""

    viewer: Viewer


def type_name(slug: str) -> str:
    """How the type of a ruleset's games is called: `Gods2Game`."""
    return f"{slug.title()}Game"


def game_value(info: Any, viewer: Viewer) -> Seen:
    """A game as a viewer sees it; whatever stands below it is seen with the same eyes."""
    look_with(info, viewer.visibility)
    found = Seen(games.game_detail(viewer, selectors.cursor_for(viewer.game, viewer.visibility)))
    found.viewer = viewer
    found["__typename"] = type_name(viewer.game.ruleset)
    return found


def log_page_size(size: int, most: int, parameter: str = "first") -> int:
    """The size of a page of the log. Raises Fault (page.size)."""
    if not 0 <= size <= most:
        raise Fault("page.size", f"A page has 0 to {most} rows.", parameter=parameter, least=0, most=most)
    return size


def world_of(root: Any, info: strawberry.Info) -> Any:
    """The world a game is played in; null until there is a map."""
    return None if root["world"] is None else entity_of(WORLDS, info, root["world"])


class StateParts(dict[str, Any]):
    """The parts of a game's state, each read when it is asked for."""

    def __init__(self, viewer: Viewer) -> None:
        super().__init__()
        self.viewer = viewer

    def __missing__(self, part: str) -> Any:
        more = registry.store(self.viewer.game.ruleset).more
        wanted = frozenset({MORE if part in more else part})
        self.update(selectors.state_for(self.viewer.game, self.viewer.visibility, wanted))
        return self[part]


def state_of(root: Any) -> Any:
    """The tables of the ruleset as `/state/` shows them, those that are selected; what is over stands in the lists."""
    return StateParts(root.viewer)


def _span(
    most: int,
    after: str | None,
    first: int | None,
    before: str | None,
    last: int | None,
    chapter: int | None,
    about: UUID | None,
) -> Span:
    """The part of the log that is asked for. Raises Fault (page.size, query.invalid)."""
    if before is None and last is None:
        limit = log_page_size(100 if first is None else first, most)
        return Span(after=after or "", limit=limit, chapter=chapter, about=about)
    if after is not None or first is not None:
        raise Fault("query.invalid", "Ask for `after` and `first`, or for `before` and `last`.", parameter="before")
    limit = log_page_size(100 if last is None else last, most, "last")
    return Span(before=before or "", limit=limit, chapter=chapter, about=about)


def events_of(
    root: Any,
    after: str | None = None,
    first: int | None = None,
    before: str | None = None,
    last: int | None = None,
    chapter: int | None = None,
    about: UUID | None = None,
    type: str = "",
) -> Any:
    """What happened, in order, without gaps: the `first` events behind `after`, or the `last` ones up to `before`.

    chapter, about: only those of one chapter, 0 for what came before the first; only those that name the thing, person
    or place of this id. type: only events of this type, such as `core.MessageSent`.
    """
    viewer: Viewer = root.viewer
    span = replace(_span(MAX_EVENTS, after, first, before, last, chapter, about), type=type)
    body = log.page_json(events_in(viewer, span))
    return body | {"results": [typed_value(viewer.game.ruleset, event) for event in body["results"]]}


def legal_commands_of(root: Any, command: str = "", about: str = "", page: int = 0, legal: bool = False) -> Any:
    """What this viewer may do now; of all that one command, those about one value, a page, or briefly what is legal."""
    body = legal_commands_json(root.viewer, filter_of(command, about, page, legal=legal))
    results = [SILENT | found | {"barred": refusal(found.get("barred"))} for found in body["results"]]
    return body | {"results": results, "definitions": body["$defs"]}


def breakdowns_of(root: Any, subject: UUID | None = None, x: int | None = None, y: int | None = None) -> Any:
    """Each number of one subject, or of all, step by step; the limit of the square `x`, `y` where both are given."""
    if (x is None) is not (y is None) or min(x or 0, y or 0) < 0:
        raise Fault("query.invalid", "Name a square by `x` and `y`, both whole numbers from 0.", parameter="x")
    return breakdowns_json(root.viewer, subject, None if x is None or y is None else Square(y, x))


def reaches_of(root: Any, subject: UUID | None = None) -> Any:
    """Which squares a subject, or each, borders: those it could settle, and those of races that it could attack."""
    return reaches_json(root.viewer, subject)


def forecast_of(root: Any, command: str, body: JSON) -> Any:
    """What a command would do, with its price and the odds of every die; nothing is rolled, paid or stored.

    `body` is that of the command in REST.
    """
    found = forecast_json(root.viewer, command, orjson.dumps(body))
    return found | {"barred": refusal(found["barred"])}


def refusal(barred: dict[str, Any] | None) -> dict[str, Any] | None:
    """What bars a command, as the type of all refusals wants it."""
    if barred is None:
        return None
    whole = problem(barred["code"], barred["detail"], rules=barred["rules"], facts=barred["facts"])
    return {"errors": (), **whole, "__typename": "Refusal"}


def rewind_preview_of(root: Any, to: int = 0, first: int = 100) -> Any:
    """What a rewind to event `to` would undo, the latest first, for game-masters; 0 lists the latest of all."""
    return rewind_preview_json(root.viewer, to, log_page_size(first, MAX_EVENTS))


def prompts_of(root: Any, all: bool = False) -> Any:
    """The open prompts that this viewer owes an answer; with `all`, every one visible to the viewer."""
    viewer: Viewer = root.viewer
    return table.prompts_json(viewer, table.visible_timers(viewer), timezone.now(), every=all)


def timers_of(root: Any) -> Any:
    """What the clock will do, the earliest first."""
    viewer: Viewer = root.viewer
    return table.timers_json(viewer, table.visible_timers(viewer), timezone.now())


def dice_of(root: Any, after: str = "", first: int = 100) -> Any:
    """The dice this viewer may see, and what is needed to check them."""
    return log.dice_json(root.viewer, after=after, limit=log_page_size(first, MAX_EVENTS))


def chronicle_of(
    root: Any,
    after: str | None = None,
    first: int | None = None,
    before: str | None = None,
    last: int | None = None,
    chapter: int | None = None,
    about: UUID | None = None,
) -> Any:
    """What happened, as it is told: what the `first` events behind `after` complete, or the `last` ones up to `before`.

    chapter: only those of one chapter, 0 for what came before the first.
    about: the id of a thing, a person or a place: only events that name it, such as the deeds of an artifact.
    """
    page = story.story_page(root.viewer, _span(MAX_LINES, after, first, before, last, chapter, about))
    return story.story_json(page)


def map_svg_of(root: Any, chapter: int) -> Any:
    """The map at the end of a chapter, as this viewer could know it then, as SVG; 0: before the first."""
    return maps.map_at(root.viewer.game, root.viewer.visibility, chapter).decode()


def pictures_of(root: Any) -> Any:
    """The charts, trees and cards there are, and the chapter that the game is in."""
    return representation_charts.pictures_json(root.viewer)


def chart_of(root: Any, name: str, subject: UUID | None = None) -> Any:
    """Values at the end of each chapter, and now, as far as this viewer may see them."""
    return representation_charts.chart_json(root.viewer, name, subject)


def chart_svg_of(root: Any, name: str, subject: UUID | None = None) -> Any:
    """A chart as SVG, with what this viewer may see."""
    return representation_charts.chart_of(root.viewer, name, subject).decode()


def tree_of(root: Any, name: str, subject: UUID | None = None) -> Any:
    """Nodes, edges, and for each subject, or one, what it has, what it can have next, and what is locked."""
    return representation_charts.tree_json(root.viewer, name, subject)


def tree_svg_of(root: Any, name: str, subject: UUID | None = None) -> Any:
    """A tree as SVG; with `subject` what it has, can have next, and what is locked are marked."""
    return representation_charts.tree_of(root.viewer, name, subject).decode()


def card_svg_of(root: Any, kind: str, id: UUID) -> Any:
    """A character or a thing as a card, as SVG, with what this viewer may see; `pictures` lists the cards."""
    return representation_charts.card_of(root.viewer, kind, id).decode()


def my_seats_of(root: Any) -> Any:
    """The seats of the asker."""
    return list(root.viewer.seats)
