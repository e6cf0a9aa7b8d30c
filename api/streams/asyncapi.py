"""What the service sends without being asked, as an AsyncAPI 3 document: streams, subscriptions, webhooks.

Its shapes are the classes that REST and GraphQL answer with; the commands are in the OpenAPI documents. `manage.py
schema` writes it to `api/asyncapi.yaml`, `make conformance` lets an outside tool judge it.
"""

from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from pydantic.json_schema import models_json_schema

from api.common.documents import document_response
from api.representations.shapes.games import LifeShape
from api.representations.shapes.log import AnyEvent
from api.representations.shapes.messages import ByeShape, WebhookMessage, WebhookTestMessage
from api.representations.shapes.shape import ANY_EVENT
from api.rest.schema_yaml import to_yaml

SCHEMAS = "#/components/schemas/{model}"
SHAPES = (AnyEvent, LifeShape, ByeShape, WebhookMessage, WebhookTestMessage)
LICENSE = {"name": "AGPL-3.0-or-later", "url": "https://www.gnu.org/licenses/agpl-3.0.html"}
OPERATION = {
    "type": "object",
    "required": ["query"],
    "properties": {
        "query": {"type": "string", "description": "A document of GraphQL with one subscription."},
        "variables": {"type": "object", "additionalProperties": True},
        "operationName": {"type": "string"},
    },
}
RESULT = {
    "type": "object",
    "description": "What `api/schema.graphql` says of the fields that were asked for.",
    "properties": {
        "data": {"type": ["object", "null"], "additionalProperties": True},
        "errors": {"type": "array", "items": {"type": "object", "additionalProperties": True}},
    },
}
FRAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "connection_init": ("Who is there.", {"type": "object", "properties": {"Authorization": {"type": "string"}}}),
    "connection_ack": ("Welcome; subscriptions may begin.", {}),
    "subscribe": ("Begin a subscription under an id.", OPERATION),
    "next": ("Something happened.", RESULT),
    "error": ("The subscription is refused, or ends; `extensions.code` says why.", {"type": "array", "items": {}}),
    "complete": ("The subscription ends; either side says it.", {}),
    "ping": ("A client asks whether the service is there.", {}),
    "pong": ("It is.", {}),
}
"""The frames of graphql-transport-ws: what each is for, and its payload."""
OF_CLIENT = ("connection_init", "subscribe", "complete", "ping")
OF_SERVICE = ("connection_ack", "next", "error", "complete", "pong")
OF_SUBSCRIPTION = frozenset({"subscribe", "next", "error", "complete"})


def document() -> dict[str, Any]:
    """The document as plain values."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": f"{settings.SPECTACULAR_SETTINGS['TITLE']}: what is sent",
            "version": settings.SPECTACULAR_SETTINGS["VERSION"],
            "description": "Events of games as they happen: as server-sent events, over GraphQL, and to webhooks.",
            "license": LICENSE,
            "tags": [{"name": "log", "description": "The log of a game, as its reader may see it."}],
        },
        "defaultContentType": "application/json",
        "servers": {
            "events": _server("https", "Server-sent events; webhooks are posted from here, too."),
            "sockets": _server("wss", "Subscriptions of GraphQL."),
        },
        "channels": {"stream": STREAM, "subscriptions": SUBSCRIPTIONS, "webhook": WEBHOOK},
        "operations": {
            "sendEvents": _operation("send", "stream", "The log behind a cursor, then what happens.", STREAM),
            "receiveFrames": _operation("receive", "subscriptions", "What a client says.", names=OF_CLIENT),
            "sendFrames": _operation("send", "subscriptions", "What the service says.", names=OF_SERVICE),
            "postEvents": _operation("send", "webhook", "POST to an address of yours; 2xx means taken.", WEBHOOK)
            | {"bindings": {"http": {"method": "POST", "bindingVersion": "0.3.0"}}},
        },
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "description": "A token, or none."}},
            "messages": MESSAGES | {_frame_name(name): _frame(name) for name in FRAMES},
            "schemas": schemas(),
        },
    }


def schemas() -> dict[str, Any]:
    """The schemas of what is sent, by the names of their classes."""
    found = models_json_schema([(shape, "serialization") for shape in SHAPES], ref_template=SCHEMAS)[1]["$defs"]
    plain: dict[str, Any] = _plain(found)
    return plain


def _plain(value: Any) -> Any:
    """A schema in which events of any ruleset are `AnyEvent`, and nothing stands beside a reference (draft 7)."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value.get("x-component") == ANY_EVENT:
        return {"$ref": SCHEMAS.format(model="AnyEvent")}
    found = {key: _plain(each) for key, each in value.items()}
    if "$ref" in found and len(found) > 1:
        return {"allOf": [{"$ref": found.pop("$ref")}], **found}
    return found


def _server(protocol: str, description: str) -> dict[str, Any]:
    return {
        "host": "{host}",
        "protocol": protocol,
        "description": description,
        "security": [{"$ref": "#/components/securitySchemes/bearer"}],
        "variables": {"host": {"default": "localhost:8000", "description": "Where the service is."}},
    }


def _message(shape: type, title: str, summary: str, **more: Any) -> dict[str, Any]:
    payload = {"$ref": SCHEMAS.format(model=shape.__name__)}
    return {"name": title, "title": title, "summary": summary, "payload": payload, **more}


def _frame_name(name: str) -> str:
    return f"frame_{name}"


def _frame(name: str) -> dict[str, Any]:
    """The message of a frame of graphql-transport-ws."""
    summary, payload = FRAMES[name]
    fields: dict[str, Any] = {"type": {"const": name}}
    if name in OF_SUBSCRIPTION:
        fields["id"] = {"type": "string", "description": "Of the subscription; the client chooses it."}
    if payload:
        fields["payload"] = payload
    needed = [field for field in fields if field != "payload" or name in OF_SUBSCRIPTION]
    return {
        "name": name,
        "title": name,
        "summary": summary,
        "payload": {"type": "object", "required": needed, "properties": fields},
    }


def _operation(
    action: str, channel: str, description: str, of: dict[str, Any] | None = None, *, names: tuple[str, ...] = ()
) -> dict[str, Any]:
    keys = [_frame_name(name) for name in names] if of is None else list(of["messages"])
    return {
        "action": action,
        "channel": {"$ref": f"#/channels/{channel}"},
        "description": description,
        "messages": [{"$ref": f"#/channels/{channel}/messages/{key}"} for key in keys],
    }


def _messages(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/messages/{name}"} for name in names}


GAME = {"game_id": {"description": "Id of the game."}}
STREAM: dict[str, Any] = {
    "address": "/api/v1/games/{game_id}/stream/",
    "title": "Stream",
    "description": "Server-sent events (`text/event-stream`): `id` is the cursor, `event` the type of the event, and "
    "`data` the payload. `Last-Event-ID` resumes. A comment each 15 s keeps the line open. Parameters: see OpenAPI.",
    "servers": [{"$ref": "#/servers/events"}],
    "parameters": GAME,
    "messages": _messages("event", "life", "bye"),
}
SUBSCRIPTIONS: dict[str, Any] = {
    "address": "/graphql/",
    "title": "Subscriptions",
    "description": "The protocol graphql-transport-ws; the subscriptions of `api/schema.graphql`.",
    "servers": [{"$ref": "#/servers/sockets"}],
    "messages": _messages(*(_frame_name(name) for name in FRAMES)),
    "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
}
WEBHOOK: dict[str, Any] = {
    "title": "Webhook",
    "description": "An https address of yours, made with `POST /api/v1/me/webhooks/`. In order, at least once, signed "
    "as Standard Webhooks says.",
    "messages": _messages("events", "test"),
}
SIGNATURE = {
    "type": "object",
    "required": ["webhook-id", "webhook-timestamp", "webhook-signature"],
    "properties": {
        "webhook-id": {"type": "string", "description": "The same however often the message is posted."},
        "webhook-timestamp": {"type": "string", "description": "Seconds since 1970, of this attempt."},
        "webhook-signature": {"type": "string", "description": "`v1,<base64>`, several during a rotation."},
    },
}
MESSAGES: dict[str, Any] = {
    "event": _message(
        AnyEvent, "event", "An event of the log; the OpenAPI document of its ruleset spells its `data` out."
    ),
    "life": _message(LifeShape, "life", "Where the game is and who is waited for; with `life=1`, whenever it changes."),
    "bye": _message(ByeShape, "bye", "The service ends the stream; resume with the last cursor."),
    "events": _message(
        WebhookMessage, "game.events", "What happened in the game since the last one.", headers=SIGNATURE
    ),
    "test": _message(
        WebhookTestMessage, "webhook.test", "Asked for by its owner, before all others.", headers=SIGNATURE
    ),
}


@cache
def text() -> str:
    """The document as YAML, as `api/asyncapi.yaml` holds it."""
    return to_yaml(document())


@csrf_exempt
@require_safe
def document_view(request: HttpRequest) -> HttpResponseBase:
    """The document, the same for everybody; 304 to who has it."""
    return document_response(request, text().encode(), "application/yaml; charset=utf-8")
