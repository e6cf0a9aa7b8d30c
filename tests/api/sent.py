"""Whether what the service sends is what the AsyncAPI document says: asked of every message that a test receives."""

from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from api.streams import asyncapi


@cache
def _validator(message: str) -> Draft202012Validator:
    document = asyncapi.document()
    (payload,) = [each["payload"] for each in document["components"]["messages"].values() if each["name"] == message]
    return Draft202012Validator(document | payload, format_checker=FormatChecker())


def require_documented(message: str, payload: Any) -> None:
    """Raise jsonschema.ValidationError where a payload is none of a message of the document. message: its name."""
    _validator(message).validate(payload)


def require_documented_event(name: str, data: Any) -> None:
    """The same of a server-sent event: all that are no other word of a stream are events of the log."""
    require_documented(name if name in ("life", "bye") else "event", data)
