"""Server-sent events: the log of a game as it grows, at /api/v1/games/<id>/stream/.

Each event has its cursor as `id`, so a browser resumes by itself (`Last-Event-ID`); others send `?after=`. With
`?life=1` it says, too, where the game is and who is waited for, whenever that changes. A comment each 15 s keeps the
line open. `?from=now` leaves out what has happened before. Before the service ends a stream it
says `bye` with the reason.
"""

import asyncio
import re
from contextlib import aclosing
from urllib.parse import parse_qsl
from uuid import UUID, uuid4

import orjson
import structlog
from django.utils import timezone

from api.common.authentication import Principal, user_and_token_of_header
from api.common.exceptions import Fault
from api.common.problems import answer, problem_of
from api.streams import handshake, tickets
from api.streams.access import StreamViewer
from api.streams.handshake import Message, Receive, Send
from api.streams.hub import hub
from api.streams.positions import present_cursor
from api.streams.subscribers import GONE, Ended
from api.streams.timeouts import in_time
from games.runtime import metrics

log = structlog.get_logger(__name__)

PATH = r"/api/v1/games/[0-9a-fA-F-]{36}/stream/"
PLACE = re.compile(r"/api/v1/games/(?P<game>[0-9a-fA-F-]{36})/stream/")
KNOWN = frozenset({"seat", "as", "after", "ticket", "life", "from"})
BEAT_SECONDS = 15.0
SEND_SECONDS = 20.0
RETRY_MILLISECONDS = 2000
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


async def events(scope: Message, receive: Receive, send: Send) -> None:
    """The ASGI application."""
    if scope["type"] != "http":
        await send({"type": "websocket.close", "code": 4404})
        return
    cors: list[tuple[bytes, bytes]] = []
    try:
        cors = await handshake.check_origin(scope)
        if scope["method"] == "OPTIONS":
            await handshake.respond(send, 204, handshake.preflight(cors))
            return
        access, after, ident = await admit(scope)
        from_now = not after and parameters(scope).get("from") == "now"
        life = parameters(scope).get("life") == "1"
    except Exception as error:
        request_id = str(uuid4())
        found = problem_of(error, request_id=request_id, method="GET")
        if found is None:
            log.error("stream_unserved", exc_info=error)
            found = answer("server.error", "Something failed in the service; it was logged.", request_id=request_id)
        await handshake.refuse(send, found, cors)
        return
    try:
        if from_now:
            after = await hub().ask(present_cursor, access.game, access.visibility)
        await talk_until_gone(access, after, receive, send, cors, life=life)
    finally:
        handshake.PLACES.free(ident)


async def admit(scope: Message) -> tuple[StreamViewer, str, str]:
    """Who watches, from which cursor, and whose quota of open streams counts it. Raises Fault, Refused."""
    if scope["method"] != "GET":
        raise Fault("method.unknown", "A stream is read with GET.", headers={"Allow": "GET"})
    await handshake.charge(scope)
    wanted = parameters(scope)
    game = uuid_of(PLACE.fullmatch(scope["path"])["game"], "game")  # type: ignore[index]
    principal = await principal_of(scope, wanted, game)
    after = handshake.header(scope, "last-event-id") or wanted.get("after", "")
    seat = uuid_of(wanted["seat"], "seat") if "seat" in wanted else None
    if wanted.get("as", "gm") != "gm":
        raise Fault("query.invalid", "`as` is `gm` or is left out.", parameter="as")
    if wanted.get("life", "0") not in ("0", "1"):
        raise Fault("query.invalid", "`life` is 1 or 0.", parameter="life")
    if wanted.get("from", "now") != "now" or {"from", "after"} <= wanted.keys():
        raise Fault("query.invalid", "`from` is `now`, without `after`.", parameter="from")
    access = await hub().open(principal, game, seat=seat, as_gm="as" in wanted, after=after)
    ident, most = handshake.quota_of(principal, scope)
    handshake.PLACES.take(ident, most)
    return access, after, ident


async def principal_of(scope: Message, wanted: dict[str, str], game: UUID) -> Principal:
    """Who asks: by a ticket, by a token, or nobody. Raises Fault (ticket.refused, token.refused)."""
    if "ticket" in wanted:
        return await hub().ask(tickets.redeem, wanted["ticket"], game)
    return await hub().ask(user_and_token_of_header, handshake.header(scope, "authorization"))


def parameters(scope: Message) -> dict[str, str]:
    """The query, each parameter once and known. Raises Fault (query.invalid)."""
    pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    found = dict(pairs)
    if unknown := sorted(set(found) - KNOWN):
        message = f"There is no such parameter here; there are: {', '.join(sorted(KNOWN))}."
        raise Fault("query.invalid", message, parameter=unknown[0])
    if len(found) != len(pairs):
        raise Fault("query.invalid", "A parameter stands twice in the address.", parameter=pairs[0][0])
    return found


def uuid_of(text: str, name: str) -> UUID:
    """An id. Raises Fault (query.invalid)."""
    if not re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", text):
        raise Fault("query.invalid", "This must be an id: a UUID.", parameter=name)
    return UUID(text)


async def talk_until_gone(
    access: StreamViewer, after: str, receive: Receive, send: Send, cors: list[tuple[bytes, bytes]], *, life: bool
) -> None:
    """Send events until the reader is gone or the service ends the stream."""
    leaving = asyncio.create_task(wait_until_gone(receive))
    try:
        await talk(access, after, send, leaving, cors, life=life)
    except TimeoutError:
        metrics.count_dropped_watcher("sse")
    except OSError as broken:  # the line broke while something was sent: the reader is gone
        log.debug("stream_broken", error=type(broken).__name__)
    finally:
        leaving.cancel()
        await asyncio.wait({leaving})
    if not leaving.cancelled() and (error := leaving.exception()) is not None:
        raise error


async def wait_until_gone(receive: Receive) -> None:
    """Wait until the reader is gone."""
    while (await receive())["type"] != "http.disconnect":
        continue


async def talk(
    access: StreamViewer,
    after: str,
    send: Send,
    leaving: "asyncio.Task[None]",
    cors: list[tuple[bytes, bytes]],
    *,
    life: bool,
) -> None:
    """The answer: its head, the events, and a last word. A reader who takes nothing for 20 s is left (TimeoutError)."""
    now = timezone.now().isoformat(timespec="milliseconds").replace("+00:00", "Z").encode()

    async def say(body: bytes, *, more: bool = True) -> None:
        await in_time(send({"type": "http.response.body", "body": body, "more_body": more}), SEND_SECONDS)

    await send({"type": "http.response.start", "status": 200, "headers": [*HEADERS, *cors, (b"x-server-time", now)]})
    # The id is where this stream begins: a reader who is cut before the first event resumes from there.
    await say(b"retry: %d\n%b\n" % (RETRY_MILLISECONDS, b"id: %b\n" % after.encode() if after else b""))
    try:
        async with aclosing(hub().follow(access, after, BEAT_SECONDS, kind="sse", leaving=leaving, life=life)) as sent:
            async for message in sent:
                await say(b": beat\n\n" if message is None else message.frame())
    except Ended as end:
        if end.code != GONE:
            await say(b"event: bye\ndata: " + orjson.dumps({"reason": end.code}) + b"\n\n", more=False)
