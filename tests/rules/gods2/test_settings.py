"""The settings of a game where the rulebook leaves a choice (section 3, those marked S): both answers of each."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from pydantic import ValidationError

from games.engine.board.board import Square
from games.engine.board.grid import squares_in
from games.engine.kernel import CLOCK, apply_events
from games.engine.lifecycle.gm_commands import EndNow, Start
from games.engine.prompts.prompt import PromptOpened
from games.gods2.rules.calendar.events import GameFinished
from games.gods2.rules.cascade.settling import settle
from games.gods2.rules.casting.rules import prepare_casting
from games.gods2.rules.century.calculation import calculate
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.century.steps import end_timer, finish_era
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet, CorrectWorksheet
from games.gods2.rules.century.worksheet_events import EraPaid
from games.gods2.rules.cities.rules import check_city
from games.gods2.rules.declarations.events import WarsOrdered
from games.gods2.rules.declarations.gm_prompts import ask_about_war
from games.gods2.rules.declarations.groups import forces
from games.gods2.rules.geometry.reach import free_border, reach
from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.mana.events import ManaPaid
from games.gods2.rules.mana.rules import average_shares, factors
from games.gods2.rules.state.mana_sources import sources
from games.gods2.rules.state.options import Gods2Options, options_of
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import CityKind, Line
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import CardOf, Place, Target
from games.gods2.rules.units.events import UnitsStarved
from games.gods2.rules.war.rules import fight
from tests.dice import d
from tests.playbook import DAWN, of_kind, refused
from tests.rules.gods2.era import ANA, GM, HOST, begin, define, lobby, set_up, two_peoples, units
from tests.rules.gods2.strikes import able
from tests.rules.gods2.worlds import earth_of, happen, plant_war, race, row_major

CHOICES: dict[str, Any] = {
    "great_city_price_percent": 200,
    "great_city_counts": 2,
    "starvation_aggression": "always",
    "combined_war_split": "strength",
    "several_spheres": "average",
    "aggressive_wars": "together",
    "impassable_held": True,
    "surplus_card_rebate": 10,
    "era_end_paid": "game",
}
"""Another answer than the decided one for each."""
CURSE = "confusion"


def with_options(state: State, **options: Any) -> State:
    """The same earth with these settings."""
    state.info = replace(state.info, options=Gods2Options(**options).model_dump_json())
    return state


@pytest.mark.parametrize("name", CHOICES)
def test_the_log_says_a_choice_where_it_is_not_the_decided_one(name: str) -> None:
    usual, other = Gods2Options(), Gods2Options(**{name: CHOICES[name]})
    assert name not in usual.model_dump(mode="json")
    assert other.model_dump(mode="json")[name] == CHOICES[name]
    assert Gods2Options.model_validate_json('{"adjacency":8}') == usual  # a game from before there was a choice
    assert options_of(lobby(other).state) == other != usual


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("great_city_price_percent", 99),
        ("great_city_price_percent", 1001),
        ("great_city_counts", 0),
        ("great_city_counts", 3),
        ("starvation_aggression", "never"),
        ("combined_war_split", "gm"),
        ("several_spheres", "best"),
        ("aggressive_wars", "late"),
        ("surplus_card_rebate", -1),
        ("surplus_card_rebate", 51),
        ("era_end_paid", "never"),
    ],
)
def test_a_choice_that_the_rulebook_does_not_know_is_refused(name: str, value: object) -> None:
    with pytest.raises(ValidationError):
        Gods2Options(**{name: value})


@pytest.mark.rule("G2-AMB-42", "G2-CITY-11")
@pytest.mark.parametrize(("percent", "dear"), [(None, 14), (100, 9), (125, 12), (200, 18)])
def test_a_great_city_makes_disasters_as_dear_as_the_game_says(percent: int | None, dear: int) -> None:
    norse = race("Norse", {(0, 0): 3, (0, 1): 3}, "civilized", cities={(0, 0): CityKind.GREAT})
    state = with_options(earth_of(["PPPP"], norse, features=[("bad_juju", (0, 0))]), great_city_price_percent=percent)

    def price_of(power: str, target: Target) -> int:
        return prepare_casting(state, (able(state, power),), power, (target,)).price.amount

    at = Target(squares=(Place.of(Square(0, 0)),))
    assert price_of("earthquake", at) == dear  # 9 by the pack
    whole = prepare_casting(state, (able(state, CURSE),), CURSE, (Target(race=norse.id),)).price
    assert [(f.source, f.percent) for f in whole.factors] == [("feature:bad_juju", 50)]  # no other feature's factor


@pytest.mark.rule("G2-AMB-16", "G2-CITY-12", "G2-CITY-4")
@pytest.mark.parametrize(("counts", "needed"), [(1, 12), (2, 18)])
def test_a_great_city_counts_once_or_twice_when_a_further_city_is_founded(counts: int, needed: int) -> None:
    for squares in (needed - 1, needed):
        built = {(0, 0): CityKind.CITY, (0, 1): CityKind.GREAT}
        norse = race("Norse", row_major(6, 0, squares), "civilized", cities=built)
        state = with_options(earth_of(["P" * 6] * 3, norse), great_city_counts=counts)
        if squares == needed:
            assert check_city(state, norse.id)
            continue
        with refused("city.squares", state):
            check_city(state, norse.id)


@pytest.mark.rule("G2-AMB-21", "G2-LIM-4", "G2-AGG-2")
@pytest.mark.parametrize(("choice", "anger"), [("growth", 0), ("always", 2)])
def test_units_starving_in_mid_century_rouse_their_race_once_where_the_game_says_so(choice: str, anger: int) -> None:
    norse = race("Norse", {(0, 0): 5, (0, 1): 5}, "barbarian")
    state = with_options(earth_of(["PP"], norse), starvation_aggression=choice)
    calm = stat(state, norse.id, "aggression").value
    for _ in range(2):
        events = happen(state, lambda s, ctx: settle(s, ctx, "test"))
        assert [(e.units, e.aggression) for e in of_kind(events, UnitsStarved)] == [(4, anger)]
        assert stat(state, norse.id, "aggression").value == calm + anger
        for column in (0, 1):
            state.board.put(Square(0, column), norse.id, 5)


@pytest.mark.rule("G2-AMB-21", "G2-WAR-11", "G2-AGG-2")
@pytest.mark.parametrize(("choice", "anger"), [("growth", 0), ("always", 2)])
def test_units_starving_on_the_retreat_rouse_their_race_where_the_game_says_so(choice: str, anger: int) -> None:
    warriors = ("archery", "explosives", "iron_weapons", "tactics")
    big = race("Norse", {(0, c): 3 for c in range(12)}, "barbarian", knowledges=warriors)
    few = race("Picts", {(1, 0): 3, (1, 1): 3, (1, 2): 3, (1, 3): 3}, "barbarian")
    state = with_options(earth_of(["P" * 12, "PPPPWWWWWWWW"], big, few), starvation_aggression=choice)
    war = plant_war(state, big, few)
    events = happen(state, lambda s, ctx: fight(s, ctx, war), [d(6, "diplomacy/defender", 1)])
    assert [(e.race, e.units, e.aggression) for e in of_kind(events, UnitsStarved)] == [(few.id, 2, anger)]
    assert stat(state, few.id, "aggression").value == 2 + anger  # barbarians


@pytest.mark.rule("G2-AMB-15", "G2-WAR-16")
@pytest.mark.parametrize(("choice", "parts"), [("equal", [11, 10]), ("strength", [14, 7])])
def test_a_strength_is_split_in_equal_parts_or_by_the_strength_of_the_enemies(choice: str, parts: list[int]) -> None:
    norse, romans, picts = (
        race(name, row_major(10, at, n)) for name, at, n in (("Norse", 0, 20), ("Romans", 20, 21), ("Picts", 50, 10))
    )
    state = with_options(earth_of(["P" * 10] * 8, norse, romans, picts), combined_war_split=choice)
    ids = [plant_war(state, norse, romans), plant_war(state, picts, romans)]
    split = forces(state, [state.wars[war] for war in ids])
    assert [split[war][romans.id] for war in ids] == parts
    by_gm = [replace(state.wars[war], split=n) for war, n in zip(ids, (1, 20), strict=True)]
    assert [each[romans.id] for each in forces(state, by_gm).values()] == [1, 20]


@pytest.mark.parametrize(("choice", "split"), [("equal", "equally."), ("strength", "by theirs.")])
def test_the_gms_see_how_a_strength_is_split_without_their_decision(choice: str, split: str) -> None:
    norse, romans, picts = (race(name, {(0, at): 1}) for at, name in enumerate(("Norse", "Romans", "Picts")))
    state = with_options(earth_of(["PPP"], norse, romans, picts), combined_war_split=choice, previews=True)
    _, war = plant_war(state, norse, romans), plant_war(state, picts, romans)
    prompts = of_kind(happen(state, lambda s, ctx: ask_about_war(s, ctx, war)), PromptOpened)
    assert [p.silence.endswith(f" {split}") for p in prompts if p.kind == Asked.COMBINE] == [True]


@pytest.mark.rule("G2-AMB-41", "G2-MANA-1")
@pytest.mark.parametrize(("choice", "earned"), [("sum", "1.56"), ("average", "1.08")])
def test_what_several_spheres_have_for_worship_adds_up_or_is_averaged(choice: str, earned: str) -> None:
    book, dwarves, _ = two_peoples(Gods2Options(several_spheres=choice), cards={ANA: {"LB": 1, "WA": 2}})
    book.when(EndNow(), by=GM)
    book.state.lines["race", str(dwarves)] = Line("race", str(dwarves), 10)
    book.state.lines["source", "wa_war_fought"] = Line("source", "wa_war_fought", 1)
    paid = {e.seat: e.earned for e in of_kind(book.when(ApproveWorksheet(), by=GM), ManaPaid)}
    # Worship 10 x 60% x (0.06 and 0.10: 0.16 together, 0.08 each); a war, which one sphere counts, 2 x 0.3.
    assert paid[ANA] == earned


@pytest.mark.rule("G2-AMB-41", "G2-MANA-6")
def test_an_average_is_exact_to_four_places_however_many_spheres_share_it() -> None:
    cards = [CardOf(sphere=sphere, count=1) for sphere in ("CW", "FE", "WA")]
    found = {f.source: f.factor for f in factors(sources(lobby().state), cards, "average")}
    worship = [found[f"{sphere}_worshippers"] for sphere in ("cw", "fe", "wa")]
    assert worship == [Decimal("0.0166"), Decimal("0.0134"), Decimal("0.0166")]  # 0.14 / 3 together
    assert found["wa_deaths_war"] == Decimal("0.10")
    assert average_shares([Decimal("0.05")]) == [Decimal("0.05")]


@pytest.mark.rule("G2-AMB-59", "G2-WAR-1")
@pytest.mark.parametrize(("choice", "dues"), [("spread", [300, 900]), ("together", [300, 300])])
def test_aggressive_wars_are_spread_or_fought_together_five_minutes_later(choice: str, dues: list[int]) -> None:
    book = set_up(options=Gods2Options(aggressive_wars=choice))
    orcs = define(book, "Orcs", units((3, 1, 1)), attributes=("warlike",))
    west, east = define(book, "Westmen", units((2, 1, 1))), define(book, "Eastmen", units((4, 1, 1)))
    book.when(Start(), by=HOST)
    temper = [d(6, f"aggression {r}", 6 if r == orcs else 1) for r in sorted((orcs, west, east))]
    dice = [d(3, "growth", 1), d(2, "growth", 1), *temper, d(2, "target", 1, 2), d(2, "wars", 2)]
    ordered = of_kind(book.when(OpenSession(), by=GM, dice=dice), WarsOrdered)[0]
    assert [d.due for d in ordered.dues] == [DAWN + timedelta(seconds=s) for s in dues]
    timers: list[UUID] = [t.subject for t in book.state.timers.values() if t.key.startswith("war:") if t.subject]
    assert sorted(timers) == sorted(ordered.wars)
    assert {book.state.timers[f"war:{d.war}"].due for d in ordered.dues} == {d.due for d in ordered.dues}


@pytest.mark.rule("G2-AMB-69", "G2-MOVE-4")
@pytest.mark.parametrize(("held", "reached"), [(False, []), (True, [(0, 1)])])
def test_impassable_squares_may_be_held_where_the_game_says_so_and_are_never_crossed(
    held: bool, reached: list[tuple[int, int]]
) -> None:
    norse = race("Norse", {(0, 0): 1}, attributes=["wanderers"])
    state = with_options(earth_of(["PPP"], norse, features=[("chasm", (0, 1))]), impassable_held=held)
    assert squares_in(reach(state, norse.id)) == squares_in(free_border(state, norse.id)) == reached
    there = race("Norse", {(0, 1): 1}, attributes=["wanderers"])
    state = with_options(earth_of(["PPP"], there, features=[("chasm", (0, 1))]), impassable_held=held)
    assert squares_in(reach(state, there.id)) == [(0, 0), (0, 2)]  # who holds one goes on from there
    builders = race("Norse", {(0, 0): 1}, attributes=["wanderers"], knowledges=["bridge_building"])
    state = with_options(earth_of(["PPP"], builders, features=[("chasm", (0, 1))]), impassable_held=held)
    assert squares_in(reach(state, builders.id)) == [(0, 1), (0, 2)]  # whom its data lets through crosses


@pytest.mark.rule("G2-AMB-63", "G2-MANA-7", "G2-CALC-2")
@pytest.mark.parametrize(("choice", "at_once", "at_the_end"), [("century", ["2.1"], []), ("game", ["0.6"], ["1.5"])])
def test_the_eras_end_is_paid_with_century_sixteen_or_when_the_game_ends(
    choice: str, at_once: list[str], at_the_end: list[str]
) -> None:
    rows = ("MMMMPPPP",)
    book = set_up(rows=rows, options=Gods2Options(era_end_paid=choice, plan=(16,)), cards={ANA: {"WA": 1, "FE": 3}})
    define(book, "Elves", units((5, 0, 1)), attributes=("peaceful",))
    begin(book)
    book.state.set_era(century=16)
    ctx = book.context(CLOCK)
    apply_events(book.state, [end_timer(16, book.now + timedelta(hours=1))], ctx)
    apply_events(book.state, calculate(book.state, ctx), ctx)
    assert book.state.lines["source", "fe_squares_m"].count == 4
    book.when(CorrectWorksheet(line="source:fe_squares_m", count=5), by=GM)
    book.when(CorrectWorksheet(line="source:wa_war_fought", count=2), by=GM)
    paid = {e.seat: e for e in of_kind(book.when(ApproveWorksheet(), by=GM), ManaPaid)}
    assert [paid[ANA].earned] == at_once  # two wars at 0.3; five mountains at 3 x 0.10
    events = [h.event for h in apply_events(book.state, finish_era(book.state, "it ends"), ctx)]
    assert [e.earned for e in of_kind(events, ManaPaid) if e.seat == ANA] == at_the_end
    assert [type(e) for e in of_kind(events, EraPaid, GameFinished)] == [EraPaid] * bool(at_the_end) + [GameFinished]
    assert book.state.purses[ANA].balance == 22 and str(book.state.purses[ANA].carried) == "0.1"
    assert not book.state.lines
