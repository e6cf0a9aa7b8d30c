"""Rulesets over REST: which games can be played here, by which rules, with which commands."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.representations.issuing.commands import catalogue, command_json
from api.representations.issuing.legal_schemas import schema_of
from api.representations.resources.state_tables import own_resources
from api.representations.rulebook import book_of, rules_of
from api.representations.shapes.commands import CommandList, CommandShape
from api.representations.shapes.rulesets import RuleList, RulesetDetail, RulesetList
from api.rest.base import ApiView
from games import registry
from games.engine.ruleset import Ruleset


def brief(rules: Ruleset) -> dict[str, Any]:
    """A ruleset in the list."""
    return {
        "slug": rules.slug,
        "title": rules.title,
        "summary": rules.summary,
        "has_rulebook": book_of(rules.slug).is_file(),
        "resources": [resource.name for resource in own_resources(rules.slug)],
    }


@extend_schema(tags=["rulesets"])
class RulesetsView(ApiView):
    """The games that can be played here."""

    @extend_schema(operation_id="rulesets", responses=RulesetList)
    def get(self, request: Request) -> Response:
        """Every ruleset that is installed."""
        return Response({"results": [brief(rules) for rules in registry.rulesets()]})


@extend_schema(tags=["rulesets"])
class RulesetView(ApiView):
    """One ruleset."""

    @extend_schema(operation_id="ruleset", responses=RulesetDetail)
    def get(self, request: Request, slug: str) -> Response:
        """Its options as a JSON Schema, its bots, the names of its commands."""
        rules = registry.ruleset(slug)
        more = {
            "options": schema_of(rules.options),
            "bots": sorted(rules.policies),
            "gm_bots": sorted(rules.gm_policies),
            "commands": list(rules.open_commands),
        }
        return Response(brief(rules) | more)


@extend_schema(tags=["rulesets"])
class RulesView(ApiView):
    """The numbered rules of a game."""

    parameters = {"GET": ("id",)}

    @extend_schema(
        operation_id="rules",
        parameters=[OpenApiParameter("id", str, description="Only the rule of this id, such as `G2-WAR-1`.")],
        responses=RuleList,
    )
    def get(self, request: Request, slug: str) -> Response:
        """The rulebook as built: events, refusals and dice cite these ids. 404 where a game has no book here."""
        return Response({"results": [asdict(rule) for rule in rules_of(slug, request.query_params.get("id"))]})


@extend_schema(tags=["rulesets"])
class CommandsView(ApiView):
    """The commands of a game."""

    @extend_schema(operation_id="commands", responses=CommandList)
    def get(self, request: Request, slug: str) -> Response:
        """Every command that people may issue, with the JSON Schema of its body, who may issue it, and its rules."""
        return Response({"results": list(catalogue(slug))})


@extend_schema(tags=["rulesets"])
class RulesetCommandView(ApiView):
    """One command of a game."""

    @extend_schema(
        operation_id="ruleset_command",
        parameters=[OpenApiParameter("command", str, OpenApiParameter.PATH, description="Such as `declare-war`.")],
        responses=CommandShape,
    )
    def get(self, request: Request, slug: str, command: str) -> Response:
        """The JSON Schema of its body, an example, who may issue it, its rules, and the codes that may refuse it."""
        return Response(command_json(slug, command))
