"""The base of every model: validators at first use, descriptions from the docstrings below fields."""

import pytest
from pydantic import BaseModel, Field, ValidationError

from games.engine.model import Model, field_descriptions
from tests.rulesets import RULESETS


class Inner(Model):
    """A part."""

    size: int
    """How large
    it is."""


class Stone(Model):
    """A stone."""

    weight: int
    """In grams."""
    colour: str = Field(default="grey", description="As one sees it.")
    """This is overruled."""
    place: str | None = None
    inner: Inner | None = None
    """What is in it."""


class Pebble(Stone):
    """A small stone."""

    place: str
    """Where it lies."""
    colour: str = "white"


def test_a_field_is_described_by_its_field_call_or_else_by_the_docstring_below_it() -> None:
    assert field_descriptions(Stone) == {
        "weight": "In grams.",
        "colour": "As one sees it.",
        "place": None,
        "inner": "What is in it.",
    }
    assert field_descriptions(Inner) == {"size": "How large\nit is."}


def test_a_field_that_is_declared_anew_is_described_anew() -> None:
    assert field_descriptions(Pebble) == {
        "weight": "In grams.",
        "colour": None,
        "place": "Where it lies.",
        "inner": "What is in it.",
    }


def test_a_class_inside_a_function_is_described_too() -> None:
    class Grain(Model):
        fine: bool
        """Whether it runs through the fingers."""

    assert field_descriptions(Grain) == {"fine": "Whether it runs through the fingers."}


def test_the_json_schema_has_the_descriptions_of_a_model_and_of_those_inside_it() -> None:
    class Wall(BaseModel):
        stones: list[Pebble]

    found = Wall.model_json_schema()["$defs"]
    assert {name: f.get("description") for name, f in found["Pebble"]["properties"].items()} == field_descriptions(
        Pebble
    )
    assert found["Inner"]["properties"]["size"]["description"] == "How large\nit is."


def test_a_model_is_frozen_exact_and_built_when_it_is_first_used() -> None:
    class Sand(Model):
        grains: int

    assert not Sand.__pydantic_complete__
    sand = Sand(grains=3)
    assert Sand.__pydantic_complete__
    with pytest.raises(ValidationError):
        sand.grains = 4  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Sand.model_validate({"grains": 3, "colour": "red"})


def test_every_command_and_event_of_every_ruleset_can_be_built() -> None:
    for rules in RULESETS.values():
        for kind in (rules.options, *rules.commands.values(), *rules.events.values()):
            kind.model_rebuild()
            assert kind.__pydantic_complete__, kind
