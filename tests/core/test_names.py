"""Names: stored composed, the same where they look the same, refused where they hide something or show nothing."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.names import comparable, is_among, is_same_name, name_to_store

ROOT = Path(__file__).resolve().parents[2]
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
SAME = [
    ("case", "Ann", "ANN"),
    ("case that folds to two letters", "Stra\u00dfe", "STRASSE"),
    ("composed and not", "Zo\u00eb", "Zoe\u0308"),
    ("full width", "Ann", "\uff21\uff4e\uff4e"),
    ("a ligature", "Griffin", "Gri\ufb03n"),
    ("a space without width", "Ann", "A\u200bnn"),
    ("a soft hyphen", "Ann", "An\u00adn"),
    ("a word joiner", "Ann", "\u2060Ann"),
    ("a byte-order mark", "Ann", "Ann\ufeff"),
    ("a direction mark", "Ann", "Ann\u200e"),
    ("a filler", "Ann", "An\u3164n"),
    ("a combining joiner", "Ann", "A\u034fnn"),
    ("a variation selector", "\u2764", "\u2764\ufe0f"),
    ("a tag", "Ann", "Ann\U000e0041"),
    ("other spaces", "Old Ann", "Old\u00a0\u2003Ann"),
    (
        "Greek with two sigmas",
        "\u039f\u03b4\u03c5\u03c3\u03c3\u03b5\u03cd\u03c2",
        "\u039f\u0394\u03a5\u03a3\u03a3\u0395\u038e\u03a3",
    ),
]
NONE = [
    ("a control", "A\x07nn"),
    ("a line", "Ann\nBob"),
    ("a separator of lines", "Ann\u2028Bob"),
    ("a control of Latin 1", "Ann\x85"),
    ("an override", "Ann\u202enna"),
    ("an embedding", "\u202aAnn"),
    ("an isolate", "\u2066Ann\u2069"),
    ("half a character", "Ann\ud800"),
    ("spaces", "\u2003\u00a0"),
    ("a joiner alone", "\u200d"),
    ("a filler alone", "\u3164"),
    ("an empty cell", "\u2800"),
    ("a mark alone", "\ufeff"),
    ("nothing", ""),
]


@pytest.mark.parametrize(("_case", "one", "other"), SAME)
def test_names_that_look_the_same_are_the_same(_case: str, one: str, other: str) -> None:
    assert is_same_name(one, other) and is_among(other, ["Zeus", one])
    assert name_to_store(one) and name_to_store(other)


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anne"), ("Ann", "\u0391nn"), ("Zoe", "Zo\u00eb"), ("A B", "AB")])
def test_other_names_are_others(one: str, other: str) -> None:
    assert not is_same_name(one, other) and not is_among(one, [other])


@pytest.mark.parametrize(("_case", "name"), NONE)
def test_what_is_no_name(_case: str, name: str) -> None:
    with pytest.raises(ValueError, match=r"^A name .+\.$"):
        name_to_store(name)


PERSIAN, HINDI = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0915\u094d\u200d\u0937"


@pytest.mark.parametrize("name", [FAMILY, PERSIAN, HINDI, "\u2764\ufe0f", "O\u2019Neill", "\u05d0\u200e"])
def test_what_scripts_and_emoji_need_stays(name: str) -> None:
    assert name_to_store(name) == name


def test_a_name_is_stored_composed_and_no_longer_than_its_column() -> None:
    assert name_to_store("Zoe\u0308") == "Zo\u00eb"
    assert name_to_store("\ufb2c" * 20, 80) == "\u05e9\u05bc\u05c1" * 20
    with pytest.raises(ValueError, match="at most 80 characters"):
        name_to_store("\ufb2c" * 80, 80)


@given(st.text(max_size=12), st.text(max_size=12))
def test_comparing_is_stable(one: str, other: str) -> None:
    assert comparable(comparable(one)) == comparable(one)
    assert is_same_name(one, other) == is_same_name(other, one)
    try:
        stored = name_to_store(one)
    except ValueError:
        return
    assert name_to_store(stored) == stored and is_same_name(stored, one)


def test_no_ruleset_compares_names_in_its_own_way() -> None:
    """Whether a name is taken is said by `core.names` alone."""
    folded = r"[\w.]*name\.(casefold|lower|upper)\(\)"
    own = re.compile(rf"{folded}\s*(==|!=|in|not in|for)\b|(==|!=|\bin)\s*{folded}|{folded} ==")
    assert own.search("if any(s.name.casefold() == name.casefold() for s in seats)")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for folder in ("games", "accounts", "worlds")
        for path in (ROOT / folder).rglob("*.py")
        if "migrations" not in path.parts
        for line in path.read_text().splitlines()
        if own.search(line) and "username" not in line
    ]
    assert found == []
