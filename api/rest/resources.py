"""Rows over REST: one list and, where a row has an id, one detail for each `Resource`, of worlds and of every game.

Lists are read as columns and written by orjson; the query count is the same whatever the size.
"""

from collections.abc import Iterator
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import Model, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api.common.exceptions import Fault
from api.common.paging import CursorPages
from api.representations import maps
from api.representations.resources.resource import Resource
from api.representations.resources.serializers import filterset_of, serializer_of
from api.representations.resources.state_tables import every_own_resource
from api.representations.resources.visibility import visibility_of
from api.representations.resources.worlds import RESOURCES, WORLDS
from api.representations.world_chronicle import tale_of
from api.rest.base import ApiView, CachedAuthView, OneRepresentation, not_modified, private, uuid_in, view_in, with_etag
from api.rest.charts import svg, tag_of
from api.rest.parameters import IF_NONE_MATCH, NOT_MODIFIED, SVG, VIEWER
from api.rest.schema_postprocessing import first_sentence
from core.places.cards import across, read_across
from worlds.models import World
from worlds.visibility import Visibility

PAGING = ("limit", "cursor")
OF_GAME = ("game", "seat", "as")
GAME = OpenApiParameter(
    "game", UUID, description="Only rows of this game, as you may see it there; without it only lone seats count."
)


class RowsView(CachedAuthView, GenericAPIView[Model]):
    """Rows of one resource."""

    meaning: ClassVar[str] = ""
    """What its `get` answers, for the OpenAPI document."""
    resource: ClassVar[Resource]
    framed: ClassVar[bool] = False
    """Whether the rows belong to games, so that `game`, `seat` and `as` choose the viewer."""

    def visibility(self, request: Request) -> Visibility:
        """Who looks. Raises `game.missing`, `seat.missing`, `gm.missing`."""
        user = self.user_id(request)
        if not self.framed:
            return Visibility(user=user)
        game, seat, as_ = uuid_in(request, "game"), uuid_in(request, "seat"), view_in(request)
        if game is None and not self.resource.within:  # packs: rows of no place, and seats are those of all games
            with across():
                return visibility_of(user, seat=seat, as_=as_)
        return visibility_of(user, game=game, seat=seat, as_=as_)

    def get_queryset(self) -> QuerySet[Any]:
        """The rows that may be seen."""
        return self.resource.visible(self.visibility(self.request))

    def known_parameters(self, method: str) -> tuple[str, ...]:
        """Its filters, paging, and what chooses the viewer."""
        return (*self.resource.parameters, *PAGING, *(OF_GAME if self.framed else ()))


class RowListView(RowsView):
    """A list of rows, in pages."""

    meaning = "A page of rows; `next` leads on. All filters given must fit."
    pagination_class = CursorPages

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """As every view; the list is within a game or a world, and no filter is empty: it would hold for every row.

        Raises Fault (within.missing, query.invalid, 422).
        """
        super().initial(request, *args, **kwargs)
        for name in self.resource.parameters:
            if request.query_params.get(name) == "":
                raise Fault("query.invalid", "This filter has no value; leave it out, or say one.", parameter=name)
        if "world_id" not in kwargs:
            self.resource.check_within(request.query_params)

    def get(self, request: Request, **in_path: Any) -> Response:
        """A page of rows; `next` leads on. All filters given must fit."""
        world = in_path.get("world_id")
        page = self.beginning(request, world) if self.is_plain_request(request) else self.page_rows(request, world)
        if world and not page:  # where a row is seen, its world is
            visible_world(world, self.user_id(request))
        return self.get_paginated_response(self.resource.representations(page))

    def is_plain_request(self, request: Request) -> bool:
        """Whether the first page is asked for, of all rows of a world or of all worlds: what most ask for."""
        return not self.framed and request.query_params.keys() <= {CursorPages.limit_query_param}

    def beginning(self, request: Request, world: UUID | None) -> list[Any]:
        """The first page of all rows."""
        pages: Any = self.paginator
        size = pages.size(request)
        found = self.resource.first_rows(self.user_id(request), world, size + 1)
        rows: list[Any] = pages.page(request, found, size, self.resource.order)
        return rows

    def page_rows(self, request: Request, world: UUID | None) -> list[Any]:
        """A page of the rows that fit."""
        rows = self.get_queryset()
        if not request.query_params.keys().isdisjoint(self.resource.parameters):  # a form costs as much as a query
            rows = self.filter_queryset(rows)
        if world:
            rows = rows.filter(**{self.resource.filters["world"]: world})
        return self.paginate_queryset(self.resource.read_from(rows)) or []


class RowView(RowsView):
    """One row."""

    meaning = "One row; 404 where there is none that you may see."
    pagination_class = None
    filter_backends = ()

    def known_parameters(self, method: str) -> tuple[str, ...]:
        """What chooses the viewer."""
        return OF_GAME if self.framed else ()

    def get(self, request: Request, key: UUID) -> Response:
        """The row; 404 where there is none that you may see."""
        rows = self.resource.read_from(self.get_queryset().filter(**{str(self.resource.key): key}))
        for row in self.resource.representations(rows[:1]):
            return private(row)
        raise Http404


@extend_schema(tags=["worlds"])
class WorldMapView(ApiView):
    """The map of a world."""

    content_negotiation_class = OneRepresentation

    @extend_schema(operation_id="world_map", parameters=[IF_NONE_MATCH], responses=SVG)
    def get(self, request: Request, world_id: UUID) -> HttpResponse:
        """The map as it is now, as SVG. 404 while there is none."""
        user = self.user_id(request)
        world = World.objects.visible_to(Visibility(user=user)).filter(pk=world_id).first()
        return svg(maps.map_of(maps.require_map(world)), "")


@extend_schema(tags=["worlds"])
class WorldTaleView(ApiView):
    """The chronicle of a world as a text."""

    content_negotiation_class = OneRepresentation

    @extend_schema(
        operation_id="world_tale",
        parameters=[IF_NONE_MATCH],
        responses={(200, "text/markdown"): OpenApiTypes.STR, 304: NOT_MODIFIED},
    )
    def get(self, request: Request, world_id: UUID) -> HttpResponse:
        """The chronicle as Markdown, a heading for each chapter. Its entries are `worlds/<id>/chronicle/`."""
        tale = tale_of(get_object_or_404(World.objects.visible_to(Visibility(user=self.user_id(request))), pk=world_id))
        tag = tag_of(tale)
        answer = HttpResponse(tale, content_type="text/markdown; charset=utf-8")
        answer["X-Content-Type-Options"] = "nosniff"
        return not_modified(request, tag) or with_etag(answer, tag)


def visible_world(world: UUID, user: UUID | None) -> UUID:
    """The id of a world that this user may see. Raises Http404."""
    if not WORLDS.visible(Visibility(user=user)).filter(pk=world).exists():
        raise Http404
    return world


class LongPages(CursorPages):
    """Pages of many small rows."""

    largest_size = 1000


def scope_parameters(resource: Resource) -> list[OpenApiParameter]:
    """The filters that say which game's or world's rows a list is of; needed where there is only one."""
    needed = len(resource.within) == 1
    return [
        OpenApiParameter(
            name,
            UUID,
            required=needed,
            description=f"The {name} whose rows are listed. A list of neither is refused (422 `within.missing`).",
        )
        for name in resource.within
    ]


def view_of(
    base: type[RowsView], resource: Resource, tag: str, operation: str, *, framed: bool, below: bool = False
) -> Any:
    """The view class of a resource, with its documentation. below: whether its address names the world."""
    serializer, many = serializer_of(resource), base is RowListView
    body: dict[str, Any] = {
        "resource": resource,
        "framed": framed,
        "queryset": resource.model._default_manager.all(),
        "serializer_class": serializer,
        "__doc__": resource.summary,
        "__module__": __name__,
    }
    if many:
        body["filterset_class"] = filterset_of(resource)
        body["page_ordering"] = resource.order
        body["pagination_class"] = LongPages if resource.largest > CursorPages.largest_size else CursorPages
    parameters = [*VIEWER, *(() if many and "game" in resource.filters else (GAME,))] if framed else []
    if many and not below:
        parameters += scope_parameters(resource)
    description = f"{resource.summary}\n\n{base.meaning}"
    documented = extend_schema(
        tags=[tag],
        operation_id=operation,
        parameters=parameters,
        description=description,
        summary=first_sentence(resource.summary),
        responses=serializer(many=many),
    )
    view = type(f"{resource.type_name}{base.__name__}", (base,), body)
    return extend_schema_view(get=documented)(view)


def rows_at(address: str, resource: Resource, tag: str, prefix: str, *, framed: bool) -> Iterator[URLPattern]:
    """The addresses of a resource: its list and, where rows have ids, each row."""
    noun = f"{prefix}{resource.name}".replace("-", "_")
    rows = view_of(RowListView, resource, tag, noun, framed=framed).as_view()
    yield path(f"{address}{resource.name}/", read_across(rows) if resource is WORLDS else rows, name=noun)
    if resource.key is not None:
        row = view_of(RowView, resource, tag, f"{noun}_one", framed=framed)
        yield path(f"{address}{resource.name}/<uuid:key>/", row.as_view(), name=f"{noun}-one")


def world_patterns() -> Iterator[URLPattern]:
    """Worlds, their entities, and the same entities below one world (`worlds/<id>/races/`)."""
    yield from rows_at("", WORLDS, "worlds", "", framed=False)
    yield path("worlds/<uuid:world_id>/map.svg", WorldMapView.as_view(), name="world-map")
    yield path("worlds/<uuid:world_id>/chronicle.md", WorldTaleView.as_view(), name="world-tale")
    for resource in RESOURCES:
        yield from rows_at("worlds/", resource, "worlds", "", framed=False)
        noun = f"world_{resource.name}".replace("-", "_")
        below = view_of(RowListView, resource, "worlds", noun, framed=False, below=True)
        yield path(f"worlds/<uuid:world_id>/{resource.name}/", below.as_view(), name=noun)


def own_patterns() -> Iterator[URLPattern]:
    """The rows of each game under its slug."""
    for slug, resource in every_own_resource():
        yield from rows_at(f"{slug}/", resource, slug, f"{slug}_", framed=True)


urlpatterns = [*world_patterns(), *own_patterns()]
