"""Games over REST: the list, a new one, its detail, the whole state, seats, and what is owed."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.common.exceptions import Fault
from api.common.paging import CursorPages
from api.common.viewer import look
from api.representations import games, table
from api.representations.shapes.games import GameDetail, GameList, PromptList, SeatList, TimerList
from api.representations.shapes.state_schemas import part_names
from api.rest.base import (
    SEAT_AND_VIEW,
    ApiView,
    GameView,
    choice_in,
    flag_in,
    json_bytes,
    not_modified,
    private,
    uuid_in,
)
from api.rest.parameters import IF_NONE_MATCH, NOT_MODIFIED, PAGE, VIEWER, flag
from api.rest.schema_components import OpenGame, StateAnswer
from core.places import routing
from games.engine.game_state import Status
from games.models import Game
from games.reads import selectors
from worlds.visibility import Visibility

STATUSES = tuple(status.value for status in Status)
LOOKS = 4  # at a game that moves while it is read; then it is held


@extend_schema(tags=["games"])
class GamesView(ApiView):
    """The games that may be watched or played."""

    parameters = {"GET": ("ruleset", "status", "world", "demo", "mine", "my_turn", "asked", "as", "limit", "cursor")}
    page_ordering = ("-created_at", "id")

    @extend_schema(
        operation_id="games",
        parameters=[
            OpenApiParameter("ruleset", str, description="Only games of this ruleset (slug)."),
            OpenApiParameter("status", str, enum=STATUSES, description="Only games in this phase of their life."),
            OpenApiParameter("world", UUID, description="Only games that are played in this world."),
            flag("demo", "1: only the games that the service's demo plays now."),
            flag("mine", "1: only games in which you hold a seat."),
            flag("my_turn", "1: only games in which a seat of yours may or must act now (`waiting_for`)."),
            flag("asked", "1: only games in which a seat of yours owes an answer."),
            OpenApiParameter("as", str, enum=["gm"], description="With `my_turn`, `asked`: you as game-master."),
            *PAGE,
        ],
        responses={(200, "application/json"): GameList},
    )
    def get(self, request: Request) -> Response:
        """Public games and those you sit in, the newest first. `?my_turn=1` is one inbox for all of them.

        Lobbies of others in which nothing has happened since they were opened are listed where `status` or `demo` is
        asked for.
        """
        user = self.user_id(request)
        rows = self.matching_games(request, selectors.games_for(Visibility(user=user)))
        if "status" not in request.query_params and not flag_in(request, "demo"):
            rows = selectors.games_in_use(rows, user)
        if flag_in(request, "demo"):
            rows = selectors.demo_games(rows)
        if flag_in(request, "mine"):
            rows = rows.filter(table.games_sat_in(user))
        as_gm = choice_in(request, "as", ("gm",)) is not None
        must, waited_for = flag_in(request, "asked"), flag_in(request, "my_turn")
        if must or waited_for:
            rows = rows.filter(pk__in=table.games_waiting_for(user, as_gm=as_gm, must=must))
        pages = CursorPages()
        page = pages.paginate_queryset(games.games_rows(rows), request, self)
        return pages.get_paginated_response(games.games_json(page, user))

    def matching_games(self, request: Request, rows: QuerySet[Game]) -> QuerySet[Game]:
        """The games that fit the plain filters."""
        wanted: dict[str, Any] = {}
        if (ruleset := request.query_params.get("ruleset")) is not None:
            wanted["ruleset"] = ruleset
        if (status := choice_in(request, "status", STATUSES)) is not None:
            wanted["status"] = status
        if (world := uuid_in(request, "world")) is not None:
            wanted["world"] = world
        return rows.filter(**wanted)

    @extend_schema(operation_id="open_game", request=OpenGame, responses={201: GameDetail})
    def post(self, request: Request) -> Response:
        """Open a game. Its opener gets the seats of host and game-master; players join, then one of them starts it."""
        raw, wish, user = request.body, request.data, self.user_id(request)
        assert user is not None  # TokenScopes
        if not isinstance(wish, dict) or not isinstance(wish.get("ruleset"), str):
            raise Fault("body.invalid", "Name the ruleset of the game.", pointer="/ruleset")
        game = games.open_game(wish["ruleset"], raw, user)
        with routing.at(game.pk):
            viewer = look(game, user)
            detail = games.game_detail(viewer, selectors.cursor_for(game, viewer.visibility))
        return private(detail, 201, {"Location": request.build_absolute_uri(f"{game.pk}/")})


@extend_schema(tags=["games"], parameters=VIEWER)
class GameDetailView(GameView):
    """One game."""

    @extend_schema(operation_id="game", responses=GameDetail)
    def get(self, request: Request, game_id: UUID) -> Response:
        """The game, your seats in it, and your cursor."""
        viewer = self.viewer(request, game_id)
        return private(games.game_detail(viewer, selectors.cursor_for(viewer.game, viewer.visibility)))


@extend_schema(tags=["play"], parameters=VIEWER)
class StateView(GameView):
    """The whole game, as one viewer may see it."""

    parameters = {"GET": (*SEAT_AND_VIEW, "parts")}

    @extend_schema(
        operation_id="state",
        parameters=[
            OpenApiParameter("parts", str, description="Only these parts, separated by commas, such as `races,wars`."),
            IF_NONE_MATCH,
        ],
        responses={200: StateAnswer, 304: NOT_MODIFIED},
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """Every part of the ruleset's state, with `cursor`: follow `events/?after=<cursor>` or the stream from there.

        What is over (a fought war, an ended alliance) is no part of it; the lists of rows have it.

        Send the ETag back as If-None-Match: the answer is 304 while nothing has happened that you may see.
        """
        for _ in range(LOOKS):
            if answer := self._state_answer(request, game_id):
                return answer
        with transaction.atomic():
            Game.objects.select_for_update(of=("self",)).get(pk=game_id)  # so much happens here: stop it for a moment
            if answer := self._state_answer(request, game_id):
                return answer
        raise Fault("game.busy", "So much happens in this game that it could not be read whole; try again.")

    def _state_answer(self, request: Request, game_id: UUID) -> HttpResponse | None:
        """What one look shows; None when the game moved meanwhile."""
        seen = self.cached_viewer(request, game_id)
        asked = request.query_params.get("parts")
        parts = None if asked is None else part_names(seen.viewer.game.ruleset, asked)
        position = games.position_of(seen)
        if answer := not_modified(request, position):
            return answer
        body = games.state_json(seen, parts)
        return json_bytes(body, position) if body is not None else None


@extend_schema(tags=["games"], parameters=VIEWER)
class SeatsView(GameView):
    """Who sits at the table."""

    @extend_schema(operation_id="seats", responses=SeatList)
    def get(self, request: Request, game_id: UUID) -> Response:
        """Every seat: players, host, game-masters, observers; empty ones can be taken (`join/`)."""
        return private({"results": table.seats_of(self.viewer(request, game_id))})


@extend_schema(tags=["play"], parameters=VIEWER)
class TimersView(GameView):
    """What the clock will do, and when."""

    @extend_schema(operation_id="timers", responses=TimerList)
    def get(self, request: Request, game_id: UUID) -> Response:
        """The timers you may see, the earliest first; count down from `due_in`, not from your own clock."""
        viewer, now = self.viewer(request, game_id), timezone.now()
        return private({"at": now, "results": table.timers_json(viewer, table.visible_timers(viewer), now)})


@extend_schema(tags=["play"], parameters=VIEWER)
class PromptsView(GameView):
    """What the viewer is asked."""

    parameters = {"GET": ("seat", "as", "all")}

    @extend_schema(
        operation_id="prompts",
        parameters=[
            flag("all", "1: every open prompt you may see, also those of others."),
        ],
        responses=PromptList,
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """The open prompts that you owe an answer; answer with one of the commands in `answered_by`."""
        viewer, now = self.viewer(request, game_id), timezone.now()
        timers = table.visible_timers(viewer)
        found = table.prompts_json(viewer, timers, now, every=flag_in(request, "all"))
        return private({"at": now, "results": found})
