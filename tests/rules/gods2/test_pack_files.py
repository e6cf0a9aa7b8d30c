"""Bad packs in files: each mistake is reported with its entry, its field, and the file and line where it stands."""

import re
from pathlib import Path

import pytest

from games.engine.errors import Refused
from games.gods2 import pack as packs
from games.gods2.rules.mana.counts import COUNTERS
from games.gods2.rules.pack.entries import PARTS
from games.gods2.rules.pack.schema_types import COUNTED
from games.gods2.rules.state.mana_sources import COUNTED_AS_EVENTS

HOUSE = packs.HOME / "v1"
RULES = Path(packs.__file__).parents[1] / "rules"


def spoil(home: Path, part: str, was: str, becomes: str) -> tuple[Refused, int]:
    """The refusal of the house's pack with one text replaced, and the line where the new text begins."""
    folder = home / "v1"
    folder.mkdir()
    for name in PARTS:
        (folder / f"{name}.yaml").write_text((HOUSE / f"{name}.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    text = (folder / f"{part}.yaml").read_text(encoding="utf-8")
    at = text.index(was)
    (folder / f"{part}.yaml").write_text(text[:at] + becomes + text[at + len(was) :], encoding="utf-8")
    with pytest.raises(Refused) as caught:
        packs.load(1, home)
    assert caught.value.code == "pack.invalid"
    return caught.value, text[:at].count("\n") + 1


MISTAKES = {
    "an unknown operation": ("attributes", "{op: limit_add, terrain: D", "{op: smite", "no operation smite"),
    "an unknown field of an operation": ("attributes", "{op: limit_add, terrain: D", "{op: limit_add, land: D", "land"),
    "an unknown field of an entry": ("attributes", "origin: public", "source: public", "source"),
    "a resistance without effect": ("attributes", "code: F-1", "code: F-0", "F-0"),
    "a resistance of no element": ("attributes", "code: F-1", "code: Q/2", "Q/2"),
    "a resistance that divides by one": ("attributes", "code: F-1", "code: F/1", "F/1"),
    "a number that is none": ("attributes", "cost: 3", "cost: many", "many"),
    "a power of no code": ("powers", "codes: [X]", "codes: [Q]", "'Q'"),
    "a power of no target": ("powers", "target: race\n", "target: moon\n", "moon"),
    "a cost that cannot be worked out": ("powers", "cost: 10\n", "cost: 2*moons\n", "2*moons"),
    "a cost below nothing": ("powers", "cost: 10\n", "cost: -1\n", "0 or more"),
    "a duration of no kind": ("powers", "cost_kind: fixed\n", "duration: Q/2\n", "Q/2"),
    "a condition of no name": ("powers", "requires: [{worships: caster}]", "requires: [{adores: caster}]", "adores"),
    "a condition with a letter of no terrain": (
        "powers", "requires: [{worships: caster}]", "requires: [{terrain: Q}]", "not Q",
    ),
    "a condition compared with words": (
        "powers", "requires: [{worships: caster}]", "requires: [{wealth_gte: much}]", "whole number",
    ),
    "a prerequisite that is not there": ("knowledges", "prereqs: []", "prereqs: [moonwalk]", "no knowledge moonwalk"),
    "a wrong tier": ("knowledges", "tier: 1", "tier: 2", "its tier is 1"),
    "a factor as a float": ("mana_sources", 'factor: "0.04"', "factor: 0.04", "quotation marks"),
    "a factor of five places": ("mana_sources", 'factor: "0.04"', 'factor: "0.04001"', "decimal places"),
    "a counter of no kind": ("mana_sources", "counter: worshippers", "counter: tears", "nothing counts tears"),
    "a counter without its number": ("mana_sources", "counter: worshippers", "counter: race_reaches", "whole number"),
    "a sphere of no name": ("mana_sources", "sphere: FE", "sphere: ZZ", "no sphere ZZ"),
    "a row beside the die": ("tables", "to: 6", "to: 7", "from 1 to 6"),
    "a key twice in an entry": ("attributes", "cost: 3", "cost: 3\n  cost: 4", "cost stands twice"),
    "an entry twice": ("attributes", "id: survivor_race", "id: desert_race", "stands twice"),
    "a reference": ("attributes", "name: Desert Race", "name: &a Desert Race\n  origin: *a", "no references"),
    "no YAML": ("attributes", "name: Desert Race", "name: [Desert Race", ""),
}  # fmt: skip
CALLED = re.compile(r'count_event\(\s*state,\s*f?"([a-z_]+)')
LATER_LINE = {"a key twice in an entry", "a reference"}


@pytest.mark.parametrize("_case", MISTAKES)
def test_a_mistake_is_reported_with_file_and_line(_case: str, tmp_path: Path) -> None:
    part, was, becomes, message = MISTAKES[_case]
    wrong, line = spoil(tmp_path, part, was, becomes)
    assert message in wrong.message
    if _case == "no YAML":
        assert str(wrong.facts["line"]).startswith("v1/attributes.yaml:")
    elif _case == "a row beside the die":
        assert str(wrong.facts["line"]).startswith("v1/tables.yaml:")
    else:
        assert wrong.facts["line"] == f"v1/{part}.yaml:{line + (_case in LATER_LINE)}"
    assert wrong.message.startswith(f"{wrong.facts['line']}: ")


@pytest.mark.rule("G2-FILT-1")
@pytest.mark.parametrize(
    "effect",
    [
        "{op: strip, filter: Q}",
        "{op: strip, filter: Bz}",
        "{op: strip, filter: Mcp}",
        "{op: cost_mult, filter: Kx, factor: 50}",
        "{op: protect, against: Hw}",
        "{op: protect, against: 'forget:B'}",
        "{op: turn_off, filter: other}",
        "{op: grow, pct: 5, on: 'power_priced:Z'}",
        "{op: grow, pct: 5, on: 'disaster_hit:plague'}",
        "{op: learn, random: B}",
    ],
)
def test_a_filter_names_existing_codes(effect: str, tmp_path: Path) -> None:
    wrong, line = spoil(tmp_path, "attributes", "{op: resist, code: F-1}", effect)
    assert wrong.facts["line"] == f"v1/attributes.yaml:{line}"
    assert "desert_race" in wrong.message


@pytest.mark.rule("G2-KNOW-7")
def test_a_circle_is_reported_for_each_knowledge_in_it_and_for_no_other(tmp_path: Path) -> None:
    text = (HOUSE / "knowledges.yaml").read_text(encoding="utf-8")
    first = text[text.index("- id: fire_keeping") : text.index("- id: toolmaking")]
    needing = next(e["id"] for e in packs.entries(1)[0]["knowledges"] if e["prereqs"] == ["fire_keeping"])
    wrong, _ = spoil(tmp_path, "knowledges", first, first.replace("prereqs: []", f"prereqs: [{needing}]"))
    rows = [f for f in wrong.facts["findings"] if "circle" in f]  # type: ignore[attr-defined]
    assert len(rows) == 2 and all("fire_keeping at" in f or f"{needing} at" in f for f in rows)
    assert wrong.facts["line"] == "v1/knowledges.yaml:7"


def test_all_mistakes_are_reported_at_once(tmp_path: Path) -> None:
    wrong, _ = spoil(tmp_path, "attributes", "{op: resist, code: F-1}", "{op: smite}\n  - {op: resist, code: F-0}")
    assert len(wrong.facts["findings"]) == 2  # type: ignore[arg-type]


def test_a_part_that_is_missing_or_unknown_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "v1"
    folder.mkdir()
    (folder / "spheres.yml").write_text("- id: FE\n")
    with pytest.raises(Refused) as caught:
        packs.load(1, tmp_path)
    assert caught.value.facts["line"] == "v1/spheres.yaml"
    (folder / "magic.yaml").write_text("- id: FE\n")
    with pytest.raises(Refused) as caught:
        packs.entries(1, tmp_path)
    assert caught.value.facts["line"] == "v1/magic.yaml:1"


def test_what_may_be_counted_is_what_the_rules_count() -> None:
    called = {word for file in RULES.rglob("*.py") for word in CALLED.findall(file.read_text(encoding="utf-8"))}
    found = {"worshippers", "deaths", "race_reaches", *COUNTERS, *COUNTED_AS_EVENTS} | called
    assert found == COUNTED


def test_a_piece_is_written_as_a_person_writes_it_and_read_again() -> None:
    for part in PARTS:
        for entry in packs.entries(1)[0][part]:
            for value in entry.values():
                assert packs.parse_piece(packs.write_piece(value)) == value


@pytest.mark.parametrize("text", ["[" * 5000, "!!binary aGk=", "[2020-01-01, .nan]", "&a [*a]", "a: 1\na: 2", "{1: 2}"])
def test_a_piece_that_is_no_plain_data_is_refused_with_a_message(text: str) -> None:
    with pytest.raises(ValueError, match=r"line 1|line 2|cannot be read|not JSON"):
        packs.parse_piece(text)
