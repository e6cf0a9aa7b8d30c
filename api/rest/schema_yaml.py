"""The OpenAPI document as YAML to be read: what is short stands in one line, texts of several lines as blocks."""

from typing import Any

import yaml

WIDTH = 150
MAX_INLINE = 134
"""Characters of what stands in one line."""
Scalar = str | int | float | bool | None


class Dumper(yaml.CSafeDumper):
    """Lists of plain values, and small objects of them or around one of them, in one line."""

    def ignore_aliases(self, data: Any) -> bool:
        """Nothing is an alias: some readers of OpenAPI know none."""
        return True


def to_yaml(document: dict[str, Any]) -> str:
    """The document as text."""
    text: str = yaml.dump(document, Dumper=Dumper, width=WIDTH, sort_keys=False, allow_unicode=True)
    return text


def _is_plain(value: Any) -> bool:
    return isinstance(value, Scalar) and "\n" not in str(value)


def _length(value: Any) -> int:
    """How long a value is in one line, about."""
    if isinstance(value, dict):
        return sum(len(str(key)) + 4 + _length(each) for key, each in value.items())
    if isinstance(value, list):
        return sum(2 + _length(each) for each in value)
    return len(str(value))


def _is_short(value: dict[str, Any]) -> bool:
    """Whether an object has plain values, lists of them or one object of them, and fits into a line."""
    inner = [each for each in value.values() if not _is_flat(each)]
    plain = not inner or (len(inner) == 1 and isinstance(inner[0], dict) and all(map(_is_flat, inner[0].values())))
    return plain and bool(value) and _length(value) <= MAX_INLINE


def _is_flat(value: Any) -> bool:
    return _is_plain(value) or (isinstance(value, list) and all(map(_is_plain, value)))


def _mapping(dumper: Dumper, value: dict[str, Any]) -> yaml.Node:
    return dumper.represent_mapping("tag:yaml.org,2002:map", value, flow_style=_is_short(value))


def _sequence(dumper: Dumper, value: list[Any]) -> yaml.Node:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=all(map(_is_plain, value)))


def _text(dumper: Dumper, value: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


Dumper.add_representer(dict, _mapping)
Dumper.add_representer(list, _sequence)
Dumper.add_representer(tuple, lambda dumper, value: _sequence(dumper, list(value)))
Dumper.add_representer(str, _text)
