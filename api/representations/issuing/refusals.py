"""The codes with which the rules may refuse a command, found in their source.

A command's `decide` is followed into whatever it names: functions and classes of its module, methods of the state and
of its own class. Codes that only an error of the service or of the request can have are those of every command, and are
not listed. What is found is what may be answered, not what must be possible now.
"""

import ast
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, get_type_hints
from uuid import UUID

from games import registry
from games.engine.kernel import Command, Event

HOOKS = ("start", "end_setup")
"""What a context holds of the ruleset's own functions."""
EVERY_COMMAND = frozenset(
    {
        "body.invalid", "clock.behind", "clock.paused", "game.missing", "gm.missing", "issuer.other", "key.reused",
        "position.stale", "seat.missing", "seat.unclear", "user.missing",
    }
)  # fmt: skip
"""What any command may be refused with besides."""
Place = tuple[FunctionType, type | None]
"""A function, and the class on which it was found."""


@cache
def refusal_codes(slug: str, command: type[Command]) -> tuple[str, ...]:
    """The codes with which the rules of a ruleset may refuse a command, in alphabetical order."""
    found: set[str] = set()
    known: set[Place] = set()
    waiting = list(_methods(command, "decide"))
    while waiting:
        place = waiting.pop()
        if place in known:
            continue
        known.add(place)
        codes, named = _reading(place[0], place[1], slug, command if _takes(place[0], command) else None)
        found |= codes
        waiting += named
    return tuple(sorted(found - EVERY_COMMAND))


@cache
def _reading(
    function: FunctionType, owner: type | None, slug: str, command: type[Command] | None
) -> tuple[frozenset[str], tuple[Place, ...]]:
    """The codes that one function refuses with, and the functions that it names.

    command: what stands for an argument of a base of it.
    """
    codes, names = _words(function)
    return codes, tuple(place for each in names for place in _places(each, function, owner, slug, command))


@cache
def _words(function: FunctionType) -> tuple[frozenset[str], tuple[ast.Name | ast.Attribute, ...]]:
    """The codes that one function refuses with, and what it reads by a name."""
    node = _nodes(sys.modules[function.__module__]).get((function.__code__.co_name, function.__code__.co_firstlineno))
    codes: set[str] = set()
    names: list[ast.Name | ast.Attribute] = []
    for each in ast.walk(node) if node is not None else ():
        if isinstance(each, ast.Call) and _last_name(each.func) == "Refused" and each.args:
            codes |= set(_texts(each.args[0]))
        elif isinstance(each, ast.Name | ast.Attribute) and isinstance(each.ctx, ast.Load):
            names.append(each)
    return frozenset(codes), tuple(names)


def _places(
    node: ast.Name | ast.Attribute,
    function: FunctionType,
    owner: type | None,
    slug: str,
    command: type[Command] | None,
) -> Iterator[Place]:
    """The functions that a name leads to; none where it is a local variable or a value."""
    if isinstance(node, ast.Name):
        yield from _functions(function.__globals__.get(node.id))
        return
    holder = node.value
    if isinstance(holder, ast.Name) and holder.id in ("self", "cls") and owner is not None:
        yield from _methods(owner, node.attr)
    elif _last_name(holder) == "state":
        yield from _methods(_state_class(slug), node.attr)
    elif _last_name(holder) == "ctx" and node.attr in HOOKS:
        yield from _functions(getattr(registry.ruleset(slug), node.attr))
    elif isinstance(holder, ast.Name):
        there = function.__globals__.get(holder.id)
        if isinstance(there, ModuleType):
            yield from _functions(getattr(there, node.attr, None))
        elif isinstance(there, type):
            yield from _methods(there, node.attr)
        elif isinstance(kind := _hints(function).get(holder.id), type):
            yield from _methods(command if command is not None and issubclass(command, kind) else kind, node.attr)
    elif isinstance(holder, ast.Call) and _last_name(holder.func) == "super" and owner is not None:
        for base in owner.__mro__[1:]:
            yield from _methods(base, node.attr)
    elif isinstance(holder, ast.Call) and isinstance(made := function.__globals__.get(_last_name(holder.func)), type):
        yield from _methods(made, node.attr)
    elif isinstance(holder, ast.Attribute):
        for place, _ in _places(holder, function, owner, slug, command):
            if isinstance(kind := _hints(place).get("return"), type):
                yield from _methods(kind, node.attr)


def _takes(function: FunctionType, command: type[Command]) -> bool:
    """Whether a function has an argument of a class that is a base of the command."""
    return any(kind in command.__mro__ for kind in _hints(function).values())


@cache
def _hints(function: FunctionType) -> dict[str, Any]:
    """The types of a function's arguments and of what it returns; none where they are known to type checkers alone."""
    try:
        return get_type_hints(function)
    except NameError:
        return {}


@cache
def _followed() -> frozenset[str]:
    """The packages whose functions are followed: the engine's, and those of the rulesets."""
    return frozenset({"games", *(folder.partition(".")[0] for folder in registry.folders().values())})


@cache
def _state_class(slug: str) -> type:
    """The class of a ruleset's state."""
    return type(registry.ruleset(slug).new_state(UUID(int=0)))


def _functions(found: Any) -> Iterator[Place]:
    """A function without what wraps it, or the making of a record or value; an event decides nothing."""
    if isinstance(found, Mapping):  # one of these is looked up
        for value in found.values():
            yield from _functions(value)
    elif is_dataclass(found) and not isinstance(found, type):  # functions under names: an operation of the pack
        for each in fields(found):
            value = getattr(found, each.name)
            yield from _functions(value) if isinstance(value, FunctionType) else ()
    elif isinstance(found, type) and not issubclass(found, Event):
        yield from _methods(found, "__init__")
    elif callable(found):
        plain = inspect.unwrap(found)
        if isinstance(plain, FunctionType) and plain.__module__.partition(".")[0] in _followed():
            yield plain, None


def _methods(owner: type, name: str) -> Iterator[Place]:
    """A method or property of a class, on the class that it was asked of."""
    found = inspect.getattr_static(owner, name, None)
    match found:
        case property():
            found = found.fget
        case classmethod() | staticmethod():
            found = found.__func__
    function: Callable[..., Any] | None = inspect.unwrap(found) if callable(found) else None
    if isinstance(function, FunctionType) and function.__module__.partition(".")[0] in _followed():
        yield function, owner


@cache
def _nodes(module: ModuleType) -> dict[tuple[str, int], ast.AST]:
    """The functions in the source of a module by name and first line, that of a decorator included."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except OSError:  # delivered without sources: no codes are listed
        return {}
    return {
        (node.name, min([node.lineno, *(d.lineno for d in node.decorator_list)])): node for node in _functions_in(tree)
    }


def _functions_in(node: ast.AST) -> Iterator[ast.FunctionDef]:
    """The functions below a node, whatever they stand in; expressions hold none."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.FunctionDef):
            yield each
        if isinstance(each, ast.stmt | ast.excepthandler | ast.match_case):
            yield from _functions_in(each)


def _last_name(node: ast.expr) -> str:
    """The last part of a dotted name; empty for anything else."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _texts(node: ast.expr) -> Iterator[str]:
    """The texts that an expression may be."""
    match node:
        case ast.Constant(value=str() as text):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from _texts(one)
            yield from _texts(other)
