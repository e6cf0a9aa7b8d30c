"""Encounters in play: order, turns, bands, silence, what is held (chapter 6 of the rulebook).

Long for one reason: the rules of a turn hang together.
"""

from datetime import timedelta

import pytest

from games.dietower.rules.actors.commands import SetState
from games.dietower.rules.actors.events import ActorShown
from games.dietower.rules.checks.commands import CloseRoll, RequestCheck, SetCheck
from games.dietower.rules.checks.events import CheckRequested, PoolRolled, RollClosed
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.combat.action_events import (
    AttackCalledOff,
    AttackDeclared,
    HoldKept,
    HoldLapsed,
    HoldTriggered,
)
from games.dietower.rules.combat.commands import (
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
from games.dietower.rules.combat.events import (
    ActorMoved,
    EncounterClosed,
    EncounterClosing,
    EncounterOpened,
    InitiativeSet,
    RoundStarted,
    TurnEnded,
    TurnStarted,
)
from games.dietower.rules.combat.ruling_commands import SetAttack, TriggerHold
from games.dietower.rules.state.schema_types import ActionKind, Asked, Band, BandBetween, Condition, Step, Uses
from games.dietower.rules.table.commands import ConfigureGame, LeaveSeat, OpenSession
from games.dietower.rules.tower.events import BonusEnded, BonusGranted, DiePlaced, TowerFell
from games.engine.lifecycle.gm_commands import EndNow
from tests.dice import d
from tests.playbook import of_kind, refused
from tests.rules.dietower.stage import (
    GM,
    S1,
    S2,
    S3,
    build,
    monster,
    npc,
    open_roll,
    pc,
    place,
    playing,
    require_sound,
    roll_check,
    setting_up,
    write,
)


def open_encounter(book, *members, **more):
    """Open an encounter with these of the world master's."""
    return book.when(OpenEncounter(members=members, **more), by=GM)


def fighting(*seats, health=3, **fields):
    """An encounter of the seats' characters with one Monster; (the game, the Monster)."""
    book = playing(*(seats or (S1,)))
    beast = monster(book, health=health, **fields)
    open_encounter(book, beast)
    return book, beast


def turn(book):
    """Whose turn it is."""
    return book.state.encounter.turn if book.state.encounter else None


def next_turns(book, count):
    """End turns; who was on turn, in order."""
    found = []
    for _ in range(count):
        found.append(turn(book))
        book.when(EndTurn(), by=GM)
    return found


@pytest.mark.rule("DT-CMB-1", "DT-CMB-11", "DT-CMB-12", "DT-AMB-28", "DT-EX-95", "DT-CHR-8")
def test_an_encounter_names_its_members_and_shows_name_and_kind():
    book = playing(S1)
    beast = monster(book, health=4, weakness="salt")
    assert beast not in book.state.view_for(frozenset({S1})).actors
    events = open_encounter(book, beast)
    assert [
        type(e) for e in of_kind(events, ActorShown, EncounterOpened, InitiativeSet, RoundStarted, TurnStarted)
    ] == [
        ActorShown,
        EncounterOpened,
        InitiativeSet,
        RoundStarted,
        TurnStarted,
    ]
    seen = book.state.view_for(frozenset({S1}))
    assert (seen.actors[beast].name, dict(seen.vitalities), dict(seen.briefs)) == ("Gnaw", {}, {})
    assert book.state.distances[pc(book, S1), beast].band is Band.MEDIUM and book.state.step == Step.TURN
    require_sound(book)


@pytest.mark.rule("DT-CMB-1", "DT-CHK-14")
def test_an_encounter_that_cannot_be_is_refused():
    book = playing(S1, S2)
    beast, a = monster(book), pc(book, S1)
    with refused("members.few", book.state):
        open_encounter(book)
    with refused("target.invalid", book.state):
        open_encounter(book, beast, beast)
    with refused("band.invalid", book.state):
        open_encounter(book, beast, bands=(BandBetween(a=a, b=pc(book, S2), band=Band.LONG),))
    roll_check(book, a, (4, 4))
    with refused("prompt.open", book.state):
        open_encounter(book, beast)
    book.when(CloseRoll(roll=open_roll(book, S1).id), by=S1)
    open_encounter(book, beast)
    with refused("encounter.open", book.state):
        open_encounter(book, beast)


@pytest.mark.rule("DT-CMB-2", "DT-AMB-12", "DT-AMB-36", "DT-EX-50")
def test_nobody_has_placed_yet_so_the_lowest_seat_begins_and_plays_each_character():
    book = setting_up(S1, S2, S3)
    book.when(ConfigureGame(seats=6, characters=2, idle_rounds=2), by=GM)
    a, b = write(book, S1, "A"), write(book, S1, "B")
    c, e = write(book, S2, "C"), write(book, S3, "E")
    book.when(OpenSession(), by=GM)
    odo, beast = npc(book), monster(book)
    open_encounter(book, beast, odo)
    assert next_turns(book, 7) == [a, b, c, e, beast, odo, a]


@pytest.mark.rule("DT-CMB-2", "DT-CMB-14", "DT-AMB-36", "DT-EX-49", "DT-TWR-3")
def test_the_world_master_begins_who_placed_last_and_a_fallen_one_is_skipped():
    book = playing(S1, S2, S3)
    odo = npc(book)
    roll_check(book, odo, (2, 2))
    place(book, GM)
    book.when(SetState(actor=pc(book, S2), state=Condition.FALLEN, reason="fate"), by=GM)
    open_encounter(book, odo)
    assert next_turns(book, 4) == [odo, pc(book, S1), pc(book, S3), odo]
    require_sound(book)


@pytest.mark.rule("DT-CMB-2")
def test_the_seat_whose_die_stood_last_begins_unless_the_world_master_says_who():
    book = playing(S1, S2, S3)
    roll_check(book, pc(book, S2), (2, 2))
    book.when(CloseRoll(roll=open_roll(book, S2).id), by=S2)
    place(book, S2)
    beast = monster(book)
    open_encounter(book, beast)
    assert next_turns(book, 5) == [pc(book, S2), pc(book, S3), beast, pc(book, S1), pc(book, S2)]
    book.when(CloseEncounter(), by=GM)
    open_encounter(book, beast, first=beast)
    assert next_turns(book, 2) == [beast, pc(book, S1)]


@pytest.mark.rule("DT-CMB-3", "DT-CMB-12", "DT-AMB-14", "DT-EX-57")
def test_a_move_is_one_band_to_one_opponent_once_a_turn():
    book = playing(S1)
    x, y, a = monster(book, "X"), monster(book, "Y"), pc(book, S1)
    open_encounter(book, x, y, bands=(BandBetween(a=y, b=a, band=Band.LONG),))
    with refused("band.limit", book.state):
        book.when(MoveActor(target=y, band=Band.SHORT), by=S1)
    with refused("band.same", book.state):
        book.when(MoveActor(target=x, band=Band.MEDIUM), by=S1)
    with refused("target.invalid", book.state):
        book.when(MoveActor(target=a, band=Band.SHORT), by=S1)
    assert of_kind(book.when(MoveActor(target=x, band=Band.SHORT), by=S1), ActorMoved)
    assert [book.state.distances[a, each].band for each in (x, y)] == [Band.SHORT, Band.LONG]
    with refused("action.used", book.state):
        book.when(MoveActor(target=x, band=Band.MEDIUM), by=S1)
    book.when(EndTurn(), by=S1)
    with refused("turn.not_yours", book.state):
        book.when(MoveActor(target=x, band=Band.MEDIUM), by=S1)
    book.when(MoveActor(actor=x, target=a, band=Band.MEDIUM), by=GM)
    book.when(SetBand(a=x, b=a, band=Band.DISTANT), by=GM)
    assert book.state.distances[a, x].band is Band.DISTANT
    with refused("band.invalid", book.state):
        book.when(SetBand(a=x, b=y, band=Band.SHORT), by=GM)
    require_sound(book)


@pytest.mark.rule("DT-CMB-3", "DT-AMB-37", "DT-EX-51")
def test_a_check_in_the_own_turn_uses_the_attack_unless_it_is_free():
    book, beast = fighting(S1)
    book.when(MoveActor(target=beast, band=Band.SHORT), by=S1)
    book.when(DeclareAttack(target=beast, uses=Uses.WEAPON), by=S1)
    attack = next(iter(book.state.attacks))
    book.when(
        SetAttack(attack=attack, possible=True), by=GM, dice=[d(6, "attack attacker", 4, 3), d(6, "attack defender", 5)]
    )
    book.when(CloseRoll(roll=open_roll(book, S1).id), by=S1)
    (asked,) = of_kind(book.when(RequestCheck(intent="climb"), by=S1), CheckRequested)
    with refused("action.used", book.state):
        book.when(SetCheck(check=asked.check, cd=Cd.EASY, good=True), by=GM)
    events = book.when(SetCheck(check=asked.check, cd=Cd.EASY, good=True, free=True), by=GM, dice=[d(6, "check", 4, 4)])
    assert of_kind(events, PoolRolled)
    require_sound(book)


@pytest.mark.rule("DT-CMB-3", "DT-AMB-37")
def test_a_check_that_is_not_free_is_the_attack_of_the_turn():
    book, beast = fighting(S1)
    (asked,) = of_kind(book.when(RequestCheck(intent="climb"), by=S1), CheckRequested)
    with refused("prompt.open", book.state):
        book.when(EndTurn(), by=S1)
    book.when(SetCheck(check=asked.check, cd=Cd.SIMPLE, good=True), by=GM)
    with refused("action.used", book.state):
        book.when(DeclareAttack(target=beast, uses=Uses.NONE), by=S1)


@pytest.mark.rule("DT-CMB-4", "DT-AMB-38", "DT-EX-53")
def test_a_held_action_waits_for_its_trigger_and_lapses_at_the_own_next_turn():
    book, beast = fighting(S1)
    book.when(HoldAction(action=ActionKind.ATTACK, trigger="when it moves"), by=S1)
    (hold,) = book.state.holds
    with refused("action.used", book.state):
        book.when(DeclareAttack(target=beast, uses=Uses.WEAPON), by=S1)
    book.when(EndTurn(), by=S1)
    with refused("hold.untriggered", book.state):
        book.when(ReleaseHold(hold=hold, target=beast), by=S1)
    assert of_kind(book.when(TriggerHold(hold=hold), by=GM), HoldTriggered)
    with refused("hold.triggered", book.state):
        book.when(TriggerHold(hold=hold), by=GM)
    assert of_kind(book.wait(timedelta(minutes=1)), HoldKept)
    events = book.when(EndTurn(), by=GM)
    assert of_kind(events, HoldLapsed) and turn(book) == pc(book, S1)
    assert not book.state.encounter.attacked
    require_sound(book)


@pytest.mark.rule("DT-CMB-4")
def test_a_triggered_action_is_asked_for_once_and_may_be_released_later():
    book, beast = fighting(S1)
    book.when(HoldAction(action=ActionKind.ATTACK, trigger="when it moves"), by=S1)
    (hold,) = book.state.holds
    with refused("prompt.closed", book.state):
        book.when(KeepHold(hold=hold), by=S1)
    book.when(EndTurn(), by=S1)
    book.when(TriggerHold(hold=hold), by=GM)
    assert of_kind(book.when(KeepHold(hold=hold), by=S1), HoldKept)
    assert book.state.question(Asked.HELD) is None and turn(book) == beast
    with refused("prompt.closed", book.state):
        book.when(KeepHold(hold=hold), by=S1)
    released = book.when(ReleaseHold(hold=hold, target=beast, uses=Uses.POWER), by=S1)
    assert of_kind(released, AttackDeclared) and not book.state.holds
    require_sound(book)


@pytest.mark.rule("DT-CMB-4", "DT-AMB-38", "DT-EX-52")
def test_a_trigger_inside_an_attack_is_served_after_its_dice_are_placed():
    book = playing(S1, S2)
    beast = monster(book)
    open_encounter(book, beast)
    book.when(HoldAction(action=ActionKind.ATTACK, trigger="when it strikes"), by=S1)
    book.when(EndTurn(), by=S1)
    book.when(EndTurn(), by=S2)
    (hold,) = book.state.holds
    book.when(DeclareAttack(actor=beast, target=pc(book, S2), uses=Uses.NONE), by=GM)
    book.when(TriggerHold(hold=hold), by=GM)
    book.wait(timedelta(minutes=1))
    attack = next(iter(book.state.attacks))
    book.when(SetAttack(attack=attack), by=GM, dice=[d(6, "attack attacker", 5), d(6, "attack defender", 1)])
    book.when(CloseRoll(roll=open_roll(book, S2).id), by=S2)
    assert len(book.state.due_placements()) == 2 and book.state.question(Asked.HELD) is None
    place(book, S2)
    assert book.state.question(Asked.HELD) is None
    place(book, S2, 3, 3, 3, 3)
    assert book.state.question(Asked.HELD, hold) is not None
    events = book.when(ReleaseHold(hold=hold, target=beast, uses=Uses.WEAPON), by=S1)
    (declared,) = of_kind(events, AttackDeclared)
    book.when(
        SetAttack(attack=declared.attack), by=GM, dice=[d(6, "attack attacker", 4, 4), d(6, "attack defender", 5)]
    )
    book.when(CloseRoll(roll=open_roll(book, S1).id), by=S1)
    assert turn(book) == beast and not book.state.holds
    require_sound(book)


@pytest.mark.rule("DT-CMB-4")
def test_what_the_world_master_holds_is_a_secret_and_needs_no_trigger():
    book, beast = fighting(S1)
    book.when(EndTurn(), by=S1)
    book.when(HoldAction(actor=beast, action=ActionKind.MOVE, trigger="when they run"), by=GM)
    (hold,) = book.state.holds
    assert not book.state.view_for(frozenset({S1})).holds
    with refused("hold.missing", book.state):
        book.when(KeepHold(hold=hold), by=S1)
    book.when(ReleaseHold(hold=hold, target=pc(book, S1), band=Band.SHORT), by=GM)
    assert book.state.distances[pc(book, S1), beast].band is Band.SHORT


@pytest.mark.rule("DT-CMB-1", "DT-AMB-56", "DT-EX-76", "DT-TWR-5")
def test_an_encounter_ends_when_what_is_open_in_it_is_finished():
    book, _ = fighting(S1)
    a = pc(book, S1)
    book.plant(BonusGranted(miracle=a, actor=a, until="encounter"))
    roll_check(book, a, (4, 4, 4))
    assert of_kind(book.when(CloseEncounter(text="They flee."), by=GM), EncounterClosing)
    with refused("encounter.closing", book.state):
        book.when(CloseEncounter(), by=GM)
    events = book.when(CloseRoll(roll=open_roll(book, S1).id), by=S1)
    assert [type(e) for e in of_kind(events, RollClosed, TurnEnded, BonusEnded, EncounterClosed)] == [
        RollClosed,
        TurnEnded,
        BonusEnded,
        EncounterClosed,
    ]
    assert book.state.step == Step.FREE and not book.state.prompts and not book.state.members
    require_sound(book)


@pytest.mark.rule("DT-CMB-16", "DT-AMB-44", "DT-AMB-55", "DT-EX-100")
def test_an_encounter_without_anybody_active_closes_by_itself():
    book, beast = fighting(S1)
    fell = SetState(actor=pc(book, S1), state=Condition.FALLEN, reason="fate")
    events = book.when(fell, by=GM)
    assert of_kind(events, TurnEnded) and turn(book) == beast
    (closed,) = of_kind(book.when(LeaveEncounter(actor=beast), by=GM), EncounterClosed)
    assert closed.reason == "empty" and book.state.step == Step.FREE
    require_sound(book)


@pytest.mark.rule("DT-CMB-17", "DT-AMB-44", "DT-AMB-31", "DT-EX-101")
def test_rounds_of_silence_close_the_encounter():
    for moves in (False, True):
        book, beast = fighting(S1)
        events = book.wait(timedelta(minutes=10))
        assert len(of_kind(events, TurnEnded)) == 2 and not of_kind(events, EncounterClosed)
        if moves:
            book.when(MoveActor(target=beast, band=Band.SHORT), by=S1)
        events = book.wait(timedelta(minutes=10))
        closed = of_kind(events, EncounterClosed)
        assert [e.reason for e in closed] == ([] if moves else ["silence"])
        assert bool(book.state.prompts) is moves
        require_sound(book)


@pytest.mark.rule("DT-TBL-4", "DT-CMB-2", "DT-AMB-53")
def test_the_turn_of_a_seat_that_is_left_ends_and_it_is_skipped():
    book, beast = fighting(S1, S2)
    events = book.when(LeaveSeat(), by=S1)
    assert of_kind(events, TurnEnded) and turn(book) == pc(book, S2)
    assert next_turns(book, 3) == [pc(book, S2), beast, pc(book, S2)]
    require_sound(book)


@pytest.mark.rule("DT-TBL-4", "DT-AMB-53")
def test_the_attack_of_a_seat_that_is_left_is_called_off():
    book, beast = fighting(S1, S2)
    book.when(DeclareAttack(target=beast, uses=Uses.NONE), by=S1)
    assert of_kind(book.when(LeaveSeat(), by=S1), AttackCalledOff)
    assert turn(book) == pc(book, S2)
    require_sound(book)


@pytest.mark.rule("DT-AMB-58", "DT-CMB-1", "DT-CMB-2")
def test_newcomers_act_last_of_their_seat_and_a_new_order_lets_the_turn_go_on():
    book, beast = fighting(S1, S2)
    odo = npc(book)
    book.when(JoinEncounter(actor=odo), by=GM)
    a, b = pc(book, S1), pc(book, S2)
    assert book.state.encounter.order == (a, b, beast, odo) and turn(book) == a
    assert book.state.distances[a, odo].band is Band.MEDIUM
    with refused("target.invalid", book.state):
        book.when(SetInitiative(order=(a, beast), reason="new"), by=GM)
    book.when(SetInitiative(order=(odo, a, beast, b), reason="a cry"), by=GM)
    assert next_turns(book, 4) == [a, beast, b, odo]
    with refused("target.invalid", book.state):
        book.when(JoinEncounter(actor=odo), by=GM)
    require_sound(book)


@pytest.mark.rule("DT-CMB-2", "DT-TBL-6")
def test_end_now_ends_the_turn():
    book, beast = fighting(S1)
    book.when(EndNow(), by=GM)
    assert turn(book) == beast


@pytest.mark.rule("DT-TWR-8", "DT-CMB-14", "DT-AMB-55")
def test_a_fall_in_the_own_turn_ends_it_when_the_terrible_thing_is_written():
    book, _ = fighting(S1, S2)
    a = pc(book, S1)
    build(book, (0, 0), (5, 0), (7, 0))
    roll_check(book, a, (3, 2), cd=Cd.TOUGH)
    book.when(CloseRoll(roll=open_roll(book, S1).id), by=S1)
    assert of_kind(place(book, S1, 6, 1, 3, 3), TowerFell) and turn(book) == a
    events = book.wait(timedelta(minutes=5))
    assert not of_kind(events, TurnEnded, DiePlaced)
    require_sound(book)
