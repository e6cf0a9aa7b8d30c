"""Packs 2 and 3 (4.8, 4.9 of the rulebook): how a later version is read, what it changes, what its numbers are for."""

from pathlib import Path
from shutil import copytree
from typing import Any
from uuid import UUID

import pytest

from games.engine.errors import Refused
from games.engine.model import field_descriptions
from games.gods2 import pack as packs
from games.gods2.pack import HOME, entries, load
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.pack.operations import Kill
from games.gods2.rules.pack.pack import PARTS, Power
from games.gods2.rules.setup.commands import ConfigureGame
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import Cards, Purse
from games.gods2.rules.state.value_types import Target
from tests.playbook import Playbook, refused
from tests.rules.gods2.era import ANA, HOST, fresh, two_peoples
from tests.rules.gods2.raw_packs import raw_pack
from tests.rules.gods2.test_pack_of_the_rulebook import conditions_of as conditions
from tests.rules.gods2.test_pack_of_the_rulebook import effects, entries_of, plain
from tests.rules.gods2.test_tables_of_the_rulebook import table_after
from tests.rules.gods2.worlds import earth_of, forecast, race

ONE, TWO = raw_pack(1), raw_pack(2)
PRINTED = {2: table_after("## 4.8 Pack 2"), 3: table_after("## 4.9 Pack 3")}
NEW = {2: table_after("New in pack 2:"), 3: table_after("New in pack 3:")}
CARDS = 6
"""Of the main sphere of a greater god."""
HUNDRED = 100
"""Units of a large people."""


def changes_of(version: int) -> dict[str, dict[str, Any]]:
    """What the files of a version hold, by `part/id`."""
    found = {}
    for part in PARTS:
        file = HOME / f"v{version}" / f"{part}.yaml"
        for entry in packs.parse_piece(file.read_text(encoding="utf-8")) if file.is_file() else ():
            found[f"{part}/{entry['id']}"] = entry
    return found


def entry(raw: dict[str, list[dict[str, Any]]], name: str) -> dict[str, Any] | None:
    part, key = name.split("/")
    return next((e for e in raw[part] if e["id"] == key), None)


# --- how a later version is read --------------------------------------------------------------------------------------
def changes(home: Path, text: str, part: str = "attributes") -> Path:
    """A house whose version 2 changes a part so."""
    copytree(HOME / "v1", home / "v1")
    (home / "v2").mkdir()
    (home / "v2" / f"{part}.yaml").write_text(text)
    return home


def test_a_later_version_is_the_one_before_with_its_own_fields(tmp_path: Path) -> None:
    text = "- {id: greedy, why: too cheap, cost: 9}\n- {id: tall, why: new, name: Tall, cost: 1, origin: ours}\n"
    raw, _ = entries(2, changes(tmp_path, text))
    assert [e["id"] for e in raw["attributes"]] == [*(e["id"] for e in ONE["attributes"]), "tall"]
    assert entry(raw, "attributes/greedy") == {**(entry(ONE, "attributes/greedy") or {}), "cost": 9}
    assert "why" not in (entry(raw, "attributes/tall") or {})
    assert {part: raw[part] for part in PARTS if part != "attributes"} == {
        part: ONE[part] for part in PARTS if part != "attributes"
    }
    assert load(2, tmp_path).attributes["tall"].effects == ()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("- {id: greedy, cost: 9}", "v2/attributes.yaml:1", "say why greedy differs"),
        ("- {id: tall, why: x}\n- {id: tall, why: y}", "v2/attributes.yaml:1", "tall stands twice"),
        ("- id: greedy\n  why: x\n  cost: many", "v2/attributes.yaml:3", "many"),
        ("- id: greedy\n  why: x\n  colour: red", "v2/attributes.yaml:3", "no such field"),
        ("- id: tall\n  why: x\n  name: Tall", "v2/attributes.yaml:1", "missing"),
    ],
)
def test_a_mistake_of_a_later_version_is_reported_with_its_place(
    text: str, line: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(Refused, match=message) as caught:
        load(2, changes(tmp_path, text))
    assert (caught.value.code, caught.value.facts["line"]) == ("pack.invalid", line)


def test_a_mistake_inherited_by_a_later_version_is_reported_where_it_stands(tmp_path: Path) -> None:
    home = changes(tmp_path, "- {id: greedy, why: x, cost: 9}\n")
    file = home / "v1" / "attributes.yaml"
    text = file.read_text().replace("stat: wealth, amount: 2", "stat: wits, amount: 2", 1)
    file.write_text(text)
    with pytest.raises(Refused) as caught:
        load(2, home)
    line = text[: text.index("stat: wits")].count("\n") + 1
    assert caught.value.facts["line"] == f"v1/attributes.yaml:{line}"


# --- what it changes --------------------------------------------------------------------------------------------------
def test_new_games_are_played_with_the_newest_pack_and_old_ones_with_their_own() -> None:
    book = Playbook(two_peoples()[0].ruleset, fresh())
    book.when(ConfigureGame(), by=HOST)
    assert book.state.era.pack_version == max(packs.pack_files()) == 3
    book.when(ConfigureGame(options=Gods2Options(pack_version=1)), by=HOST)
    assert book.state.pack == load(1)


def test_version_1_is_never_changed() -> None:
    """Games have pinned it."""
    assert load(1).digest == "fd6533f0a04c51957d088d7f22c47ebf0efc6a3e31ed2944da0006bac27135cd"


def test_only_numbers_that_are_not_public_are_changed_and_all_of_them_for_a_reason() -> None:
    for name, change in changes_of(2).items():
        before = entry(ONE, name)
        origin = str(before and before["origin"])
        assert not origin.startswith("public") or (origin == "public name" and "name" not in change), name
        assert len(change["why"].split()) > 1 and set(change) > {"id", "why"}, name
        assert before is None or all(before.get(k) != v for k, v in change.items() if k not in ("id", "why")), name


@pytest.mark.parametrize("version", PRINTED)
def test_the_rulebook_prints_every_change_with_its_reason(version: int) -> None:
    former, later = raw_pack(version - 1), raw_pack(version)
    rows = [
        (name, field, change["why"])
        for name, change in changes_of(version).items()
        for field in change
        if entry(former, name) is not None and field not in ("id", "why")
    ]
    assert [(name, field, why) for name, field, _, _, why in PRINTED[version]] == rows
    for name, field, before, after, _ in PRINTED[version]:
        for cell, raw in ((before, former), (after, later)):
            value = (entry(raw, name) or {}).get(field)
            if field == "effects":
                assert plain(value) == effects(cell), name
            elif field == "requires":
                assert value == ([] if cell == "-" else list(conditions(cell))), name
            else:
                assert str("-" if value is None else value) == cell, (name, field)


@pytest.mark.parametrize("version", NEW)
def test_the_rulebook_prints_every_new_power(version: int) -> None:
    before, after = raw_pack(version - 1), raw_pack(version)
    changed = changes_of(version)
    assert [f"powers/{row[2]}" for row in NEW[version]] == [name for name in changed if entry(before, name) is None]
    for sphere, level, key, name, codes, cost, target, asks, origin, does, why in NEW[version]:
        here = entry(after, f"powers/{key}") or {}
        assert (here["sphere"], str(here["level"]), here["name"], here["codes"]) == (
            sphere,
            level,
            name,
            entries_of(codes),
        )
        assert (str(here["cost"]), here["target"], here["origin"]) == (cost, target, origin)
        assert here["requires"] == ([] if asks == "-" else list(conditions(asks)))
        assert plain(here["effects"]) == effects(does) and changed[f"powers/{key}"]["why"] == why


def test_pack_3_changes_the_price_of_faith_alone() -> None:
    before = raw_pack(2)
    changed = {name: change for name, change in changes_of(3).items() if entry(before, name) is not None}
    assert {key for change in changed.values() for key in change} == {"id", "why", "cost", "cost_kind"}
    assert all("share" in change["cost"] for change in changed.values())


# --- what its numbers are for -----------------------------------------------------------------------------------------
def per_card(sphere: str, counter: str) -> float:
    """Mana of a sphere for a counted thing and a card."""
    return sum(float(s.factor) for s in load(2).mana_sources.values() if s.sphere == sphere and s.counter == counter)


@pytest.mark.parametrize(("units", "military"), [(20, 0), (60, 0), (HUNDRED, 3)])
def test_a_war_does_not_pay_its_price_back_to_war_or_death(units: int, military: int) -> None:
    """Two large peoples of the same size; `military` is what the one has more."""
    losses = units * (10 + military) // 100 + units * (10 - military) // 100 + 2
    war = CARDS * (per_card("WA", "war_fought") + losses * per_card("WA", "deaths:war"))
    assert war < int(load(2).powers["declare_war"].cost)
    assert CARDS * losses * per_card("DE", "deaths:all") < int(load(2).powers["order_war"].cost)


def killers() -> list[Power]:
    return [p for p in load(2).powers.values() if any(isinstance(e, Kill) and e.scope == "race" for e in p.effects)]


@pytest.mark.parametrize("power", killers(), ids=lambda power: power.id)
def test_no_power_that_kills_a_part_of_a_people_pays_its_price_back(power: Power) -> None:
    deaths = sum(HUNDRED * e.amount // 100 for e in power.effects if isinstance(e, Kill) and e.amount)
    elements = {"NA": "deaths:nature", "DE": "deaths:all"}
    if power.sphere in elements:
        assert CARDS * deaths * per_card(power.sphere, elements[power.sphere]) < int(power.cost) / 1.5


def teach(book: Playbook, knowledge: str, race: UUID) -> None:
    """Ashkar, whom the Dwarves worship and the Elves do not, teaches a race."""
    book.when(CastPower(power=f"teach_{knowledge}", targets=(Target(race=race),)), by=ANA)


def with_every_card(pack: int) -> tuple[Playbook, UUID, UUID]:
    """Ashkar holds all cards; Dwarves and Elves know Tribal Law."""
    book, *races = two_peoples(Gods2Options(pack_version=pack))
    book.state.purses[ANA] = Purse(ANA, 100)
    for sphere in book.state.pack.spheres:
        book.state.cards[ANA, sphere] = Cards(ANA, sphere, CARDS)
    for people in races:
        teach(book, "tribal_law", people)
    return book, races[0], races[1]


def test_only_a_member_of_the_pantheon_teaches_sacrificial_rites() -> None:
    book, dwarves, elves = with_every_card(2)
    with refused("target.unfit", book.state):
        teach(book, "sacrificial_rites", elves)
    teach(book, "sacrificial_rites", dwarves)
    assert "sacrificial_rites" in book.state.races[dwarves].knowledges

    book, _, elves = with_every_card(1)
    teach(book, "sacrificial_rites", elves)


@pytest.mark.rule("G2-AMB-73", "G2-LVL-3")
@pytest.mark.parametrize(("pack", "aggression"), [(1, 2), (2, 1)])
def test_tribal_law_takes_one_of_the_printed_aggression_in_pack_2(pack: int, aggression: int) -> None:
    scythians = race("Scythians", {(0, 3): 21}, "barbarian")
    state = earth_of(["PPPPPPPP"], scythians, packs={pack: load(pack)})
    assert stat(state, scythians.id, "aggression").value == aggression


@pytest.mark.rule("G2-AMB-73")
def test_the_form_that_opens_a_game_says_which_pack_has_the_printed_numbers() -> None:
    said = " ".join((field_descriptions(Gods2Options)["pack_version"] or "").split())
    assert "Pack 1: printed numbers." in said and "a civilized defender beats an equal barbarian" in said


@pytest.mark.rule("G2-AMB-73")
def test_civilization_is_worth_having_at_equal_strength() -> None:
    """Against a barbarian people that attacks: fewer die in the war, and it is averted more often."""
    greeks = race("Greeks", {(0, 0): 20, (0, 1): 20, (0, 2): 20}, "civilized")
    scythians = race("Scythians", {(0, 3): 21, (0, 4): 21, (0, 5): 21}, "barbarian")
    state = earth_of(["PPPPPPPP"], greeks, scythians, packs={2: load(2)})
    fight = forecast(state, scythians.id, greeks.id)
    assert fight.defender.strength == fight.attacker.strength
    assert fight.defender.losses <= fight.attacker.losses
    diplomacy, aggression = (
        int(stat(state, who.id, what).value) for who, what in ((greeks, "diplomacy"), (scythians, "aggression"))
    )
    assert 6 - diplomacy + aggression <= 6  # a die can avert it
    old = earth_of(["PPPPPPPP"], greeks, scythians)
    lost = forecast(old, scythians.id, greeks.id)
    assert lost.defender.losses > lost.attacker.losses
