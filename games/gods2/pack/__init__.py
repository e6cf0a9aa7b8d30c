"""The packs of The Gods II as files: `v<version>/<part>.yaml`, read once; errors name file and line.

Version 1 is whole. Each later version holds only what differs from the one before, and why: an entry's id, its changed
fields, and `why`, which does not enter the pack. This is the only place of the game that reads files; what a pack is
stands in `games.gods2.rules.pack.pack`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from games.engine.errors import Refused
from games.gods2.rules.pack.pack import PARTS, Finding, Pack, build, invalid

HOME = Path(__file__).parent
FOLDER = re.compile(r"^v([1-9][0-9]*)$")
BOOL = "tag:yaml.org,2002:bool"
UNKNOWN = {BOOL, "tag:yaml.org,2002:merge", "tag:yaml.org,2002:timestamp"}
DEEPEST = 12  # levels; the deepest entry of the files has 7
Entry = dict[str, Any]


def _error_at_event(problem: str, event: Any) -> yaml.MarkedYAMLError:
    return yaml.composer.ComposerError(None, None, problem, event.start_mark)


class Loader(yaml.composer.Composer, yaml.CSafeLoader):
    """YAML in which only `true` and `false` are yes and no, as `on` is a key of the packs, and no key stands twice.

    It is read by libyaml, which is many times faster, and composed here. Dates are texts, nothing refers to anything
    else, and nothing lies deeper than some levels.
    """

    depth = 0

    def __init__(self, text: str) -> None:
        yaml.CSafeLoader.__init__(self, text)
        yaml.composer.Composer.__init__(self)

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """The next node. Raises ComposerError for a reference, or too deep down."""
        event = self.peek_event()
        if isinstance(event, yaml.AliasEvent):
            raise _error_at_event("packs have no references", event)
        if self.depth >= DEEPEST:
            raise _error_at_event(f"more than {DEEPEST} levels", event)
        self.depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self.depth -= 1

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """The mapping. Raises ConstructorError where a key stands twice."""
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str) or key in seen:
                problem = f"the key {key} stands twice" if key in seen else f"{key!r} is no key"
                raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in UNKNOWN]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver(BOOL, re.compile(r"^(true|false)$"), ["t", "f"])


class Lines:
    """Where things stand in the files: `powers/flood` and a path in it -> `v1/powers.yaml:12`."""

    def __init__(self, before: "Lines | None" = None) -> None:
        self._nodes: dict[str, tuple[str, yaml.Node]] = {}
        self._again: dict[str, tuple[str, yaml.Node]] = {}
        self._before = before
        """Those of the version that this one changes."""

    def learn(self, entry: str, file: str, node: yaml.Node) -> None:
        """An entry begins at this node; the second of the same name is stored beside the first."""
        (self._again if entry in self._nodes else self._nodes)[entry] = (file, node)

    def __contains__(self, entry: str) -> bool:
        return entry in self._nodes or (self._before is not None and entry in self._before)

    def place(self, entry: str, path: tuple[str | int, ...] = ()) -> str:
        """File and line of a path in an entry, or of the innermost part of it that is there."""
        if self._before is not None and entry in self._before:
            here = self._nodes.get(entry)
            if here is None or (path and _child(here[1], path[0]) is None):
                return self._before.place(entry, path)
        file, node = self._again.get(entry, self._nodes[entry]) if path == ("id",) else self._nodes[entry]
        line = node.start_mark.line
        for step in path:
            inner = _child(node, step)
            if inner is None:
                break
            line, node = inner
        return f"{file}:{line + 1}"


def _child(node: yaml.Node, step: str | int) -> tuple[int, yaml.Node] | None:
    """The line and the node of a key or a place in a node."""
    if isinstance(node, yaml.MappingNode):
        return next(((k.start_mark.line, v) for k, v in node.value if k.value == step), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step].start_mark.line, node.value[step]
    return None


@cache
def load(version: int, home: Path = HOME) -> Pack:
    """The pack of one version, checked. Raises `pack.missing`, or `pack.invalid` with entry, file and line."""
    raw, lines = entries(version, home)
    try:
        return build(version, raw)
    except Refused as wrong:
        entry, path = str(wrong.facts.get("entry", "")), wrong.facts.get("path", ())
        if entry not in lines or not isinstance(path, tuple):
            raise
        place = lines.place(entry, path)
        facts = {**wrong.facts, "line": place}
        raise Refused(wrong.code, f"{place}: {wrong.message}", rules=wrong.rules, **facts) from wrong


def entries(version: int, home: Path = HOME) -> tuple[dict[str, list[Entry]], Lines]:
    """The plain data of one version by part, and where each entry stands.

    Entries that a later version changes keep their places; those it adds come last.
    """
    folder = home / f"v{version}"
    if not folder.is_dir():
        raise Refused("pack.missing", f"There is no pack of version {version}.", version=version)
    unknown = sorted(p.name for p in folder.iterdir() if p.suffix in (".yaml", ".yml") and p.stem not in PARTS)
    if unknown:
        place = f"{folder.name}/{unknown[0]}:1"
        raise _unreadable("pack", place, f"a pack has no part of this name; there are {', '.join(PARTS)}")
    if version == 1:
        lines = Lines()
        return {part: _read_entries(folder / f"{part}.yaml", part, lines) for part in PARTS}, lines
    raw, before = entries(version - 1, home)
    lines = Lines(before)
    paths = {part: folder / f"{part}.yaml" for part in PARTS}
    changes = {part: _read_entries(path, part, lines) for part, path in paths.items() if path.is_file()}
    return {part: _apply_changes(raw[part], changes.get(part, []), part, lines) for part in PARTS}, lines


def _apply_changes(before: list[Entry], changes: list[Entry], part: str, lines: Lines) -> list[Entry]:
    """The entries of a later version: those before with the fields that changes name, then the new ones."""
    found = {str(entry.get("id", "?")): entry for entry in before}
    for change in changes:
        key = str(change.get("id", "?"))
        entry = f"{part}/{key}"
        if sum(other.get("id") == key for other in changes) > 1:
            raise _unreadable(part, lines.place(entry), f"the id {key} stands twice")
        if not change.get("why"):
            raise _unreadable(part, lines.place(entry), f"say why {key} differs from the version before (`why`)")
        found[key] = {**found.get(key, {}), **{name: value for name, value in change.items() if name != "why"}}
    return list(found.values())


def _read_entries(path: Path, part: str, lines: Lines) -> list[Entry]:
    """The entries of one file; `lines` learns where each begins."""
    name = f"{path.parent.name}/{path.name}"
    if not path.is_file():
        raise _unreadable(part, name, "the file is missing")
    loader = Loader(path.read_text(encoding="utf-8"))
    try:
        root = loader.get_single_node()
        if not isinstance(root, yaml.SequenceNode) or not root.value:
            raise _unreadable(part, f"{name}:1", "the file is no list of entries")
        found: list[Entry] = []
        for node in root.value:
            entry = loader.construct_document(node)
            if not isinstance(entry, dict):
                raise _unreadable(part, f"{name}:{node.start_mark.line + 1}", "this is no entry")
            lines.learn(f"{part}/{entry.get('id', '?')}", name, node)
            found.append(entry)
    except yaml.MarkedYAMLError as wrong:
        line = wrong.problem_mark.line + 1 if wrong.problem_mark else 1
        raise _unreadable(part, f"{name}:{line}", wrong.problem or "this cannot be read") from wrong
    except yaml.YAMLError as wrong:
        raise _unreadable(part, f"{name}:1", str(wrong)) from wrong
    finally:
        loader.dispose()
    return found


def _unreadable(part: str, place: str, why: str) -> Refused:
    wrong = invalid(Finding(f"{part}/?", (), why))
    facts = {**wrong.facts, "line": place}
    return Refused(wrong.code, f"{place}: {wrong.message}", rules=wrong.rules, **facts)


class PackFiles(Mapping[int, Pack]):
    """Every pack of the files by version; each is read when it is first asked for."""

    def __init__(self) -> None:
        self._versions = sorted(int(m[1]) for m in (FOLDER.match(p.name) for p in HOME.iterdir()) if m)

    def __getitem__(self, version: int) -> Pack:
        if version not in self._versions:
            raise KeyError(version)
        return load(version)

    def __iter__(self) -> Iterator[int]:
        return iter(self._versions)

    def __len__(self) -> int:
        return len(self._versions)


def parse_piece(text: str) -> Any:
    """A piece of a pack as a person writes it, in YAML or JSON. Raises ValueError with the line and what is wrong."""
    loader = Loader(text)
    try:
        value = loader.get_single_data()
        json.dumps(value, allow_nan=False)
    except yaml.MarkedYAMLError as wrong:
        line = wrong.problem_mark.line + 1 if wrong.problem_mark else 1
        line = min(line, text.count("\n") + 1)  # libyaml sees an end that comes too early below the last line
        raise ValueError(f"line {line}: {wrong.problem or 'this cannot be read'}") from wrong
    except (yaml.YAMLError, TypeError) as wrong:
        raise ValueError(f"this cannot be read: {wrong}") from wrong
    finally:
        loader.dispose()
    return value


def write_piece(value: Any) -> str:
    """A piece of a pack as the files have it: a line for each element of a list."""
    if not isinstance(value, list):
        return _flow(value)
    if all(isinstance(element, (str, int)) for element in value):
        return _flow(value)
    return "\n".join(f"- {_flow(element)}" for element in value)


def _flow(value: Any) -> str:
    text: str = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, sort_keys=False, width=10_000)
    return text.removesuffix("\n").removesuffix("\n...")


@cache
def pack_files() -> PackFiles:
    """Every pack of the files by version."""
    return PackFiles()
