"""The page for frontend authors of The Gods II: its requests are sent in order, its tables are the registry's."""

import re

import pytest

from games import registry
from games.engine.insight.forecast import Forecastable
from games.engine.kernel import Issuer
from games.engine.prompts import manual_dice
from games.gods2.packs import library
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

PAGE = (ROOT / "docs" / "games" / "gods2.md").read_text()
RULES = ROOT / "games" / "gods2" / "rules"
WHO = {Issuer.SEAT: "god", Issuer.GM: "GM", Issuer.HOST: "host"}


@pytest.mark.django_db
def test_every_request_of_the_page_is_answered_as_it_says(monkeypatch):
    known = KnownGame(monkeypatch, b"two peoples")
    library.import_packs()  # a test that emptied the tables took them away
    reading = Reading(PAGE, known.tokens("gaia", "ana", "ben"))

    reading.run()

    requests = " ".join(reading.requests)
    for door in (
        "state",
        "legal-commands",
        "prompts",
        "breakdowns",
        "rewind-preview",
        "chronicle",
        "pictures",
        "map.svg",
    ):
        assert f"/{door}" in requests, door
    assert all(f"/{door}/" in requests for door in ("forecast", "commands", "reaches", "charts", "trees", "gods2"))
    assert (requests.count("GRAPHQL"), requests.count(" 409")) == (
        PAGE.count("```graphql\n"),
        PAGE.count('"status": 409'),
    )
    assert reading.quotes == len(re.findall(r"^```(?:json|text)$", PAGE, flags=re.M))


def test_the_table_of_commands_is_that_of_the_registry():
    rows = table(PAGE, "Commands", "command")

    assert [[name, who, fields, rules] for name, who, fields, _, rules in rows] == command_rows("gods2", WHO, "G2-")


def test_the_commands_with_a_forecast_are_those_that_the_page_names():
    named = PAGE.partition("could matter. `cast-power`")[2].partition(" have a forecast;")[0]

    assert {"cast-power", *re.findall(r"`([a-z-]+)`", named)} == {
        c.slug() for c in open_commands("gods2") if issubclass(c, Forecastable)
    }


def test_the_table_of_events_is_that_of_the_registry_and_says_which_are_secret():
    rows = table(PAGE, "Events", "event")

    assert [row[0] for row in rows] == [event.__name__ for event in registry.ruleset("gods2").own.events]
    assert {name for name, who, _ in rows if who == "everybody"} == public_events("gods2")


def test_the_table_of_prompts_is_that_of_the_rules():
    rows = table(PAGE, "Prompts", "prompt")
    built = {
        kind
        for file in RULES.rglob("*.py")
        for kind in re.findall(r'^[A-Z, ]+ = .*"([A-Z]+\.[a-z]+)"', file.read_text(), flags=re.M)
    }
    several = re.findall(
        r'^DIPLOMACY, TIME, COMBINE = "(.*)", "(.*)", "(.*)"', (RULES / "war" / "gm_prompts.py").read_text(), re.M
    )

    assert {row[0] for row in rows} == {*built, *several[0], "WORKSHEET", "NAME", manual_dice.KIND}
    commands = registry.ruleset("gods2").open_commands
    assert [name for row in rows for name in row[2].split(", ") if name not in commands] == []


def test_codes_rules_and_files_that_the_page_names_exist():
    rulings = table(PAGE, "Rulings that a frontend meets", "question")

    assert rulings
    assert unknown_codes(PAGE, "gods2") == []
    assert unknown_rules(rulings, "gods2", "G2-") == []
    assert missing_files(PAGE) == []
