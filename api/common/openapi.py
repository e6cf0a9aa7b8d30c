"""What the OpenAPI document says of every operation: the bearer token, and the problem document for what fails."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension

from api.common.paging import PAGE_SCHEMA
from api.common.problems import MEDIA_TYPE

PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "What went wrong (RFC 9457).",
    "required": ["type", "title", "status", "code", "detail", "rules", "facts"],
    "properties": {
        "type": {"type": "string", "description": "`urn:theogony:problem:<code>`"},
        "title": {"type": "string", "description": "The same for every problem of this code."},
        "status": {"type": "integer", "description": "The HTTP status."},
        "code": {"type": "string", "description": "`noun.reason`, stable, for programs."},
        "detail": {"type": "string", "description": "Who, what is missing, what would do; for people."},
        "rules": {"type": "array", "items": {"type": "string"}, "description": "Ids of the rules that say so."},
        "facts": {"type": "object", "additionalProperties": True, "description": "The numbers and names behind it."},
        "request_id": {"type": "string", "description": "To quote when asking about it."},
        "errors": {
            "type": "array",
            "description": "With 422: each member of the body (`pointer`) or query (`parameter`) at fault.",
            "items": {
                "type": "object",
                "required": ["code", "detail"],
                "properties": {
                    "pointer": {"type": "string", "description": "JSON pointer (RFC 6901)."},
                    "parameter": {"type": "string"},
                    "code": {"type": "string"},
                    "detail": {"type": "string"},
                },
            },
        },
    },
}
ANSWER = {
    "description": "A problem: see its `code`.",
    "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
PREFIX = "/api/v1/"
METHODS = frozenset({"get", "put", "post", "patch", "delete", "head", "options"})


class BearerScheme(OpenApiAuthenticationExtension):
    """`Authorization: Bearer theo_...`."""

    target_class = "api.common.authentication.BearerAuthentication"
    name = "bearer"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """The scheme, as OpenAPI names it."""
        return {"type": "http", "scheme": "bearer", "description": "A token from /api/v1/tokens/."}


def only_version_one(endpoints: list[tuple[str, ...]], **_: Any) -> list[tuple[str, ...]]:
    """Pre-processing hook of drf-spectacular: the document is that of `/api/v1/`."""
    return [endpoint for endpoint in endpoints if endpoint[0].startswith(PREFIX)]


def add_problems(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Post-processing hook of drf-spectacular: each operation may also answer with a Problem."""
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = PROBLEM_SCHEMA
    result["components"]["schemas"]["Page"] = PAGE_SCHEMA
    for operations in result.get("paths", {}).values():
        for method, operation in operations.items():
            if method in METHODS:
                operation["responses"].setdefault("default", {"$ref": "#/components/responses/Problem"})
    return result
