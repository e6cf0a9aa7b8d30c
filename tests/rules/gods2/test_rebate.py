"""The rebate for cards above a power's level, where a game has one (AMB-57): the caster's own and secret."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from games.engine.audience import PUBLIC
from games.engine.insight.legal_commands import LegalCommandFilter
from games.engine.kernel import Actor, Issuer
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.events import PowerCast
from games.gods2.rules.mana.events import ManaSpent, PoolSpent
from games.gods2.rules.state.effect_records import Grant, GrantSource
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import Cards, GodKind, Pool
from games.gods2.rules.state.value_types import Target
from tests.playbook import Playbook, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, CLEO
from tests.rules.gods2.joint import POWER, each_with_a_war_card, set_kind, teaching, yes
from tests.rules.gods2.test_casting_forecast import forecast_for


def holding(cards: int, percent: int = 10) -> tuple[Playbook, CastPower]:
    """Ashkar holds so many War cards; the power of level 3 costs 9."""
    book, dwarves, _ = each_with_a_war_card(Gods2Options(surplus_card_rebate=percent))
    book.state.cards[ANA, "WA"] = Cards(ANA, "WA", cards)
    return book, CastPower(power=POWER, targets=(Target(race=dwarves),))


def payments(events: list[Any]) -> list[tuple[UUID, int]]:
    return [(e.seat, e.amount) for e in of_kind(events, ManaSpent, PoolSpent)]


@pytest.mark.rule("G2-AMB-57", "G2-HIST-5", "G2-HIST-6")
@pytest.mark.parametrize(
    ("cards", "percent", "price"), [(6, 0, 9), (3, 10, 9), (4, 10, 9), (5, 10, 8), (6, 10, 7), (6, 25, 3), (6, 50, 0)]
)
def test_each_card_above_the_level_makes_a_power_cheaper_rounded_up_once(cards: int, percent: int, price: int) -> None:
    book, wish = holding(cards, percent)  # 9 x 90% = 8.1, 80% = 7.2, 70% = 6.3
    assert payments(book.when(wish, by=ANA)) == [(ANA, price)]
    assert book.state.purses[ANA].balance == 20 - price


@pytest.mark.rule("G2-AMB-57", "G2-HIST-7")
def test_the_public_event_of_a_casting_says_nothing_of_the_casters_cards() -> None:
    public_events = []
    for cards in (3, 6):
        book, wish = holding(cards)
        book.when(wish, by=ANA)
        public_events.append([(h.event, h.text) for h in book.log if h.audience == PUBLIC])
    assert public_events[0] == public_events[1]
    assert [e.price for e, _ in public_events[0] if isinstance(e, PowerCast)] == [9]


@pytest.mark.rule("G2-AMB-57")
def test_the_caster_sees_the_price_with_its_rebate_step_by_step_and_is_barred_by_that_price() -> None:
    book, wish = holding(6)
    view = book.state.view_for(frozenset({ANA}))
    narrow = LegalCommandFilter(command="cast-power", about=POWER)
    (candidate,) = (
        o for o in CastPower.matching_legal_commands(view, Actor(Issuer.SEAT, seat=ANA), narrow) if o.price is not None
    )
    assert (candidate.price, candidate.note) == (7, "9 mana, Cards above the level x70%, Rounded up +0.7: 7")
    assert ("cards", "WA", "G2-AMB-57") in [(s.kind, s.key, s.rule) for s in candidate.steps]
    found = forecast_for(book.state, wish)
    assert (found.price, found.barred) == (7, None)
    book.state.purses[ANA] = replace(book.state.purses[ANA], balance=7)
    book.when(wish, by=ANA)
    assert book.state.purses[ANA].balance == 0
    book, wish = holding(6)
    book.state.purses[ANA] = replace(book.state.purses[ANA], balance=6)
    with refused("mana.short", book.state):
        book.when(wish, by=ANA)


@pytest.mark.rule("G2-AMB-57", "G2-HIST-2")
def test_a_casting_with_others_has_no_rebate_whatever_they_hold() -> None:
    book, wish = holding(6)
    dwarves = wish.targets[0].race
    assert dwarves is not None
    book.when(teaching(dwarves, (ANA, 0), (BEN, 0), (CLEO, 0)), by=ANA)
    assert payments(yes(book, BEN, CLEO)) == [(ANA, 3), (BEN, 3), (CLEO, 3)]


@pytest.mark.rule("G2-AMB-57", "G2-MANA-4")
def test_a_price_out_of_the_demons_pool_has_no_rebate_for_every_demon_reads_it() -> None:
    book, wish = holding(6)
    set_kind(book, ANA, GodKind.DEMON)
    book.state.pools[book.state.info.id] = Pool(book.state.info.id, 20, demons=(ANA,))
    assert payments(book.when(wish, by=ANA)) == [(ANA, 9)]


@pytest.mark.rule("G2-AMB-57", "G2-HIST-4")
def test_a_granted_power_has_no_rebate() -> None:
    book, wish = holding(6)
    grant = Grant(ANA, POWER, GrantSource.BORROWED, 1)
    book.state.grants[ANA, POWER, grant.source.value] = grant
    assert payments(book.when(wish, by=ANA)) == [(ANA, 9)]
