"""The map of a game is set from its desk: by a file of letters or JSON, or as the real Earth; one `set-map`."""

from typing import Any, get_args
from uuid import UUID, uuid4

import orjson
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from pydantic import TypeAdapter

from api.pages.access import PageViewer, leader_of
from api.pages.event.desk import issue_at_desk
from api.pages.forms.refusals import TAKEN, sentences_of
from api.pages.policy import page
from api.pages.signed_in import SignedInView
from api.representations.issuing.commands import command_class
from games.engine.kernel import Command
from worlds.map_files import EARTH_ATTRIBUTION, GZIP, AtlasError, Chart, earth, read_map

SET_MAP = "set-map"
EARTHS = ((30, 20), (100, 100), (300, 300), (1000, 1000))
"""The sizes in which the Earth is there: rows, columns."""


class DeskMap(SignedInView):
    """The choice of a map, and its command."""

    http_method_names = ["get", "head", "post"]

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """The form. Raises `command.missing` where the ruleset sets no map, `issuer.other`."""
        return self.form(request, leader_of(request, game_id))

    def post(self, request: HttpRequest, game_id: UUID) -> HttpResponseBase:
        """Set it, completely and once; a refusal comes back on the form."""
        leader = leader_of(request, game_id)
        try:
            kind = command_class(leader.viewer.game.ruleset, SET_MAP)
            body = body_of_chart(kind, chart_of(request))
            issue_at_desk(request, leader, SET_MAP, orjson.dumps(body))
        except AtlasError as error:
            return self.form(request, leader, (error.message,))
        except TAKEN as error:
            return self.form(request, leader, sentences_of(error))
        return redirect("desk", game_id)

    @staticmethod
    def form(request: HttpRequest, leader: PageViewer, faults: tuple[str, ...] = ()) -> HttpResponse:
        """The form; faults: why it was not taken."""
        leader.actor(command_class(leader.viewer.game.ruleset, SET_MAP))
        context = {
            "game": leader.viewer.game,
            "earths": [(f"{rows}x{columns}", f"{rows} rows, {columns} columns") for rows, columns in EARTHS],
            "attribution": EARTH_ATTRIBUTION,
            "faults": faults,
            "key": uuid4().hex,
        }
        return page(request, "map", context, status=422 if faults else 200)


def chart_of(request: HttpRequest) -> Chart:
    """The map that a form brings: of its file, else the Earth in the chosen size. Raises AtlasError.

    What is packed is not taken: a small file could become a large one in a process that others wait for.
    """
    sent = request.FILES.get("file")
    if sent is None:
        size = next(((r, c) for r, c in EARTHS if f"{r}x{c}" == request.POST.get("earth")), None)
        if size is None:
            raise AtlasError("map.missing", "Choose a file, or a size of the Earth.")
        return earth(*size)
    content = sent.read()
    if content.startswith(GZIP):
        raise AtlasError("map.invalid", f"{sent.name} is packed; unpack it first.")
    return read_map(sent.name or "The file", content)


def body_of_chart(kind: type[Command], chart: Chart) -> dict[str, Any]:
    """The body of a command that lays a chart: rows of letters where it takes them and they say all, else cells.

    Raises AtlasError for a feature or a terrain that the command's squares do not have, with row and column.
    """
    body: dict[str, Any] = {"width": chart.width, "height": chart.height}
    (cell, _) = get_args(kind.model_fields["cells"].annotation)
    for mark in () if "features" in cell.model_fields else chart.features:
        raise _not_laid(mark.y, mark.x, f"the feature {mark.kind}", "none; lay the map without features")
    if "rows" in kind.model_fields and not chart.features and all(len(key) == 1 for key in chart.terrain):
        return body | {"rows": ["".join(row) for row in chart.rows()]}
    terrain = cell.model_fields["terrain"].annotation
    known: list[str] = TypeAdapter(terrain).json_schema().get("enum", [])
    for place, key in enumerate(chart.terrain) if known else ():
        if key not in known:
            raise _not_laid(*divmod(place, chart.width), f"the terrain {key}", ", ".join(known))
    cells: list[dict[str, Any]] = [{"terrain": key} for key in chart.terrain]
    for mark in chart.features:
        cells[mark.y * chart.width + mark.x].setdefault("features", []).append(mark.kind)
    return body | {"cells": cells}


def _not_laid(y: int, x: int, what: str, known: str) -> AtlasError:
    """A square of a chart that a game does not have."""
    where = f"Row {y + 1}, column {x + 1}"
    return AtlasError("map.invalid", f"{where}: {what} is not in this game; it has {known}.", line=y + 1, column=x + 1)
