"""The tower in play: it stands, falls, is a miracle (chapters 3 and 4 of the rulebook).

Long for one reason: what follows upon a die is one chain.
"""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from games.dietower.rules.actors.commands import SetState
from games.dietower.rules.actors.events import ActorFell, ActorRevived
from games.dietower.rules.checks.events import PoolRolled, RollClosed
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.state.schema_types import Asked, Condition, Harm, MiracleKind, Mode, Reason, Target
from games.dietower.rules.table.commands import CloseSession, EndScene, LeaveSeat, OpenSession
from games.dietower.rules.tower.commands import (
    AmendConsequence,
    ChooseMiracle,
    PlaceDie,
    ReportDie,
    ResetTower,
    WriteConsequence,
)
from games.dietower.rules.tower.events import (
    BonusEnded,
    BonusGranted,
    ConsequenceWritten,
    DiePlaced,
    MiracleDue,
    PlacementsDropped,
    RiskShown,
    TerribleThingDue,
    TowerFell,
    TowerReset,
    TowerTakenDown,
)
from games.dietower.rules.wishes.events import WishEarned, WishLost
from tests.playbook import of_kind, refused
from tests.rules.dietower.stage import (
    GM,
    GM_SEAT,
    HOST,
    HOST_SEAT,
    S1,
    S2,
    acting_for,
    build,
    check,
    monster,
    npc,
    pc,
    place,
    playing,
    raise_to,
    require_sound,
    roll_check,
    straight,
)

HURT = "The roof comes down."


def write(book, *targets, kind=Harm.LOSS):
    """Write the terrible thing that is due."""
    consequence = next(c.id for c in book.state.consequences.values() if not c.written)
    struck = tuple(Target(actor=actor, fallen=fallen) for actor, fallen in targets)
    return book.when(WriteConsequence(consequence=consequence, kind=kind, text=HURT, targets=struck), by=GM)


def report(book, stands, by=GM):
    """Report the next die of a real tower."""
    return book.when(ReportDie(placement=book.state.due_placements()[0].id, stands=stands), by=by)


def choose(book, kind, target, by=S1):
    """Choose the miracle that is due."""
    miracle = next(m.id for m in book.state.miracles.values() if m.kind is None)
    return book.when(ChooseMiracle(miracle=miracle, kind=kind, target=target), by=by)


@pytest.mark.rule("DT-TWR-1", "DT-TWR-3", "DT-EX-79", "DT-EX-61", "DT-CHK-12")
def test_pc_and_npc_build_one_tower_and_a_character_earns_a_wish():
    book = playing()
    odo = npc(book)
    raise_to(book, pc(book, S1), 3, wishes=0)
    check(book, S1, (2, 2))
    earned = of_kind(place(book, S1), WishEarned)
    assert [(e.actor, e.wishes) for e in earned] == [(pc(book, S1), 1)]
    assert (book.state.tower.last_placer, book.state.tower.master_last) == (S1, False)
    roll_check(book, odo, (2, 2))
    events = place(book, GM, 3, 3, 3, 3)
    assert not of_kind(events, WishEarned, WishLost)
    assert (book.state.tower.height, book.state.tower.last_placer, book.state.tower.master_last) == (2, None, True)
    require_sound(book)


@pytest.mark.rule("DT-SIM-1", "DT-SIM-2", "DT-SIM-3", "DT-SIM-5", "DT-EX-22", "DT-EX-36")
def test_the_event_of_a_die_holds_all_that_is_needed_to_check_it():
    book = playing()
    check(book, S1, (2, 2))
    (first,) = of_kind(place(book, S1), DiePlaced)
    assert (first.dice, first.offset, first.height) == ((), None, 1)
    check(book, S1, (2, 2))
    (second,) = of_kind(place(book, S1, 3, 3, 1, 6), DiePlaced)
    assert (second.dice, second.offset.x, second.offset.y, second.centre.y) == ((3, 3, 1, 6), 0, -5, -5)
    check(book, S1, (2, 2))
    (fall,) = of_kind(place(book, S1, 3, 3, 1, 6), TowerFell)
    assert [(c.x, c.y) for c in fall.centres] == [(0, 0), (0, -5), (0, -10)]
    assert (fall.level, fall.axis, fall.height) == (1, "y", 2)
    require_sound(book)


@pytest.mark.rule("DT-TWR-4", "DT-AMB-7", "DT-EX-40")
def test_a_fall_costs_something_terrible_and_drops_the_second_die():
    book = playing()
    build(book, (0, 0), (5, 0), (7, 0), (2, 0), (2, 0), (2, 0), (2, 0), (2, 0), (2, 0))
    build_height = book.state.tower.height
    check(book, S1, (1,), cd=Cd.EASY, good=False)
    before = book.state.sheets[pc(book, S1)].wishes
    book.state.dice[9] = type(book.state.dice[9])(9, book.state.dice[9].placement, pc(book, S1), 40, 0)
    events = place(book, S1, 3, 3, 3, 3)
    assert build_height == 9 and of_kind(events, TowerFell, TerribleThingDue, PlacementsDropped)
    assert len(of_kind(events, TerribleThingDue)) == 1
    assert (book.state.tower.height, book.state.due_placements()) == (0, [])
    assert book.state.sheets[pc(book, S1)].wishes == before
    prompt = book.state.prompts[book.state.question(Asked.TERRIBLE)]
    assert prompt.owners == ("gm",)


@pytest.mark.rule("DT-TWR-4", "DT-CHR-4", "DT-AMB-23", "DT-EX-73")
def test_the_world_master_names_whom_it_strikes_and_who_falls():
    book = playing()
    a, b = pc(book, S1), pc(book, S2)
    fall(book)
    beast = monster(book)
    with refused("target.invalid", book.state):
        write(book, (beast, True))
    with refused("target.invalid", book.state):
        write(book, (a, True), (a, False))
    events = write(book, (b, True), (a, False), kind=Harm.DEATH)
    assert [e.actor for e in of_kind(events, ActorFell)] == [b]
    assert [book.state.actors[x].condition for x in (a, b)] == [Condition.ACTIVE, Condition.FALLEN]
    book.when(SetState(actor=b, state=Condition.ACTIVE, reason="healed"), by=GM)
    assert book.state.actors[b].condition is Condition.ACTIVE
    require_sound(book)


def fall(book):
    """The tower falls by a die of the first seat."""
    build(book, (0, 0), (5, 0), (7, 0))
    check(book, S1, (3, 2), cd=Cd.TOUGH)
    assert of_kind(place(book, S1, 6, 1, 3, 3), TowerFell)


@pytest.mark.rule("DT-TWR-4", "DT-AMB-31", "DT-EX-68")
def test_a_silent_world_master_leaves_the_terrible_thing_open_and_may_write_it_later():
    book = playing()
    fall(book)
    (written,) = of_kind(book.wait(timedelta(minutes=5)), ConsequenceWritten)
    assert (written.kind, written.text) == (Harm.OTHER, "left open by the WM")
    assert written.targets == (Target(actor=pc(book, S1), fallen=False),)
    target = (Target(actor=pc(book, S1), fallen=True),)
    command = AmendConsequence(
        consequence=written.consequence, kind=Harm.INJURY, text="A leg.", targets=target, reason="late"
    )
    assert of_kind(book.when(command, by=GM), ActorFell)
    require_sound(book)


@pytest.mark.rule("DT-AMB-59")
def test_who_is_struck_down_no_longer_gets_up():
    book = playing()
    a, b = pc(book, S1), pc(book, S2)
    fall(book)
    write(book, (a, True))
    (consequence,) = book.state.consequences
    command = AmendConsequence(
        consequence=consequence, kind=Harm.LOSS, text="Only gold.", targets=(Target(actor=b, fallen=True),), reason="x"
    )
    events = book.when(command, by=GM)
    assert [e.actor for e in of_kind(events, ActorRevived)] == [a]
    assert [e.actor for e in of_kind(events, ActorFell)] == [b]


@pytest.mark.rule("DT-TWR-5", "DT-TWR-6", "DT-AMB-9", "DT-EX-31")
def test_the_thirteenth_die_is_a_miracle_and_the_tower_is_taken_down():
    book = playing()
    a = pc(book, S1)
    raise_to(book, a, 4, wishes=1)
    build(book, *straight(12))
    check(book, S1, (2, 2))
    events = place(book, S1, 3, 3, 3, 3)
    assert of_kind(events, MiracleDue) and book.state.sheets[a].wishes == 2
    events = choose(book, MiracleKind.EXTRA_DIE, a)
    assert of_kind(events, BonusGranted) and not of_kind(events, TerribleThingDue)
    assert [e.height for e in of_kind(events, TowerTakenDown)] == [13]
    assert book.state.tower.height == 0
    require_sound(book)


@pytest.mark.rule("DT-AMB-19", "DT-TWR-6", "DT-EX-41")
def test_the_second_die_of_a_roll_is_the_first_of_the_new_tower():
    book = playing()
    a = pc(book, S1)
    raise_to(book, a, 3, wishes=0)
    build(book, *straight(12))
    check(book, S1, (1,), cd=Cd.EASY, good=False)
    place(book, S1, 3, 3, 3, 3)
    assert book.state.sheets[a].wishes == 1 and book.state.question(Asked.PLACE) is None
    choose(book, MiracleKind.EXTRA_DIE, a)
    (stands,) = of_kind(place(book, S1), DiePlaced)
    assert (stands.height, book.state.sheets[a].wishes) == (1, 2)
    require_sound(book)


@pytest.mark.rule("DT-TWR-5", "DT-AMB-8", "DT-AMB-25", "DT-AMB-50")
def test_the_placer_chooses_the_miracle_and_nobody_for_them():
    book = playing()
    a, b, beast = pc(book, S1), pc(book, S2), monster(book)
    book.when(SetState(actor=b, state=Condition.FALLEN, reason="fate"), by=GM)
    build(book, *straight(12))
    check(book, S1, (2, 2))
    place(book, S1, 3, 3, 3, 3)
    for by in (S2, GM, acting_for(S1)):
        with refused("miracle.not_yours", book.state):
            choose(book, MiracleKind.REVIVE, b, by=by)
    with refused("actor.active", book.state):
        choose(book, MiracleKind.REVIVE, a)
    with refused("actor.fallen", book.state):
        choose(book, MiracleKind.EXTRA_DIE, b)
    with refused("actor.missing", book.state):
        choose(book, MiracleKind.EXTRA_DIE, beast)
    assert [e.actor for e in of_kind(choose(book, MiracleKind.REVIVE, b), ActorRevived)] == [b]
    require_sound(book)


@pytest.mark.rule("DT-AMB-50", "DT-AMB-31")
def test_a_silent_placer_is_revived_or_else_rolls_a_die_more():
    for fallen in (False, True):
        book = playing()
        a = pc(book, S1)
        build(book, *straight(12))
        check(book, S1, (2, 2))
        if fallen:
            book.when(SetState(actor=a, state=Condition.FALLEN, reason="fate"), by=GM)
        place(book, S1, 3, 3, 3, 3)
        events = book.wait(timedelta(minutes=2))
        assert bool(of_kind(events, ActorRevived)) is fallen and bool(of_kind(events, BonusGranted)) is not fallen


@pytest.mark.rule("DT-TWR-5", "DT-AMB-24", "DT-EX-60")
def test_two_miracles_add_one_die_to_a_roll_until_the_scene_ends():
    book = playing()
    a = pc(book, S1)
    book.plant(
        BonusGranted(miracle=UUID(int=1), actor=a, until="scene"),
        BonusGranted(miracle=UUID(int=2), actor=a, until="scene"),
    )
    (thrown,) = of_kind(roll_check(book, a, (3, 4, 5), cd=Cd.CHALLENGING), PoolRolled)
    assert thrown.pool == (3, 4, 5)
    (closed,) = of_kind(book.wait(timedelta(minutes=1)), RollClosed)
    assert (closed.total, closed.success) == (12, True)
    assert len(of_kind(book.when(EndScene(), by=GM), BonusEnded)) == 2


@pytest.mark.rule("DT-AMB-54")
def test_the_end_of_a_session_ends_the_dice_of_miracles():
    book = playing()
    book.plant(BonusGranted(miracle=UUID(int=1), actor=pc(book, S1), until="scene"))
    assert of_kind(book.when(CloseSession(), by=GM), BonusEnded)


@pytest.mark.rule("DT-TWR-2", "DT-AMB-31", "DT-EX-69")
def test_a_real_tower_is_reported_by_the_world_master_then_by_the_host_then_the_die_is_dropped():
    book = playing(mode=Mode.PHYSICAL)
    build(book, *straight(6))
    check(book, S1, (2, 2))
    with refused("tower.physical", book.state):
        book.when(PlaceDie(placement=book.state.due_placements()[0].id), by=S1)
    with refused("prompt.not_yours", book.state):
        report(book, True, by=HOST)
    book.wait(timedelta(minutes=1))
    prompt = book.state.prompts[book.state.question(Asked.PLACE)]
    assert prompt.owners == ("gm", f"seat:{HOST_SEAT}")
    events = book.wait(timedelta(minutes=1))
    assert [e.reason for e in of_kind(events, PlacementsDropped)] == ["silence"]
    assert (book.state.tower.height, of_kind(events, TerribleThingDue, WishEarned, WishLost)) == (6, [])
    require_sound(book)


@pytest.mark.rule("DT-TWR-2", "DT-TWR-3", "DT-TWR-4", "DT-SIM-4")
def test_a_real_tower_has_no_centres_no_risk_and_falls_as_reported():
    book = playing(mode=Mode.PHYSICAL)
    events = check(book, S1, (2, 2))
    assert not of_kind(events, RiskShown)
    (stands,) = of_kind(report(book, True), DiePlaced)
    assert (stands.centres, stands.dice, stands.centre, stands.height) == ((), (), None, 1)
    check(book, S1, (2, 2))
    book.wait(timedelta(minutes=1))
    (falls,) = of_kind(report(book, False, by=HOST), TowerFell)
    assert (falls.centres, falls.level, falls.axis, falls.height) == ((), None, None, 1)
    assert book.state.question(Asked.TERRIBLE) is not None
    require_sound(book)
    simulated = playing()
    check(simulated, S1, (2, 2))
    with refused("tower.simulated", simulated.state):
        report(simulated, True)


@pytest.mark.rule("DT-TWR-7", "DT-AMB-22", "DT-EX-42")
def test_a_session_with_a_tower_of_another_kind_takes_the_old_one_down():
    book = playing(mode=Mode.PHYSICAL)
    build(book, *straight(8))
    wishes = book.state.sheets[pc(book, S1)].wishes
    book.when(CloseSession(), by=GM)
    events = book.when(OpenSession(mode=Mode.SIMULATED, half_width=6), by=GM)
    (reset,) = of_kind(events, TowerReset)
    assert (reset.height, reset.reason, reset.mode) == (0, "mode change", Mode.SIMULATED)
    assert not of_kind(events, TerribleThingDue) and book.state.sheets[pc(book, S1)].wishes == wishes
    book.when(CloseSession(), by=GM)
    assert not of_kind(book.when(OpenSession(), by=GM), TowerReset)
    require_sound(book)


@pytest.mark.rule("DT-TWR-7", "DT-SIM-1")
def test_the_tower_is_reset_with_a_reason_and_stands_over_sessions():
    book = playing()
    build(book, *straight(4))
    book.when(CloseSession(), by=GM)
    book.when(OpenSession(), by=GM)
    assert book.state.tower.height == 4
    for half_width in (4, 9):
        with refused("config.range", book.state):
            book.when(ResetTower(reason="new table", half_width=half_width), by=GM)
    (reset,) = of_kind(book.when(ResetTower(reason="new table", half_width=8), by=GM), TowerReset)
    assert (reset.half_width, book.state.tower.height) == (8, 0)
    check(book, S1, (2, 2))
    with refused("prompt.open", book.state):
        book.when(ResetTower(reason="again"), by=GM)


@pytest.mark.rule("DT-SIM-4", "DT-AMB-31")
def test_the_service_places_the_die_of_a_silent_placer():
    book = playing()
    check(book, S1, (2, 2))
    assert not of_kind(book.wait(timedelta(seconds=59)), DiePlaced)
    assert of_kind(book.wait(timedelta(seconds=1)), DiePlaced)


@pytest.mark.rule("DT-TBL-4", "DT-AMB-53", "DT-AMB-50")
def test_the_dice_of_a_seat_that_is_left_are_placed_when_their_turn_comes():
    book = playing()
    check(book, S2, (2, 2))
    check(book, S1, (1,), cd=Cd.EASY, good=False)
    reasons = [p.reason for p in book.state.due_placements()]
    assert reasons == [Reason.FAILURE, Reason.NET_FAIL, Reason.FAILURE]
    book.when(LeaveSeat(), by=S1)
    assert len(book.state.due_placements()) == 3
    events = book.when(PlaceDie(placement=book.state.due_placements()[0].id), by=S2)
    assert len(of_kind(events, DiePlaced)) == 3 and book.state.due_placements() == []
    assert GM_SEAT in book.state.seats


@pytest.mark.rule("DT-EX-103", "DT-AMB-50", "DT-AMB-25")
def test_the_world_master_chooses_for_a_seat_that_nobody_holds_alone():
    book = playing()
    a = pc(book, S1)
    build(book, *straight(12))
    check(book, S1, (2, 2))
    place(book, S1, 3, 3, 3, 3)
    with refused("miracle.not_yours", book.state):
        choose(book, MiracleKind.EXTRA_DIE, a, by=acting_for(S1))
    book.state.seats[S1] = replace(book.state.seats[S1], user=None)
    assert [e.actor for e in of_kind(choose(book, MiracleKind.EXTRA_DIE, a, by=acting_for(S1)), BonusGranted)] == [a]


@pytest.mark.rule("DT-EX-105", "DT-TWR-5", "DT-AMB-50")
def test_a_placer_who_fell_while_the_die_waited_is_revived_by_silence():
    for falls in (True, False):
        book = playing()
        a = pc(book, S1)
        build(book, *straight(12))
        check(book, S1, (2, 2))
        if falls:
            book.when(SetState(actor=a, state=Condition.FALLEN, reason="fate"), by=GM)
        place(book, S1, 3, 3, 3, 3)
        events = book.wait(timedelta(minutes=2))
        assert [e.actor for e in of_kind(events, ActorRevived)] == ([a] if falls else [])
        assert [e.actor for e in of_kind(events, BonusGranted)] == ([] if falls else [a])
        require_sound(book)
