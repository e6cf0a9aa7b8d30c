"""The options of a game (FB-SET-6) and the windows of its questions (section 11)."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from games.forgeborn.rules import RULESET
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.schema_types import Asked
from tests.playbook import refused
from tests.rules.forgeborn.stage import GAME

MINUTE, HOUR = 60, 3600
BOOK = {
    "MAP": (10 * MINUTE, 48 * HOUR),
    "SMITHS": (10 * MINUTE, 48 * HOUR),
    "TURN": (5 * MINUTE, 48 * HOUR),
    "DESCRIBE": (2 * MINUTE, 24 * HOUR),
    "POOL": (2 * MINUTE, 24 * HOUR),
    "RULING": (MINUTE, 24 * HOUR),
    "REPOOL": (MINUTE, 24 * HOUR),
    "HELP": (2 * MINUTE, 24 * HOUR),
    "FORGE": (2 * MINUTE, 24 * HOUR),
    "SPEND": (2 * MINUTE, 24 * HOUR),
    "GAIN": (MINUTE, 24 * HOUR),
    "VAULT": (2 * MINUTE, 24 * HOUR),
    "DENIED": (MINUTE, 24 * HOUR),
    "RUINS": (2 * MINUTE, 24 * HOUR),
    "FOREST": (MINUTE, 24 * HOUR),
}
"""Live and by post, as the table of section 11 has it."""


@pytest.mark.rule("FB-SET-6")
def test_the_options_have_the_rulebooks_defaults() -> None:
    assert ForgebornOptions().model_dump(mode="json") == {
        "width": 297,
        "height": 210,
        "dragon_fixed": None,
        "drop": "service",
        "referee": "person",
        "round_limit": None,
        "pace": "live",
        "setup_seconds": None,
        "turn_seconds": None,
        "answer_seconds": None,
    }


@pytest.mark.rule("FB-SET-6")
@pytest.mark.parametrize(
    ("field", "least", "most"),
    [
        ("width", 100, 2000),
        ("height", 100, 2000),
        ("dragon_fixed", 12, 30),
        ("round_limit", 1, 200),
        ("setup_seconds", 1, 30 * 86_400),
        ("turn_seconds", 1, 30 * 86_400),
        ("answer_seconds", 1, 30 * 86_400),
    ],
)
def test_an_option_has_its_bounds(field: str, least: int, most: int) -> None:
    for value in (least, most):
        assert getattr(ForgebornOptions(**{field: value}), field) == value
    for value in (least - 1, most + 1):
        with pytest.raises(ValidationError):
            ForgebornOptions(**{field: value})


@pytest.mark.rule("FB-SET-6")
@pytest.mark.parametrize(
    ("chosen", "is_refused"),
    [
        ({"drop": "table"}, False),
        ({"referee": "none"}, False),
        ({"drop": "table", "referee": "none"}, True),
    ],
)
def test_a_real_drop_asks_for_a_referee(chosen: dict[str, Any], is_refused: bool) -> None:
    options = ForgebornOptions(**chosen)
    if is_refused:
        with refused("config.range"):
            options.check(None)
    else:
        options.check(None)


def windows(**chosen: Any) -> dict[str, float]:
    """The seconds of each question in a game with these options."""
    state = RULESET.new_state(GAME)
    state.info = replace(state.info, options=ForgebornOptions(**chosen).model_dump_json())
    return {kind: state.window(row.window).total_seconds() for kind, row in RULESET.course.questions.items()}


@pytest.mark.rule("FB-SET-6")
def test_the_windows_are_those_of_the_table_in_the_rulebook() -> None:
    live, post = windows(), windows(pace="by_post")
    assert {asked: (live[asked], post[asked]) for asked in Asked} == {Asked(name): both for name, both in BOOK.items()}


@pytest.mark.rule("FB-SET-6")
def test_seconds_go_before_the_pace_each_for_its_questions() -> None:
    seconds = windows(pace="by_post", setup_seconds=1, turn_seconds=2, answer_seconds=3)
    assert {asked for asked in Asked if seconds[asked] == 1} == {Asked.MAP, Asked.SMITHS}
    assert {asked for asked in Asked if seconds[asked] == 2} == {Asked.TURN}
    assert {asked for asked in Asked if seconds[asked] == 3} == set(Asked) - {Asked.MAP, Asked.SMITHS, Asked.TURN}
