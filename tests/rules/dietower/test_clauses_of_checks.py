"""Chapter 2 of the rulebook, clause by clause: who may, how much exactly, and what is barred by what is open."""

import pytest

from games.dietower.rules.actors.commands import SetState
from games.dietower.rules.checks.commands import BuyDie, CloseRoll, RequestCheck, SetCheck, WithdrawCheck
from games.dietower.rules.checks.events import CheckRequested, CheckSet, CheckWithdrawn, PoolRolled, RollClosed
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.combat.commands import DeclareAttack, HoldAction
from games.dietower.rules.combat.encounter_commands import OpenEncounter
from games.dietower.rules.state.schema_types import (
    ActionKind,
    Adv,
    Asked,
    CheckStatus,
    Condition,
    Hindrance,
    HindranceAs,
    Reason,
    Terms,
    Uses,
)
from games.dietower.rules.table.commands import CloseSession, EndScene
from games.dietower.rules.tower.commands import ResetTower
from games.dietower.rules.tower.events import PlacementDue
from tests.dice import d
from tests.playbook import of_kind, refused
from tests.rules.dietower.scenes import (
    ask_check,
    declare,
    fighting,
    let_fall,
    owe_die,
    set_attack,
    throw_check,
    win_miracle,
)
from tests.rules.dietower.stage import (
    GM,
    S1,
    S2,
    acting_for,
    check,
    close,
    monster,
    npc,
    open_roll,
    pc,
    playing,
    raise_to,
    require_sound,
    roll_check,
)


@pytest.mark.rule("DT-CHK-16", "DT-AMB-47", "DT-TBL-6")
@pytest.mark.parametrize(
    ("asked_by", "withdrawn_by", "may"),
    [
        (S1, S1, True), (S1, acting_for(S1), True), (S1, GM, True), (S1, S2, False), (S1, acting_for(S2), False),
        (GM, GM, True), (GM, S1, False), (GM, acting_for(S1), False), (acting_for(S1), S1, True),
    ],
)  # fmt: skip
def test_a_check_is_withdrawn_by_who_asked_for_it_or_by_the_world_master_alone(asked_by, withdrawn_by, may):
    book = playing()
    (asked,) = of_kind(book.when(RequestCheck(actor=pc(book, S1), intent="climb"), by=asked_by), CheckRequested)
    command = WithdrawCheck(check=asked.check, reason="Never mind.")
    if not may:
        with refused("prompt.not_yours", book.state):
            book.when(command, by=withdrawn_by)
        return
    events = book.when(command, by=withdrawn_by)
    assert [e.reason for e in of_kind(events, CheckWithdrawn)] == ["Never mind."]
    assert book.state.checks[asked.check].status is CheckStatus.WITHDRAWN and not book.state.prompts
    require_sound(book)


@pytest.mark.rule("DT-CHK-6", "DT-WSH-3", "DT-WSH-5")
def test_the_owner_buys_as_many_dice_as_wishes_are_free_and_nobody_else_does():
    book = playing()
    raise_to(book, pc(book, S1), 2, wishes=2)
    roll_check(book, pc(book, S1), (3, 4), cd=Cd.CHALLENGING)
    roll = open_roll(book, S1).id
    for other in (S2, GM, acting_for(S2)):
        for command in (BuyDie(roll=roll), CloseRoll(roll=roll)):
            with refused("roll.not_yours", book.state):
                book.when(command, by=other)
    with refused("wishes.short", book.state):
        book.when(BuyDie(roll=roll, count=3), by=S1)
    book.when(BuyDie(roll=roll, count=2), by=acting_for(S1), dice=[d(6, "wish", 2, 2)])
    assert (book.state.rolls[roll].pool, book.state.sheets[pc(book, S1)].wishes) == ((3, 4, 2, 2), 0)
    with refused("wishes.short", book.state):
        book.when(BuyDie(roll=roll), by=S1)
    (closed,) = of_kind(book.when(CloseRoll(roll=roll), by=acting_for(S1)), RollClosed)
    assert (closed.total, closed.success) == (11, True)
    with refused("roll.closed", book.state):
        book.when(BuyDie(roll=roll), by=S1)


@pytest.mark.rule("DT-CHK-9", "DT-CHK-10", "DT-CHK-11", "DT-AMB-6")
@pytest.mark.parametrize(
    ("_case", "dice", "terms", "total", "success", "owed"),
    [
        ("as high as the CD", (2, 4), {}, 6, True, []),
        ("one below", (2, 3), {}, 5, False, [Reason.FAILURE]),
        ("the edge counts", (2, 3), {"edge": 1}, 6, True, []),
        ("a success with a net of fails", (1, 5), {}, 6, True, [Reason.NET_FAIL]),
        ("a net of two fails", (1, 1), {"edge": 3}, 5, False, [Reason.NET_FAIL, Reason.FAILURE]),
        ("a net of two fails and a success", (1, 1), {"edge": 3, "cd": 5}, 5, True, [Reason.NET_FAIL]),
        ("a critical and a fail", (1, 6), {"cd": Cd.TOUGH}, 7, False, [Reason.FAILURE]),
    ],
)  # fmt: skip
def test_what_a_check_comes_to_and_what_it_owes(_case, dice, terms, total, success, owed):
    book = playing()
    events = check(book, S1, dice, **terms)
    (closed,) = of_kind(events, RollClosed)
    assert (closed.total, closed.success) == (total, success)
    assert [(e.actor, e.reason) for e in of_kind(events, PlacementDue)] == [(pc(book, S1), reason) for reason in owed]


@pytest.mark.rule("DT-CHK-14", "DT-TWR-8", "DT-TBL-2", "DT-TWR-7", "DT-AMB-40")
@pytest.mark.parametrize(
    ("opened", "new_check", "reset"),
    [
        (ask_check, True, True), (throw_check, True, True), (owe_die, True, False), (let_fall, False, False),
        (win_miracle, False, False),
    ],
)  # fmt: skip
def test_what_is_open_outside_an_encounter_bars_this_and_not_that(opened, new_check, reset):
    book = playing()
    beast, odo = monster(book), npc(book)
    opened(book)
    for command in (OpenEncounter(members=(beast,)), CloseSession()):
        with refused("prompt.open", book.state):
            book.when(command, by=GM)
    for command, by, may in (
        (RequestCheck(intent="swim"), S2, new_check),
        (RequestCheck(actor=odo, intent="swim"), GM, new_check),
        (ResetTower(reason="new"), GM, reset),
        (EndScene(), GM, True),
    ):
        if may:
            book.when(command, by=by)
        else:
            with refused("prompt.open", book.state):
                book.when(command, by=by)


@pytest.mark.rule("DT-CHK-14")
def test_neither_side_of_an_attack_has_another_roll_open():
    book, beast = fighting(S1, S2)
    attack = declare(book, S1, beast, Uses.WEAPON)
    for actor in (pc(book, S1), beast):
        with refused("roll.open", book.state):
            book.when(RequestCheck(actor=actor, intent="hide"), by=GM)
    with refused("prompt.open", book.state):
        book.when(RequestCheck(actor=pc(book, S2), intent="hide"), by=GM)
    set_attack(book, attack, (4, 3), (5,))
    close(book, S1)
    book.when(RequestCheck(actor=beast, intent="hide"), by=GM)


@pytest.mark.rule("DT-CHK-15", "DT-CMB-14", "DT-AMB-41")
def test_only_the_check_of_who_falls_is_withdrawn():
    book = playing()
    for seat in (S1, S2):
        book.when(RequestCheck(intent="climb"), by=seat)
    events = book.when(SetState(actor=pc(book, S1), state=Condition.FALLEN, reason="fate"), by=GM)
    withdrawn = of_kind(events, CheckWithdrawn)
    assert [book.state.checks[e.check].actor for e in withdrawn] == [pc(book, S1)]
    assert len(list(book.state.questions(Asked.CHECK_SET))) == 1
    require_sound(book)


@pytest.mark.rule("DT-CHK-2", "DT-AMB-21")
def test_the_difficulties_are_ten_names_or_one_to_forty():
    names = {
        "simple": 0, "easy": 2, "average": 4, "moderate": 6, "tough": 8, "challenging": 10, "formidable": 13,
        "improbable": 16, "epic": 20, "legendary": 30,
    }  # fmt: skip
    assert [each.value for each in Cd] == list(names)
    for cd, value in (*names.items(), (1, 1), (40, 40)):
        book = playing()
        (asked,) = of_kind(book.when(RequestCheck(intent="climb"), by=S1), CheckRequested)
        chosen = of_kind(book.when(SetCheck(check=asked.check, cd=cd, good=True), by=GM), CheckSet)
        assert [e.cd for e in chosen] == [value]


@pytest.mark.rule("DT-CMB-3", "DT-AMB-37", "DT-CHK-3")
@pytest.mark.parametrize(
    ("_case", "by", "free", "used"),
    [("the own turn", S1, False, True), ("said to be free", S1, True, False), ("the world master's", GM, False, False)],
)
def test_a_check_uses_the_attack_of_the_turn_when_its_player_asks_for_it(_case, by, free, used):
    book, beast = fighting(S1)
    (asked,) = of_kind(book.when(RequestCheck(actor=pc(book, S1), intent="climb"), by=by), CheckRequested)
    book.when(SetCheck(check=asked.check, cd=Cd.SIMPLE, good=True, free=free), by=GM)
    assert book.state.encounter.attacked is used
    if used:
        with refused("action.used", book.state):
            book.when(DeclareAttack(target=beast, uses=Uses.NONE), by=S1)
    else:
        book.when(DeclareAttack(target=beast, uses=Uses.NONE), by=S1)


@pytest.mark.rule("DT-CMB-3", "DT-CMB-4", "DT-AMB-37")
@pytest.mark.parametrize(("held", "may"), [(ActionKind.ATTACK, False), (ActionKind.MOVE, True)])
def test_a_held_attack_is_no_action_for_a_check_and_a_held_move_is_none_of_its_business(held, may):
    book, _ = fighting(S1)
    book.when(HoldAction(action=held, trigger="when it moves"), by=S1)
    (asked,) = of_kind(book.when(RequestCheck(intent="climb"), by=S1), CheckRequested)
    command = SetCheck(check=asked.check, cd=Cd.SIMPLE, good=True)
    if may:
        book.when(command, by=GM)
        return
    with refused("action.used", book.state):
        book.when(command, by=GM)
    book.when(SetCheck(check=asked.check, cd=Cd.SIMPLE, good=True, free=True), by=GM)


@pytest.mark.rule("DT-CMB-3")
def test_a_player_asks_for_no_check_in_anothers_turn_and_the_world_master_does():
    book, _ = fighting(S1, S2)
    with refused("turn.not_yours", book.state):
        book.when(RequestCheck(intent="climb"), by=S2)
    with refused("turn.not_yours", book.state):
        book.when(RequestCheck(intent="climb"), by=acting_for(S2))
    book.when(RequestCheck(actor=pc(book, S2), intent="climb"), by=GM)


@pytest.mark.rule("DT-CHR-7", "DT-AMB-32", "DT-AMB-57", "DT-AMB-16")
@pytest.mark.parametrize(
    ("_case", "uses", "terms", "dice"),
    [
        ("a weapon", Uses.WEAPON, {}, 2),
        ("a weapon, no power", Uses.WEAPON, {"hindrance_as": HindranceAs.NO_POWER}, 2),
        ("a power", Uses.POWER, {}, 2),
        ("a power, no power", Uses.POWER, {"hindrance_as": HindranceAs.NO_POWER}, 1),
        ("nothing", Uses.NONE, {}, 1),
        ("a disadvantage", Uses.WEAPON, {"hindrance_as": HindranceAs.DIS}, 3),
        ("two disadvantages are one", Uses.WEAPON, {"hindrance_as": HindranceAs.DIS, "adv": Adv.DIS}, 3),
        ("an advantage cancels it", Uses.WEAPON, {"hindrance_as": HindranceAs.DIS, "adv": Adv.ADV}, 2),
        ("a die for a weakness", Uses.NONE, {"edge_die": True}, 2),
    ],
)
def test_the_dice_of_an_attack_by_use_and_hindrance(_case, uses, terms, dice):
    book, beast = fighting(S1)
    hindrance = Hindrance.DEVIATION if "hindrance_as" in terms else Hindrance.NONE
    attack = declare(book, S1, beast, uses)
    events = set_attack(book, attack, (3,) * dice, (5,), attacker=Terms(hindrance=hindrance, **terms))
    assert [(e.actor, len(e.dice)) for e in of_kind(events, PoolRolled)] == [(pc(book, S1), dice), (beast, 1)]


@pytest.mark.rule("DT-CHR-7")
@pytest.mark.parametrize("side", ["attacker", "defender"])
def test_either_side_of_an_attack_is_hindered_only_by_what_is_on_its_sheet(side):
    book, beast = fighting(S1)
    attack = declare(book, S1, beast)
    terms = {side: Terms(hindrance=Hindrance.DEVIATION, hindrance_as=HindranceAs.DIS)}
    if side == "attacker":
        book.state.set_sheet(pc(book, S1), deviation="")
    with refused("hindrance.missing", book.state):
        set_attack(book, attack, (), (), **terms)


@pytest.mark.rule("DT-CHK-8", "DT-AMB-5", "DT-CHK-13")
def test_a_net_of_two_criticals_brings_two_dice_and_no_more():
    book = playing()
    roll_check(book, pc(book, S1), (6, 6), cd=Cd.LEGENDARY)
    (closed,) = of_kind(close(book, S1, extra=(6, 1)), RollClosed)
    assert (closed.net, closed.extra, closed.total, closed.success) == (2, (6, 1), 19, False)
    assert [p.reason for p in book.state.due_placements()] == [Reason.FAILURE]
