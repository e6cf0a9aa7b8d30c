"""What bots cast: they see every target, teach before they help and help before they harm, and spare their own."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from uuid import UUID

import pytest

from games.engine.board.board import Square
from games.gods2.rules.bots.land import NEVER, ways_out, worth_of_squares
from games.gods2.rules.bots.options import is_measured, strikes_everybody
from games.gods2.rules.bots.tempers import TEACHER, WARLORD
from games.gods2.rules.bots.view import FORESIGHT, View
from games.gods2.rules.bots.wars import peace
from games.gods2.rules.bots.worth import POINTS_OF_OTHERS, STEP, gain, worth_of_knowledge
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.migration_commands import OrderMigration
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.pack import operations as op
from games.gods2.rules.pantheon.commands import DraftPantheonOrder
from games.gods2.rules.state.effect_records import Migration
from games.gods2.rules.state.records import Factor
from games.gods2.rules.state.value_types import CityAt, Place, Target
from tests.playbook import Playbook
from tests.rules.gods2.era import ANA, BEN, PEACEFUL, begin, define, place, set_up, shares, two_peoples, units
from tests.rules.gods2.thinkers import PLAINS, castings, commands, give, options_of, think, view_of

TRIBAL = ("tribal_law",)
CIVIL = ("tribal_law", "toolmaking", "agriculture", "civilization")
BIG = tuple((x, y, 3) for x in range(4, 10) for y in range(2))


def neighbours(own: tuple[str, ...] = (), other: tuple[str, ...] = ("tribal_law",)) -> Playbook:
    """Ana's Dwarves of 18 units beside Ben's and Cleo's Elves of 36: nobody runs away."""
    book = set_up(PLAINS)
    dwarves = tuple((x, y, 3) for x in range(3) for y in range(2))
    define(
        book, "Dwarves", units(*dwarves), attributes=PEACEFUL, knowledges=("tribal_law", *own), pantheon=shares(a=100)
    )
    define(book, "Elves", units(*BIG), attributes=PEACEFUL, knowledges=other, pantheon=shares(b=50, c=50))
    return begin(book)


def by_name(book: Playbook) -> dict[str, object]:
    """The races by name."""
    return {race.name: race.id for race in book.state.races.values()}


def test_a_bot_finds_the_one_good_target_behind_the_first_two_hundred() -> None:
    book = set_up(("P" * 20,) * 20, cards={ANA: {"DE": 1}})
    define(book, "Dwarves", units((0, 0, 1)), pantheon=shares(a=100))
    crowd = tuple((x, y, 3) for x in range(10, 19) for y in (18, 19))
    define(book, "Elves", units(*crowd), knowledges=("tribal_law",), pantheon=shares(b=100))
    begin(book)
    give(book, 4, DE=1)
    cast = castings(book, policy="warlord")
    wasted = [c for c in cast if c.power == "wasting"]
    assert wasted and all(c.targets[0].squares[0].y >= 17 for c in wasted)


def test_a_teacher_teaches_more_than_it_helps_and_helps_more_than_it_harms() -> None:
    book = neighbours()
    give(book, 60, **dict.fromkeys(("NA", "CK", "LB", "DE", "CH"), 6))
    kinds: Counter[str] = Counter()
    for cast in castings(book, policy="teacher", lots=60):
        kinds[options_of(book)[cast.power].manner] += 1
    assert kinds["teach"] > kinds["help"] >= kinds["harm"] and kinds["teach"] >= 20, kinds


def test_bots_teach_their_own_first_and_others_when_those_know_it() -> None:
    book = neighbours()
    give(book, 9, CK=1)
    dwarves, elves = by_name(book)["Dwarves"], by_name(book)["Elves"]
    assert {c.targets for c in castings(book, policy="teacher")} == {(Target(race=dwarves),)}
    book.state.races[dwarves] = replace(book.state.races[dwarves], knowledges=("toolmaking", "tribal_law"))
    assert {c.targets for c in castings(book, policy="teacher")} == {(Target(race=elves),)}


def test_a_knowledge_that_opens_the_tree_is_worth_more_than_a_leaf_of_the_same_use() -> None:
    book = neighbours(own=("toolmaking", "fire_keeping"))
    dwarves = by_name(book)["Dwarves"]
    pack = book.state.pack
    view = view_of(book)
    alike = [k for k in ("pottery", "toolmaking") if pack.knowledges[k].effects == pack.knowledges["pottery"].effects]
    assert alike == ["pottery", "toolmaking"]
    assert worth_of_knowledge(view, dwarves, "toolmaking") == 0
    assert worth_of_knowledge(view, dwarves, "civilization") == 0
    assert worth_of_knowledge(view, dwarves, "agriculture") > worth_of_knowledge(view, dwarves, "archery")


def test_a_starving_people_on_the_coast_is_taught_to_build_boats() -> None:
    rows = ("WWWWWWWW", "WPPWWPPP", "WPPWWPPP", "WWWWWPPP")
    book = set_up(rows)
    known = ("fishing", "toolmaking", "tribal_law")
    lotus = units((1, 1, 4), (2, 1, 4), (1, 2, 4), (2, 2, 4))
    isles = define(book, "Isles", lotus, attributes=PEACEFUL, knowledges=known, pantheon=shares(a=100))
    wide = define(book, "Wide", units((5, 1, 1)), attributes=PEACEFUL, knowledges=known, pantheon=shares(a=100))
    begin(book)
    give(book, 30, SE=6)
    assert view_of(book).is_crowded(isles) and not view_of(book).is_crowded(wide)
    boats = options_of(book)["teach_boat_building"]
    assert boats.aims[0].targets == (Target(race=isles),) and boats.aims[0].worth > 2 * boats.aims[-1].worth
    assert Counter(c.power for c in castings(book)).most_common(1)[0][0] == "teach_boat_building"


def test_cities_are_founded_where_the_rules_allow_one_and_nowhere_else() -> None:
    for squares, able in ((12, True), (5, False)):
        book = set_up(PLAINS)
        land = tuple((n % 6, n // 6, 2) for n in range(squares))
        define(
            book, "Romans", units(*land), attributes=PEACEFUL, knowledges=CIVIL, pantheon=shares(a=100),
            cities=(CityAt(square=place(0, 0)),),
        )  # fmt: skip
        begin(book)
        give(book, 8, CW=2)
        if not able:
            book.state.board.units[:] = 0  # nothing has grown
            for x, y, n in land:
                book.state.board.put(Square(y, x), next(iter(book.state.races)), n)
        assert ("found_city" in {c.power for c in castings(book)}) is able


def test_a_threatened_people_is_protected() -> None:
    book = set_up(PLAINS)
    weak = define(book, "Weak", units((0, 0, 3), (0, 1, 3), (1, 0, 3)), knowledges=TRIBAL, pantheon=shares(a=100))
    define(book, "Calm", units((0, 5, 3), (1, 5, 3), (2, 5, 3)), knowledges=TRIBAL, pantheon=shares(a=100))
    define(book, "Horde", units(*BIG), attributes=("warlike",), knowledges=TRIBAL, pantheon=shares(b=100))
    begin(book)
    give(book, 9, FJ=2, WA=1)
    view = view_of(book)
    assert view.danger(weak) > 0
    cast = castings(book)
    protects = {"just_cause", "turn_of_fate", "call_to_arms", "teach_archery"}
    assert cast and {c.power for c in cast} <= protects
    most = max(view.shares, key=view.danger)
    assert Counter(c.targets[0].race for c in cast).most_common(1)[0][0] == most


def test_no_bot_spoils_the_land_of_its_own_or_of_a_small_people() -> None:
    book = neighbours()
    small = define_small(book)
    give(book, 100, FE=6, SE=6, SI=6, NA=6)
    view = view_of(book, temper=WARLORD)
    for power in book.state.pack.powers.values():
        if any(isinstance(e, op.TerrainSet) and e.to in "MW" for e in power.effects) and power.target == "square":
            worth = worth_of_squares(view, power)
            for race in (by_name(book)["Dwarves"], small):
                assert (worth[book.state.board.own(race)] <= 0).all(), power.id
    own = book.state.board.own(by_name(book)["Dwarves"])
    for cast in castings(book, policy="warlord", lots=60):
        power = book.state.pack.powers[cast.power]
        if any(isinstance(e, (op.TerrainSet, op.Kill, op.LimitCut)) for e in power.effects):
            assert not any(own[where.square] for t in cast.targets for where in t.squares), cast.power


def define_small(book: Playbook) -> object:
    """A people of two units, put on the map of a game that has begun."""
    elves = book.state.races[by_name(book)["Elves"]]
    gnomes = replace(elves, id=type(elves.id)(int=77), name="Gnomes")
    book.state.races[gnomes.id] = gnomes
    book.state.board.put(Square(5, 9), gnomes.id, 2)
    return gnomes.id


def test_the_neighbours_of_a_target_are_looked_at_too() -> None:
    book = neighbours()
    earthquake = book.state.pack.powers["earthquake"]
    worth = worth_of_squares(view_of(book, temper=WARLORD), earthquake)
    beside_own = [Square(r, 3) for r in range(3)]
    assert all(worth[square] < NEVER // 2 for square in beside_own)
    assert worth.max() > 0 and worth[0, 8] > 0


@pytest.mark.parametrize("spheres", [("DE", "FE", "SE"), ("NA", "SI", "WA", "CH")])
def test_nobody_strikes_the_whole_earth_unless_cornered(spheres: tuple[str, ...]) -> None:
    book = neighbours()
    give(book, 200, **dict.fromkeys(spheres, 6))
    powers = book.state.pack.powers
    great = {p.id for p in powers.values() if strikes_everybody(p)}
    assert {"great_dying", "ice_age", "world_war", "scorching_age", "rewilding", "great_deluge"} <= great
    cast = {c.power for c in castings(book, policy="warlord", lots=60)}
    assert cast and not cast & great


@pytest.mark.parametrize(("left", "strikes"), [(2, True), (9, False)])
def test_only_a_god_whose_last_people_is_small_and_in_danger_strikes_the_whole_earth(left: int, strikes: bool) -> None:
    book = set_up(PLAINS)
    last = tuple((3, y, left // 3 or 1) for y in range(min(3, left)))
    define(book, "Last", units(*last), knowledges=TRIBAL, pantheon=shares(a=100))
    define(book, "Horde", units(*BIG), attributes=("warlike",), knowledges=TRIBAL, pantheon=shares(b=100))
    begin(book)
    give(book, 200, DE=6)
    view = view_of(book, temper=WARLORD)
    assert all(view.enmity(race.id) == 100 for race in view.living if race.id not in view.shares)
    assert view.is_cornered is strikes and ("great_dying" in options_of(book, temper=WARLORD)) is strikes


def test_a_rich_god_always_acts_while_something_helps() -> None:
    book = neighbours()
    give(book, 80, LB=6, CK=6)
    assert all(command is not None for command in commands(book, lots=40))
    assert think(book).again_in < think_poor(book)


def think_poor(book: Playbook) -> object:
    """How long the same god waits when it has nothing."""
    give(book, 0, LB=6)
    return think(book, lot=5).again_in


def test_the_casting_forecast_stops_a_bot_from_ending_a_people_or_killing_a_third() -> None:
    book = neighbours()
    give(book, 100, DE=6, FE=6)
    elves = by_name(book)["Elves"]
    view = view_of(book, temper=WARLORD)
    plague = CastPower(power="black_plague", targets=(Target(race=elves),))
    tremor = CastPower(power="tremor", targets=(Target(squares=(Place(x=8, y=0),)),))
    assert not is_measured(view, plague) and is_measured(view, tremor)
    assert "black_plague" in options_of(book, temper=WARLORD)
    assert "black_plague" not in {cast.power for cast in castings(book, policy="warlord", lots=60)}


def test_a_small_people_is_left_alone() -> None:
    book, _, elves = two_peoples()
    give(book, 100, DE=6, CH=6, FE=6)
    assert view_of(book, temper=WARLORD).enmity(elves) == 0
    for cast in castings(book, policy="warlord", lots=40):
        touched = {target.race for target in cast.targets}
        touched |= {book.state.board.people_at(p.square) for t in cast.targets for p in t.squares}
        assert elves not in touched, cast.power


def test_powers_that_fit_the_temper_come_first() -> None:
    book = neighbours()
    give(book, 12, WA=6, CK=6)
    taught = {
        policy: sum(c.power.startswith("teach") for c in castings(book, policy=policy, lots=40))
        for policy in ("teacher", "warlord")
    }
    assert taught["teacher"] >= taught["warlord"] > 0
    assert TEACHER.likes["teach"] > TEACHER.likes["help"] > TEACHER.likes["harm"]


def plant_crowd(book: Playbook) -> UUID:
    """Ana's Horde of nine in a western corner; it starves."""
    corner = units((0, 1, 3), (1, 1, 3), (2, 1, 3))
    horde = define(book, "Horde", corner, attributes=PEACEFUL, knowledges=TRIBAL, pantheon=shares(a=100))
    begin(book)
    give(book, 10)
    book.state.races[horde] = replace(book.state.races[horde], starved=True)
    return horde


def test_a_crowded_people_is_sent_where_land_is_free() -> None:
    book = set_up(("WWWWWWWWWW", "PPPPPPPPPP", "WWWWWWWWWW"))
    horde = plant_crowd(book)
    worth = {direction: worth for worth, direction in ways_out(view_of(book), horde)}
    assert worth["e"] == worth["ne"] == worth["se"] == max(worth.values()) > 0 == worth["w"]
    sent = [each for each in commands(book) if not isinstance(each, DraftPantheonOrder)]
    assert {type(each) for each in sent} == {OrderMigration} and {each.race for each in sent} == {horde}
    assert {each.direction for each in sent} <= {"e", "ne", "se"}


def test_no_people_is_sent_that_has_room_or_is_on_the_way() -> None:
    book = set_up(PLAINS)
    horde = plant_crowd(book)
    assert "order_migration" in options_of(book)
    book.state.migrations[horde] = Migration(horde, "e", None)
    assert "order_migration" not in options_of(book)
    del book.state.migrations[horde]
    book.state.races[horde] = replace(book.state.races[horde], starved=False)
    assert "order_migration" not in options_of(book)


def test_ice_is_laid_where_it_spreads_and_pays() -> None:
    book = set_up(("IIIIIIIIII", "IIIIIIIIII", "WWWWWIPWWW", "WWWWWWWWWW", "PPPPPPPPPP"))
    define(book, "Far", units((6, 4, 1)), attributes=PEACEFUL, pantheon=shares(b=100))
    begin(book)
    give(book, 40, SI=6)
    book.state.factors[ANA, "si_glacier_spread"] = Factor(ANA, "si_glacier_spread", Decimal(3))
    view = view_of(book)
    worth = worth_of_squares(view, view.state.pack.powers["glacial_pack"])
    assert worth[2, 5] > 0 == worth[0, 0]
    assert worth[2, 6] == NEVER, "no ice there"


@pytest.mark.parametrize(("first", "more"), [(2, True), (6, False)])
def test_a_people_that_preaches_is_worth_the_believers_of_its_neighbours(first: int, more: bool) -> None:
    book = set_up(PLAINS)
    own = define(book, "Own", units((0, 0, 3), (1, 0, 3)), knowledges=TRIBAL, pantheon=shares(a=100))
    others = tuple((x, y, 3) for x in range(first, first + 3) for y in (0, 1))
    define(book, "Others", units(*others), knowledges=TRIBAL, pantheon=shares(b=100))
    begin(book)
    (effect,) = view_of(book).state.pack.knowledges["proselytism"].effects
    assert isinstance(effect, op.Convert)
    assert (gain(view_of(book), own, (effect,), 6) > STEP) is more


def test_peace_is_worth_less_where_diplomacy_may_bring_it_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    book = neighbours()
    dwarves, elves = book.state.races
    give(book, 60, BEN, WA=6)
    book.when(DeclareWar(attacker=elves, defender=dwarves), by=BEN)
    worth = []
    for cases in (0, 18, 36):
        monkeypatch.setattr(View, "averted_cases", lambda view, attacker, defender, cases=cases: cases)
        worth.append(peace(view_of(book)))
    assert worth[0] > 0 and worth == [worth[0], worth[0] // 2, 0]


def hateful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every people that is not the bot's own be its enemy."""
    monkeypatch.setattr(View, "enmity", lambda view, race: 0 if race in view.shares else 100)


def test_dead_land_is_made_beside_enemies_and_never_beside_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    book = set_up(("PPPPPPPPPP", "PPPPPPPPPP"))
    define(book, "Own", units((0, 0, 1)), attributes=PEACEFUL, pantheon=shares(a=100))
    define(book, "Foes", units((9, 0, 1)), attributes=PEACEFUL, pantheon=shares(b=100))
    begin(book)
    board = book.state.board
    board.units[:] = 0  # nothing has grown
    for column, race in ((0, 0), (9, 1)):
        board.put(Square(0, column), list(book.state.races)[race], 1)
    hateful(monkeypatch)
    view = view_of(book)
    worth = worth_of_squares(view, view.state.pack.powers["ghost_land"])
    assert worth[1, 8] > 0 == worth[0, 5] and worth[0, 1] < 0


def test_a_gate_that_brings_diabolism_each_century_is_worth_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    book = neighbours()
    hateful(monkeypatch)
    view = view_of(book)
    worth = worth_of_squares(view, view.state.pack.powers["open_void_gate"])
    (cult,) = view.state.pack.features["void_gate"].effects
    assert isinstance(cult, op.Cult)
    assert view.span == FORESIGHT and worth.max() >= cult.points * POINTS_OF_OTHERS * FORESIGHT // 2


def test_a_power_that_teaches_the_whole_earth_counts_as_teaching() -> None:
    book = set_up(PLAINS)
    define(
        book, "Romans", units(*((x, y, 2) for x in range(4) for y in range(3))), attributes=PEACEFUL, knowledges=CIVIL,
        pantheon=shares(a=100), cities=(CityAt(square=place(0, 0)),),
    )  # fmt: skip
    begin(book)
    give(book, 40, CK=6)
    assert options_of(book)["age_of_reason"].manner == "teach"
