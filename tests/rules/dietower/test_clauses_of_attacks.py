"""Chapter 6 of the rulebook, clause by clause: the sides of an attack, their dice, and what a hit does."""

from datetime import timedelta

import pytest

from games.dietower.rules.actors.commands import SetState
from games.dietower.rules.checks.commands import BuyDie, CloseRoll, RequestCheck
from games.dietower.rules.checks.events import BonusDieRolled, PoolRolled, RollClosed, WindowClosed
from games.dietower.rules.combat.action_events import (
    AttackHit,
    AttackMissed,
    HealthChanged,
    MonsterBeaten,
)
from games.dietower.rules.combat.commands import (
    ChooseDefence,
    DeclareAttack,
    EndTurn,
)
from games.dietower.rules.combat.encounter_commands import (
    OpenEncounter,
)
from games.dietower.rules.combat.ruling_commands import SetAttack
from games.dietower.rules.state.schema_types import Adv, Condition, Reason, Terms, Uses
from games.dietower.rules.table.commands import OpenSession
from games.dietower.rules.tower.events import PlacementDue
from tests.dice import d
from tests.playbook import of_kind, refused
from tests.rules.dietower.scenes import declare, fighting, set_attack
from tests.rules.dietower.stage import (
    GM,
    S1,
    S2,
    acting_for,
    close,
    monster,
    open_roll,
    pc,
    place,
    playing,
    raise_to,
    setting_up,
    write,
)


def turn(book):
    """Whose turn it is."""
    return book.state.encounter.turn


def fell(book, actor):
    """Let somebody fall."""
    return book.when(SetState(actor=actor, state=Condition.FALLEN, reason="fate"), by=GM)


@pytest.mark.rule("DT-CMB-5", "DT-AMB-27", "DT-AMB-31")
@pytest.mark.parametrize(
    ("defensive", "uses"), [(True, Uses.WEAPON), (False, Uses.NONE)], ids=["a shield", "no shield"]
)
def test_silence_defends_with_a_defensive_weapon_or_with_nothing(defensive, uses):
    book = setting_up(S1)
    write(book, S1, weapon="shield", weapon_defensive=defensive)
    book.when(OpenSession(), by=GM)
    beast = monster(book, weapon="claws")
    book.when(OpenEncounter(members=(beast,), first=beast), by=GM)
    attack = declare(book, GM, pc(book, S1), Uses.WEAPON, actor=beast)
    assert book.state.attacks[attack].defence is None
    book.wait(timedelta(seconds=59))
    assert book.state.attacks[attack].defence is None
    book.wait(timedelta(seconds=1))
    assert book.state.attacks[attack].defence is uses
    events = book.wait(timedelta(minutes=2))
    assert [len(e.dice) for e in of_kind(events, PoolRolled)] == [2, 2 if defensive else 1]
    assert [e.flat for e in of_kind(events, PoolRolled)] == [0, 0]


@pytest.mark.rule("DT-CMB-5", "DT-CMB-15")
@pytest.mark.parametrize(("attack_uses", "defence_uses"), [(True, False), (False, True), (False, False)])
def test_the_world_master_refuses_the_second_die_of_either_side(attack_uses, defence_uses):
    book, beast = fighting(S1, power="stare")
    attack = declare(book, S1, beast, Uses.WEAPON)
    command = SetAttack(attack=attack, attack_uses=attack_uses, defence_uses=defence_uses, defence=Uses.POWER)
    thrown = of_kind(book.when(command, by=GM), PoolRolled)
    assert [len(e.dice) for e in thrown] == [1 + attack_uses, 1 + defence_uses]


@pytest.mark.rule("DT-CMB-5")
def test_what_a_player_defends_with_is_said_by_nobody_else():
    book, _ = fighting(S1, S2)
    attack = declare(book, S1, pc(book, S2), Uses.WEAPON)
    for other in (S1, GM):
        with refused("prompt.not_yours", book.state):
            book.when(ChooseDefence(attack=attack, uses=Uses.NONE), by=other)
    book.when(ChooseDefence(attack=attack, uses=Uses.NONE), by=acting_for(S2))
    with refused("prompt.closed", book.state):
        book.when(ChooseDefence(attack=attack, uses=Uses.POWER), by=S2)
    with refused("uses.invalid", book.state):
        book.when(SetAttack(attack=attack, defence=Uses.POWER), by=GM)


@pytest.mark.rule("DT-CMB-6", "DT-CMB-13", "DT-AMB-29", "DT-AMB-30")
def test_advantage_and_edges_are_of_the_side_that_they_are_given_to():
    book, beast = fighting(S1)
    attack = declare(book, S1, beast)
    terms = {"attacker": Terms(edge=2), "defender": Terms(adv=Adv.ADV, edge_die=True)}
    ours, theirs = of_kind(set_attack(book, attack, (4,), (1, 2, 5), **terms), PoolRolled)
    assert (ours.pool, ours.flat) == ((4,), 2)
    assert (theirs.dice, theirs.discarded, theirs.pool, theirs.flat) == ((1, 2, 5), 0, (2, 5), 0)
    assert [e.total for e in of_kind(close(book, S1), RollClosed)] == [6, 7]


@pytest.mark.rule("DT-CMB-6", "DT-AMB-13", "DT-AMB-4")
def test_a_purchase_asks_the_other_side_again_and_gives_both_the_whole_time():
    book, _ = fighting(S1, S2)
    attack = declare(book, S1, pc(book, S2), Uses.WEAPON)
    book.when(ChooseDefence(attack=attack, uses=Uses.NONE), by=S2)
    set_attack(book, attack, (4, 4), (2,))
    ours, theirs = open_roll(book, S1).id, open_roll(book, S2).id
    book.wait(timedelta(seconds=50))
    book.when(CloseRoll(roll=ours), by=S1)
    with refused("roll.closed", book.state):
        book.when(BuyDie(roll=ours), by=S1)
    (bought,) = of_kind(book.when(BuyDie(roll=theirs), by=S2, dice=[d(6, "wish", 3)]), BonusDieRolled)
    assert (bought.roll, bought.reopens) == (theirs, ours)
    assert not of_kind(book.wait(timedelta(seconds=59)), WindowClosed, RollClosed)
    events = book.wait(timedelta(seconds=1))
    assert [e.total for e in of_kind(events, RollClosed)] == [8, 5] and of_kind(events, AttackHit)


@pytest.mark.rule("DT-CMB-6", "DT-CMB-9", "DT-CMB-10", "DT-CHK-12")
def test_a_monster_owes_nothing_and_a_miss_is_no_failed_check():
    book, beast = fighting(S1)
    set_attack(book, declare(book, S1, beast), (2,), (1,))
    events = close(book, S1)
    assert of_kind(events, AttackHit) and not of_kind(events, PlacementDue)
    book, beast = fighting(S1)
    set_attack(book, declare(book, S1, beast), (1,), (1,))
    events = close(book, S1)
    assert of_kind(events, AttackMissed)
    assert [e.reason for e in of_kind(events, PlacementDue)] == [Reason.NET_FAIL]


@pytest.mark.rule("DT-CMB-8", "DT-CHR-5")
@pytest.mark.parametrize(
    ("health", "weakness", "left", "beaten"),
    [
        (3, False, 2, False), (2, False, 1, False), (1, False, 0, True), (3, True, 1, False), (2, True, 0, True),
        (1, True, 0, True),
    ],
)  # fmt: skip
def test_the_health_that_a_hit_leaves(health, weakness, left, beaten):
    book, beast = fighting(S1, health=health)
    set_attack(book, declare(book, S1, beast, Uses.WEAPON), (4, 3), (5,), weakness=weakness)
    events = close(book, S1)
    assert [e.health for e in of_kind(events, HealthChanged)] == [left]
    assert bool(of_kind(events, MonsterBeaten)) is beaten
    assert (book.state.actors[beast].condition is Condition.BEATEN) is beaten


@pytest.mark.rule("DT-CMB-14", "DT-CMB-8")
def test_a_beaten_monster_is_no_target_and_rolls_nothing():
    book = playing(S1)
    beast, other = monster(book, health=1), monster(book, "Other")
    book.when(OpenEncounter(members=(beast, other)), by=GM)
    set_attack(book, declare(book, S1, beast, Uses.WEAPON), (4, 3), (5,))
    close(book, S1)
    with refused("actor.beaten", book.state):
        book.when(RequestCheck(actor=beast, intent="rise"), by=GM)
    book.when(EndTurn(), by=S1)
    assert turn(book) == other
    book.when(EndTurn(), by=GM)
    with refused("target.invalid", book.state):
        book.when(DeclareAttack(target=beast, uses=Uses.NONE), by=S1)


@pytest.mark.rule("DT-CMB-9", "DT-CMB-10", "DT-CHK-12")
def test_the_hit_on_a_player_is_placed_by_that_player_and_not_by_who_struck():
    book, _ = fighting(S1, S2)
    attack = declare(book, S1, pc(book, S2), Uses.WEAPON)
    book.when(ChooseDefence(attack=attack, uses=Uses.NONE), by=S2)
    set_attack(book, attack, (4, 4), (2,))
    close(book, S1)
    events = close(book, S2)
    assert [(e.actor, e.reason) for e in of_kind(events, PlacementDue)] == [(pc(book, S2), Reason.HIT)]
    with refused("placement.not_yours", book.state):
        place(book, S1)
    place(book, S2)
    assert book.state.tower.last_placer == S2


@pytest.mark.rule("DT-CMB-7")
def test_wish_dice_of_the_attacker_turn_a_miss_into_a_hit():
    book, beast = fighting(S1)
    raise_to(book, pc(book, S1), 1)
    set_attack(book, declare(book, S1, beast), (4,), (5,))
    book.when(BuyDie(roll=open_roll(book, S1).id), by=S1, dice=[d(6, "wish", 2)])
    assert of_kind(close(book, S1), AttackHit)
