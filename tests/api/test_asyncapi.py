"""The AsyncAPI document: served, and complete. That what is sent fits it, every test of what is sent asks (sent.py)."""

import ast
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from jsonschema import ValidationError

from api.streams import asyncapi
from api.streams.websocket import PATH as SOCKETS
from api.webhooks import messages
from tests.api.sent import require_documented, require_documented_event

ROOT = Path(__file__).parents[2]


def references(value: Any) -> list[str]:
    """All that a part of the document refers to."""
    if isinstance(value, list):
        return [found for each in value for found in references(each)]
    if isinstance(value, dict):
        here = [value["$ref"]] if "$ref" in value else []
        return here + [found for each in value.values() for found in references(each)]
    return []


def test_the_document_is_served_kept_and_the_committed_one() -> None:
    first = Client().get("/api/asyncapi/")
    assert first.content.decode() == (ROOT / "api" / "asyncapi.yaml").read_text()
    assert Client().get("/api/asyncapi/", headers={"If-None-Match": first["ETag"]}).status_code == 304
    assert yaml.safe_load(first.content) == asyncapi.document()


def test_every_reference_leads_somewhere_and_every_shape_is_referred_to() -> None:
    document = asyncapi.document()
    led_to = set(references(document))
    for reference in led_to:
        found: Any = document
        for step in reference.removeprefix("#/").split("/"):
            found = found[step]
    assert {f"#/components/schemas/{name}" for name in document["components"]["schemas"]} <= led_to


def test_what_is_sent_is_where_the_document_says() -> None:
    document = asyncapi.document()
    assert document["channels"]["subscriptions"]["address"] == SOCKETS
    names = {each["name"] for each in document["components"]["messages"].values()}
    assert {messages.EVENTS, messages.TEST} < names
    shape = document["components"]["schemas"]["ByeShape"]["properties"]["reason"]["description"]
    for path in (ROOT / "api" / "streams").glob("*.py"):  # each reason that stands in the code
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Ended":
                reasons = [each.value for each in node.args if isinstance(each, ast.Constant)]
                assert all(f"`{reason}`" in shape for reason in reasons), reasons


@pytest.mark.parametrize(
    ("message", "payload"),
    [
        ("bye", {}),
        ("toy.StonesAdded", {"cursor": "x"}),
        ("game.events", {"type": "webhook.test", "timestamp": "2026-03-01T12:00:00Z", "data": {}}),
        ("next", {"type": "next", "payload": {}}),
    ],
)
def test_what_does_not_fit_is_noticed(message: str, payload: dict[str, Any]) -> None:
    judge = require_documented if message in ("game.events", "next") else require_documented_event
    with pytest.raises(ValidationError):
        judge(message, payload)
