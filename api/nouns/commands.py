"""Commands as the APIs show and take them: the class defines body, schema and documentation."""

from collections.abc import Iterator
from typing import Any

from api.kit.problems import plain
from api.kit.viewer import Viewer
from games import registry, selectors
from games.engine.errors import Refused
from games.engine.kernel import Command, Issuer
from games.engine.offers import Domain, Offer
from games.engine.ruleset import TABLE_COMMANDS, TABLE_EVENTS

OF_THE_TABLE = frozenset({*TABLE_COMMANDS, *TABLE_EVENTS})


def component_name(slug: str, kind: type) -> str:
    """How a command or event is called beside those of other games: `Gods2DeclareWar`, `TablePause`."""
    return f"{'Table' if kind in OF_THE_TABLE else slug.title()}{kind.__name__}"


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
    for name, kind in registry.ruleset(ruleset).open_commands.items():
        yield {
            "name": name,
            "type": kind.__name__,
            "description": kind.summary(),
            "issuers": sorted(issuer.value for issuer in kind.issuers - {Issuer.CLOCK}),
            "rules": list(kind.rules),
            "while_paused": kind.while_paused,
            "body": kind.model_json_schema(),
        }


def offers_json(viewer: Viewer) -> dict[str, Any]:
    """What this viewer may do now, and the position for which that holds."""
    cursor = selectors.cursor_for(viewer.game.pk, viewer.sight)
    found = selectors.offers(viewer.game, viewer.watcher(), viewer.sight)
    return {"cursor": cursor, "results": [offer_json(offer) for offer in found]}


def offer_json(offer: Offer) -> dict[str, Any]:
    """One thing that may be done, or why not."""
    return {
        "command": offer.command,
        "legal": offer.legal,
        "arguments": {name: domain_json(domain) for name, domain in offer.arguments.items()},
        "price": offer.price,
        "barred": refusal_json(offer.barred) if offer.barred else None,
        "note": offer.note,
    }


def domain_json(domain: Domain) -> dict[str, Any]:
    """The values an argument may take."""
    values = None if domain.values is None else plain(domain.values)
    return {"values": values, "low": domain.low, "high": domain.high, "more": domain.more}


def refusal_json(refused: Refused) -> dict[str, Any]:
    """Why something is barred, in the words of a problem."""
    rules, facts = list(refused.rules), plain(refused.facts)
    return {"code": refused.code, "detail": refused.message, "rules": rules, "facts": facts}
