"""What the world master's bot judges in an encounter: who comes, goes and acts when, and how far apart they are."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from games.dietower.rules.actors.commands import RaiseLevel, SetState
from games.dietower.rules.actors.events import ActorFell
from games.dietower.rules.bots.evening import own_idea
from games.dietower.rules.bots.master import steady
from games.dietower.rules.checks.events import PoolRolled, RollClosed
from games.dietower.rules.combat.action_events import (
    AttackDeclared,
    AttackHit,
)
from games.dietower.rules.combat.commands import EndTurn, MoveActor
from games.dietower.rules.combat.encounter_commands import (
    CloseEncounter,
    JoinEncounter,
    LeaveEncounter,
    OpenEncounter,
    SetBand,
    SetInitiative,
)
from games.dietower.rules.combat.events import ActorMoved, BandSet, RoundStarted
from games.dietower.rules.state.schema_types import Band, Condition, Harm, Point, Reason, Uses
from games.dietower.rules.tower.events import DiePlaced, PlacementDue
from games.dietower.rules.wishes.events import WishesSpent
from games.engine.kernel import Command
from tests.playbook import Playbook
from tests.rules.dietower.fights import (
    LOOKS,
    beat,
    hit,
    leads,
    look,
    monsters_turn,
    strike,
    under_way,
    with_friend,
)
from tests.rules.dietower.scenes import declare
from tests.rules.dietower.stage import GM, GM_SEAT, S1, S2, S3, check, monster, npc, pc, playing, require_sound


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
