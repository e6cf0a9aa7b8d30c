"""Chapter 5 of the rulebook, clause by clause: prices, what is held and by whom it is read, what is said in advance."""

from datetime import timedelta

import pytest

from games.dietower.rules.actors.commands import SetState
from games.dietower.rules.checks.commands import BuyDie, CloseRoll, RequestCheck
from games.dietower.rules.checks.events import RollClosed
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.checks.rules import Ruling
from games.dietower.rules.state.schema_types import Asked, Condition, Mode, WishKind, WishReason, WishStatus
from games.dietower.rules.table.commands import (
    CloseSession,
    ConfigureGame,
    FinishGame,
    LeaveSeat,
    OpenSession,
    SetStandingAnswer,
)
from games.dietower.rules.tower.events import DiePlaced
from games.dietower.rules.wishes.commands import AskWish, AwardWish, DecideWish, WithdrawWish
from games.dietower.rules.wishes.events import StoryWishAsked, StoryWishDecided, WishesSpent
from tests.dice import d
from tests.playbook import of_kind, refused
from tests.rules.dietower.scenes import declare, fighting, owe_die
from tests.rules.dietower.stage import (
    GM,
    S1,
    S2,
    acting_for,
    check,
    npc,
    open_roll,
    pc,
    place,
    playing,
    raise_to,
    require_sound,
    roll_check,
    setting_up,
    write,
)


def ask(book, kind=WishKind.ELEMENT, by=S1, actor=None):
    """Ask something of the story; the Wish."""
    (asked,) = of_kind(book.when(AskWish(actor=actor, kind=kind, text="A door"), by=by), StoryWishAsked)
    return asked.wish


def say(book, kind, answer, by=S1):
    """Say something in advance."""
    return book.when(SetStandingAnswer(kind=kind, answer=answer), by=by)


@pytest.mark.rule("DT-WSH-3", "DT-WSH-5")
@pytest.mark.parametrize(("kind", "price"), [(WishKind.ELEMENT, 2), (WishKind.SOMEONE, 3), (WishKind.GROUP, 4)])
def test_a_story_wish_takes_as_many_free_wishes_as_it_costs(kind, price):
    book = playing()
    raise_to(book, pc(book, S1), 4, wishes=price - 1)
    with refused("wishes.short", book.state):
        ask(book, kind)
    book.state.set_sheet(pc(book, S1), wishes=price)
    wish = ask(book, kind)
    (spent,) = of_kind(book.when(DecideWish(wish=wish, accept=True), by=GM), WishesSpent)
    assert (spent.count, spent.wishes, spent.kind) == (price, 0, kind)


@pytest.mark.rule("DT-WSH-4", "DT-AMB-33")
def test_one_wish_waits_for_each_character_not_for_each_seat_or_table():
    book = setting_up(S1, S2)
    book.when(ConfigureGame(seats=6, characters=2, idle_rounds=2), by=GM)
    a, b, c = write(book, S1, "A"), write(book, S1, "B"), write(book, S2, "C")
    book.when(OpenSession(), by=GM)
    for actor in (a, b, c):
        raise_to(book, actor, 4, wishes=4)
    first = ask(book, actor=a)
    ask(book, actor=b)
    ask(book, by=S2)
    with refused("wish.pending", book.state):
        ask(book, actor=a)
    with refused("actor.not_yours", book.state):
        ask(book, actor=c)
    book.when(WithdrawWish(wish=first), by=S1)
    assert [book.state.free_wishes(actor) for actor in (a, b, c)] == [4, 2, 2]
    ask(book, actor=a)
    assert [book.state.sheets[actor].wishes for actor in (a, b, c)] == [4, 4, 4]


@pytest.mark.rule("DT-WSH-4", "DT-AMB-39")
def test_a_wish_is_taken_back_by_who_asked_and_decided_once_by_the_world_master():
    book = playing()
    raise_to(book, pc(book, S1), 2, wishes=2)
    wish = ask(book)
    for other in (S2, GM, acting_for(S2)):
        with refused("wish.closed", book.state):
            book.when(WithdrawWish(wish=wish), by=other)
    book.when(WithdrawWish(wish=wish), by=acting_for(S1))
    for command, by in ((WithdrawWish(wish=wish), S1), (DecideWish(wish=wish, accept=True), GM)):
        with refused("wish.closed", book.state):
            book.when(command, by=by)
    decided = ask(book)
    book.when(DecideWish(wish=decided, accept=False), by=GM)
    assert book.state.wishes[decided].status is WishStatus.REFUSED and not book.state.prompts
    with refused("wish.closed", book.state):
        book.when(WithdrawWish(wish=decided), by=S1)
    require_sound(book)


@pytest.mark.rule("DT-WSH-5", "DT-AMB-11", "DT-WSH-2")
def test_people_of_the_world_masters_have_no_wishes_and_a_placement_is_no_award():
    book = playing()
    odo = npc(book)
    for by in (GM, acting_for(S1)):
        with refused("target.invalid" if by is GM else "actor.not_yours", book.state):
            ask(book, actor=odo, by=by)
    with refused("target.invalid", book.state):
        ask(book, actor=pc(book, S1), by=GM)
    with refused("reason.invalid", book.state):
        book.when(AwardWish(actor=pc(book, S1), reason=WishReason.PLACEMENT), by=GM)


@pytest.mark.rule("DT-WSH-4", "DT-AMB-31")
def test_silence_refuses_a_wish_at_its_deadline_and_not_before():
    book = playing()
    raise_to(book, pc(book, S1), 2, wishes=2)
    ask(book)
    assert book.wait(timedelta(minutes=10) - timedelta(seconds=1)) == []
    (decided,) = of_kind(book.wait(timedelta(seconds=1)), StoryWishDecided)
    assert not decided.accept and book.state.free_wishes(pc(book, S1)) == 2


@pytest.mark.rule("DT-WSH-4", "DT-WSH-6", "DT-WSH-1")
def test_a_wish_that_is_pending_stops_no_play_and_is_settled_by_the_end_of_the_session():
    book = playing()
    for seat in (S1, S2):
        raise_to(book, pc(book, seat), 2, wishes=2)
        ask(book, by=seat)
    check(book, S1, (4, 4))
    assert len(of_kind(book.when(CloseSession(), by=GM), StoryWishDecided)) == 2
    assert [w.status for w in book.state.wishes.values()] == [WishStatus.REFUSED] * 2


@pytest.mark.rule("DT-WSH-7", "DT-WSH-6", "DT-AMB-49")
def test_a_window_closes_when_empty_by_the_balance_that_all_see_not_by_what_is_free():
    book = playing()
    a = pc(book, S1)
    raise_to(book, a, 2, wishes=2)
    say(book, "window", "close_when_empty")
    ask(book)
    roll_check(book, a, (4, 4))
    assert book.state.free_wishes(a) == 0 and book.state.question(Asked.CHECK_WISH) is not None
    with refused("wishes.short", book.state):
        book.when(BuyDie(roll=open_roll(book, S1).id), by=S1)


@pytest.mark.rule("DT-WSH-7", "DT-AMB-49")
@pytest.mark.parametrize("answer", ["close", "close_when_empty"])
def test_a_window_is_closed_in_advance_for_the_own_rolls_alone_until_it_is_taken_back(answer):
    book = playing()
    for seat in (S1, S2):
        book.state.set_sheet(pc(book, seat), wishes=0)
    say(book, "window", answer)
    assert of_kind(roll_check(book, pc(book, S1), (4, 4)), RollClosed)
    assert not of_kind(roll_check(book, pc(book, S2), (4, 4)), RollClosed)
    say(book, "window", "ask")
    assert not of_kind(roll_check(book, pc(book, S1), (4, 4)), RollClosed)
    book.when(CloseRoll(roll=open_roll(book, S1).id), by=S1)
    book.state.set_sheet(pc(book, S1), wishes=1)
    say(book, "window", answer)
    closed = of_kind(roll_check(book, pc(book, S1), (4, 4)), RollClosed)
    assert bool(closed) is (answer == "close")


@pytest.mark.rule("DT-WSH-7", "DT-AMB-49", "DT-CHK-12")
def test_dice_are_placed_at_once_for_whom_it_was_said_and_on_a_simulated_tower():
    book = playing()
    odo = npc(book)
    say(book, "place", "at_once", by=GM)
    owe_die(book)
    assert book.state.question(Asked.PLACE) is not None
    say(book, "place", "at_once")
    place(book, S1)
    thrown = RequestCheck(actor=odo, intent="climb", ruling=Ruling(cd=Cd.TOUGH, good=True))
    events = book.when(thrown, by=GM, dice=[d(6, "check", 3, 2), d(6, "tower", 3, 3, 3, 3)])
    assert of_kind(events, DiePlaced)
    say(book, "place", "ask", by=GM)
    assert not of_kind(roll_check(book, odo, (3, 2), cd=Cd.TOUGH), DiePlaced)
    real = playing(mode=Mode.PHYSICAL)
    say(real, "place", "at_once")
    owe_die(real)
    assert real.state.question(Asked.PLACE) is not None and real.state.tower.height == 0


@pytest.mark.rule("DT-WSH-7", "DT-CMB-5")
@pytest.mark.parametrize(("answer", "used"), [("none", True), ("power", True), ("weapon", False), ("ask", False)])
def test_a_defence_said_in_advance_is_the_defenders_and_one_that_is_not_there_is_asked_for(answer, used):
    book, beast = fighting(S1, S2)
    say(book, "defend", answer, by=S2)
    attack = declare(book, S1, pc(book, S2))
    assert (book.state.attacks[attack].defence is not None) is used
    assert (book.state.question(Asked.ATTACK_DEFEND) is None) is used
    book, beast = fighting(S1)
    say(book, "defend", answer)
    attack = declare(book, S1, beast)
    assert book.state.attacks[attack].defence is None


@pytest.mark.rule("DT-WSH-7", "DT-AMB-49")
def test_what_is_said_in_advance_is_one_of_these_by_whom_it_concerns_until_the_game_is_over():
    book = playing()
    may = {
        ("place", "at_once"), ("window", "close"), ("window", "close_when_empty"), ("defend", "weapon"),
        ("defend", "power"), ("defend", "none"), ("place", "ask"), ("window", "ask"), ("defend", "ask"),
    }  # fmt: skip
    for kind in ("place", "window", "defend"):
        for answer in ("at_once", "close", "close_when_empty", "weapon", "power", "none", "ask", ""):
            for by, allowed in ((S1, (kind, answer) in may), (GM, kind == "place" and (kind, answer) in may)):
                if allowed:
                    say(book, kind, answer, by=by)
                else:
                    with refused("answer.invalid", book.state):
                        say(book, kind, answer, by=by)
    book.when(CloseSession(), by=GM)
    say(book, "window", "close")
    book.when(FinishGame(), by=GM)
    for command in (SetStandingAnswer(kind="window", answer="close"), LeaveSeat()):
        with refused("phase.closed", book.state):
            book.when(command, by=S1)


@pytest.mark.rule("DT-WSH-2", "DT-WSH-1")
@pytest.mark.parametrize(("held", "after"), [(0, 1), (1, 2), (2, 2)])
def test_an_award_is_one_wish_up_to_the_level_to_a_fallen_character_too(held, after):
    book = playing()
    a = pc(book, S1)
    raise_to(book, a, 2)
    book.state.set_sheet(a, wishes=held)
    book.when(SetState(actor=a, state=Condition.FALLEN, reason="fate"), by=GM)
    book.when(AwardWish(actor=a, reason=WishReason.ROLE_PLAY), by=GM)
    assert book.state.sheets[a].wishes == after


@pytest.mark.rule("DT-WSH-3", "DT-WSH-6")
def test_a_die_costs_one_wish_each_and_is_paid_from_what_is_free():
    book = playing()
    a = pc(book, S1)
    raise_to(book, a, 4, wishes=4)
    ask(book)
    roll_check(book, a, (3, 4), cd=Cd.CHALLENGING)
    (spent,) = of_kind(
        book.when(BuyDie(roll=open_roll(book, S1).id, count=2), by=S1, dice=[d(6, "wish", 2, 2)]), WishesSpent
    )
    assert (spent.count, spent.wishes, spent.kind, book.state.free_wishes(a)) == (2, 2, "die", 0)
