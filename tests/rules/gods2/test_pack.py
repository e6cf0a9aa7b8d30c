"""The data pack: what is in it, and what is refused when it is built."""

import json
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from games.engine.errors import Refused
from games.gods2 import pack as packs
from games.gods2.rules.pack.operations import BY_NAME, OPERATIONS
from games.gods2.rules.pack.pack import PARTS, Pack, build, effects_of

HOME = Path(packs.__file__).parent / "v1"


@pytest.fixture(scope="module")
def pack() -> Pack:
    return packs.load(1)


@pytest.fixture
def raw() -> dict[str, list[dict[str, Any]]]:
    return packs.entries(1)[0]


def invalid(raw: Mapping[str, Any]) -> Refused:
    with pytest.raises(Refused) as caught:
        build(2, raw)
    assert caught.value.code == "pack.invalid"
    return caught.value


def entry(raw: Mapping[str, Any], part: str, key: str) -> dict[str, Any]:
    found: dict[str, Any] = next(e for e in raw[part] if e["id"] == key)
    return found


def test_the_default_pack_has_247_entries(pack: Pack) -> None:
    counts = {part: len(getattr(pack, part)) for part in PARTS}
    assert counts == {
        "spheres": 15,
        "attributes": 20,
        "knowledges": 36,
        "features": 28,
        "powers": 106,
        "mana_sources": 52,
        "tables": 5,
    }
    assert sum(counts.values()) - counts["spheres"] == 247


def test_45_operations_are_known(pack: Pack) -> None:
    assert len(OPERATIONS) == len(BY_NAME) == 45
    assert all(type(effect) in OPERATIONS for _, effect in effects_of(pack))


def test_the_library_holds_every_version_once() -> None:
    assert packs.pack_files() is packs.pack_files()
    assert packs.pack_files()[1] is packs.load(1)


def test_the_digest_is_of_the_data(raw: dict[str, list[dict[str, Any]]], pack: Pack) -> None:
    assert build(1, raw).digest == pack.digest
    entry(raw, "powers", "flood")["cost"] = 5
    assert build(1, raw).digest != pack.digest


def test_a_pack_survives_json(raw: dict[str, list[dict[str, Any]]], pack: Pack) -> None:
    assert build(1, json.loads(json.dumps(raw))) == pack


@pytest.mark.rule("G2-W67", "G2-KNOW-7")
@pytest.mark.parametrize(
    ("knowledge", "sphere", "level", "cost"),
    [
        ("tribal_law", "CW", 1, 3),
        ("metalworking", "CK", 3, 9),
        ("pottery", "CK", 2, 6),
        ("desert_survival", "NA", 1, 3),
        ("navigation", "CK", 5, 18),
        ("explosives", "WA", 5, 18),
    ],
)
def test_each_knowledge_has_a_power_that_teaches_it(
    pack: Pack, knowledge: str, sphere: str, level: int, cost: int
) -> None:
    assert all(pack.teachers.values())
    power = pack.powers[pack.teachers[knowledge][0]]
    assert (power.sphere, power.level, power.cost) == (sphere, level, cost)


@pytest.mark.rule("G2-KNOW-6")
def test_the_codes_of_knowledges_are_the_five(pack: Pack) -> None:
    assert {k.code for k in pack.knowledges.values()} == {"K", "Kc", "Ke", "Km", "Ks"}


@pytest.mark.rule("G2-KNOW-7")
def test_a_knowledge_without_a_teaching_power_is_refused(raw: dict[str, list[dict[str, Any]]]) -> None:
    raw["powers"] = [p for p in raw["powers"] if p["id"] != "teach_writing"]
    assert invalid(raw).facts["entry"] == "knowledges/writing"


@pytest.mark.rule("G2-KNOW-7")
def test_a_circle_of_prerequisites_is_refused(raw: dict[str, list[dict[str, Any]]]) -> None:
    entry(raw, "knowledges", "toolmaking")["prereqs"] = ["navigation"]
    assert "circle" in invalid(raw).message


def test_unknown_operations_and_fields_are_refused(raw: dict[str, list[dict[str, Any]]]) -> None:
    broken = deepcopy(raw)
    entry(broken, "powers", "flood")["effects"] = [{"op": "smite"}]
    assert invalid(broken).facts["entry"] == "powers/flood"
    broken = deepcopy(raw)
    entry(broken, "attributes", "warlike")["effects"][0]["strength"] = 3
    assert invalid(broken).facts["entry"] == "attributes/warlike"


def test_amounts_are_whole_numbers(raw: dict[str, list[dict[str, Any]]]) -> None:
    entry(raw, "attributes", "warlike")["effects"][0]["amount"] = 1.5
    assert invalid(raw).facts["entry"] == "attributes/warlike"


def test_references_must_exist(raw: dict[str, list[dict[str, Any]]]) -> None:
    for part, key, effect in (
        ("powers", "fertile_soil", {"op": "feature_add", "feature": "nowhere", "scope": "target"}),
        ("features", "hot_spot", {"op": "roll", "die": 6, "table": "nothing"}),
        ("knowledges", "bridge_building", {"op": "passable", "what": "river_x", "for": "race", "allow": True}),
        ("powers", "judgment", {"op": "grow", "pct": 1, "if": [{"knows": "nothing"}]}),
    ):
        broken = deepcopy(raw)
        entry(broken, part, key)["effects"] = [effect]
        assert invalid(broken).facts["entry"] == f"{part}/{key}"


def test_an_id_stands_once(raw: dict[str, list[dict[str, Any]]]) -> None:
    raw["attributes"].append(raw["attributes"][0])
    assert "twice" in invalid(raw).message


def test_a_number_cannot_depend_on_itself(raw: dict[str, list[dict[str, Any]]]) -> None:
    effect = {"op": "stat_add", "stat": "wealth", "amount": 1, "if": [{"wealth_gte": 3}]}
    entry(raw, "attributes", "greedy")["effects"] = [effect]
    assert invalid(raw).facts["entry"] == "attributes/greedy"


def test_resistance_codes_must_parse(raw: dict[str, list[dict[str, Any]]]) -> None:
    entry(raw, "attributes", "fireborn")["effects"] = [{"op": "resist", "code": "F/1"}]
    assert invalid(raw).facts["entry"] == "attributes/fireborn"


def test_every_greater_sphere_has_five_levels(raw: dict[str, list[dict[str, Any]]]) -> None:
    raw["powers"] = [p for p in raw["powers"] if p["id"] != "great_deluge"]
    assert invalid(raw).facts["entry"] == "spheres/SE"


def test_the_loader_names_file_and_line(tmp_path: Path) -> None:
    folder = tmp_path / "v1"
    folder.mkdir()
    for part in PARTS:
        (folder / f"{part}.yaml").write_text((HOME / f"{part}.yaml").read_text())
    text = (folder / "attributes.yaml").read_text()
    (folder / "attributes.yaml").write_text(text.replace("cost: 4", "cost: many", 1))
    with pytest.raises(Refused) as caught:
        packs.load(1, tmp_path)
    assert caught.value.code == "pack.invalid"
    assert str(caught.value.facts["line"]).startswith("v1/attributes.yaml:")
    with pytest.raises(Refused) as caught:
        packs.load(7, tmp_path)
    assert caught.value.code == "pack.missing"
