"""Types of events that webhooks and endpoints name, as they stand in `events/`."""

from collections.abc import Iterable

import orjson

from api.common.exceptions import Fault
from games import registry

MAX_KINDS = 50
"""Types of events that one webhook or endpoint names."""


def kinds_of_ruleset(ruleset: str, kinds: Iterable[str]) -> list[str]:
    """Types of events of a ruleset, each once. Raises Fault (webhook.kinds, 422)."""
    return _require(kinds, _known_kinds(ruleset), f"Games of {ruleset} have")


def kinds_of_any_ruleset(kinds: Iterable[str]) -> list[str]:
    """Types of events of any ruleset that can be played here, each once. Raises Fault (webhook.kinds, 422)."""
    known = frozenset[str]().union(*(_known_kinds(rules.slug) for rules in registry.rulesets()))
    return _require(kinds, known, "Games here have")


def kinds_within(packed: str, ruleset: str) -> str | None:
    """Those of the packed types (JSON, [] for all) that a ruleset has, packed; None where it has none of them."""
    kinds = orjson.loads(packed)
    known = _known_kinds(ruleset) if kinds else frozenset()
    found = [kind for kind in kinds if kind in known]
    return None if kinds and not found else pack(found)


def pack(kinds: list[str]) -> str:
    """Types of events as a row has them."""
    return orjson.dumps(kinds).decode()


def _known_kinds(ruleset: str) -> frozenset[str]:
    return frozenset(registry.event_type(ruleset, name) for name in registry.ruleset(ruleset).events)


def _require(kinds: Iterable[str], known: frozenset[str], subject: str) -> list[str]:
    wanted = list(dict.fromkeys(kinds))
    if unknown := [position for position, kind in enumerate(wanted) if kind not in known]:
        raise Fault(
            "webhook.kinds",
            f"{subject} no such type of event; each is `<ruleset>.<Class>` as in `events/`.",
            pointer=f"/kinds/{unknown[0]}",
        )
    return wanted
