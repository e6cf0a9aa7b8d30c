"""What prevents wars or calls them off: bans, truces, natures (G2-DIP-2; AMB-54, AMB-55)."""

from datetime import timedelta

import pytest

from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.declarations.events import (
    AggressionRolled,
    DeclarationVoided,
    WarCancelled,
    WarDeclared,
    WarsOrdered,
)
from games.gods2.rules.effects.war import name_of_ban
from games.gods2.rules.state.effect_records import Authorship
from games.gods2.rules.state.records import Cards, DiplomacyPolicy, Phase, Share, WarKind, WarPolicy, WarStatus
from games.gods2.rules.war.aggression import roll_aggression
from games.gods2.rules.war.events import DiplomacyTried, WarAverted
from games.gods2.rules.war.schedule_commands import SetDiplomacy
from games.gods2.rules.workings.events import ModificationFired
from tests.dice import d
from tests.playbook import DAWN, event_like, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, GM
from tests.rules.gods2.odds import ACTIVE, at_odds, by_ana, fight_war, peoples, statuses, war_on
from tests.rules.gods2.strikes import cast, pack_of
from tests.rules.gods2.worlds import earth_of, happen, race


@pytest.mark.rule("G2-AMB-55", "G2-AGG-4")
def test_an_angry_declaration_on_a_race_under_a_lasting_peace_is_void_and_not_drawn_again() -> None:
    state, norse, picts = at_odds(attributes=["warlike"])
    cast(state, "lasting_peace", picts)
    state.set_era(phase=Phase.STARTING)
    dice = [d(6, f"aggression {r.id}", 4 if r.id == norse.id else 1) for r in state.living()]
    events = happen(state, roll_aggression, dice)
    assert of_kind(events, WarDeclared, WarsOrdered) == []
    reason = "Picts are under a ban of war"
    assert of_kind(events, DeclarationVoided) == [
        event_like(DeclarationVoided, attacker=norse.id, defender=picts.id, reason=reason)
    ]


@pytest.mark.rule("G2-AMB-55", "G2-AGG-4")
@pytest.mark.parametrize("kind", ["aggressive", "all"])
def test_a_race_under_a_ban_declares_no_war_by_its_own_will_and_rolls_no_target_die(kind: str) -> None:
    pax = {"codes": ["M"], "effects": [{"op": "war_forbid", "kind": kind}]}
    norse = race("Norse", {(1, c): 1 for c in range(10)}, attributes=["warlike"])
    picts, south = race("Picts", {(0, c): 1 for c in range(10)}), race("South", {(2, c): 1 for c in range(10)})
    state = earth_of(["P" * 10] * 3, norse, picts, south, packs=pack_of(pax=pax))
    cast(state, "pax", norse)
    state.set_era(phase=Phase.STARTING)
    dice = [d(6, f"aggression {r.id}", 5 if r.id == norse.id else 1) for r in state.living()]
    events = happen(state, roll_aggression, dice)  # no die of a target: two neighbours would make one of two faces
    assert {e.race: e.declarations for e in of_kind(events, AggressionRolled)}[norse.id] == 2
    assert of_kind(events, WarDeclared, DeclarationVoided, WarsOrdered) == []


@pytest.mark.rule("G2-AMB-55", "G2-DICE-3")
def test_a_race_under_a_ban_of_all_wars_rolls_no_target_die_in_a_world_war_either() -> None:
    pax = {"codes": ["M"], "effects": [{"op": "war_forbid", "kind": "all"}]}
    norse = race("Norse", {(1, c): 1 for c in range(10)})
    picts, south = race("Picts", {(0, c): 1 for c in range(10)}), race("South", {(2, c): 1 for c in range(10)})
    state = earth_of(["P" * 10] * 3, norse, picts, south, packs=pack_of(pax=pax))
    state.set_era(activity_ends_at=DAWN + timedelta(seconds=1500))
    cast(state, "pax", norse)
    events = cast(state, "world_war", dice=[])
    assert of_kind(events, WarDeclared) == []
    assert {(e.attacker, e.defender) for e in of_kind(events, DeclarationVoided)} == {
        (picts.id, norse.id),
        (south.id, norse.id),
    }


@pytest.mark.rule("G2-AMB-55", "G2-AGG-6")
def test_the_other_declarations_of_the_same_race_stand() -> None:
    norse = race("Norse", {(1, c): 1 for c in range(10)}, attributes=["warlike"])
    picts, south = race("Picts", {(0, c): 1 for c in range(10)}), race("South", {(2, c): 1 for c in range(10)})
    state = earth_of(["P" * 10] * 3, norse, picts, south)
    state.set_era(phase=Phase.OPEN, activity_ends_at=DAWN + timedelta(seconds=1500))
    cast(state, "lasting_peace", picts)
    state.set_era(phase=Phase.STARTING)
    near = sorted((picts.id, south.id))
    dice = [d(6, f"aggression {r.id}", 5 if r.id == norse.id else 1) for r in state.living()]
    # 5 + 2 = two wars: one on each neighbour
    events = happen(state, roll_aggression, [*dice, d(2, f"target {norse.id}", 1, 2)])
    assert [e.defender for e in of_kind(events, WarDeclared, DeclarationVoided)] == near
    assert [e.defender for e in of_kind(events, WarDeclared)] == [south.id]
    assert len(of_kind(events, WarsOrdered)[0].wars) == 1


@pytest.mark.rule("G2-MOD-7", "G2-AMB-55")
def test_a_lasting_peace_allows_gods_wars_and_ends_when_one_is_fought() -> None:
    state, norse, picts = at_odds()
    cast(state, "lasting_peace", picts)
    assert name_of_ban(state, norse.id, picts.id, WarKind.AGGRESSIVE) == "Picts"
    assert name_of_ban(state, norse.id, picts.id, WarKind.GOD) == ""
    war, _ = war_on(state, norse, picts)
    assert statuses(state, "lasting_peace") == [ACTIVE]
    fight_war(state, war)
    assert not state.modifications
    assert name_of_ban(state, norse.id, picts.id, WarKind.AGGRESSIVE) == ""


@pytest.mark.rule("G2-AMB-55")
def test_a_ban_against_its_caster_separates_a_race_from_the_casters_worshippers() -> None:
    shame = {"codes": ["M"], "effects": [{"op": "war_forbid", "kind": "against_caster"}]}
    norse = race("Norse", {(1, c): 1 for c in range(10)})
    picts, south = race("Picts", {(0, c): 1 for c in range(10)}), race("South", {(2, c): 1 for c in range(10)})
    state = earth_of(["P" * 10] * 3, norse, picts, south, packs=pack_of(shame=shame))
    state.shares[south.id, str(ANA)] = Share(south.id, str(ANA), 1)
    cast(state, "shame", norse)
    for kind in WarKind:
        assert name_of_ban(state, norse.id, south.id, kind) == name_of_ban(state, south.id, norse.id, kind) == "Norse"
        assert name_of_ban(state, norse.id, picts.id, kind) == name_of_ban(state, picts.id, south.id, kind) == ""
    author = next(iter(state.authorships.values()))
    state.authorships[author.id] = Authorship(author.id, BEN, (BEN,), author.readers)
    assert name_of_ban(state, norse.id, south.id, WarKind.GOD) == ""


@pytest.mark.rule("G2-AMB-55")
def test_a_god_is_refused_a_war_on_a_race_under_a_ban_of_all_wars() -> None:
    book, dwarves, elves = peoples()
    pax = {"codes": ["M"], "effects": [{"op": "war_forbid", "kind": "all"}]}
    state = earth_of(["P"], packs=pack_of(pax=pax))
    book.state._packs = dict(state.packs) | {book.state.era.pack_version: state.packs[2]}
    book.state.cards[ANA, "FE"] = Cards(ANA, "FE", 6)
    by_ana(book, "pax", elves)
    with refused("war.forbidden", book.state):
        book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA)


@pytest.mark.rule("G2-AMB-54")
def test_a_race_that_has_averted_a_war_faces_it_again_only_by_a_new_declaration() -> None:
    state, norse, picts = at_odds()
    war, _ = war_on(state, norse, picts)
    state.policies[war, picts.id] = WarPolicy(war, picts.id, DiplomacyPolicy.TRY)
    assert of_kind(fight_war(state, war, [d(6, "diplomacy/defender", 6)]), WarAverted)
    again, _ = war_on(state, norse, picts)
    assert [state.wars[w].status for w in (war, again)] == [WarStatus.AVERTED, WarStatus.DECLARED]
    # the GM's decision was for the first war alone
    assert of_kind(fight_war(state, again), DiplomacyTried) == []
    assert state.wars[war].status is WarStatus.AVERTED


@pytest.mark.rule("G2-AMB-54", "G2-WAR-1")
def test_an_order_of_peace_calls_off_the_declarations_of_the_race_and_activates_nothing() -> None:
    book, dwarves, elves = peoples()
    for power in ("grave_dread", "fair_currents"):
        by_ana(book, power, dwarves)
    own = of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)[0].war
    book.state.shares[elves, str(ANA)] = Share(elves, str(ANA), 1)
    others = of_kind(book.when(DeclareWar(attacker=elves, defender=dwarves), by=ANA), WarDeclared)[0].war
    events = by_ana(book, "order_peace", dwarves)
    assert [e.war for e in of_kind(events, WarCancelled)] == [own]
    assert f"war:{own}" not in book.state.timers and f"war:{others}" in book.state.timers
    assert of_kind(events, ModificationFired) == []
    assert book.state.wars[own].status is WarStatus.CANCELLED
    book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA)


@pytest.mark.rule("G2-WAR-1", "G2-AMB-54")
def test_a_universal_truce_calls_off_every_war_that_waits() -> None:
    book, dwarves, elves = peoples()
    for _ in range(2):
        book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA)
    waiting = [w.id for w in book.state.wars.values() if w.status is WarStatus.DECLARED]
    assert {e.war for e in of_kind(by_ana(book, "universal_truce"), WarCancelled)} == set(waiting)
    assert not [k for k in book.state.timers if k.startswith("war:")]


@pytest.mark.rule("G2-WAR-1", "G2-DICE-3")
def test_in_a_world_war_each_race_attacks_one_that_it_reaches() -> None:
    norse = race("Norse", {(1, c): 1 for c in range(10)})
    picts, south = race("Picts", {(0, c): 1 for c in range(10)}), race("South", {(2, c): 1 for c in range(10)})
    state = earth_of(["P" * 10] * 3, norse, picts, south)
    state.set_era(activity_ends_at=DAWN + timedelta(seconds=1500))
    cast(state, "just_cause", norse)
    near = sorted((picts.id, south.id))
    events = cast(state, "world_war", dice=[d(2, "war", 2)])
    by_attacker = {e.attacker: e.defender for e in of_kind(events, WarDeclared)}
    assert by_attacker == {norse.id: near[1], picts.id: norse.id, south.id: norse.id}
    assert {e.kind for e in of_kind(events, WarDeclared)} == {WarKind.GOD}
    assert len(of_kind(events, ModificationFired)) == 1


@pytest.mark.rule("G2-DIP-2")
def test_the_gm_cannot_overrule_a_nature() -> None:
    book, dwarves, elves = peoples()
    by_ana(book, "peace_envoys", elves)
    war = of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)[0].war
    with refused("policy.forced", book.state):
        book.when(SetDiplomacy(war=war, race=elves, policy=DiplomacyPolicy.REFRAIN), by=GM)
    for policy in (DiplomacyPolicy.TRY, DiplomacyPolicy.AUTO):
        book.when(SetDiplomacy(war=war, race=elves, policy=policy), by=GM)
    book.when(SetDiplomacy(war=war, race=dwarves, policy=DiplomacyPolicy.REFRAIN), by=GM)
    assert {h.audience for h in book.log if type(h.event).__name__ == "DiplomacySet"} == {"gm"}
