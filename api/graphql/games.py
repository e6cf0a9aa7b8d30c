"""Games, rulesets and what is owed: the schemas of `api.representations.schemas` as GraphQL types, and their queries.

Long for one reason: each thing that is asked of a game is a resolver of a few lines.
"""

from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
import strawberry
from django.utils import timezone
from strawberry.scalars import JSON

from api.common.exceptions import Fault
from api.common.paging import DEFAULT_SIZE
from api.common.problems import problem
from api.common.viewer import Viewer
from api.graphql.context import Asker, asker_of
from api.graphql.events import GameEvent, typed_value
from api.graphql.mapping import Outputs, many, maybe, object_type
from api.graphql.pages import Connected, connection_of, page_of
from api.graphql.rows import Row, RowTypes, as_page
from api.representations import charts as representation_charts
from api.representations import games, log, maps, schemas, table
from api.representations.breakdowns import breakdowns_json
from api.representations.commands import SILENT, catalogue, filter_of, forecast_json, legal_commands_json
from api.representations.reaches import reaches_json
from api.representations.resource import own_resources
from api.representations.rewind_preview import rewind_preview_json
from api.representations.rulebook import book_of, rules_of
from api.representations.worlds import WORLDS
from games import registry
from games.engine.board.board import Square
from games.engine.game_state import Status
from games.engine.model import field_descriptions
from games.engine.ruleset import Ruleset
from games.models import Game
from games.reads import selectors
from worlds.visibility import Visibility

STATUSES = tuple(status.value for status in Status)
EVENTS_AT_MOST, LINES_AT_MOST = 100, 100
ORDER = ("-created_at", "id")
OUTPUTS = Outputs({schemas.EventJson: GameEvent})
ROWS = RowTypes()


class Seen(dict[str, Any]):
    """A game as somebody sees it: REST's detail, and the viewer for what is asked besides."""

    viewer: Viewer


def view_for(asker: Asker, game: UUID, seat: UUID | None, *, as_gm: bool) -> Seen:
    """A game as one viewer sees it. Raises `game.missing`, `seat.missing`, `gm.missing`, `token.scope`."""
    asker.may_look(as_gm=as_gm)
    return view_of(asker.at(game, seat, as_gm=as_gm))


def view_of(viewer: Viewer) -> Seen:
    """A game as a viewer sees it."""
    found = Seen(games.game_detail(viewer, selectors.cursor_for(viewer.game.pk, viewer.visibility)))
    found.viewer = viewer
    return found


def log_page_size(size: int, most: int, parameter: str = "first") -> int:
    """The size of a page of the log. Raises Fault (page.size)."""
    if not 1 <= size <= most:
        raise Fault("page.size", f"A page has 1 to {most} rows.", parameter=parameter, least=1, most=most)
    return size


def world_of(root: Any) -> Any:
    """The world a game is played in."""
    viewer: Viewer = root.viewer
    world = WORLDS.visible(viewer.visibility).filter(pk=root["world"])
    rows = as_page(WORLDS.representations(WORLDS.read_from(world)), viewer.visibility)
    return rows[0] if rows else None


def state_of(root: Any) -> Any:
    """Every table of the ruleset, as `/state/` shows it."""
    viewer: Viewer = root.viewer
    now, timers = timezone.now(), table.visible_timers(viewer)
    body = selectors.state_for(viewer.game, viewer.visibility)
    body |= {
        "timers": table.timers_json(viewer, timers, now),
        "prompts": table.prompts_json(viewer, timers, now, every=True),
    }
    return body


def events_of(
    root: Any, after: str | None = None, first: int | None = None, before: str | None = None, last: int | None = None
) -> Any:
    """What happened, in order, without gaps: the `first` events behind `after`, or the `last` ones up to `before`."""
    viewer: Viewer = root.viewer
    if before is None and last is None:
        limit = log_page_size(100 if first is None else first, EVENTS_AT_MOST)
        page = selectors.events_for(viewer.game, viewer.visibility, after=after or "", limit=limit)
    elif after is not None or first is not None:
        raise Fault("query.invalid", "Ask for `after` and `first`, or for `before` and `last`.", parameter="before")
    else:
        limit = log_page_size(100 if last is None else last, EVENTS_AT_MOST, "last")
        page = selectors.events_before(viewer.game, viewer.visibility, before=before or "", limit=limit)
    body = log.page_json(page)
    return body | {"results": [typed_value(viewer.game.ruleset, event) for event in body["results"]]}


def legal_commands_of(root: Any, command: str = "", about: str = "", page: int = 0, legal: bool = False) -> Any:
    """What this viewer may do now; of all that one command, those about one value, a page, or briefly what is legal."""
    body = legal_commands_json(root.viewer, filter_of(command, about, page, legal=legal))
    results = [SILENT | found | {"barred": refusal(found.get("barred"))} for found in body["results"]]
    return body | {"results": results, "definitions": body["$defs"]}


def _legal_commands_type() -> Any:
    """The type of `legal_commands_of`: `schema` and `definitions` are JSON."""
    shape, page = schemas.LegalCommandShape, schemas.LegalCommandList
    own = {found.alias or key: OUTPUTS.hint(found.annotation) for key, found in shape.model_fields.items()}
    texts = {shape.model_fields[key].alias or key: text for key, text in field_descriptions(shape).items()}
    entry = object_type("LegalCommand", own, texts, shape.__doc__ or "")
    hints = {"cursor": str, "results": many(entry), "definitions": JSON}
    return object_type("LegalCommandList", hints, field_descriptions(page), page.__doc__ or "")


def breakdowns_of(root: Any, race: UUID | None = None, x: int | None = None, y: int | None = None) -> Any:
    """Each number of a race, or of all, step by step; the limit of the square `x`, `y` where both are given."""
    if (x is None) is not (y is None) or min(x or 0, y or 0) < 0:
        raise Fault("query.invalid", "Name a square by `x` and `y`, both whole numbers from 0.", parameter="x")
    return breakdowns_json(root.viewer, race, None if x is None or y is None else Square(y, x))


def reaches_of(root: Any, subject: UUID | None = None) -> Any:
    """Which squares a race, or each, borders: those it could settle, and those of races that it could attack."""
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
    """What a rewind to event `to` would undo, the latest first, for game-masters; 0 lists the latest events of all."""
    return rewind_preview_json(root.viewer, to, log_page_size(first, EVENTS_AT_MOST))


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
    return log.dice_json(root.viewer, after=after, limit=log_page_size(first, EVENTS_AT_MOST))


def chronicle_of(root: Any, after: str = "", first: int = 100, century: int | None = None) -> Any:
    """What happened, in sentences; of one century where it is given, 0 for what came before the first."""
    page = log.chronicle(root.viewer, after=after, limit=log_page_size(first, LINES_AT_MOST), century=century)
    return log.chronicle_json(page, log.Times.of(root.viewer))


def map_svg_of(root: Any, century: int) -> Any:
    """The map at the end of a century, as this viewer could know it then, as SVG; 0: before the first."""
    return maps.map_at(root.viewer.game, root.viewer.visibility, century).decode()


def pictures_of(root: Any) -> Any:
    """The charts and trees there are, and the century that is running."""
    return representation_charts.pictures_json(root.viewer)


def chart_of(root: Any, name: str, race: UUID | None = None) -> Any:
    """Values at the end of each century, and now, as far as this viewer may see them."""
    return representation_charts.chart_json(root.viewer, name, race)


def chart_svg_of(root: Any, name: str, race: UUID | None = None) -> Any:
    """A chart as SVG, with what this viewer may see."""
    return representation_charts.chart_of(root.viewer, name, race).decode()


def tree_of(root: Any, name: str, race: UUID | None = None) -> Any:
    """Nodes, edges, and for each race, or one, what it has, what it can have next, and what is locked."""
    return representation_charts.tree_json(root.viewer, name, race)


def tree_svg_of(root: Any, name: str, race: UUID | None = None) -> Any:
    """A tree as SVG; with `race` what it has, can have next, and what is locked are marked."""
    return representation_charts.tree_of(root.viewer, name, race).decode()


def seats_of(root: Any) -> Any:
    """Who sits at the table."""
    return table.seats_of(root.viewer)


def _page(name: str, shape: Any) -> Any:
    return OUTPUTS.named_type(name, shape)


def _field(resolve: Any, kind: Any) -> Any:
    return strawberry.field(resolver=resolve, graphql_type=kind, description=resolve.__doc__)


def _game_type() -> Any:
    hints = {key: OUTPUTS.hint(found.annotation) for key, found in schemas.GameDetail.model_fields.items()}
    descriptions = field_descriptions(schemas.GameDetail)
    del hints["world"]
    lists = {
        "seats": _field(seats_of, many(OUTPUTS.model(schemas.SeatShape))),
        "timers": _field(timers_of, many(OUTPUTS.model(schemas.TimerShape))),
        "prompts": _field(prompts_of, many(OUTPUTS.model(schemas.PromptShape))),
    }
    more = {
        "world": _field(world_of, maybe(ROWS.type_of(WORLDS))),
        "state": _field(state_of, JSON),
        "events": _field(events_of, _page("EventPage", schemas.EventPage)),
        "legal_commands": _field(legal_commands_of, _legal_commands_type()),
        "forecast": _field(forecast_of, _page("Forecast", schemas.ForecastShape)),
        "breakdowns": _field(breakdowns_of, _page("BreakdownList", schemas.BreakdownList)),
        "reaches": _field(reaches_of, _page("ReachList", schemas.ReachList)),
        "rewind_preview": _field(rewind_preview_of, _page("RewindPreview", schemas.RewindPreviewShape)),
        "dice": _field(dice_of, _page("DicePage", schemas.DicePage)),
        "chronicle": _field(chronicle_of, _page("ChroniclePage", schemas.ChroniclePage)),
        "map_svg": _field(map_svg_of, str),
        "pictures": _field(pictures_of, _page("Pictures", schemas.Pictures)),
        "chart": _field(chart_of, _page("Chart", schemas.ChartShape)),
        "chart_svg": _field(chart_svg_of, str),
        "tree": _field(tree_of, _page("Tree", schemas.TreeShape)),
        "tree_svg": _field(tree_svg_of, str),
        **lists,
    }
    return object_type("Game", hints, descriptions, "A game, as one viewer sees it.", more=more)


def _summary_type() -> Any:
    hints = {key: OUTPUTS.hint(found.annotation) for key, found in schemas.GameShape.model_fields.items()}
    descriptions = field_descriptions(schemas.GameShape)
    del hints["world"]
    links = {"world": ROWS.link("world", WORLDS, descriptions["world"])}
    return object_type("GameSummary", hints, descriptions, "A game in a list; `game(id:)` shows all of it.", more=links)


GameType = _game_type()
GameSummary = _summary_type()
GameConnection = connection_of("GameSummary", GameSummary)


def games_list(
    info: strawberry.Info,
    ruleset: str | None = None,
    status: str | None = None,
    world: UUID | None = None,
    demo: bool = False,
    mine: bool = False,
    my_turn: bool = False,
    asked: bool = False,
    as_gm: bool = False,
    first: int = DEFAULT_SIZE,
    after: str | None = None,
) -> Any:
    """Public games and those you sit in, the newest first. `myTurn` is one inbox for all of them: where a seat of yours
    may or must act now; `asked`: where it owes an answer; `demo`: what the service's demo plays now.
    """
    asker = asker_of(info)
    asker.may_look(as_gm=as_gm)
    if status is not None and status not in STATUSES:
        raise Fault("query.invalid", f"This must be one of {', '.join(STATUSES)}.", parameter="status")
    visibility = Visibility(user=asker.user)
    wanted = {
        name: value for name, value in (("ruleset", ruleset), ("status", status), ("world", world)) if value is not None
    }
    rows = selectors.games_for(visibility).filter(**wanted)
    if demo:
        rows = selectors.demo_games(rows)
    if mine:
        rows = rows.filter(table.games_sat_in(asker.user))
    if asked or my_turn:
        rows = rows.filter(pk__in=table.games_waiting_for(asker.user, as_gm=as_gm, must=asked))
    read, more = page_of(games.games_rows(rows), Game, ORDER, first, after)
    nodes: list[Row] = as_page(games.games_json(read, asker.user), visibility)
    return Connected(read, nodes, ORDER, more, after)


def game_one(info: strawberry.Info, id: UUID, seat: UUID | None = None, as_gm: bool = False) -> Any:
    """One game. `seat` chooses whose secrets are shown; `asGm` uses a game-master's view."""
    return view_for(asker_of(info), id, seat, as_gm=as_gm)


@strawberry.type
class NumberedRule:
    """A numbered rule."""

    id: str
    chapter: str
    text: str


@strawberry.type
class RulesetCommand:
    """A command that people may issue."""

    name: str = strawberry.field(description="Its part of the address in REST.")
    type: str = strawberry.field(description="Its class, as the log names it.")
    description: str
    issuers: list[str]
    rules: list[str] = strawberry.field(description="Ids of the rules it follows.")
    while_paused: bool
    body: JSON = strawberry.field(description="JSON Schema of its fields.")


def rulebook(root: Any, id: str | None = None) -> Any:
    """The rulebook as built, rule by rule; empty where there is none."""
    return [asdict(rule) for rule in rules_of(root["slug"], id)] if root["has_rulebook"] else []


def commands_of(root: Any) -> Any:
    """Every command that people may issue."""
    return list(catalogue(root["slug"]))


RulesetType = object_type(
    "Ruleset",
    {"slug": str, "title": str, "summary": str, "has_rulebook": bool, "resources": list[str], "options": JSON}
    | {"bots": list[str]},
    {"options": "JSON Schema of `options` when a game is opened.", "bots": "The policies that may play a seat."},
    "A game that can be played here.",
    more={"rules": _field(rulebook, list[NumberedRule]), "commands": _field(commands_of, list[RulesetCommand])},
)


def ruleset_value(rules: Ruleset) -> dict[str, Any]:
    """A ruleset as its type reads it."""
    return {
        "slug": rules.slug,
        "title": rules.title,
        "summary": rules.summary,
        "has_rulebook": book_of(rules.slug).is_file(),
        "resources": [resource.name for resource in own_resources(rules.slug)],
        "options": rules.options.model_json_schema(),
        "bots": sorted(rules.policies),
    }


def rulesets_list(info: strawberry.Info) -> Any:
    """Every ruleset that is installed."""
    asker_of(info).may_look()
    return [ruleset_value(rules) for rules in registry.rulesets()]


def ruleset_one(info: strawberry.Info, slug: str) -> Any:
    """One ruleset."""
    asker_of(info).may_look()
    return ruleset_value(registry.ruleset(slug))


def server_time() -> datetime:
    """The server's time."""
    return timezone.now()


QUERIES: dict[str, Any] = {
    "rulesets": _field(rulesets_list, many(RulesetType)),
    "ruleset": _field(ruleset_one, RulesetType),
    "games": _field(games_list, GameConnection),
    "game": _field(game_one, GameType),
    "server_time": _field(server_time, datetime),
}
