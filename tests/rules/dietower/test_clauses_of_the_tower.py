"""Chapter 3 of the rulebook, clause by clause: whose dice fall, what is noted, what holds the queue, miracles."""

from datetime import timedelta
from uuid import UUID

import pytest

from games.dietower.rules.actors.commands import SetState
from games.dietower.rules.actors.events import ActorFell, ActorRevived
from games.dietower.rules.checks.commands import CloseRoll, RequestCheck
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.combat.commands import EndTurn
from games.dietower.rules.combat.encounter_commands import CloseEncounter, OpenEncounter
from games.dietower.rules.state.records import TowerDie
from games.dietower.rules.state.schema_types import (
    Condition,
    Harm,
    MiracleKind,
    Mode,
    Reason,
    Target,
    Until,
)
from games.dietower.rules.table.commands import CloseSession, EndScene, OpenSession
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
    ConsequenceAmended,
    ConsequenceWritten,
    DiePlaced,
    MiracleDue,
    PlacementsDropped,
    TowerFell,
    TowerReset,
)
from games.dietower.rules.wishes.events import WishEarned, WishLost
from tests.playbook import of_kind, refused
from tests.rules.dietower.scenes import let_fall, owe_die, win_miracle
from tests.rules.dietower.stage import (
    GM,
    HOST,
    S1,
    S2,
    acting_for,
    build,
    check,
    monster,
    npc,
    open_roll,
    pc,
    place,
    playing,
    raise_to,
    require_sound,
    roll_check,
    straight,
)


def write(book, consequence, *targets, text="The roof."):
    """Write a terrible thing."""
    struck = tuple(Target(actor=actor, fallen=fallen) for actor, fallen in targets)
    command = WriteConsequence(consequence=consequence, kind=Harm.DEATH, text=text, targets=struck)
    return book.when(command, by=GM)


@pytest.mark.rule("DT-TWR-3", "DT-CMB-2")
@pytest.mark.parametrize(
    ("_case", "then"),
    [
        ("nothing", lambda book: None),
        ("a fall", let_fall),
        ("a reset", lambda book: book.when(ResetTower(reason="new"), by=GM)),
    ],
)
def test_who_placed_last_is_noted_over_falls_and_new_towers(_case, then):
    book = playing(S1, S2)
    check(book, S2, (3, 2), cd=Cd.TOUGH)
    place(book, S2)
    noted = book.state.tower.last_placer
    if then is let_fall:  # by a die of the first seat, which does not stand
        book.when(ResetTower(reason="new"), by=GM)
        for level, x in enumerate((0, 5, 7), start=1):
            book.state.dice[level] = _die(level, x, pc(book, S2))
        book.state.set_tower(height=3)
        check(book, S1, (3, 2), cd=Cd.TOUGH)
        assert of_kind(place(book, S1, 6, 1, 3, 3), TowerFell)
    else:
        then(book)
    assert noted == S2 and book.state.tower.last_placer == S2


def _die(level, x, actor):
    """A die of a tower."""
    return TowerDie(level, UUID(int=level), actor, x, 0)


@pytest.mark.rule("DT-TWR-3", "DT-WSH-1", "DT-AMB-18")
@pytest.mark.parametrize(("held", "kind", "after"), [(0, WishEarned, 1), (1, WishEarned, 2), (2, WishLost, 2)])
def test_a_die_that_stands_earns_one_wish_up_to_the_level(held, kind, after):
    book = playing()
    a = pc(book, S1)
    raise_to(book, a, 2)
    book.state.set_sheet(a, wishes=held)
    check(book, S1, (3, 2), cd=Cd.TOUGH)
    events = place(book, S1)
    assert [type(e) for e in of_kind(events, WishEarned, WishLost)] == [kind]
    assert book.state.sheets[a].wishes == after
    assert book.state.sheets[pc(book, S2)].wishes == 1


@pytest.mark.rule("DT-TWR-4", "DT-TWR-3")
def test_a_die_that_falls_earns_nothing_and_its_placer_is_struck_where_nobody_is_named():
    book = playing()
    a = pc(book, S1)
    raise_to(book, a, 4, wishes=2)
    due = let_fall(book)
    assert (book.state.tower.height, book.state.sheets[a].wishes, len(book.state.dice)) == (0, 2, 0)
    (written,) = of_kind(write(book, due), ConsequenceWritten)
    assert written.targets == (Target(actor=a, fallen=False),)
    assert book.state.actors[a].condition is Condition.ACTIVE
    with refused("prompt.closed", book.state):
        write(book, due)
    with refused("consequence.missing", book.state):
        write(book, UUID(int=99))


@pytest.mark.rule("DT-TWR-4", "DT-TWR-8", "DT-AMB-7")
def test_a_fall_drops_the_rest_of_its_own_roll_alone_and_play_waits_for_the_consequence():
    book = playing(S1, S2)
    build(book, (0, 0), (5, 0), (7, 0))
    for seat in (S1, S2):
        roll_check(book, pc(book, seat), (1,), cd=Cd.EASY, good=False)
    for seat in (S1, S2):
        book.when(_closing(book, seat), by=seat)
    assert [(p.actor, p.reason) for p in book.state.due_placements()] == [
        (pc(book, seat), reason) for seat in (S1, S2) for reason in (Reason.NET_FAIL, Reason.FAILURE)
    ]
    events = place(book, S1, 6, 1, 3, 3)
    (dropped,) = of_kind(events, PlacementsDropped)
    assert [book.state.placements[each].actor for each in dropped.placements] == [pc(book, S1)]
    theirs = book.state.due_placements()
    assert [p.actor for p in theirs] == [pc(book, S2)] * 2
    with refused("placement.waiting", book.state):
        book.when(PlaceDie(placement=theirs[0].id), by=S2)
    write(book, next(iter(book.state.consequences)))
    events = [*place(book, S2), *place(book, S2, 3, 3, 3, 3)]
    assert [e.height for e in of_kind(events, DiePlaced)] == [1, 2]
    require_sound(book)


def _closing(book, seat):
    """The command that closes the open roll of a seat."""
    return CloseRoll(roll=open_roll(book, seat).id)


@pytest.mark.rule("DT-TWR-4")
def test_who_has_fallen_already_falls_no_second_time_and_is_not_up_by_an_amendment():
    book = playing()
    a = pc(book, S1)
    due = let_fall(book)
    write(book, due, (a, True), text="The roof.")
    amended = AmendConsequence(consequence=due, kind=Harm.LOSS, text="Gold.", targets=(), reason="kinder")
    book.when(SetState(actor=a, state=Condition.ACTIVE, reason="healed"), by=GM)
    book.when(SetState(actor=a, state=Condition.FALLEN, text="poison", reason="fate"), by=GM)
    events = book.when(amended, by=GM)
    assert not of_kind(events, ActorRevived, ActorFell) and book.state.actors[a].condition_text == "poison"


@pytest.mark.rule("DT-AMB-59", "DT-TWR-4")
def test_an_amendment_is_of_what_was_written_and_lets_up_whom_it_strikes_no_longer():
    book = playing()
    a, b = pc(book, S1), pc(book, S2)
    due = let_fall(book)
    both = (Target(actor=a, fallen=True), Target(actor=b, fallen=True))
    command = AmendConsequence(consequence=due, kind=Harm.LOSS, text="A leg.", targets=both, reason="kinder")
    with refused("consequence.missing", book.state):
        book.when(command, by=GM)
    write(book, due, (a, True), text="The roof.")
    events = book.when(command, by=GM)
    assert [e.actor for e in of_kind(events, ActorFell)] == [b] and not of_kind(events, ActorRevived)
    assert of_kind(events, ConsequenceAmended)


@pytest.mark.rule("DT-TWR-5", "DT-TWR-6")
@pytest.mark.parametrize(("standing", "won"), [(11, False), (12, True)])
def test_the_thirteenth_die_is_the_miracle_and_no_other(standing, won):
    book = playing()
    build(book, *straight(standing))
    owe_die(book)
    assert bool(of_kind(place(book, S1, 3, 3, 3, 3), MiracleDue)) is won


@pytest.mark.rule("DT-TWR-5", "DT-AMB-24", "DT-AMB-54")
def test_the_die_of_a_miracle_lasts_to_the_end_of_the_encounter_or_of_the_scene():
    for inside in (False, True):
        book = playing(S1)
        beast = monster(book)
        build(book, *straight(12))
        if inside:
            book.when(OpenEncounter(members=(beast,)), by=GM)
        roll_check(book, pc(book, S1), (3, 2), cd=Cd.TOUGH)
        book.when(_closing(book, S1), by=S1)
        place(book, S1, 3, 3, 3, 3)
        (miracle,) = book.state.miracles
        command = ChooseMiracle(miracle=miracle, kind=MiracleKind.EXTRA_DIE, target=pc(book, S1))
        (granted,) = of_kind(book.when(command, by=S1), BonusGranted)
        assert granted.until is (Until.ENCOUNTER if inside else Until.SCENE)
        if inside:
            with refused("encounter.open", book.state):
                book.when(EndScene(), by=GM)
            assert of_kind(book.when(CloseEncounter(), by=GM), BonusEnded)
        else:
            book.when(OpenEncounter(members=(beast,)), by=GM)
            assert not of_kind(book.when(CloseEncounter(), by=GM), BonusEnded)
            assert of_kind(book.when(EndScene(), by=GM), BonusEnded)
        assert not book.state.bonuses
        require_sound(book)


@pytest.mark.rule("DT-TWR-5", "DT-AMB-24")
def test_the_die_of_a_miracle_is_added_to_the_rolls_of_its_own_character_alone():
    book = playing()
    miracle = win_miracle(book)
    book.when(ChooseMiracle(miracle=miracle, kind=MiracleKind.EXTRA_DIE, target=pc(book, S2)), by=S1)
    roll_check(book, pc(book, S1), (4, 4))
    roll_check(book, pc(book, S2), (4, 4, 2))


@pytest.mark.rule("DT-TWR-5", "DT-CHR-8")
def test_a_miracle_is_for_people_who_are_known_and_never_for_a_monster():
    book = playing()
    known, hidden, beast = npc(book, "Known"), npc(book, "Hidden"), monster(book)
    for actor in (known, beast):
        roll_check(book, actor, (4, 4))
    miracle = win_miracle(book)
    for target, code in ((beast, "target.invalid"), (hidden, "actor.missing")):
        with refused(code, book.state):
            book.when(ChooseMiracle(miracle=miracle, kind=MiracleKind.EXTRA_DIE, target=target), by=S1)
    events = book.when(ChooseMiracle(miracle=miracle, kind=MiracleKind.EXTRA_DIE, target=known), by=S1)
    assert [e.actor for e in of_kind(events, BonusGranted)] == [known]
    with refused("prompt.closed", book.state):
        book.when(ChooseMiracle(miracle=miracle, kind=MiracleKind.EXTRA_DIE, target=known), by=S1)


@pytest.mark.rule("DT-AMB-8", "DT-CHK-12")
def test_the_miracle_of_a_person_of_the_world_masters_is_the_world_masters():
    book = playing()
    odo = npc(book)
    build(book, *straight(12))
    roll_check(book, odo, (3, 2), cd=Cd.TOUGH)
    place(book, GM, 3, 3, 3, 3)
    (miracle,) = book.state.miracles
    command = ChooseMiracle(miracle=miracle, kind=MiracleKind.EXTRA_DIE, target=pc(book, S1))
    for other in (S1, acting_for(S1)):
        with refused("miracle.not_yours", book.state):
            book.when(command, by=other)
    assert of_kind(book.when(command, by=GM), BonusGranted)


@pytest.mark.rule("DT-TWR-7", "DT-AMB-22", "DT-EX-42")
@pytest.mark.parametrize(
    ("_case", "height", "wanted", "is_taken_down"),
    [
        ("as it was", 3, {}, False),
        ("the same, said", 3, {"mode": Mode.SIMULATED, "half_width": 6}, False),
        ("another H", 3, {"half_width": 7}, True),
        ("another mode", 3, {"mode": Mode.PHYSICAL}, True),
        ("another H of an empty tower", 0, {"half_width": 7}, False),
    ],
)
def test_a_session_takes_the_tower_down_where_it_is_of_another_kind(_case, height, wanted, is_taken_down):
    book = playing()
    build(book, *straight(height))
    book.when(CloseSession(), by=GM)
    events = book.when(OpenSession(**wanted), by=GM)
    assert [e.reason for e in of_kind(events, TowerReset)] == ["mode change"] * is_taken_down
    tower = book.state.tower
    assert tower.height == (0 if is_taken_down else height)
    assert (tower.mode, tower.half_width) == (wanted.get("mode", Mode.SIMULATED), wanted.get("half_width", 6))
    require_sound(book)


@pytest.mark.rule("DT-TWR-2", "DT-SIM-1", "DT-TWR-7")
def test_a_reset_changes_what_it_names_and_keeps_the_rest():
    book = playing(half_width=8)
    (reset,) = of_kind(book.when(ResetTower(reason="wood", mode=Mode.PHYSICAL), by=GM), TowerReset)
    assert (reset.mode, reset.half_width, reset.reason) == (Mode.PHYSICAL, 8, "wood")
    (reset,) = of_kind(book.when(ResetTower(reason="wood", half_width=5), by=GM), TowerReset)
    assert (reset.mode, reset.half_width) == (Mode.PHYSICAL, 5)


@pytest.mark.rule("DT-TWR-2", "DT-AMB-31")
def test_the_host_reports_a_real_die_after_the_first_deadline_and_a_player_never():
    book = playing(mode=Mode.PHYSICAL)
    owe_die(book)
    command = ReportDie(placement=book.state.due_placements()[0].id, stands=True)
    book.wait(timedelta(seconds=59))
    with refused("prompt.not_yours", book.state):
        book.when(command, by=HOST)
    book.wait(timedelta(seconds=1))
    with refused("prompt.not_yours", book.state):
        book.when(command, by=S1)
    assert of_kind(book.when(command, by=HOST), DiePlaced)
    with refused("prompt.closed", book.state):
        book.when(command, by=GM)


@pytest.mark.rule("DT-CHK-12", "DT-TWR-3")
def test_a_die_is_placed_by_its_owner_or_by_the_world_master_in_their_place():
    book = playing()
    odo = npc(book)
    owe_die(book)
    roll_check(book, odo, (3, 2), cd=Cd.TOUGH)
    for other in (S2, GM, acting_for(S2)):
        with refused("placement.not_yours", book.state):
            place(book, other)
    place(book, acting_for(S1))
    for other in (S1, acting_for(S1)):
        with refused("placement.not_yours", book.state):
            place(book, other)
    assert of_kind(place(book, GM, 3, 3, 3, 3), DiePlaced)


@pytest.mark.rule("DT-CHK-14", "DT-TWR-4")
def test_a_terrible_thing_holds_up_an_encounter_and_its_turn_until_it_is_written():
    book = playing(S1, S2)
    beast = monster(book)
    build(book, (0, 0), (5, 0), (7, 0))
    book.when(OpenEncounter(members=(beast,), first=pc(book, S1)), by=GM)
    roll_check(book, pc(book, S1), (3, 2), cd=Cd.TOUGH)
    book.when(_closing(book, S1), by=S1)
    place(book, S1, 6, 1, 3, 3)
    for command, by in ((EndTurn(), S1), (EndTurn(), GM), (RequestCheck(intent="flee"), S1)):
        with refused("prompt.open", book.state):
            book.when(command, by=by)
    write(book, next(iter(book.state.consequences)), (pc(book, S2), True))
    book.when(EndTurn(), by=S1)
    assert book.state.encounter.turn == beast
