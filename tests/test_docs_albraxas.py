"""The page for frontend authors of Albraxas: its requests are sent in order, its tables are the registry's."""

import re

import pytest

from games import registry
from games.albraxas.rules.state.constants import LIVE
from games.albraxas.rules.state.options import AlbraxasOptions
from games.albraxas.rules.state.schema_types import Step
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

PAGE = (ROOT / "docs" / "games" / "albraxas.md").read_text()
WHO = {Issuer.SEAT: "player", Issuer.GM: "GM", Issuer.HOST: "host"}
PROMPTS = {Step.CHARACTERS.value: "characters", Step.LOCATE.value: "locate", Step.ORDER.value: "order"}
OPENING = f"{Step.ORDER}.open"


@pytest.mark.django_db
def test_every_request_of_the_page_is_answered_as_it_says(monkeypatch):
    known = KnownGame(monkeypatch, b"two at dawn")
    reading = Reading(PAGE, known.tokens("gaia", "ana", "ben"), sleep=known.sleep)

    reading.run()

    requests = " ".join(reading.requests)
    for door in ("state", "legal-commands", "prompts", "breakdowns", "chronicle", "map.svg", "dice"):
        assert f"/{door}" in requests, door
    assert all(f"/{door}/" in requests for door in ("forecast", "commands", "charts", "albraxas"))
    assert (requests.count("GRAPHQL"), requests.count(" 409")) == (
        PAGE.count("```graphql\n"),
        PAGE.count('"status": 409'),
    )
    assert reading.quotes == len(re.findall(r"^```(?:json|text)$", PAGE, flags=re.M))


def test_the_table_of_commands_is_that_of_the_registry():
    rows = table(PAGE, "Commands", "command")

    assert [[name, who, fields, rules] for name, who, fields, _, rules in rows] == command_rows("albraxas", WHO, "AX-")
    assert [c.slug() for c in open_commands("albraxas") if issubclass(c, Forecastable)] == ["write-orders"]


def test_the_table_of_events_is_that_of_the_registry_and_says_which_are_secret():
    rows = table(PAGE, "Events", "event")

    assert [row[0] for row in rows] == [event.__name__ for event in registry.ruleset("albraxas").own.events]
    # OrdersSealed has the readers of its prompt, and everybody reads the prompt of the orders
    assert {name for name, who, _ in rows if who == "everybody"} == {*public_events("albraxas"), "OrdersSealed"}


def test_the_table_of_prompts_is_that_of_the_rules():
    rows = {row[0]: row for row in table(PAGE, "Prompts", "prompt")}

    assert list(rows) == [*PROMPTS, OPENING]
    commands = registry.ruleset("albraxas").open_commands
    assert [name for row in rows.values() for name in row[2].split(", ") if name not in commands] == []
    seconds = {"s": 1, "min": 60}
    found = {name: int(row[3].split()[0]) * seconds[row[3].split()[1]] for name, row in rows.items()}
    assert found == {name: LIVE[window] for name, window in (*PROMPTS.items(), (OPENING, "opening"))}
    assert all(f"{window}_seconds" in AlbraxasOptions.model_fields for window in LIVE)


def test_codes_rules_and_files_that_the_page_names_exist():
    rulings = table(PAGE, "Rulings that a frontend meets", "question")

    assert rulings
    assert unknown_codes(PAGE, "albraxas") == [OPENING]  # made of `order`
    assert unknown_rules(rulings, "albraxas", "AX-") == []
    assert missing_files(PAGE) == []
