"""Dawn over both APIs, for the tests: the same command and the same rows, asked for twice."""

import json
from collections.abc import Mapping
from typing import Any

from api.graphql.commands import camel
from api.representations.resources.resource import Resource
from games.dawn import api
from games.models import LoggedEvent, Receipt
from tests.api.graph import rows_of_graph
from tests.api.worlds import client
from tests.games.dawn import World

JSON = "application/json"


def graphql(who: Any, query: str, **variables: Any) -> dict[str, Any]:
    answer = who.post("/graphql/", {"query": query, "variables": variables}, content_type=JSON).json()
    assert "errors" not in answer, answer
    found: dict[str, Any] = answer["data"]
    return found


def over_rest(
    here: World, name: str, does: str, body: Mapping[str, Any], query: str = "", address: str = "commands"
) -> tuple[int, Any]:
    """(status, body) of a command, or of its forecast."""
    sent = json.dumps(body, default=str)
    answer = here.client(name).post(here.url(f"{address}/{does}/{query}"), sent, content_type=JSON)
    return answer.status_code, answer.json()


def camel_case(value: Any) -> Any:
    """A value with the names that GraphQL has."""
    if isinstance(value, Mapping):
        return {camel(key): camel_case(held) for key, held in value.items()}
    if isinstance(value, list):
        return [camel_case(held) for held in value]
    return value if isinstance(value, bool | int) or value is None else str(value)


def over_graphql(here: World, name: str, does: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The result of the same command."""
    kind = "".join(part.title() for part in does.split("-"))
    head, given = (f", $i: Dawn{kind}Input!", ", input: $i") if body else ("", "")
    query = f"""mutation($g: UUID!{head}) {{ it: dawn{kind}(game: $g{given}) {{ __typename
        ... on CommandDone {{ events {{ type dataJson }} }} ... on Refusal {{ code detail rules facts }} }} }}"""
    answer: dict[str, Any] = graphql(
        here.client(name), query, g=str(here.id), **({"i": camel_case(body)} if body else {})
    )["it"]
    return answer


def standing(here: World) -> tuple[int, int, int]:
    """What a refusal or a dry run must not move."""
    return here.game.seq, LoggedEvent.objects.filter(game=here.id).count(), Receipt.objects.count()


def of(name: str) -> Resource:
    """A resource by its name."""
    return next(r for r in api.RESOURCES if r.name == name)


def rows_of(name: str, here: World, who: str | None, /, *, gm: bool = False, **wanted: Any) -> list[dict[str, Any]]:
    """The rows of one game through both APIs, which must show the same."""
    resource, viewer = of(name), here.client(who) if who else client()
    query = {"game": str(here.id), "limit": "100", **wanted, **({"as": "gm"} if gm else {})}
    answer = viewer.get(f"/api/v1/dawn/{name}/", {k: str(v).lower() if v is True else str(v) for k, v in query.items()})
    assert answer.status_code == 200, answer.content
    rest: list[dict[str, Any]] = answer.json()["results"]
    if not wanted:
        shown = rows_of_graph(viewer, "dawn", here.id, resource, as_gm=gm)
        assert [{camel(k): v for k, v in row.items()} for row in rest] == shown, name
    return rest
