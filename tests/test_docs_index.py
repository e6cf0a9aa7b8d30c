"""The index leads to what exists, every decision is listed, and the chart of the architecture is the code's."""

import re
from pathlib import Path

from tools import architecture

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"


def test_the_index_names_every_page_and_no_other() -> None:
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    named = {name for name in re.findall(r"`([\w/.-]+\.md)`", text) if "<" not in name}
    pages = {str(path.relative_to(ROOT)) for path in (*DOCS.glob("*.md"), *DOCS.glob("games/*.md"))}
    assert pages - {"docs/index.md"} <= named
    assert {name for name in named if not (ROOT / name).is_file()} == set()


def test_every_decision_is_listed_with_its_title() -> None:
    listed = (DOCS / "adr" / "README.md").read_text(encoding="utf-8")
    for path in sorted((DOCS / "adr").glob("0*.md")):
        number, _, title = path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ").partition(". ")
        assert f"| {number} | [{title}]({path.name}) |" in listed
        assert int(number) == int(path.name[:4])


def test_a_decision_that_is_changed_names_later_ones_below_its_title() -> None:
    pages = {int(path.name[:4]): path.read_text(encoding="utf-8") for path in (DOCS / "adr").glob("0*.md")}
    heads = {number: text.partition("\n\n**")[0] for number, text in pages.items()}
    changed = {
        number: re.findall(r"^\*Decision (\d+) changes this: .+[.]\*$", text, re.M) for number, text in heads.items()
    }
    assert changed[63] == ["77"]
    for number, later in changed.items():
        assert all(int(other) in pages and int(other) > number for other in later), f"decision {number}"
        assert pages[number].count(" changes this: ") == len(later), f"decision {number}"


def test_the_chart_of_the_architecture_is_that_of_the_code() -> None:
    text = architecture.PAGE.read_text(encoding="utf-8")
    assert architecture.page(text) == text, "python tools/architecture.py draws it anew"


def test_a_module_belongs_to_the_longest_part_that_fits() -> None:
    parts = {
        name: architecture.part_of(name)
        for name in ("api.rest.views", "api.common", "games.dawn.rules.war.events.odds")
    }
    assert list(parts.values()) == ["api.rest", "api", "games.GAME.rules"]
