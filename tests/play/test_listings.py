"""The listings of legal commands in every phase of the finished golden games: as published, and valid JSON Schema."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml
from jsonschema import Draft202012Validator

from api.representations.issuing.commands import MOST_BYTES, listing_json
from games import registry
from games.engine.game_state import Role
from games.engine.insight.legal_commands import LegalCommandFilter, legal_commands_for, names_of
from games.engine.kernel import Actor, Issuer
from games.engine.ruleset import Ruleset
from games.storage import log
from tests.forms import SHORT
from tests.golden.finished import Finished, read
from tests.golden.test_finished import LOGS

OPENAPI = Path(__file__).resolve().parents[2] / "api" / "openapi" / "core.yaml"
PHASES = {
    "albraxas": ("storm", "step"),
    "dawn": ("course", "step"),
    "dietower": ("course", "step"),
    "forgeborn": ("course", "step"),
    "gods2": ("era", "phase"),
}
"""Where each state says what phase it is in."""


@cache
def published() -> Draft202012Validator:
    """A validator of the component that the OpenAPI document publishes."""
    with OPENAPI.open() as file:
        document = yaml.load(file, Loader=yaml.CSafeLoader)
    component = {"$ref": "#/components/schemas/LegalCommandList", "components": document["components"]}
    return Draft202012Validator(component)


def states(game: Finished) -> Iterator[Any]:
    """The state at rest in each phase, and with each kind of question open, when it is met for the first time."""
    ruleset = game.head["ruleset"]
    state = Finished(game.head, game.state, []).state_from_log()
    met: set[str] = set()
    holder, field = PHASES[ruleset]
    for row, following in pairwise([*game.rows, None]):
        state.note_time(row.at)
        log.event_of(ruleset, row).apply(state)
        if following is not None and following.at == row.at:
            continue  # in the middle of a command
        here = {str(getattr(getattr(state, holder), field)), *(prompt.kind for prompt in state.prompts.values())}
        if not here <= met:
            met |= here
            yield state


def viewers(state: Any) -> Iterator[tuple[Actor, Any]]:
    """Two players (in the short form one), the host and a game-master, with what each may see."""
    for seat in state.seats_of(Role.PLAYER)[: 1 if SHORT else 2]:
        yield Actor(Issuer.SEAT, seat=seat.id), state.view_for(frozenset({seat.id}))
    yield Actor(Issuer.HOST), state.view_for(frozenset())
    yield Actor(Issuer.GM), state.view_for(frozenset(), gm=True)


def check(ruleset: Ruleset[Any], actor: Actor, seen: Any, narrow: LegalCommandFilter) -> int:
    """Hold a listing against the published component and its schemas against JSON Schema; how many entries it has."""
    found = legal_commands_for(seen, ruleset.commands.values(), actor, narrow)
    sent = orjson.dumps({"cursor": "c", **listing_json(ruleset.slug, found, names_of(seen, found), narrow)})
    answer = orjson.loads(sent)
    assert [error.message for error in published().iter_errors(answer)] == []
    if narrow.legal:
        assert len(sent) <= MOST_BYTES + len('{"cursor":"c"}'), (actor, len(sent))
    for shared in answer["$defs"].values():
        check_schema(orjson.dumps(shared))
    for entry in answer["results"]:
        assert entry["legal"] is ("barred" not in entry or entry["barred"] is None)
        if entry["schema"] is not None:
            check_schema(orjson.dumps(entry["schema"]))
            assert references(entry["schema"]) <= {f"#/$defs/{name}" for name in answer["$defs"]}
    return len(answer["results"])


@cache
def check_schema(text: bytes) -> None:
    """Hold a schema against JSON Schema, once: the same stand in most listings of a game."""
    Draft202012Validator.check_schema(orjson.loads(text))


def references(schema: Any) -> set[str]:
    """What a schema refers to."""
    if isinstance(schema, list):
        return {found for each in schema for found in references(each)}
    if not isinstance(schema, dict):
        return set()
    own = {schema["$ref"]} if isinstance(schema.get("$ref"), str) else set()
    return own | {found for each in schema.values() for found in references(each)}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.parent.name)
def test_every_listing_of_a_golden_game_is_as_published_and_at_most_20_kb_in_short(path: Path) -> None:
    game = read(path)
    ruleset: Ruleset[Any] = registry.ruleset(game.head["ruleset"])
    entries = 0
    for state in states(game):
        for actor, seen in viewers(state):
            for narrow in (LegalCommandFilter(), LegalCommandFilter(legal=True)):
                entries += check(ruleset, actor, seen, narrow)
    assert entries > 0
