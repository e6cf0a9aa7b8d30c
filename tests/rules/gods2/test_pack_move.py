"""A game goes on with a later pack: only when nothing in use is missing; its log is folded with both (G2-KNOW-7)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from games.engine.game_state import dump
from games.engine.insight.legal_commands import legal_commands_for
from games.gods2.pack import load
from games.gods2.rules.gm_desk.commands import GrantPower
from games.gods2.rules.pack.pack import build
from games.gods2.rules.setup.commands import ConfigureGame
from games.gods2.rules.setup.events import PackMoved
from games.gods2.rules.setup.pack_commands import MovePack
from games.gods2.rules.state.effect_records import GrantSource
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import Feature, Phase
from tests.playbook import Playbook, refused
from tests.rules.gods2.era import ANA, GAME, GM, HOST, fresh, lobby, place, two_peoples
from tests.rules.gods2.raw_packs import raw_pack

Plain = dict[str, list[dict[str, Any]]]


def without(part: str, *keys: str) -> Callable[[Plain], None]:
    """Take entries out of a pack, and out of the prerequisites of others."""

    def change(raw: Plain) -> None:
        raw[part] = [e for e in raw[part] if e["id"] not in keys]

    return change


def later(book: Playbook, change: Callable[[Plain], None], version: int = 2) -> None:
    """Play with a changed pack."""
    raw = raw_pack(1)
    change(raw)
    book.state.use_packs({**book.state.packs, version: build(version, raw)})


def dearer(raw: Plain) -> None:
    """Declaring a war costs 77."""
    next(p for p in raw["powers"] if p["id"] == "declare_war")["cost"] = 77


@pytest.mark.rule("G2-KNOW-7")
@pytest.mark.rule("G2-PACK-1")
def test_a_gm_moves_the_game_to_a_later_pack_and_its_log_is_folded_with_both() -> None:
    book, *_ = two_peoples()
    later(book, dearer)
    assert book.state.pack.powers["declare_war"].cost != 77

    (moved,) = book.when(MovePack(pack_version=2), by=GM)

    assert moved == PackMoved(pack_version=2, digest=book.state.packs[2].digest, former=1)
    assert book.state.pack.powers["declare_war"].cost == 77
    again = fresh()
    again.use_packs(book.state.packs)
    for happened in book.log:
        again.note_time(happened.at)
        happened.event.apply(again)
    assert dump(again) == dump(book.state)


@pytest.mark.parametrize(
    ("_case", "number", "code"),
    [("the same", 2, "pack.same"), ("an older one", 1, "pack.older"), ("one that is not there", 9, "pack.missing")],
)
def test_a_game_moves_to_later_packs_only(_case: str, number: int, code: str) -> None:
    book, *_ = two_peoples()
    later(book, dearer)
    book.when(MovePack(pack_version=2), by=GM)
    with refused(code, book.state):
        book.when(MovePack(pack_version=number), by=GM)


def missing(book: Playbook) -> list[str]:
    """What a move to pack 2 says that it lacks."""
    with pytest.raises(Exception, match=r"pack\.lacks") as caught:
        book.when(MovePack(pack_version=2), by=GM)
    found: list[str] = caught.value.facts["missing"]  # type: ignore[attr-defined]
    return found


def test_an_attribute_of_a_race_must_be_there() -> None:
    book, *_ = two_peoples()
    later(book, without("attributes", "peaceful"))
    assert missing(book) == ["the attribute peaceful of the Dwarves", "the attribute peaceful of the Elves"]


def test_a_feature_on_the_map_must_be_there() -> None:
    book, *_ = two_peoples()
    kind = next(k for k in book.state.pack.features if _spare(k))
    _feature(book, kind)
    later(book, without("features", kind))
    assert missing(book) == [f"the feature {kind} on 0, 0"]


def _spare(kind: str) -> bool:
    """Whether nothing else in the pack names this feature."""
    raw = raw_pack(1)
    without("features", kind)(raw)
    try:
        build(2, raw)
    except Exception:  # noqa: BLE001 - any refusal says that it is needed
        return False
    return True


def _feature(book: Playbook, kind: str) -> None:
    book.state.features[UUID(int=7)] = Feature(UUID(int=7), place(0, 0).square, kind)


def test_a_knowledge_of_a_race_a_power_that_was_granted_and_a_source_of_the_session_must_be_there() -> None:
    book, dwarves, _ = two_peoples()
    book.when(GrantPower(seat=ANA, power="teach_astronomy", source=GrantSource.PERSONAL), by=GM)
    book.state.races[dwarves] = replace(book.state.races[dwarves], knowledges=("astronomy",))
    source = next(f.source for f in book.state.factors.values())

    def change(raw: Plain) -> None:
        needing = {"astronomy"}
        while more := {k["id"] for k in raw["knowledges"] if needing & set(k["prereqs"])} - needing:
            needing |= more
        without("knowledges", *needing)(raw)
        raw["powers"] = [p for p in raw["powers"] if not any(e.get("knowledge") in needing for e in p["effects"])]
        _fill_levels(raw)
        without("mana_sources", source)(raw)

    later(book, change)
    assert missing(book) == sorted(
        [
            "the knowledge astronomy of the Dwarves",
            "the power teach_astronomy that was granted",
            f"the mana source {source} of this session",
        ]
    )


def _fill_levels(raw: Plain) -> None:
    """Powers in the place of those that went, so that every greater sphere has five levels."""
    for sphere in raw["spheres"]:
        if sphere["group"] == "greater":
            for level in range(1, 6):
                if not any(p["sphere"] == sphere["id"] and p["level"] == level for p in raw["powers"]):
                    raw["powers"].append(_power(f"{sphere['id'].lower()}_{level}", sphere["id"], level))


def _power(key: str, sphere: str, level: int) -> dict[str, Any]:
    return {
        "id": key, "sphere": sphere, "level": level, "name": key, "kind": "history", "codes": ["X"], "cost": 1,
        "cost_kind": "fixed", "target": "race", "requires": [], "origin": "test",
        "effects": [{"op": "manual", "text": "Something"}],
    }  # fmt: skip


def test_the_features_of_cities_are_in_every_pack() -> None:
    raw: Mapping[str, Any] = raw_pack(1)
    without("features", "city")(raw)  # type: ignore[arg-type]
    with pytest.raises(Exception, match="features/city"):
        build(2, raw)


@pytest.mark.rule("G2-PACK-1")
def test_a_pack_is_not_changed_in_the_middle_of_a_step_nor_by_a_player() -> None:
    book, *_ = two_peoples()
    later(book, dearer)
    assert [o.arguments["pack_version"].values for o in legal_commands_for(book.state, [MovePack], GM)] == [(2, 3)]
    for phase in set(Phase) - {Phase.SETUP, Phase.TRANSITION, Phase.OPEN, Phase.CREATION}:
        book.state.set_era(phase=phase)
        with refused("phase.closed", book.state):
            book.when(MovePack(pack_version=2), by=GM)
    assert MovePack.issuers == {GM.role}


def test_a_game_is_configured_with_the_pack_of_its_options() -> None:
    state = fresh()
    state.use_packs({1: load(1), 2: build(2, raw_pack(1))})
    book = Playbook(lobby().ruleset, state)
    book.when(ConfigureGame(options=Gods2Options(pack_version=1)), by=HOST)
    assert book.state.era.pack_version == 1
    book.when(ConfigureGame(options=Gods2Options()), by=HOST)
    assert book.state.era.pack_version == 2
    book.when(ConfigureGame(options=Gods2Options(pack_version=1), pack_version=2), by=HOST)
    assert book.state.era.pack_version == 2
    with refused("pack.missing", book.state):
        book.when(ConfigureGame(options=Gods2Options(pack_version=5)), by=HOST)
    assert "pack_version" not in Gods2Options().model_dump(mode="json")
    assert book.state.info.id == GAME
