"""What a player's bot judges in an encounter: which held action is worth its moment, and who is no opponent."""

from uuid import UUID

import pytest

from games.dietower.rules.bots.fights import nearest_opponent
from games.dietower.rules.bots.lists import RETREATS
from games.dietower.rules.combat.commands import EndTurn, HoldAction, KeepHold, ReleaseHold
from games.dietower.rules.combat.encounter_commands import (
    OpenEncounter,
)
from games.dietower.rules.combat.events import BandSet
from games.dietower.rules.combat.ruling_commands import TriggerHold
from games.dietower.rules.state.schema_types import ActionKind, Band, Uses
from tests.playbook import Playbook
from tests.rules.dietower.fights import LOOKS, beat, does, hit, strike, with_friend
from tests.rules.dietower.scenes import declare, fighting
from tests.rules.dietower.stage import GM, S1, S2, npc, pc, playing, require_sound


# --- held actions -----------------------------------------------------------------------------------------------------
def held(book: Playbook, action: ActionKind, seat: UUID = S1) -> UUID:
    """An action that a seat holds, and that was triggered in the turn of another."""
    book.when(HoldAction(action=action, trigger="it comes for me"), by=seat)
    (hold,) = book.state.holds
    book.when(EndTurn(), by=seat)
    book.when(TriggerHold(hold=hold), by=GM)
    return hold


@pytest.mark.rule("DT-CMB-4", "DT-CMB-15")
def test_an_attack_with_a_weapon_is_kept_until_somebody_is_at_hand_and_then_carried_out() -> None:
    book, beast = fighting(S1, S2)
    hold = held(book, ActionKind.ATTACK)
    assert does(book, S1) == KeepHold(hold=hold)
    book.when(KeepHold(hold=hold), by=S1)
    assert does(book, S1) is None
    book.plant(BandSet(a=pc(book, S1), b=beast, band=Band.SHORT))
    late = does(book, S1)
    assert late == ReleaseHold(hold=hold, target=beast, uses=Uses.WEAPON)
    book.when(late, by=S1)
    require_sound(book)


@pytest.mark.rule("DT-CMB-4")
def test_what_was_kept_waits_while_a_question_in_the_turn_is_open() -> None:
    book, beast = fighting(S1, S2)
    hold = held(book, ActionKind.ATTACK)
    book.when(KeepHold(hold=hold), by=S1)
    book.plant(BandSet(a=pc(book, S1), b=beast, band=Band.SHORT))
    declare(book, S2, beast)
    assert does(book, S1) is None


@pytest.mark.rule("DT-CMB-4", "DT-CMB-12")
@pytest.mark.parametrize(
    ("_case", "is_struck", "is_covered"),
    [("struck, and somebody else is near", True, True), ("unhurt", False, True), ("nobody else is near", True, False)],
)
def test_a_movement_leads_who_was_struck_out_of_reach_while_another_stands_near_and_is_kept_else(
    _case: str, is_struck: bool, is_covered: bool
) -> None:
    book, beast = fighting(S1, S2)
    if is_struck:
        strike(book, pc(book, S1), beast)
    hold = held(book, ActionKind.MOVE)
    book.plant(BandSet(a=pc(book, S1), b=beast, band=Band.SHORT))
    if is_covered:
        book.plant(BandSet(a=pc(book, S2), b=beast, band=Band.SHORT))
    away = ReleaseHold(hold=hold, target=beast, band=Band.MEDIUM)
    said = does(book, S1)
    assert said == (away if is_struck and is_covered else KeepHold(hold=hold))
    book.when(said, by=S1)
    require_sound(book)


@pytest.mark.rule("DT-CMB-3", "DT-CMB-4")
def test_who_stands_near_and_has_attacked_holds_the_movement_now_and_then() -> None:
    book, beast = fighting(S1, S2)
    book.plant(BandSet(a=pc(book, S1), b=beast, band=Band.SHORT))
    hit(book, pc(book, S1), beast, 0)
    said = [does(book, S1, number) for number in range(LOOKS)]
    holds = [each for each in said if isinstance(each, HoldAction)]
    assert 0 < len(holds) < LOOKS // 2 and all(each == EndTurn() for each in said if each not in holds)
    assert {each.action for each in holds} == {ActionKind.MOVE} and {each.trigger for each in holds} <= set(RETREATS)
    book.when(holds[0], by=S1)
    assert does(book, S1) == EndTurn()


@pytest.mark.rule("DT-CMB-14")
def test_who_goes_along_is_nobodys_opponent_while_there_is_a_monster() -> None:
    book, beast, friend = with_friend(member=True)
    me = book.state.actors[pc(book, S1)]
    book.plant(BandSet(a=me.id, b=friend, band=Band.SHORT))
    assert nearest_opponent(book.state, me) == (beast, Band.SHORT)
    beat(book, beast)
    assert nearest_opponent(book.state, me) is None
    book = playing(S1)
    foe = npc(book)
    book.when(OpenEncounter(members=(foe,)), by=GM)
    assert nearest_opponent(book.state, book.state.actors[pc(book, S1)]) == (foe, Band.MEDIUM)
