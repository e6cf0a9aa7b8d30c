"""Chapter 6 of the rulebook, clause by clause: members, order, actions, what is held, silence.

Long for one reason: the rulebook has this in one chapter, and each of its clauses has a test.
"""

from datetime import timedelta

import pytest

from games.dietower.rules.actors.commands import SetState
from games.dietower.rules.checks.events import RollClosed, WindowClosed
from games.dietower.rules.combat.action_events import (
    AttackCalledOff,
    AttackDeclared,
    HoldKept,
    HoldLapsed,
)
from games.dietower.rules.combat.commands import (
    ChooseDefence,
    DeclareAttack,
    EndTurn,
    HoldAction,
    KeepHold,
    MoveActor,
    ReleaseHold,
)
from games.dietower.rules.combat.encounter_commands import (
    CloseEncounter,
    JoinEncounter,
    LeaveEncounter,
    OpenEncounter,
    SetBand,
    SetInitiative,
)
from games.dietower.rules.combat.events import ActorMoved, EncounterClosed, RoundStarted, TurnEnded
from games.dietower.rules.combat.ruling_commands import SetAttack, TriggerHold
from games.dietower.rules.state.schema_types import ActionKind, Asked, Band, Condition, Uses
from games.dietower.rules.table.commands import ConfigureGame, LeaveSeat, OpenSession
from games.dietower.rules.tower.events import DiePlaced
from tests.playbook import of_kind, refused
from tests.rules.dietower.scenes import declare, fighting, set_attack
from tests.rules.dietower.stage import (
    GM,
    S1,
    S2,
    S3,
    acting_for,
    close,
    monster,
    npc,
    open_roll,
    pc,
    playing,
    require_sound,
    setting_up,
    write,
)


def turn(book):
    """Whose turn it is."""
    return book.state.encounter.turn


def fell(book, actor):
    """Let somebody fall."""
    return book.when(SetState(actor=actor, state=Condition.FALLEN, reason="fate"), by=GM)


# --- members and order ------------------------------------------------------------------------------------------------
@pytest.mark.rule("DT-CMB-1", "DT-CMB-14")
def test_who_has_fallen_is_beaten_or_takes_part_is_not_named_again():
    book = playing(S1, S2)
    beast, odo = monster(book), npc(book)
    fell(book, odo)
    fell(book, pc(book, S2))
    with refused("target.invalid", book.state):
        book.when(OpenEncounter(members=(beast, odo)), by=GM)
    book.when(OpenEncounter(members=(beast,)), by=GM)
    assert set(book.state.members) == {pc(book, S1), beast}
    for actor in (odo, beast, pc(book, S2)):
        with refused("target.invalid", book.state):
            book.when(JoinEncounter(actor=actor), by=GM)
    with refused("target.invalid", book.state):
        book.when(LeaveEncounter(actor=odo), by=GM)
    with refused("target.invalid", book.state):
        book.when(DeclareAttack(target=odo, uses=Uses.NONE), by=S1)


@pytest.mark.rule("DT-CMB-1", "DT-CMB-12", "DT-AMB-58")
def test_a_newcomer_acts_behind_whom_is_named_at_the_band_that_is_said():
    book, beast = fighting(S1, S2)
    odo, late = npc(book), monster(book, "Late")
    with refused("target.invalid", book.state):
        book.when(JoinEncounter(actor=odo, after=late), by=GM)
    book.when(JoinEncounter(actor=odo, after=pc(book, S1), band=Band.LONG), by=GM)
    assert book.state.encounter.order == (pc(book, S1), odo, pc(book, S2), beast)
    assert {book.state.distances[pc(book, seat), odo].band for seat in (S1, S2)} == {Band.LONG}
    assert (odo, beast) not in book.state.distances and (beast, odo) not in book.state.distances
    assert book.state.distances[pc(book, S1), beast].band is Band.MEDIUM


@pytest.mark.rule("DT-CMB-1")
def test_nobody_leaves_in_the_middle_of_an_attack_and_others_end_no_turn_then():
    book, beast = fighting(S1)
    attack = declare(book, S1, beast)
    for command in (LeaveEncounter(actor=beast), LeaveEncounter(actor=pc(book, S1)), EndTurn(), SetBand(
        a=beast, b=pc(book, S1), band=Band.LONG
    )):  # fmt: skip
        with refused("prompt.open", book.state):
            book.when(command, by=GM)
    book.when(SetAttack(attack=attack, possible=False), by=GM)
    book.when(LeaveEncounter(actor=beast), by=GM)


@pytest.mark.rule("DT-CMB-2", "DT-AMB-36")
def test_a_new_order_names_each_active_member_once():
    book, beast = fighting(S1, S2)
    a, b = pc(book, S1), pc(book, S2)
    fell(book, b)
    for order in ((a,), (a, a, beast), (a, beast, npc(book))):
        with refused("target.invalid", book.state):
            book.when(SetInitiative(order=order, reason="a cry"), by=GM)
    book.when(SetInitiative(order=(beast, a), reason="a cry"), by=GM)
    assert book.state.encounter.order == (beast, a, b)


@pytest.mark.rule("DT-CMB-2")
def test_the_turn_is_ended_by_its_owner_or_the_world_master():
    book, beast = fighting(S1, S2)
    for other in (S2, acting_for(S2)):
        with refused("turn.not_yours", book.state):
            book.when(EndTurn(), by=other)
    book.when(EndTurn(), by=acting_for(S1))
    book.when(EndTurn(), by=S2)
    assert turn(book) == beast
    with refused("turn.not_yours", book.state):
        book.when(EndTurn(), by=S1)
    (started,) = of_kind(book.when(EndTurn(), by=GM), RoundStarted)
    assert started.round == 2 and turn(book) == pc(book, S1)


# --- actions ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("DT-CMB-3")
def test_a_turn_has_one_move_and_one_attack_in_either_order():
    for attack_first in (True, False):
        book, beast = fighting(S1)

        def strike(book=book, beast=beast):
            set_attack(book, declare(book, S1, beast), (4,), (5,))
            close(book, S1)

        def move(band, book=book, beast=beast):
            book.when(MoveActor(target=beast, band=band), by=S1)

        if attack_first:
            strike()
            move(Band.SHORT)
        else:
            move(Band.LONG)
            strike()
        for again in (strike, lambda move=move: move(Band.MEDIUM)):
            with refused("action.used", book.state):
                again()
        book.when(EndTurn(), by=S1)
        book.when(EndTurn(), by=GM)
        move(Band.MEDIUM)


@pytest.mark.rule("DT-CMB-3", "DT-TBL-1")
def test_the_world_master_acts_for_no_player_but_in_their_place():
    book, beast = fighting(S1, S2)
    with refused("actor.not_yours", book.state):
        book.when(DeclareAttack(actor=pc(book, S1), target=beast, uses=Uses.NONE), by=GM)
    with refused("actor.not_yours", book.state):
        book.when(DeclareAttack(actor=pc(book, S1), target=beast, uses=Uses.NONE), by=S2)
    with refused("turn.not_yours", book.state):
        book.when(DeclareAttack(target=beast, uses=Uses.NONE), by=S2)
    assert of_kind(book.when(DeclareAttack(target=beast, uses=Uses.NONE), by=acting_for(S1)), AttackDeclared)


@pytest.mark.rule("DT-CMB-12", "DT-AMB-14", "DT-CMB-11")
@pytest.mark.parametrize(
    ("now", "reached"),
    [
        (Band.SHORT, {Band.MEDIUM}),
        (Band.MEDIUM, {Band.SHORT, Band.LONG}),
        (Band.LONG, {Band.MEDIUM, Band.DISTANT}),
        (Band.DISTANT, {Band.LONG}),
    ],
)
def test_a_move_leads_one_band_nearer_or_farther(now, reached):
    for band in Band:
        book, beast = fighting(S1)
        book.when(SetBand(a=pc(book, S1), b=beast, band=now), by=GM)
        if band in reached:
            assert of_kind(book.when(MoveActor(target=beast, band=band), by=S1), ActorMoved)
        else:
            with refused("band.same" if band is now else "band.limit", book.state):
                book.when(MoveActor(target=beast, band=band), by=S1)


# --- what is held -----------------------------------------------------------------------------------------------------
def hold(book, by=S1, action=ActionKind.ATTACK, actor=None):
    """Hold an action; its id."""
    before = set(book.state.holds)
    book.when(HoldAction(actor=actor, action=action, trigger="when it moves"), by=by)
    (held,) = set(book.state.holds) - before
    return held


@pytest.mark.rule("DT-CMB-4")
def test_an_action_that_is_used_or_held_is_not_held():
    book, beast = fighting(S1)
    book.when(MoveActor(target=beast, band=Band.SHORT), by=S1)
    with refused("action.used", book.state):
        hold(book, action=ActionKind.MOVE)
    hold(book)
    with refused("action.used", book.state):
        hold(book)


@pytest.mark.rule("DT-CMB-4", "DT-CMB-12")
def test_a_held_move_is_carried_out_by_the_rules_of_moves_and_only_by_its_holder():
    book, beast = fighting(S1, S2)
    held = hold(book, action=ActionKind.MOVE)
    book.when(EndTurn(), by=S1)
    book.when(TriggerHold(hold=held), by=GM)
    for other in (S2, GM, acting_for(S2)):
        for command in (ReleaseHold(hold=held, target=beast, band=Band.SHORT), KeepHold(hold=held)):
            with refused("hold.missing", book.state):
                book.when(command, by=other)
    for band, code in ((None, "band.missing"), (Band.DISTANT, "band.limit"), (Band.MEDIUM, "band.same")):
        with refused(code, book.state):
            book.when(ReleaseHold(hold=held, target=beast, band=band), by=S1)
    events = book.when(ReleaseHold(hold=held, target=beast, band=Band.LONG), by=acting_for(S1))
    assert of_kind(events, ActorMoved) and not of_kind(events, AttackDeclared)
    assert turn(book) == pc(book, S2) and not book.state.holds
    require_sound(book)


@pytest.mark.rule("DT-CMB-4", "DT-CMB-5", "DT-CMB-14")
def test_a_held_attack_is_carried_out_by_the_rules_of_attacks():
    book, beast = fighting(S1, S2)
    held = hold(book)
    book.when(EndTurn(), by=S1)
    book.when(TriggerHold(hold=held), by=GM)
    fallen = npc(book)
    for target, uses, code in (
        (pc(book, S1), Uses.NONE, "target.invalid"),
        (fallen, Uses.NONE, "actor.missing"),
    ):
        with refused(code, book.state):
            book.when(ReleaseHold(hold=held, target=target, uses=uses), by=S1)
    book.state.set_sheet(pc(book, S1), weapon="")
    with refused("uses.invalid", book.state):
        book.when(ReleaseHold(hold=held, target=beast, uses=Uses.WEAPON), by=S1)
    assert of_kind(book.when(ReleaseHold(hold=held, target=beast, uses=Uses.POWER), by=S1), AttackDeclared)
    assert not book.state.encounter.attacked and turn(book) == pc(book, S2)


@pytest.mark.rule("DT-CMB-4", "DT-AMB-38")
def test_holders_are_asked_in_the_order_of_their_triggers_each_once():
    book = playing(S1, S2, S3)
    beast = monster(book)
    book.when(OpenEncounter(members=(beast,)), by=GM)
    held = {}
    for seat in (S1, S2, S3):
        held[seat] = hold(book, seat)
        book.when(EndTurn(), by=seat)
    attack = declare(book, GM, pc(book, S1), actor=beast)
    for seat in (S3, S1):
        book.when(TriggerHold(hold=held[seat]), by=GM)
    assert book.state.question(Asked.HELD) is None
    book.when(ChooseDefence(attack=attack, uses=Uses.NONE), by=S1)
    set_attack(book, attack, (2,), (5,))
    close(book, S1)
    assert book.state.prompts[book.state.question(Asked.HELD)].subject == held[S3]
    book.when(KeepHold(hold=held[S3]), by=S3)
    assert book.state.prompts[book.state.question(Asked.HELD)].subject == held[S1]
    book.when(KeepHold(hold=held[S1]), by=S1)
    assert book.state.question(Asked.HELD) is None
    with refused("hold.untriggered", book.state):
        book.when(ReleaseHold(hold=held[S2], target=beast), by=S2)


@pytest.mark.rule("DT-CMB-4")
def test_what_is_held_lapses_at_the_holders_own_next_turn_and_at_nobody_elses():
    book, _ = fighting(S1, S2)
    held = hold(book)
    assert not of_kind(book.when(EndTurn(), by=S1), HoldLapsed)
    theirs = hold(book, S2)
    assert not of_kind(book.when(EndTurn(), by=S2), HoldLapsed)
    assert [e.hold for e in of_kind(book.when(EndTurn(), by=GM), HoldLapsed)] == [held]
    assert set(book.state.holds) == {theirs}
    assert [e.hold for e in of_kind(book.when(CloseEncounter(), by=GM), HoldLapsed)] == [theirs]


@pytest.mark.rule("DT-AMB-55", "DT-CMB-14", "DT-CMB-4")
def test_a_fallen_holder_is_not_asked_and_has_the_action_again_when_revived():
    book, beast = fighting(S1, S2)
    held = hold(book)
    book.when(EndTurn(), by=S1)
    fell(book, pc(book, S1))
    book.when(TriggerHold(hold=held), by=GM)
    assert book.state.question(Asked.HELD) is None
    with refused("actor.fallen", book.state):
        book.when(ReleaseHold(hold=held, target=beast), by=S1)
    book.when(SetState(actor=pc(book, S1), state=Condition.ACTIVE, reason="up"), by=GM)
    assert of_kind(book.when(ReleaseHold(hold=held, target=beast), by=S1), AttackDeclared)


# --- leaving, emptiness, silence --------------------------------------------------------------------------------------
@pytest.mark.rule("DT-TBL-4", "DT-AMB-53", "DT-AMB-31")
def test_what_a_seat_that_is_left_owes_inside_an_attack():
    book, beast = fighting(S1, S2)
    attack = declare(book, S1, pc(book, S2), Uses.WEAPON)
    assert not of_kind(book.when(LeaveSeat(), by=S2), AttackCalledOff)
    assert book.state.attacks[attack].defence is Uses.NONE
    set_attack(book, attack, (4, 4), (5,))
    ours, theirs = open_roll(book, S1).id, open_roll(book, S2).id
    events = book.when(LeaveSeat(), by=S1)
    assert [e.roll for e in of_kind(events, WindowClosed)] == [ours] and not of_kind(events, RollClosed)
    events = book.wait(timedelta(minutes=1))
    assert [e.roll for e in of_kind(events, WindowClosed)] == [theirs]
    assert [e.total for e in of_kind(events, RollClosed)] == [8, 5] and turn(book) == pc(book, S1)
    assert of_kind(book.wait(timedelta(minutes=1)), DiePlaced) and turn(book) == beast
    require_sound(book)


@pytest.mark.rule("DT-TBL-4", "DT-AMB-55")
def test_the_holder_who_leaves_keeps_what_is_asked_about():
    book, _ = fighting(S1, S2)
    held = hold(book)
    book.when(EndTurn(), by=S1)
    book.when(TriggerHold(hold=held), by=GM)
    assert [e.hold for e in of_kind(book.when(LeaveSeat(), by=S1), HoldKept)] == [held]
    assert book.state.question(Asked.HELD) is None and turn(book) == pc(book, S2)
    require_sound(book)


@pytest.mark.rule("DT-CMB-16", "DT-AMB-44")
def test_an_encounter_goes_on_while_one_member_is_active_on_either_side():
    book, beast = fighting(S1, S2)
    for seat in (S1, S2):
        assert not of_kind(fell(book, pc(book, seat)), EncounterClosed)
    assert turn(book) == beast
    assert not of_kind(book.when(EndTurn(), by=GM), EncounterClosed) and turn(book) == beast
    book, beast = fighting(S1)
    assert not of_kind(book.when(LeaveEncounter(actor=beast), by=GM), EncounterClosed)
    assert [e.reason for e in of_kind(book.when(LeaveSeat(), by=S1), EncounterClosed)] == ["empty"]


@pytest.mark.rule("DT-CMB-17", "DT-AMB-44")
@pytest.mark.parametrize("idle_rounds", [1, 3])
def test_so_many_whole_rounds_of_silence_close_an_encounter_and_no_fewer(idle_rounds):
    book = setting_up(S1)
    book.when(ConfigureGame(seats=6, characters=1, idle_rounds=idle_rounds), by=GM)
    write(book, S1)
    book.when(OpenSession(), by=GM)
    beast = monster(book)
    book.when(OpenEncounter(members=(beast,)), by=GM)
    events = book.wait(timedelta(minutes=5) * (2 * idle_rounds - 1))
    assert not of_kind(events, EncounterClosed) and len(of_kind(events, TurnEnded)) == 2 * idle_rounds - 1
    assert [e.reason for e in of_kind(book.wait(timedelta(minutes=5)), EncounterClosed)] == ["silence"]


@pytest.mark.rule("DT-CMB-17")
@pytest.mark.parametrize("ended_by", [S1, GM])
def test_a_turn_that_somebody_ends_is_not_silent_though_nothing_was_done(ended_by):
    book, _ = fighting(S1)
    for _ in range(2):
        book.when(EndTurn(), by=ended_by)
        assert not of_kind(book.wait(timedelta(minutes=5)), EncounterClosed)
    events = book.wait(timedelta(minutes=15))
    assert not of_kind(events, EncounterClosed)
    assert of_kind(book.wait(timedelta(minutes=5)), EncounterClosed)
