"""What bots judge before play and of Wishes: charts, words in advance, savings for a group, Wishes too late."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.dietower.rules.actors.commands import RollChart, SaveChart, SaveSheet
from games.dietower.rules.actors.events import ActorFell
from games.dietower.rules.bots.master import steady
from games.dietower.rules.bots.players import draw_gap, sensible, word_in_advance
from games.dietower.rules.bots.wishes import HIGH_TOWER, ONE_IN_WISHES, saver, take_back_wish
from games.dietower.rules.checks.commands import BuyDie, CloseRoll, RequestCheck, SetCheck, WithdrawCheck
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.combat.encounter_commands import OpenEncounter
from games.dietower.rules.state.schema_types import SheetField, Step, WishKind, WishReason
from games.dietower.rules.table.commands import SetStandingAnswer
from games.dietower.rules.wishes.commands import AskWish, DecideWish, WithdrawWish
from games.dietower.rules.wishes.events import WishEarned
from games.engine.bots import Thought
from games.engine.dice import SecretDice, Tray
from games.engine.kernel import Command
from tests.playbook import Playbook
from tests.rules.dietower.stage import (
    GM,
    GM_SEAT,
    S1,
    S2,
    build,
    monster,
    pc,
    playing,
    raise_to,
    require_sound,
    roll_check,
    setting_up,
    straight,
    write,
)

LOOKS = 60
"""So many dice say how often something is done now and then."""
SAYS_WINDOW = SetStandingAnswer(kind="window", answer="close_when_empty")


def does(book: Playbook, seat: UUID = S1, number: int = 0) -> Command | None:
    """What the bot on a seat does now, as far as it may see."""
    is_master = seat == GM_SEAT
    state = book.state.view_for(frozenset({seat}), gm=is_master)
    thought: Thought = (steady if is_master else sensible)(state, seat, Tray(SecretDice(b"bots", str(number))))
    return thought.command


# --- sheets -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("DT-CHR-6")
def test_what_a_sheet_lacks_is_drawn_from_the_chart_for_it_and_a_name_never() -> None:
    book = setting_up(S1)
    rook = write(book, S1, "Rook", deviation="", mystery="")
    assert draw_gap(book.state, S1) is None
    for field in (SheetField.NAME, SheetField.POWER, SheetField.MYSTERY, SheetField.DEVIATION):
        book.when(SaveChart(field=field, lines=("one", "another")), by=GM)
    drawn = []
    for _ in SheetField:
        if isinstance((said := does(book)), RollChart):
            drawn.append(said.field)
            book.when(said, by=S1)
    assert sorted(drawn) == [SheetField.DEVIATION, SheetField.MYSTERY]
    sheet = book.state.sheets[rook]
    assert (sheet.power, book.state.actors[rook].name) == ("whisper to crows", "Rook")
    assert {sheet.deviation, book.state.mysteries[rook].text} <= {"one", "another"}
    require_sound(book)


@pytest.mark.rule("DT-CHR-1", "DT-CHR-6")
def test_a_bot_writes_its_sheet_draws_its_notes_and_speaks_in_advance_before_play() -> None:
    book = setting_up(S1)
    book.when(SaveChart(field=SheetField.NOTES, lines=("Sings.",)), by=GM)
    done = []
    while (said := does(book)) is not None:
        done.append(type(said))
        book.when(said, by=S1)
    assert done[:3] == [SaveSheet, RollChart, SetStandingAnswer] and set(done[3:]) <= {SetStandingAnswer}
    assert book.state.sheets[pc(book, S1)].notes == "Sings."


# --- words in advance -------------------------------------------------------------------------------------------------
@pytest.mark.rule("DT-WSH-7", "DT-AMB-49")
@pytest.mark.parametrize("has_shield", [True, False])
def test_no_dice_without_wishes_and_a_shield_against_each_blow_are_said_in_advance(has_shield: bool) -> None:
    book = setting_up(S1)
    write(book, S1, weapon_defensive=has_shield)
    said = []
    while (word := does(book)) is not None:
        said.append(word)
        book.when(word, by=S1)
    assert said == [SAYS_WINDOW, *([SetStandingAnswer(kind="defend", answer="weapon")] if has_shield else [])]


@pytest.mark.rule("DT-WSH-7")
def test_it_is_said_in_play_as_well_and_what_somebody_has_said_stands() -> None:
    book = playing(S1, S2)
    assert does(book) == SAYS_WINDOW
    book.when(SetStandingAnswer(kind="window", answer="close"), by=S1)
    assert word_in_advance(book.state, S1) is None
    book.when(SetStandingAnswer(kind="place", answer="at_once"), by=S2)
    assert word_in_advance(book.state, S2) == SAYS_WINDOW


# --- savings for a group ----------------------------------------------------------------------------------------------
def rich(*wishes: tuple[int, int]) -> Playbook:
    """A game in FREE whose seats have said all in advance; (level, Wishes) for the character of each."""
    book = playing(*(S1, S2)[: len(wishes)])
    for seat, (level, held) in zip((S1, S2), wishes, strict=False):
        book.when(SAYS_WINDOW, by=seat)
        raise_to(book, pc(book, seat), level, held)
    return book


@pytest.mark.rule("DT-WSH-5", "DT-WSH-3")
@pytest.mark.parametrize(
    ("_case", "wishes", "saves"),
    [
        ("nobody comes to hold four so soon", ((2, 2), (2, 1)), None),
        ("the richer", ((3, 1), (3, 2)), S2),
        ("the higher level", ((4, 0), (3, 3)), S1),
        ("who may hold as many at all", ((2, 2), (3, 0)), S2),
    ],
)
def test_one_character_saves_for_a_group(_case: str, wishes: Any, saves: UUID | None) -> None:
    book = rich(*wishes)
    assert saver(book.state) == (pc(book, saves) if saves is not None else None)


@pytest.mark.rule("DT-WSH-5")
def test_who_has_fallen_does_not_save() -> None:
    book = rich((3, 1), (3, 2))
    book.plant(ActorFell(actor=pc(book, S2), text="hurt"))
    assert saver(book.state) == pc(book, S1)


@pytest.mark.rule("DT-WSH-3", "DT-WSH-5")
def test_who_saves_asks_nothing_smaller_and_the_others_do() -> None:
    book = rich((3, 3), (3, 2))
    asked = [[does(book, seat, number) for number in range(LOOKS)] for seat in (S1, S2)]
    mine, others = ([each for each in said if isinstance(each, AskWish)] for said in asked)
    assert mine == [] and {each.kind for each in others} == {WishKind.ELEMENT}
    assert 0 < len(others) < 2 * LOOKS // ONE_IN_WISHES


@pytest.mark.rule("DT-WSH-3")
def test_with_four_wishes_a_group_is_convinced_at_once() -> None:
    book = rich((4, 4))
    asked = [does(book, number=number) for number in range(LOOKS)]
    assert all(isinstance(each, AskWish) and each.kind is WishKind.GROUP for each in asked)
    book.when(asked[0], by=S1)
    assert not isinstance(does(book), AskWish)
    require_sound(book)


@pytest.mark.rule("DT-CHK-6", "DT-WSH-3")
@pytest.mark.parametrize(
    ("_case", "level", "height", "buys"),
    [("saves", 3, HIGH_TOWER - 1, False), ("the tower is high", 3, HIGH_TOWER, True), ("saves nothing", 2, 0, True)],
)
def test_who_saves_buys_a_die_on_a_high_tower_alone(_case: str, level: int, height: int, buys: bool) -> None:
    book = rich((level, 2))
    build(book, *straight(height))
    book.plant(WishEarned(actor=pc(book, S1), reason=WishReason.STORY, wishes=2))
    roll_check(book, pc(book, S1), (2, 3), cd=Cd.TOUGH)
    assert isinstance(does(book), BuyDie if buys else CloseRoll)


# --- Wishes that come too late ----------------------------------------------------------------------------------------
def wish(book: Playbook, seat: UUID = S1) -> UUID:
    """A Wish for the story waits; its id."""
    book.when(AskWish(kind=WishKind.ELEMENT, text="A boat."), by=seat)
    return next(iter(book.state.wishes))


@pytest.mark.rule("DT-WSH-4")
def test_a_wish_is_taken_back_when_an_encounter_begins_also_in_the_own_turn() -> None:
    book = rich((2, 2), (2, 2))
    asked = wish(book, S2)
    assert not isinstance(does(book, S2), WithdrawWish)
    book.when(OpenEncounter(members=(monster(book),)), by=GM)
    assert book.state.course.step is Step.TURN
    assert take_back_wish(book.state, S1) is None
    assert does(book, S2) == WithdrawWish(wish=asked)
    book.when(WithdrawWish(wish=asked), by=S2)
    assert take_back_wish(book.state, S2) is None and book.state.free_wishes(pc(book, S2)) == 2
    require_sound(book)


@pytest.mark.rule("DT-WSH-4")
def test_it_is_taken_back_in_the_own_turn_before_all_else() -> None:
    book = rich((2, 2))
    asked = wish(book)
    book.when(OpenEncounter(members=(monster(book),)), by=GM)
    assert does(book) == WithdrawWish(wish=asked)


@pytest.mark.rule("DT-WSH-4", "DT-CHR-4")
def test_a_wish_of_somebody_who_has_fallen_is_taken_back() -> None:
    book = rich((2, 2), (2, 2))
    asked = wish(book)
    book.plant(ActorFell(actor=pc(book, S1), text="hurt"))
    assert does(book) == WithdrawWish(wish=asked)


# --- what the world master decides first ------------------------------------------------------------------------------
@pytest.mark.rule("DT-WSH-4")
def test_what_stops_play_is_decided_before_a_wish_that_was_asked_earlier() -> None:
    book = rich((2, 2), (2, 2))
    wish(book)
    assert isinstance(does(book, GM_SEAT), DecideWish)
    book.when(RequestCheck(intent="Up"), by=S2)
    assert isinstance(does(book, GM_SEAT), SetCheck)
    book.when(WithdrawCheck(check=next(iter(book.state.checks))), by=S2)
    assert isinstance(does(book, GM_SEAT), DecideWish)


@pytest.mark.rule("DT-WSH-4", "DT-CMB-3")
def test_in_a_fight_what_was_wished_for_it_is_decided_and_what_was_wished_before_waits() -> None:
    book = rich((2, 2), (2, 2))
    wish(book)
    book.now += timedelta(seconds=1)
    book.when(OpenEncounter(members=(monster(book),)), by=GM)
    assert not isinstance(does(book, GM_SEAT), DecideWish)
    book.now += timedelta(seconds=1)
    book.when(AskWish(kind=WishKind.ELEMENT, text="The floor gives way."), by=S2)
    said = does(book, GM_SEAT)
    assert isinstance(said, DecideWish) and book.state.wishes[said.wish].actor == pc(book, S2)


@pytest.mark.rule("DT-WSH-4")
def test_a_busy_table_keeps_no_wish_waiting() -> None:
    book = rich((2, 2), (2, 2))
    wish(book)
    book.now += book.state.window("ruling")
    book.when(RequestCheck(intent="Up"), by=S2)
    assert isinstance(does(book, GM_SEAT), DecideWish)


@pytest.mark.rule("DT-WSH-4")
def test_a_wish_waits_while_an_encounter_is_due() -> None:
    book = rich((2, 2))
    wish(book)
    for _ in range(7):
        roll_check(book, pc(book, S1), (3, 4))
        if book.state.prompts:
            closing = next(roll.id for roll in book.state.rolls.values() if not roll.closed)
            book.when(CloseRoll(roll=closing), by=S1)
    assert not isinstance(does(book, GM_SEAT), DecideWish)


@pytest.mark.rule("DT-AMB-10")
def test_wishes_of_each_price_are_granted_mostly() -> None:
    for kind, level in ((WishKind.ELEMENT, 2), (WishKind.GROUP, 4)):
        book = rich((level, level))
        book.when(AskWish(kind=kind, text="Let it be."), by=S1)
        said = [does(book, GM_SEAT, number) for number in range(LOOKS)]
        granted = sum(isinstance(each, DecideWish) and each.accept for each in said)
        assert LOOKS // 2 < granted < LOOKS
