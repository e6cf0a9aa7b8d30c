"""Rulesets in GraphQL: what can be played here, its rulebook and its commands."""

from dataclasses import asdict
from typing import Any

import strawberry
from strawberry.scalars import JSON

from api.graphql.context import context_of
from api.graphql.mapping import many, object_type
from api.representations.issuing.commands import catalogue
from api.representations.issuing.legal_schemas import schema_of
from api.representations.resources.state_tables import own_resources
from api.representations.rulebook import book_of, rules_of
from games import registry
from games.engine.ruleset import Ruleset


def _field(resolve: Any, kind: Any) -> Any:
    return strawberry.field(resolver=resolve, graphql_type=kind, description=resolve.__doc__)


@strawberry.type
class NumberedRule:
    """A numbered rule."""

    id: str
    chapter: str
    text: str


@strawberry.type
class RulesetCommand:
    """A command that people may issue."""

    name: str = strawberry.field(description="Its part of the address in REST.")
    type: str = strawberry.field(description="Its class, as the log names it.")
    description: str
    issuers: list[str]
    rules: list[str] = strawberry.field(description="Ids of the rules it follows.")
    while_paused: bool
    body: JSON = strawberry.field(description="JSON Schema of its fields.")


def rulebook(root: Any, id: str | None = None) -> Any:
    """The rulebook as built, rule by rule; empty where there is none."""
    return [asdict(rule) for rule in rules_of(root["slug"], id)] if root["has_rulebook"] else []


def commands_of(root: Any) -> Any:
    """Every command that people may issue."""
    return list(catalogue(root["slug"]))


RulesetType = object_type(
    "Ruleset",
    {"slug": str, "title": str, "summary": str, "has_rulebook": bool, "resources": list[str], "options": JSON}
    | {"bots": list[str], "gm_bots": list[str]},
    {
        "options": "JSON Schema of `options` when a game is opened.",
        "bots": "The policies that may play a player's seat.",
        "gm_bots": "The policies that may play a game-master's seat.",
    },
    "A game that can be played here.",
    more={"rules": _field(rulebook, list[NumberedRule]), "commands": _field(commands_of, list[RulesetCommand])},
)


def ruleset_value(rules: Ruleset) -> dict[str, Any]:
    """A ruleset as its type reads it."""
    return {
        "slug": rules.slug,
        "title": rules.title,
        "summary": rules.summary,
        "has_rulebook": book_of(rules.slug).is_file(),
        "resources": [resource.name for resource in own_resources(rules.slug)],
        "options": schema_of(rules.options),
        "bots": sorted(rules.policies),
        "gm_bots": sorted(rules.gm_policies),
    }


def rulesets_list(info: strawberry.Info) -> Any:
    """Every ruleset that is installed."""
    context_of(info).may_look()
    return [ruleset_value(rules) for rules in registry.rulesets()]


def ruleset_one(info: strawberry.Info, slug: str) -> Any:
    """One ruleset."""
    context_of(info).may_look()
    return ruleset_value(registry.ruleset(slug))


QUERIES: dict[str, Any] = {
    "rulesets": _field(rulesets_list, many(RulesetType)),
    "ruleset": _field(ruleset_one, RulesetType),
}
