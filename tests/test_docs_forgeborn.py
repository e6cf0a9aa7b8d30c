"""The page for frontend authors of Forgeborn: its requests are sent in order, its tables are the registry's."""

import re

import pytest

from games import registry
from games.engine.insight.forecast import Forecastable
from games.engine.kernel import Issuer
from games.forgeborn.rules.state.constants import LIVE
from games.forgeborn.rules.state.options import WINDOWS
from games.forgeborn.rules.state.schema_types import Asked
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

PAGE = (ROOT / "docs" / "games" / "forgeborn.md").read_text()
WHO = {Issuer.SEAT: "player", Issuer.GM: "GM", Issuer.HOST: "host"}


@pytest.mark.django_db
def test_every_request_of_the_page_is_answered_as_it_says(monkeypatch):
    known = KnownGame(monkeypatch, b"cold anvil")
    reading = Reading(PAGE, known.tokens("wanda", "ana", "ben"), sleep=known.sleep)

    reading.run()

    requests = " ".join(reading.requests)
    doors = ("legal-commands", "prompts", "forecast", "chronicle", "map.svg", "cards", "dice", "charts", "commands")
    for door in doors:
        assert f"/{door}" in requests, door
    assert (requests.count("GRAPHQL"), requests.count(" 409")) == (
        PAGE.count("```graphql\n"),
        PAGE.count('"status": 409'),
    )
    assert reading.quotes == len(re.findall(r"^```(?:json|text)$", PAGE, flags=re.M))


def test_the_table_of_commands_is_that_of_the_registry():
    rows = table(PAGE, "Commands", "command")

    assert [[name, who, fields, rules] for name, who, fields, _, rules in rows] == command_rows("forgeborn", WHO, "FB-")


def test_the_commands_that_are_said_to_have_a_forecast_have_one():
    said = re.findall(r"`([\w-]+)`", PAGE.partition(" have a forecast")[0].rpartition("\n\n")[2])

    assert said == [c.slug() for c in open_commands("forgeborn") if issubclass(c, Forecastable)]


def test_the_table_of_events_is_that_of_the_registry_and_says_which_are_secret():
    rows = table(PAGE, "Events", "event")

    assert [row[0] for row in rows] == [event.__name__ for event in registry.ruleset("forgeborn").own.events]
    assert {name for name, who, _ in rows if who == "everybody"} == public_events("forgeborn")


def test_the_table_of_prompts_is_that_of_the_rules():
    rows = {row[0]: row for row in table(PAGE, "Prompts", "prompt")}

    assert list(rows) == [asked.value for asked in Asked]
    commands = registry.ruleset("forgeborn").open_commands
    assert [name for row in rows.values() for name in row[2].split(", ") if name not in commands] == []
    seconds = {"s": 1, "min": 60}
    found = {name: int(row[3].split()[0]) * seconds[row[3].split()[1]] for name, row in rows.items()}
    assert found == {asked.value: LIVE[WINDOWS[asked]] for asked in Asked}


def test_codes_rules_and_files_that_the_page_names_exist():
    rulings = table(PAGE, "Rulings that a frontend meets", "question")

    assert rulings
    assert unknown_codes(PAGE, "forgeborn") == []
    assert unknown_rules(rulings, "forgeborn", "FB-") == []
    assert missing_files(PAGE) == []
