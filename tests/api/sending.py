"""One command sent through both APIs, and what a refusal must not move."""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.core.cache import caches

from api.graphql.commands import camel
from games import registry
from games.models import LoggedEvent, Receipt
from tests.games.table import Table

JSON = "application/json"
Case = tuple[str, str, dict[str, Any], str]
"""Who, which command, its fields, the code."""
STATUS = {"missing": 404}
"""How a refusal is answered whose code ends so; 409 else."""


def over_rest(here: Table, name: str, does: str, body: Mapping[str, Any], query: str = "") -> tuple[int, Any]:
    """(status, body) of a command."""
    address = here.url(f"commands/{does}/?{'as=gm' if name == 'gm' else ''}{query}")
    answer = here.client(name).post(address, json.dumps(body, default=str), content_type=JSON)
    return answer.status_code, answer.json()


def camel_case(value: Any) -> Any:
    """A value with the names that GraphQL has."""
    if isinstance(value, Mapping):
        return {camel(key): camel_case(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [camel_case(held) for held in value]
    return value if isinstance(value, bool | int | float) or value is None else str(value)


def asked_of_graph(here: Table, name: str, does: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The whole answer of the graph to the same command."""
    kind = "".join(part.title() for part in does.split("-"))
    slug = here.game.ruleset
    own = slug.title() if registry.ruleset(slug).commands[does].__module__.startswith(f"games.{slug}") else ""
    head, given = (f", $i: {own}{kind}Input!", ", input: $i") if body else ("", "")
    query = f"""mutation($g: UUID!, $gm: Boolean!{head}) {{ it: {slug}{kind}(game: $g, asGm: $gm{given}) {{ __typename
        ... on CommandDone {{ events {{ type dataJson }} }} ... on Refusal {{ code detail rules facts }} }} }}"""
    sent = {"g": str(here.id), "gm": name == "gm", **({"i": camel_case(body)} if body else {})}
    found: dict[str, Any] = (
        here.client(name).post("/graphql/", {"query": query, "variables": sent}, content_type=JSON).json()
    )
    return found


def over_graphql(here: Table, name: str, does: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The result of the same command."""
    answer = asked_of_graph(here, name, does, body)
    assert "errors" not in answer, answer
    found: dict[str, Any] = answer["data"]["it"]
    return found


def standing(here: Table) -> tuple[int, int, int]:
    """What a refusal or a dry run must not move."""
    return here.game.seq, LoggedEvent.objects.filter(game=here.id).count(), Receipt.objects.count()


def refusals(cases: Iterable[Case]) -> set[tuple[str, str]]:
    """Which commands are refused with which codes."""
    return {(does, code) for _, does, _, code in cases}


# --- what both APIs say -----------------------------------------------------------------------------------------------
def refusal_faults(here: Table, cases: Iterable[Case]) -> list[tuple[Any, ...]]:
    """The cases of a table that are not refused as it says; AssertionError where the two APIs refuse differently."""
    wrong = []
    for name, does, body, code in cases:
        caches["throttles"].clear()
        status, problem = over_rest(here, name, does, body)
        answer = over_graphql(here, name, does, body)
        assert answer.pop("__typename", "") == "Refusal", (does, body, problem, answer)
        assert answer == {part: problem[part] for part in ("code", "detail", "rules", "facts")}, does
        assert len(problem["detail"]) > 12 and problem["detail"].endswith("."), problem["detail"]
        if (problem["code"], status) != (code, STATUS.get(code.rpartition(".")[2], 409)):
            wrong.append((name, does, body, code, problem["code"], status, problem["detail"]))
    return wrong


def shape_faults(here: Table, does: str, bodies: Iterable[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    """The bodies without a command's shape that are not refused as such; they are no query of the graph, or refused."""
    wrong: list[tuple[Any, ...]] = []
    for body in bodies:
        caches["throttles"].clear()
        status, problem = over_rest(here, "gm", does, body)
        if status != 422 or not problem["errors"] or not problem["detail"]:
            wrong.append(("rest", does, str(body)[:200], status, problem))
        answer = asked_of_graph(here, "gm", does, body)
        refused = answer.get("data") and answer["data"]["it"]["__typename"] == "Refusal"
        if not (refused and answer["data"]["it"]["code"] == "body.invalid") and not answer.get("errors"):
            wrong.append(("graph", does, str(body)[:200], answer))
    return wrong


def spoil_texts(here: Table, does: str, whole: Mapping[str, Any]) -> int:
    """Put a character that no database takes into each text of a body: 400 over both APIs; how many there were."""
    texts = [name for name, value in whole.items() if isinstance(value, str)]
    for name in texts:
        caches["throttles"].clear()
        body = {**whole, name: "a\u0000b"}
        status, problem = over_rest(here, "gm", does, body)
        (error,) = asked_of_graph(here, "gm", does, body)["errors"]
        assert (status, problem["code"]) == (400, "body.unreadable"), does
        assert error["extensions"]["code"] == problem["code"], does
    return len(texts)


def take(here: Table, over: str, name: str, does: str, body: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """A command that is taken, over `rest` or `graph`: the types and data of its events."""
    if over == "rest":
        status, done = over_rest(here, name, does, body)
        assert status == 201, done
        return [(event["type"], event["data"]) for event in done["events"]]
    done = over_graphql(here, name, does, body)
    assert done["__typename"] == "CommandDone", done
    return [(event["type"], event["dataJson"]) for event in done["events"]]


def bare(value: Any, names: Mapping[str, str], without: Collection[str] = ()) -> Any:
    """Fields of an event with ids by what they are of, without other ids and commitments. without: fields left out."""
    if isinstance(value, dict):
        return {key: bare(held, names, without) for key, held in value.items() if key not in without}
    if isinstance(value, list):
        return [bare(held, names, without) for held in value]
    text = str(value)
    return names.get(text, "<id>" if re.fullmatch(r"[0-9a-f-]{36}|[0-9a-f]{64}", text) else value)
