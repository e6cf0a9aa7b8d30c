"""Attacks in play: uses, windows, hits, Health, dice for the tower (chapter 6 of the rulebook)."""

import pytest

from games.dietower.rules.actors.people_commands import SaveMonster
from games.dietower.rules.checks.commands import BuyDie, CloseRoll
from games.dietower.rules.checks.events import PoolRolled, RollClosed, WindowClosed
from games.dietower.rules.combat.action_events import (
    AttackCalledOff,
    AttackHit,
    AttackMissed,
    HealthChanged,
    MonsterBeaten,
    MonsterHurt,
    WeaknessAimed,
)
from games.dietower.rules.combat.commands import ChooseDefence, DeclareAttack, EndTurn
from games.dietower.rules.combat.encounter_commands import OpenEncounter
from games.dietower.rules.combat.ruling_commands import SetAttack
from games.dietower.rules.state.schema_types import Asked, Band, BandBetween, Condition, Reason, Terms, Uses
from games.dietower.rules.table.commands import OpenSession, SetStandingAnswer
from games.dietower.rules.tower.events import PlacementDue, PlacementsDropped, TerribleThingDue, TowerFell
from games.dietower.rules.wishes.events import WishesSpent
from games.engine.audience import GM as GM_ALONE
from tests.dice import d
from tests.playbook import of_kind, refused
from tests.rules.dietower.stage import (
    GM,
    S1,
    S2,
    build,
    close,
    monster,
    npc,
    open_roll,
    pc,
    place,
    playing,
    raise_to,
    require_sound,
    setting_up,
    write,
)


def fight(book, *members, **more):
    """Open an encounter; the first character begins."""
    book.when(OpenEncounter(members=members, **more), by=GM)


def attack_by(book, by, target, uses=Uses.NONE, actor=None):
    """Declare an attack; its id."""
    book.when(DeclareAttack(actor=actor, target=target, uses=uses), by=by)
    return next(a.id for a in book.state.attacks.values() if not a.over)


def set_attack(book, attack, one, other, **terms):
    """Say how an attack is rolled, with the dice of attacker and defender."""
    dice = [d(6, "attack attacker", *one), d(6, "attack defender", *other)]
    return book.when(SetAttack(attack=attack, **terms), by=GM, dice=dice)


@pytest.mark.rule("DT-CMB-5", "DT-CMB-7", "DT-CMB-8", "DT-EX-15")
def test_a_greater_total_hits_and_takes_health():
    book = playing(S1)
    beast = monster(book, health=3)
    fight(book, beast)
    attack = attack_by(book, S1, beast, Uses.WEAPON)
    set_attack(book, attack, (4, 3), (5,))
    events = close(book, S1)
    assert [e.total for e in of_kind(events, RollClosed)] == [7, 5]
    assert of_kind(events, AttackHit, MonsterHurt) and not of_kind(events, PlacementDue)
    assert [e.health for e in of_kind(events, HealthChanged)] == [2]
    assert [r.audience for r in book.log if isinstance(r.event, HealthChanged | WeaknessAimed)] == [GM_ALONE] * 2
    require_sound(book)


@pytest.mark.rule("DT-CMB-7", "DT-EX-16")
def test_equal_totals_miss():
    book = playing(S1)
    beast = monster(book)
    fight(book, beast)
    set_attack(book, attack_by(book, S1, beast, Uses.WEAPON), (3, 2), (5,))
    events = close(book, S1)
    assert of_kind(events, AttackMissed) and not of_kind(events, AttackHit, MonsterHurt)


@pytest.mark.rule("DT-CMB-6", "DT-CMB-9", "DT-CMB-10", "DT-EX-17")
def test_a_hit_on_a_character_owes_the_tower_a_die_after_the_net_fail():
    book = playing(S1)
    beast, a = monster(book), pc(book, S1)
    fight(book, beast, first=beast)
    attack = attack_by(book, GM, a, actor=beast)
    book.when(ChooseDefence(attack=attack, uses=Uses.POWER), by=S1)
    set_attack(book, attack, (6,), (1, 4))
    events = close(book, S1, extra=(2,))
    assert [e.total for e in of_kind(events, RollClosed)] == [8, 5]
    assert [e.reason for e in of_kind(events, PlacementDue)] == [Reason.NET_FAIL, Reason.HIT]
    assert {e.actor for e in of_kind(events, PlacementDue)} == {a}
    require_sound(book)


@pytest.mark.rule("DT-CMB-6", "DT-CMB-13", "DT-AMB-30", "DT-EX-18")
def test_an_edge_is_flat_and_a_net_fail_of_the_attacker_owes_a_die():
    book = playing(S1)
    beast = monster(book)
    fight(book, beast)
    set_attack(book, attack_by(book, S1, beast), (1,), (2,), attacker=Terms(edge=3))
    events = close(book, S1)
    assert [e.total for e in of_kind(events, RollClosed)] == [4, 2]
    assert [(e.actor, e.reason) for e in of_kind(events, PlacementDue)] == [(pc(book, S1), Reason.NET_FAIL)]


@pytest.mark.rule("DT-CMB-8", "DT-AMB-43", "DT-EX-19", "DT-EX-75", "DT-EX-102")
def test_a_weakness_takes_two_health_and_is_told_by_a_hit_alone():
    book = playing(S1)
    beast = monster(book, health=3, weakness="salt")
    fight(book, beast)
    seen = frozenset({S1})
    set_attack(book, attack_by(book, S1, beast, Uses.WEAPON), (2, 2), (5,), weakness=True)
    events = close(book, S1)
    assert of_kind(events, AttackMissed) and not book.state.view_for(seen).aims
    for _ in range(2):
        book.when(EndTurn(), by=GM)
    set_attack(book, attack_by(book, S1, beast, Uses.WEAPON), (4, 3), (5,), weakness=True)
    events = close(book, S1)
    assert [e.weakness for e in of_kind(events, AttackHit)] == [True] and book.state.vitalities[beast].health == 1
    for _ in range(2):
        book.when(EndTurn(), by=GM)
    set_attack(book, attack_by(book, S1, beast, Uses.WEAPON), (4, 3), (5,))
    events = close(book, S1)
    assert [e.health for e in of_kind(events, HealthChanged)] == [0] and of_kind(events, MonsterBeaten)
    assert book.state.actors[beast].condition is Condition.BEATEN
    require_sound(book)


@pytest.mark.rule("DT-CMB-8")
def test_only_a_monster_has_a_weakness():
    book = playing(S1)
    odo = npc(book)
    fight(book, odo)
    attack = attack_by(book, S1, odo)
    with refused("target.invalid", book.state):
        book.when(SetAttack(attack=attack, weakness=True), by=GM)


@pytest.mark.rule("DT-CMB-6", "DT-AMB-4", "DT-AMB-13", "DT-AMB-56", "DT-EX-54")
def test_a_purchase_opens_the_window_of_the_other_side_again():
    book = playing(S1, S2)
    beast, b = monster(book), pc(book, S2)
    fight(book, beast)
    attack = attack_by(book, S1, b, Uses.WEAPON)
    book.when(ChooseDefence(attack=attack, uses=Uses.POWER), by=S2)
    set_attack(book, attack, (4, 4), (2, 3))
    assert len(list(book.state.questions(Asked.ATTACK_WISH))) == 2
    first, second = open_roll(book, S1), open_roll(book, S2)
    assert of_kind(book.when(CloseRoll(roll=first.id), by=S1), WindowClosed)
    book.when(BuyDie(roll=second.id), by=S2, dice=[d(6, "wish", 6)])
    assert len(list(book.state.questions(Asked.ATTACK_WISH))) == 2
    book.when(CloseRoll(roll=first.id), by=S1)
    events = book.when(CloseRoll(roll=second.id), by=S2, dice=[d(6, "extra", 1)])
    assert [(e.net, e.total) for e in of_kind(events, RollClosed)] == [(0, 8), (1, 12)]
    assert of_kind(events, AttackMissed) and not of_kind(events, PlacementDue)
    require_sound(book)


@pytest.mark.rule("DT-CMB-5", "DT-AMB-27", "DT-EX-55")
def test_a_shield_defends_and_a_knife_attacks():
    book = setting_up(S1, S2)
    shield, knife = write(book, S1, weapon="shield", weapon_defensive=True), write(book, S2)
    book.when(OpenSession(), by=GM)
    beast = monster(book)
    fight(book, beast)
    with refused("uses.invalid", book.state):
        book.when(DeclareAttack(target=beast, uses=Uses.WEAPON), by=S1)
    with refused("target.invalid", book.state):
        book.when(DeclareAttack(target=shield, uses=Uses.NONE), by=S1)
    attack = attack_by(book, S1, knife)
    with refused("uses.invalid", book.state):
        book.when(ChooseDefence(attack=attack, uses=Uses.WEAPON), by=S2)
    with refused("prompt.not_yours", book.state):
        book.when(ChooseDefence(attack=attack, uses=Uses.NONE), by=S1)
    book.when(ChooseDefence(attack=attack, uses=Uses.NONE), by=S2)
    assert [len(e.dice) for e in of_kind(set_attack(book, attack, (4,), (4,)), PoolRolled)] == [1, 1]
    close(book, S1)
    close(book, S2)
    book.when(EndTurn(), by=S1)
    attack = attack_by(book, S2, shield, Uses.WEAPON)
    book.when(ChooseDefence(attack=attack, uses=Uses.WEAPON), by=S1)
    assert [len(e.dice) for e in of_kind(set_attack(book, attack, (4, 4), (4, 4)), PoolRolled)] == [2, 2]
    require_sound(book)


@pytest.mark.rule("DT-CMB-5", "DT-AMB-15", "DT-CHR-7", "DT-AMB-57")
def test_the_world_master_may_refuse_the_second_die():
    book = playing(S1)
    beast = monster(book, power="stare")
    fight(book, beast)
    attack = attack_by(book, S1, beast, Uses.POWER)
    with refused("uses.invalid", book.state):
        book.when(SetAttack(attack=attack, defence=Uses.WEAPON), by=GM)
    no_power = Terms(hindrance="drawback", hindrance_as="no_power")
    events = set_attack(book, attack, (4,), (4, 4), attacker=no_power, defence=Uses.POWER)
    assert [len(e.dice) for e in of_kind(events, PoolRolled)] == [1, 2]


@pytest.mark.rule("DT-CMB-9", "DT-CMB-10", "DT-AMB-7", "DT-EX-56")
def test_dice_of_one_attack_stand_in_their_order_and_a_fall_drops_the_rest():
    book = playing(S1)
    odo = npc(book)
    fight(book, odo)
    set_attack(book, attack_by(book, S1, odo, Uses.WEAPON), (1, 3), (1,), attacker=Terms(), attack_uses=True)
    events = close(book, S1)
    owed = [(e.actor, e.reason) for e in of_kind(events, PlacementDue)]
    assert owed == [(pc(book, S1), Reason.NET_FAIL), (odo, Reason.NET_FAIL), (odo, Reason.HIT)]
    placing = book.state.prompts[book.state.question(Asked.PLACE)].owners
    assert placing == (f"seat:{S1}",)
    place(book, S1)
    assert book.state.prompts[book.state.question(Asked.PLACE)].owners == ("gm",)


@pytest.mark.rule("DT-TWR-8", "DT-AMB-7", "DT-EX-56")
def test_a_fall_drops_what_the_other_side_of_the_attack_owes():
    book = playing(S1)
    odo = npc(book)
    build(book, (0, 0), (5, 0), (7, 0))
    fight(book, odo, first=pc(book, S1))
    set_attack(book, attack_by(book, S1, odo, Uses.WEAPON), (1, 3), (1,))
    close(book, S1)
    events = place(book, S1, 6, 1, 3, 3)
    assert of_kind(events, TowerFell) and len(of_kind(events, TerribleThingDue)) == 1
    assert [len(e.placements) for e in of_kind(events, PlacementsDropped)] == [2]
    require_sound(book)


@pytest.mark.rule("DT-CMB-15", "DT-AMB-42", "DT-CMB-11", "DT-EX-99")
def test_an_attack_that_cannot_reach_is_called_off_and_uses_no_action():
    book = playing(S1)
    beast, other = monster(book), monster(book, "Other")
    far = BandBetween(a=pc(book, S1), b=beast, band=Band.DISTANT)
    fight(book, beast, other, bands=(far,))
    attack = attack_by(book, S1, beast, Uses.WEAPON)
    events = book.when(SetAttack(attack=attack, possible=False, reason="too far"), by=GM, dice=[])
    assert of_kind(events, AttackCalledOff) and not of_kind(events, PoolRolled)
    assert not book.state.encounter.attacked
    with refused("prompt.closed", book.state):
        book.when(SetAttack(attack=attack), by=GM)
    attack_by(book, S1, other, Uses.WEAPON)
    with refused("prompt.open", book.state):
        book.when(DeclareAttack(target=beast, uses=Uses.NONE), by=S1)
    require_sound(book)


@pytest.mark.rule("DT-WSH-7", "DT-AMB-49")
def test_a_defence_said_in_advance_is_used_where_it_is_possible():
    for answer, asked in (("power", False), ("weapon", True)):
        book = playing(S1)
        beast = monster(book)
        book.when(SetStandingAnswer(kind="defend", answer=answer), by=S1)
        fight(book, beast, first=beast)
        attack = attack_by(book, GM, pc(book, S1), actor=beast)
        assert (book.state.question(Asked.ATTACK_DEFEND) is not None) is asked
        assert book.state.attacks[attack].defence == (None if asked else Uses.POWER)


@pytest.mark.rule("DT-WSH-3", "DT-CMB-6")
def test_wishes_are_spent_in_an_attack_too():
    book = playing(S1)
    beast = monster(book)
    raise_to(book, pc(book, S1), 2, wishes=2)
    fight(book, beast)
    set_attack(book, attack_by(book, S1, beast), (2,), (5,))
    bought = book.when(BuyDie(roll=open_roll(book, S1).id, count=2), by=S1, dice=[d(6, "wish", 2, 3)])
    assert [(e.actor, e.count, e.wishes) for e in of_kind(bought, WishesSpent)] == [(pc(book, S1), 2, 0)]
    assert book.state.sheets[pc(book, S1)].wishes == 0
    events = close(book, S1)
    assert [e.total for e in of_kind(events, RollClosed)] == [7, 5] and of_kind(events, AttackHit)


@pytest.mark.rule("DT-CHR-5", "DT-CMB-8")
def test_a_beaten_monster_that_is_given_health_is_up_again():
    book = playing(S1)
    beast = monster(book, health=1)
    fight(book, beast)
    set_attack(book, attack_by(book, S1, beast, Uses.WEAPON), (4, 3), (5,))
    close(book, S1)
    assert book.state.actors[beast].condition is Condition.BEATEN
    book.when(SaveMonster(actor=beast, name="Gnaw", health=2), by=GM)
    assert book.state.actors[beast].condition is Condition.ACTIVE
    require_sound(book)
