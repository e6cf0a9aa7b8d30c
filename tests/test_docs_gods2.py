"""The page for frontend authors of The Gods II: its requests are sent in order, its tables are the registry's."""

import re
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from games import registry, services
from games.engine import handdice
from games.engine.foretelling import Foreseeing
from games.engine.kernel import Event, Issuer
from games.gods2 import packs
from games.gods2.rules.listing import COMMANDS, EVENTS
from tests.api.worlds import bearer, user
from tests.pages import Reading, lacking, picked

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "games" / "gods2.md").read_text()
RULES = ROOT / "games" / "gods2" / "rules"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
KNOWN = b"two peoples"
WHO = {Issuer.SEAT: "god", Issuer.GM: "GM", Issuer.HOST: "host"}
OPEN = [command for command in COMMANDS if command.issuers - {Issuer.CLOCK}]


@pytest.fixture
def known(monkeypatch):
    """The same dice and ids each time, and a clock that goes on by a hundredth of a second whenever it is read."""
    ticks = count()
    monkeypatch.setattr(timezone, "now", lambda: NOON + timedelta(milliseconds=10 * next(ticks)))
    opening = services.open_game

    def opened(*given: Any, **more: Any) -> Any:
        with monkeypatch.context() as fixed:
            fixed.setattr(services, "uuid4", lambda: UUID(int=1))
            fixed.setattr(services, "os", SimpleNamespace(urandom=lambda size: KNOWN.ljust(size)[:size]))
            return opening(*given, **more)

    monkeypatch.setattr(services, "open_game", opened)


def table(heading: str, title: str) -> list[list[str]]:
    """The rows of the table below a heading whose first column has this title."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = section.partition(f"| {title} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip().strip("`") for cell in line.strip("| ").split(" | ")] for line in lines]


@pytest.mark.django_db
def test_every_request_of_the_page_is_answered_as_it_says(known):
    tokens = {name.upper(): f"Authorization: {bearer(user(name))['Authorization']}" for name in ("gaia", "ana", "ben")}
    packs.import_house()  # a test that emptied the tables took them away
    reading = Reading(PAGE, tokens)

    reading.run()

    asked = " ".join(reading.asked)
    for door in ("state", "legal-commands", "prompts", "breakdowns", "falling", "chronicle", "pictures", "map.svg"):
        assert f"/{door}" in asked, door
    assert all(f"/{door}/" in asked for door in ("foretell", "commands", "charts", "trees", "gods2"))
    assert (asked.count("GRAPHQL"), asked.count(" 409")) == (PAGE.count("```graphql\n"), PAGE.count('"status": 409'))
    assert reading.quotes == len(re.findall(r"^```(?:json|text)$", PAGE, flags=re.M))


@pytest.mark.parametrize(
    ("_case", "quoted", "found", "lacks"),
    [
        ("a part", {"a": 1}, {"a": 1, "b": 2}, ""),
        ("another value", {"a": 1}, {"a": 2}, ".a is 2, quoted 1"),
        ("a field too many", {"c": 1}, {"a": 2}, ".c is not there"),
        ("elements between", [1, 3], [1, 2, 3], ""),
        ("the wrong order", [3, 1], [1, 2, 3], "[1] 1 is not there in [1, 2, 3]"),
        ("not empty", [], [1], " is not empty: [1]"),
        ("a beginning", "Two...", "Two peoples", ""),
        ("no number", True, 1, " is 1, quoted True"),
        ("within", {"a": [{"b": 1}]}, {"a": [{"b": 2}]}, ".a[0] {'b': 1} is not there in [{'b': 2}]"),
    ],
)
def test_a_quotation_that_is_not_so_is_found(_case, quoted, found, lacks):
    assert lacking(quoted, found) == lacks


def test_a_pick_finds_what_jq_finds():
    told = {"events": [{"type": "A", "id": 1}, {"type": "B", "id": 2}]}

    assert list(picked(told, '.events[] | select(.type == "B") | .id')) == [2]
    assert list(picked(told, ".events[0].id")) == [1]


def test_the_table_of_commands_is_that_of_the_registry():
    built = [
        [
            command.slug(),
            ", ".join(sorted(WHO[issuer] for issuer in command.issuers - {Issuer.CLOCK})),
            ", ".join(n if f.is_required() else f"{n}?" for n, f in command.model_fields.items()) or "-",
            ", ".join(rule.removeprefix("G2-") for rule in command.rules) or "-",
        ]
        for command in OPEN
    ]

    assert [[name, who, fields, rules] for name, who, fields, _, rules in table("Commands", "command")] == built


def test_the_commands_that_foretell_are_those_that_the_page_names():
    named = PAGE.partition("could matter. `cast-power`")[2].partition(" foretell;")[0]

    assert {"cast-power", *re.findall(r"`([a-z-]+)`", named)} == {c.slug() for c in OPEN if issubclass(c, Foreseeing)}


def test_the_table_of_events_is_that_of_the_registry_and_says_which_are_secret():
    rows = table("Events", "event")

    assert [row[0] for row in rows] == [event.__name__ for event in EVENTS]
    told = {name: who for name, who, _ in rows}
    public = {event.__name__ for event in EVENTS if event.audience is Event.audience}
    assert {name for name, who in told.items() if who == "everybody"} == public


def test_the_table_of_prompts_is_that_of_the_rules():
    rows = table("Prompts", "prompt")
    built = {
        kind
        for file in RULES.glob("*.py")
        for kind in re.findall(r'^[A-Z, ]+ = .*"([A-Z]+\.[a-z]+)"', file.read_text(), flags=re.M)
    }
    several = re.findall(
        r'^DIPLOMACY, TIME, COMBINE = "(.*)", "(.*)", "(.*)"', (RULES / "wardesk.py").read_text(), re.M
    )

    assert {row[0] for row in rows} == {*built, *several[0], "WORKSHEET", "NAME", handdice.KIND}
    commands = registry.ruleset("gods2").open_commands
    assert [name for row in rows for name in row[2].split(", ") if name not in commands] == []


def test_codes_rules_and_files_that_the_page_names_exist():
    sources = "".join(file.read_text() for folder in (RULES, ROOT / "games" / "engine") for file in folder.glob("*.py"))
    sources += "".join(file.read_text() for file in (ROOT / "games").glob("*.py"))
    codes = re.findall(r"`(\w+\.\w+)`", "".join(row for row in PAGE.splitlines() if row.startswith("| `")))
    rulebook = (ROOT / "games" / "gods2" / "rulebook.md").read_text()

    assert [code for code in codes if f'"{code}"' not in sources] == []
    ruled = [rule for row in table("Rulings that a frontend meets", "question") for rule in row[2].split(", ")]
    assert [
        r for r in ruled if not r.startswith("docs/") and f"| {r} |" not in rulebook and f"G2-{r}**" not in rulebook
    ] == []
    named = re.findall(r"`((?:docs|games)/[\w./-]+\.\w+)`", PAGE)
    assert [name for name in named if not (ROOT / name).exists()] == []
