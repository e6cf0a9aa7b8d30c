"""The last hand at the OpenAPI document: tags, summaries, and what each kind of operation may refuse."""

from typing import Any

from api.common.openapi import ANSWER, METHODS
from api.common.problems import MEDIA_TYPE
from api.rest.schema_bounds import apply_bounds
from api.rest.schema_parts import parts
from api.rest.schema_security import SCHEME as OAUTH
from api.rest.schema_security import add_oauth
from games import registry

TAGS = {
    "accounts": "People: signing up, oneself, tokens, invitations.",
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
    "400": "Not readable: no JSON, a key twice, not UTF-8.",
    "401": "A token is needed, or this one is not valid.",
    "403": "This token's scopes do not cover it.",
    "404": "Missing, or not visible to you.",
    "409": "Refused by a rule or a phase; `code`, `rules` and `facts` say why. Nothing has changed.",
    "410": "The log was restored from an earlier copy than your cursor: read the state again.",
    "412": "The game has moved on since the cursor you sent.",
    "413": "The body is too large.",
    "415": "Send JSON.",
    "421": "Served by the streaming server.",
    "422": "Of the wrong shape (`errors` has the places), or an Idempotency-Key used for something else.",
    "429": "Too many requests; `Retry-After` says when.",
    "500": "Something failed in the service; it was logged under `request_id`.",
    "503": "The clock is catching up, or the database is away; `Retry-After` says when.",
}
READING = ("401", "403", "422", "429", "500", "503")
ACTING = ("400", "401", "403", "409", "413", "415", "422", "429", "500", "503")
BEHIND_A_CURSOR = tuple(f"/api/v1/games/{{game_id}}/{name}/" for name in ("events", "dice", "chronicle", "stream"))
CONTENT = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
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
PLACES = {
    "game_id": "The game.",
    "world_id": "The world.",
    "key": "The id of the row.",
    "slug": "The ruleset.",
}
COMPARED = {"min": "is at least this", "max": "is at most this", "before": "is before this", "contains": "holds this"}
SERVER = {
    "url": "/",
    "description": "The server that sends this document, local or in production.",
    "x-internal": False,
}
COMMAND = "/api/v1/games/{game_id}/commands/{name}/"
WITH_BODY = (COMMAND, "/api/v1/games/{game_id}/forecast/{name}/", "/api/v1/games/")
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
    for place, operations in result["paths"].items():
        for method, operation in operations.items():
            if method in METHODS:
                describe(place, method, operation)
    result["components"]["securitySchemes"]["oauth2"] = OAUTH
    result["components"]["headers"] = HEADERS
    result["components"]["responses"] = {"Problem": ANSWER | {"headers": ALWAYS}} | {
        answer_name(status): {"description": description, "content": CONTENT, "headers": headers_of(status)}
        for status, description in REFUSALS.items()
    }
    apply_bounds(result)
    return result


def describe(place: str, method: str, operation: dict[str, Any]) -> None:
    """A summary, the refusals that an operation may answer, and the names of the commands."""
    if method == "get" and "accounts" not in operation["tags"]:
        operation["security"] = [{"bearer": []}, {}]  # nobody may look, where the service is set so
    operation.setdefault("security", [])  # for everybody
    add_oauth(method, operation)
    operation.setdefault("summary", first_sentence(operation.get("description", operation["operationId"])))
    if place in WITH_BODY and method == "post":
        operation["requestBody"]["required"] = True
    for answer in operation["responses"].values():
        if "$ref" not in answer:
            answer["headers"] = {**answer.get("headers", {}), **ALWAYS}
    for status in refusals_of(place, method):
        operation["responses"].setdefault(status, {"$ref": f"#/components/responses/{answer_name(status)}"})
    for parameter in operation.get("parameters", ()):
        if place == COMMAND and parameter["name"] == "name":
            parameter["schema"]["enum"] = sorted({n for rules in registry.rulesets() for n in rules.open_commands})
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


def answer_name(status: str) -> str:
    """How the answer of a status is called among the components."""
    return f"Problem{status}"


def headers_of(status: str) -> dict[str, Any]:
    """The headers of a refusal: what is left of the budget, and where waiting helps, for how long."""
    waiting = {"Retry-After": {"$ref": "#/components/headers/Retry-After"}} if status in ("429", "503") else {}
    return ALWAYS | waiting


def refusals_of(place: str, method: str) -> list[str]:
    """The statuses of refusals that an operation may answer."""
    found = list(READING if method == "get" else ACTING)
    if place.endswith(("/state/", ".svg")):
        found.append("400")
    if "{" in place:
        found.append("404")
    if place == COMMAND or place.endswith("/join/"):
        found.append("412")
    if place in BEHIND_A_CURSOR:
        found.append("410")
    if place.endswith("/stream/"):
        found.append("421")
    return sorted(found)


def first_sentence(text: str) -> str:
    """The first sentence of a text, without its full stop."""
    return text.strip().split("\n")[0].split(". ")[0].rstrip(".")
