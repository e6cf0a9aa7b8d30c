"""Which commands of a ruleset may roll a die in their own work, by reading the code: what `decide` comes to.

Followed are functions by name, methods of the command, methods that are given the context, and commands that are
decided at once. Not followed are bots, and what comes after every command of a ruleset alike (`engine.course`): the
labels of its dice know no command.
"""

import ast
import inspect
import sys
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from types import FunctionType
from typing import Any

from games.engine.kernel import Command, Issuer
from games.engine.ruleset import Ruleset

DICE = {"roll", "pool", "draw", "shuffle"}
"""What a context or a tray rolls with."""


@dataclass
class Reading:
    """What the text of one function names."""

    rolls: bool = False
    decides_anything: bool = False
    """Whether it decides a command that a timer, a prompt or an owed die names."""
    functions: set[FunctionType] = field(default_factory=set)
    own: set[str] = field(default_factory=set)
    given_context: set[str] = field(default_factory=set)
    commands: set[type[Command]] = field(default_factory=set)


@cache
def read(function: FunctionType) -> Reading:
    """The names in a function that lead on."""
    found = Reading()
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        if isinstance(node, ast.Name) and isinstance(named := function.__globals__.get(node.id), FunctionType):
            found.functions.add(inspect.unwrap(named))
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in {"self", "cls", "super()"}:
            found.own.add(node.attr)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            _read_call(found, function, node, node.func)
    return found


def _read_call(found: Reading, function: FunctionType, call: ast.Call, called: ast.Attribute) -> None:
    """Note a call of something's method: dice, a command that is decided, or what is given the context."""
    holder = called.value
    if called.attr in DICE and ast.unparse(holder).split(".")[-1] in {"ctx", "tray"}:
        found.rolls = True
    elif called.attr != "decide":
        if ast.unparse(holder) == "ctx" or any(isinstance(each, ast.Name) and each.id == "ctx" for each in call.args):
            found.given_context.add(called.attr)
    elif isinstance(holder, ast.Call) and isinstance(holder.func, ast.Name):
        found.commands.add(function.__globals__[holder.func.id])
    else:
        found.decides_anything = True


def may_roll(ruleset: Ruleset[Any]) -> set[str]:
    """The commands of people whose own work comes to a die, or decides a command that something else names."""
    methods = _methods_of(ruleset)
    people = (kind for kind in ruleset.commands.values() if kind.issuers != {Issuer.CLOCK})
    return {kind.slug() for kind in people if _comes_to_dice(kind, methods)}


def _comes_to_dice(kind: type[Command], methods: dict[str, set[FunctionType]]) -> bool:
    """Whether a command comes to a die."""
    ahead: list[tuple[FunctionType, type | None]] = [(kind.decide, kind)]
    seen = set(ahead)
    while ahead:
        function, owner = ahead.pop()
        found = read(function)
        if found.rolls or found.decides_anything:
            return True
        following: list[tuple[FunctionType, type | None]] = [(each, None) for each in found.functions]
        following += [(each, None) for name in found.given_context for each in methods[name]]
        following += [(each.decide, each) for each in found.commands]
        following += [(each, owner) for name in found.own for each in _methods_named(owner, name)]
        for each in following:
            if each not in seen and ".bots" not in each[0].__module__:
                seen.add(each)
                ahead.append(each)
    return False


def _methods_named(owner: type | None, name: str) -> Iterator[FunctionType]:
    """The methods of that name of a class and of all that it inherits from."""
    for base in owner.__mro__ if owner is not None else ():
        method: Callable[..., Any] | None = getattr(vars(base).get(name), "__func__", vars(base).get(name))
        if isinstance(method, FunctionType):
            yield method


def _methods_of(ruleset: Ruleset[Any]) -> dict[str, set[FunctionType]]:
    """The methods of the engine's and the ruleset's classes by name, those of commands left out, and its hooks."""
    found: dict[str, set[FunctionType]] = defaultdict(set)
    root = inspect.getmodule(next(iter(ruleset.own.commands)))
    assert root is not None
    prefix = root.__name__.partition(".rules")[0] + ".rules"
    for module in [each for name, each in sys.modules.items() if name.startswith(("games.engine", prefix))]:
        for kind in list(vars(module).values()):
            if inspect.isclass(kind) and kind.__module__ == module.__name__ and not issubclass(kind, Command):
                for name, value in list(vars(kind).items()):
                    if isinstance(method := getattr(value, "__func__", value), FunctionType):
                        found[name].add(method)
    found["start"].add(ruleset.start)  # type: ignore[arg-type]
    found["end_setup"].add(ruleset.end_setup)  # type: ignore[arg-type]
    return found
