"""What an entry of a menu leaves open is said: why it is `partial`, and which arguments it does not offer."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any

import orjson
import pytest

from api.pages.forms.commands import words_for_people
from api.representations.issuing.commands import MOST_BYTES, listing_json
from games.engine.game_state import Role
from games.engine.insight.domains import Domain, Fields, FreeText, ListOf
from games.engine.insight.legal_commands import LegalCommand, LegalCommandFilter, legal_commands_for
from games.engine.kernel import Actor, Issuer
from tests.play.moments import PLAYED, moments
from tests.play.rolling import actors
from tests.rulesets import ROOT, RULESETS

LEGAL = LegalCommandFilter(legal=True)


def partial_classes() -> Iterator[str]:
    """The classes in whose text a legal command is marked as partial; "": outside of any."""
    for path in (ROOT / "games").rglob("*.py"):
        if "partial=" in (text := path.read_text()):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            for part in ast.parse(text).body:
                marked = any(isinstance(each, ast.Call) and is_marked(each) for each in ast.walk(part))
                if marked:
                    yield f"{module}.{part.name}" if isinstance(part, ast.ClassDef) else ""


def is_marked(call: ast.Call) -> bool:
    """Whether a call makes a legal command that may be partial."""
    return ast.unparse(call.func) == "LegalCommand" and any(each.arg == "partial" for each in call.keywords)


def test_a_command_says_why_its_entry_is_partial_and_no_other_does() -> None:
    commands = {kind for ruleset in RULESETS.values() for kind in ruleset.open_commands.values()}
    saying = {kind: kind.summary().split("\n\n") for kind in commands if "`partial`" in kind.summary()}
    assert {f"{kind.__module__}.{kind.__name__}" for kind in saying} == set(partial_classes())
    assert all(
        ["`partial`" in part for part in parts] == [False] * (len(parts) - 1) + [True] for parts in saying.values()
    )
    assert not any("partial" in words_for_people(kind) for kind in saying), "which forms do not show"


@cache
def menus(ruleset: str) -> tuple[Sequence[LegalCommand], ...]:
    """What everybody may do at the moments of a ruleset's games, with a seat that has stood empty since."""
    return tuple(_menus(ruleset))


def _menus(ruleset: str) -> Iterator[Sequence[LegalCommand]]:
    for moment in moments(ruleset):
        state = moment.twin()
        for seat in state.seats_of(Role.PLAYER)[1:2]:
            state.seats.load(seat.id, replace(seat, user=None, bot=""))
        for actor in (*actors(state), Actor(Issuer.SEAT)):
            yield legal_commands_for(state, RULESETS[ruleset].commands.values(), actor, LEGAL)


def entries(ruleset: str) -> Iterator[LegalCommand]:
    """All that is in these menus."""
    return chain.from_iterable(menus(ruleset))


def fields_of(ruleset: str, command: str, *, required: bool = False) -> set[str]:
    """The arguments of a command, as a body names them."""
    found = RULESETS[ruleset].commands[command].model_fields.items()
    return {field.alias or name for name, field in found if field.is_required() or not required}


@pytest.mark.parametrize("ruleset", PLAYED)
def test_what_a_command_needs_is_in_each_of_its_entries(ruleset: str) -> None:
    for legal in entries(ruleset):
        assert fields_of(ruleset, legal.command, required=True) <= legal.arguments.keys(), legal.command


NOT_OFFERED: Mapping[str, Mapping[str, str]] = {
    "dawn": {
        "command-avatar free_power": "what a free power may do, the entries of the powers themselves say",
        "set-map cells": "a whole map; an entry lists what may be laid by its size",
        "set-map rows": "a whole map; an entry lists what may be laid by its size",
    },
    "gods2": {
        "cast-power choice": "a choice is answered when it is asked",
        "declare-war parts": "who casts with you, the entries of `cast-power` say",
        "declare-war split": "who casts with you, the entries of `cast-power` say",
        "grant-power artifact": "an entry for each artifact comes with the first one of the world",
        "order-migration parts": "who casts with you, the entries of `cast-power` say",
        "order-migration split": "who casts with you, the entries of `cast-power` say",
        "order-migration square": "the entry offers directions, which go wherever a square does",
        "set-map cells": "`rows` say the same in fewer words",
    },
}
"""Arguments that no entry offers, with the reason."""


def test_an_argument_that_no_entry_offers_has_a_reason() -> None:
    offered: dict[tuple[str, str], set[str]] = defaultdict(set)
    for ruleset in PLAYED:
        for legal in entries(ruleset):
            is_own = RULESETS[ruleset].commands[legal.command] in RULESETS[ruleset].own.commands
            offered[ruleset if is_own else "", legal.command] |= legal.arguments.keys()
    for (ruleset, name), known in offered.items():
        left = {f"{name} {each}" for each in fields_of(ruleset or "dawn", name) - known}
        assert left <= NOT_OFFERED.get(ruleset, {}).keys()
    for ruleset, reasons in NOT_OFFERED.items():
        for name, argument in map(str.split, reasons):
            assert argument in fields_of(ruleset, name) - offered[ruleset, name], (name, argument)


NAMES = tuple(f"{number:03} of the many whose names are long" for number in range(600))


def crowded(domain: Any) -> Any:
    """A domain in which six hundred names are taken where any is."""
    match domain:
        case FreeText(taken=taken) if taken:
            return domain.but(NAMES)
        case Fields(fields):
            return replace(domain, fields={name: crowded(each) for name, each in fields.items()})
        case ListOf(of):
            return replace(domain, of=crowded(of))
        case Domain() | None:
            return domain
    return {name: crowded(each) for name, each in domain.items()}


def crowded_menu(found: Sequence[LegalCommand]) -> list[LegalCommand]:
    """A menu of a game with so many names."""
    return [
        replace(
            legal,
            arguments=crowded(legal.arguments),
            cases=tuple(
                replace(case, then=crowded(case.then), either=tuple(map(crowded, case.either))) for case in legal.cases
            ),
        )
        for legal in found
    ]


def cut_names(schema: Any) -> int:
    """How many names that are taken a schema leaves out."""
    if isinstance(schema, list):
        return sum(map(cut_names, schema))
    if not isinstance(schema, dict):
        return 0
    own = schema["not"].get("x-more", 0) if "enum" in schema.get("not", {}) else 0
    return own + sum(map(cut_names, schema.values()))


@pytest.mark.parametrize("ruleset", PLAYED)
def test_a_short_menu_with_hundreds_of_names_stays_small_and_says_where_it_leaves_some_out(ruleset: str) -> None:
    seen = set()
    for found in menus(ruleset)[::3]:
        menu = crowded_menu(found)
        answer = listing_json(ruleset, menu, {}, LEGAL)
        assert len(orjson.dumps(answer)) <= MOST_BYTES
        defs = {f"#/$defs/{name}" for name, schema in answer["$defs"].items() if cut_names(schema)}
        for entry in answer["results"]:
            text = orjson.dumps(entry["schema"]).decode()
            cut = cut_names(entry["schema"]) or any(f'"{each}"' in text for each in defs)
            otherwise = {legal.partial for legal in menu if legal.command == entry["command"]}
            assert entry.get("partial", False) in ({True} if cut else otherwise), entry["command"]
            seen.add(bool(cut))
    assert seen == {True, False}
