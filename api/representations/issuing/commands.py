"""Commands as the APIs show and take them: the class defines body, schema and documentation."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import orjson

from api.common.exceptions import Fault
from api.common.plain_json import plain
from api.common.viewer import Viewer
from api.representations.breakdowns import over, step_json
from api.representations.issuing.examples import example_of
from api.representations.issuing.legal_schemas import Narrowing, schema_of
from api.representations.issuing.refusals import refusal_codes
from api.representations.issuing.shared_schemas import share
from games import registry
from games.engine.errors import Refused
from games.engine.insight.condensing import condense
from games.engine.insight.domains import SHOWN
from games.engine.insight.forecast import ForecastOutcome
from games.engine.insight.legal_commands import EVERYTHING, LegalCommand, LegalCommandFilter
from games.engine.kernel import Command, Issuer
from games.reads import selectors

PAGES = 5_000  # of 200 values: a map of 1,000 x 1,000
MOST_BYTES = 20_000  # of a listing of all that is legal now
SILENT: dict[str, Any] = {
    "quits": False,
    "partial": False,
    "price": None,
    "barred": None,
    "note": "",
    "steps": [],
    "facts": {},
}
"""Members of an entry that may be left out, with what their absence means."""
LISTED = ((SHOWN, SHOWN), (50, 50), (20, 20), (10, 12), (5, 10), (2, 8), (1, 8), (1, 5), (1, 3), (1, 2), (1, 1))
"""How many values of a domain such a listing has, and combinations of arguments: the first that fits."""
MOST_TAKEN = 40
"""So many of the names that others have are listed at most where not all values are: ten for each value that is."""
LEAST_TITLED = 5
"""Where fewer values are listed, those that are words have no titles of their own."""
LEAST_NOTED = 3
"""Where fewer combinations are listed, entries have no notes and ids no titles."""


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


def catalogue(ruleset: str) -> Iterator[Mapping[str, Any]]:
    """Every command that people may issue, with the JSON Schema of its body."""
    for name in registry.ruleset(ruleset).open_commands:
        yield command_json(ruleset, name)


@cache
def command_json(ruleset: str, name: str) -> Mapping[str, Any]:
    """A command that people may issue: what a program needs to send it; made once. Raises `command.missing`."""
    kind = command_class(ruleset, name)
    return {
        "name": name,
        "type": kind.__name__,
        "description": kind.summary(),
        "issuers": issuers_of(kind),
        "rules": list(kind.rules),
        "while_paused": kind.while_paused,
        "refusals": list(refusal_codes(ruleset, kind)),
        "body": schema_of(kind),
        "example": example_of(ruleset, name),
    }


def issuers_of(kind: type[Command]) -> list[str]:
    """The roles that may issue a command, the clock left out."""
    return sorted(issuer.value for issuer in kind.issuers - {Issuer.CLOCK})


def command_now_json(viewer: Viewer, name: str) -> dict[str, Any]:
    """A command of a game, and what this viewer may do with it now. Raises `command.missing`."""
    command = command_json(viewer.game.ruleset, name)
    now = legal_commands_json(viewer, LegalCommandFilter(name))
    return {**command, "cursor": now["cursor"], "legal": now["results"], "$defs": now["$defs"]}


def legal_commands_json(viewer: Viewer, narrow: LegalCommandFilter = EVERYTHING) -> dict[str, Any]:
    """What this viewer may do now (of all that, what is asked for), and the position for which that holds."""
    cursor = selectors.cursor_for(viewer.game, viewer.visibility)
    asker = viewer.watcher if viewer.on_behalf_of is None else viewer.watcher(Command)
    found, names = selectors.legal_commands(viewer.game, asker, viewer.visibility, narrow)
    return {"cursor": cursor, **listing_json(viewer.game.ruleset, found, names, narrow)}


def listing_json(
    ruleset: str, found: Sequence[LegalCommand], names: Mapping[str, str], narrow: LegalCommandFilter = EVERYTHING
) -> dict[str, Any]:
    """Legal commands with their schemas, and in `$defs` what these share. names: what people call ids.

    Of what is legal now alike entries are one, without steps and facts; members that say nothing are left out. Of all
    that is legal now long domains list fewer values until the answer has at most 20 KB; where names that others have
    are left out, too, an entry is partial.
    """
    if not narrow.legal:
        return _listing(ruleset, found, Narrowing(names))
    kinds = registry.ruleset(ruleset).open_commands
    brief = [replace(legal, steps=(), facts={}) for legal in found]
    alike = condense(brief, {name: required_fields(kind) for name, kind in kinds.items()})
    made: dict[int, dict[str, Any]] = {}

    def fits(place: int) -> bool:
        most, combinations = LISTED[place]
        ample = combinations >= LEAST_NOTED
        taken = None if most == SHOWN else min(MOST_TAKEN, 10 * most)
        narrowing = Narrowing(names if ample else {}, most, most > LEAST_TITLED, combinations, taken)
        noted = alike if ample else [replace(legal, note="") for legal in alike]
        made[place] = listed = _listing(ruleset, noted, narrowing)
        listed["results"] = [_terse(entry) for entry in listed["results"]]
        return len(orjson.dumps(listed)) <= MOST_BYTES

    if fits(0) or narrow.command or narrow.about:
        return made[0]
    place = bisect_left(range(len(LISTED) - 1), True, lo=1, key=fits)
    if place not in made:
        fits(place)
    return made[place]


@cache
def required_fields(kind: type[Command]) -> frozenset[str]:
    """The fields that a command's class requires."""
    return frozenset(name for name, found in kind.model_fields.items() if found.is_required())


def _listing(ruleset: str, found: Sequence[LegalCommand], narrowing: Narrowing) -> dict[str, Any]:
    kinds = registry.ruleset(ruleset).open_commands
    shown = [legal for legal in found if legal.legal or legal.arguments]
    schemas, shared = share([narrowing.body(kinds[legal.command], legal) for legal in shown])
    schema_of = {id(legal): schema for legal, schema in zip(shown, schemas, strict=True)}
    told = [(replace(legal, partial=narrowing.is_partial(legal)), schema_of.get(id(legal))) for legal in found]
    return {"results": [legal_command_json(legal, schema) for legal, schema in told], "$defs": shared}


def _terse(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry without the members that say nothing."""
    return {name: value for name, value in entry.items() if name not in SILENT or value != SILENT[name]}


def legal_command_json(legal: LegalCommand, schema: dict[str, Any] | None) -> dict[str, Any]:
    """One thing that may be done, with the schema of its body, or why not."""
    return {
        "command": legal.command,
        "legal": legal.legal,
        "quits": legal.quits,
        "partial": legal.partial,
        "schema": schema,
        "price": legal.price,
        "barred": refusal_json(legal.barred) if legal.barred else None,
        "note": legal.note,
        "steps": [step_json(step) for step in legal.steps],
        "facts": plain(dict(legal.facts)),
    }


def filter_of(command: str, about: str, page: int, *, legal: bool = False) -> LegalCommandFilter:
    """Which legal commands are asked for. Raises Fault (query.invalid)."""
    if not 0 <= page <= PAGES:
        raise Fault("query.invalid", f"Pages are counted from 0 to {PAGES}.", parameter="page")
    return LegalCommandFilter(command, about, page, legal)


def forecast_json(viewer: Viewer, name: str, raw: bytes) -> dict[str, Any]:
    """What a command would do, as this viewer may know it.

    Raises `command.missing`, `command.silent`, pydantic's ValidationError, and what bars the command.
    """
    command = parse_command(viewer.game.ruleset, name, raw)
    cursor = selectors.cursor_for(viewer.game, viewer.visibility)
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
        "subject": prospect.subject,
        "key": prospect.key,
        "low": prospect.odds[0].amount,
        "high": prospect.odds[-1].amount,
        "odds": [{"amount": odd.amount, **over("chance", odd.chance)} for odd in prospect.odds],
        "squares": [{"x": square.column, "y": square.row} for square in prospect.squares],
    }


def refusal_json(refused: Refused) -> dict[str, Any]:
    """Why something is barred, in the words of a problem."""
    rules, facts = list(refused.rules), plain(refused.facts)
    return {"code": refused.code, "detail": refused.message, "rules": rules, "facts": facts}
