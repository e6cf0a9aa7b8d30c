"""What there is to look at in a game: charts and trees, as JSON and as SVG, and cards."""

import re
from hashlib import sha256
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.common.exceptions import Fault
from api.representations import charts as representation_charts
from api.representations.shapes.pictures import ChartShape, Pictures, TreeShape
from api.rest.base import GameView, OneRepresentation, not_modified, private, uuid_in, with_etag
from api.rest.parameters import IF_NONE_MATCH, SVG, VIEWER

SUBJECT = OpenApiParameter("subject", UUID, description="Of this one alone, such as a race.")
CHART = OpenApiParameter("name", str, OpenApiParameter.PATH, description="A chart, as `pictures/` names it.")
KIND = OpenApiParameter("kind", str, OpenApiParameter.PATH, description="A kind of cards, as `pictures/` names it.")
CARD = OpenApiParameter("card_id", UUID, OpenApiParameter.PATH, description="A card, as `pictures/` lists it.")
TREE = OpenApiParameter("name", str, OpenApiParameter.PATH, description="A tree, as `pictures/` names it.")
CHAPTER = re.compile(r"[0-9]{1,4}", re.ASCII)
LATEST = 9_999


def chapter(description: str) -> OpenApiParameter:
    """A chapter of a game; description: what it chooses."""
    return OpenApiParameter("chapter", {"type": "integer", "minimum": 0, "maximum": LATEST}, description=description)


def chapter_in(request: Request) -> int | None:
    """The chapter of the query; None when it is absent. Raises Fault (query.invalid)."""
    text = request.query_params.get("chapter")
    if text is not None and not CHAPTER.fullmatch(text):
        raise Fault("query.invalid", f"A chapter is a whole number from 0 to {LATEST}.", parameter="chapter")
    return None if text is None else int(text)


def tag_of(drawn: bytes) -> str:
    """The ETag of a picture: it follows from what is shown, so it reveals nothing else."""
    return f"drawn-{sha256(drawn).hexdigest()[:32]}"


def svg(drawn: bytes, tag: str) -> HttpResponse:
    """A picture with its ETag, in which nothing can be run."""
    answer = HttpResponse(drawn, content_type="image/svg+xml; charset=utf-8")
    answer["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    answer["X-Content-Type-Options"] = "nosniff"
    return with_etag(answer, tag)


def picture(request: Request, drawn: bytes) -> HttpResponse:
    """A picture of one viewer's, or 304 when the viewer has it already."""
    tag = tag_of(drawn)
    return not_modified(request, tag) or svg(drawn, tag)


@extend_schema(tags=["log"], parameters=VIEWER)
class PicturesView(GameView):
    """The charts, trees and cards of a game, and its chapter."""

    @extend_schema(operation_id="pictures", responses=Pictures)
    def get(self, request: Request, game_id: UUID) -> Response:
        """The charts, trees and cards of a game, and the chapter that it is in. The map is `map.svg?chapter=`."""
        return private(representation_charts.pictures_json(self.viewer(request, game_id)))


class SubjectView(GameView):
    """A view that may be about one subject."""

    parameters = {"GET": ("seat", "as", "subject")}


@extend_schema(tags=["log"], parameters=[CHART, *VIEWER, SUBJECT])
class ChartView(SubjectView):
    """A chart as values."""

    @extend_schema(operation_id="chart", responses=ChartShape)
    def get(self, request: Request, game_id: UUID, name: str) -> Response:
        """Values at the end of each chapter, and now. What you may not see is not in it: of mana, all but your own."""
        return private(
            representation_charts.chart_json(self.viewer(request, game_id), name, uuid_in(request, "subject"))
        )


@extend_schema(tags=["log"], parameters=[CHART, *VIEWER, SUBJECT, IF_NONE_MATCH])
class ChartSvgView(SubjectView):
    """A chart as a picture."""

    content_negotiation_class = OneRepresentation

    @extend_schema(operation_id="chart_svg", responses=SVG)
    def get(self, request: Request, game_id: UUID, name: str) -> HttpResponse:
        """The chart as SVG, with what you may see."""
        return picture(
            request, representation_charts.chart_of(self.viewer(request, game_id), name, uuid_in(request, "subject"))
        )


@extend_schema(tags=["log"], parameters=[TREE, *VIEWER, SUBJECT])
class TreeView(SubjectView):
    """A tree as nodes and edges."""

    @extend_schema(operation_id="tree", responses=TreeShape)
    def get(self, request: Request, game_id: UUID, name: str) -> Response:
        """Nodes, edges, and for each subject, or one, what it has, what it can have next, and what is locked."""
        return private(
            representation_charts.tree_json(self.viewer(request, game_id), name, uuid_in(request, "subject"))
        )


@extend_schema(tags=["log"], parameters=[TREE, *VIEWER, SUBJECT, IF_NONE_MATCH])
class TreeSvgView(SubjectView):
    """A tree as a picture."""

    content_negotiation_class = OneRepresentation

    @extend_schema(operation_id="tree_svg", responses=SVG)
    def get(self, request: Request, game_id: UUID, name: str) -> HttpResponse:
        """The tree as SVG; with `subject` what it has, can have next, and what is locked are marked."""
        return picture(
            request, representation_charts.tree_of(self.viewer(request, game_id), name, uuid_in(request, "subject"))
        )


@extend_schema(tags=["log"], parameters=[KIND, CARD, *VIEWER, IF_NONE_MATCH])
class CardView(GameView):
    """A card as a picture."""

    parameters = {"GET": ("seat", "as")}
    content_negotiation_class = OneRepresentation

    @extend_schema(operation_id="card_svg", responses=SVG)
    def get(self, request: Request, game_id: UUID, kind: str, card_id: UUID) -> HttpResponse:
        """A character or a thing as a card, with what you may see of it."""
        return picture(request, representation_charts.card_of(self.viewer(request, game_id), kind, card_id))
