"""Lists in prose are those of the code: rulesets, schemas of states, processes, parts of the API."""

import re
from collections import Counter
from pathlib import Path

import pytest

from config.management.commands.serve import services
from games import registry
from tests.operations.composition import COMPOSE
from tests.security.planting import secret_events
from tools import architecture

ROOT = Path(__file__).resolve().parent.parent
RULESETS = [path.stem for path in sorted((ROOT / "api" / "openapi").glob("*.yaml")) if path.stem != "core"]
"""The rulesets of the service, without the toy game of the tests."""
SHARED_BY_BOTH_APIS = {"common", "representations"}


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def test_the_rulesets_are_those_of_the_settings() -> None:
    assert sorted(registry.demos()) == RULESETS


def test_the_page_of_the_api_names_the_schema_of_each_state() -> None:
    (listed,) = re.findall(r"state has a schema of its own \((.*?)\)", read("docs/api.md"), re.S)

    assert sorted(re.findall(r"`(\w+)`", listed)) == [f"{ruleset.capitalize()}State" for ruleset in RULESETS]
    for ruleset in RULESETS:
        assert f"\n    {ruleset.capitalize()}State:\n" in read(f"api/openapi/{ruleset}.yaml")


@pytest.mark.parametrize(("client", "separator"), [("python", "."), ("typescript", "/")])
def test_the_page_of_a_client_names_the_module_of_each_ruleset(client: str, separator: str) -> None:
    modules = re.findall(rf"`theogony\{separator}(\w+)`", read(f"clients/{client}/README.md"))

    assert sorted(modules) == sorted([*RULESETS, "core"])


def test_the_page_of_pictures_names_what_each_game_has_to_look_at() -> None:
    table = read("docs/pictures.md").partition("| game | chapters | charts |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in row.strip("| ").split(" | ")] for row in table.splitlines()[2:]]
    known = {ruleset: registry.ruleset(ruleset) for ruleset in RULESETS}

    assert {game.strip("`"): (word, *map(names_of, cells)) for game, word, *cells in rows} == {
        slug: (rules.chapters and rules.chapters.word, list(rules.charts), list(rules.trees), list(rules.cards))
        for slug, rules in known.items()
    }


def names_of(cell: str) -> list[str]:
    """The names in a cell of a table."""
    return re.findall(r"`([\w-]+)`", cell)


def test_the_secrets_of_an_overview_are_events_that_are_proven_not_to_leak() -> None:
    for ruleset in map(registry.ruleset, RULESETS):
        assert ruleset.overview.secrets
        assert [kind for kind in ruleset.overview.secrets.values() if ruleset.slug not in secret_events()[kind]] == []


# --- processes --------------------------------------------------------------------------------------------------------
def test_the_handbook_names_the_processes_that_serve_keeps_up() -> None:
    (listed,) = re.findall(r"keeps three processes up: ([\w, ]+)\.", read("docs/operations.md"))

    assert listed.split(", ") == [service.name for service in services(8000)]


def test_the_table_of_processes_is_that_of_serve_and_of_the_composition() -> None:
    table = read("docs/architecture.md").partition("| process | what it does |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in row.strip("| ").split(" | ")] for row in table.splitlines()[2:]]
    ours = Counter(
        re.sub(r"-\d$", "", name) for name, part in COMPOSE["services"].items() if part["image"] == "theogony:local"
    )

    assert {name for name, _, by_serve, _ in rows if by_serve == "once"} == {
        "supervisor", *(service.name for service in services(8000)),
    }  # fmt: skip
    times = {1: "once", 2: "twice"}
    assert {name: by_compose for name, *_, by_compose in rows if by_compose != "-"} == {
        name: times[number] for name, number in ours.items() if name != "migrate"
    }


def test_the_handbook_says_of_each_part_what_happens_when_it_is_gone() -> None:
    """PostgreSQL is called `postgres` in the composition."""
    table = read("docs/operations.md").partition("| part | may be run |")[2].partition("\n\n")[0]
    parts = [row.split(" | ")[0].strip("| ").lower().removesuffix("ql") for row in table.splitlines()[2:]]

    assert sorted(parts) == sorted({re.sub(r"-\d$", "", name) for name in COMPOSE["services"]} - {"migrate"})


# --- parts ------------------------------------------------------------------------------------------------------------
def test_each_part_of_the_api_is_drawn_and_described() -> None:
    parts = {path.parent.name for path in (ROOT / "api").glob("*/__init__.py")} - SHARED_BY_BOTH_APIS

    assert {f"api.{part}" for part in parts} == {name for name in architecture.PARTS if name.startswith("api.")}
    page = read("docs/architecture.md")
    assert [part for part in parts if f"`api/{part}`" not in page] == []


def test_the_glossary_has_the_words_that_the_pages_use() -> None:
    words = re.findall(r"^\| ([\w -]+?)(?: \(\w+\))? \| ", read("docs/glossary.md"), re.M)

    assert {"door", "desk", "screen", "sheet", "lane", "batch"} <= set(words)
    assert len(words) == len(set(words))
