"""The packs as files: `v<version>/<part>.yaml`. They are read once; errors name file and line.

This is the only place of the game that reads files; what a pack is stands in `games.gods2.rules.pack`.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from games.engine.errors import Refused
from games.gods2.rules.pack import PARTS, Pack, build, invalid

HOME = Path(__file__).parent
FOLDER = re.compile(r"^v([1-9][0-9]*)$")


class _Loader(yaml.SafeLoader):
    """YAML in which only `true` and `false` are yes and no: `on` is a key of the packs."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(true|false)$"), ["t", "f"])


@cache
def load(version: int, home: Path = HOME) -> Pack:
    """The pack of one version, checked. Raises `pack.missing`, or `pack.invalid` with entry, file and line."""
    raw, lines = entries(version, home)
    try:
        return build(version, raw)
    except Refused as wrong:
        entry = str(wrong.facts.get("entry", ""))
        if entry not in lines:
            raise
        raise Refused(
            wrong.code, f"{lines[entry]}: {wrong.message}", rules=wrong.rules, entry=entry, line=lines[entry]
        ) from wrong


def entries(version: int, home: Path = HOME) -> tuple[dict[str, list[dict[str, Any]]], dict[str, str]]:
    """The plain data of one version by part, and where each entry begins, as `powers/flood` -> `powers.yaml:12`."""
    folder = home / f"v{version}"
    if not folder.is_dir():
        raise Refused("pack.missing", f"There is no pack of version {version}.", version=version)
    lines: dict[str, str] = {}
    return {part: _read(folder / f"{part}.yaml", part, lines) for part in PARTS}, lines


def _read(path: Path, part: str, lines: dict[str, str]) -> list[dict[str, Any]]:
    """The entries of one file; `lines` learns where each begins."""
    text = path.read_text(encoding="utf-8")
    loader = _Loader(text)
    try:
        root = loader.get_single_node()
        found: list[dict[str, Any]] = []
        for node in root.value if isinstance(root, yaml.SequenceNode) else ():
            entry = loader.construct_document(node)
            place = f"{path.name}:{node.start_mark.line + 1}"
            if not isinstance(entry, dict):
                raise invalid(f"{part}/?", f"{place} is no entry")
            lines.setdefault(f"{part}/{entry.get('id', '?')}", place)
            found.append(entry)
    except yaml.YAMLError as wrong:
        raise invalid(f"{part}/?", f"{path.name} cannot be read: {wrong}") from wrong
    finally:
        loader.dispose()
    if not found:
        raise invalid(f"{part}/?", f"{path.name} is no list of entries")
    return found


@cache
def shelf() -> Mapping[int, Pack]:
    """Every pack of the house by version."""
    versions = sorted(int(m[1]) for m in (FOLDER.match(p.name) for p in HOME.iterdir()) if m)
    return MappingProxyType({version: load(version) for version in versions})
