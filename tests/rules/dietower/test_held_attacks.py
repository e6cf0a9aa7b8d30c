"""Attacks that were held, and that the world master calls off: the action is held again until it lapses."""

from uuid import UUID

import pytest

from games.dietower.rules.combat.action_events import (
    AttackCalledOff,
    AttackDeclared,
    AttackMissed,
    HoldLapsed,
    HoldReturned,
)
from games.dietower.rules.combat.commands import ChooseDefence, EndTurn, HoldAction, ReleaseHold
from games.dietower.rules.combat.ruling_commands import SetAttack, TriggerHold
from games.dietower.rules.state.schema_types import ActionKind, Asked, Uses
from games.dietower.rules.table.commands import LeaveSeat
from games.dietower.rules.tower.commands import ReportDie
from games.engine.audience import GM as GM_ALONE
from games.engine.audience import PUBLIC
from games.engine.kernel import Actor, Issuer, require_issuer
from tests.playbook import of_kind, refused
from tests.rules.dietower.scenes import declare, fighting, set_attack
from tests.rules.dietower.stage import GM, S1, S2, close, pc, require_sound


def held_attack(book, by=S1, actor=None):
    """Hold the attack of the turn; its id."""
    book.when(HoldAction(actor=actor, action=ActionKind.ATTACK, trigger="when it moves"), by=by)
    (held,) = book.state.holds
    return held


def released(book, held, target, by=S1):
    """Trigger a hold of a player's and release it; the attack."""
    book.when(EndTurn(), by=by)
    book.when(TriggerHold(hold=held), by=GM)
    (event,) = of_kind(book.when(ReleaseHold(hold=held, target=target), by=by), AttackDeclared)
    assert not book.state.holds and event.hold == held
    return event.attack


def call_off(book, attack):
    """Say that an attack cannot reach."""
    return book.when(SetAttack(attack=attack, possible=False, reason="too far"), by=GM, dice=[])


@pytest.mark.rule("DT-CMB-15", "DT-AMB-62", "DT-EX-106", "DT-CMB-4")
def test_a_held_attack_that_is_called_off_may_be_released_again():
    book, beast = fighting(S1, S2)
    held = held_attack(book)
    (event,) = of_kind(call_off(book, released(book, held, beast)), HoldReturned)
    assert (event.hold, event.trigger, event.audience(book.state)) == (held, "when it moves", PUBLIC)
    assert book.state.holds[held].triggered and book.state.question(Asked.HELD, held) is None  # nobody is asked again
    (again,) = of_kind(book.when(ReleaseHold(hold=held, target=pc(book, S2)), by=S1), AttackDeclared)
    assert again.target == pc(book, S2) and not book.state.holds
    require_sound(book)


@pytest.mark.rule("DT-CMB-15", "DT-EX-106", "DT-CMB-4")
def test_a_held_attack_that_was_called_off_lapses_with_the_next_own_turn():
    book, beast = fighting(S1)
    held = held_attack(book)
    call_off(book, released(book, held, beast))
    events = book.when(EndTurn(), by=GM)
    assert [each.hold for each in of_kind(events, HoldLapsed)] == [held]
    assert not book.state.encounter.attacked and not book.state.holds


@pytest.mark.rule("DT-CMB-15", "DT-CMB-3")
def test_the_attack_of_the_turn_is_used_though_a_hold_is_given_back_in_it():
    """Held, triggered, released and called off all in the own turn: what comes back is the hold alone."""
    book, beast = fighting(S1)
    held = held_attack(book)
    book.when(TriggerHold(hold=held), by=GM)
    (event,) = of_kind(book.when(ReleaseHold(hold=held, target=beast), by=S1), AttackDeclared)
    call_off(book, event.attack)
    with refused("action.used", book.state):
        held_attack(book)
    assert list(book.state.holds) == [held]


@pytest.mark.rule("DT-AMB-62", "DT-CMB-4", "DT-CHR-8")
def test_what_a_monster_holds_again_is_the_world_masters_secret():
    book, beast = fighting(S1)
    book.when(EndTurn(), by=S1)
    held = held_attack(book, by=GM, actor=beast)
    (event,) = of_kind(book.when(ReleaseHold(hold=held, target=pc(book, S1)), by=GM), AttackDeclared)
    book.when(ChooseDefence(attack=event.attack, uses=Uses.NONE), by=S1)
    (returned,) = of_kind(call_off(book, event.attack), HoldReturned)
    assert returned.audience(book.state) == GM_ALONE
    assert returned.hold != held  # that id everybody knows from the release
    assert book.state.holds[returned.hold].hidden
    require_sound(book)


@pytest.mark.rule("DT-AMB-62", "DT-AMB-53")
def test_a_seat_that_is_left_holds_its_attack_again():
    book, beast = fighting(S1, S2)
    held = held_attack(book)
    attack = released(book, held, beast)
    events = book.when(LeaveSeat(), by=S1)
    assert [e.attack for e in of_kind(events, AttackCalledOff)] == [attack] and of_kind(events, HoldReturned)
    assert list(book.state.holds) == [held]


@pytest.mark.rule("DT-CMB-15")
def test_an_attack_of_a_turn_that_is_called_off_gives_no_hold():
    book, beast = fighting(S1)
    assert not of_kind(call_off(book, declare(book, S1, beast)), HoldReturned)


@pytest.mark.rule("DT-AMB-61", "DT-EX-107", "DT-CMB-6")
def test_an_attack_that_misses_owes_no_die():
    book, beast = fighting(S1)
    set_attack(book, declare(book, S1, beast), (2,), (5,))
    assert of_kind(close(book, S1), AttackMissed) and not book.state.due_placements()


@pytest.mark.rule("DT-TWR-2", "DT-EX-109")
def test_a_player_reports_no_die():
    command = ReportDie(placement=UUID(int=1), stands=True)
    with refused("issuer.other"):
        require_issuer(command, Actor(Issuer.SEAT, seat=S1))
    for role in (Issuer.GM, Issuer.HOST):
        require_issuer(command, Actor(role))
