"""What an operation may cost: depth, and fields times page sizes, counted before anything is executed.

A fragment is measured once, so a fan of fragments that would unfold into millions of fields costs nothing to refuse.
Fragments on different types exclude each other: of those on concrete types the dearest counts.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLField,
    GraphQLNamedType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    OperationDefinitionNode,
    OperationType,
    SelectionSetNode,
    VariableNode,
    get_named_type,
    is_interface_type,
    is_object_type,
)
from strawberry.extensions import SchemaExtension

from api.common.exceptions import Fault
from api.common.keyset import DEFAULT_SIZE
from api.common.problems import problem
from api.graphql.context import OperationContext
from api.graphql.introspection import ENTRIES, KEY, SCHEMA, Asked, Reader, is_kept, key_of, refusals
from core.process_cache import ProcessCache

MAX_DEPTH = 10
MAX_COST = 20_000
MAX_TOKENS = 4_000
MAX_ALIASES = 50
MAX_FIELDS = 300
MAX_FRAGMENTS = 100
MAX_OPERATIONS = 50
LONG_NUMBER = re.compile(r"\d{400}")  # Python reads whole numbers of 4,300 digits at most
SCHEMA_COST, TYPE_COST = 15_000, 1_000
CHARGE_OF_A_SCHEMA = 60_000
"""What an introspection that is not kept takes from the budget: as long as several of the dearest operations."""
CHARGE_OF_A_KEPT_ANSWER = 1_000
LOG_SIZE = 100
LISTS_OF_THE_LOG = frozenset({"events", "dice", "chronicle"})
COST_OF_A_COUNT = 20
"""Below a list it may be counted for each row above, where nothing but the count is asked for."""
COST_OF_ANOTHER_LOOK = 20
"""What a list costs that stands twice beside itself, with other arguments: it is fetched apart for each row above."""
OF_A_PAGE = frozenset({"edges", "node"})
"""Fields of a connection that lead to its rows: they cost nothing, and nothing is deeper for them."""
ABSTRACT = frozenset({"GameEvent", "Game"})
MAX_CACHED_CHARACTERS = 10_000
_valid: ProcessCache[str, Any] = ProcessCache(200)
"""Queries that were found valid, each with the schema that they fit: clients send the same ones again and again."""


class Measure:
    """Measures one operation: (cost, depth) of a selection; each fragment once.

    A field of a type that the schema does not know costs one: such a document is refused when it is validated.
    """

    def __init__(self, document: DocumentNode, variables: Mapping[str, Any], schema: GraphQLSchema) -> None:
        self.fragments = {d.name.value: d for d in document.definitions if isinstance(d, FragmentDefinitionNode)}
        self.variables = {**_defaults(document), **variables}
        self.schema = schema
        self.known: dict[str, tuple[int, int]] = {}
        self.aliases = 0
        """Aliases as they are written, those of a fragment once."""
        self.bottomless = False
        """Whether something stands so deep (fragments counted) that it was not measured."""
        self.costs = dict[str, int]()
        self.asked = dict[str, Asked]()
        """Cost, and what is asked of the schema, of operations by name; of one without a name under an empty one."""
        self.widest = 0
        """The most fields of one name that stand side by side: to compare them all is quadratic."""

    def of(
        self,
        selection: SelectionSetNode | None,
        kind: GraphQLNamedType | None,
        above: int = 0,
        beside: Counter[str] | None = None,
    ) -> tuple[int, int]:
        """Cost and depth of a selection. kind: the type it is of, where it is known.

        above: how deep it stands; what is far too deep is not measured. beside: names of the fields beside an inline
        fragment, with which its own are compared.
        """
        if selection is None:
            return 0, 0
        if above > 4 * MAX_DEPTH:
            self.bottomless = True
            return 0, 0
        cost, depth, apart = 0, 0, dict[str, int]()
        seen: set[str] = set()
        names: Counter[str] = Counter() if beside is None else beside
        for node in selection.selections:
            condition = ""
            match node:
                case FieldNode():
                    names[(node.alias or node.name).value] += 1
                    found = self.known_field(kind, node.name.value)
                    part, inner = self.field(node, found, above)
                    if is_paged(found):
                        part += COST_OF_ANOTHER_LOOK * (node.name.value in seen)
                        seen.add(node.name.value)
                case InlineFragmentNode():
                    condition = node.type_condition.name.value if node.type_condition else ""
                    narrowed = self.schema.type_map.get(condition) if condition else kind
                    part, inner = self.of(node.selection_set, narrowed, above + 1, names)
                case FragmentSpreadNode() if node.name.value in self.fragments:
                    part, inner = self.fragment(node.name.value, above)
                    condition = self.fragments[node.name.value].type_condition.name.value
                case _:
                    continue
            depth = max(depth, inner)
            if condition and condition not in ABSTRACT:
                apart[condition] = apart.get(condition, 0) + part
            else:
                cost += part
        self.widest = max(self.widest, *names.values()) if names else self.widest
        return cost + max(apart.values(), default=0), depth

    def fragment(self, name: str, above: int) -> tuple[int, int]:
        """Cost and depth of a fragment; validation has refused cycles before."""
        if name not in self.known:
            self.known[name] = (0, 0)
            found = self.fragments[name]
            kind = self.schema.type_map.get(found.type_condition.name.value)
            self.known[name] = self.of(found.selection_set, kind, above + 1)
        return self.known[name]

    def known_field(self, kind: GraphQLNamedType | None, name: str) -> GraphQLField | None:
        """A field of a type; None where either is unknown."""
        return kind.fields.get(name) if is_object_type(kind) or is_interface_type(kind) else None

    def field(self, node: FieldNode, found: GraphQLField | None, above: int) -> tuple[int, int]:
        """Cost and depth of a field with all below it."""
        name = node.name.value
        self.aliases += node.alias is not None
        if name in ENTRIES:  # what stands below is bounded by `introspection`
            return SCHEMA_COST if name == SCHEMA else TYPE_COST, 0
        if name == "totalCount":
            return COST_OF_A_COUNT, 1
        cost, depth = self.of(node.selection_set, get_named_type(found.type) if found else None, above + 1)
        if name in OF_A_PAGE:
            return cost, depth
        return 1 + cost * self.size(node, is_paged=is_paged(found)), depth + 1

    def size(self, node: FieldNode, *, is_paged: bool) -> int:
        """How many rows a field may answer: `first` or `last`, the larger where both are given, its default, or 1."""
        usual = LOG_SIZE if node.name.value in LISTS_OF_THE_LOG else DEFAULT_SIZE if is_paged else 1
        asked = [self.whole(a.value) for a in node.arguments or () if a.name.value in ("first", "last")]
        sizes = [size for size in asked if size is not None]
        return max(1, *sizes) if sizes else max(usual, DEFAULT_SIZE) if asked else usual

    def whole(self, value: Any) -> int | None:
        """The value of a whole-number argument; None where it is null or no number."""
        found: Any = None
        if isinstance(value, IntValueNode):
            found = int(value.value)
        elif isinstance(value, VariableNode):
            found = self.variables.get(value.name.value)
        return found if isinstance(found, int) else None


def _defaults(document: DocumentNode) -> dict[str, int]:
    """The whole numbers that variables are by default; the largest, where operations disagree."""
    operations = [one for one in document.definitions if isinstance(one, OperationDefinitionNode)]
    found: dict[str, int] = {}
    for variable in chain.from_iterable(operation.variable_definitions or () for operation in operations):
        if isinstance(variable.default_value, IntValueNode):
            name, value = variable.variable.name.value, int(variable.default_value.value)
            found[name] = max(found.get(name, value), value)
    return found


def is_paged(field: GraphQLField | None) -> bool:
    """Whether a field answers pages."""
    return field is not None and "first" in field.args


class Limits(SchemaExtension):
    """Refuses what is too deep or too costly, before it is validated (validation is costly itself) or executed."""

    def on_validate(self) -> Iterator[None]:
        """Measure every operation; errors that stand here keep the document from being validated."""
        context = self.execution_context
        document = context.graphql_document
        if document is not None and not context.pre_execution_errors:
            if LONG_NUMBER.search(context.query or ""):
                context.pre_execution_errors = [_error("query.invalid", "A number of this document is far too long.")]
                yield
                return
            measure = Measure(document, context.variables or {}, context.schema._schema)
            over_socket = is_socket(context.context)
            found = list(faults_of(document, measure, over_socket=over_socket))
            found = found or self.unclear(measure) or self.beyond_budget(document, measure)
            # An empty list: validated before. None: not validated yet.
            context.pre_execution_errors = found or ([] if was_valid(context) else None)
        yield
        if context.pre_execution_errors == []:
            note_valid(context)

    def unclear(self, measure: Measure) -> list[GraphQLError]:
        """An error where several operations are sent and none is named: Strawberry would execute the first."""
        if len(measure.costs) < 2 or self.execution_context._provided_operation_name is not None:
            return []
        names = ", ".join(sorted(name for name in measure.costs if name))
        return [_error("request.unfit", f"This document has several operations; `operationName` says which: {names}.")]

    def beyond_budget(self, document: DocumentNode, measure: Measure) -> list[GraphQLError]:
        """Count what the operation to be executed costs; an error where the asker's budget has less."""
        context = self.execution_context
        operation, name = context.context, context.operation_name or ""
        cost, asked = measure.costs[name], measure.asked[name]
        key = key_of(document, name, context.variables) if asked.is_all else ""
        setattr(context, KEY, key)
        if is_kept(key):
            cost = CHARGE_OF_A_KEPT_ANSWER
        elif asked.entries[SCHEMA]:
            cost = CHARGE_OF_A_SCHEMA
        if not isinstance(operation, OperationContext):
            return []
        try:
            operation.pay(cost)
        except Fault as fault:
            return [_error(fault.code, fault.message, **fault.facts)]
        return []


def was_valid(context: Any) -> bool:
    """Whether this very text was found valid before."""
    return _valid.get(context.query or "") is context.schema


def note_valid(context: Any) -> None:
    """Remember a text that was found valid; what fits does not depend on the values of variables."""
    if len(context.query or "") <= MAX_CACHED_CHARACTERS:
        _valid.put(context.query or "", context.schema)


def is_socket(operation: Any) -> bool:
    """Whether somebody asks over WebSocket."""
    return getattr(operation, "feed", None) is not None


def faults_of(document: DocumentNode, measure: Measure, *, over_socket: bool) -> Iterator[GraphQLError]:
    """What is wrong with the operations of a document."""
    operations = [one for one in document.definitions if isinstance(one, OperationDefinitionNode)]
    if len(operations) > MAX_OPERATIONS:
        message = f"This document has {len(operations)} operations; {MAX_OPERATIONS} is the most."
        yield _error("query.costly", message, operations=len(operations), most=MAX_OPERATIONS)
        return
    for operation in operations:
        if over_socket and operation.operation is not OperationType.SUBSCRIPTION:
            message = "Only subscriptions are served over WebSocket; send queries and mutations by HTTP."
            yield _error("method.unknown", message)
        root = measure.schema.get_root_type(operation.operation)
        cost, depth = measure.of(operation.selection_set, root)
        name = operation.name.value if operation.name else ""
        measure.costs[name], measure.asked[name] = cost, Reader(measure.fragments).read(operation)
        if depth > MAX_DEPTH or measure.bottomless:
            message = f"This operation is deeper than {MAX_DEPTH}; ask for less at a time."
            yield _error("query.deep", message, most=MAX_DEPTH)
        elif cost > MAX_COST:
            message = f"This operation may answer {cost} fields; {MAX_COST} is the most. Ask for fewer rows."
            yield _error("query.costly", message, cost=cost, most=MAX_COST)
        for code, message, facts in refusals(measure.asked[name]):
            yield _error(code, message, **facts)
    if measure.aliases > MAX_ALIASES:
        message = f"This document has {measure.aliases} aliases; {MAX_ALIASES} is the most."
        yield _error("query.costly", message, aliases=measure.aliases, most=MAX_ALIASES)
    if measure.widest > MAX_FIELDS:
        message = f"One selection of this document has {measure.widest} fields of one name; {MAX_FIELDS} is the most."
        yield _error("query.costly", message, fields=measure.widest, most=MAX_FIELDS)
    if (fragments := len(measure.fragments)) > MAX_FRAGMENTS:
        message = f"This document has {fragments} fragments; {MAX_FRAGMENTS} is the most."
        yield _error("query.costly", message, fragments=fragments, most=MAX_FRAGMENTS)


def _error(code: str, message: str, **facts: int) -> GraphQLError:
    return GraphQLError(message, extensions=problem(code, message, facts=facts))
