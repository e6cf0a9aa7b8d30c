"""The base of every pydantic model of the engine and the rulesets, and the descriptions of their fields.

A process pays for what it uses. A validator is built when its model is first used, and the docstrings below fields
(their descriptions in both schemas) are read from the source when a schema is asked for, each module once: pydantic's
own way took a third of the processor time of every start.
"""

import ast
import inspect
from dataclasses import is_dataclass
from functools import cache
from types import ModuleType

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, JsonValue
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

Docs = dict[str, str | None]
"""Field -> the docstring below it, None where there is none."""


IN_ORDER: dict[str, JsonValue] = {"x-ordered": True}
"""What `Field(json_schema_extra=IN_ORDER)` says of a list whose order counts, in documents and legal commands."""


class Model(BaseModel):
    """Frozen, exact fields, each described by the docstring below it."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The JSON Schema, with the descriptions of the fields."""
        found = handler(core_schema)
        properties = handler.resolve_ref_schema(found).get("properties", {})
        for name, description in field_descriptions(cls).items():
            if description is not None and name in properties:
                properties[name] = {**properties[name], "description": description}
        return found


def field_descriptions(model: type[BaseModel]) -> Docs:
    """The description of every field: what `Field` says, else the docstring below it, else None."""
    docs: Docs = {}
    for base in reversed(model.__mro__):
        if issubclass(base, Model) and (module := inspect.getmodule(base)):
            docs |= _docs_of_classes(module).get(base.__qualname__, {})
    found = {name: docs.get(name) if f.description is None else f.description for name, f in model.model_fields.items()}
    return {name: _say_order(text) if is_ordered(model.model_fields[name]) else text for name, text in found.items()}


def is_ordered(field: FieldInfo) -> bool:
    """Whether a list is another one with its items in another order."""
    return isinstance(field.json_schema_extra, dict) and "x-ordered" in field.json_schema_extra


def _say_order(text: str | None) -> str:
    return f"{text or ''} The order counts.".strip()


def record_descriptions(record: type) -> Docs:
    """The docstring below each field of a record (a dataclass), None where there is none."""
    docs: Docs = {}
    for base in reversed(record.__mro__):
        if is_dataclass(base) and (module := inspect.getmodule(base)):
            docs |= _docs_of_classes(module).get(base.__qualname__, {})
    return docs


@cache
def _docs_of_classes(module: ModuleType) -> dict[str, Docs]:
    """The docs of every class of a module, by its qualified name."""
    try:
        source = inspect.getsource(module)
    except OSError:  # delivered without sources: the schemas lack descriptions, and nothing else
        return {}
    found: dict[str, Docs] = {}
    _collect(ast.parse(source).body, "", found)
    return found


def _collect(body: list[ast.stmt], place: str, found: dict[str, Docs]) -> None:
    """Add the docs of the classes in a block, those inside classes and functions included."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            found[place + node.name] = _docs_of_fields(node.body)
            _collect(node.body, f"{place}{node.name}.", found)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            _collect(node.body, f"{place}{node.name}.<locals>.", found)


def _docs_of_fields(body: list[ast.stmt]) -> Docs:
    docs: Docs = {}
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            docs[node.target.id] = _text(after)
    return docs


def _text(node: ast.stmt | None) -> str | None:
    """The text of a docstring, None for any other statement."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return inspect.cleandoc(node.value.value)
    return None
