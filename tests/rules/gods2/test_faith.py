"""Cults and religious turmoil (G2-PAN-7 to 11, G2-TURM-1 to 9)."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from games.engine.errors import Refused
from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import EndNow
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.events import StandingAnswerUsed
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet
from games.gods2.rules.mana.events import ManaPaid
from games.gods2.rules.pantheon.commands import DraftPantheonOrder, HandInPantheonOrder, SignPantheonOrder
from games.gods2.rules.pantheon.turmoil_commands import AnswerExpulsion, StartTurmoil
from games.gods2.rules.pantheon.turmoil_events import (
    CultGrew,
    ExpulsionAnswered,
    ExpulsionAsked,
    MemberExpelled,
    TurmoilDeferred,
    TurmoilEnded,
    TurmoilRolled,
    TurmoilStarted,
)
from games.gods2.rules.state.records import GodKind, Phase
from games.gods2.rules.state.shares import cult, share_out
from games.gods2.rules.state.value_types import ShareOf, Target
from games.gods2.rules.window.standing_answer_commands import SetStandingAnswer
from tests.dice import Planted, d
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, A, B, C, endow, two_peoples


def faith(book: Playbook, race: UUID, **percent: float) -> None:
    """Give a race these shares: a, b, c are the gods of the three seats."""
    names = {"a": A, "b": B, "c": C}
    share_out(book.state, race, {names.get(m, m): round(p * 100) for m, p in percent.items()})


def shares(book: Playbook, race: UUID) -> dict[str, float]:
    """The shares of a race in percent."""
    names = {A: "a", B: "b", C: "c"}
    return {names.get(m, m): s / 100 for m, s in book.state.pantheon(race).items()}


def world(*spheres: str, caster: UUID = ANA):
    """Two peoples, a caster with cards, and no mind of anybody's own."""
    book, dwarves, elves = two_peoples()
    endow(book, caster, 200, *spheres)
    return book, dwarves, elves


def cast(book: Playbook, power: str, *targets: UUID, by: UUID = ANA, dice: list[Planted] | None = None) -> list[Event]:
    return book.when(CastPower(power=power, targets=tuple(Target(race=r) for r in targets)), by=by, dice=dice)


@pytest.mark.rule("G2-W72", "G2-PAN-8")
def test_both_gains_of_a_cult_of_chaos_are_applied_together() -> None:
    book, dwarves, elves = world("CH", caster=CLEO)
    faith(book, dwarves, a=70, b=30)
    faith(book, elves, a=50, b=30, c=20)
    grew = of_kind(cast(book, "cult_of_chaos", dwarves, by=CLEO), CultGrew)
    assert len(grew) == 1
    assert shares(book, dwarves) == {"a": 63, "b": 27, "c": 5, "diabolism": 5}
    cast(book, "cult_of_chaos", elves, by=CLEO)
    assert shares(book, elves) == {"a": 43.75, "b": 26.25, "c": 25, "diabolism": 5}


@pytest.mark.rule("G2-W84", "G2-GLOB-4", "G2-AMB-71")
def test_a_revelation_is_run_once_for_each_race_in_the_order_of_their_ids() -> None:
    book, *_ = world("LI", caster=CLEO)
    first, second = book.state.living()[:2]
    faith(book, first.id, c=20, a=80)
    faith(book, second.id, a=100)
    grew = of_kind(book.when(CastPower(power="revelation"), by=CLEO), CultGrew)
    assert [e.race for e in grew] == [first.id]
    assert shares(book, first.id) == {"a": 70, "c": 30}
    assert shares(book, second.id) == {"a": 100}
    faith(book, second.id, c=50, a=50)
    grew = of_kind(book.when(CastPower(power="revelation"), by=CLEO), CultGrew)
    assert [e.race for e in grew] == sorted([first.id, second.id])
    faith(book, first.id, c=100)
    assert [e.race for e in of_kind(book.when(CastPower(power="revelation"), by=CLEO), CultGrew)] == [second.id]


@pytest.mark.rule("G2-PAN-11", "G2-AMB-67")
def test_purifying_a_race_of_nothing_but_diabolism_is_refused_before_payment() -> None:
    book, dwarves, _ = world("LI")
    faith(book, dwarves, diabolism=100)
    with refused("pantheon.sole", book.state):
        cast(book, "purify", dwarves)
    faith(book, dwarves, a=60, b=34, diabolism=6)
    cast(book, "purify", dwarves)
    assert shares(book, dwarves) == {"a": 63.83, "b": 36.17}


@pytest.mark.rule("G2-PAN-7")
def test_a_demon_is_no_member_and_diabolism_gains_what_a_demon_casts_for_itself() -> None:
    book, dwarves, _ = world("LB")
    book.state.gods[ANA] = replace(book.state.gods[ANA], kind=GodKind.DEMON)
    book.state.pool = replace(book.state.pool, balance=50, demons=(ANA,))
    faith(book, dwarves, b=100)
    cast(book, "cult_of_love", dwarves)
    assert shares(book, dwarves) == {"b": 90, "diabolism": 10}
    assert book.state.pools[book.state.info.id].balance == 43


@pytest.mark.rule("G2-MOD-8")
def test_a_cult_is_not_stored_as_a_modification_and_starts_no_turmoil() -> None:
    book, dwarves, _ = world("LB")
    faith(book, dwarves, b=100)
    for _ in range(2):
        events = cast(book, "cult_of_love", dwarves)
        assert not of_kind(events, TurmoilStarted)
    assert not book.state.modifications
    assert not book.state.races[dwarves].turmoil


@pytest.mark.rule("G2-PAN-8")
def test_more_than_everything_is_scaled_to_everything() -> None:
    """A gains 60 to 50 and is capped at 100, Z gains 20: 100 and 20 of 120."""
    assert cult({"a": 5000, "b": 5000}, {"a": 6000, "z": 2000}) == {"a": 8333, "z": 1667}


@pytest.mark.rule("G2-W68", "G2-TURM-9", "G2-AMB-60")
def test_in_a_pantheon_of_one_a_turmoil_starts_and_ends_at_once_without_a_die() -> None:
    book, dwarves, _ = world("CH")
    faith(book, dwarves, a=100)
    events = cast(book, "unrest", dwarves)
    assert [type(e) for e in of_kind(events, TurmoilStarted, TurmoilEnded)] == [TurmoilStarted, TurmoilEnded]
    assert of_kind(events, TurmoilEnded)[0].cause == "sole"
    assert (book.state.races[dwarves].turmoil, book.state.races[dwarves].troubled) == (False, True)
    ended = book.when(EndNow(), by=GM)
    assert not of_kind(ended, TurmoilRolled)
    line = book.state.lines["race", str(dwarves)]
    assert (line.count, shares(book, dwarves)) == (0, {"a": 100})


@pytest.mark.rule("G2-TURM-1", "G2-QUEUE-3")
def test_a_member_god_starts_a_turmoil_without_a_number_and_no_other_god_does() -> None:
    book, dwarves, elves = two_peoples()
    faith(book, dwarves, a=60, b=40)
    faith(book, elves, b=100)
    with refused("member.missing", book.state):
        book.when(StartTurmoil(race=elves), by=ANA)
    book.when(StartTurmoil(race=dwarves), by=ANA)
    assert book.state.races[dwarves].turmoil
    with refused("turmoil.running", book.state):
        book.when(StartTurmoil(race=dwarves), by=BEN)
    with refused("race.missing", book.state):
        book.when(StartTurmoil(race=UUID(int=5)), by=ANA)


@pytest.mark.rule("G2-TURM-1")
def test_a_power_on_a_race_in_turmoil_is_paid_and_changes_nothing() -> None:
    book, dwarves, _ = world("CH")
    faith(book, dwarves, a=60, b=40)
    book.when(StartTurmoil(race=dwarves), by=BEN)
    before = book.state.purses[ANA].balance
    events = cast(book, "unrest", dwarves)
    assert not of_kind(events, TurmoilStarted)
    assert book.state.purses[ANA].balance == before - 4


def roll_turmoil(book: Playbook, race: UUID, *dice: Planted) -> list[Event]:
    """End the Activity Phase with a turmoil in one race; these are all the dice."""
    book.state.races[race] = replace(book.state.races[race], turmoil=True, troubled=True)
    for war in list(book.state.wars):
        del book.state.wars[war]
    return book.when(EndNow(), by=GM, dice=dice)


@pytest.mark.rule("G2-TURM-3", "G2-TURM-4")
@pytest.mark.parametrize(
    ("dice", "result", "left"),
    [
        ([d(6, "turmoil", 1)], "nothing", {"a": 50, "b": 30, "diabolism": 20}),
        ([d(6, "turmoil", 2)], "nothing", {"a": 50, "b": 30, "diabolism": 20}),
        ([d(6, "turmoil", 3), d(3, "member", 3)], "thrown", {"a": 62.5, "b": 37.5}),
        ([d(6, "turmoil", 4), d(3, "member", 1)], "thrown", {"b": 60, "diabolism": 40}),
    ],
)
def test_the_die_of_a_turmoil_throws_out_nobody_or_a_random_member(dice, result, left) -> None:
    book, dwarves, _ = two_peoples()
    faith(book, dwarves, a=50, b=30, diabolism=20)
    (event,) = of_kind(roll_turmoil(book, dwarves, *dice), TurmoilRolled)
    assert (event.race, event.result) == (dwarves, result)
    assert shares(book, dwarves) == left


@pytest.mark.rule("G2-TURM-5")
def test_diabolism_chooses_its_victim_by_die_and_needs_none_for_one() -> None:
    book, dwarves, _ = two_peoples()
    faith(book, dwarves, a=50, b=30, diabolism=20)
    events = roll_turmoil(book, dwarves, d(6, "turmoil", 5), d(3, "member", 3), d(2, "victim", 2))
    assert [e.member for e in of_kind(events, MemberExpelled)] == [B]
    book, dwarves, _ = two_peoples()
    faith(book, dwarves, a=50, atheism=50)
    events = roll_turmoil(book, dwarves, d(6, "turmoil", 6), d(2, "member", 2))
    assert [e.member for e in of_kind(events, MemberExpelled)] == [A]
    assert of_kind(events, TurmoilEnded) == [event_like(TurmoilEnded, race=dwarves, cause="sole")]


@pytest.mark.rule("G2-TURM-5", "G2-TURM-6", "G2-TURM-8")
def test_a_chosen_god_throws_out_another_member_or_declines() -> None:
    book, dwarves, _ = two_peoples()
    faith(book, dwarves, a=60, b=40)
    (question,) = of_kind(roll_turmoil(book, dwarves, d(6, "turmoil", 5), d(2, "member", 1)), ExpulsionAsked)
    assert question.seat == ANA
    with refused("prompt.open", book.state):
        book.when(ApproveWorksheet(), by=GM)
    with refused("prompt.not_yours", book.state):
        book.when(AnswerExpulsion(prompt=question.prompt, member=B), by=BEN)
    with refused("member.missing", book.state):
        book.when(AnswerExpulsion(prompt=question.prompt, member=A), by=ANA)
    events = book.when(AnswerExpulsion(prompt=question.prompt, member=B), by=ANA)
    assert shares(book, dwarves) == {"a": 100}
    assert of_kind(events, TurmoilEnded) == [event_like(TurmoilEnded, cause="sole")]
    with refused("prompt.closed", book.state):
        book.when(AnswerExpulsion(prompt=question.prompt), by=ANA)
    book.when(ApproveWorksheet(), by=GM)


@pytest.mark.rule("G2-TURM-5")
def test_a_god_whose_standing_answer_declines_is_not_waited_for() -> None:
    book, dwarves, _ = two_peoples()
    faith(book, dwarves, a=60, b=40)
    book.when(SetStandingAnswer(kind="expulsion", answer="decline"), by=ANA)
    events = roll_turmoil(book, dwarves, d(6, "turmoil", 5), d(2, "member", 1))
    assert of_kind(events, ExpulsionAsked, StandingAnswerUsed, ExpulsionAnswered) == [
        event_like(ExpulsionAsked, seat=ANA),
        event_like(StandingAnswerUsed, seat=ANA),
        event_like(ExpulsionAnswered, seat=ANA, member=None),
    ]
    assert shares(book, dwarves) == {"a": 60, "b": 40}
    book.when(ApproveWorksheet(), by=GM)
    book.when(SetStandingAnswer(kind="expulsion", answer="ask"), by=ANA)
    assert not book.state.standing


@pytest.mark.rule("G2-TURM-5", "G2-AMB-30")
def test_a_silent_god_declines_and_the_century_waits_two_minutes_for_them() -> None:
    book, dwarves, _ = two_peoples()
    faith(book, dwarves, a=60, b=40)
    end = book.state.era.ends_at
    book.now = end - timedelta(seconds=60)
    (question,) = of_kind(roll_turmoil(book, dwarves, d(6, "turmoil", 6), d(2, "member", 2)), ExpulsionAsked)
    assert question.seat == BEN
    book.wait(timedelta(seconds=70))
    assert (book.state.era.century, book.state.era.phase) == (1, Phase.RECKONING)
    events = book.wait(timedelta(seconds=60))
    assert of_kind(events, ExpulsionAnswered) == [event_like(ExpulsionAnswered, seat=BEN, member=None)]
    assert shares(book, dwarves) == {"a": 60, "b": 40}
    assert book.state.era.century == 2


@pytest.mark.rule("G2-TURM-2", "G2-AMB-31")
def test_a_turmoil_that_ended_in_time_costs_the_mana_and_no_die() -> None:
    book, dwarves, _ = world("LI")
    faith(book, dwarves, a=60, b=40)
    book.when(StartTurmoil(race=dwarves), by=BEN)
    ended = cast(book, "saint", dwarves)
    assert of_kind(ended, TurmoilEnded) == [event_like(TurmoilEnded, race=dwarves, cause="power")]
    events = book.when(EndNow(), by=GM)
    assert not of_kind(events, TurmoilRolled)
    assert book.state.lines["race", str(dwarves)].count == 0
    assert of_kind(book.when(ApproveWorksheet(), by=GM), ManaPaid)


@pytest.mark.rule("G2-TURM-7")
def test_all_members_agree_and_the_turmoil_ends_even_with_the_same_shares() -> None:
    book, dwarves, _ = two_peoples()
    faith(book, dwarves, a=60, b=40)
    book.when(StartTurmoil(race=dwarves), by=BEN)
    same = (ShareOf(member=A, share=6000), ShareOf(member=B, share=4000))
    book.when(DraftPantheonOrder(race=dwarves, pantheon=same), by=ANA)
    (order,) = book.state.orders
    for seat in (ANA, BEN):
        book.when(SignPantheonOrder(order=order), by=seat)
    events = book.when(HandInPantheonOrder(order=order), by=ANA)
    assert of_kind(events, TurmoilEnded) == [event_like(TurmoilEnded, race=dwarves, cause="agreed")]
    assert not book.state.races[dwarves].turmoil


@pytest.mark.rule("G2-AMB-32")
def test_a_turmoil_of_the_calculation_phase_is_secret_and_begins_with_the_next_century() -> None:
    book, dwarves, _ = two_peoples()
    faith(book, dwarves, a=60, b=40)
    book.when(EndNow(), by=GM)
    found = book.when(StartTurmoil(race=dwarves), by=ANA)
    assert [type(e) for e in found] == [TurmoilDeferred]
    assert book.log[-1].audience == f"gm+seat:{ANA}"
    assert not book.state.races[dwarves].troubled
    events = book.wait(timedelta(minutes=31))
    assert of_kind(events, TurmoilStarted) == [event_like(TurmoilStarted, race=dwarves)]
    assert (book.state.era.century, book.state.races[dwarves].turmoil, dict(book.state.later_turmoils)) == (2, True, {})


@pytest.mark.rule("G2-TURM-1")
def test_a_steadfast_race_is_troubled_by_no_power() -> None:
    book, dwarves, _ = world("CH")
    faith(book, dwarves, a=60, b=40)
    book.state.races[dwarves] = replace(book.state.races[dwarves], attributes=("steadfast",))
    with refused("target.protected", book.state):
        cast(book, "unrest", dwarves)
    with pytest.raises(Refused, match="in no turmoil"):
        endow(book, ANA, 200, "LI")
        cast(book, "saint", dwarves)
