"""Play over REST: commands, and the log in all its forms. Forecasts and menus are in `previews`."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.common.authentication import principal_of
from api.common.exceptions import Fault
from api.common.keyset import page_size
from api.common.strict_json import UnreadJSONParser
from api.representations import log, maps, story
from api.representations.issuing.commands import command_now_json
from api.representations.issuing.issue import KEY, issue
from api.representations.log_span import Span, events_in
from api.representations.shapes.commands import CommandDone, CommandDryRun, CommandNow
from api.representations.shapes.log import ChroniclePage, DicePage, EventPage
from api.rest.base import (
    SEAT_AND_VIEW,
    VARY,
    GameView,
    OneRepresentation,
    choice_in,
    flag_in,
    not_modified,
    private,
    tags_in,
    uuid_in,
    view_in,
)
from api.rest.charts import chapter, chapter_in, picture, svg
from api.rest.parameters import (
    AFTER,
    BEFORE,
    IDEMPOTENCY_KEY,
    IF_MATCH,
    IF_NONE_MATCH,
    SVG,
    VIEWER,
    flag,
    size,
    span_size,
)
from api.rest.schema_components import CommandBody, JoinBody
from games.reads import selectors
from worlds.visibility import Visibility

MAX_EVENTS = 500
MAX_LINES = 1000
SPAN = 100
EVENTS_LIMIT, SPAN_LIMIT = size(MAX_EVENTS, SPAN), span_size(MAX_EVENTS, SPAN)
LAST = OpenApiParameter(
    "last", {"type": "integer", "minimum": 1, "maximum": MAX_EVENTS}, description="The last so many events."
)
LINES_LIMIT = span_size(MAX_LINES, MAX_LINES)
LAST_LINES = OpenApiParameter(
    "last",
    {"type": "integer", "minimum": 1, "maximum": MAX_LINES},
    description="What the last so many events complete.",
)
OF_CHAPTER = chapter("Only what happened in this chapter; 0: before the first. From the beginning when absent.")
ABOUT = OpenApiParameter("about", UUID, description="Only events that name the thing, person or place of this id.")
TYPE = OpenApiParameter("type", str, description="Only events of this type, such as `core.MessageSent`.")
SPAN_PARAMETERS = ("after", "limit", "before", "last", "chapter", "about")
NAME = OpenApiParameter("command", str, OpenApiParameter.PATH, description="The command, such as `declare-war`.")
TEXTS = {"text": "text/plain; charset=utf-8", "markdown": "text/markdown; charset=utf-8"}


def idempotency_key(request: Request) -> str:
    """The key of the request; empty when none was sent. Raises Fault (request.unfit, 400)."""
    key = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not KEY.fullmatch(key):
        raise Fault("request.unfit", "Idempotency-Key has 1 to 255 printable ASCII characters.")
    return key or ""


def expected_cursor(request: Request) -> str:
    """The cursor that the client acted on: `?expected=`, or If-Match with a cursor or an ETag of ours.

    Of several, separated by commas, any will do. Raises Fault (request.unfit, 400).
    """
    if cursor := request.query_params.get("expected"):
        return str(cursor)
    tags = tags_in(request.META.get("HTTP_IF_MATCH", ""))
    return ",".join(tag.partition(".")[0] for tag in tags if tag != "*")


class IssuingView(GameView):
    """A view that issues a command of a game."""

    parameters = {"POST": ("seat", "as", "expected", "dry_run")}
    parser_classes = (UnreadJSONParser,)

    def issue(self, request: Request, game_id: UUID, name: str) -> Response:
        """Issue it, answer."""
        body: Any = request.data  # another media type: 415
        answer = issue(
            principal_of(request),
            game_id,
            name,
            body if isinstance(body, bytes) else b"",
            seat=uuid_in(request, "seat"),
            as_gm=view_in(request) == "gm",
            key=idempotency_key(request),
            expected=expected_cursor(request),
            dry_run=flag_in(request, "dry_run"),
        )
        return private(answer.json(), 200 if answer.dry_run else 201)


class CommandView(IssuingView):
    """Issue one command of a game's ruleset; the body is the command."""

    parameters = {"GET": SEAT_AND_VIEW, **IssuingView.parameters}

    @extend_schema(
        operation_id="command",
        tags=["play"],
        request=CommandBody,
        parameters=[
            NAME,
            *VIEWER,
            OpenApiParameter("expected", str, description="The cursor you acted on; 412 when the game has moved on."),
            flag("dry_run", "1: only say what would happen (200); nothing is stored."),
            IDEMPOTENCY_KEY,
            IF_MATCH,
        ],
        responses={201: CommandDone, 200: CommandDryRun},
        examples=[
            OpenApiExample("Stop the clock (`pause`, ?as=gm)", {"reason": "Tea."}, request_only=True),
            OpenApiExample("Begin play (`start`, ?as=gm)", {}, request_only=True),
        ],
    )
    def post(self, request: Request, game_id: UUID, command: str) -> Response:
        """Execute a command: completely and once, or not at all.

        For programs that learn the names of commands while they run; each command has an operation of its own below.
        The body is the command named in the address; `/rulesets/{slug}/commands/` has the JSON Schema of each. The
        answer lists the events that you may see. A refusal (409) says which rule and why, and changes nothing.
        """
        return self.issue(request, game_id, command)

    @extend_schema(
        operation_id="command_now",
        tags=["play"],
        parameters=[NAME, *VIEWER],
        responses=CommandNow,
    )
    def get(self, request: Request, game_id: UUID, command: str) -> Response:
        """The schema of a command, its rules and issuers, and what you may do with it now."""
        return private(command_now_json(self.viewer(request, game_id), command))


class JoinView(IssuingView):
    """Take a seat: the command `join` under an address of its own."""

    @extend_schema(
        operation_id="join",
        tags=["games"],
        request=JoinBody,
        parameters=[IDEMPOTENCY_KEY],
        responses={201: CommandDone},
        examples=[OpenApiExample("A new player", {"name": "Nyx"}, request_only=True)],
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Take a seat: a new one, an empty one, or one by invitation code."""
        return self.issue(request, game_id, "join")


@extend_schema(tags=["log"], parameters=VIEWER)
class EventsView(GameView):
    """The log, for one viewer."""

    parameters = {"GET": ("seat", "as", "type", *SPAN_PARAMETERS)}

    @extend_schema(
        operation_id="events",
        parameters=[AFTER, SPAN_LIMIT, BEFORE, LAST, OF_CHAPTER, ABOUT, TYPE],
        responses=EventPage,
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """What happened, in order, without gaps: behind `after`, or the last events up to `before`, or up to now.

        Of one chapter, about one thing, or of one type, where that is asked.

        Ask again with the new `cursor` as `after` while `more` is true; backwards, with the new `start` as `before`.
        """
        span = replace(span_of(request, MAX_EVENTS), type=request.query_params.get("type", ""))
        page = events_in(self.viewer(request, game_id), span)
        return private(log.page_json(page))


@extend_schema(tags=["log"], parameters=VIEWER)
class DiceView(GameView):
    """The dice, and what is needed to check them."""

    parameters = {"GET": ("seat", "as", "after", "limit")}

    @extend_schema(operation_id="dice", parameters=[AFTER, EVENTS_LIMIT], responses=DicePage)
    def get(self, request: Request, game_id: UUID) -> Response:
        """The dice you may see, by event. Each value follows from secret, game, label and index; see the docs."""
        viewer, span = self.viewer(request, game_id), span_of(request, MAX_EVENTS)
        return private(log.dice_json(viewer, after=span.after, limit=span.limit))


@extend_schema(tags=["log"], parameters=VIEWER)
class ChronicleView(GameView):
    """The log as it is told."""

    parameters = {"GET": ("seat", "as", "format", *SPAN_PARAMETERS)}
    content_negotiation_class = OneRepresentation

    @extend_schema(
        operation_id="game_chronicle",
        parameters=[
            AFTER,
            LINES_LIMIT,
            OpenApiParameter("format", str, enum=["json", *TEXTS], description="`json` when absent."),
            BEFORE,
            LAST_LINES,
            OF_CHAPTER,
            ABOUT,
        ],
        responses={
            (200, "application/json"): ChroniclePage,
            (200, "text/plain"): str,
            (200, "text/markdown"): str,
        },
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponse | Response:
        """What happened, as it is told: each sentence once a chapter, its figures beside it, with its events and rules.

        A page holds what its events complete: `limit` and `last` count the events that are told of, of which several
        may make one sentence. A sentence that has grown is told again to who reads on.
        As text or Markdown the headers `X-Cursor` and `X-More` lead to the next page, `X-Start` to the one before.
        """
        viewer = self.viewer(request, game_id)
        kind = choice_in(request, "format", ("json", *TEXTS)) or "json"
        page = story.story_page(viewer, span_of(request, MAX_LINES, MAX_LINES))
        if kind == "text":
            text = story.story_text(page)
        elif kind == "markdown":
            text = story.story_markdown(viewer.game.name, page)
        else:
            return private(story.story_json(page))
        places = {"X-Start": page.start, "X-Cursor": page.cursor, "X-More": str(int(page.more))}
        headers = {**places, "Cache-Control": "no-store", "Vary": VARY}
        return HttpResponse(text, content_type=TEXTS[kind], headers=headers)


@extend_schema(tags=["log"], parameters=VIEWER)
class MapView(GameView):
    """The map of a game."""

    parameters = {"GET": ("seat", "as", "chapter")}
    content_negotiation_class = OneRepresentation

    @extend_schema(
        operation_id="map",
        parameters=[
            IF_NONE_MATCH,
            chapter("The map at the end of this chapter, as you could know it then; 0: before the first."),
        ],
        responses=SVG,
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """The map as SVG: now, the same for everybody who may see the game; or of a `chapter`, as you may see it.

        404 while there is none; 409 `chapter.ahead` for a chapter that has not begun.
        """
        viewer, asked = self.viewer(request, game_id), chapter_in(request)
        if asked is not None or not maps.drawing_of(viewer.game).from_rows:
            return picture(request, maps.map_at(viewer.game, viewer.visibility, asked))
        tag = f"map-{selectors.cursor_for(viewer.game, Visibility.nobody())}"
        return not_modified(request, tag) or svg(
            maps.map_now(viewer.game, viewer.visibility, f"{tag}-{viewer.game.digest}"), tag
        )


@extend_schema(tags=["log"])
class StreamView(GameView):
    """The log as it grows; served beside Django."""

    content_negotiation_class = OneRepresentation

    @extend_schema(
        operation_id="stream",
        parameters=[
            *VIEWER,
            AFTER,
            OpenApiParameter(
                "Last-Event-ID", str, OpenApiParameter.HEADER, description="The cursor of the last event received."
            ),
            OpenApiParameter("ticket", str, description="A single-use ticket, for clients that cannot send a header."),
            OpenApiParameter("from", str, enum=["now"], description="`now`: nothing of what has happened before."),
            flag("life", "1: `event: life`, too: status, chapter, step, who is waited for; whenever it changes."),
        ],
        responses={(200, "text/event-stream"): str},
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """The events of `events/` as server-sent events, each with its cursor as `id`; resume with Last-Event-ID.

        Served by the streaming server; a server that only answers requests says so (421 `stream.elsewhere`).
        """
        raise Fault(
            "stream.elsewhere",
            "This server answers requests only; ask the streaming server, or read events/?after= again and again.",
        )

    def known_parameters(self, method: str) -> tuple[str, ...]:
        """Those of the stream itself."""
        return ("seat", "as", "after", "ticket", "life", "from")


def span_of(request: Request, most: int, default: int = SPAN) -> Span:
    """The part of the log that the query asks for: `default` events where it names no number.

    Raises Fault (page.size, query.invalid, 422).
    """
    query = request.query_params
    chapter, about = chapter_in(request), uuid_in(request, "about")
    if not query.keys() & {"before", "last"}:
        limit = page_size(query.get("limit"), default=default, largest=most)
        return Span(after=query.get("after", ""), limit=limit, chapter=chapter, about=about)
    if query.keys() & {"after", "limit"}:
        raise Fault("query.invalid", "Ask for `after` and `limit`, or for `before` and `last`.", parameter="before")
    limit = page_size(query.get("last"), default=default, largest=most, parameter="last")
    return Span(before=query.get("before", ""), limit=limit, chapter=chapter, about=about)
