"""Codes and citations: what is refused stands in a rulebook, each event cites a rule, and that rule exists.

The source is read as a syntax tree, so that a refusal counts whether a test reaches it or not.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from api.representations.rulebook import rules_of
from config.settings import RULESETS
from games import registry
from games.engine.errors import CODE
from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import Overrule
from games.engine.ruleset import ARTIFACTS, TABLE
from tests.syntax import nodes_of
from tools.pending_rules import prefix_of, rulebooks

ROOT = Path(__file__).resolve().parents[1]
GAMES = [ruleset.removeprefix("games.") for ruleset in RULESETS]
ENGINE = "docs/engine.md"
CONTRACT = re.compile(r"^\| (CF-\d+) \|", flags=re.M)
NOTHING_THERE = frozenset(
    {
        "seat.missing",
        "race.missing",
        "city.missing",
        "target.missing",
        "avatar.missing",
        "order.missing",
        "actor.missing",
        "hold.missing",
    }
)
"""An id of nothing. That there is no such thing, or none that one may see, follows from no rule (404)."""
OF_THE_TABLE = frozenset({"clock.paused", "amend.invalid"})
"""A game-master has paused the game, or corrects it in a way that does not fit: no rule of the game is about that."""
CARRIERS = frozenset({"increase", "require_room", "offer_to", "offer_by", "closed_phase", "ended_game"})
"""Functions of the engine that refuse for a game, which hands them its rules; `purses.require` is another."""
REQUIRE = frozenset({"purses.require", "escrow.require"})


@dataclass(frozen=True)
class Refusal:
    """One place where the source refuses."""

    codes: tuple[str, ...]
    place: str
    is_cited: bool


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    for node in nodes_of(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield (node.func.id if isinstance(node.func, ast.Name) else node.func.attr), node


def literals(node: ast.expr) -> tuple[str, ...]:
    """The texts that an expression may be: a literal, or a choice of literals; none of anything else."""
    match node:
        case ast.Constant(value=str() as text):
            return (text,)
        case ast.IfExp(body=one, orelse=other):
            return (*literals(one), *literals(other))
        case _:
            return ()


@cache
def refusals(folder: str) -> tuple[Refusal, ...]:
    found = []
    for path in sources(folder):
        for name, call in calls(path):
            if name == "Refused":
                given = [k.value for k in call.keywords if k.arg == "rules"]
                is_cited = bool(given) and not (isinstance(given[0], ast.Tuple) and not given[0].elts)
                place = f"{path.relative_to(ROOT)}:{call.lineno}"
                found.append(Refusal(literals(call.args[0]), place, is_cited))
    return tuple(found)


def codes_in(text: str) -> set[str]:
    """The codes of a book: `noun.reason`, printed as code."""
    return {code for code in re.findall(r"`([a-z_.]+)`", text) if CODE.fullmatch(code)}


def book(game: str) -> str:
    return (ROOT / "games" / game / "rulebook.md").read_text(encoding="utf-8")


def codes_raised(folder: str) -> set[str]:
    return {code for refusal in refusals(folder) for code in refusal.codes}


def around_the_rules() -> list[Path]:
    """The modules between the rules and the APIs: services, runtime, storage, reads."""
    around = [path for folder in ("runtime", "storage", "reads") for path in sources(f"games/{folder}")]
    return [*sorted((ROOT / "games").glob("*.py")), *around]


def runtime_codes() -> set[str]:
    """Codes of the modules around the rules: services, clock, log."""
    return {code for path in around_the_rules() for code in quotations(path)}


def quotations(path: Path) -> Iterator[str]:
    for node in nodes_of(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize("folder", [*(f"games/{game}/rules" for game in GAMES), "games/engine"])
def test_a_refusal_names_its_code_where_it_is_raised(folder: str) -> None:
    assert [refusal.place for refusal in refusals(folder) if not refusal.codes] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_code_that_a_game_refuses_with_stands_in_its_rulebook(game: str) -> None:
    assert codes_raised(f"games/{game}/rules") - codes_in(book(game)) == set()


@pytest.mark.parametrize("game", GAMES)
def test_every_code_of_a_rulebook_is_raised_by_the_game_or_by_the_engine(game: str) -> None:
    found = codes_in(book(game)) - codes_raised(f"games/{game}/rules")
    assert found - codes_raised("games/engine") - runtime_codes() == set()


def test_every_code_that_the_engine_refuses_with_stands_in_its_handbook_and_no_other() -> None:
    listed = codes_in((ROOT / ENGINE).read_text(encoding="utf-8").partition("The codes that the table refuses with")[2])
    assert codes_raised("games/engine") - listed == set()
    assert listed - codes_raised("games/engine") - runtime_codes() == set()


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_of_a_game_cites_a_rule(game: str) -> None:
    exempt = NOTHING_THERE | OF_THE_TABLE
    bare = [r for r in refusals(f"games/{game}/rules") if not r.is_cited and not set(r.codes) <= exempt]
    assert [(r.codes, r.place) for r in bare] == []


@pytest.mark.parametrize("game", GAMES)
def test_what_the_engine_refuses_for_a_game_cites_the_games_rule(game: str) -> None:
    carriers = [
        (path, call)
        for path in sources(f"games/{game}/rules")
        for name, call in calls(path)
        if name in CARRIERS or ast.unparse(call.func) in REQUIRE
    ]
    bare = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path, call in carriers
        if "rules" not in {k.arg for k in call.keywords}
    ]
    assert bare == []


@pytest.mark.parametrize("game", GAMES)
def test_every_event_and_every_command_of_a_game_cites_a_rule(game: str) -> None:
    """An event of the table (`TABLE`) cites what the command cites that it follows from, if anything."""
    ruleset = registry.ruleset(game)
    assert [e.__name__ for e in ruleset.own.events if not e.rules and e.cites is Event.cites] == []
    assert [c.__name__ for c in ruleset.own.commands if not c.rules] == []
    of_engine = {kind for members in ruleset.of_engine for kind in members.events}
    assert set(ruleset.events.values()) - set(ruleset.own.events) <= of_engine


def ids_of_the_contract() -> set[str]:
    return set(CONTRACT.findall((ROOT / ENGINE).read_text(encoding="utf-8")))


@cache
def known_ids() -> Mapping[str, set[str]]:
    """The ids that the source of a game may cite: those of its rulebook, and the engine's contract."""
    return {game: {*ids, *ids_of_the_contract()} for game, ids in rulebooks().items()}


@cache
def citation() -> re.Pattern[str]:
    """Everything that has the form of a whole rule id."""
    return re.compile(rf"\b(?:{'|'.join(map(prefix_of, rulebooks()))}|CF)-(?:[A-Z]+-)?\d+\b")


def citations(text: str) -> set[str]:
    """The rule ids that a text names."""
    return set(citation().findall(text))


@pytest.mark.parametrize("game", GAMES)
def test_every_id_that_the_source_of_a_game_names_is_a_rule_of_its_book(game: str) -> None:
    unknown = {}
    for path in [*sources(f"games/{game}"), *(ROOT / "games" / game / "pack").rglob("*.yaml")]:
        text = path.read_text(encoding="utf-8")
        short = {f"{prefix_of(game)}-{each}" for each in re.findall(r"(?<![\w-])AMB-\d+\b", text)}
        if wrong := (citations(text) | short) - known_ids()[game]:
            unknown[str(path.relative_to(ROOT))] = wrong
    assert unknown == {}


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_stands_in_the_code_that_keeps_it(game: str) -> None:
    """Who looks for a rule finds its code by its id. Examples and ambiguities belong to a rule that has one."""
    of_no_code = re.compile(r"-(?:EX|AMB)-\d+$|-W\d+$")
    found = {rule for path in sources(f"games/{game}") for rule in citations(path.read_text(encoding="utf-8"))}
    assert {rule for rule in rulebooks()[game] if not of_no_code.search(rule)} - found == set()


@pytest.mark.parametrize("game", GAMES)
def test_no_citation_lacks_the_prefix_of_its_book(game: str) -> None:
    known = known_ids()[game]
    bare = {
        (str(path.relative_to(ROOT)), text)
        for path in sources(f"games/{game}")
        for text in quotations(path)
        if text not in known and f"{prefix_of(game)}-{text}" in known
    }
    assert bare == set()


@pytest.mark.parametrize("game", GAMES)
def test_what_is_registered_cites_rules_that_exist_and_that_can_be_overruled(game: str) -> None:
    ruleset, known = registry.ruleset(game), known_ids()[game]
    for kind in (*ruleset.own.events, *ruleset.own.commands):
        assert set(kind.rules) <= known, kind.__name__
        for rule in kind.rules:
            Overrule(rule=rule, reason="As the table wishes.")
    for rule in rulebooks()[game]:
        Overrule(rule=rule, reason="As the table wishes.")


@pytest.mark.parametrize("game", GAMES)
def test_what_is_cited_can_be_read_through_the_apis(game: str) -> None:
    """A client refused under a rule finds its text; worked examples are cited by nobody."""
    served = [rule.id for rule in rules_of(game)]
    examples = re.compile(rf"{prefix_of(game)}-(EX-|W)\d+")
    assert len(served) == len(set(served))
    assert set(served) == {rule for rule in rulebooks()[game] if not examples.fullmatch(rule)}


def test_what_the_engine_and_the_handbooks_cite_exists() -> None:
    every = {rule for ids in known_ids().values() for rule in ids}
    pages = [
        *sources("games/engine"),
        *around_the_rules(),
        *(ROOT / "docs").rglob("*.md"),
        ROOT / "README.md",
    ]
    wrong = {str(p.relative_to(ROOT)): citations(p.read_text(encoding="utf-8")) - every for p in pages}
    assert {page: ids for page, ids in wrong.items() if ids} == {}
    of_engine = [kind for members in (TABLE, ARTIFACTS) for kind in (*members.events, *members.commands)]
    assert {rule for kind in of_engine for rule in kind.rules} <= ids_of_the_contract()
