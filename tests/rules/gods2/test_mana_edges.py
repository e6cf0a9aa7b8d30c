"""What is counted and paid (G2-CALC-1, 2; G2-MANA-1 to 7): every source at the act that it counts, every fraction."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from games.engine.board.board import Square
from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import EndNow
from games.engine.wording import decimal_text
from games.gods2.rules.century.calculation import worksheet
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet
from games.gods2.rules.mana.counts import COUNTERS
from games.gods2.rules.mana.events import ManaPaid, PoolPaid, SourceCounted
from games.gods2.rules.mana.rules import payment, revenues
from games.gods2.rules.pantheon.commands import DraftPantheonOrder, HandInPantheonOrder, SignPantheonOrder
from games.gods2.rules.pantheon.turmoil_commands import StartTurmoil
from games.gods2.rules.setup.roster_commands import SetCards
from games.gods2.rules.state.effect_records import Land
from games.gods2.rules.state.mana_sources import split_counter
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import DIABOLISM, Cards, CityKind, Factor, God, GodKind, Line, Phase, Pool, Share
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import CardOf, ShareOf
from tests.dice import d
from tests.playbook import of_kind
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, shares, two_peoples
from tests.rules.gods2.strikes import kill, let, pack_of
from tests.rules.gods2.wars import WARRIORS, fight_war
from tests.rules.gods2.worlds import People, earth_of, race


def norse(**more: Any) -> People:
    return race("Norse", {(0, 0): 3, (0, 1): 3}, "civilized", **more)


def sources_of(events: list[Event]) -> list[str]:
    """The sources that have counted something, in their order."""
    return [e.source for e in of_kind(events, SourceCounted)]


def founding(row: str) -> list[Event]:
    state = earth_of([row], norse())
    return let(state, {"op": "found_city", "kind": "city", "free": True}, race=norse())


def destroying() -> list[Event]:
    state = earth_of(["PPP"], norse())
    return let(state, {"op": "destroy_city", "scope": "race", "count": 1}, codes=["Be"], race=norse())


def learning(*, known: bool) -> list[Event]:
    picts, state = race("Picts", {(0, 3): 1}), earth_of(["PPPP"], norse(), race("Picts", {(0, 3): 1}))
    if known:
        let(state, {"op": "learn", "knowledge": "fishing"}, race=norse())
    return let(state, {"op": "learn", "knowledge": "fishing"}, race=picts)


def battle(diplomacy: int) -> list[Event]:
    """A last Pict who tries diplomacy, against warriors who do not listen to less than a six."""
    one = race("Norse", {(0, c): 3 for c in range(9)}, knowledges=WARRIORS)
    other = race("Picts", {(0, 9): 1})
    return fight_war(earth_of(["P" * 10], one, other), one, other, [d(6, "diplomacy/defender", diplomacy)])


def purify(points: int) -> list[Event]:
    return leaving({"op": "cult", "deity": DIABOLISM, "points": -points})


def leaving(effect: dict[str, Any]) -> list[Event]:
    believers = replace(norse(), faith=shares(a=90, diabolism=10))
    return let(earth_of(["PPP"], believers), effect, race=believers)


@pytest.mark.rule("G2-MANA-7", "G2-MANA-3")
@pytest.mark.parametrize(
    ("_case", "deed", "counted"),
    [
        ("a city inland", lambda: founding("PPPF"), ["cw_city_founded"]),
        ("a city on the coast", lambda: founding("PPWF"), ["cw_city_founded", "se_coastal_city_founded"]),
        ("a city destroyed", destroying, ["ch_city_destroyed"]),
        ("learned first of all", lambda: learning(known=False), ["ck_knowledges_taught", "ck_first_to_learn"]),
        ("learned by another", lambda: learning(known=True), ["ck_knowledges_taught"]),
        ("a war averted", lambda: battle(6), ["lb_wars_averted"]),
        ("a war fought, a race no more", lambda: battle(1), ["wa_war_fought", "de_race_destroyed"]),
        ("diabolism purified", lambda: purify(10), ["li_diabolism_leaves"]),
        ("diabolism lowered", lambda: purify(9), []),
        ("diabolism thrown out", lambda: leaving({"op": "kick", "who": DIABOLISM}), ["li_diabolism_leaves"]),
    ],
)  # fmt: skip
def test_a_source_counts_the_act_that_it_names_once(
    _case: str, deed: Callable[[], list[Event]], counted: list[str]
) -> None:
    assert sources_of(deed()) == counted


def many() -> State:
    """Norse with two cities, Picts in turmoil, Franks whose turmoil is over and who have a devil."""
    known = ("archery", "iron_weapons")
    one = race("Norse", {(0, 0): 3, (0, 1): 2}, "civilized", cities={(0, 0): CityKind.CITY, (0, 1): CityKind.GREAT})
    two, three = (
        race("Picts", {(1, 0): 1}, knowledges=known),
        race("Franks", {(1, 2): 1}, attributes=("greedy",), knowledges=known[:1]),
    )
    state = earth_of(
        ["PPFD", "MPPI", "WWPP"], one, two, three, features=[("blessed_land", (2, 2)), ("blessed_land", (2, 3))]
    )
    state.races[two.id] = replace(state.races[two.id], turmoil=True, troubled=True)
    state.races[three.id] = replace(state.races[three.id], troubled=True)
    state.shares[three.id, DIABOLISM] = Share(three.id, DIABOLISM, 1)
    state.races[UUID(int=1)] = replace(state.races[two.id], id=UUID(int=1), name="The Lost", extinct=True)
    return state


@pytest.mark.rule("G2-MANA-3", "G2-CALC-2")
@pytest.mark.parametrize(
    ("counter", "number"),
    [
        ("squares:P", 6),
        ("squares:M", 1),
        ("squares:W", 2),
        ("empty_land", 9 - 4),
        ("cities", 1),
        ("great_cities", 1),
        ("wealth", 2 + 2),
        ("knowledges_known", 1 + 2 + 1),
        ("civilized_units", 5),
        ("races_in_turmoil", 2),
        ("races_not_in_turmoil", 2),
        ("races_without:diabolism", 2),
        ("features:blessed_land", 2),
        ("unnamed_squares", 12),
    ],
)
def test_what_is_counted_at_the_end_of_a_century(counter: str, number: int) -> None:
    name, argument = split_counter(counter)
    assert COUNTERS[name](many(), argument) == number


@pytest.mark.rule("G2-HREC-3", "G2-MANA-3")
def test_a_square_has_a_name_by_its_city_its_feature_or_its_land_and_counts_once() -> None:
    state = many()
    state.lands[UUID(int=7)] = Land(UUID(int=7), "Northmark", (Square(0, 0), Square(0, 1), Square(0, 2)))
    assert COUNTERS["unnamed_squares"](state, "") == 12 - 3
    city = next(c for c in state.cities.values() if c.square == Square(0, 0))
    state.cities[city.id] = replace(city, name="Asgard")
    assert COUNTERS["unnamed_squares"](state, "") == 12 - 3
    feature = next(f for f in state.features.values() if f.square == Square(2, 2))
    state.features[feature.id] = replace(feature, name="The Grove")
    assert COUNTERS["unnamed_squares"](state, "") == 12 - 4


@pytest.mark.rule("G2-CALC-2")
def test_cities_worship_too() -> None:
    state = many()
    lines = {line.race: line.count for line in worksheet(state) if line.race is not None}
    names = {state.races[r].name: n for r, n in lines.items()}
    assert names == {"Norse": 5 + 3 + 6, "Picts": 0, "Franks": 0}


@pytest.mark.rule("G2-CALC-1", "G2-AMB-62")
@pytest.mark.parametrize(
    ("codes", "box", "dead"),
    [
        (("Bf",), "fire", 4),
        (("Bfe",), "fire+earth", 4),
        (("T", "Be"), "earth", 6),
        (("Gf",), "fire", 4),
        (("G",), "global", 6),
        (("B",), "disaster", 6),
        (("T",), "other", 6),
    ],
)
def test_a_box_has_the_dead_after_resistances_under_all_elements_of_the_cause(
    codes: tuple[str, ...], box: str, dead: int
) -> None:
    picts = race("Picts", {(0, 0): 10}, "barbarian", attributes=("wet",))
    state = earth_of(["PPP"], picts, packs=pack_of({"wet": ["F-2"]}))
    let(state, kill("race", amount=6), codes=codes, race=picts)
    assert {key: line.count for key, line in state.lines.items()} == {("box", box): dead}


def paying(options: Gods2Options | None = None, **lines: int) -> tuple[State, People]:
    """Picts of 60% Ashkar, 30% diabolism and 10% atheism; Ashkar with factors, Belun a demon with some too."""
    picts = race("Picts", {(0, 0): 1}, faith=shares(a=60, diabolism=30, atheism=10))
    state = earth_of(["PPP"], picts)
    state.info = replace(state.info, options=(options or Gods2Options()).model_dump_json())
    state.set_era(phase=Phase.RECKONING)
    for seat, name, kind in (
        (ANA, "Ashkar", GodKind.GOD),
        (BEN, "Belun", GodKind.DEMON),
        (CLEO, "Cirra", GodKind.DEMON),
    ):
        state.gods[seat] = God(seat, name, kind)
        for source in ("wa_worshippers", "wa_deaths_war", "wa_war_fought"):
            state.factors[seat, source] = Factor(seat, source, Decimal("0.3"))
    state.pools[state.info.id] = Pool(state.info.id, demons=(BEN, CLEO))
    state.lines["race", str(picts.id)] = Line("race", str(picts.id), 7)
    for box, count in lines.items():
        state.lines["box", box] = Line("box", box, count)
    return state, picts


def earnings(state: State) -> dict[UUID | None, str]:
    return {r.seat: decimal_text(r.earned) for r in revenues(state)}


@pytest.mark.rule("G2-MANA-2", "G2-MANA-4")
def test_worship_is_paid_for_the_own_share_and_diabolism_fills_the_pool_alone() -> None:
    state, _ = paying()
    # 7 x 60% x 0.3; 7 x 30% x 0.25; nobody has what atheism would give
    assert earnings(state) == {ANA: "1.26", None: "0.525"}


@pytest.mark.rule("G2-MANA-3")
def test_deaths_are_counted_for_every_god_who_earns_by_them() -> None:
    state, _ = paying(war=4, fire=9)
    state.lines["source", "wa_war_fought"] = Line("source", "wa_war_fought", 2)
    assert earnings(state)[ANA] == decimal_text(Decimal("1.26") + 4 * Decimal("0.3") + 2 * Decimal("0.3"))


@pytest.mark.rule("G2-MANA-4", "G2-AMB-70", "G2-MANA-6")
def test_demons_may_have_equal_parts_of_what_diabolism_earns() -> None:
    state, picts = paying(Gods2Options(demon_pool="equal"))
    assert earnings(state) == {ANA: "1.26", BEN: "0.2625", CLEO: "0.2625"}
    state.shares[picts.id, DIABOLISM] = Share(picts.id, DIABOLISM, 1)
    state.lines["race", str(picts.id)] = Line("race", str(picts.id), 1)
    assert (earnings(state)[BEN], earnings(state)[CLEO]) == ("0.0000125", "0.0000125")


@pytest.mark.rule("G2-MANA-6", "G2-MANA-2")
def test_the_smallest_share_of_the_smallest_factor_is_exact_to_the_eighth_place() -> None:
    state, picts = paying()
    state.shares[picts.id, str(ANA)] = Share(picts.id, str(ANA), 3333)
    state.factors[ANA, "wa_worshippers"] = Factor(ANA, "wa_worshippers", Decimal("0.0001"))
    assert earnings(state)[ANA] == "0.00023331"


@pytest.mark.rule("G2-MANA-5", "G2-AMB-40")
@pytest.mark.parametrize(
    ("carried", "gained", "paid", "left"),
    [
        ("0", "0.99", 0, "0.99"),
        ("0.99", "0.01", 1, "0"),
        ("0.9", "0.95", 1, "0.85"),
        ("0.5", "2.49999999", 2, "0.99999999"),
        ("0.12345678", "3.87654322", 4, "0"),
    ],
)
def test_the_whole_part_is_paid_and_no_fraction_is_lost(carried: str, gained: str, paid: int, left: str) -> None:
    whole, rest = payment(Decimal(carried), Decimal(gained))
    assert (whole, decimal_text(rest)) == (paid, left)


@pytest.mark.rule("G2-MANA-4", "G2-MANA-5")
def test_the_pool_carries_its_fraction_into_the_next_century() -> None:
    book, dwarves, elves = two_peoples()
    for people in (dwarves, elves):
        for member in list(book.state.pantheon(people)):
            del book.state.shares[people, member]
        book.state.shares[people, DIABOLISM] = Share(people, DIABOLISM, 10_000)
    paid = []
    for _ in range(2):
        book.when(EndNow(), by=GM)
        for people, count in ((dwarves, 3), (elves, 0)):
            book.state.lines["race", str(people)] = Line("race", str(people), count)
        events = book.when(ApproveWorksheet(), by=GM)
        assert {e.earned for e in of_kind(events, ManaPaid)} == {"0"}
        paid += [(e.earned, e.amount, e.carried, e.balance) for e in of_kind(events, PoolPaid)]
        book.wait(book.state.era.ends_at - book.now)
    assert paid == [("0.75", 0, "0.75", 0), ("0.75", 1, "0.5", 1)]


@pytest.mark.rule("G2-MANA-1")
def test_new_cards_count_from_the_session_after_they_were_given() -> None:
    book, *_ = two_peoples(Gods2Options(plan=(2, 14)))

    def factor() -> Decimal:
        return book.state.factors[ANA, "wa_worshippers"].factor

    book.state.cards[ANA, "WA"] = Cards(ANA, "WA", 5)  # an amendment within the session
    book.wait(book.state.era.ends_at - book.now)
    assert (book.state.era.century, factor()) == (2, Decimal("0.15"))
    book.wait(book.state.era.ends_at - book.now)
    assert (book.state.era.phase, factor()) == (Phase.TRANSITION, Decimal("0.15"))
    book.when(SetCards(seat=ANA, cards=(CardOf(sphere="WA", count=4),)), by=GM)
    assert factor() == Decimal("0.15")
    book.when(OpenSession(), by=GM)
    assert (book.state.era.century, factor()) == (3, Decimal("0.20"))


@pytest.mark.rule("G2-W48", "G2-TURM-2", "G2-MANA-4", "G2-MANA-5")
def test_a_minute_of_turmoil_costs_everybody_the_worship_of_the_century_and_nobody_their_carried_fraction() -> None:
    book, dwarves, elves = two_peoples()
    for people in (dwarves, elves):
        book.state.shares[people, DIABOLISM] = Share(people, DIABOLISM, book.state.shares[people, str(BEN)].share)
        del book.state.shares[people, str(BEN)]
    book.when(StartTurmoil(race=dwarves), by=ANA)
    book.when(StartTurmoil(race=elves), by=CLEO)
    book.wait(timedelta(minutes=1))
    for people, god in ((dwarves, ANA), (elves, CLEO)):
        share = book.state.shares[people, str(god)].share
        pantheon = (ShareOf(member=str(god), share=share - 500), ShareOf(member=DIABOLISM, share=10_500 - share))
        order = book.when(DraftPantheonOrder(race=people, pantheon=pantheon), by=god)[0].order
        book.when(SignPantheonOrder(order=order), by=god)
        book.when(HandInPantheonOrder(order=order), by=god)
        assert not book.state.races[people].turmoil
    book.state.purses[ANA] = replace(book.state.purses[ANA], carried=Decimal("0.7"))
    book.when(EndNow(), by=GM)
    events = book.when(ApproveWorksheet(), by=GM)
    assert {e.seat: (e.earned, e.amount, e.carried) for e in of_kind(events, ManaPaid)}[ANA] == ("0", 0, "0.7")
    assert [(e.earned, e.amount) for e in of_kind(events, PoolPaid)] == [("0", 0)]
