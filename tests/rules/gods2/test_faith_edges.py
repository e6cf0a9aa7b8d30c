"""Turmoil at its edges (G2-TURM-4 to 8; AMB-32, AMB-48): the dead, the obliterated, and the last member."""

from dataclasses import replace
from decimal import Decimal
from uuid import UUID

import pytest

from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import EndNow
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet
from games.gods2.rules.century.worksheet_events import CenturyClosed, WorksheetClosed
from games.gods2.rules.mana.events import ManaPaid, SourceCounted
from games.gods2.rules.pantheon.commands import DraftPantheonOrder, HandInPantheonOrder, SignPantheonOrder
from games.gods2.rules.pantheon.events import PantheonOrderAccepted, PantheonOrderRefused
from games.gods2.rules.pantheon.turmoil_commands import AnswerExpulsion, StartTurmoil
from games.gods2.rules.pantheon.turmoil_events import (
    ExpulsionAsked,
    MemberExpelled,
    TurmoilEnded,
    TurmoilRolled,
    TurmoilStarted,
)
from games.gods2.rules.setup.roster_commands import MarkGod
from games.gods2.rules.state.records import ATHEISM, DIABOLISM, Cards, GodStatus
from games.gods2.rules.state.shares import share_out
from games.gods2.rules.state.value_types import ShareOf, Target
from tests.dice import d
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, A, B, C, minutes, shares, two_peoples
from tests.rules.gods2.lands import century_begins
from tests.rules.gods2.strikes import cast as strike
from tests.rules.gods2.worlds import earth_of, race


def faithful(**percent: float) -> tuple[Playbook, UUID]:
    """A game in which the Dwarves have these shares: a, b, c are the gods of the three seats."""
    book, dwarves, _ = two_peoples()
    names = {"a": A, "b": B, "c": C}
    share_out(book.state, dwarves, {names.get(m, m): round(p * 100) for m, p in percent.items()})
    return book, dwarves


def faithful_in_turmoil(**percent: float) -> tuple[Playbook, UUID]:
    """As `faithful`, and in turmoil."""
    book, dwarves = faithful(**percent)
    book.when(StartTurmoil(race=dwarves), by=ANA)
    return book, dwarves


def hand_in(book: Playbook, race: UUID, shares: dict[str, int], *signers: UUID) -> list[Event]:
    """An order of the first signer, signed by all of them and handed in."""
    pantheon = tuple(ShareOf(member=m, share=s) for m, s in shares.items())
    order = book.when(DraftPantheonOrder(race=race, pantheon=pantheon), by=signers[0])[0].order
    for seat in signers:
        book.when(SignPantheonOrder(order=order), by=seat)
    return book.when(HandInPantheonOrder(order=order), by=signers[0])


@pytest.mark.rule("G2-TURM-5")
def test_a_dead_god_is_chosen_and_answers_like_any_other() -> None:
    book, dwarves = faithful_in_turmoil(a=60, b=40)
    book.when(MarkGod(seat=BEN, status=GodStatus.KILLED), by=GM)
    (question,) = of_kind(book.when(EndNow(), by=GM, dice=[d(6, "turmoil", 6), d(2, "member", 2)]), ExpulsionAsked)
    assert question.seat == BEN
    book.when(AnswerExpulsion(prompt=question.prompt, member=A), by=BEN)
    assert book.state.pantheon(dwarves) == {B: 10_000}


@pytest.mark.rule("G2-TURM-4")
def test_a_random_member_is_drawn_without_regard_to_shares() -> None:
    book, dwarves = faithful_in_turmoil(a=98, b=1, diabolism=1)
    (rolled,) = of_kind(book.when(EndNow(), by=GM, dice=[d(6, "turmoil", 3), d(3, "member", 2)]), TurmoilRolled)
    assert (rolled.result, rolled.member) == ("thrown", B)
    # that share is divided 98 : 1, with the largest remainder
    assert book.state.pantheon(dwarves) == {A: 9899, DIABOLISM: 101}


@pytest.mark.rule("G2-TURM-6", "G2-PAN-9")
def test_atheism_throws_one_of_the_others_out_and_the_share_goes_to_all_that_are_left() -> None:
    book, dwarves = faithful_in_turmoil(a=50, b=30, atheism=20)
    events = book.when(EndNow(), by=GM, dice=[d(6, "turmoil", 5), d(3, "member", 3), d(2, "victim", 1)])
    assert of_kind(events, MemberExpelled) == [event_like(MemberExpelled, race=dwarves, member=A, cause=ATHEISM)]
    assert book.state.pantheon(dwarves) == {B: 6000, ATHEISM: 4000}
    assert book.state.races[dwarves].turmoil


@pytest.mark.rule("G2-TURM-7", "G2-PAN-3")
def test_one_missing_signature_keeps_a_turmoil_going() -> None:
    book, dwarves = faithful_in_turmoil(a=60, b=40)
    events = hand_in(book, dwarves, {A: 6000, B: 4000}, ANA)
    assert of_kind(events, PantheonOrderRefused) == [
        event_like(PantheonOrderRefused, reason="unsigned", member=str(BEN))
    ]
    assert book.state.races[dwarves].turmoil


@pytest.mark.rule("G2-TURM-7", "G2-PAN-5", "G2-MANA-3", "G2-MANA-7")
@pytest.mark.parametrize(("gain", "ends"), [(0, False), (4.99, False), (5, True)])
def test_diabolism_agrees_to_end_a_turmoil_for_five_points_only(gain: float, ends: bool) -> None:
    book, dwarves = faithful_in_turmoil(a=60, b=30, diabolism=10)
    more = round(gain * 100)
    events = hand_in(book, dwarves, {A: 6000 - more, B: 3000, DIABOLISM: 1000 + more}, ANA, BEN)
    assert bool(of_kind(events, TurmoilEnded, PantheonOrderAccepted)) is ends
    assert book.state.races[dwarves].turmoil is not ends
    counted = [e.source for e in of_kind(events, SourceCounted)]
    assert counted == (["fj_orders_accepted", "lb_turmoil_agreed"] if ends else [])


@pytest.mark.rule("G2-TURM-8", "G2-AMB-48")
def test_a_turmoil_ends_when_an_obliteration_leaves_one_member() -> None:
    book, dwarves = faithful_in_turmoil(a=60, atheism=40)
    events = book.when(MarkGod(seat=ANA, status=GodStatus.OBLITERATED), by=GM)
    assert of_kind(events, TurmoilEnded) == [event_like(TurmoilEnded, race=dwarves, cause="sole")]
    assert book.state.pantheon(dwarves) == {ATHEISM: 10_000}
    # the worship of this century is lost all the same
    assert (book.state.races[dwarves].turmoil, book.state.races[dwarves].troubled) == (False, True)
    assert not of_kind(book.when(EndNow(), by=GM), TurmoilRolled)


@pytest.mark.rule("G2-TURM-8")
def test_a_turmoil_ends_when_a_cult_leaves_one_member() -> None:
    norse = race("Norse", {(0, 0): 1}, faith=shares(a=95, atheism=5))
    state = earth_of(["PPP"], norse)
    state.races[norse.id] = replace(state.races[norse.id], turmoil=True, troubled=True)
    events = strike(state, "cult_of_light", norse)
    assert state.pantheon(norse.id) == {A: 10_000}
    assert of_kind(events, TurmoilEnded) == [event_like(TurmoilEnded, race=norse.id, cause="sole")]


@pytest.mark.rule("G2-AMB-48", "G2-PAN-2")
def test_an_obliterated_god_becomes_a_member_of_no_pantheon() -> None:
    book, dwarves = faithful(a=100)
    hand_in(book, dwarves, {A: 9000, C: 1000}, ANA)
    assert book.state.pantheon(dwarves) == {A: 9000, C: 1000}
    book.when(MarkGod(seat=BEN, status=GodStatus.OBLITERATED), by=GM)
    with refused("pantheon.invalid", book.state):
        hand_in(book, dwarves, {A: 8000, C: 1000, B: 1000}, ANA, CLEO)
    book.when(MarkGod(seat=BEN, status=GodStatus.KILLED), by=GM)
    hand_in(book, dwarves, {A: 8000, C: 1000, B: 1000}, ANA, CLEO)
    assert book.state.pantheon(dwarves)[B] == 1000


@pytest.mark.rule("G2-AMB-48", "G2-AMB-32")
def test_an_order_that_waits_is_void_when_a_god_it_names_is_obliterated_meanwhile() -> None:
    book, dwarves = faithful(a=100)
    book.when(EndNow(), by=GM)
    hand_in(book, dwarves, {A: 9000, B: 1000}, ANA)
    book.when(ApproveWorksheet(), by=GM)
    book.when(MarkGod(seat=BEN, status=GodStatus.OBLITERATED), by=GM)
    events = book.wait(minutes(31))
    assert of_kind(events, PantheonOrderRefused) == [event_like(PantheonOrderRefused, reason="members")]
    assert book.state.pantheon(dwarves) == {A: 10_000}


@pytest.mark.rule("G2-CALC-3")
def test_worship_is_paid_by_the_shares_of_the_end_of_the_activity_phase() -> None:
    book, dwarves = faithful(a=75, c=25)
    for seat in (ANA, CLEO):
        book.state.factors[seat, "wa_worshippers"] = replace(
            book.state.factors[ANA, "wa_worshippers"],
            seat=seat,
            factor=book.state.factors[ANA, "wa_worshippers"].factor,
        )
    book.when(EndNow(), by=GM)
    worshippers = book.state.lines["race", str(dwarves)].count
    hand_in(book, dwarves, {A: 2500, C: 7500}, ANA, CLEO)
    with refused("phase.closed", book.state):
        book.when(MarkGod(seat=ANA, status=GodStatus.OBLITERATED), by=GM)
    book.when(MarkGod(seat=ANA, status=GodStatus.KILLED), by=GM)  # the share stays
    for line in [key for key in book.state.lines if key[0] == "race" and key[1] != str(dwarves)]:
        del book.state.lines[line]
    paid = {e.seat: Decimal(e.earned) for e in of_kind(book.when(ApproveWorksheet(), by=GM), ManaPaid)}
    assert worshippers > 0
    assert (paid[ANA], paid[CLEO]) == (worshippers * Decimal("0.1125"), worshippers * Decimal("0.0375"))


@pytest.mark.rule("G2-TURM-5", "G2-MANA-5")
def test_no_mana_is_paid_while_a_god_is_asked_whom_to_throw_out() -> None:
    book, _ = faithful_in_turmoil(a=60, b=40)
    (question,) = of_kind(book.when(EndNow(), by=GM, dice=[d(6, "turmoil", 6), d(2, "member", 2)]), ExpulsionAsked)
    with refused("prompt.open", book.state):
        book.when(ApproveWorksheet(), by=GM)
    book.when(AnswerExpulsion(prompt=question.prompt), by=BEN)
    events = of_kind(book.when(ApproveWorksheet(), by=GM), WorksheetClosed, CenturyClosed)
    assert [type(e) for e in events] == [WorksheetClosed, CenturyClosed]


@pytest.mark.rule("G2-TURM-2", "G2-TURM-3", "G2-AMB-31")
@pytest.mark.parametrize(("agreed", "worshippers"), [(True, "some"), (False, "none")])
def test_a_turmoil_that_runs_on_costs_the_worship_of_the_next_century_too(agreed: bool, worshippers: str) -> None:
    book, dwarves = faithful_in_turmoil(a=60, b=40)
    if agreed:
        hand_in(book, dwarves, {A: 6000, B: 4000}, ANA, BEN)
    assert (
        of_kind(book.when(EndNow(), by=GM, dice=[] if agreed else [d(6, "turmoil", 1)]), TurmoilRolled) != [] or agreed
    )
    assert book.state.lines["race", str(dwarves)].count == 0
    book.wait(minutes(31))
    assert book.state.era.century == 2
    if not agreed:  # it ends at once in the new century, and was in turmoil at its first moment
        hand_in(book, dwarves, {A: 6000, B: 4000}, ANA, BEN)
    book.when(EndNow(), by=GM)
    assert ("some" if book.state.lines["race", str(dwarves)].count else "none") == worshippers


@pytest.mark.rule("G2-TURM-3")
@pytest.mark.parametrize(
    ("die", "result"), [(2, "nothing"), (3, "thrown"), (4, "thrown"), (5, "choice"), (6, "choice")]
)
def test_the_die_of_a_turmoil_turns_at_three_and_at_five(die: int, result: str) -> None:
    book, _ = faithful_in_turmoil(a=60, b=40)
    dice = [d(6, "turmoil", die), *([] if die == 2 else [d(2, "member", 1)])]
    (rolled,) = of_kind(book.when(EndNow(), by=GM, dice=dice), TurmoilRolled)
    assert (rolled.result, rolled.member) == (result, None if die == 2 else A)


@pytest.mark.rule("G2-TURM-7")
def test_a_power_ends_a_turmoil_whatever_the_members_say() -> None:
    book, dwarves = faithful_in_turmoil(a=60, b=40)
    book.state.cards[ANA, "LI"] = Cards(ANA, "LI", 6)
    events = book.when(CastPower(power="saint", targets=(Target(race=dwarves),)), by=ANA)
    assert of_kind(events, TurmoilEnded) == [event_like(TurmoilEnded, race=dwarves, cause="power")]
    assert not book.state.races[dwarves].turmoil and book.state.pantheon(dwarves) == {A: 6000, B: 4000}


@pytest.mark.rule("G2-TURM-1", "G2-AMB-32")
def test_a_turmoil_that_waits_for_the_next_century_is_not_started_twice() -> None:
    book, dwarves = faithful(a=60, b=40)
    book.when(EndNow(), by=GM)
    book.when(StartTurmoil(race=dwarves), by=ANA)
    with refused("turmoil.running", book.state):
        book.when(StartTurmoil(race=dwarves), by=BEN)


@pytest.mark.rule("G2-TURM-1")
@pytest.mark.parametrize(("nature", "activated"), [("steadfast", False), ("peaceful", True)])
def test_a_turmoil_by_a_power_troubles_no_steadfast_race_and_one_by_a_place_of_fear_does(
    nature: str, activated: bool
) -> None:
    norse = race("Norse", {(0, 0): 3, (0, 1): 1}, "barbarian", attributes=(nature,), faith=shares(a=10, atheism=90))
    state = earth_of(["PPP"], norse, features=[("caves_of_fear", (0, 1))])
    strike(state, "loss_of_faith", norse)
    events = strike(state, "tremor", at=[(0, 0)])
    assert bool(of_kind(events, TurmoilStarted)) is activated
    state.races[norse.id] = replace(state.races[norse.id], turmoil=False)
    assert of_kind(century_begins(state, d(4, "turmoil_on_1", 1)), TurmoilStarted) == [
        event_like(TurmoilStarted, race=norse.id)
    ]


@pytest.mark.rule("G2-AMB-32", "G2-TURM-2", "G2-TURM-7")
def test_an_agreement_of_the_calculation_phase_saves_the_worship_of_the_next_century_and_not_of_this_one() -> None:
    book, dwarves = faithful_in_turmoil(a=60, b=40)
    book.when(EndNow(), by=GM, dice=[d(6, "turmoil", 1)])  # until then it counts as running
    hand_in(book, dwarves, {A: 6000, B: 4000}, ANA, BEN)
    assert book.state.races[dwarves].turmoil and book.state.lines["race", str(dwarves)].count == 0
    events = book.wait(minutes(31))
    assert of_kind(events, TurmoilEnded) == [event_like(TurmoilEnded, race=dwarves, cause="agreed")]
    assert (book.state.races[dwarves].turmoil, book.state.races[dwarves].troubled) == (False, False)
    book.when(EndNow(), by=GM)
    assert book.state.lines["race", str(dwarves)].count > 0


@pytest.mark.rule("G2-AMB-32", "G2-TURM-9", "G2-TURM-2")
def test_a_turmoil_that_begins_with_a_century_costs_its_worship_even_where_it_ends_at_once() -> None:
    book, dwarves = faithful(a=100)
    book.when(EndNow(), by=GM)
    book.when(StartTurmoil(race=dwarves), by=ANA)
    events = book.wait(minutes(31))
    assert of_kind(events, TurmoilEnded) == [event_like(TurmoilEnded, race=dwarves, cause="sole")]
    book.when(EndNow(), by=GM)
    assert book.state.lines["race", str(dwarves)].count == 0
