"""Type and space of all pages have the lengths of one stylesheet (no database)."""

import re
from pathlib import Path

import pytest

SHEETS = Path(__file__).parents[2] / "api" / "pages" / "static" / "pages"
TYPE, SPACE = (14, 16, 20, 28, 44, 72), (4, 8, 12, 16, 24, 40)
DECLARED = re.compile(r"(?<![\w-])(font(?:-size)?|(?:margin|padding)(?:-[a-z]+)?|(?:row-|column-)?gap):([^;{}]+)")
OF_TYPE = re.compile(r"var\(--type-\d+\)")
OF_SPACE = re.compile(r"calc\(-1 \* var\(--space-\d+\)\)|var\(--space-\d+\)")
A_LENGTH = re.compile(r"[\d.]+(?:px|r?em|v[hw]|%|pt|ch)")


def faults_of(css: str) -> list[str]:
    """The declarations of type and space whose lengths are none of the tokens."""
    found = []
    for name, value in DECLARED.findall(css):
        allowed = OF_TYPE if name.startswith("font") else OF_SPACE
        if A_LENGTH.search(allowed.sub("", value).replace("100%", "")) or "calc(" in allowed.sub("", value):
            found.append(f"{name}:{value}")
    return found


@pytest.mark.parametrize("sheet", sorted(path.name for path in SHEETS.glob("*.css")))
def test_every_length_of_type_and_space_is_a_token(sheet):
    css = (SHEETS / sheet).read_text()
    assert faults_of(css) == []
    used = {(kind, int(size)) for kind, size in re.findall(r"var\(--(type|space)-(\d+)\)", css)}
    assert used <= {*(("type", size) for size in TYPE), *(("space", size) for size in SPACE)}


def test_a_length_of_its_own_is_found():
    css = "p { padding: .3rem var(--space-4); font: 600 1.2em/1 serif; gap: calc(2 * var(--space-8)); }"
    assert faults_of(css) == [
        "padding: .3rem var(--space-4)", "font: 600 1.2em/1 serif", "gap: calc(2 * var(--space-8))",
    ]  # fmt: skip
    assert faults_of("p { margin: 0 auto calc(-1 * var(--space-8)); font: 600 var(--type-16)/1.2 serif; }") == []


def test_the_tokens_are_declared_once_and_the_smallest_of_a_screen_is_26_pixels_at_1080():
    css = (SHEETS / "tokens.css").read_text()
    declared = [
        (kind, int(name), int(size)) for kind, name, size in re.findall(r"--(type|space)-(\d+): calc\((\d+)", css)
    ]
    assert declared == [*(("type", n, n) for n in TYPE), *(("space", n, n) for n in SPACE)]
    high, wide = map(float, re.search(r"min\(([\d.]+)vh, ([\d.]+)vw\)", css).groups())
    assert min(high * 10.80, wide * 19.20) * 16 >= 26 - 0.05
    show = (SHEETS / "show.css").read_text()
    of_screens = [line for line in show.splitlines() if line.startswith((".screen", "#recap"))]
    assert of_screens and not [line for line in of_screens if "--type-14" in line and "::after" not in line]
