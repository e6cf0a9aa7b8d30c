"""Games in GraphQL: the interface `Game`, a type for each ruleset with the rows of its tables, the list of games."""

from collections.abc import Iterable
from datetime import datetime
from inspect import cleandoc
from typing import Any
from uuid import UUID

import strawberry
import strawberry_django
from django.utils import timezone
from strawberry.annotation import StrawberryAnnotation
from strawberry.scalars import JSON

from api.common.keyset import LARGEST_SIZE
from api.graphql import game_fields as of
from api.graphql.connections import Column, Link, connection_of, order_of, rows_field
from api.graphql.context import context_of
from api.graphql.events import GameEvent
from api.graphql.mapping import Outputs, many, maybe, object_type
from api.graphql.rows import ROWS, attnames_of
from api.graphql.visibility import look_with, visibility_of_worlds_at
from api.representations import table
from api.representations.resources.worlds import WORLDS
from api.representations.shapes.commands import ForecastShape, LegalCommandList, LegalCommandShape
from api.representations.shapes.games import GameDetail, GameShape, PromptShape, SeatShape, TimerShape
from api.representations.shapes.log import ChroniclePage, DicePage, EventPage, RewindPreviewShape
from api.representations.shapes.numbers import BreakdownList, ReachList
from api.representations.shapes.pictures import ChartShape, Pictures, TreeShape
from api.representations.shapes.shape import EventJson
from api.representations.shapes.state_schemas import part_types
from api.representations.table import SEATS
from core.places.place import CARDS
from core.places.routing import at_place
from games import registry
from games.engine.game_state import Status
from games.engine.model import field_descriptions
from games.engine.ruleset import Ruleset
from games.models import Game, Seat
from games.reads import selectors
from worlds.visibility import Visibility

ORDER = ("-created_at", "id")
SEAT, WORLD = ROWS.made[SEATS], ROWS.made[WORLDS]
OUTPUTS = Outputs({EventJson: GameEvent, SeatShape: SEAT})
OF_DETAIL = frozenset({"world", "my_seats"})
"""Fields of the detail that are links in the graph."""


def _page(name: str, shape: Any) -> Any:
    return OUTPUTS.named_type(name, shape)


def _field(resolve: Any, kind: Any) -> Any:
    return strawberry.field(resolver=resolve, graphql_type=kind, description=cleandoc(resolve.__doc__ or ""))


def _legal_commands_type() -> Any:
    """The type of `legal_commands_of`: `schema` and `definitions` are JSON."""
    shape, page = LegalCommandShape, LegalCommandList
    own = {found.alias or key: OUTPUTS.hint(found.annotation) for key, found in shape.model_fields.items()}
    texts = {shape.model_fields[key].alias or key: text for key, text in field_descriptions(shape).items()}
    entry = object_type("LegalCommand", own, texts, shape.__doc__ or "")
    hints = {"cursor": str, "results": many(entry), "definitions": JSON}
    return object_type("LegalCommandList", hints, field_descriptions(page), page.__doc__ or "")


def seats_of(root: Any) -> Iterable[Any]:
    """Who sits at the table, by role and name."""
    return Seat.objects.filter(game=root["id"]).order_by(*SEATS.order)


FIELDS: dict[str, Any] = {
    "world": strawberry_django.field(resolver=of.world_of, graphql_type=maybe(WORLD), description=of.world_of.__doc__),
    "my_seats": _field(of.my_seats_of, many(SEAT)),
    "seats": strawberry_django.field(resolver=seats_of, graphql_type=many(SEAT), description=seats_of.__doc__),
    "timers": _field(of.timers_of, many(OUTPUTS.model(TimerShape))),
    "prompts": _field(of.prompts_of, many(OUTPUTS.model(PromptShape))),
    "events": _field(of.events_of, _page("EventPage", EventPage)),
    "legal_commands": _field(of.legal_commands_of, _legal_commands_type()),
    "forecast": _field(of.forecast_of, _page("Forecast", ForecastShape)),
    "breakdowns": _field(of.breakdowns_of, _page("BreakdownList", BreakdownList)),
    "reaches": _field(of.reaches_of, _page("ReachList", ReachList)),
    "rewind_preview": _field(of.rewind_preview_of, _page("RewindPreview", RewindPreviewShape)),
    "dice": _field(of.dice_of, _page("DicePage", DicePage)),
    "chronicle": _field(of.chronicle_of, _page("ChroniclePage", ChroniclePage)),
    "map_svg": _field(of.map_svg_of, str),
    "pictures": _field(of.pictures_of, _page("Pictures", Pictures)),
    "chart": _field(of.chart_of, _page("Chart", ChartShape)),
    "chart_svg": _field(of.chart_svg_of, str),
    "tree": _field(of.tree_of, _page("Tree", TreeShape)),
    "tree_svg": _field(of.tree_svg_of, str),
    "card_svg": _field(of.card_svg_of, str),
}
"""What every game has, beside the fields of its detail."""


def _detail() -> tuple[dict[str, Any], dict[str, Any]]:
    found = GameDetail.model_fields.items()
    hints = {key: OUTPUTS.hint(field.annotation) for key, field in found if key not in OF_DETAIL}
    return hints, field_descriptions(GameDetail)


def _interface() -> Any:
    hints, texts = _detail()
    body: dict[str, Any] = {key: strawberry.field(description=texts.get(key)) for key in hints}
    body |= {"__annotations__": hints, "__module__": __name__} | FIELDS
    body["resolve_type"] = classmethod(lambda cls, value, info, kind: str(value["__typename"]))
    description = "A game, as one viewer sees it; each ruleset has a type of its own, with the rows of its tables."
    return strawberry.interface(type("Game", (), body), name="Game", description=description)


GAME = _interface()


def _state_type(rules: Ruleset) -> Any:
    """The state of a ruleset's games: each part with its own type. Seats, timers and prompts are the game's fields."""
    parts = {name: OUTPUTS.hint(hint) for name, hint in part_types(rules.slug).items() if name not in FIELDS}
    return object_type(f"{rules.slug.title()}State", parts, {}, f"What a game of {rules.title} is now, part by part.")


def game_type(rules: Ruleset) -> Any:
    """The type of the games of a ruleset: the interface's fields, its state and the rows of its tables."""
    more: dict[str, Any] = {"state": _field(of.state_of, _state_type(rules))}
    rows = ROWS.game_fields(rules.slug)
    if clash := (set(more) | set(FIELDS) | set(GameDetail.model_fields)) & set(rows):
        raise TypeError(f"{rules.slug}: two fields are called {', '.join(sorted(clash))}")
    description = f"A game of {rules.title}, as one viewer sees it."
    return object_type(of.type_name(rules.slug), {}, {}, description, bases=(GAME,), apart=True, more=more | rows)


GAME_TYPES = [game_type(rules) for rules in registry.rulesets()]


def own_seats_of(info: Any) -> dict[UUID, frozenset[UUID]]:
    """The asker's player's seats by game, in all places: one query an operation."""
    context = context_of(info)
    if context.own_seats is None:
        with at_place(CARDS):
            context.own_seats = table.own_seats(context.user)
    return context.own_seats


def _summary() -> Any:
    texts = field_descriptions(GameShape)
    computed = {"chapter", "waiting_for", "world"}
    fields: dict[str, Any] = {}
    for name, found in GameShape.model_fields.items():
        if name not in computed:
            column = Column(
                type_annotation=StrawberryAnnotation(OUTPUTS.hint(found.annotation)),
                description=texts[name],
            )
            column.attname = name
            fields[name] = column

    def chapter(root: Game) -> Any:
        return table.chapter_json(root.ruleset, root.chapter)

    def waiting_for(root: Game, info: strawberry.Info) -> Any:
        return table.waiting_json(root.waiting_for, own_seats_of(info).get(root.pk, frozenset()), gm=False)

    for resolve in (chapter, waiting_for):
        name = resolve.__name__
        fields[name] = strawberry_django.field(
            resolver=resolve,
            graphql_type=OUTPUTS.hint(GameShape.model_fields[name].annotation),
            description=texts[name],
        )
    fields["world"] = Link(
        django_name="world", type_annotation=StrawberryAnnotation(maybe(WORLD)), description=texts["world"]
    )
    body = {
        "__annotations__": {name: field.type_annotation.raw_annotation for name, field in fields.items()},
        "__module__": __name__,
        "get_queryset": classmethod(lambda cls, rows, info: rows.visible_to(visibility_of_worlds_at(info))),
        **fields,
    }
    made = strawberry_django.type(
        Game,
        name="GameSummary",
        description="A game in a list; `game(id:)` shows all of it.",
        only=attnames_of(Game, GameShape.model_fields),
    )
    return made(type("GameSummary", (), body))


GameSummary = _summary()


def games_list(
    info: strawberry.Info,
    ruleset: str | None = None,
    status: OUTPUTS.hint(Status) | None = None,  # type: ignore[valid-type]
    world: UUID | None = None,
    demo: bool = False,
    mine: bool = False,
    my_turn: bool = False,
    asked: bool = False,
    as_gm: bool = False,
) -> Iterable[Any]:
    """Public games and those you sit in, the newest first. `myTurn` is one inbox for all of them: where a seat of yours
    may or must act now; `asked`: where it owes an answer; `demo`: what the service's demo plays now. Lobbies of others
    in which nothing has happened since they were opened are listed where `status` or `demo` is asked for.
    """
    context = context_of(info)
    context.may_look(as_gm=as_gm)
    visibility = Visibility(user=context.user)
    look_with(info, visibility)
    wanted = {
        name: value for name, value in (("ruleset", ruleset), ("status", status), ("world", world)) if value is not None
    }
    rows = selectors.games_for(visibility).filter(**wanted)
    if status is None and not demo:
        rows = selectors.games_in_use(rows, context.user)
    if demo:
        rows = selectors.demo_games(rows)
    if mine:
        rows = rows.filter(table.games_sat_in(context.user))
    if asked or my_turn:
        rows = rows.filter(pk__in=table.games_waiting_for(context.user, as_gm=as_gm, must=asked))
    found: Iterable[Any] = rows
    return found


def game_one(info: strawberry.Info, id: UUID, seat: UUID | None = None, as_gm: bool = False) -> Any:
    """One game. `seat` chooses whose secrets are shown; `asGm` uses a game-master's view: both hold for everything
    below, whatever the path.
    """
    context = context_of(info)
    context.may_look(as_gm=as_gm)
    return of.game_value(info, context.at(id, seat, as_gm=as_gm))


def server_time() -> datetime:
    """The server's time."""
    return timezone.now()


QUERIES: dict[str, Any] = {
    "games": rows_field(
        order=order_of(Game, ORDER),
        most=LARGEST_SIZE,
        hint=connection_of(GameSummary),
        resolver=games_list,
        description=cleandoc(str(games_list.__doc__)),
    ),
    "game": _field(game_one, GAME),
    "server_time": _field(server_time, datetime),
}
