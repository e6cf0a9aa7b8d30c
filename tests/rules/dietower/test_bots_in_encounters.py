"""What bots judge in an encounter: who comes, goes and acts when, and which held action is worth its moment."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from games.dietower.rules.actors.commands import RaiseLevel, SetState
from games.dietower.rules.actors.events import ActorFell
from games.dietower.rules.bots.encounters import lead_encounter
from games.dietower.rules.bots.evening import own_idea
from games.dietower.rules.bots.fights import nearest_opponent
from games.dietower.rules.bots.lists import RETREATS
from games.dietower.rules.bots.master import steady
from games.dietower.rules.bots.players import sensible
from games.dietower.rules.checks.events import PoolRolled, RollClosed
from games.dietower.rules.combat.action_events import (
    AttackDeclared,
    AttackHit,
    AttackMissed,
    HealthChanged,
    MonsterBeaten,
)
from games.dietower.rules.combat.commands import EndTurn, HoldAction, KeepHold, MoveActor, ReleaseHold
from games.dietower.rules.combat.encounter_commands import (
    CloseEncounter,
    JoinEncounter,
    LeaveEncounter,
    OpenEncounter,
    SetBand,
    SetInitiative,
)
from games.dietower.rules.combat.events import ActorMoved, BandSet, RoundStarted
from games.dietower.rules.combat.ruling_commands import TriggerHold
from games.dietower.rules.state.schema_types import ActionKind, Band, Condition, Harm, Point, Reason, Target, Uses
from games.dietower.rules.tower.events import ConsequenceWritten, DiePlaced, PlacementDue, TerribleThingDue, TowerFell
from games.dietower.rules.wishes.events import WishesSpent
from games.engine.dice import SecretDice, Tray
from games.engine.kernel import Command
from games.engine.policies import Look, questions_of
from tests.playbook import Playbook
from tests.rules.dietower.scenes import declare, fighting
from tests.rules.dietower.stage import GM, GM_SEAT, S1, S2, S3, check, monster, npc, pc, playing, require_sound

LOOKS = 60
"""So many dice say whether something is done now and then."""


def look(book: Playbook, seat: UUID = GM_SEAT, number: int = 0) -> Look[Any]:
    """A seat's look at the game."""
    state = book.state.view_for(frozenset({seat}), gm=seat == GM_SEAT)
    return Look(state, seat, Tray(SecretDice(b"bots", str(number))), questions_of(state, seat))


def leads(book: Playbook) -> Command | None:
    """What the world master's bot says of the encounter."""
    return lead_encounter(look(book))


def does(book: Playbook, seat: UUID, number: int = 0) -> Command | None:
    """What a player's bot does."""
    asked = look(book, seat, number)
    return sensible(asked.state, seat, asked.tray).command


def strike(book: Playbook, actor: UUID, beast: UUID, number: int = 1, kind: Harm = Harm.INJURY) -> None:
    """The tower has fallen by a die that somebody owed for an attack of a Monster, and something has struck them."""
    attack, roll, placement, consequence = (UUID(int=number * 0x100 + n) for n in range(4))
    book.plant(
        AttackDeclared(attack=attack, actor=beast, target=actor, uses=Uses.NONE),
        AttackMissed(attack=attack),
        PoolRolled(roll=roll, actor=actor, attack=attack, dice=(1,), discarded=None, pool=(1,), flat=0),
        RollClosed(roll=roll, net=-1, extra=(), flat=0, total=1),
        PlacementDue(placement=placement, roll=roll, actor=actor, reason=Reason.NET_FAIL),
        TowerFell(placement=placement, actor=actor, height=3),
        TerribleThingDue(consequence=consequence, placement=placement, actor=actor),
        ConsequenceWritten(
            consequence=consequence, kind=kind, text="A beam.", targets=(Target(actor=actor, fallen=False),)
        ),
    )


def hit(book: Playbook, actor: UUID, beast: UUID, number: int) -> None:
    """An attack of a character has hit."""
    attack = UUID(int=0xA000 + number)
    book.plant(
        AttackDeclared(attack=attack, actor=actor, target=beast, uses=Uses.NONE),
        AttackHit(attack=attack, weakness=False),
    )


def beat(book: Playbook, beast: UUID) -> None:
    """The Monster is beaten."""
    book.plant(HealthChanged(actor=beast, health=0), MonsterBeaten(actor=beast))


def under_way(*seats: UUID) -> tuple[Playbook, UUID]:
    """An encounter in which somebody has done something."""
    book, beast = fighting(*seats)
    book.when(MoveActor(target=beast, band=Band.SHORT), by=seats[0])
    return book, beast


# --- who acts when ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("DT-CMB-2", "DT-AMB-58")
def test_before_anybody_acts_those_who_have_rolled_least_follow_who_begins_and_this_once() -> None:
    book = playing(S1, S2, S3)
    for seat in (S2, S2, S3):
        check(book, seat, (3, 4))
    beast = monster(book)
    book.when(OpenEncounter(members=(beast,)), by=GM)
    one, two, three = (pc(book, seat) for seat in (S1, S2, S3))
    assert book.state.encounter.order == (one, two, three, beast)

    said = leads(book)
    assert isinstance(said, SetInitiative) and said.order == (one, three, two, beast)
    book.when(said, by=GM)
    assert leads(book) is None
    require_sound(book)


@pytest.mark.rule("DT-CMB-2")
def test_once_somebody_has_acted_the_order_stands() -> None:
    book = playing(S1, S2, S3)
    check(book, S2, (3, 4))
    beast = monster(book)
    book.when(OpenEncounter(members=(beast,)), by=GM)
    assert isinstance(leads(book), SetInitiative)
    book.when(MoveActor(target=beast, band=Band.SHORT), by=S1)
    assert leads(book) is None


@pytest.mark.rule("DT-CMB-2")
def test_the_world_masters_bot_looks_again_at_once_when_it_has_opened_an_encounter() -> None:
    book = playing(S1)
    asked = look(book)
    assert steady.again_in(asked, None, OpenEncounter(members=(monster(book),))).total_seconds() == 0


# --- who comes and goes -----------------------------------------------------------------------------------------------
def with_friend(*, member: bool) -> tuple[Playbook, UUID, UUID]:
    """An encounter under way; somebody goes along who takes part, or is elsewhere."""
    book = playing(S1, S2)
    beast, friend = monster(book), npc(book)
    book.when(OpenEncounter(members=(beast, *([friend] if member else []))), by=GM)
    book.when(MoveActor(target=beast, band=Band.SHORT), by=S1)
    return book, beast, friend


@pytest.mark.rule("DT-CMB-1", "DT-AMB-58")
@pytest.mark.parametrize("bad", ["a second round", "somebody fell"])
def test_who_goes_along_and_was_elsewhere_joins_an_encounter_that_goes_badly(bad: str) -> None:
    book, _, friend = with_friend(member=False)
    assert leads(book) is None
    book.plant(RoundStarted(round=2) if bad == "a second round" else ActorFell(actor=pc(book, S2), text="hurt"))
    said = leads(book)
    assert said == JoinEncounter(actor=friend, band=Band.SHORT)
    book.when(said, by=GM)
    assert leads(book) is None
    require_sound(book)


@pytest.mark.rule("DT-CMB-1")
def test_a_character_that_was_down_when_it_began_and_is_up_again_joins() -> None:
    book = playing(S1, S2)
    book.when(SetState(actor=pc(book, S2), state=Condition.FALLEN, reason="a test"), by=GM)
    beast = monster(book)
    book.when(OpenEncounter(members=(beast,)), by=GM)
    book.when(MoveActor(target=beast, band=Band.SHORT), by=S1)
    assert leads(book) is None
    book.when(SetState(actor=pc(book, S2), state=Condition.ACTIVE, reason="a test"), by=GM)
    assert leads(book) == JoinEncounter(actor=pc(book, S2))


@pytest.mark.rule("DT-CMB-1")
def test_now_and_then_who_goes_along_is_elsewhere_when_an_encounter_begins() -> None:
    book = playing(S1)
    beast, friend = monster(book), npc(book)
    for _ in range(7):
        check(book, S1, (3, 4))
    opened = [own_idea(look(book, number=number)) for number in range(LOOKS)]
    assert {each.members for each in opened if isinstance(each, OpenEncounter)} == {(beast,), (beast, friend)}


@pytest.mark.rule("DT-CMB-1", "DT-AMB-55")
def test_who_would_fall_by_the_next_is_brought_away_once_struck_in_the_encounter_and_stays_away() -> None:
    book, beast = under_way(S1, S2)
    strike(book, pc(book, S2), beast, 1)
    assert not isinstance(leads(book), LeaveEncounter)
    strike(book, pc(book, S2), beast, 2)
    said = leads(book)
    assert said == LeaveEncounter(actor=pc(book, S2))
    book.when(said, by=GM)
    book.plant(RoundStarted(round=2))
    assert leads(book) is None
    require_sound(book)


@pytest.mark.rule("DT-CMB-1", "DT-WSH-3")
def test_who_is_struck_and_has_no_wish_left_is_brought_away_at_once() -> None:
    book, beast = under_way(S1, S2)
    book.plant(WishesSpent(actor=pc(book, S2), count=1, wishes=0, kind="die"))
    assert leads(book) is None
    strike(book, pc(book, S2), beast)
    assert leads(book) == LeaveEncounter(actor=pc(book, S2))


@pytest.mark.rule("DT-CMB-1")
def test_who_was_struck_before_the_encounter_stays_in_it() -> None:
    book, beast = under_way(S1, S2)
    for number in (1, 2):
        strike(book, pc(book, S2), beast, number)
    beat(book, beast)
    book.when(CloseEncounter(), by=GM)
    book.when(OpenEncounter(members=(monster(book, "Another"),)), by=GM)
    assert not isinstance(leads(book), LeaveEncounter)


@pytest.mark.rule("DT-CMB-1")
def test_the_last_character_does_not_leave_however_hurt() -> None:
    book, beast = under_way(S1)
    for number in (1, 2):
        strike(book, pc(book, S1), beast, number)
    assert not isinstance(leads(book), LeaveEncounter)


@pytest.mark.rule("DT-CMB-1")
def test_who_goes_along_is_brought_away_when_struck_for_the_first_time() -> None:
    book, beast, friend = with_friend(member=True)
    strike(book, friend, beast)
    assert leads(book) == LeaveEncounter(actor=friend)


@pytest.mark.rule("DT-CMB-1", "DT-CMB-3")
@pytest.mark.parametrize("wanted", [JoinEncounter, LeaveEncounter])
def test_nobody_comes_or_goes_while_a_question_in_the_turn_is_open(wanted: type[Command]) -> None:
    book, beast = under_way(S1, S2)
    if wanted is JoinEncounter:
        npc(book)
        book.plant(RoundStarted(round=2))
    else:
        for number in (1, 2):
            strike(book, pc(book, S1), beast, number)
    assert isinstance(leads(book), wanted)
    book.when(EndTurn(), by=S1)
    declare(book, S2, beast)
    assert leads(book) is None


# --- how far apart ----------------------------------------------------------------------------------------------------
def monsters_turn() -> tuple[Playbook, UUID]:
    """The first seat's character stands at the side of the Monster, whose turn it is."""
    book, beast = under_way(S1, S2)
    for seat in (S1, S2):
        book.when(EndTurn(), by=seat)
    assert book.state.encounter.turn == beast
    return book, beast


def blow(book: Playbook, beast: UUID, number: int = 7) -> None:
    """A Monster has hit the first seat's character, whose die stands."""
    attack, roll, placement = (UUID(int=number * 0x100 + n) for n in range(3))
    actor = pc(book, S1)
    book.plant(
        AttackDeclared(attack=attack, actor=beast, target=actor, uses=Uses.NONE),
        AttackHit(attack=attack, weakness=False),
        PoolRolled(roll=roll, actor=actor, attack=attack, dice=(2,), discarded=None, pool=(2,), flat=0),
        RollClosed(roll=roll, net=0, extra=(), flat=0, total=2),
        PlacementDue(placement=placement, roll=roll, actor=actor, reason=Reason.HIT),
        DiePlaced(placement=placement, actor=actor, centre=Point(x=0, y=0), height=1),
    )


@pytest.mark.rule("DT-CMB-12", "DT-AMB-14")
@pytest.mark.parametrize("by", ["a blow", "an injury"])
def test_who_is_hit_or_injured_at_the_side_of_a_monster_is_thrown_back_from_it_once(by: str) -> None:
    book, beast = monsters_turn()
    if by == "a blow":
        blow(book, beast)
    else:
        strike(book, pc(book, S1), beast)
    said = leads(book)
    assert said == SetBand(a=pc(book, S1), b=beast, band=Band.MEDIUM)
    book.when(said, by=GM)
    assert leads(book) is None
    require_sound(book)


@pytest.mark.rule("DT-CMB-12")
@pytest.mark.parametrize(
    ("_case", "kind", "later"),
    [
        ("a loss throws nobody back", Harm.LOSS, lambda book, beast: None),
        ("who stands farther away stays there", Harm.INJURY, lambda book, beast: away(book, beast)),
        ("a die has been placed since", Harm.INJURY, lambda book, beast: another_die(book)),
        ("who fell lies where they are", Harm.INJURY, lambda book, beast: down(book)),
        ("somebody else has the turn, and attacks", Harm.INJURY, lambda book, beast: next_attack(book, beast)),
        ("in its next turn the Monster has done nothing yet", Harm.INJURY, lambda book, beast: next_turns(book)),
    ],
)
def test_nobody_else_is_thrown_back(_case: str, kind: Harm, later: Callable[[Playbook, UUID], Any]) -> None:
    book, beast = monsters_turn()
    strike(book, pc(book, S1), beast, kind=kind)
    later(book, beast)
    assert leads(book) is None


def away(book: Playbook, beast: UUID) -> None:
    book.plant(ActorMoved(actor=pc(book, S1), target=beast, band=Band.LONG))


def down(book: Playbook) -> None:
    book.plant(ActorFell(actor=pc(book, S1), text="hurt"))


def next_attack(book: Playbook, beast: UUID) -> None:
    book.when(EndTurn(), by=GM)
    hit(book, pc(book, S1), beast, 0)


def next_turns(book: Playbook) -> None:
    for by in (GM, S1, S2):
        book.when(EndTurn(), by=by)


def another_die(book: Playbook) -> None:
    roll, placement = UUID(int=0xB01), UUID(int=0xB02)
    actor = pc(book, S2)
    book.plant(
        PoolRolled(roll=roll, actor=actor, dice=(1,), discarded=None, pool=(1,), flat=0),
        RollClosed(roll=roll, net=-1, extra=(), flat=0, total=1),
        PlacementDue(placement=placement, roll=roll, actor=actor, reason=Reason.NET_FAIL),
        DiePlaced(placement=placement, actor=actor, centre=Point(x=0, y=0), height=1),
    )


# --- the end ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("DT-CHR-3")
def test_who_hit_what_is_beaten_most_often_rises_before_the_encounter_is_closed() -> None:
    book, beast = under_way(S1, S2)
    for number, seat in enumerate((S1, S2, S2)):
        hit(book, pc(book, seat), beast, number)
    assert leads(book) is None
    beat(book, beast)
    said = leads(book)
    assert isinstance(said, RaiseLevel) and said.actor == pc(book, S2)
    book.when(said, by=GM)
    assert isinstance(leads(book), CloseEncounter)


@pytest.mark.rule("DT-CHR-3")
def test_nobody_rises_who_fell_or_has_the_level_of_the_session_already() -> None:
    book, beast = under_way(S1, S2)
    hit(book, pc(book, S2), beast, 0)
    beat(book, beast)
    book.plant(ActorFell(actor=pc(book, S2), text="hurt"))
    assert isinstance(leads(book), CloseEncounter)


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


@pytest.mark.rule("DT-CMB-5")
def test_a_monster_turns_to_any_of_those_who_are_nearest() -> None:
    book, beast = monsters_turn()
    assert {does_as_master(book, number).target for number in range(LOOKS)} == {pc(book, S1)}
    book.plant(BandSet(a=pc(book, S2), b=beast, band=Band.SHORT))
    targets = [does_as_master(book, number).target for number in range(LOOKS)]
    assert set(targets) == {pc(book, S1), pc(book, S2)} and LOOKS // 4 < targets.count(pc(book, S1)) < 3 * LOOKS // 4


def does_as_master(book: Playbook, number: int) -> Any:
    """What the world master's bot does."""
    asked = look(book, number=number)
    return steady(asked.state, GM_SEAT, asked.tray).command
