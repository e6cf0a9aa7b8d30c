"""Commands and events enumerate themselves: what a package defines is registered, once, and bases are not."""

import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules
from types import ModuleType, new_class

import pytest

from games.engine.kernel import Command, Event, Named
from games.engine.members import Members, unique
from games.engine.ruleset import ARTIFACTS, TABLE, Ruleset
from tests.rulesets import FOLDERS
from tests.rulesets import RULESETS as BY_SLUG

RULESETS = {FOLDERS[slug]: ruleset for slug, ruleset in BY_SLUG.items()}


def subclasses(kind: type[Named]) -> Iterator[type[Named]]:
    for each in kind.__subclasses__():
        yield each
        yield from subclasses(each)


def definitions_in(package: str, kind: type[Named]) -> Counter[type[Named]]:
    """Every class of a kind that a package defines, with how often it must be registered."""
    return Counter(c for c in {*subclasses(kind)} if f"{c.__module__}.".startswith(f"{package}.") and not c.abstract)


@pytest.mark.parametrize("path", RULESETS)
def test_every_command_and_event_of_a_package_is_registered_once(path: str) -> None:
    ruleset = RULESETS[path]
    assert Counter(ruleset.own.commands) == definitions_in(f"{path}.rules", Command)
    assert Counter(ruleset.own.events) == definitions_in(f"{path}.rules", Event)
    of_engine = [kind for members in ruleset.of_engine for kind in members.commands]
    assert Counter({*ruleset.commands.values()}) == Counter((*ruleset.own.commands, *of_engine))
    assert len(ruleset.events) == sum(len(members.events) for members in (ruleset.own, *ruleset.of_engine))


def test_every_command_and_event_of_the_engine_is_registered_once() -> None:
    assert Counter((*TABLE.commands, *ARTIFACTS.commands)) == definitions_in("games.engine", Command)
    assert Counter((*TABLE.events, *ARTIFACTS.events)) == definitions_in("games.engine", Event)


@pytest.mark.parametrize("path", RULESETS)
def test_every_module_of_a_package_is_named_once(path: str) -> None:
    named = list(RULESETS[path].own.modules)
    assert sorted(named) == sorted(part.name for part in iter_modules(import_module(f"{path}.rules").__path__))


@pytest.mark.parametrize("path", [*RULESETS, "games.engine"])
def test_what_is_registered_can_decide(path: str) -> None:
    commands = (*TABLE.commands, *ARTIFACTS.commands) if path == "games.engine" else RULESETS[path].own.commands
    assert [c for c in commands if isabstract(c) or c.decide is Command.decide] == []


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """An empty module `stones.piles`."""
    for name in ("stones", "stones.piles"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    return sys.modules["stones.piles"]


def command(module: ModuleType, name: str, base: type[Command] = Command, *, abstract: bool = False) -> type[Command]:
    made: type[Command] = new_class(
        name, (base,), {"abstract": abstract}, lambda body: body.update(__module__=module.__name__)
    )
    setattr(module, f"{name}{len(vars(module))}", made)
    return made


def test_classes_come_in_the_order_of_definition_and_bases_are_left_out(module: ModuleType) -> None:
    base = command(module, "Base", abstract=True)
    late, early = command(module, "Late", base), command(module, "Early")
    module.__dict__["Foreign"] = Ruleset

    assert Members.of("stones", "piles") == Members((late, early), (), ("piles",))


def test_two_classes_of_one_name_are_refused(module: ModuleType) -> None:
    first, second = command(module, "AddStones"), command(module, "AddStones")
    with pytest.raises(ValueError, match="have one name"):
        Members.of("stones", "piles")
    with pytest.raises(ValueError, match="have one name"):
        unique((first, second))


def test_a_base_that_is_not_marked_is_refused(module: ModuleType) -> None:
    command(module, "Late", command(module, "Base"))
    with pytest.raises(ValueError, match="abstract=True"):
        Members.of("stones", "piles")
