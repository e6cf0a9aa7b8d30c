"""Casting history powers: everything is checked before payment, then all effects, then the entry."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.events import DeedAuthored, EntrySigned, PowerAuthored, PowerCast, PowerGranted
from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.knowledge.events import KnowledgeLearned
from games.gods2.rules.mana.events import ManaSpent
from games.gods2.rules.pack.formulas import formula
from games.gods2.rules.state.effect_records import Grant, GrantSource, ModStatus
from games.gods2.rules.state.records import Cards
from games.gods2.rules.state.value_types import Target
from games.gods2.rules.window.events import NumberServed
from games.gods2.rules.workings.events import ModificationAdded
from games.gods2.rules.workings.pricing import round_price
from tests.playbook import of_kind, refused
from tests.rules.gods2.era import ANA, endow, two_peoples


def aim(race: UUID) -> tuple[Target, ...]:
    return (Target(race=race),)


def ready(sphere: str, cards: int = 6):
    """Two peoples, and Ana with cards of a sphere; Dwarves worship her."""
    book, dwarves, elves = two_peoples()
    endow(book, ANA, 20, sphere, cards=cards)
    return book, dwarves, elves


@pytest.mark.rule("G2-KNOW-1", "G2-KPOW-1", "G2-HIST-1")
def test_a_taught_race_knows_at_once_and_is_not_taught_twice() -> None:
    book, dwarves, _ = ready("NA")
    before = book.state.purses[ANA].balance
    race = book.state.races[dwarves]
    assert "hunting_lore" not in race.knowledges
    events = book.when(CastPower(power="teach_hunting_lore", targets=aim(dwarves)), by=ANA)
    learned = of_kind(events, KnowledgeLearned)
    assert [(e.race, e.knowledge, e.first) for e in learned] == [(dwarves, "hunting_lore", True)]
    assert "hunting_lore" in book.state.races[dwarves].knowledges
    assert book.state.purses[ANA].balance == before - 3
    kinds = [type(e) for e in events]
    order = [PowerCast, PowerAuthored, ManaSpent, KnowledgeLearned, DeedAuthored, NumberServed]
    assert [kinds.index(kind) for kind in order] == sorted(kinds.index(kind) for kind in order)
    with refused("knowledge.known", book.state):
        book.when(CastPower(power="teach_hunting_lore", targets=aim(dwarves)), by=ANA)


@pytest.mark.rule("G2-KNOW-2")
def test_a_knowledge_is_taught_only_after_all_its_prerequisites() -> None:
    book, dwarves, _ = ready("CK")
    with refused("knowledge.prerequisite", book.state):
        book.when(CastPower(power="teach_metalworking", targets=aim(dwarves)), by=ANA)


@pytest.mark.rule("G2-HIST-7")
def test_cards_of_the_sphere_set_the_highest_level() -> None:
    book, dwarves, _ = ready("WA", 2)
    with refused("power.level", book.state):
        book.when(CastPower(power="teach_iron_weapons", targets=aim(dwarves)), by=ANA)


@pytest.mark.rule("G2-W71", "G2-MOD-1", "G2-MOD-2", "G2-AMB-46")
def test_a_modification_is_cast_once_a_century_on_a_race() -> None:
    book, dwarves, elves = ready("WA")
    before = stat(book.state, dwarves, "military").value
    events = book.when(CastPower(power="call_to_arms", targets=aim(dwarves)), by=ANA)
    assert [e.status for e in of_kind(events, ModificationAdded)] == [ModStatus.ACTIVE]
    assert stat(book.state, dwarves, "military").value == before + 2
    with refused("power.duplicate", book.state):
        book.when(CastPower(power="call_to_arms", targets=aim(dwarves)), by=ANA)
    book.when(CastPower(power="call_to_arms", targets=aim(elves)), by=ANA)
    book.wait(timedelta(minutes=31))
    assert not book.state.modifications
    assert stat(book.state, dwarves, "military").value == before


@pytest.mark.rule("G2-W49", "G2-HIST-5", "G2-HIST-6")
def test_prices_are_rounded_up_once_and_personal_ones_keep_a_quarter() -> None:
    assert round_price(10, [50, 40], personal=True) == 3
    assert round_price(7, [90], personal=True) == 7
    assert round_price(8, [10], personal=True) == 2
    assert round_price(9, [150], personal=False) == 14
    assert round_price(9, [50], personal=False) == 5
    assert round_price(3, [150, 150], personal=False) == 7  # 6.75, rounded once and not after each factor
    assert round_price(7, [10], personal=True) == 2  # a quarter is 1.75


def test_cost_formulas_are_worked_out() -> None:
    known = {"squares": 3, "units": 5, "level": 2, "tier": 1}
    assert [formula(text, known) for text in ("7", "2*squares", "2 + 3*(units - 1)", "level*tier")] == [7, 6, 14, 2]
    for text in ("2*", "gold", "(2", "2/1", ""):
        with refused("pack.invalid"):
            formula(text, known)


@pytest.mark.rule("G2-HREC-1")
def test_an_author_is_a_secret_until_they_sign() -> None:
    book, dwarves, _ = ready("NA")
    quiet = book.when(CastPower(power="teach_hunting_lore", targets=aim(dwarves)), by=ANA)
    assert not of_kind(quiet, EntrySigned)
    assert {h.audience for h in book.log if isinstance(h.event, PowerAuthored | DeedAuthored)} == {f"gm+seat:{ANA}"}
    signed = book.when(CastPower(power="teach_desert_survival", targets=aim(dwarves), signed=True), by=ANA)
    assert [e.seat for e in of_kind(signed, EntrySigned)] == [ANA]


@pytest.mark.rule("G2-HIST-4")
def test_a_granted_power_needs_no_cards_and_is_used_up() -> None:
    book, dwarves, _ = ready("NA")
    book.state.grants[ANA, "teach_archery", "artifact"] = Grant(ANA, "teach_archery", GrantSource.ARTIFACT, 1)
    book.state.cards[ANA, "WA"] = Cards(ANA, "WA", 0)
    book.state.races[dwarves] = replace(book.state.races[dwarves], knowledges=("toolmaking", "tribal_law"))
    events = book.when(CastPower(power="teach_archery", targets=aim(dwarves)), by=ANA)
    assert [e.uses for e in of_kind(events, PowerGranted)] == [0]
    with refused("power.level", book.state):
        book.when(CastPower(power="teach_archery", targets=aim(dwarves)), by=ANA)


@pytest.mark.rule("G2-HIST-1")
@pytest.mark.parametrize(
    ("targets", "code"),
    [
        ((), "target.invalid"),
        ((Target(race=UUID(int=9)),), "race.missing"),
        ((Target(squares=({"x": 0, "y": 0},)),), "target.invalid"),
    ],
)
def test_a_wrong_target_is_refused_before_payment(targets, code) -> None:
    book, *_ = ready("NA")
    with refused(code, book.state):
        book.when(CastPower(power="teach_hunting_lore", targets=targets), by=ANA)


def test_legal_casts_have_target_price_and_the_reason_why_not() -> None:
    book, dwarves, elves = ready("WA", 1)
    legal = list(legal_commands_for(book.state, (CastPower,), Actor(Issuer.SEAT, seat=ANA)))
    by_power = {o.arguments["power"].values[0]: o for o in legal}
    arms = by_power["call_to_arms"]
    assert arms.legal and arms.price == 4
    assert {t[0]["race"] for t in arms.arguments["targets"].values} == {str(dwarves), str(elves)}
    assert by_power["teach_tactics"].barred.code == "power.level"
    for candidate in legal:
        if candidate.legal:
            for targets in candidate.arguments["targets"].values or ():
                CastPower.model_validate({"power": candidate.arguments["power"].values[0], "targets": targets})
