"""The page for frontend authors of Dawn: its requests are sent in order, its tables are the registry's."""

import re
from datetime import timedelta

import pytest

from games import registry
from games.dawn.rules.state.constants import ANSWER, WINDOWS
from games.dawn.rules.state.options import DawnOptions
from games.dawn.rules.state.schema_types import Asked, Pace
from games.engine.insight.forecast import Forecastable
from games.engine.kernel import Issuer
from tests.pages import (
    ROOT,
    KnownGame,
    Reading,
    command_rows,
    missing_files,
    open_commands,
    public_events,
    table,
    unknown_codes,
    unknown_rules,
)

PAGE = (ROOT / "docs" / "games" / "dawn.md").read_text()
WHO = {Issuer.SEAT: "god", Issuer.GM: "GM", Issuer.HOST: "host"}
OFFER = "offer"
UNITS = {"s": 1, "min": 60, "h": 3600, "days": 86_400}


def seconds(text: str) -> timedelta:
    """A window as it is text: a number and its unit."""
    number, unit = text.split()
    return timedelta(seconds=int(number) * UNITS[unit])


@pytest.mark.django_db
def test_every_request_of_the_page_is_answered_as_it_says(monkeypatch):
    known = KnownGame(monkeypatch, b"two shores")
    reading = Reading(PAGE, known.tokens("gaia", "ana", "ben"), sleep=known.sleep)

    reading.run()

    requests = " ".join(reading.requests)
    for door in ("state", "legal-commands", "prompts", "chronicle", "map.svg", "dice"):
        assert f"/{door}" in requests, door
    assert all(f"/{door}/" in requests for door in ("forecast", "commands", "charts", "dawn"))
    assert requests.count("GRAPHQL") == PAGE.count("```graphql\n")
    for refused in (404, 409):
        assert requests.count(f" {refused}") == PAGE.count(f'"status": {refused}') > 0
    assert reading.quotes == len(re.findall(r"^```(?:json|text)$", PAGE, flags=re.M))


def test_the_table_of_commands_is_that_of_the_registry():
    rows = table(PAGE, "Commands", "command")

    assert [[name, who, fields, rules] for name, who, fields, _, rules in rows] == command_rows("dawn", WHO, "DW-")


def test_the_commands_with_a_forecast_are_those_that_the_page_names():
    named = PAGE.partition("\n`shape-land`, ")[2].partition(" have a forecast;")[0]

    assert {"shape-land", *re.findall(r"`([a-z-]+)`", named)} == {
        c.slug() for c in open_commands("dawn") if issubclass(c, Forecastable)
    }


def test_the_table_of_events_is_that_of_the_registry_and_says_which_are_secret():
    rows = table(PAGE, "Events", "event")

    assert [row[0] for row in rows] == [event.__name__ for event in registry.ruleset("dawn").own.events]
    assert {name for name, who, _ in rows if who == "everybody"} == public_events("dawn")


def test_the_table_of_prompts_is_that_of_the_rules():
    rows = {row[0]: row for row in table(PAGE, "Prompts", "prompt")}

    assert set(rows) == {*(kind.value for kind in Asked), OFFER}
    commands = registry.ruleset("dawn").open_commands
    assert [name for row in rows.values() for name in row[2].split(", ") if name not in commands] == []
    found = {kind: seconds(row[3]) for kind, row in rows.items() if kind != OFFER}
    assert found == {kind.value: WINDOWS.get(kind, ANSWER)[Pace.LIVE] for kind in Asked}
    by_post = re.search(r"by post they are (.*) for a turn, (.*) for the set-up and (.*) for all else", PAGE)
    assert by_post
    turn, setup, answer = (seconds(each) for each in by_post.groups())
    assert (turn, setup) == (WINDOWS[Asked.TURN][Pace.POST], WINDOWS[Asked.SETUP][Pace.POST])
    assert answer == ANSWER[Pace.POST] == WINDOWS[Asked.CHALLENGE][Pace.POST]
    assert all(f"{window}_seconds" in DawnOptions.model_fields for window in ("setup", "turn", "answer"))


def test_codes_rules_and_files_that_the_page_names_exist():
    rulings = table(PAGE, "Rulings that a frontend meets", "question")

    assert rulings
    assert set(unknown_codes(PAGE, "dawn")) <= {kind.value for kind in Asked}  # prompts are named as codes are
    assert unknown_rules(rulings, "dawn", "DW-") == []
    assert missing_files(PAGE) == []
