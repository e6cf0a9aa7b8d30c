"""What bots do with others and say in advance: common castings, choices of effects, names under their deeds."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from games.gods2.rules.bots.company import joins, proposal, word_in_advance
from games.gods2.rules.bots.deeds import signature
from games.gods2.rules.casting.choice_commands import ChooseEffect
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.events import DeedAuthored, EntrySigned, PowerCast, StandingAnswerUsed
from games.gods2.rules.casting.joint_commands import AnswerCasting
from games.gods2.rules.casting.migration_commands import OrderMigration
from games.gods2.rules.gm_desk.commands import SignEntry
from games.gods2.rules.state.options import CENTURIES
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.shares import share_out
from games.gods2.rules.state.value_types import PartOf, Place, Target
from games.gods2.rules.window.commands import DrawNumber, LeaveQueue, PassNumber
from games.gods2.rules.window.standing_answer_commands import SetStandingAnswer
from tests.playbook import Playbook, of_kind
from tests.rules.gods2.era import ANA, BEN, CLEO, A, B, C, begin, define, set_up, shares, two_peoples, units
from tests.rules.gods2.test_bots_faith import at_peace
from tests.rules.gods2.test_choices import choice_prompt, crossroads
from tests.rules.gods2.thinkers import PLAINS, commands, give, think, view_of

CULTIVATE = "teach_agriculture"


def poor_teacher() -> tuple[Playbook, UUID, UUID]:
    """Dwarves of Ashkar (60) and Belun (40), whom Ashkar would teach what is dearer than its purse."""
    book, dwarves, elves = two_peoples()
    book.state.races[dwarves] = replace(book.state.races[dwarves], knowledges=("toolmaking", "tribal_law"))
    for seat in (ANA, BEN, CLEO):
        give(book, 0, seat)
    give(book, 4, CK=6, LB=6)
    return book, dwarves, elves


def proposed(book: Playbook) -> CastPower:
    """What Ashkar proposes; it is issued."""
    found = proposal(view_of(book))
    assert isinstance(found, CastPower)
    book.when(found, by=ANA)
    return found


def question(book: Playbook) -> UUID:
    """The question to the partner."""
    return next(p.id for p in book.state.prompts.values() if p.kind == "CASTING.join")


@pytest.mark.rule("G2-HIST-3")
def test_a_bot_asks_the_largest_other_member_to_share_a_price_that_it_cannot_pay() -> None:
    book, dwarves, _ = poor_teacher()
    found = proposal(view_of(book))
    assert isinstance(found, CastPower) and found.targets == (Target(race=dwarves),)
    assert found.parts == (PartOf(seat=ANA), PartOf(seat=BEN)) and found in commands(book)
    cost = book.state.pack.powers[found.power].cost
    assert isinstance(cost, int) and 4 < cost <= 8
    give(book, 3, CK=6, LB=6)
    half = proposal(view_of(book))
    assert half is None or book.state.pack.powers[half.power].cost <= 6


@pytest.mark.parametrize("case", ["alone", "borrowed", "away", "runs away", "too dear", "enough"])
def test_no_bot_proposes_what_nobody_could_share(case: str) -> None:
    book, dwarves, elves = poor_teacher()
    match case:
        case "alone":
            share_out(book.state, dwarves, {A: 10_000})
        case "runs away":
            share_out(book.state, dwarves, {A: 9000, B: 1000})
            share_out(book.state, elves, {A: 6000, B: 4000})
            assert view_of(book).leader == A
        case "away":
            book.state.gods[BEN] = replace(book.state.gods[BEN], status=type(book.state.gods[BEN].status).KILLED)
        case "borrowed":
            give(book, 4)
        case "too dear":
            give(book, 1, CK=6, LB=6)
        case "enough":
            give(book, 60, CK=6, LB=6)
    assert proposal(view_of(book)) is None


@pytest.mark.rule("G2-HIST-2")
def test_nobody_is_asked_who_runs_away() -> None:
    book, dwarves, elves = poor_teacher()
    share_out(book.state, elves, {B: 10_000})
    share_out(book.state, dwarves, {A: 3000, B: 6000, C: 1000})
    assert view_of(book).rival == B
    found = proposal(view_of(book))
    assert isinstance(found, CastPower) and found.parts[1].seat == CLEO


@pytest.mark.rule("G2-HIST-3")
@pytest.mark.parametrize(("mana", "joined"), [(20, True), (1, False)])
def test_a_bot_joins_a_casting_that_helps_its_people_where_it_can_pay(mana: int, joined: bool) -> None:
    book, *_ = poor_teacher()
    give(book, mana, BEN)
    wish = proposed(book)
    found = think(book, BEN).command
    assert found == AnswerCasting(prompt=question(book), yes=joined)
    events = book.when(found, by=BEN)
    assert [each.power for each in of_kind(events, PowerCast)] == ([wish.power] if joined else [])


@pytest.mark.rule("G2-HIST-3")
@pytest.mark.parametrize(
    ("_case", "power", "at", "joined"),
    [
        ("its own are burnt", "wildfire", Target(squares=(Place(x=1, y=1),)), False),
        ("others than its own are taught", CULTIVATE, None, True),
        ("a city that is none of its own", "order_peace", None, False),
    ],
)
def test_a_bot_refuses_a_casting_by_which_it_is_hurt_or_gains_nothing(
    _case: str, power: str, at: Target | None, joined: bool
) -> None:
    book, dwarves, _ = poor_teacher()
    give(book, 40, BEN)
    targets = (at or Target(race=dwarves),)
    made = replace_wish(book, power, targets)
    assert joins(view_of(book, BEN), made) is joined


def replace_wish(book: Playbook, power: str, targets: tuple[Target, ...], *, amount: int = 2) -> Any:
    """A proposal of Ashkar to Belun with this power."""
    proposed(book)
    (made,) = book.state.proposals.values()
    wish = CastPower(power=power, targets=targets)
    text = wish.model_dump_json(include={"power", "targets", "choice", "signed"})
    return replace(made, power=power, wish=text, parts=((ANA, 2), (BEN, amount)))


def test_a_part_of_what_brings_nothing_any_more_is_refused() -> None:
    book, dwarves, _ = poor_teacher()
    give(book, 23, BEN)
    dear = replace_wish(book, CULTIVATE, (Target(race=dwarves),), amount=23)
    assert joins(view_of(book, BEN), replace(dear, parts=((ANA, 2), (BEN, 2))))
    book.state.races[dwarves] = replace(book.state.races[dwarves], knowledges=("agriculture",))
    assert not joins(view_of(book, BEN), dear), "nothing is left to learn"


def test_nobody_joins_who_runs_away_and_that_is_said_in_advance() -> None:
    book, dwarves, elves = poor_teacher()
    give(book, 20, BEN)
    wish = proposed(book)
    (made,) = book.state.proposals.values()
    assert joins(view_of(book, BEN), made) and word_in_advance(view_of(book, BEN)) is None
    book.when(AnswerCasting(prompt=question(book), yes=False), by=BEN)
    book.when(LeaveQueue(), by=ANA)
    share_out(book.state, dwarves, {A: 9000, B: 1000})
    share_out(book.state, elves, {A: 6000, B: 4000})
    assert view_of(book, BEN).rival == A and not joins(view_of(book, BEN), made)
    refusal = SetStandingAnswer(kind="casting", seat=ANA, answer="no")
    give(book, 0, BEN)
    assert word_in_advance(view_of(book, BEN)) == refusal and refusal in commands(book, BEN)
    assert word_in_advance(view_of(book)) is None
    book.when(refusal, by=BEN)
    assert word_in_advance(view_of(book, BEN)) is None
    assert [e.seat for e in of_kind(book.when(wish, by=ANA), StandingAnswerUsed)] == [BEN]
    share_out(book.state, elves, {B: 10_000})
    assert word_in_advance(view_of(book, BEN)) == SetStandingAnswer(kind="casting", seat=ANA, answer="ask")
    book.when(SetStandingAnswer(kind="casting", seat=ANA, answer="ask"), by=BEN)
    assert word_in_advance(view_of(book, BEN)) is None
    share_out(book.state, elves, {A: 6000, B: 4000})
    assert word_in_advance(view_of(book, BEN)) == refusal, "it runs away again"


def test_while_a_god_stands_at_the_window_a_bot_waits_and_where_others_wait_it_draws_a_number() -> None:
    book, *_ = two_peoples()
    give(book, 20, LB=6)
    alone = think(book, lot=1)
    book.when(DrawNumber(), by=CLEO)
    waits = think(book, lot=1)
    assert waits.command is None and waits.again_in < alone.again_in
    book.when(DrawNumber(), by=BEN)
    assert DrawNumber() in commands(book)
    assert think(book, CLEO).command == PassNumber()


def test_the_caster_waits_for_its_partner() -> None:
    book, *_ = poor_teacher()
    proposed(book)
    assert not any(isinstance(command, (CastPower, PassNumber)) for command in commands(book))


@pytest.mark.rule("G2-MISC-1")
def test_a_bot_chooses_the_effect_that_does_its_people_most_good() -> None:
    book, dwarves = crossroads(by="target")
    book.when(CastPower(power="cross", targets=(Target(race=dwarves),)), by=ANA)
    asked = choice_prompt(book)
    best = ChooseEffect(prompt=asked.id, choice="2")
    assert think(book, BEN).command == best == think(book).command
    assert not isinstance(think(book, CLEO).command, ChooseEffect)
    book.state.races[dwarves] = replace(book.state.races[dwarves], knowledges=("toolmaking",))
    assert think(book).command == best, "the first of equals"
    book.when(best, by=BEN)
    assert "toolmaking" in book.state.races[dwarves].knowledges


@pytest.mark.rule("G2-MISC-1")
def test_a_bot_says_with_its_casting_what_it_chooses() -> None:
    book, dwarves = crossroads()
    give(book, 5, FE=1)
    cast = {each for each in commands(book) if isinstance(each, CastPower) and each.power == "cross"}
    assert cast == {CastPower(power="cross", targets=(Target(race=dwarves),), choice="2")}
    book.when(cast.pop(), by=ANA)
    assert "toolmaking" in book.state.races[dwarves].knowledges


@pytest.mark.rule("G2-HREC-1")
def test_bots_put_their_names_to_their_deeds_when_the_last_board_is_shut() -> None:
    book, dwarves, _ = two_peoples()
    give(book, 20, LB=6, CK=6)
    events = book.when(CastPower(power="teach_toolmaking", targets=(Target(race=dwarves),)), by=ANA)
    (deed,) = of_kind(events, DeedAuthored)
    assert signature(view_of(book)) is None
    book.state.set_era(phase=Phase.RECKONING)
    assert signature(view_of(book)) is None
    book.state.set_era(century=CENTURIES)
    assert think(book).command == SignEntry(entry=deed.entry) == signature(view_of(book))
    assert signature(view_of(book, BEN)) is None
    assert of_kind(book.when(SignEntry(entry=deed.entry), by=ANA), EntrySigned)
    assert signature(view_of(book)) is None
    book.state.set_era(phase=Phase.OPEN)
    del book.state.signatures[deed.entry]
    assert signature(view_of(book)) is None


@pytest.mark.rule("G2-GROW-11")
@pytest.mark.parametrize(("temper", "flees"), [("warlike", True), ("peaceful", False)])
def test_a_people_that_wars_would_waste_is_sent_away_from_those_who_make_them(temper: str, flees: bool) -> None:
    book = set_up(PLAINS)
    horde = units(*((x, y, 3) for x in range(4) for y in range(6)))
    define(book, "Horde", horde, attributes=(temper,), knowledges=("tribal_law",), pantheon=shares(b=100))
    weak = define(book, "Weak", units(*((4, y, 1) for y in range(6))), pantheon=shares(a=100))
    begin(book)
    give(book, 10)
    if not flees:
        at_peace(book)
    sent = {command for command in commands(book) if isinstance(command, OrderMigration)}
    assert {order.race for order in sent} == ({weak} if flees else set())
    assert {order.direction for order in sent} <= {"e", "ne", "se"}
