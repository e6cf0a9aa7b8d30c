"""The order of a century (section 6 of the rulebook, G2-SEQ-1): what comes before what when everything happens."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.engine.lifecycle.gm_commands import EndNow
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.events import CastingWithdrawn
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.century.events import ActivityClosed, CenturyOpened, GrowthOrdered
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet
from games.gods2.rules.century.worksheet_events import CenturyClosed, WorksheetClosed, WorksheetOpened
from games.gods2.rules.cities.events import CityDestroyed, CivilizationLost
from games.gods2.rules.declarations.events import AggressionRolled, BoardOpened, WarDeclared, name_of
from games.gods2.rules.effects.events import DisasterStruck, LimitsRestored
from games.gods2.rules.gm_desk.commands import GrantPower
from games.gods2.rules.growth.events import RaceGrew
from games.gods2.rules.mana.events import ManaPaid, PoolPaid
from games.gods2.rules.pantheon.commands import DraftPantheonOrder, HandInPantheonOrder, SignPantheonOrder
from games.gods2.rules.pantheon.events import PantheonChanged
from games.gods2.rules.pantheon.turmoil_commands import StartTurmoil
from games.gods2.rules.pantheon.turmoil_events import MemberExpelled, TurmoilEnded, TurmoilRolled, TurmoilStarted
from games.gods2.rules.setup.events import FeatureAdded
from games.gods2.rules.state.effect_records import Cut, GrantSource
from games.gods2.rules.state.records import Cards, DiplomacyPolicy, Level, Phase
from games.gods2.rules.state.value_types import ShareOf, Target
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.war.events import WarFought
from games.gods2.rules.war.schedule_commands import SetDiplomacy
from games.gods2.rules.window.commands import DrawNumber
from games.gods2.rules.window.events import NumberDropped
from games.gods2.rules.workings.events import ModificationActivated, ModificationEnded
from tests.dice import d
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, A, B, two_peoples
from tests.rules.gods2.joint import POWER, each_with_a_war_card, teaching, yes
from tests.rules.gods2.lands import terrain
from tests.rules.gods2.strikes import able, cast, let, pack_of
from tests.rules.gods2.worlds import earth_of, race


def first_of(events: Sequence[Any], *kinds: type) -> list[str]:
    """The names of these kinds of events in the order in which each happens first."""
    found: dict[str, None] = {}
    for event in of_kind(list(events), *kinds):
        found.setdefault(type(event).__name__)
    return list(found)


def hand_in(book: Playbook, people: UUID) -> None:
    """Ashkar and Belun agree on half and half."""
    half = (ShareOf(member=A, share=5000), ShareOf(member=B, share=5000))
    order = book.when(DraftPantheonOrder(race=people, pantheon=half), by=ANA)[0].order
    for seat in (ANA, BEN):
        book.when(SignPantheonOrder(order=order), by=seat)
    book.when(HandInPantheonOrder(order=order), by=ANA)


@pytest.mark.rule("G2-SEQ-1", "G2-SEQ-2", "G2-QUEUE-1", "G2-TURM-3", "G2-CALC-2")
def test_a_century_closes_in_its_order() -> None:
    book, dwarves, elves = two_peoples()
    state = book.state
    cultured = {"level": Level.BARBARIAN, "floor": Level.BARBARIAN}
    state.races[elves] = replace(state.races[elves], knowledges=("sacrificial_rites",), **cultured)
    book.when(CastPower(power="call_to_arms", targets=(Target(race=elves),)), by=ANA)
    book.when(StartTurmoil(race=dwarves), by=ANA)
    state.cuts[UUID(int=1)] = Cut(UUID(int=1), dwarves, 1, terrain="I", until=1)
    book.wait(timedelta(minutes=22))
    (war,) = [e.war for e in of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)]
    for people in (dwarves, elves):  # by their nature they would try diplomacy
        state.races[people] = replace(state.races[people], attributes=())
        book.when(SetDiplomacy(war=war, race=people, policy=DiplomacyPolicy.REFRAIN), by=GM)
    book.when(DrawNumber(), by=BEN)

    events = book.when(EndNow(), by=GM)

    steps = (NumberDropped, WarFought, ActivityClosed, TurmoilRolled, WorksheetOpened)
    assert first_of(events, *steps) == [kind.__name__ for kind in steps]
    boxes = [e.box for e in of_kind(events, UnitsDied)]
    assert boxes and boxes == sorted(boxes, key=("war", "sacrifice").index) and boxes[-1] == "sacrifice"
    places = [type(e).__name__ for e in events]
    assert (
        places.index("WarFought") < len(places) - 1 - places[::-1].index("UnitsDied") < places.index("ActivityClosed")
    )
    paid = book.when(ApproveWorksheet(), by=GM)
    last = (WorksheetClosed, ManaPaid, PoolPaid, ModificationEnded, LimitsRestored, CenturyClosed)
    assert first_of(paid, *last) == [kind.__name__ for kind in last]


@pytest.mark.rule("G2-SEQ-1", "G2-AMB-32", "G2-MOD-2", "G2-GROW-1")
def test_a_century_opens_in_its_order_with_what_waited_for_it() -> None:
    book, dwarves, _ = two_peoples()
    book.state.cards[ANA, "LB"] = Cards(ANA, "LB", 6)
    book.when(CastPower(power="great_loves", targets=(Target(race=dwarves),)), by=ANA)
    book.when(EndNow(), by=GM)
    book.when(StartTurmoil(race=dwarves), by=BEN)
    hand_in(book, dwarves)
    events = book.wait(timedelta(minutes=31))
    steps = (CenturyOpened, PantheonChanged, TurmoilStarted, ModificationActivated, GrowthOrdered, RaceGrew)
    found = (*steps, AggressionRolled, BoardOpened)
    assert first_of(events, *found) == [kind.__name__ for kind in found]
    # the order was made in peace, and the turmoil comes after it
    assert not of_kind(events, TurmoilEnded) and book.state.races[dwarves].turmoil
    assert book.state.pantheon(dwarves) == {A: 5000, B: 5000}


@pytest.mark.rule("G2-TURM-3", "G2-CALC-2", "G2-SEQ-1")
def test_the_die_of_a_turmoil_is_thrown_before_the_worksheet_is_opened() -> None:
    book, dwarves, _ = two_peoples()
    book.when(StartTurmoil(race=dwarves), by=ANA)
    events = book.when(EndNow(), by=GM, dice=[d(6, "turmoil", 3), d(2, "member", 1)])
    steps = (ActivityClosed, TurmoilRolled, MemberExpelled, TurmoilEnded, WorksheetOpened)
    assert first_of(events, *steps) == [kind.__name__ for kind in steps]


@pytest.mark.rule("G2-HREC-3")
def test_the_wars_of_each_century_are_counted_from_one() -> None:
    book, dwarves, elves = two_peoples()
    command = DeclareWar(attacker=dwarves, defender=elves)
    book.when(command, by=ANA)
    book.wait(timedelta(minutes=31))
    (war,) = [e.war for e in of_kind(book.when(command, by=ANA), WarDeclared)]
    assert name_of(book.state, war) == "War 1 of century 2"


@pytest.mark.rule("G2-HIST-4")
def test_a_partner_who_borrows_the_power_meanwhile_makes_the_casting_impossible() -> None:
    book, dwarves, _ = each_with_a_war_card()
    book.when(teaching(dwarves, (ANA, 9), (BEN, 0), (CLEO, 0), split="given"), by=ANA)
    yes(book, BEN)
    book.when(GrantPower(seat=BEN, power=POWER, source=GrantSource.BORROWED), by=GM)
    assert [e.reason for e in of_kind(yes(book, CLEO), CastingWithdrawn)] == [
        "it is not possible any more: it is personal or borrowed for somebody"
    ]


@pytest.mark.rule("G2-TERR-1")
def test_a_named_square_of_another_terrain_is_refused_before_payment() -> None:
    to_plains = {"op": "terrain_set", "to": "P", "from": "F", "scope": "target"}
    state = earth_of(["FDP"], packs=pack_of(clearing={"codes": ["T"], "target": "square", "effects": [to_plains]}))
    for column in (1, 2):
        with refused("square.unfit"):
            cast(state, "clearing", at=[(0, column)])
    cast(state, "clearing", at=[(0, 0)])
    assert terrain(state) == ["PDP"]


@pytest.mark.rule("G2-FEAT-1")
def test_a_feature_does_not_appear_where_its_terrains_do_not_allow_it_whatever_puts_it_there() -> None:
    state = earth_of(["PW"])
    added = let(state, {"op": "feature_add", "feature": "fertile_land", "scope": "target"}, at=[(0, 0), (0, 1)])
    assert [(e.square.y, e.square.x) for e in of_kind(added, FeatureAdded)] == [(0, 0)]
    assert terrain(state) == ["PW"]


@pytest.mark.rule("G2-CREA-1")
def test_features_are_created_in_a_creation_too() -> None:
    bloom = {"op": "feature_add", "feature": "fertile_land", "scope": "target"}
    meadow = {"kind": "creation", "codes": ["Fl"], "target": "square", "effects": [bloom]}
    state = earth_of(["PPP"], phase=Phase.CREATION, packs=pack_of(meadow=meadow))
    able(state, "meadow")
    assert of_kind(cast(state, "meadow", at=[(0, 1)]), FeatureAdded)


@pytest.mark.rule("G2-DIS-3", "G2-RES-8")
def test_units_die_before_the_named_cities_and_what_follows_is_settled_at_the_end() -> None:
    norse = race("Norse", {(0, 0): 4, (0, 1): 1}, "civilized")
    events = cast(earth_of(["PPP"], norse), "earthquake", at=[(0, 0)])
    steps = (DisasterStruck, UnitsDied, CityDestroyed, CivilizationLost)
    assert first_of(events, *steps) == [kind.__name__ for kind in steps]
    assert of_kind(events, CityDestroyed) == [event_like(CityDestroyed, race=norse.id, cause="earthquake")]
