"""Commands as the APIs show and take them: the class defines body, schema and documentation."""

from collections.abc import Iterator
from typing import Any

from api.common.exceptions import Fault
from api.common.problems import plain
from api.common.viewer import Viewer
from api.representations.breakdowns import over, step_json
from api.representations.examples import example_of
from api.representations.refusals import refusal_codes
from games import registry
from games.engine.errors import Refused
from games.engine.insight.forecast import ForecastOutcome
from games.engine.insight.legal_commands import EVERYTHING, Domain, LegalCommand, LegalCommandFilter
from games.engine.kernel import Command, Issuer
from games.reads import selectors

PAGES = 5_000  # of 200 values: a map of 1,000 x 1,000


def component_name(slug: str, kind: type) -> str:
    """How a command or event is called beside those of other games: `Gods2DeclareWar`, `CorePause`."""
    return f"{registry.owner(slug, kind.__name__).title()}{kind.__name__}"


def command_class(ruleset: str, name: str) -> type[Command]:
    """The command of this name that people may issue. Raises `command.missing`."""
    found = registry.ruleset(ruleset).open_commands.get(name)
    if found is None:
        raise Refused(
            "command.missing", f"There is no command of that name; /api/v1/rulesets/{ruleset}/commands/ lists them all."
        )
    return found


def parse_command(ruleset: str, name: str, raw: bytes) -> Command:
    """The command that a JSON body writes, as strict as GraphQL; no body at all is `{}`.

    Raises `command.missing`, pydantic's ValidationError with the place at fault.
    """
    return command_class(ruleset, name).model_validate_json(raw or b"{}", strict=True)


def catalogue(ruleset: str) -> Iterator[dict[str, Any]]:
    """Every command that people may issue, with the JSON Schema of its body."""
    for name in registry.ruleset(ruleset).open_commands:
        yield command_json(ruleset, name)


def command_json(ruleset: str, name: str) -> dict[str, Any]:
    """A command that people may issue: what a program needs to send it. Raises `command.missing`."""
    kind = command_class(ruleset, name)
    return {
        "name": name,
        "type": kind.__name__,
        "description": kind.summary(),
        "issuers": issuers_of(kind),
        "rules": list(kind.rules),
        "while_paused": kind.while_paused,
        "refusals": list(refusal_codes(ruleset, kind)),
        "body": kind.model_json_schema(),
        "example": example_of(ruleset, name),
    }


def issuers_of(kind: type[Command]) -> list[str]:
    """The roles that may issue a command, the clock left out."""
    return sorted(issuer.value for issuer in kind.issuers - {Issuer.CLOCK})


def command_now_json(viewer: Viewer, name: str) -> dict[str, Any]:
    """A command of a game, and what this viewer may do with it now. Raises `command.missing`."""
    command = command_json(viewer.game.ruleset, name)
    now = legal_commands_json(viewer, LegalCommandFilter(name))
    return command | {"cursor": now["cursor"], "legal": now["results"]}


def legal_commands_json(viewer: Viewer, narrow: LegalCommandFilter = EVERYTHING) -> dict[str, Any]:
    """What this viewer may do now (of all that, what is asked for), and the position for which that holds."""
    cursor = selectors.cursor_for(viewer.game.pk, viewer.visibility)
    found = selectors.legal_commands(viewer.game, viewer.watcher(), viewer.visibility, narrow)
    return {"cursor": cursor, "results": [legal_command_json(legal) for legal in found]}


def legal_command_json(legal: LegalCommand) -> dict[str, Any]:
    """One thing that may be done, or why not."""
    return {
        "command": legal.command,
        "legal": legal.legal,
        "arguments": {name: domain_json(domain) for name, domain in legal.arguments.items()},
        "price": legal.price,
        "barred": refusal_json(legal.barred) if legal.barred else None,
        "note": legal.note,
        "steps": [step_json(step) for step in legal.steps],
        "facts": plain(dict(legal.facts)),
    }


def filter_of(command: str, about: str, page: int) -> LegalCommandFilter:
    """Which legal commands are asked for. Raises Fault (query.invalid)."""
    if not 0 <= page <= PAGES:
        raise Fault("query.invalid", f"Pages are counted from 0 to {PAGES}.", parameter="page")
    return LegalCommandFilter(command, about, page)


def forecast_json(viewer: Viewer, name: str, raw: bytes) -> dict[str, Any]:
    """What a command would do, as this viewer may know it.

    Raises `command.missing`, `command.silent`, pydantic's ValidationError, and what bars the command.
    """
    command = parse_command(viewer.game.ruleset, name, raw)
    cursor = selectors.cursor_for(viewer.game.pk, viewer.visibility)
    forecast = selectors.forecast(viewer.game, viewer.visibility, command, viewer.actor(type(command)))
    return {
        "cursor": cursor,
        "price": forecast.price,
        "steps": [step_json(step) for step in forecast.steps],
        "exact": forecast.exact,
        "cases": forecast.cases,
        "prospects": [prospect_json(prospect) for prospect in forecast.prospects],
        "hidden": list(forecast.hidden),
        "barred": refusal_json(forecast.barred) if forecast.barred else None,
    }


def prospect_json(prospect: ForecastOutcome) -> dict[str, Any]:
    """One thing that may happen, with its odds."""
    return {
        "what": prospect.what,
        "race": prospect.race,
        "key": prospect.key,
        "low": prospect.odds[0].amount,
        "high": prospect.odds[-1].amount,
        "odds": [{"amount": odd.amount, **over("chance", odd.chance)} for odd in prospect.odds],
        "squares": [{"x": square.column, "y": square.row} for square in prospect.squares],
    }


def domain_json(domain: Domain) -> dict[str, Any]:
    """The values an argument may take."""
    values = None if domain.values is None else plain(domain.values)
    return {"values": values, "low": domain.low, "high": domain.high, "more": domain.more}


def refusal_json(refused: Refused) -> dict[str, Any]:
    """Why something is barred, in the words of a problem."""
    rules, facts = list(refused.rules), plain(refused.facts)
    return {"code": refused.code, "detail": refused.message, "rules": rules, "facts": facts}
