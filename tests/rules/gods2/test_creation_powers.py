"""Powers of a second Creation (G2-CREA-3, 4): peoples that are born, traits that they are given, and pack 3."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from games.engine.game_state import Role, Seat
from games.engine.insight.chronicle import tell
from games.engine.kernel import Event
from games.engine.lifecycle.amend import Amend, Amended, Change, Deed
from games.engine.lifecycle.gm_commands import Start
from games.gods2.pack import load
from games.gods2.rules import RULESET
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.events import PowerCast
from games.gods2.rules.casting.legal_casts import menu
from games.gods2.rules.casting.rules import prepare_casting
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.century.events import CenturyOpened
from games.gods2.rules.effects.events import AttributeGained
from games.gods2.rules.effects.registry import perform
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.gm_desk.commands import GrantPower
from games.gods2.rules.history.events import NameAsked
from games.gods2.rules.pack.pack import build, findings
from games.gods2.rules.setup.events import CreationOpened, RaceDefined
from games.gods2.rules.state.effect_records import GrantSource
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import ATHEISM, DIABOLISM, GodKind, Level, Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place, ShareOf, Target
from tests.playbook import Playbook, of_kind, refused
from tests.rules.gods2.era import ANA, GM, HOST, demo_game, two_peoples
from tests.rules.gods2.raw_packs import raw_pack
from tests.rules.gods2.strikes import able, cast
from tests.rules.gods2.test_casting_forecast import forecast_for
from tests.rules.gods2.test_creation import change
from tests.rules.gods2.worlds import People, earth_of, happen, race

THREE = load(3)
MADE = {key: power for key, power in THREE.powers.items() if power.kind == "creation"}
FOLKS = {key: power for key, power in MADE.items() if "R" in power.codes}
TRAITS = {key: power for key, power in MADE.items() if "Rc" in power.codes}


def creation(rows: list[str], *peoples: People) -> State:
    """An earth in a second Creation, played with pack 3."""
    return earth_of(rows, *peoples, phase=Phase.CREATION, packs={3: THREE})


def born(events: list[Event]) -> RaceDefined:
    (found,) = of_kind(events, RaceDefined)
    return found


@pytest.mark.rule("G2-CREA-3", "G2-AMB-74")
def test_a_new_people_stands_on_the_named_squares_and_beside_them_and_worships_its_caster() -> None:
    state = creation(["PPPP", "PPPP", "WWWW"])
    events = cast(state, "people_of_the_grove", at=[(0, 0), (0, 1)])
    people = born(events)
    assert people.casting == of_kind(events, PowerCast)[0].casting
    assert (people.name, people.cause, people.level) == ("Grovefolk", "people_of_the_grove", Level.PRIMITIVE)
    assert (people.attributes, people.knowledges, people.cities) == (("forest_folk",), ("hunting_lore",), ())
    assert people.pantheon == (ShareOf(member=str(ANA), share=7000), ShareOf(member=ATHEISM, share=3000))
    placed = {held.square.square: held.units for held in people.placed}
    assert sum(placed.values()) == 4 and placed[(0, 0)] == placed[(0, 1)] == 1
    assert state.board.units_of(people.race) == 4
    assert (state.board.units <= limits(state, people.race)).all()


@pytest.mark.rule("G2-CREA-3")
def test_a_people_with_laws_begins_as_barbarians_and_fills_its_squares() -> None:
    state = creation(["PP", "WW"])
    people = born(cast(state, "people_of_the_hearth", at=[(0, 0)]))
    assert people.level is Level.BARBARIAN
    assert sum(held.units for held in people.placed) == 6  # three on each plain


@pytest.mark.rule("G2-CREA-3", "G2-LIM-1")
def test_units_without_room_are_not_born() -> None:
    state = creation(["PW", "WW"])
    assert [h.units for h in born(cast(state, "people_of_the_grove", at=[(0, 0)])).placed] == [1]


@pytest.mark.rule("G2-CREA-3", "G2-MAP-6", "G2-LIM-1")
def test_it_begins_on_free_squares_that_hold_it_or_nothing_is_paid() -> None:
    state = creation(["PPW"], race("Norse", {(0, 0): 1}))
    able(state, "first_folk")
    with refused("target.unfit", state):
        cast(state, "first_folk", at=[(0, 0)])
    with refused("square.full", state):
        cast(state, "first_folk", at=[(0, 2)])
    assert born(cast(state, "people_of_the_tide", at=[(0, 2)])).name == "Tidefolk"  # who live on the water


@pytest.mark.rule("G2-CREA-3", "G2-MAP-6")
def test_a_power_that_does_not_ask_for_empty_squares_is_refused_on_others_all_the_same() -> None:
    raw = raw_pack(3)
    for power in raw["powers"]:
        if power["id"] == "first_folk":
            power["requires"] = []
    state = earth_of(["PP"], race("Norse", {(0, 0): 1}), phase=Phase.CREATION, packs={3: build(3, raw)})
    able(state, "first_folk")
    with refused("square.taken", state):
        cast(state, "first_folk", at=[(0, 0)])


@pytest.mark.rule("G2-CREA-3", "G2-NAME-1")
def test_the_second_people_of_a_name_has_a_number_and_its_caster_is_asked_for_another() -> None:
    state = creation(["PPPPPP"])
    first = cast(state, "first_folk", at=[(0, 0)])
    second = cast(state, "first_folk", at=[(0, 5)])
    assert [born(first).name, born(second).name] == ["Clayfolk", "Clayfolk 2"]
    (asked,) = of_kind(second, NameAsked)
    assert (asked.kind, asked.subject, asked.seat) == ("race", born(second).race, ANA)


@pytest.mark.rule("G2-CREA-3", "G2-PAN-7")
def test_what_a_demon_makes_believes_in_diabolism() -> None:
    state = creation(["PPP"])
    demon = replace(able(state, "brood_of_the_pit"), kind=GodKind.DEMON)
    state.gods[ANA] = demon
    casting = prepare_casting(state, (demon,), "brood_of_the_pit", (Target(squares=(Place(x=0, y=0),)),))
    events = happen(state, lambda s, ctx: perform(s, ctx, casting.working, casting.power.effects))
    shares = [(share.member, share.share) for share in born(events).pantheon]
    assert shares == [(ATHEISM, 4000), (DIABOLISM, 6000)]


@pytest.mark.rule("G2-CREA-4")
@pytest.mark.parametrize("key", TRAITS)
def test_a_trait_stays_with_a_people_and_is_given_once(key: str) -> None:
    wanted = TRAITS[key].effects[0].attribute  # type: ignore[attr-defined]
    norse = race("Norse", {(0, 0): 1})
    state = creation(["PP"], norse)
    events = cast(state, key, norse)
    (gained,) = of_kind(events, AttributeGained)
    assert (gained.race, gained.attribute, gained.cause) == (norse.id, wanted, key)
    assert state.races[norse.id].attributes == (wanted,)
    able(state, key)
    with refused("target.unfit", state):
        cast(state, key, norse)


@pytest.mark.rule("G2-CREA-4")
def test_a_trait_works_from_then_on() -> None:
    norse = race("Norse", {(0, 0): 1})
    state = creation(["PP"], norse)
    before = stat(state, norse.id, "military").value
    cast(state, "gift_of_stature", norse)
    assert stat(state, norse.id, "military").value == before + 2


@pytest.mark.rule("G2-CREA-1", "G2-CREA-3", "G2-CREA-4")
def test_every_sphere_has_two_powers_of_creation_at_least_and_they_are_for_a_creation_alone() -> None:
    for sphere in THREE.spheres:
        own = [power for power in MADE.values() if power.sphere == sphere]
        assert len(own) >= 2 and any("R" in power.codes for power in own), sphere
    assert {code for power in MADE.values() for code in power.codes} <= {"T", "F", "Fp", "Fl", "Ft", "Fr", "R", "Rc"}
    later = earth_of(["PPP"], race("Norse", {(0, 0): 1}), packs={3: THREE})
    for key in MADE:
        able(later, key)
        with refused("power.missing", later):
            cast(later, key, at=[(0, 1)])


@pytest.mark.rule("G2-CREA-1", "G2-HIST-1")
@pytest.mark.parametrize("key", MADE)
def test_every_power_of_creation_can_be_cast_by_what_its_menu_offers_and_has_a_forecast(key: str) -> None:
    """On an empty Earth of all terrains, for a trait beside a people."""
    peoples = [race("Norse", {(3, 0): 1})] if key in TRAITS else []
    state = creation(["PFD", "MIW", "PFD", "PPP"], *peoples)
    god = able(state, key)
    dishes = [dish for dish in menu(state, god, [key]) if dish.barred is None]
    assert dishes and dishes[0].price == THREE.powers[key].cost
    for target in dishes[0].targets.values:
        squares = [(place["y"], place["x"]) for place in target[0].get("squares", ())]
        fresh = creation(["PFD", "MIW", "PFD", "PPP"], *peoples)
        able(fresh, key)
        fresh.seats.load(ANA, Seat(ANA, Role.PLAYER, "Ana"))
        aimed = (
            (Target(race=peoples[0].id),) if peoples else (Target(squares=tuple(Place(x=x, y=y) for y, x in squares)),)
        )
        told = forecast_for(fresh, CastPower(power=key, targets=aimed))
        assert told.exact and told.price == THREE.powers[key].cost
        events = cast(fresh, key, peoples[0] if peoples else None, at=squares)
        assert {p.what for p in told.prospects} & {"race_made", "attribute", "terrain", "feature_added"}
        if key in FOLKS:
            (made,) = [p for p in told.prospects if p.what == "race_made"]
            assert made.odds[0].amount == sum(h.units for h in born(events).placed)


@pytest.mark.rule("G2-CREA-3", "G2-CREA-4", "G2-ATTR-1")
@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"kind": "history"}, "peoples are made in a Creation alone"),
        ({"codes": ["X"]}, "peoples are made in a Creation alone"),
        ({"target": "race"}, "aimed at square or connected"),
        ({"effects": [{"op": "race_add", "name": "A", "units": 3, "share": 50, "knowledge": "writing"}]}, "first"),
        ({"effects": [{"op": "race_add", "name": "A", "units": 3, "share": 50, "attribute": "tall"}]}, "no attribute"),
        ({"effects": [{"op": "race_add", "name": "A", "units": 3, "share": 101}]}, "101"),
        ({"effects": [{"op": "attribute_add", "attribute": "giants"}]}, "the code Rc"),
    ],
)
def test_a_pack_makes_peoples_in_a_creation_alone(change: dict[str, Any], why: str) -> None:
    raw = raw_pack(3)
    raw["powers"] = [{**p, **change} if p["id"] == "first_folk" else p for p in raw["powers"]]
    assert why in " ".join(map(str, findings(raw)))


@pytest.mark.rule("G2-CREA-3")
def test_no_people_begins_with_a_level_that_owns_cities() -> None:
    raw = raw_pack(3)
    for knowledge in raw["knowledges"]:
        if knowledge["id"] == "toolmaking":
            knowledge["effects"] = [{"op": "level_set", "level": "civilized"}]
    assert "which no new people has" in " ".join(map(str, findings(raw)))


@pytest.mark.long
@pytest.mark.rule("G2-CREA-1", "G2-CREA-3", "G2-CREA-4", "G2-CREA-5", "G2-AMB-74")
def test_bots_bring_the_earth_to_life_again_and_history_goes_on_without_a_game_master() -> None:
    book = demo_game(seconds=300)
    book.when(Start(), by=HOST)
    book.when(OpenSession(), by=GM)
    end_the_world(book)
    before = len(book.log)
    while book.state.era.century < 3:
        book.wait(timedelta(seconds=30))
    events = [happened.event for happened in book.log[before:]]
    assert not of_kind(events, Amended) and of_kind(events, CreationOpened) and of_kind(events, CenturyOpened)
    cast = [event.power for event in of_kind(events, PowerCast) if event.power in MADE]
    assert set(cast) & set(FOLKS) and set(cast) & set(TRAITS) and set(cast) - set(FOLKS) - set(TRAITS)
    assert len({race.name for race in book.state.living()}) == len(book.state.living()) >= 6
    told = " ".join(line.text for line in tell(RULESET.pages.story, book.state, book.log[before:]))
    assert "No mortal is left on the Earth." in told and "A second Creation begins" in told
    assert "are born: People of" in told and "receive the Gift of" in told


def end_the_world(book: Playbook) -> None:
    """A game-master lets every mortal die, with their cities."""
    board = book.state.board
    lived = [(x, y) for y in range(board.height) for x in range(board.width) if board.units[y, x]]
    emptied = (change("squares", f"{x},{y}", race=None, units=0) for x, y in lived)
    dead = (change("races", str(people.id), extinct=True) for people in book.state.living())
    gone = (Change(deed=Deed.DELETE, table="cities", row=str(city)) for city in book.state.cities)
    book.when(Amend(changes=(*emptied, *dead, *gone), reason="doomsday"), by=GM)


@pytest.mark.rule("G2-HIST-4", "G2-CREA-3")
def test_a_power_of_creation_may_be_lent_in_any_century_and_is_cast_in_a_creation() -> None:
    book, *_ = two_peoples(Gods2Options(pack_version=3))
    book.when(GrantPower(seat=ANA, power="people_of_the_grove", source=GrantSource.BORROWED, uses=1), by=GM)
    assert book.state.grants[ANA, "people_of_the_grove", GrantSource.BORROWED].uses == 1
    with refused("power.missing", book.state):
        book.when(GrantPower(seat=ANA, power="people_of_glass", source=GrantSource.BORROWED, uses=1), by=GM)
