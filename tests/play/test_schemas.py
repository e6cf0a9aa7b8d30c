"""Domains as JSON Schema: what each kind becomes, what several share, and how a listing is shortened."""

import re
from contextlib import nullcontext
from random import Random
from typing import Any
from uuid import UUID

import pytest
from jsonschema import Draft202012Validator

from api.representations.issuing.legal_schemas import Narrowing
from api.representations.issuing.shared_schemas import share
from clients.python.theogony.sampling import sample
from games import registry
from games.albraxas.rules.orders.commands import WriteOrders
from games.dawn.rules.command.commands import CommandRace
from games.engine.insight.condensing import condense
from games.engine.insight.domains import (
    AnyValue,
    Case,
    Choices,
    Domain,
    Fields,
    Flag,
    FreeText,
    ListOf,
    OneOf,
    Range,
)
from games.engine.insight.legal_commands import LegalCommand
from games.engine.model import field_descriptions
from games.engine.post_options import POST_CASES, PostOptions, require_needed_options
from games.engine.ruleset import Options
from games.gods2.rules.growth.order_commands import SetGrowthOrder
from tests.playbook import refused

ELVES, DWARVES, WOLVES = (UUID(int=n) for n in (1, 2, 3))
NAMES = {str(ELVES): "Elves", str(DWARVES): "Dwarves"}
SETTLE = Choices(("settle",))


def schema_of(domain: Domain, **own: Any) -> dict[str, Any]:
    """The schema of a domain of a field with this schema."""
    return Narrowing(NAMES, most=2).narrow(domain, own, {})


@pytest.mark.parametrize(
    ("domain", "own", "schema"),
    [
        (Choices((1,)), {}, {"const": 1}),
        (Choices(()), {}, {"not": {}}),
        (Choices(("a", "b", "c"), more=4), {}, {"enum": ["a", "b"], "x-more": 5}),
        (Choices((ELVES,)), {}, {"const": str(ELVES), "title": "Elves"}),
        (
            Choices((ELVES, WOLVES)),
            {},
            {"oneOf": [{"const": str(ELVES), "title": "Elves"}, {"const": str(WOLVES)}]},
        ),
        (Choices.with_titles({"fe": "Fertility"}), {}, {"const": "fe", "title": "Fertility"}),
        (Range(low=2), {"minimum": 1, "maximum": 9}, {"type": "integer", "minimum": 2, "maximum": 9}),
        (FreeText(low=3), {"maxLength": 9}, {"type": "string", "minLength": 3, "maxLength": 9}),
        (
            FreeText(),
            {"anyOf": [{"type": "string", "pattern": "^a"}, {"type": "null"}]},
            {"type": "string", "pattern": "^a"},
        ),
        (Flag(), {}, {"type": "boolean"}),
        (
            ListOf(Flag(), low=1),
            {"maxItems": 3},
            {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 3, "uniqueItems": True},
        ),
        (
            Fields({"x": Range(0, 3)}, required=("x",)),
            {},
            {
                "type": "object",
                "properties": {"x": {"type": "integer", "minimum": 0, "maximum": 3}},
                "required": ["x"],
                "additionalProperties": False,
            },
        ),
        (OneOf((Flag(), Choices((1,)))), {}, {"anyOf": [{"type": "boolean"}, {"const": 1}]}),
        (OneOf(()), {}, {"not": {}}),
    ],
)
def test_each_kind_of_domain_has_its_schema(domain: Domain, own: dict[str, Any], schema: dict[str, Any]) -> None:
    assert schema_of(domain, **own) == schema


def test_a_dependency_becomes_if_and_then() -> None:
    convalescing = Case({"convalesce": Choices((True,))}, {"orders": None})
    legal = LegalCommand("write-orders", {"convalesce": Flag(), "orders": ListOf(Flag())}, cases=(convalescing,))
    validator = Draft202012Validator(Narrowing().body(WriteOrders, legal))
    assert validator.is_valid({"convalesce": True}) and validator.is_valid({"orders": [True]})
    assert not validator.is_valid({"convalesce": True, "orders": []})
    assert not validator.is_valid({"prompt": 1})


def test_a_list_whose_order_counts_says_so_in_the_catalogue_and_in_every_menu():
    """What says of itself that it is in an order, and what is a list of steps."""
    for rules in registry.rulesets():
        for name, kind in rules.open_commands.items():
            for field, text in field_descriptions(kind).items():
                part = kind.model_json_schema()["properties"][kind.model_fields[field].alias or field]
                if part.get("type") == "array" and re.search(r"\border\b|\bfirst\b|The order counts", text or ""):
                    assert part.get("x-ordered") is True, (name, field)
    own = SetGrowthOrder.model_json_schema()
    assert own["properties"]["races"]["description"].endswith("first to grow first. The order counts.")
    legal = LegalCommand("set-growth-order", {"races": ListOf(Choices((ELVES, DWARVES)), low=2)})
    narrowed = Narrowing().body(SetGrowthOrder, legal)["properties"]["races"]
    assert (narrowed["x-ordered"], narrowed["minItems"]) == (True, 2)


@pytest.mark.parametrize("days", [None, [], ["sunday"], ["sunday", "sunday"]])
@pytest.mark.parametrize("at", [None, "", "20:00"])
@pytest.mark.parametrize("grace", [None, 0, 60])
@pytest.mark.parametrize("absences", [None, 0, 1])
def test_dependencies_of_options_admit_what_is_accepted_and_nothing_else(
    days: list[str] | None, at: str | None, grace: int | None, absences: int | None
) -> None:
    named = {"deadline_at": at, "rest_days": days, "grace_seconds": grace, "excused_absences": absences}
    options = {name: value for name, value in named.items() if value is not None}
    is_accepted = bool(at or not days) and bool(grace) is bool(absences)
    dependent = Fields({}, cases=POST_CASES, closed=False)
    schema = Narrowing().object(dependent, Options.model_json_schema(), {})
    assert Draft202012Validator(schema).is_valid(options) is is_accepted
    with nullcontext() if is_accepted else refused("option.alone"):
        require_needed_options(PostOptions.model_validate(options))


@pytest.mark.parametrize("number", range(40))
def test_a_client_that_fills_bodies_from_a_schema_names_options_that_need_each_other(number: int) -> None:
    domain = Fields(dict.fromkeys(PostOptions.model_fields, AnyValue()), cases=POST_CASES)
    schema = Narrowing().object(domain, Options.model_json_schema(), {})
    require_needed_options(PostOptions.model_validate(sample(schema, Random(number), given=0.5)))


def settle(race: UUID, *squares: int) -> LegalCommand:
    """A race may settle in these columns."""
    square = Choices(tuple({"x": x, "y": 0} for x in squares))
    args = Fields({"square": square}, required=("square",))
    return LegalCommand("command-race", {"race": Choices((race,)), "act": SETTLE, "args": args}, required=("args",))


def validator_of(found: list[LegalCommand], narrowing: Narrowing) -> Draft202012Validator:
    """A validator of any of these legal commands."""
    schemas, shared = share([narrowing.body(CommandRace, legal) for legal in found])
    return Draft202012Validator({"anyOf": schemas, "$defs": shared})


def body(race: UUID, column: int) -> dict[str, Any]:
    return {"race": str(race), "act": "settle", "args": {"square": {"x": column, "y": 0}}}


def test_alike_legal_commands_are_one_and_admit_what_each_admitted() -> None:
    found = [settle(ELVES, 1, 2), settle(DWARVES, 2, 3), settle(WOLVES, 1, 2)]
    condensed = condense(found, {"command-race": {"race", "act"}})
    assert len(condensed) == 1
    before, after = validator_of(found, Narrowing()), validator_of(condensed, Narrowing())
    for race in (ELVES, DWARVES, WOLVES):
        for column in range(5):
            assert after.is_valid(body(race, column)) is before.is_valid(body(race, column)), (race, column)
    (case,) = condensed[0].cases
    assert len(case.either) == 2, "two of them may settle the same squares"


def test_a_shortened_listing_admits_less_and_nothing_else() -> None:
    found = [settle(ELVES, 1, 2, 3), settle(DWARVES, 2, 3, 4), settle(WOLVES, 5)]
    whole = validator_of(found, Narrowing())
    (condensed,) = condense(found, {"command-race": {"race", "act"}})
    schema = Narrowing(most=1, combinations=2).body(CommandRace, condensed)
    short = Draft202012Validator(schema)
    admitted = [(race, x) for race in (ELVES, DWARVES, WOLVES) for x in range(7) if short.is_valid(body(race, x))]
    assert admitted == [(ELVES, 1), (DWARVES, 2)]
    assert all(whole.is_valid(body(*each)) for each in admitted)
    assert schema["properties"]["race"]["x-more"] == 1 and schema["allOf"][0]["x-more"] == 1


def test_names_that_are_left_out_are_counted_and_make_an_entry_partial() -> None:
    name, narrowing = FreeText(taken=("Ann", "Bob", "Cy")), Narrowing(taken=2)
    assert narrowing.narrow(name, {}, {}) == {"type": "string", "not": {"enum": ["Ann", "Bob"], "x-more": 1}}
    within = (Fields({"name": name}), ListOf(name))
    for legal in (*(LegalCommand("x", {"name": each}) for each in within),
                  LegalCommand("x", cases=(Case(then={"name": name}),)),
                  LegalCommand("x", cases=(Case(either=({"name": None}, {"name": name})),))):  # fmt: skip
        assert narrowing.is_partial(legal) and not Narrowing(taken=3).is_partial(legal)
        assert not Narrowing().is_partial(legal)


def test_what_stands_twice_is_shared_and_refers_to_defs() -> None:
    long = Choices.of(range(100, 160))
    legal = LegalCommand("command-race", {"race": long, "act": long, "args": FreeText()})
    (schema,), shared = share([Narrowing().body(CommandRace, legal)])
    assert schema["properties"]["race"] == schema["properties"]["act"] == {"$ref": "#/$defs/race"}
    assert shared == {"race": {"enum": list(range(100, 160))}}


def test_domains_are_found_by_their_paths() -> None:
    args = Fields({"square": Choices((1, 2))})
    legal = LegalCommand("command-race", {"args": args, "actions": ListOf(Fields({"action": Choices(("move",))}))})
    assert legal.choices("args.square") == (1, 2)
    assert legal.choices("actions.action") == ("move",)
    assert legal.domain("args.name") is None and legal.choices("nothing") == ()
