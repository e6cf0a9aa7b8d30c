"""The commands and events of a package, found in its modules. No list of them is written by hand."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TypeVar

from games.engine.kernel import Command, Event, Named

Kind = TypeVar("Kind", bound=Named)


@dataclass(frozen=True, slots=True)
class Members:
    """The commands and events that the modules of a package define. Bases (`abstract=True`) are not among them."""

    commands: tuple[type[Command], ...]
    events: tuple[type[Event], ...]
    modules: tuple[str, ...] = ()
    """The names of the modules and folders that they were found in, in the order of the rulebook."""

    @classmethod
    def of(cls, package: str, *modules: str) -> "Members":
        """Those of a package: modules in the order given, their classes in the order of definition.

        modules: names of modules and folders directly below the package. Raises ValueError when two classes share
        a name, and when a class that is not a base is the base of another.
        """
        found = [m for name in modules for m in _modules(import_module(f"{package}.{name}"))]
        return cls(unique(_concrete(Command, found)), unique(_concrete(Event, found)), modules)


def unique(kinds: Iterable[type[Kind]]) -> tuple[type[Kind], ...]:
    """These classes in their order. Raises ValueError when two share a name."""
    found: dict[str, type[Kind]] = {}
    for kind in kinds:
        if found.setdefault(kind.slug(), kind) is not kind:
            raise ValueError(f"{kind} and {found[kind.slug()]} have one name.")
    return tuple(found.values())


def _modules(module: ModuleType) -> Iterator[ModuleType]:
    """A module and all below it, by name."""
    yield module
    for name in sorted(part.name for part in iter_modules(getattr(module, "__path__", ()))):
        yield from _modules(import_module(f"{module.__name__}.{name}"))


def _concrete(kind: type[Kind], modules: Iterable[ModuleType]) -> Iterator[type[Kind]]:
    """The classes of this kind that these modules define and that are no bases."""
    for module in modules:
        for each in vars(module).values():
            if not (isinstance(each, type) and issubclass(each, kind) and each.__module__ == module.__name__):
                continue
            if base := next((b for b in each.__mro__[1:] if issubclass(b, Named) and not b.abstract), None):
                raise ValueError(f"{base} is the base of {each}; mark it: abstract=True.")
            if not each.abstract:
                yield each
