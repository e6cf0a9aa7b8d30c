"""Figures: what misses its aim stands first, with its reason; a figure in prose is one of the table."""

import re
from pathlib import Path

import pytest

from api.streams.handshake import IN_ALL
from bench import all as bench_all
from bench.figures import Figure, missed_aims, report

DOCS = Path(__file__).resolve().parent.parent / "docs"
FIGURE = re.compile(r"\d[\d.,]* ?(?:ms|MB|kB|KB|GB|TB|/s|s|%|commits/s|statements|bytes)(?![\w/])")
"""A number with a unit."""


def measured() -> tuple[str, str]:
    """The page of figures: what programs wrote into it, and the rest."""
    before, _, rest = (DOCS / "performance.md").read_text().partition(bench_all.BEGIN)
    block, mark, after = rest.partition(bench_all.END)
    assert mark
    return block, before + after


def rows(block: str, head: str) -> list[list[str]]:
    """The cells of the table whose first column has this head."""
    lines = block.partition(f"| {head} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line[1:-1].split(" | ")] for line in lines]


def test_what_misses_its_aim_is_reported_first_with_the_reason() -> None:
    figures = [
        Figure("commands", "758/s", "1662 commits/s", ratio=0.46, aim=0.6, reason="Python"),
        Figure("memory", "410 MB", value=410, aim=450, unit=" MB", most=True, reason="never read"),
    ]

    assert report(figures).splitlines() == [
        "| aim missed | measured | beside it | ratio | aim | why |",
        "| --- | --- | --- | --- | --- | --- |",
        "| commands | 758/s | 1662 commits/s | 0.46 | at least 0.6 | Python |",
        "",
        "| what | measured | beside it | ratio | aim | met |",
        "| --- | --- | --- | --- | --- | --- |",
        "| commands | 758/s | 1662 commits/s | 0.46 | at least 0.6 | no |",
        "| memory | 410 MB |  |  | at most 450 MB | yes |",
    ]
    assert missed_aims(figures) == ["commands: 1662 commits/s; the aim is at least 0.6 (Python)"]
    assert report(figures[1:]).startswith("Every aim is met.\n\n| what |")


def test_the_page_of_figures_begins_with_the_aims_that_are_missed() -> None:
    block, _ = measured()
    missed = rows(block, "aim missed")

    assert [row[:5] for row in missed] == [row[:5] for row in rows(block, "what") if row[5] == "no"]
    assert missed and all(row[5] for row in missed)
    assert block.index("| aim missed |") < block.index("| what |")


def test_the_page_says_what_each_program_does() -> None:
    table = measured()[1].partition("| program | what it does |")[2].partition("\n\n")[0]

    assert set(re.findall(r"`(\w+)\.py`", table)) == set(bench_all.PROGRAMS)


def test_no_row_stands_twice() -> None:
    names = [row[0] for row in rows(measured()[0], "what")]

    assert len(names) > 50
    assert sorted({name for name in names if names.count(name) > 1}) == []


@pytest.mark.parametrize("page", ["performance.md", "scaling.md"])
def test_a_figure_in_prose_is_one_of_the_table(page: str) -> None:
    block, prose = measured()
    if page != "performance.md":
        prose = (DOCS / page).read_text()
    found = FIGURE.findall(re.sub(r"`[^`]*`|^    .*$", "", prose, flags=re.M))

    assert found
    assert [figure for figure in found if figure not in block] == []


def test_each_cost_is_that_of_the_row_which_it_names() -> None:
    known = {row[0]: " | ".join(row) for row in rows(measured()[0], "what")}
    costs = rows((DOCS / "scaling.md").read_text(), "thing")

    assert len(costs) > 5
    for thing, cost, row in costs:
        assert cost in known[row], thing


def test_the_streams_of_a_process_are_as_many_as_it_takes() -> None:
    assert f"{IN_ALL:,} streams a process" in (DOCS / "scaling.md").read_text()
