"""The default pack is what the rulebook prints (sections 4.3 to 4.5): attributes, knowledges, features, roll tables.

Each cell is read and compared with the entry of the pack; nothing stands in one alone.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from games.gods2.rules.pack.operations import BY_NAME
from tests.rules.gods2.raw_packs import raw_pack
from tests.rules.gods2.test_tables_of_the_rulebook import BOOK, table_after

EFFECT = re.compile(r"^(?P<op>\w+)(?:\((?P<fields>.*)\))?(?: if (?P<asks>.+?))?(?: on (?P<on>\S+))?$")
PACK = raw_pack(1)
NONE = "-"


def value(text: str) -> Any:
    """A cell's value: a whole number, yes or no, or text."""
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    return {"true": True, "false": False}.get(text, text)


def entries_of(cell: str) -> list[str]:
    """The entries of a cell, separated by commas."""
    return [] if cell == NONE else [each.strip() for each in cell.split(",")]


def conditions_of(text: str) -> Iterator[dict[str, Any]]:
    """Conditions: `coastal`, `terrain:L and coastal`, `aggression_gte:4`; several values with a stroke."""
    for each in text.split(" and "):
        name, _, values = each.partition(":")
        found = [value(v) for v in values.split("/")] if values else [True]
        yield {name: found[0] if len(found) == 1 else found}


def effects(cell: str) -> list[dict[str, Any]]:
    """The effects of a cell: `stat_add(stat=wealth,amount=1) if feature:river on century_start; ...`."""
    found = []
    for text in [] if cell == NONE else cell.split("; "):
        read = EFFECT.match(text)
        assert read is not None and read["op"] in BY_NAME, text
        effect: dict[str, Any] = {"op": read["op"]}
        effect |= {k: value(v) for k, _, v in (f.partition("=") for f in (read["fields"] or "").split(",")) if k}
        if read["asks"]:
            effect["if"] = list(conditions_of(read["asks"]))
        if read["on"]:
            effect["on"] = read["on"]
        found.append(effect)
    return found


def plain(given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Effects of the pack in the same words: conditions of one value as that value."""
    lines = []
    for effect in given:
        conditions = [
            {name: v[0] if isinstance(v, list) and len(v) == 1 else v for name, v in condition.items()}
            for condition in effect.get("if", ())
        ]
        lines.append({**effect, **({"if": conditions} if conditions else {})})
    return lines


def entry(part: str, key: str) -> dict[str, Any]:
    found: dict[str, Any] = next(e for e in PACK[part] if e["id"] == key)
    return found


ATTRIBUTES, KNOWLEDGES, FEATURES = (table_after(f"## {n}") for n in ("4.3 Attr", "4.4 Know", "4.5 Terr"))
ROLLS = table_after("A landmark is for names")


@pytest.mark.parametrize("row", ATTRIBUTES, ids=lambda row: row[0])
def test_an_attribute_is_as_it_is_printed(row: list[str]) -> None:
    key, name, cost, origin, does = row
    here = entry("attributes", key)
    assert (here["name"], here["cost"], here["origin"]) == (name, int(cost), origin)
    assert plain(here["effects"]) == effects(does)


@pytest.mark.parametrize("row", KNOWLEDGES, ids=lambda row: row[0])
def test_a_knowledge_is_as_it_is_printed(row: list[str]) -> None:
    key, name, code, tier, needs, asks, origin, does = row
    here = entry("knowledges", key)
    assert (here["name"], here["code"], here["tier"], here["origin"]) == (name, code, int(tier), origin)
    assert sorted(here["prereqs"]) == sorted(entries_of(needs))
    assert here.get("requires", []) == ([] if asks == NONE else list(conditions_of(asks)))
    assert plain(here["effects"]) == effects(does)


@pytest.mark.parametrize("row", FEATURES, ids=lambda row: row[0])
def test_a_feature_is_as_it_is_printed(row: list[str]) -> None:
    key, name, code, terrains, origin, does = row
    here = entry("features", key)
    assert (here["name"], here["code"], here["terrains"], here["origin"]) == (name, code, entries_of(terrains), origin)
    assert plain(here["effects"]) == effects(does)


@pytest.mark.parametrize("row", ROLLS, ids=lambda row: f"{row[0]} {row[3]}")
def test_a_row_of_a_roll_table_is_as_it_is_printed(row: list[str]) -> None:
    key, die, codes, numbers, does = row
    here = entry("tables", key)
    first, _, last = numbers.partition("-")
    assert (here["die"], here.get("codes", [])) == (int(die.removeprefix("d")), entries_of(codes))
    (found,) = [r for r in here["rows"] if r["from"] == int(first)]
    assert found["to"] == int(last or first) and plain(found["effects"]) == effects(does)


def test_nothing_stands_in_the_pack_alone() -> None:
    printed = (("attributes", ATTRIBUTES), ("knowledges", KNOWLEDGES), ("features", FEATURES))
    for part, rows in printed:
        assert [e["id"] for e in PACK[part]] == [row[0] for row in rows]
    assert {e["id"]: len(e["rows"]) for e in PACK["tables"]} == {
        key: sum(row[0] == key for row in ROLLS) for key in dict.fromkeys(row[0] for row in ROLLS)
    }


def test_every_operation_of_the_book_is_known_with_its_fields() -> None:
    for op, fields, _ in table_after("## 4.2 Operations"):
        model = BY_NAME[op.strip("`")]
        names = {info.alias or name for name, info in model.model_fields.items()} - {"op", "if", "on", "duration"}
        assert names == set(entries_of(fields)), op
    assert len(table_after("## 4.2 Operations")) == len(BY_NAME) == 45
    assert "## 4.2 Operations (45)" in BOOK
