"""What of a game's rules may import what (`tools/kinds_contract.py`), and that classes stand where it looks."""

import tomllib
from importlib import import_module
from pathlib import Path

import grimp
import pytest

from games.engine.ruleset import Ruleset
from tools.kinds_contract import KindsContract, chapter_of, kind_of, violations

ROOT = Path(__file__).parent.parent
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
CONTRACT = next(contract for contract in CONTRACTS if contract["type"] == "kinds")
GAMES = sorted(game.partition(":")[0] for game in CONTRACT["games"])
KINDS = [["bots", "*_view"], ["commands", "*_commands"], ["*"], ["events"], ["state"]]


@pytest.mark.parametrize(
    ("module", "kind"),
    [
        ("bots", 0),
        ("bots.commands", 0),
        ("realm.realm_view", 0),
        ("war.commands", 1),
        ("powers.answer_commands", 1),
        ("war.rules", 2),
        ("war", 2),
        ("war.events", 3),
        ("state.state", 4),
    ],
)
def test_a_module_is_of_the_kind_that_names_it_or_a_folder_above_it(module: str, kind: int) -> None:
    assert kind_of(module, KINDS) == kind


def test_a_chapter_is_what_stands_directly_below_the_rules() -> None:
    assert [chapter_of(name, ["war", "land"]) for name in ("war.rules", "land", "landing")] == [0, 1, None]


@pytest.mark.parametrize(
    ("importer", "imported", "what"),
    [
        ("war.commands", "land.rules", None),
        ("land.commands", "war.rules", None),
        ("land.commands", "war.commands", None),
        ("bots", "land.commands", None),
        ("war.rules", "land.rules", None),
        ("war.rules", "land.events", None),
        ("war.events", "state.state", None),
        ("land.rules", "war.rules", "a chapter that stands above"),
        ("land.rules", "war.events", None),
        ("land.events", "war.events", "a chapter that stands above"),
        ("war.rules", "land.commands", "of a higher kind"),
        ("war.events", "war.rules", "of a higher kind"),
        ("war.commands", "bots", "of a higher kind"),
        ("state.state", "land.rules", "of a higher kind"),
    ],
)
def test_imports_run_downhill_by_kind_and_those_of_rules_and_events_by_chapter(
    importer: str, imported: str, what: str | None
) -> None:
    graph = grimp.ImportGraph()
    for name in ("war.rules", "land.rules", importer, imported):
        graph.add_module(f"game.{name}")
    graph.add_import(importer=f"game.{importer}", imported=f"game.{imported}")
    found = violations(graph, "game", ["war", "land"], KINDS, frozenset({2, 3}))
    assert len(found) == (what is not None) and all(what in line for line in found if what)


def test_a_contract_names_chapters_that_are_not_listed_and_those_that_are_gone() -> None:
    graph = grimp.ImportGraph()
    graph.add_module("game.war.rules")
    asked = {"kinds": ["bots", "*", "state"], "within_chapters": ["*"], "games": ["game: land"]}
    found = KindsContract("kinds", {}, asked).check(graph, verbose=False)
    assert not found.kept
    assert found.metadata["found"] == [
        "game.war.rules stands in no chapter.",
        "game has no rules or events in land.",
    ]


def test_every_game_is_held_to_its_layers() -> None:
    assert sorted(f"games.{path.parent.name}.rules" for path in (ROOT / "games").glob("*/rules")) == GAMES


@pytest.mark.parametrize("package", GAMES)
def test_commands_and_events_stand_in_modules_of_their_kind(package: str) -> None:
    """By its name a module is sorted into a layer: a command among rules would go where no command may."""
    ruleset: Ruleset = import_module(package).RULESET
    stray = [
        f"{found.__module__}.{found.__name__}"
        for kind, classes in (("commands", ruleset.own.commands), ("events", ruleset.own.events))
        for found in classes
        if not f"_{found.__module__.rpartition('.')[2]}".endswith(f"_{kind}")
    ]
    assert stray == []
