"""GraphQL subscriptions over WebSocket (graphql-transport-ws only), at /graphql/.

The token comes with `connection_init`, `{"Authorization": "Bearer theo_..."}`; without a valid one the socket is closed
with 4401, as it is when a token loses its worth. Queries and mutations are not answered here.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import timedelta
from typing import Any
from uuid import UUID

import orjson
import structlog
from django.db import DatabaseError
from graphql import GraphQLError
from rest_framework.exceptions import ParseError
from starlette.websockets import WebSocket, WebSocketState
from strawberry.asgi import ASGIWebSocketAdapter, GraphQL
from strawberry.subscriptions import GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import BaseGraphQLTransportWSHandler

from accounts.models import Scope
from api.common.authentication import user_and_token_of_header
from api.common.exceptions import Fault
from api.common.permissions import require_reading, require_scope
from api.common.problems import answer
from api.common.strict_json import strict_json
from api.graphql.context import OperationContext
from api.graphql.served import schema
from api.notifications.reading import Worded
from api.streams import handshake
from api.streams.access import StreamViewer, is_refused
from api.streams.handshake import Message, Receive, Send
from api.streams.hub import hub
from api.streams.notifications import notification_hub
from api.streams.positions import present_cursor
from api.streams.subscribers import Ended, Life
from api.streams.subscribers import Message as Event
from games.reads.selectors import EventView

log = structlog.get_logger(__name__)

PATH = r"/graphql/"
INIT_SECONDS = 10
MAX_SUBSCRIPTIONS = 20
MAX_CHARACTERS = 65_536
UNAUTHORIZED, FORBIDDEN, TOO_MANY, WRONG_PROTOCOL = 4401, 4403, 4429, 4406
TRY_LATER = 1013


class Socket(ASGIWebSocketAdapter):
    """A socket that may be closed twice: the first word counts."""

    async def close(self, code: int, reason: str) -> None:
        """Close it, if it is open."""
        if self.ws.application_state is not WebSocketState.DISCONNECTED:
            await super().close(code, reason)


class Unauthorized(Exception):
    """What `connection_init` brought is not valid here."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class Handler(BaseGraphQLTransportWSHandler[Any, Any]):
    """The protocol, with 4401 for a token that is missing or refused."""

    async def handle_connection_init(self, message: Any) -> None:
        """Let somebody in, or close."""
        try:
            await super().handle_connection_init(message)
        except Unauthorized as refused:
            await self.websocket.close(refused.code, refused.reason)

    async def handle_subscribe(self, message: Any) -> None:
        """Begin a subscription, which spends what the opening of a stream spends; else an error beyond that budget."""
        try:
            if self.connection_acknowledged:
                await handshake.charge(self.context.response.scope)
        except Fault as fault:
            error = GraphQLError(fault.message, extensions=answer(fault.code, fault.message, facts=fault.facts).body)
            await self.send_message({"id": message["id"], "type": "error", "payload": [error.formatted]})
            return
        await super().handle_subscribe(message)


class Sockets(GraphQL[Any, Any]):
    """Subscriptions for everybody who shows a token, and for strangers where they may look."""

    graphql_transport_ws_handler_class = Handler
    websocket_adapter_class = Socket

    def is_websocket_origin_allowed(self, request: WebSocket, origin: str) -> bool:
        """The guard has judged the origin already."""
        return True

    async def get_context(self, request: Any, response: Any) -> Any:
        """Nobody yet: `connection_init` says who."""
        return OperationContext(feed=feed, life_feed=life_feed, notification_feed=notification_feed, response=request)

    async def on_ws_connect(self, context: Any) -> Any:
        """Who is there, by connection_init. Raises Unauthorized."""
        operation: OperationContext = context
        header = operation.connection_params.get("Authorization", operation.connection_params.get("authorization", ""))
        try:
            await handshake.charge(operation.response.scope)
        except Fault as fault:
            raise Unauthorized(TOO_MANY, fault.message) from fault
        try:
            operation.principal = await hub().ask(user_and_token_of_header, header if isinstance(header, str) else "?")
            require_reading(operation.principal)
        except Fault as fault:
            raise Unauthorized(UNAUTHORIZED, fault.message[:120]) from fault
        ident, most = handshake.quota_of(operation.principal, operation.response.scope)
        try:
            handshake.PLACES.take(ident, most)
        except Fault as fault:
            raise Unauthorized(TOO_MANY, fault.message) from fault
        operation.response.scope["theogony.quota"] = ident
        return await super().on_ws_connect(context)

    def decode_json(self, data: str | bytes) -> Any:
        """A message: bounded and strict, as bodies are."""
        raw = data.encode() if isinstance(data, str) else data
        if len(raw) > MAX_CHARACTERS:
            return {"type": "too long"}
        try:
            found = strict_json(raw)
        except ParseError:
            return {"type": "unreadable"}
        return found if isinstance(found, dict) else {"type": "unreadable"}

    def encode_json(self, data: object) -> str:
        """A message."""
        return orjson.dumps(data, option=orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS, default=str).decode()


SOCKETS = Sockets(
    schema,
    graphql_ide=None,
    subscription_protocols=(GRAPHQL_TRANSPORT_WS_PROTOCOL,),
    connection_init_wait_timeout=timedelta(seconds=INIT_SECONDS),
    max_subscriptions_per_connection=MAX_SUBSCRIPTIONS,
)


async def feed(
    operation: OperationContext, game: UUID, *, after: str, from_now: bool, seat: UUID | None, as_gm: bool
) -> AsyncGenerator[tuple[str, EventView], None]:
    """The events of a game for a subscription, with the game's ruleset. Raises Fault (the reason) at the end."""
    access = await hub().open(operation.principal, game, seat=seat, as_gm=as_gm, after=after)
    if from_now:
        after = await hub().ask(present_cursor, game, access.visibility)
    async with aclosing(messages(operation, access, after)) as sent:
        async for message in sent:
            if isinstance(message, Event):
                yield access.ruleset, message.event


async def life_feed(
    operation: OperationContext, game: UUID, *, seat: UUID | None, as_gm: bool
) -> AsyncGenerator[dict[str, Any], None]:
    """A game's life for a subscription, now and whenever it changes. Raises Fault (the reason) at the end."""
    access = await hub().open(operation.principal, game, seat=seat, as_gm=as_gm)
    now = await hub().ask(present_cursor, game, access.visibility)
    async with aclosing(messages(operation, access, now, life=True)) as sent:
        async for message in sent:
            if isinstance(message, Life):
                yield message.values


async def messages(
    operation: OperationContext, access: StreamViewer, after: str, *, life: bool = False
) -> AsyncGenerator[Event | Life | None, None]:
    """What the hub sends this viewer. Raises Fault (the reason) at the end."""
    try:
        await hub().check(access)  # the token may have been withdrawn since
        async with aclosing(hub().follow(access, after, life=life)) as sent:
            async for message in sent:
                yield message
    except Ended as end:
        raise await fault_of(operation, end) from end


async def fault_of(operation: OperationContext, end: Ended) -> Fault:
    """Why a subscription has ended, as its error says it; the socket of a token that is refused is closed."""
    if end.code == "token.refused" and operation.response.application_state is not WebSocketState.DISCONNECTED:
        await operation.response.close(UNAUTHORIZED, "The token was revoked or has expired.")
    return Fault(end.code, "The service ended this subscription; subscribe again with the last cursor.")


async def notification_feed(operation: OperationContext, after: UUID | None) -> AsyncGenerator[Worded, None]:
    """A person's notifications for a subscription, as they are written. Raises Fault (the reason) at the end."""
    user = operation.user
    require_scope(operation.principal, Scope.READ)
    assert user is not None  # require_scope
    try:
        if await hub().ask(is_refused, operation.principal):  # the token may have been withdrawn since
            raise Ended("token.refused")
        async with aclosing(notification_hub().follow(operation.principal, user, after)) as sent:
            async for row in sent:
                yield row
    except Ended as end:
        raise await fault_of(operation, end) from end


async def subscriptions(scope: Message, receive: Receive, send: Send) -> None:
    """The ASGI application, for WebSockets."""
    try:
        await handshake.check_origin(scope)
    except Fault as fault:
        log.info("socket_refused", code=fault.code)
        await send({"type": "websocket.close", "code": FORBIDDEN})
        return
    except DatabaseError as error:
        log.warning("socket_unserved", error=type(error).__name__)
        await send({"type": "websocket.close", "code": TRY_LATER})
        return
    if GRAPHQL_TRANSPORT_WS_PROTOCOL not in scope.get("subprotocols", ()):
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": WRONG_PROTOCOL, "reason": "Speak graphql-transport-ws."})
        return
    try:
        await SOCKETS(scope, receive, send)
    finally:
        if ident := scope.get("theogony.quota"):
            handshake.PLACES.free(ident)
