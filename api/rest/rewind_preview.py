"""What a rewind would undo, over REST: read by a game-master before going back (`rewind`)."""

import re
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.common.exceptions import Fault
from api.common.keyset import page_size
from api.representations.rewind_preview import rewind_preview_json
from api.representations.shapes.log import RewindPreviewShape
from api.rest.base import GameView, private
from api.rest.parameters import VIEWER
from api.rest.play import EVENTS_LIMIT, MAX_EVENTS, SPAN

LONG = re.compile(r"[0-9]{1,9}", re.ASCII)


@extend_schema(tags=["log"], parameters=VIEWER)
class RewindPreviewView(GameView):
    """What a rewind would undo."""

    parameters = {"GET": ("seat", "as", "to", "limit")}

    @extend_schema(
        operation_id="rewind_preview",
        parameters=[
            OpenApiParameter(
                "to",
                {"type": "integer", "minimum": 0, "default": 0},
                description="The `number` of an event; its command would stand last. 0 lists the latest events of all.",
            ),
            EVENTS_LIMIT,
        ],
        responses=RewindPreviewShape,
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """The events behind a moment, the latest first, for game-masters (`as=gm`). Nothing changes; see `rewind`."""
        viewer, to = self.viewer(request, game_id), request.query_params.get("to", "0")
        if not LONG.fullmatch(to):
            raise Fault("query.invalid", "`to` is the number of an event, a whole number from 0.", parameter="to")
        limit = page_size(request.query_params.get("limit"), default=SPAN, largest=MAX_EVENTS)
        return private(rewind_preview_json(viewer, int(to), limit))
