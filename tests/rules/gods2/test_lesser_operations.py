"""Small operations (section 4.2): mana, the length of a century, modifications given and taken; the pool."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from games.engine.board.board import Square
from games.engine.lifecycle.gm_commands import EndNow
from games.engine.wording import decimal_text
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet
from games.gods2.rules.declarations.events import WarDeclared
from games.gods2.rules.effects.events import CenturyLengthChanged
from games.gods2.rules.effects.misc import bounded_length, minute_of
from games.gods2.rules.mana.events import ManaGained, ManaPaid, PoolGained, PoolPaid
from games.gods2.rules.mana.rules import equal_parts, revenues
from games.gods2.rules.setup.commands import DefineGod, SetMap
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import City, GodKind, Line, Pool, Share
from games.gods2.rules.state.value_types import Target
from games.gods2.rules.workings.events import ModificationAdded, ModificationEnded
from tests.playbook import DAWN, Playbook, event_like, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, HOST, begin, define, lobby, minutes, shares, two_peoples, units
from tests.rules.gods2.joint import balances, replays_alike, set_kind, with_powers


def game_with_gift(target: str = "race", **gift: Any) -> tuple[Playbook, UUID, UUID]:
    """A game with a power of 1 mana that gives or takes mana."""
    return with_powers(gift={"codes": ["X"], "target": target, "effects": [{"op": "mana", **gift}]})


def gains_of_cast(book: Playbook, race: UUID) -> list[tuple[UUID, int]]:
    """Who gains what when Ashkar casts it on a race."""
    events = book.when(CastPower(power="gift", targets=(Target(race=race),)), by=ANA)
    return [(e.seat, e.amount) for e in of_kind(events, ManaGained)]


@pytest.mark.rule("G2-MISC-1")
def test_mana_goes_to_the_caster_to_the_pantheon_or_to_a_named_god() -> None:
    for to, found in (
        ("caster", [(ANA, 4)]),
        ("pantheon", [(BEN, 4), (CLEO, 4)]),
        ("cirra", [(CLEO, 4)]),
        (str(BEN), [(BEN, 4)]),
    ):
        book, _, elves = game_with_gift(to=to, amount=4)
        assert gains_of_cast(book, elves) == found
    names = {h.audience for h in book.log if isinstance(h.event, ManaGained)}
    assert names == {f"gm+seat:{seat}" for seat in (ANA, BEN, CLEO)}


def test_a_missing_god_is_refused_before_payment() -> None:
    book, _, elves = game_with_gift(to="nobody", amount=4)
    with refused("member.missing", book.state):
        gains_of_cast(book, elves)


@pytest.mark.rule("G2-MISC-1")
@pytest.mark.parametrize(("per", "amount"), [("once", 2), ("unit", 20), ("square", 8), ("city", 4)])
def test_mana_counts_once_or_for_each_unit_square_or_city(per: str, amount: int) -> None:
    book, _, elves = game_with_gift(to="caster", amount=2, per=per)
    for n in (4, 5, 6):
        book.state.board.put(Square(1, n), elves, 3)
    for n in (4, 5):
        book.state.cities[UUID(int=n)] = City(UUID(int=n), elves, Square(1, n))
    book.state.races[elves] = replace(book.state.races[elves], floor="civilized", level="civilized")
    assert gains_of_cast(book, elves) == [(ANA, amount)]


@pytest.mark.rule("G2-MISC-1")
def test_nobody_falls_below_nothing() -> None:
    book, _, elves = game_with_gift(to="pantheon", amount=-15)
    book.state.purses[CLEO] = replace(book.state.purses[CLEO], balance=6)
    assert gains_of_cast(book, elves) == [(BEN, -15), (CLEO, -6)]
    assert balances(book) == [19, 5, 0]


@pytest.mark.rule("G2-MANA-4", "G2-AMB-70")
def test_a_demons_gain_goes_to_the_pool_on_which_any_demon_draws() -> None:
    book, _, elves = game_with_gift(to="caster", amount=4)
    set_kind(book, ANA, GodKind.DEMON)
    book.state.pools[book.state.info.id] = Pool(book.state.info.id, 10, demons=(ANA, BEN))
    events = book.when(CastPower(power="gift", targets=(Target(race=elves),)), by=ANA)
    assert of_kind(events, PoolGained, ManaGained) == [event_like(PoolGained, amount=4, balance=13)]
    assert {h.audience for h in book.log if isinstance(h.event, PoolGained)} == {f"gm+seat:{ANA}+seat:{BEN}"}


def hourglass(**more: Any) -> tuple[Playbook, UUID, UUID]:
    """Two peoples, and Ashkar with 4 cards of Fate & Justice, 2 of War, and 99 mana."""
    book, dwarves, elves = two_peoples(cards={ANA: {"FJ": 4, "WA": 2}}, **more)
    book.state.purses[ANA] = replace(book.state.purses[ANA], balance=99)
    return book, dwarves, elves


GLASS = CastPower(power="turn_the_glass")


@pytest.mark.rule("G2-TIME-2", "G2-AMB-59")
def test_a_power_makes_the_century_longer_and_posted_wars_keep_their_times() -> None:
    book, dwarves, elves = hourglass()
    war = of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)[0]
    assert of_kind(book.when(GLASS, by=ANA), CenturyLengthChanged) == [
        event_like(
            CenturyLengthChanged, century=1, minutes=35, activity_ends_at=DAWN + minutes(30), ends_at=DAWN + minutes(35)
        )
    ]
    timers = book.state.timers
    assert [timers[f"century:1/{end}"].due for end in ("activity", "end")] == [DAWN + minutes(30), DAWN + minutes(35)]
    assert book.state.wars[war.war].due == timers[f"war:{war.war}"].due == war.due
    book.wait(minutes(29))
    assert book.state.era.phase == "open"
    book.wait(minutes(2))
    assert book.state.era.phase == "reckoning"
    book.wait(minutes(5))
    assert book.state.era.century == 2


@pytest.mark.rule("G2-TIME-2")
def test_a_century_lasts_fifteen_to_forty_five_minutes_in_all() -> None:
    book, *_ = hourglass()
    events = [[e.minutes for e in of_kind(book.when(GLASS, by=ANA), CenturyLengthChanged)] for _ in range(4)]
    assert events == [[35], [40], [45], []]
    for length, by, new in ((30, 20, 45), (30, -20, 15), (50, 5, 50), (50, -5, 45), (10, -5, 10)):
        assert bounded_length(length * 60, by * 60, 60) == new * 60


@pytest.mark.rule("G2-AMB-59")
def test_when_the_century_is_cut_short_no_war_is_fought_after_the_activity_phase() -> None:
    haste = {"codes": ["X"], "target": "earth", "effects": [{"op": "century_time", "minutes": -12}]}
    book, dwarves, elves = with_powers(haste=haste)
    book.wait(minutes(11))
    war = of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)[0].war
    book.when(CastPower(power="haste"), by=ANA)
    end = DAWN + minutes(13)
    assert book.state.era.activity_ends_at == book.state.wars[war].due == book.state.timers[f"war:{war}"].due == end
    assert replays_alike(book)
    book.wait(minutes(2))
    assert book.state.era.phase == "reckoning" and book.state.wars[war].status != "declared"


@pytest.mark.rule("G2-TIME-2")
def test_an_end_that_would_lie_behind_is_now() -> None:
    haste = {"codes": ["X"], "target": "earth", "effects": [{"op": "century_time", "minutes": -12}]}
    book, *_ = with_powers(haste=haste)
    book.wait(minutes(20))
    (changed,) = of_kind(book.when(CastPower(power="haste"), by=ANA), CenturyLengthChanged)
    assert changed.activity_ends_at == book.now and changed.ends_at == book.now + minutes(5)


def test_in_a_rehearsal_minutes_are_shorter() -> None:
    book, *_ = hourglass(options=Gods2Options(century_seconds=60))
    assert minute_of(book.state) == 2
    (changed,) = of_kind(book.when(GLASS, by=ANA), CenturyLengthChanged)
    assert changed.ends_at == DAWN + timedelta(seconds=70)


def giving() -> tuple[Playbook, UUID, UUID]:
    """A game with powers that give, take and strip modifications."""
    x = {"codes": ["X"]}
    return with_powers(
        blessing={**x, "effects": [{"op": "grant", "mod": "call_to_arms"}]},
        bane={**x, "effects": [{"op": "strip", "filter": "M"}]},
        picking={**x, "effects": [{"op": "strip", "filter": "Mi", "max": 1}]},
        crown={"codes": ["Mi"], "effects": [{"op": "stat_add", "stat": "wealth", "amount": 1}], "stackable": True},
    )


def on(book: Playbook, race: UUID, power: str) -> list:
    return book.when(CastPower(power=power, targets=(Target(race=race),)), by=ANA)


@pytest.mark.rule("G2-MISC-1", "G2-MOD-1")
def test_a_power_puts_another_powers_modification_on_the_race_once() -> None:
    book, dwarves, _ = giving()
    assert [(e.race, e.power) for e in of_kind(on(book, dwarves, "blessing"), ModificationAdded)] == [
        (dwarves, "call_to_arms")
    ]
    with refused("power.duplicate", book.state):
        on(book, dwarves, "blessing")


@pytest.mark.rule("G2-MISC-1", "G2-FILT-1")
def test_a_power_strips_running_modifications_that_match_its_filter() -> None:
    book, dwarves, elves = giving()
    for power in ("crown", "blessing", "crown"):
        on(book, dwarves, power)
    on(book, elves, "crown")
    first = of_kind(on(book, dwarves, "picking"), ModificationEnded)
    assert [(e.race, e.power) for e in first] == [(dwarves, "crown")]
    rest = of_kind(on(book, dwarves, "bane"), ModificationEnded)
    assert [(e.race, e.power) for e in rest] == [(dwarves, "call_to_arms"), (dwarves, "crown")]
    assert [m.race for m in book.state.modifications.values()] == [elves]


@pytest.mark.rule("G2-MANA-4", "G2-AMB-70", "G2-MANA-6")
def test_demons_share_their_pool_equally_where_the_setting_says_so() -> None:
    book = lobby(Gods2Options(demon_pool="equal"))
    book.when(SetMap(width=3, height=1, rows=("PPP",)), by=HOST)
    for seat, name, kind in ((ANA, "Ashkar", "demon"), (BEN, "Belun", "demon"), (CLEO, "Cirra", "god")):
        book.when(DefineGod(seat=seat, name=name, kind=kind, amount=1), by=HOST)
    race = define(book, "Elves", units((1, 0, 1)), pantheon=shares(diabolism=100))
    begin(book)
    book.when(EndNow(), by=GM)
    book.state.lines["race", str(race)] = Line("race", str(race), 21)

    events = book.when(ApproveWorksheet(), by=GM)

    paid = {e.seat: (e.earned, e.amount, e.carried) for e in of_kind(events, ManaPaid)}
    assert paid[ANA] == paid[BEN] == ("2.625", 2, "0.625")
    assert not of_kind(events, PoolPaid)
    assert book.state.purses[ANA].balance == 3  # each pays from their own purse


@pytest.mark.rule("G2-MANA-6")
def test_amounts_are_exact_with_eight_places() -> None:
    assert equal_parts(Decimal("0.25"), 3) == [Decimal("0.08333334"), Decimal("0.08333333"), Decimal("0.08333333")]
    assert sum(equal_parts(Decimal("5.25"), 7)) == Decimal("5.25")
    share, factor = Decimal("0.3333"), Decimal("0.0625")
    assert 7 * share * factor == Decimal("0.14581875")  # whole count x 4 places x 4 places
    book, dwarves, _ = two_peoples(cards={ANA: {"LB": 1}})
    book.state.shares[dwarves, str(ANA)] = Share(dwarves, str(ANA), 3333)
    book.state.shares[dwarves, str(BEN)] = Share(dwarves, str(BEN), 6667)
    book.when(EndNow(), by=GM)
    book.state.lines["race", str(dwarves)] = Line("race", str(dwarves), 7)
    paid = {e.seat: e.earned for e in of_kind(book.when(ApproveWorksheet(), by=GM), ManaPaid)}
    assert paid[ANA] == "0.139986"  # 7 x 0.3333 x 0.06


@pytest.mark.rule("G2-AMB-40", "G2-AMB-41")
def test_cards_of_several_spheres_add_up_and_fractional_mana_of_all_sources_is_summed_before_rounding() -> None:
    book, dwarves, _ = two_peoples(cards={ANA: {"LB": 1, "WA": 2}})
    book.when(EndNow(), by=GM)
    book.state.lines["race", str(dwarves)] = Line("race", str(dwarves), 10)
    book.state.lines["source", "wa_war_fought"] = Line("source", "wa_war_fought", 1)
    paid = {e.seat: e for e in of_kind(book.when(ApproveWorksheet(), by=GM), ManaPaid)}
    # Worship 10 x 60% x (1 x 0.06 + 2 x 0.05) = 0.96, a war 2 x 0.3 = 0.6: neither alone is a whole mana.
    assert (paid[ANA].earned, paid[ANA].amount, paid[ANA].carried) == ("1.56", 1, "0.56")


@pytest.mark.rule("G2-AMB-63")
@pytest.mark.parametrize(("century", "earned"), [(15, "0.3"), (16, "0.8")])
def test_events_are_paid_in_their_century_and_the_eras_end_in_the_last(century: int, earned: str) -> None:
    book, dwarves, elves = two_peoples(cards={ANA: {"WA": 1}})
    book.when(EndNow(), by=GM)
    book.state.set_era(century=century)
    for race in (dwarves, elves):
        book.state.lines["race", str(race)] = Line("race", str(race), 0)
    book.state.lines["source", "wa_war_fought"] = Line("source", "wa_war_fought", 1)
    book.state.lines["source", "wa_races_military_gte_5"] = Line("source", "wa_races_military_gte_5", 1)
    assert {r.seat: decimal_text(r.earned) for r in revenues(book.state)}[ANA] == earned
