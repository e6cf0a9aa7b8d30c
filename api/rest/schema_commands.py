"""One operation a command in the OpenAPI document: its own address, body, rules, refusals and example.

`commands/{command}/` answers them all; each name is documented as an address of its own, beside the one with the
placeholder. Where several rulesets have a command of one name, the whole document chooses among their bodies, and the
document of a ruleset has its own alone.
"""

from collections.abc import Collection, Iterator
from copy import deepcopy
from typing import Any

from api.representations.issuing.commands import component_name, issuers_of
from api.representations.issuing.examples import example_of
from api.representations.issuing.refusals import refusal_codes
from api.rest.schema_components import REF
from games import registry
from games.engine.kernel import Command

COMMANDS = "/api/v1/games/{game_id}/commands/"
COMMAND = f"{COMMANDS}{{command}}/"
"""The address that takes a command by its name."""
BY_NAME = frozenset({"command"})
"""Parameters of that address which the addresses of the commands themselves do not have."""


def command_names(slugs: Collection[str]) -> list[str]:
    """The names of the commands of some rulesets, in alphabetical order; of `core` those that every game has."""
    return sorted({name for slug in slugs for name, _ in _commands(slug)})


def add_commands(paths: dict[str, Any], slugs: Collection[str]) -> dict[str, Any]:
    """The paths with one for each command of these rulesets, instead of those that were there.

    As they are where the address of all commands is not among them.
    """
    if (generic := paths.get(COMMAND)) is None:
        return paths
    others = {address: operations for address, operations in paths.items() if not is_command(address)}
    return others | {f"{COMMANDS}{name}/": _operations(generic, name, slugs) for name in command_names(slugs)}


def is_command(address: str) -> bool:
    """Whether an address is that of one command."""
    return address.startswith(COMMANDS) and address != COMMAND


def _commands(slug: str) -> Iterator[tuple[str, type[Command]]]:
    """The commands of a ruleset, those of every game included; `core`: those alone."""
    for rules in registry.rulesets():
        if slug in (rules.slug, registry.CORE):
            for name, kind in rules.open_commands.items():
                if slug != registry.CORE or registry.owner(rules.slug, kind.__name__) == registry.CORE:
                    yield name, kind


def _operations(generic: dict[str, Any], name: str, slugs: Collection[str]) -> dict[str, Any]:
    """The operations at the address of a command."""
    meant = _owners(name, slugs)
    slug, kind = next(iter(meant.items()))
    prefix = registry.owner(slug, kind.__name__) if len(_kinds(meant)) == 1 else "command"
    operation_id = f"{prefix}_{name}".replace("-", "_")
    post, get = (_without_name(generic[method]) for method in ("post", "get"))
    texts = [each.summary() for each in _kinds(meant)]
    summary = " / ".join(dict.fromkeys(text.strip().split("\n")[0].split(". ")[0].rstrip(".") for text in texts))
    post |= {
        "operationId": operation_id,
        "summary": summary,
        "description": "\n\n".join(texts),
        "requestBody": _body(meant),
        "x-issuers": sorted({issuer for each in _kinds(meant) for issuer in issuers_of(each)}),
        "x-rules": list(dict.fromkeys(rule for each in _kinds(meant) for rule in each.rules)),
        "x-refusals": sorted({code for of, each in meant.items() for code in refusal_codes(of, each)}),
    }
    get |= {
        "operationId": f"{operation_id}_now",
        "summary": f"What you may do with `{name}` now",
        "description": "The schema of this command, its rules and issuers, and what you may do with it now.",
    }
    return {"get": get, "post": post}


def _owners(name: str, slugs: Collection[str]) -> dict[str, type[Command]]:
    """The rulesets among these that have a command of this name, with its class."""
    rulesets = registry.folders() if registry.CORE in slugs else slugs
    return {slug: kind for slug in rulesets if (kind := registry.ruleset(slug).open_commands.get(name)) is not None}


def _kinds(meant: dict[str, type[Command]]) -> list[type[Command]]:
    return list(dict.fromkeys(meant.values()))


def _body(meant: dict[str, type[Command]]) -> dict[str, Any]:
    """The body of a command, with an example; one of several where rulesets share its name."""
    refs = {component_name(slug, kind): {"$ref": f"{REF}{component_name(slug, kind)}"} for slug, kind in meant.items()}
    content: dict[str, Any] = {"schema": {"anyOf": list(refs.values())} if len(refs) > 1 else next(iter(refs.values()))}
    slug, kind = next(iter(meant.items()))
    if (example := example_of(slug, kind.slug())) is not None:
        content["example"] = deepcopy(example)
    is_empty = not any(field.is_required() for each in meant.values() for field in each.model_fields.values())
    return {"content": {"application/json": content}, "required": not is_empty}


def _without_name(operation: dict[str, Any]) -> dict[str, Any]:
    """An operation of the address with the placeholder, without it."""
    found = deepcopy(operation)
    found["parameters"] = [each for each in found["parameters"] if _parameter_name(each) not in BY_NAME]
    return found


def _parameter_name(parameter: dict[str, Any]) -> str:
    """The name of a parameter, or of the component that it refers to."""
    name: str = parameter.get("name") or parameter["$ref"].rsplit("/", 1)[-1]
    return name
