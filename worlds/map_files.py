"""Maps as files: letter maps and JSON, read with clear refusals and written back (pure, no database).

A letter map is one letter a square and one line a row, row 0 in the north. JSON carries features too. Reading what
was written gives the same chart.
"""

import codecs
import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.letter_map import MapFault, read_rows
from worlds.ids import SIDE_LIMIT

LETTERS = {"P": "plains", "F": "forest", "D": "desert", "M": "mountains", "I": "ice", "W": "water"}
TERRAIN_LENGTH = 16
KEY_LENGTH = 40
NAME_LENGTH = 120
FEATURES_A_SQUARE = 32
GZIP = b"\x1f\x8b"
MAX_BYTES = 2**28
"""The largest map, 4,096 x 4,096 squares, as JSON with few features."""
ENCODINGS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""By their marks, the longer ones first."""
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
MAPS = Path(__file__).parent / "data"
EARTH_ATTRIBUTION = (
    "Map of the Earth after the Köppen-Geiger climate classes of Beck et al. 2018, "
    "Scientific Data 5, 180214 (CC BY 4.0)."
)


class AtlasError(Exception):
    """A map cannot be read, written or laid out.

    code: stable, `noun.reason` (`map.invalid`, `map.incomplete`, `map.present`). message: for people. facts: where it
    is wrong, such as line and column (both from 1, as editors count).
    """

    def __init__(self, code: str, message: str, **facts: int | str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.facts = facts


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """A feature on a chart: where it stands, its kind (a key) and its own name ("" for none)."""

    y: int
    x: int
    kind: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """A map without its world: terrain row by row (width * height keys, row 0 first) and the features in order."""

    width: int
    height: int
    terrain: tuple[str, ...]
    features: tuple[Mark, ...] = ()

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Terrain keys, one tuple a row."""
        for start in range(0, self.width * self.height, self.width):
            yield self.terrain[start : start + self.width]


def earth(rows: int = 30, columns: int = 20) -> Chart:
    """The real Earth: 30 x 20 (a standard event), 100 x 100, 300 x 300 or 1000 x 1000 squares.

    Show EARTH_ATTRIBUTION with it. AtlasError `map.missing` for a size that is not stored.
    """
    file = MAPS / f"earth_{rows}x{columns}.txt"
    packed = file.with_suffix(".txt.gz")
    if packed.exists():
        return read_letters(gzip.decompress(packed.read_bytes()).decode("ascii"))
    if not file.exists():
        raise AtlasError(
            "map.missing",
            f"No Earth of {rows} rows and {columns} columns exists; there are 30x20, 100x100, 300x300 and 1000x1000.",
            rows=rows,
            columns=columns,
        )
    return read_letters(file.read_text(encoding="ascii"))


def read_letters(text: str) -> Chart:
    """Read a letter map: P plains, F forest, D desert, M mountains, I ice, W water; small letters count as large.

    Spaces at line ends and empty lines at the end are skipped. AtlasError `map.invalid` with row and column for an
    unknown letter, an uneven or empty row, an empty map, and a side of more than 4,096 squares.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    if len(lines) > SIDE_LIMIT:
        _check_sides(1, len(lines))
    try:
        rows = read_rows(lines, LETTERS)
    except MapFault as fault:
        raise AtlasError("map.invalid", fault.message, **fault.facts) from fault
    _check_sides(len(rows[0]), len(rows))
    return Chart(len(rows[0]), len(rows), tuple("".join(rows)))


def read_map(file: str, content: bytes) -> Chart:
    """Read a map from a file of any kind: letters or JSON, packed with gzip or not.

    file: its name; JSON is what is called so (`MAP.JSON`, `map.json.gz`) or begins with a brace. Text is UTF-8, or what
    its byte-order mark says. AtlasError `map.invalid`: one sentence with the file, the place and what stands there.
    """
    try:
        text = _text(_unpack(content))
        name = file.lower().removesuffix(".gz")
        is_json = name.endswith(".json") or text.lstrip()[:1] in ("{", "[")
        return read_json(text) if is_json else read_letters(text)
    except AtlasError as fault:
        raise AtlasError(fault.code, f"{file}: {fault.message}", **fault.facts) from fault


def _unpack(content: bytes) -> bytes:
    """What a file holds, unpacked where it is gzip."""
    if not content.startswith(GZIP):
        return content
    unpacking = zlib.decompressobj(wbits=31)
    try:
        found = unpacking.decompress(content, MAX_BYTES)
    except zlib.error as error:
        raise AtlasError("map.invalid", "This is gzip that cannot be unpacked; pack it again.") from error
    if not unpacking.eof:
        is_large = bool(unpacking.unconsumed_tail)
        why = f"is larger than {MAX_BYTES} bytes unpacked" if is_large else "ends in the middle of its gzip"
        raise AtlasError("map.invalid", f"The file {why}.")
    if found.startswith(GZIP):
        raise AtlasError("map.invalid", "This is gzip inside a gzip; pack the map once.")
    if unpacking.unused_data.strip(b"\0"):
        raise AtlasError("map.invalid", "Something stands behind the gzip of the map; pack the map alone.")
    return found


def _text(content: bytes) -> str:
    """What bytes say, in the encoding of their byte-order mark, else in UTF-8."""
    encoding = next((name for mark, name in ENCODINGS.items() if content.startswith(mark)), "utf-8")
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode(encoding, "replace").splitlines() or [""]
        at = f"Row {len(before)}, column {len(before[-1]) + 1}"
        raise AtlasError(
            "map.invalid",
            f"{at}: byte {content[error.start]:#04x} is not {encoding.upper()}; save the file as UTF-8.",
            line=len(before),
            column=len(before[-1]) + 1,
        ) from error


def write_letters(chart: Chart) -> str:
    """The chart as a letter map, one line a row, each with its line end. Features are left out.

    AtlasError `map.invalid` for a terrain key that is no letter: such a map is written as JSON.
    """
    for place, key in enumerate(chart.terrain):
        if key not in LETTERS:
            y, x = divmod(place, chart.width)
            raise AtlasError(
                "map.invalid", f"Square ({x}, {y}) is {key!r}, which has no letter; write this map as JSON.", x=x, y=y
            )
    return "".join("".join(row) + "\n" for row in chart.rows())


def write_json(chart: Chart) -> dict[str, Any]:
    """The chart as JSON data: `{width, height, cells: [{terrain, features: [{kind, name}]}]}`, cells row by row."""
    cells: list[dict[str, Any]] = [{"terrain": key, "features": []} for key in chart.terrain]
    for mark in sorted(chart.features):
        cells[mark.y * chart.width + mark.x]["features"].append({"kind": mark.kind, "name": mark.name})
    return {"width": chart.width, "height": chart.height, "cells": cells}


def read_json(source: str | bytes | dict[str, Any]) -> Chart:
    """Read what `write_json` writes, or `rows` of letters, as text or as parsed data.

    AtlasError `map.invalid`: for broken JSON with line and column, else with the number of the cell (from 0) and x, y.
    A cell needs `terrain`; `features` may be missing. Unknown fields are refused.
    """
    data = _parse_source(source) if isinstance(source, str | bytes) else source
    if isinstance(data, dict) and "rows" in data and data.keys() <= {"width", "height", "rows"}:
        return _read_rows_of(data)
    if not isinstance(data, dict) or data.keys() != {"width", "height", "cells"}:
        raise AtlasError(
            "map.invalid", "A map is an object with exactly the fields width, height and cells, or one with rows."
        )
    width, height, cells = data["width"], data["height"], data["cells"]
    if type(width) is not int or type(height) is not int or not isinstance(cells, list):
        raise AtlasError("map.invalid", "Width and height are whole numbers and cells is a list.")
    _check_sides(width, height)
    if len(cells) != width * height:
        raise AtlasError(
            "map.invalid",
            f"A map of {width} by {height} has {width * height} cells; this one has {len(cells)}.",
            cells=len(cells),
            expected=width * height,
        )
    terrain: list[str] = []
    marks: list[Mark] = []
    for number, cell in enumerate(cells):
        y, x = divmod(number, width)
        if not isinstance(cell, dict) or "terrain" not in cell or cell.keys() - {"terrain", "features"}:
            raise _bad_cell(number, x, y, "is an object with terrain and, if it has any, features")
        if not _is_key(cell["terrain"], TERRAIN_LENGTH):
            raise _bad_cell(number, x, y, f"needs a terrain key of 1 to {TERRAIN_LENGTH} characters")
        terrain.append(cell["terrain"])
        marks.extend(_marks(number, x, y, cell.get("features", [])))
    return Chart(width, height, tuple(terrain), tuple(sorted(marks)))


def _read_rows_of(data: dict[str, Any]) -> Chart:
    """A letter map in JSON, as the command `set-map` takes it; its sides are those of the rows."""
    rows = data["rows"]
    if not isinstance(rows, list) or not all(isinstance(row, str) and len(row.splitlines()) < 2 for row in rows):
        raise AtlasError("map.invalid", "The rows of a map are a list of texts, a letter for each square.")
    chart = read_letters("\n".join(rows))
    for side, here in (("width", chart.width), ("height", chart.height)):
        if data.get(side, here) != here:
            raise AtlasError("map.invalid", f"The {side} is {data[side]!r}; by the rows it is {here}.")
    return chart


def _marks(number: int, x: int, y: int, features: object) -> Iterator[Mark]:
    if not isinstance(features, list) or len(features) > FEATURES_A_SQUARE:
        raise _bad_cell(number, x, y, f"has features as a list of at most {FEATURES_A_SQUARE}")
    for feature in features:
        if not isinstance(feature, dict) or "kind" not in feature or feature.keys() - {"kind", "name"}:
            raise _bad_cell(number, x, y, "writes each feature as an object with kind and, if it has one, name")
        name = feature.get("name", "")
        if not _is_key(feature["kind"], KEY_LENGTH):
            raise _bad_cell(number, x, y, f"needs a kind of 1 to {KEY_LENGTH} characters for each feature")
        if not isinstance(name, str) or len(name) > NAME_LENGTH or UNSTORABLE.search(name):
            raise _bad_cell(number, x, y, f"gives a feature a name of at most {NAME_LENGTH} characters")
        yield Mark(y, x, feature["kind"], name)


def _is_key(value: object, length: int) -> bool:
    return isinstance(value, str) and 0 < len(value) <= length and value.isprintable() and value == value.strip()


def _bad_cell(number: int, x: int, y: int, what: str) -> AtlasError:
    return AtlasError("map.invalid", f"Cell {number}, square ({x}, {y}): a cell {what}.", cell=number, x=x, y=y)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON. AtlasError `map.invalid` for a key that stands in it twice: which of them counts?"""
    found = dict(pairs)
    if len(found) < len(pairs):
        (twice, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise AtlasError("map.invalid", f"The key {twice[:KEY_LENGTH]!a} stands twice in one object; keep one.")
    return found


def _parse_source(source: str | bytes) -> Any:
    try:
        return json.loads(source, object_pairs_hook=_object)
    except json.JSONDecodeError as fault:
        raise AtlasError(
            "map.invalid",
            f"Row {fault.lineno}, column {fault.colno}: {_position_of(fault)}, which is not JSON ({fault.msg}).",
            line=fault.lineno,
            column=fault.colno,
        ) from fault
    except (ValueError, RecursionError) as fault:
        raise AtlasError("map.invalid", "Row 1: this is no JSON in UTF-8 that can be read.", line=1) from fault


def _position_of(fault: json.JSONDecodeError) -> str:
    """What stands where JSON ended."""
    there = fault.doc[fault.pos : fault.pos + 1]
    return f"{there!a} stands there" if there else "the file ends there"


def _check_sides(width: int, height: int) -> None:
    if not (1 <= width <= SIDE_LIMIT and 1 <= height <= SIDE_LIMIT):
        raise AtlasError(
            "map.invalid",
            f"A map of {width} by {height} squares does not fit; each side has 1 to {SIDE_LIMIT} squares.",
            width=width,
            height=height,
        )
