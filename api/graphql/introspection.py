"""Introspection: what an operation may ask of the schema itself, and answers that are made once for each process.

The schema changes with the code alone, and its answer is megabytes that take seconds to make. Within one introspection
no name is given twice and no list stands below the type of a field, so none is dearer than the one that tools send.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import orjson
from graphql import (
    DocumentNode,
    ExecutionResult,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    print_ast,
    separate_operations,
)
from strawberry.extensions import SchemaExtension

from core.process_cache import ProcessCache

SCHEMA, TYPE = "__schema", "__type"
ENTRIES = frozenset({SCHEMA, TYPE})
LISTS = frozenset({"types", "directives", "fields", "inputFields", "interfaces", "possibleTypes", "enumValues", "args"})
REACHED = frozenset({"type", "ofType", "interfaces", "possibleTypes"})
"""Fields that lead from a type to others; of those only names are told."""
MAX_TYPES = 10
MAX_LEVELS = 40
ROOM = 8
KEY = "introspection_key"
"""Where an execution context holds the key of its introspection, once `Limits` has found it."""
_answers: ProcessCache[str, bytes] = ProcessCache(ROOM)
_making = Lock()


@dataclass(slots=True)
class Asked:
    """What an operation asks of the schema, fragments included.

    entries: names in the answer under which `__schema` and `__type` stand. others: whether it asks for anything else.
    faults: what may not stand in an introspection, as sentences by code.
    """

    entries: dict[str, set[str]] = field(default_factory=lambda: {SCHEMA: set(), TYPE: set()})
    others: bool = False
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def is_all(self) -> bool:
        """Whether the schema is all that is asked for."""
        return not self.others and any(self.entries.values())


class Reader:
    """Reads what the operations of one document ask of the schema; each fragment once at each kind of position."""

    def __init__(self, fragments: Mapping[str, FragmentDefinitionNode]) -> None:
        self.fragments = fragments

    def read(self, operation: OperationDefinitionNode) -> Asked:
        """What one operation asks."""
        found = Asked()
        self._read(operation.selection_set, found, set(), position="root", level=0)
        return found

    def _read(
        self, selection: SelectionSetNode, found: Asked, seen: set[tuple[str, str]], *, position: str, level: int
    ) -> None:
        """Read a selection. position: `root` of the operation, `schema` in an introspection, `reached` below a type."""
        if level > MAX_LEVELS:
            found.faults["query.deep"] = f"Introspection is at most {MAX_LEVELS} levels deep."
            return
        for node in selection.selections:
            inner, below = position, None
            match node:
                case FieldNode():
                    inner, below = self._field(node, found, position), node.selection_set
                case InlineFragmentNode():
                    below = node.selection_set
                case FragmentSpreadNode() if (
                    node.name.value in self.fragments and (node.name.value, position) not in seen
                ):
                    seen.add((node.name.value, position))
                    below = self.fragments[node.name.value].selection_set
            if below is not None and inner:
                self._read(below, found, seen, position=inner, level=level + 1)

    def _field(self, node: FieldNode, found: Asked, position: str) -> str:
        """Note a field; the kind of position below it, empty where nothing of the schema is."""
        name = node.name.value
        if position == "root":
            if name in ENTRIES:
                found.entries[name].add((node.alias or node.name).value)
                return "schema"
            found.others = found.others or name != "__typename"
            return ""
        if node.alias is not None:
            found.faults["query.costly"] = "Introspection gives no field another name; ask for each once."
        if position == "reached" and name in LISTS:
            found.faults["query.deep"] = (
                f"`{name}` stands below another type here; ask for that type by `__type`, or for all by `types`."
            )
        return "reached" if name in REACHED else position


def refusals(asked: Asked) -> Iterator[tuple[str, str, dict[str, int]]]:
    """Why an operation may not ask that: code, sentence, facts."""
    for name, most in ((SCHEMA, 1), (TYPE, MAX_TYPES)):
        if (count := len(asked.entries[name])) > most:
            message = f"This operation asks for `{name}` {count} times; {most} is the most."
            yield "query.costly", message, {"asked": count, "most": most}
    for code, sentence in asked.faults.items():
        yield code, sentence, {}


def key_of(document: DocumentNode, name: str, variables: Mapping[str, Any] | None) -> str:
    """What the answer to an introspection follows from: the operation without what is around it, and its values."""
    text = print_ast(separate_operations(document)[name])
    return f"{text}{orjson.dumps(variables or {}, option=orjson.OPT_SORT_KEYS, default=str).decode()}"


def is_kept(key: str) -> bool:
    """Whether this process has that answer."""
    return bool(key) and _answers.get(key) is not None


class KeptIntrospection(SchemaExtension):
    """Answers an operation that asks for nothing but the schema from memory; one at a time is made in a process."""

    def on_execute(self) -> Iterator[None]:
        """Take the kept answer, or keep what is made."""
        context = self.execution_context
        key = getattr(context, KEY, "")
        if not key:
            yield
            return
        if self._take(key):
            yield
            return
        with _making:
            if self._take(key):  # made while this one waited
                yield
                return
            yield
            result = context.result
            if isinstance(result, ExecutionResult) and result.data is not None and not result.errors:
                _answers.put(key, orjson.dumps(result.data))

    def _take(self, key: str) -> bool:
        """Answer what is kept; whether there was something."""
        kept = _answers.get(key)
        if kept is not None:
            data: Any = orjson.Fragment(kept)  # stands in the answer as it is, unread
            self.execution_context.result = ExecutionResult(data=data)
        return kept is not None
