"""Mana (G2-MANA-1 to 7): factors, worship, deaths, events, the era's end, the pool."""

from dataclasses import replace
from decimal import Decimal
from uuid import UUID

import pytest

from games.engine.kernel import CLOCK, apply_events
from games.engine.lifecycle.gm_commands import EndNow
from games.engine.wording import decimal_text
from games.gods2.rules.century.calculation import calculate
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet
from games.gods2.rules.geometry.stats import strength
from games.gods2.rules.mana.counts import COUNTERS, count, deaths
from games.gods2.rules.mana.events import ManaPaid, PoolPaid
from games.gods2.rules.mana.rules import factors, payment, revenues
from games.gods2.rules.setup.commands import DefineGod
from games.gods2.rules.setup.roster_commands import SetCards
from games.gods2.rules.state.mana_sources import COUNTED_AS_EVENTS, sources, split_counter
from games.gods2.rules.state.records import GodKind, Line
from games.gods2.rules.state.value_types import CardOf
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, HOST, begin, define, lobby, set_up, shares, two_peoples, units


def game_with_worship(*, troubled: bool = False, carried: str = "0") -> Playbook:
    """32 strong, 62.50% for Ashkar, who holds 3 cards of Love & Beauty: 0.06 a worshipper (W47)."""
    book = set_up(cards={ANA: {"LB": 3}})
    race = define(book, "Elves", units((1, 1, 1)), pantheon=shares(a=62.5, diabolism=37.5))
    begin(book)
    book.when(EndNow(), by=GM)
    book.state.lines["race", str(race)] = Line("race", str(race), 0 if troubled else 32)
    book.state.purses[ANA] = replace(book.state.purses[ANA], carried=Decimal(carried))
    return book


@pytest.mark.rule("G2-W47")
@pytest.mark.rule("G2-MANA-2")
@pytest.mark.rule("G2-MANA-5")
@pytest.mark.rule("G2-MANA-4")
def test_the_whole_part_is_paid_and_the_fraction_carried() -> None:
    book = game_with_worship(carried="0.7")

    events = book.when(ApproveWorksheet(), by=GM)

    paid = {e.seat: e for e in of_kind(events, ManaPaid)}
    assert paid[ANA] == event_like(ManaPaid, earned="3.6", amount=4, carried="0.3", balance=24, century=1)
    assert paid[BEN] == event_like(ManaPaid, earned="0", amount=0, carried="0", balance=20)
    assert of_kind(events, PoolPaid) == [event_like(PoolPaid, earned="3", amount=3, carried="0", balance=3)]
    assert book.state.purses[ANA].carried == Decimal("0.3")
    assert {h.audience for h in book.log if isinstance(h.event, ManaPaid)} == {
        f"gm+seat:{seat}" for seat in (ANA, BEN, CLEO)
    }
    assert {h.audience for h in book.log if isinstance(h.event, PoolPaid)} == {"gm"}


@pytest.mark.rule("G2-W48")
@pytest.mark.rule("G2-TURM-2")
def test_a_race_in_turmoil_gives_nothing_to_nobody() -> None:
    events = game_with_worship(troubled=True, carried="0.7").when(ApproveWorksheet(), by=GM)
    assert {e.seat: (e.earned, e.amount, e.carried) for e in of_kind(events, ManaPaid)}[ANA] == ("0", 0, "0.7")
    assert of_kind(events, PoolPaid)[0].earned == "0"


@pytest.mark.rule("G2-TURM-2")
@pytest.mark.rule("G2-CALC-2")
def test_effective_worshippers_are_strength_and_none_after_any_turmoil() -> None:
    book, dwarves, elves = two_peoples()
    book.state.races[elves] = replace(book.state.races[elves], troubled=True)
    book.when(EndNow(), by=GM)
    assert book.state.lines["race", str(dwarves)].count == strength(book.state, dwarves) > 0
    assert book.state.lines["race", str(elves)].count == 0


@pytest.mark.rule("G2-W81")
@pytest.mark.rule("G2-MANA-3")
@pytest.mark.rule("G2-MANA-7")
@pytest.mark.parametrize(("century", "earned"), [(15, {ANA: "1.8", BEN: "0"}), (16, {ANA: "1.8", BEN: "1.2"})])
def test_events_are_paid_in_their_century_and_the_eras_end_in_century_sixteen(
    century: int, earned: dict[UUID, str]
) -> None:
    """3 War cards and 2 wars at 0.3; 3 Fire & Earth cards and 4 mountains at 0.10."""
    rows = ("MMMMPPPP",)
    book = set_up(rows=rows, cards={ANA: {"WA": 3}, BEN: {"FE": 3}})
    define(book, "Elves", units((5, 0, 1)), pantheon=shares(c=100))
    begin(book)
    book.state.set_era(century=century)
    book.state.lines["source", "wa_war_fought"] = Line("source", "wa_war_fought", 2)
    ctx = book.context(CLOCK)
    apply_events(book.state, calculate(book.state, ctx), ctx)

    found = {r.seat: decimal_text(r.earned) for r in revenues(book.state)}

    assert {seat: found[seat] for seat in earned} == earned
    assert payment(Decimal(0), Decimal("1.8")) == (1, Decimal("0.8"))
    assert payment(Decimal(0), Decimal("1.2")) == (1, Decimal("0.2"))


@pytest.mark.rule("G2-MANA-1")
def test_factors_are_cards_times_the_spheres_factor() -> None:
    book = lobby()
    found = {f.source: f.factor for f in factors(sources(book.state), (CardOf(sphere="WA", count=3),))}
    assert found == {
        "wa_worshippers": Decimal("0.15"),
        "wa_deaths_war": Decimal("0.30"),
        "wa_races_military_gte_5": Decimal("1.5"),
        "wa_war_fought": Decimal("0.9"),
    }


@pytest.mark.rule("G2-MANA-1")
def test_factors_are_taken_when_a_session_opens_and_cards_stay_until_then() -> None:
    book, *_ = two_peoples()
    assert book.state.factors[ANA, "wa_worshippers"].factor == Decimal("0.15")
    assert not book.state.view_for(frozenset({BEN})).factors
    with refused("phase.closed", book.state):
        book.when(SetCards(seat=ANA, cards=()), by=GM)


@pytest.mark.rule("G2-W74")
@pytest.mark.rule("G2-CALC-1")
def test_a_source_takes_a_death_once_if_any_of_its_elements_is_in_the_box() -> None:
    book = lobby()
    for box, units_dead in {"fire+earth": 6, "fire": 4, "global": 3, "war": 5, "sacrifice": 2}.items():
        book.state.lines["box", box] = Line("box", box, units_dead)
    found = [deaths(book.state, what) for what in ("fire", "earth", "fire,earth", "war", "all")]
    assert found == [10, 6, 10, 5, 20]


@pytest.mark.rule("G2-MANA-4")
def test_the_demons_share_one_pool() -> None:
    book = lobby()
    book.when(DefineGod(seat=BEN, name="Zuul", kind=GodKind.DEMON), by=HOST)
    pool = book.state.pools[book.state.info.id]
    assert pool.demons == (BEN,)
    assert not book.state.view_for(frozenset({ANA})).pools and book.state.view_for(frozenset({BEN})).pools


def test_every_counter_of_the_pack_is_counted() -> None:
    book, *_ = two_peoples()
    for source in sources(book.state):
        name = split_counter(source.counter)[0]
        known = name in COUNTERS or name in ("worshippers", "deaths") or source.when == "event"
        assert known or source.counter in COUNTED_AS_EVENTS, source.id
        if name in COUNTERS:
            assert count(book.state, source) >= 0


@pytest.mark.parametrize(
    ("counter", "number"),
    [
        ("squares:P", 24),
        ("squares:W", 0),
        ("empty_land", 24 - 8),
        ("cities", 0),
        ("races_not_in_turmoil", 2),
        ("races_without:diabolism", 2),
        ("unnamed_squares", 24),
        ("knowledges_known", 0),
        ("civilized_units", 0),
        ("features:blessed_land", 0),
    ],
)
def test_counters_count_what_is(counter: str, number: int) -> None:
    book, *_ = two_peoples()
    name, argument = split_counter(counter)
    assert COUNTERS[name](book.state, argument) == number
