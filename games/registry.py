"""Name -> folder: the only place that imports a game by its name.

A ruleset lives in `games.<slug>` with `rules.RULESET` and `models`; its modules `store`, `api`, `admin` and `demo` say
what differs from what follows from these. `settings.RULESETS` lists module paths, so a sixth game is one folder and
one line.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.conf import settings

from games.engine.errors import Refused
from games.engine.kernel import Event
from games.engine.ruleset import ARTIFACTS, TABLE, Ruleset

CORE = "core"
"""What stands for the ruleset of commands and events that a game has from the engine."""
CORE_NAMES = frozenset(kind.__name__ for each in (TABLE, ARTIFACTS) for kind in (*each.commands, *each.events))


@cache
def folders() -> dict[str, str]:
    """Module path of each ruleset by slug, in the order of the setting."""
    return {path.rsplit(".", 1)[-1]: path for path in settings.RULESETS}


@cache
def ruleset(slug: str) -> Ruleset:
    """The ruleset of this slug. Raises `ruleset.missing`."""
    if slug not in folders():
        raise Refused("ruleset.missing", f"There is no ruleset {slug}; there are {', '.join(folders())}.")
    found: Ruleset = import_module(f"{folders()[slug]}.rules").RULESET
    return found


def part(slug: str, name: str) -> Any:
    """A module of a ruleset's folder, or None where the folder has no such module. Raises `ruleset.missing`."""
    ruleset(slug)
    module = f"{folders()[slug]}.{name}"
    return import_module(module) if find_spec(module) else None


@cache
def store(slug: str) -> Any:
    """The store of a ruleset (`games.storage.store.Store`): its own, or one that follows from its models."""
    own = part(slug, "store")
    if own is not None:
        return own.STORE
    return import_module("games.storage.store").Store(ruleset(slug), part(slug, "models"))


def rulesets() -> list[Ruleset]:
    """Every ruleset that is installed."""
    return [ruleset(slug) for slug in folders()]


def demo(slug: str) -> Any:
    """The module with a game's demo (`games.<game>.demo`), or None."""
    return part(slug, "demo")


def demos() -> dict[str, Any]:
    """The demo of every ruleset that has one, in the order of the setting."""
    return {slug: script for slug in folders() if (script := demo(slug)) is not None}


def event_class(slug: str, kind: str) -> type[Event]:
    """The class of an event by its name. An unknown name is a broken log, so it raises KeyError."""
    return ruleset(slug).events[kind]


def owner(slug: str, kind: str) -> str:
    """Whose a command or event of a ruleset is: `core` for what it has from the engine, else the ruleset's own."""
    return CORE if kind in CORE_NAMES else slug


def event_type(slug: str, kind: str) -> str:
    """The type of an event in both APIs: `gods2.WarDeclared`, `core.Paused`."""
    return f"{owner(slug, kind)}.{kind}"
