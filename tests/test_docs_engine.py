"""The page for authors of rulesets: its game is built, played and replayed, and `new_ruleset` writes it."""

import ast
import json
import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.management.commands.new_ruleset import MODEL, PAGE, files_of
from tests.migrated import ROOT, copy_database
from tools.pending_rules import clauses_of

TEXT = (ROOT / PAGE).read_text(encoding="utf-8")
FILES = files_of(TEXT)


def written(folder: Path, name: str) -> dict[str, str]:
    """What `new_ruleset` writes into a folder, by path; what it says stands under the empty path."""
    said = StringIO()
    call_command("new_ruleset", name, into=folder, stdout=said)
    found = {str(path.relative_to(folder)): path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()}
    return {**found, "": said.getvalue()}


def test_the_game_of_the_page_is_built_opened_played_and_replayed_as_the_page_says(tmp_path: Path) -> None:
    """In a process of its own, with nothing but REST loaded: which games there are is settled when Django begins."""
    made = written(tmp_path, MODEL)
    assert {path: text for path, text in made.items() if path} == FILES
    with copy_database(tmp_path) as environment:
        settings = {"FIRST_RULESET": str(tmp_path), "DJANGO_SETTINGS_MODULE": "tests.first_ruleset.settings"}
        done = subprocess.run(
            [sys.executable, "-m", "tests.first_ruleset"],
            cwd=ROOT, env={**environment, **settings}, capture_output=True, text=True, timeout=600,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    told = json.loads(done.stdout.splitlines()[-1])

    assert told["tests"] == re.findall(r"^def (test_\w+)", "".join(FILES.values()), re.M)
    assert len(told["requests"]) == TEXT.count("curl -s")
    assert told["quotes"] == TEXT.count("\n```json\n") > 5
    assert told["status"] == "finished"


def test_the_files_of_the_page_are_as_the_code_of_the_games_is() -> None:
    sources = {path: text for path, text in FILES.items() if path.endswith(".py")}

    assert len(sources) > 7
    for path, text in sources.items():
        assert ast.get_docstring(ast.parse(text, path)), path
        assert [line for line in text.splitlines() if len(line) > 120] == []


def test_each_rule_of_the_game_is_cited_by_its_code_and_named_by_its_tests() -> None:
    clauses = clauses_of(MODEL, FILES[f"games/{MODEL}/rulebook.md"])
    assert set(clauses.values()) == {1}, "a rule has no more clauses than tests that name it"
    for folder in (f"games/{MODEL}/rules/", f"tests/rules/{MODEL}/"):
        text = "".join(text for path, text in FILES.items() if path.startswith(folder))
        assert sorted(set(re.findall(r"\bLA-[A-Z]+-\d+\b", text))) == list(clauses)


def test_new_ruleset_writes_the_files_of_the_page_under_another_name_and_says_what_comes_next(tmp_path: Path) -> None:
    made = written(tmp_path, "tideline")
    said = made.pop("")

    assert list(made) and sorted(made) == sorted(path.replace(MODEL, "tideline") for path in FILES)
    assert [path for path, text in made.items() if re.search(rf"{MODEL}|\\bLA-", path + text, re.I)] == []
    assert '    slug="tideline",\n    title="Tideline",\n' in made["games/tideline/rules/__init__.py"]
    assert "- **TI-DAY-1** " in made["games/tideline/rulebook.md"]
    for path in made:
        assert path in said.splitlines()
    for step in ('"games.tideline"', "tests/rules/tideline", "makemigrations tideline", str(PAGE)):
        assert step in said


@pytest.mark.parametrize(
    ("_case", "name", "words"),
    [
        ("an upper-case letter", "Tide", "lower-case letters and digits"),
        ("a path", "../tide", "lower-case letters and digits"),
        ("a dash", "high-tide", "lower-case letters and digits"),
        ("a digit first", "2tides", "a letter first"),
        ("a word of Python", "class", "no word of Python"),
        ("a game that is there", "dawn", "games/dawn exists already"),
        ("a part of the code", "engine", "games/engine exists already"),
        ("an app of the service", "worlds", "uses the name worlds itself"),
        ("an address of the service", "tokens", "uses the name tokens itself"),
        ("what every game has", "core", "uses the name core itself"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused_in_words_and_nothing_is_written(
    _case: str, name: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(CommandError, match=re.escape(words)):
        written(tmp_path, name)
    assert os.listdir(tmp_path) == []


def test_a_folder_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    kept = tmp_path / "tests" / "rules" / "tideline" / "test_mine.py"
    kept.parent.mkdir(parents=True)
    kept.write_text("mine")
    with pytest.raises(CommandError, match="tests/rules/tideline exists already; take another name"):
        written(tmp_path, "tideline")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [kept]
