"""Checks in play: asked, set, thrown, bought for, closed (chapter 2 of the rulebook).

Long for one reason: a check is followed from the asking to the dice for the tower.
"""

from datetime import timedelta

import pytest

from games.dietower.rules.actors.commands import SetState
from games.dietower.rules.checks.commands import BuyDie, CloseRoll, RequestCheck, SetCheck, WithdrawCheck
from games.dietower.rules.checks.events import (
    BonusDieRolled,
    CheckSet,
    CheckSucceeded,
    CheckWithdrawn,
    PoolRolled,
    RollClosed,
)
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.checks.rules import Ruling
from games.dietower.rules.state.schema_types import (
    Adv,
    Asked,
    CheckStatus,
    Condition,
    Hindrance,
    HindranceAs,
    Mode,
    Reason,
)
from games.dietower.rules.table.commands import LeaveSeat, SetStandingAnswer
from games.dietower.rules.tower.commands import PlaceDie, WriteConsequence
from games.dietower.rules.tower.events import DiePlaced, PlacementDue, PlacementsDropped, RiskShown, TowerFell
from games.dietower.rules.wishes.events import WishesSpent
from games.engine.dice import SecretDice, Tray
from games.engine.errors import DieOwed
from games.engine.kernel import execute
from games.engine.lifecycle.gm_commands import FireNow
from games.engine.prompts.manual_dice import by_hand
from games.engine.prompts.prompt import DeadlinePassed, timer_key
from tests.dice import d
from tests.playbook import of_kind, refused
from tests.rules.dietower.stage import (
    GM,
    S1,
    S2,
    S3,
    acting_for,
    build,
    check,
    close,
    monster,
    npc,
    open_roll,
    pc,
    place,
    playing,
    raise_to,
    require_sound,
    roll_check,
)


@pytest.mark.rule("DT-CHK-1", "DT-CHK-10")
def test_a_player_asks_and_the_world_master_says_how_hard_it_is():
    book = playing()
    (asked, *_) = book.when(RequestCheck(intent="climb the wall", trait="strong"), by=S1)
    assert (asked.actor, asked.trait, asked.by) == (pc(book, S1), "strong", S1)
    prompt = book.state.prompts[book.state.question(Asked.CHECK_SET)]
    assert prompt.owners == ("gm",) and prompt.lane == f"check:{asked.check}"
    events = book.when(SetCheck(check=asked.check, cd=Cd.TOUGH, good=True), by=GM, dice=[d(6, "check", 5, 3)])
    (thrown,) = of_kind(events, PoolRolled)
    assert thrown.pool == (5, 3)
    closed = of_kind(close(book, S1), RollClosed, PlacementDue)
    assert [(e.total, e.success, e.net) for e in closed] == [(8, True, 0)]
    require_sound(book)


@pytest.mark.rule("DT-CHK-1", "DT-AMB-31", "DT-EX-74")
def test_a_world_master_who_says_nothing_withdraws_the_check():
    book = playing()
    (asked, *_) = book.when(RequestCheck(intent="climb"), by=S1)
    assert book.wait(timedelta(seconds=119)) == []
    events = book.wait(timedelta(seconds=1))
    assert [type(e) for e in of_kind(events, DeadlinePassed, CheckWithdrawn, PlacementDue)] == [
        DeadlinePassed,
        CheckWithdrawn,
    ]
    with refused("prompt.closed", book.state):
        book.when(SetCheck(check=asked.check, cd=Cd.EASY, good=True), by=GM)
    require_sound(book)


@pytest.mark.rule("DT-CHK-3", "DT-EX-43")
def test_a_simple_check_succeeds_without_a_roll():
    book = playing()
    events = roll_check(book, pc(book, S1), (), cd=Cd.SIMPLE)
    assert of_kind(events, CheckSucceeded) and not of_kind(events, PoolRolled, PlacementDue)
    assert [c.success for c in book.state.checks.values()] == [True]
    require_sound(book)


@pytest.mark.rule("DT-CHK-2", "DT-AMB-21", "DT-EX-44")
def test_a_difficulty_is_a_name_or_a_number_up_to_forty():
    book = playing()
    for cd in (0, 41):
        with refused("cd.unknown", book.state):
            roll_check(book, pc(book, S1), (), cd=cd)
    (chosen,) = of_kind(roll_check(book, pc(book, S1), (4, 4), cd=12), CheckSet)
    assert (chosen.cd, chosen.name) == (12, "custom")


@pytest.mark.rule("DT-CHK-9", "DT-CHK-11", "DT-CHK-12", "DT-EX-04")
def test_what_fails_owes_the_tower_up_to_two_dice_the_net_fail_first():
    book = playing()
    events = check(book, S1, (1,), cd=Cd.EASY, good=False)
    assert [e.reason for e in of_kind(events, PlacementDue)] == [Reason.NET_FAIL, Reason.FAILURE]
    assert {p.actor for p in book.state.due_placements()} == {pc(book, S1)}
    prompt = book.state.prompts[book.state.question(Asked.PLACE)]
    assert prompt.owners == (f"seat:{S1}",)
    require_sound(book)


@pytest.mark.rule("DT-CHK-6", "DT-CHK-8", "DT-CHK-13", "DT-WSH-3", "DT-EX-12")
def test_wish_dice_are_bought_when_the_pool_is_seen_and_count_like_the_others():
    book = playing()
    roll_check(book, pc(book, S1), (4, 3), cd=Cd.CHALLENGING)
    roll = open_roll(book, S1)
    events = book.when(BuyDie(roll=roll.id), by=S1, dice=[d(6, "wish", 6)])
    assert [(e.count, e.wishes) for e in of_kind(events, WishesSpent)] == [(1, 0)]
    (closed,) = of_kind(close(book, S1, extra=(2,)), RollClosed)
    assert (book.state.rolls[roll.id].pool, closed.net, closed.total, closed.success) == ((4, 3, 6), 1, 15, True)
    require_sound(book)


@pytest.mark.rule("DT-CHK-6", "DT-WSH-3", "CF-3")
def test_dice_are_bought_one_after_the_other_and_each_has_a_use_of_its_own():
    book = playing()
    raise_to(book, pc(book, S1), 4, wishes=3)
    roll_check(book, pc(book, S1), (4, 3), cd=Cd.CHALLENGING)
    roll = open_roll(book, S1)
    bought = [of_kind(book.when(BuyDie(roll=roll.id, count=n), by=S1), BonusDieRolled) for n in (1, 2)]
    assert [len(events) for events in bought] == [1, 2]
    assert [roll.index for record in book.log for roll in record.rolls if "wish" in roll.label] == [0, 1, 2]
    require_sound(book)


@pytest.mark.rule("DT-CHK-6")
def test_the_window_closes_by_its_owner_or_by_the_deadline_and_by_nobody_else():
    book = playing()
    roll_check(book, pc(book, S1), (4, 3))
    roll = open_roll(book, S1)
    for other in (S2, GM):
        with refused("roll.not_yours", book.state):
            book.when(CloseRoll(roll=roll.id), by=other)
    assert of_kind(book.wait(timedelta(seconds=59)), RollClosed) == []
    assert len(of_kind(book.wait(timedelta(seconds=1)), RollClosed)) == 1
    with refused("roll.closed", book.state):
        book.when(CloseRoll(roll=roll.id), by=S1)


@pytest.mark.rule("DT-CHK-6", "DT-WSH-5", "DT-CHK-12")
def test_the_rolls_of_people_and_monsters_close_at_once_and_monsters_place_nothing():
    book = playing()
    for actor, owed in ((npc(book), 1), (monster(book), 0)):
        before = len(book.state.placements)
        events = roll_check(book, actor, (2, 3))
        assert of_kind(events, RollClosed)
        assert len(book.state.placements) - before == owed
    (due,) = book.state.due_placements()
    assert book.state.prompts[book.state.question(Asked.PLACE)].owners == ("gm",)
    assert book.state.actors[due.actor].name == "Odo"
    require_sound(book)


@pytest.mark.rule("DT-CHK-5", "DT-CHK-13", "DT-TWR-5", "DT-EX-70")
def test_dice_fall_in_their_order_and_the_lowest_goes_with_advantage():
    book = playing()
    events = roll_check(book, pc(book, S1), (2, 5, 3, 6), cd=Cd.EPIC, adv=Adv.ADV, edge_die=True)
    (thrown,) = of_kind(events, PoolRolled)
    assert (thrown.discarded, thrown.pool) == (0, (5, 3, 6))
    book.when(BuyDie(roll=thrown.roll), by=S1, dice=[d(6, "wish", 1)])
    (closed,) = of_kind(close(book, S1), RollClosed)
    assert (closed.net, closed.total) == (0, 15)


@pytest.mark.rule("DT-CMB-13", "DT-AMB-29", "DT-EX-14")
def test_an_edge_is_added_outside_combat_too():
    book = playing()
    (closed,) = of_kind(check(book, S1, (5, 5), cd=Cd.FORMIDABLE, edge=3), RollClosed)
    assert (closed.flat, closed.total, closed.success) == (3, 13, True)


@pytest.mark.rule("DT-CHR-7", "DT-AMB-32", "DT-AMB-57", "DT-EX-46")
def test_a_drawback_is_a_disadvantage_or_takes_the_second_die():
    book = playing()
    terms = {"hindrance": Hindrance.DRAWBACK, "hindrance_as": HindranceAs.DIS}
    (closed,) = of_kind(check(book, S1, (6, 5, 3), **terms), RollClosed)
    assert (closed.total, closed.success) == (8, True)
    terms["hindrance_as"] = HindranceAs.NO_POWER
    events = check(book, S1, (3,), **terms)
    assert [(e.total, e.success) for e in of_kind(events, RollClosed)] == [(3, False)]
    assert [e.hindrance for e in of_kind(events, CheckSet)] == [Hindrance.DRAWBACK]
    assert len(of_kind(events, PlacementDue)) == 1


@pytest.mark.rule("DT-CHR-7")
def test_a_hindrance_is_on_the_sheet_and_does_something():
    book = playing()
    odo = npc(book)
    with refused("hindrance.missing", book.state):
        roll_check(book, odo, (), hindrance=Hindrance.DEVIATION, hindrance_as=HindranceAs.DIS)
    with refused("hindrance.missing", book.state):
        roll_check(book, pc(book, S1), (), hindrance=Hindrance.DEVIATION)


@pytest.mark.rule("DT-CHK-4", "DT-EX-78", "DT-AMB-20")
def test_the_world_master_decides_what_somebody_is_good_at():
    book = playing()
    (one,) = of_kind(roll_check(book, pc(book, S1), (4,), cd=Cd.AVERAGE, good=False), PoolRolled)
    (two,) = of_kind(roll_check(book, pc(book, S2), (4, 4), good=True), PoolRolled)
    assert (len(one.dice), len(two.dice)) == (1, 2)


@pytest.mark.rule("DT-CHK-16", "DT-TBL-6", "DT-AMB-47", "DT-EX-90")
def test_a_check_is_withdrawn_before_its_dice_and_not_after():
    book = playing()
    (asked, *_) = book.when(RequestCheck(intent="climb"), by=S1)
    with refused("prompt.not_yours", book.state):
        book.when(WithdrawCheck(check=asked.check), by=S2)
    assert not of_kind(book.when(WithdrawCheck(check=asked.check), by=GM), PlacementDue)
    with refused("prompt.closed", book.state):
        book.when(WithdrawCheck(check=asked.check), by=GM)
    roll_check(book, pc(book, S1), (4, 4))
    thrown = next(c.id for c in book.state.checks.values() if c.status is CheckStatus.THROWN)
    with refused("roll.closed", book.state):
        book.when(WithdrawCheck(check=thrown), by=GM)


@pytest.mark.rule("DT-CHK-14", "DT-AMB-40")
def test_checks_of_several_run_side_by_side_one_for_each():
    book = playing()
    book.when(RequestCheck(intent="climb"), by=S1)
    book.when(RequestCheck(intent="swim"), by=S2)
    assert len(list(book.state.questions(Asked.CHECK_SET))) == 2
    with refused("roll.open", book.state):
        book.when(RequestCheck(intent="sing"), by=S1)
    with refused("actor.not_yours", book.state):
        book.when(RequestCheck(intent="sing", actor=pc(book, S2)), by=S1)
    third = playing(S1, S2, S3)
    with refused("issuer.other", third.state):
        third.when(RequestCheck(intent="sing", ruling=Ruling(cd=Cd.EASY, good=True)), by=S3)


@pytest.mark.rule("DT-CHK-14", "DT-TWR-8", "DT-EX-91", "DT-EX-92")
def test_the_tower_takes_dice_in_the_order_in_which_rolls_closed_and_a_fall_drops_its_own():
    book = playing()
    a, b = pc(book, S1), pc(book, S2)
    roll_check(book, a, (3, 2), cd=Cd.TOUGH)
    roll_check(book, b, (1,), cd=Cd.EASY, good=False)
    build(book, (0, 0), (3, 0), (5, 0), (6, 0), (6, 0), (6, 0), (6, 0))
    close(book, S2)
    close(book, S1)
    assert [p.actor for p in book.state.due_placements()] == [b, b, a]
    last = book.state.due_placements()[-1]
    with refused("placement.waiting", book.state):
        book.when(PlaceDie(placement=last.id), by=S1)
    events = place(book, S2, 6, 1, 3, 3)
    assert of_kind(events, TowerFell)
    (dropped,) = of_kind(events, PlacementsDropped)
    assert len(dropped.placements) == 1 and dropped.reason == "fall"
    (consequence,) = book.state.consequences
    book.when(WriteConsequence(consequence=consequence, kind="loss", text="The map burns."), by=GM)
    stands = of_kind(place(book, S1), DiePlaced)
    assert [(e.height, e.dice) for e in stands] == [(1, ())]
    assert book.state.sheets[a].wishes == 1  # of level 1: the second is lost
    require_sound(book)


@pytest.mark.rule("DT-CHK-14", "DT-EX-93")
def test_while_something_terrible_is_due_nothing_new_is_asked_and_rolls_go_on():
    book = playing()
    roll_check(book, pc(book, S2), (2, 2))
    fall(book)
    with refused("prompt.open", book.state):
        book.when(RequestCheck(intent="flee"), by=S1)
    close(book, S2)
    assert len(book.state.due_placements()) == 1
    assert book.state.question(Asked.PLACE) is None


def fall(book):
    """The tower falls by a die of the first seat."""
    build(book, (0, 0), (5, 0), (7, 0))
    check(book, S1, (3, 2), cd=Cd.TOUGH)
    assert of_kind(place(book, S1, 6, 1, 3, 3), TowerFell)


@pytest.mark.rule("DT-CHK-15", "DT-AMB-41", "DT-EX-94")
def test_dice_that_are_thrown_stand_when_their_owner_falls_and_are_placed():
    book = playing()
    a = pc(book, S2)
    roll_check(book, a, (2, 3), cd=Cd.TOUGH)
    fall(book)
    (consequence,) = book.state.consequences
    targets = ({"actor": a, "fallen": True},)
    command = WriteConsequence.model_validate(
        {"consequence": consequence, "kind": "death", "text": "The roof.", "targets": targets}
    )
    events = book.when(command, by=GM)
    (closed,) = of_kind(events, RollClosed)
    assert (closed.total, closed.success) == (5, False)
    assert book.state.actors[a].condition is Condition.FALLEN
    assert of_kind(place(book, S2), DiePlaced)
    require_sound(book)


@pytest.mark.rule("DT-CHK-15", "DT-CMB-14", "DT-EX-59")
def test_a_check_without_dice_is_withdrawn_when_its_actor_falls():
    book = playing()
    (asked, *_) = book.when(RequestCheck(intent="climb"), by=S1)
    events = book.when(SetState(actor=pc(book, S1), state=Condition.FALLEN, text="hurt", reason="fate"), by=GM)
    assert [e.check for e in of_kind(events, CheckWithdrawn)] == [asked.check]
    with refused("actor.fallen", book.state):
        book.when(RequestCheck(intent="climb"), by=S1)
    require_sound(book)


@pytest.mark.rule("DT-TBL-4", "DT-CHK-15", "DT-AMB-53", "DT-EX-89")
def test_what_a_seat_owes_that_is_left_goes_by_the_defaults():
    book = playing()
    book.when(RequestCheck(intent="climb"), by=S1)
    roll_check(book, pc(book, S2), (2, 2))
    events = book.when(LeaveSeat(), by=S1)
    assert of_kind(events, CheckWithdrawn)
    events = book.when(LeaveSeat(), by=S2)
    assert of_kind(events, RollClosed) and of_kind(events, DiePlaced)
    assert book.state.tower.height == 1 and not book.state.prompts
    require_sound(book)


@pytest.mark.rule("DT-WSH-7", "DT-EX-97")
def test_who_has_no_wishes_may_say_that_rolls_close_at_once():
    book = playing()
    book.when(SetStandingAnswer(kind="window", answer="close_when_empty"), by=S1)
    roll_check(book, pc(book, S1), (4, 4))
    assert book.state.question(Asked.CHECK_WISH) is not None
    book.when(BuyDie(roll=open_roll(book, S1).id), by=S1, dice=[d(6, "wish", 3)])
    close(book, S1)
    events = roll_check(book, pc(book, S1), (4, 4))
    assert [type(e).__name__ for e in events if type(e).__name__ in ("StandingAnswerUsed", "RollClosed")] == [
        "StandingAnswerUsed",
        "RollClosed",
    ]


@pytest.mark.rule("DT-WSH-7", "DT-SIM-1", "DT-EX-98")
def test_dice_are_placed_at_once_where_somebody_has_said_so():
    book = playing()
    book.when(SetStandingAnswer(kind="place", answer="at_once"), by=S1)
    book.state.set_sheet(pc(book, S1), wishes=0)
    events = check(book, S1, (2, 2))
    (placed,) = of_kind(events, DiePlaced)
    assert (placed.dice, placed.height, book.state.sheets[pc(book, S1)].wishes) == ((), 1, 1)
    for kind, answer in (("place", "close"), ("defend", "at_once"), ("window", "always")):
        with refused("answer.invalid", book.state):
            book.when(SetStandingAnswer(kind=kind, answer=answer), by=S1)


@pytest.mark.rule("DT-SIM-4", "DT-TWR-8")
def test_the_risk_of_the_next_die_is_shown_before_it_is_placed():
    book = playing()
    build(book, (0, 0), (5, 0))
    (shown,) = of_kind(check(book, S1, (2, 2)), RiskShown)
    assert (shown.falls, shown.height) == (216, 2)
    raise_to(book, pc(book, S1), 2)
    assert book.state.question(Asked.PLACE) is not None
    with refused("placement.not_yours", book.state):
        place(book, S2)
    assert of_kind(place(book, acting_for(S1), 4, 2, 3, 3), DiePlaced)


@pytest.mark.rule("DT-CHK-6")
def test_nobody_ends_the_window_for_wish_dice_early():
    book = playing()
    roll_check(book, pc(book, S1), (4, 3))
    with refused("timer.early", book.state):
        book.when(FireNow(timer=timer_key(book.state.question(Asked.CHECK_WISH))), by=GM)


@pytest.mark.rule("DT-AMB-51")
def test_dice_of_a_real_table_are_entered_by_the_roller_or_the_world_master():
    book = playing(options='{"dice_by_hand": true, "answer_seconds": 90}')
    assert book.state.dice_by_hand() and book.state.hand_dice_seconds() == 90
    assert set(book.state.hand_dice_owners(S1)) == {"gm", f"seat:{S1}"}
    assert book.state.hand_dice_owners(None) == ("gm",)
    ctx = book.context(GM)
    ctx.tray = Tray(SecretDice(b"x", "x"), by_hand=lambda label, index: by_hand(book.state, label, index))
    command = RequestCheck(actor=pc(book, S1), intent="climb", ruling=Ruling(cd=Cd.TOUGH, good=True))
    with pytest.raises(DieOwed) as owed:
        list(execute(book.state, command, ctx))
    assert (owed.value.count, owed.value.sides, owed.value.roller) == (2, 6, S1)
    assert not playing().state.dice_by_hand()


@pytest.mark.rule("DT-AMB-47")
@pytest.mark.rule("DT-SIM-4")
def test_the_question_how_hard_a_check_is_says_what_the_next_die_risks():
    book = playing(S1, half_width=6)
    build(book, (0, 0), (5, 0))

    book.when(RequestCheck(actor=pc(book, S1), intent="Climb"), by=S1)

    (asked,) = (p for p in book.state.prompts.values() if p.kind == Asked.CHECK_SET)
    assert asked.question.endswith(": Climb (the next die brings the tower down in 216 of 1,296 ways)")


def test_no_risk_is_said_where_no_die_can_fall_or_the_tower_is_a_real_one():
    for book in (playing(S1), playing(S1, mode=Mode.PHYSICAL)):
        book.when(RequestCheck(actor=pc(book, S1), intent="Climb"), by=S1)

        (asked,) = (p for p in book.state.prompts.values() if p.kind == Asked.CHECK_SET)
        assert asked.question.endswith(": Climb")
