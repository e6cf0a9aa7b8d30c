"""What several schemas of one answer share: it stands once in `$defs`, to which they refer by `#/$defs/...`.

A client reads an entry's schema together with the answer's `$defs`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain, count
from typing import Any

import orjson

Schema = dict[str, Any]
MAPS = frozenset({"properties"})
"""Keywords whose value is a map of schemas and no schema itself."""
VALUES = frozenset({"const", "enum", "required", "if"})
"""Keywords whose value is data, or a condition that stands where it is."""
WORTH = 50  # bytes of a schema that is moved to `$defs` when it stands twice


def share(schemas: list[Schema]) -> tuple[list[Schema], Schema]:
    """The schemas with what stands in several places moved to `$defs`, and those."""
    counts: Counter[bytes] = Counter()
    words: dict[bytes, str] = {}
    for schema in schemas:
        for name, part in _parts(schema, "body"):
            _count(name, part, counts, words)
    names: dict[bytes, str] = {}
    for text, found in counts.items():
        if found > 1:
            stem, taken = words[text], set(names.values())
            numbered = chain((stem,), (f"{stem}_{number}" for number in count(2)))
            names[text] = next(name for name in numbered if name not in taken)
    defs: Schema = {}
    return [_with_references(schema, names, defs) for schema in schemas], defs


def _count(name: str, schema: Schema, counts: Counter[bytes], words: dict[bytes, str]) -> None:
    """Count a schema and, when it is met for the first time, what is inside it."""
    text = orjson.dumps(schema)
    if len(text) <= WORTH:
        return  # and so is all that is inside it
    counts[text] += 1
    words.setdefault(text, name)
    if counts[text] > 1:
        return
    for inner, part in _parts(schema, name):
        _count(inner, part, counts, words)


def _parts(schema: Schema, name: str) -> Iterator[tuple[str, Schema]]:
    """The schemas right inside one, each with the name of the argument it is for."""
    for key, value in schema.items():
        if key in MAPS:
            yield from ((inner, part) for inner, part in value.items() if _may_be_shared(part))
        elif key in VALUES:
            continue
        elif isinstance(value, dict):
            yield name, value
        elif isinstance(value, list):
            yield from ((name, part) for part in value if _may_be_shared(part))


def _may_be_shared(part: Any) -> bool:
    """Whether this is a schema that may stand in `$defs`: not one of a single value, which is read where it stands."""
    return isinstance(part, dict) and "const" not in part


def _with_references(schema: Schema, names: Mapping[bytes, str], defs: Schema) -> Schema:
    """A schema whose parts are replaced by references where they are shared; `defs` gets what they refer to."""

    def part(inner: Any) -> Any:
        if not _may_be_shared(inner):
            return inner
        text = orjson.dumps(inner)
        if len(text) <= WORTH:
            return inner
        name = names.get(text)
        if name is None:
            return _with_references(inner, names, defs)
        if name not in defs:
            defs[name] = {}  # its place, before those of its parts
            defs[name] = _with_references(inner, names, defs)
        return {"$ref": f"#/$defs/{name}"}

    found: Schema = {}
    for key, value in schema.items():
        if key in MAPS:
            found[key] = {name: part(inner) for name, inner in value.items()}
        elif key in VALUES or not isinstance(value, dict | list):
            found[key] = value
        else:
            found[key] = part(value) if isinstance(value, dict) else [part(inner) for inner in value]
    return found
