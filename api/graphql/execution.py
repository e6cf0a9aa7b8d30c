"""How operations are executed: an object of which nothing but leaves is asked is read in one loop, with all below it.

A page of fifty rows with three columns has some two hundred fields, and graphql-core takes ten calls for each. Whatever
does not come out of the loop (null where none may be, a value that is not of its type) is executed again in the usual
way, which says what is wrong, and where. `docs/performance.md` has what it brings.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from graphql import GraphQLField, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLOutputType, is_leaf_type
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.field import StrawberryField

from api.graphql.connections import Link

TYPENAME = "__typename"
Read = Callable[[Any], Any]
Leaf = tuple[str, Callable[..., Any], Read, bool]
"""A field's name in the answer, its resolver, what makes its value one of its type, and whether it may be null."""


class UnfitValueError(Exception):
    """A value that the usual way must look at."""


class LeafExecution(StrawberryGraphQLCoreExecutionContext):
    """Executes operations as graphql-core does, and leaves in one loop."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._reads: dict[tuple[GraphQLObjectType, int], Read | None] = {}

    def complete_object_value(
        self, return_type: GraphQLObjectType, details: Any, info: Any, path: Any, result: Any, position: Any
    ) -> Any:
        """An object's answer."""
        read = self._read_of(return_type, details)
        if read is not None:
            with suppress(Exception):  # it comes again in the usual way
                return read(result)
        return super().complete_object_value(return_type, details, info, path, result, position)

    def _read_of(self, kind: GraphQLObjectType, details: Any) -> Read | None:
        """What reads the fields that are asked of a type here; None where one of them takes more than that."""
        key = kind, id(details)  # graphql-core keeps the details as long as the operation lasts
        if key not in self._reads:
            asked = self.collect_subfields(kind, details).grouped_field_set
            leaves = [self._leaf(kind, name, each) for name, each in asked.items()]
            self._reads[key] = None if None in leaves else _read(kind, [leaf for leaf in leaves if leaf is not None])
        return self._reads[key]

    def _leaf(self, kind: GraphQLObjectType, name: str, details: Any) -> Leaf | None:
        """A field without a resolver of its own and without arguments, or `__typename`; None for any other."""
        if details[0].node.name.value == TYPENAME:
            return name, lambda source, info: kind.name, str, False
        field = self.schema.get_field(kind, details[0].node.name.value)
        if field is None or field.args or (resolve := _resolver(field)) is None:
            return None
        complete = self._completion(field.type, details)
        return None if complete is None else (name, resolve, complete, not isinstance(field.type, GraphQLNonNull))

    def _completion(self, kind: GraphQLOutputType, details: Any) -> Read | None:
        """What makes a value that is not null one of a type."""
        inner: Any = kind.of_type if isinstance(kind, GraphQLNonNull) else kind
        if is_leaf_type(inner):
            coerce: Read = inner.coerce_output_value
            return coerce
        if isinstance(inner, GraphQLObjectType):
            return self._read_of(inner, details)
        if isinstance(inner, GraphQLList) and (each := self._completion(inner.of_type, details)) is not None:
            return _read_list(each, isinstance(inner.of_type, GraphQLNonNull))
        return None


def _resolver(field: GraphQLField) -> Callable[..., Any] | None:
    """What reads a field that has no resolver of its own, or a row that was fetched with the one that leads to it."""
    definition = field.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
    if isinstance(definition, Link):
        return definition.cached_row
    return field.resolve if isinstance(definition, StrawberryField) and definition.is_basic_field else None


def _read(kind: GraphQLObjectType, leaves: list[Leaf]) -> Read:
    is_of_type: Any = kind.is_type_of  # those of rows look at no more than the value

    def read(source: Any) -> dict[str, Any]:
        if is_of_type is not None and not is_of_type(source, None):
            raise UnfitValueError
        found = {}
        for name, resolve, complete, is_nullable in leaves:
            value = resolve(source, None)
            found[name] = None if value is None else complete(value)
            if found[name] is None and (value is not None or not is_nullable):
                raise UnfitValueError
        return found

    return read


def _read_list(each: Read, is_full: bool) -> Read:
    def read(values: Any) -> list[Any]:
        if not isinstance(values, list | tuple) or (is_full and any(value is None for value in values)):
            raise UnfitValueError  # what can be gone through once alone is left to the usual way
        found = [None if value is None else each(value) for value in values]
        if None in found and any(made is None and value is not None for made, value in zip(found, values, strict=True)):
            raise UnfitValueError
        return found

    return read
