"""What is shown before a command, over REST: what may be done now, what it would do, how the numbers came about."""

import re
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.common.exceptions import Fault
from api.representations.breakdowns import breakdowns_json
from api.representations.issuing.commands import PAGES, filter_of, forecast_json, legal_commands_json
from api.representations.reaches import reaches_json
from api.representations.shapes.commands import ForecastShape, LegalCommandList
from api.representations.shapes.numbers import BreakdownList, ReachList
from api.rest.base import GameView, private, uuid_in
from api.rest.parameters import VIEWER
from api.rest.schema_components import CommandBody
from games.engine.board.board import Square

WHOLE = re.compile(r"[0-9]{1,6}", re.ASCII)
COORDINATE = {"type": "integer", "minimum": 0, "maximum": 999_999}


@extend_schema(tags=["play"], parameters=VIEWER)
class LegalCommandsView(GameView):
    """What the viewer may do now."""

    parameters = {"GET": ("seat", "as", "command", "about", "page", "legal")}

    @extend_schema(
        operation_id="legal_commands",
        parameters=[
            OpenApiParameter("command", str, description="Only this command, such as `cast-power`."),
            OpenApiParameter(
                "about", str, description="Only commands with this value among their arguments, such as a power's key."
            ),
            OpenApiParameter(
                "page",
                {"type": "integer", "minimum": 0, "maximum": PAGES, "default": 0},
                description="Which 200 values of long domains, where a command can page; `x-more` counts what follows.",
            ),
            OpenApiParameter(
                "legal",
                {"type": "integer", "enum": [0, 1], "default": 0},
                description=(
                    "1: only what is legal now, in short. Alike entries are one, without `steps` and `facts`, members "
                    "that say nothing are left out, and without `command` or `about` the answer has at most 20 KB: "
                    "long domains list fewer values, and `x-more` counts the rest."
                ),
            ),
        ],
        responses=LegalCommandList,
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """Commands with the JSON Schema of what they accept now and their price, or the reason and rule that bars them.

        What the schema of a legal command admits is accepted, but for what nobody could know beforehand: a secret, or
        what another has done meanwhile.
        """
        asked, viewer = request.query_params, self.viewer(request, game_id)
        page = asked.get("page", "0")
        if not WHOLE.fullmatch(page):
            raise Fault("query.invalid", "A page is a whole number from 0.", parameter="page")
        legal = asked.get("legal", "0")
        if legal not in ("0", "1"):
            raise Fault("query.invalid", "Say `legal=1` for what is legal alone, or leave it out.", parameter="legal")
        narrow = filter_of(asked.get("command", ""), asked.get("about", ""), int(page), legal=legal == "1")
        return private(legal_commands_json(viewer, narrow))


class ForecastView(GameView):
    """Forecast what a command would do."""

    parameters = {"POST": ("seat", "as")}

    @extend_schema(
        operation_id="forecast",
        tags=["play"],
        request=CommandBody,
        parameters=[
            OpenApiParameter("command", str, OpenApiParameter.PATH, description="The command, such as `cast-power`."),
            *VIEWER,
        ],
        responses={200: ForecastShape},
    )
    def post(self, request: Request, game_id: UUID, command: str) -> Response:
        """What the command would do, with its price and the odds of every die; nothing is rolled, paid or stored.

        The body is that of the command. It needs no number at the Window. Only what you may see is used; where
        something hidden could matter, `hidden` says what.
        """
        raw = request.body
        viewer = self.viewer(request, game_id)
        _ = request.data  # media type, UTF-8, duplicate keys, depth: 400 or 415
        return private(forecast_json(viewer, command, raw))


@extend_schema(tags=["play"], parameters=VIEWER)
class BreakdownsView(GameView):
    """Numbers with their sources."""

    parameters = {"GET": ("seat", "as", "subject", "x", "y")}

    @extend_schema(
        operation_id="breakdowns",
        parameters=[
            OpenApiParameter("subject", UUID, description="Only the numbers of this one: a race, a character."),
            OpenApiParameter(
                "x", COORDINATE, description="With `y`: what holds on this square. Column, from the west."
            ),
            OpenApiParameter("y", COORDINATE, description="With `x`. Row, from the north."),
        ],
        responses=BreakdownList,
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """Each number step by step: source, rule, and what it does; the last value is what the rules use.

        What you may not see does not count: the mana of a race is visible to the god who earns it, and to game-masters.
        """
        viewer, subject = self.viewer(request, game_id), uuid_in(request, "subject")
        return private(breakdowns_json(viewer, subject, square_in(request)))


@extend_schema(tags=["play"], parameters=VIEWER)
class ReachesView(GameView):
    """The squares that races border."""

    parameters = {"GET": ("seat", "as", "subject")}

    @extend_schema(
        operation_id="reaches",
        parameters=[OpenApiParameter("subject", UUID, description="Only what this race borders.")],
        responses=ReachList,
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """Which squares each race borders: those it could settle, and those of races that it could attack.

        By ranges and limits alone; what else bars a command is listed by `legal-commands/`.
        """
        viewer, subject = self.viewer(request, game_id), uuid_in(request, "subject")
        return private(reaches_json(viewer, subject))


def square_in(request: Request) -> Square | None:
    """The square that `x` and `y` name; None where neither is given. Raises Fault (query.invalid)."""
    given = [request.query_params.get(name) for name in ("x", "y")]
    if given == [None, None]:
        return None
    if not all(value is not None and WHOLE.fullmatch(value) for value in given):
        raise Fault("query.invalid", "Name a square by `x` and `y`, both whole numbers from 0.", parameter="x")
    x, y = (int(str(value)) for value in given)
    return Square(y, x)
