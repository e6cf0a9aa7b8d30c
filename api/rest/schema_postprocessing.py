"""The last hand at the OpenAPI document: tags, summaries, commands one by one, and the one answer of all refusals."""

from typing import Any

from accounts.models import Scope
from api.common.openapi import ANSWER, METHODS
from api.representations.resources.serializers import FLAG
from api.rest.schema_bounds import apply_bounds
from api.rest.schema_commands import COMMAND, add_commands
from api.rest.schema_parts import parts
from api.rest.schema_security import SCHEME as OAUTH
from api.rest.schema_security import add_oauth
from api.rest.schema_sharing import name_choices, share
from games import registry

TAGS = {
    "accounts": "People: signing up, oneself, tokens, calendars, invitations.",
    "notifications": "What you are told of your games, and what you want to be told.",
    "webhooks": "Events of games posted to a server of yours, and news to chat channels.",
    "rulesets": "The games that can be played here: options, numbered rules, commands with their JSON Schema.",
    "games": "Games: open, find, join. One inbox for all of them: `GET /api/v1/games/?mine=1&asked=1`.",
    "play": "At the table: the state as you may see it, what you are asked, what you may do, and doing it.",
    "log": "What happened: events behind a cursor, the stream, the dice with their proof, the chronicle, the map.",
    "worlds": "Worlds and what is in them; each noun below one world or across all that you may see.",
}
ABOUT = """Worlds, gods and the games they play.

A **command** is decided by the rules into **events**; events change the **state**. Read `state/` once, then follow
`events/?after=<cursor>` or the stream. Send commands with an `Idempotency-Key`, so that a request may be repeated.

Ids are UUIDs, squares are `{x, y}` (column, row), times are UTC. Each answer carries the server's time
(`X-Server-Time`), each deadline `due_in`, in seconds. Everything that fails is a problem document (RFC 9457) with a
stable `code`. What you may not see is missing (404), never forbidden.

This document in parts: {parts}.
"""
REFUSALS = {
    "400": "not readable: no JSON, a key twice, not UTF-8",
    "401": "a token is needed, or this one is not valid",
    "403": "the token's scopes do not cover it",
    "404": "missing, or not visible to you",
    "409": "refused by a rule or a phase; `code`, `rules` and `facts` say why, and nothing has changed",
    "410": "the log was restored from an earlier copy than your cursor: read the state again",
    "412": "the game has moved on since the cursor you sent",
    "413": "the body is too large",
    "415": "send JSON",
    "421": "served by the streaming server",
    "422": "of the wrong shape (`errors` has the members at fault), or an Idempotency-Key used for something else",
    "429": "too many requests; `Retry-After` says when",
    "500": "something failed in the service; it was logged under `request_id`",
    "503": "the clock is catching up, or the database is away; `Retry-After` says when",
}
HEADERS: dict[str, Any] = {
    name: {"description": description, "schema": {"type": "integer", "minimum": 0, "maximum": 10**9}}
    for name, description in {
        "RateLimit-Limit": "Requests in a window of the budget that is nearest to its end.",
        "RateLimit-Remaining": "How many of them are left.",
        "RateLimit-Reset": "Seconds until the next window.",
        "Retry-After": "Seconds after which to try again.",
    }.items()
}
HEADERS["Access-Control-Allow-Origin"] = {
    "description": "The page's origin, or `*`; only where this service is set to answer pages of that origin.",
    "schema": {"type": "string", "maxLength": 255},
}
ALWAYS = {name: {"$ref": f"#/components/headers/{name}"} for name in HEADERS if name != "Retry-After"}
PROBLEM = ANSWER | {
    "description": "A problem: its `code` says which. "
    + "; ".join(f"{s}: {text}" for s, text in REFUSALS.items())
    + ".",
    "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in HEADERS},
}
"""What every operation may answer instead."""
PLACES = {
    "game_id": "The game.",
    "world_id": "The world.",
    "key": "The id of the row.",
    "seat_id": "The seat.",
    "slug": "The ruleset.",
    "webhook_id": "The webhook.",
    "endpoint_id": "The webhook endpoint.",
    "subscription_id": "The browser that takes pushes.",
    "delivery_id": "The message.",
    "hook_id": "The chat hook.",
}
COMPARED = {"min": "is at least this", "max": "is at most this", "before": "is before this", "contains": "holds this"}
SERVER = {
    "url": "/",
    "description": "The server that sends this document, local or in production.",
    "x-internal": False,
}
CHOICES = {tuple(sorted(FLAG)): "Flag", ("gm",): "View"}
"""What many parameters choose among, and the component that says so: generators make one type of it."""
READING: list[dict[str, Any]] = [{"bearer": []}, {"oauth2": [str(Scope.READ)]}, {}]
"""Who may look; said once for all operations that say nothing else."""
WITH_BODY = (COMMAND, "/api/v1/games/{game_id}/forecast/{command}/", "/api/v1/games/")
"""Where a body is one of many: without one there is nothing to choose from."""


def finish(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Post-processing hook of drf-spectacular, after the problems are in."""
    links = ", ".join(f"[{part}](?ruleset={part})" for part in parts())
    result["info"]["description"] = ABOUT.replace("{parts}", f"{links}, [all](?)")
    result["servers"] = [SERVER]
    result["info"]["license"] = {"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"}
    own = {rules.slug: f"The own rows of {rules.title}. {rules.summary}" for rules in registry.rulesets()}
    used = {
        tag
        for operations in result["paths"].values()
        for method, operation in operations.items()
        if method in METHODS
        for tag in operation.get("tags", ())
    }
    result["tags"] = [
        {"name": tag, "description": description} for tag, description in (TAGS | own).items() if tag in used
    ]
    for address, operations in result["paths"].items():
        for method, operation in operations.items():
            if method in METHODS:
                describe(address, method, operation)
                if operation["security"] == READING:
                    del operation["security"]
    result["security"] = READING
    result["components"]["securitySchemes"]["oauth2"] = OAUTH
    result["components"]["headers"] = HEADERS
    result["components"]["responses"] = {"Problem": PROBLEM}
    for choice, name in CHOICES.items():
        result["components"]["schemas"][name] = {"type": "string", "enum": list(choice)}
    result["paths"] = add_commands(result["paths"], registry.folders())
    apply_bounds(result)
    name_choices(result)
    share(result)
    return result


def describe(address: str, method: str, operation: dict[str, Any]) -> None:
    """A summary, who may ask, the headers of its answers, and what its parameters mean."""
    if method == "get" and {"accounts", "notifications", "webhooks"}.isdisjoint(operation["tags"]):
        operation["security"] = [{"bearer": []}, {}]  # nobody may look, where the service is set so
    operation.setdefault("security", [])  # for everybody
    add_oauth(method, operation)
    operation.setdefault("summary", first_sentence(operation.get("description", operation["operationId"])))
    if address in WITH_BODY and method == "post":
        operation["requestBody"]["required"] = True
    for answer in operation["responses"].values():
        if "$ref" not in answer:
            answer["headers"] = {**answer.get("headers", {}), **ALWAYS}
    for parameter in operation.get("parameters", ()):
        choice = tuple(sorted(parameter["schema"].get("enum", ())))
        if choice in CHOICES:
            parameter["schema"] = {"$ref": f"#/components/schemas/{CHOICES[choice]}"}
        if parameter["in"] == "path" and parameter["name"] == "slug":
            parameter["schema"] = {"type": "string", "enum": sorted(registry.folders())}
        if description := PLACES.get(parameter["name"], "") if parameter["in"] == "path" else "":
            parameter.setdefault("description", description)
        if parameter["in"] == "query":
            parameter.setdefault("description", filter_text(parameter))
        if parameter["name"] == "Idempotency-Key":
            parameter["schema"] |= {"minLength": 1, "maxLength": 255, "pattern": r"^[\x20-\x7e]+$"}


def filter_text(parameter: dict[str, Any]) -> str:
    """What a filter of a list does, from its name."""
    column, _, how = parameter["name"].rpartition("_")
    if how in COMPARED and column:
        return f"Only rows whose `{column}` {COMPARED[how]}."
    return f"Only rows with this `{parameter['name']}`."


def first_sentence(text: str) -> str:
    """The first sentence of a text, without its full stop."""
    return text.strip().split("\n")[0].split(". ")[0].rstrip(".")
