"""Whom events attack: the gods of the races that others' wars and powers strike, and never who has cast them."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from games.engine.artifacts.events import ArtifactPassed
from games.engine.artifacts.state import HolderKind
from games.engine.attacks import targets_of
from games.engine.audience import GM as GM_ALONE
from games.engine.kernel import Event
from games.gods2.rules import RULESET
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.cities.events import CityDestroyed, CityFounded
from games.gods2.rules.declarations.events import WarDeclared
from games.gods2.rules.effects.events import DisasterStruck, LimitsCut, TerrainChanged
from games.gods2.rules.knowledge.events import KnowledgeLost
from games.gods2.rules.mana.events import ManaGained
from games.gods2.rules.pantheon.turmoil_events import CultGrew, TurmoilStarted
from games.gods2.rules.state.effect_records import Authorship
from games.gods2.rules.state.records import CityKind, War, WarKind, WarStatus
from games.gods2.rules.state.value_types import Target
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.war.events import CityFell
from tests.playbook import Playbook, attacks_by
from tests.rules.gods2.era import ANA, BEN, CLEO, place, shares, two_peoples
from tests.rules.gods2.joint import with_powers

CITY, CASTING, THING = UUID(int=0xC17), UUID(int=0xCA57), UUID(int=0x717)
NATURE = UUID(int=0xFF)
"""A casting of which nobody is the author."""
Struck = Callable[[Playbook, UUID, UUID], Event]
BY_ANA: dict[str, Struck] = {
    "a disaster on one people": lambda _, d, e: DisasterStruck(casting=CASTING, races=(e,)),
    "deaths": lambda _, d, e: UnitsDied(race=e, losses=(), counted=1, units=1, box="fire", casting=CASTING),
    "less room": lambda _, d, e: LimitsCut(cut=THING, race=e, amount=1, cause="test", casting=CASTING),
    "a city under water": lambda _, d, e: TerrainChanged(
        squares=(place(4, 1),), terrain="W", cause="test", casting=CASTING
    ),
    "what it knew": lambda _, d, e: KnowledgeLost(race=e, knowledges=("hunting",), cause="test", casting=CASTING),
    "turmoil": lambda _, d, e: TurmoilStarted(race=e, cause="test", casting=CASTING),
}
"""What Ashkar's power does to the Elves, whom Belun and Cirra share."""


def peoples() -> tuple[Playbook, UUID, UUID]:
    """Dwarves of Ashkar and Belun, Elves of Belun and Cirra with a city; Ashkar has cast something."""
    book, dwarves, elves = two_peoples()
    book.plant(CityFounded(city=CITY, race=elves, square=place(4, 1), kind=CityKind.CITY, cause="test"))
    book.state.authorships[CASTING] = Authorship(CASTING, ANA, (ANA,), GM_ALONE)
    return book, dwarves, elves


def attacked_by(book: Playbook, event: Event) -> set[UUID]:
    return set(targets_of(RULESET.attacks, event, book.state))


@pytest.mark.parametrize("_case", BY_ANA)
def test_a_power_attacks_the_gods_of_whom_it_strikes(_case: str) -> None:
    book, dwarves, elves = peoples()
    assert attacked_by(book, BY_ANA[_case](book, dwarves, elves)) == {BEN, CLEO}


@pytest.mark.parametrize("_case", BY_ANA)
def test_a_power_attacks_none_of_its_casters(_case: str) -> None:
    book, dwarves, elves = peoples()
    book.state.authorships[CASTING] = Authorship(CASTING, BEN, (BEN, ANA), GM_ALONE)
    assert attacked_by(book, BY_ANA[_case](book, dwarves, elves)) == {CLEO}


@pytest.mark.parametrize("_case", BY_ANA)
def test_what_no_power_has_done_is_nobodys_attack(_case: str) -> None:
    book, dwarves, elves = peoples()
    event = BY_ANA[_case](book, dwarves, elves)
    assert attacked_by(book, event.model_copy(update={"casting": None})) == set()


def test_a_change_of_land_on_which_cities_last_attacks_nobody() -> None:
    book, *_ = peoples()
    changed = TerrainChanged(squares=(place(4, 1),), terrain="F", cause="test", casting=CASTING)
    assert attacked_by(book, changed) == set()
    flooded = changed.model_copy(update={"squares": (place(5, 1),), "terrain": "W"})
    assert attacked_by(book, flooded) == set(), "no city stands there"


def test_a_disaster_attacks_the_gods_of_all_whom_it_hits() -> None:
    book, dwarves, elves = peoples()
    assert attacked_by(book, DisasterStruck(casting=NATURE, races=(dwarves, elves))) == {ANA, BEN, CLEO}


def test_a_cult_attacks_the_gods_who_lose_by_it() -> None:
    book, _, elves = peoples()

    def grown(**after: float) -> CultGrew:
        return CultGrew(race=elves, gains=(), pantheon=shares(**after), cause="test", casting=CASTING)

    assert attacked_by(book, grown(a=20, b=40, c=40)) == {BEN, CLEO}
    assert attacked_by(book, grown(b=60, c=40)) == {CLEO}
    assert attacked_by(book, grown(a=50, b=50)) == {CLEO}
    assert attacked_by(book, grown(b=60, c=40).model_copy(update={"casting": None})) == set()


def test_who_loses_mana_by_a_power_of_another_is_attacked_and_who_gains_is_not() -> None:
    book, *_ = peoples()
    lost = ManaGained(seat=CLEO, amount=-3, balance=17, cause="test", casting=CASTING)
    assert attacked_by(book, lost) == {CLEO}
    assert attacked_by(book, lost.model_copy(update={"amount": 3})) == set()
    assert attacked_by(book, lost.model_copy(update={"seat": ANA})) == set()


def test_a_war_attacks_the_gods_of_the_defender_who_are_none_of_the_attackers() -> None:
    book, dwarves, elves = two_peoples()
    position = len(book.log)
    book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA)
    assert attacks_by(book, position) == [(WarDeclared, {CLEO})]
    aggressive = WarDeclared(war=THING, attacker=elves, defender=dwarves, kind=WarKind.AGGRESSIVE)
    assert attacked_by(book, aggressive) == {ANA}


def test_a_war_attacks_none_of_who_has_it_declared() -> None:
    book, dwarves, elves = peoples()
    book.state.authorships[CASTING] = Authorship(CASTING, CLEO, (CLEO,), GM_ALONE)
    declared = WarDeclared(war=THING, attacker=dwarves, defender=elves, kind=WarKind.GOD, casting=CASTING)
    assert attacked_by(book, declared) == set()


def test_a_city_that_falls_attacks_the_gods_who_lose_it() -> None:
    book, dwarves, _ = peoples()
    fell = CityFell(city=CITY, race=dwarves, square=place(4, 1), war=THING, kind=CityKind.CITY)
    assert attacked_by(book, fell) == {CLEO}


@pytest.mark.parametrize(("cause", "hours", "struck"), [("war", 0, {CLEO}), ("fire", 0, set()), ("war", 1, set())])
def test_a_city_that_burns_in_a_war_attacks_the_gods_who_lose_it(cause: str, hours: int, struck: set[UUID]) -> None:
    book, dwarves, elves = peoples()
    now = book.state.now
    ended = now.replace(hour=now.hour - hours)
    book.state.wars[THING] = War(THING, 1, 1, dwarves, elves, WarKind.GOD, now, status=WarStatus.FOUGHT, ended_at=ended)
    assert attacked_by(book, CityDestroyed(city=CITY, race=elves, square=place(4, 1), cause=cause)) == struck


def test_booty_attacks_the_gods_of_who_has_had_it() -> None:
    book, dwarves, elves = peoples()

    def passed(former: UUID, holder: UUID | None, rules: tuple[str, ...] = ("G2-ART-5",)) -> ArtifactPassed:
        kind = HolderKind.RACE if holder is not None else None
        return ArtifactPassed(artifact=THING, former=former, holder=holder, kind=kind, under=rules)

    assert attacked_by(book, passed(CITY, dwarves)) == {CLEO}
    assert attacked_by(book, passed(CITY, elves)) == set(), "it stays with its people"
    assert attacked_by(book, passed(elves, dwarves, ("G2-ART-6",))) == {CLEO}
    assert attacked_by(book, passed(elves, None, ("G2-ART-6",))) == {BEN, CLEO}
    assert attacked_by(book, passed(ANA, elves)) == {ANA}
    assert attacked_by(book, passed(elves, dwarves, ())) == set(), "a game-master has handed it on"
    assert attacked_by(book, passed(elves, dwarves, ("G2-ART-7",))) == set(), "its power is renewed"


TRIED = {
    *(type(struck(None, THING, THING)) for struck in BY_ANA.values()),  # type: ignore[arg-type]
    *(CultGrew, ManaGained, WarDeclared, CityFell, CityDestroyed, ArtifactPassed),
}


def test_every_event_that_attacks_is_tried_here() -> None:
    assert set(RULESET.attacks) == TRIED


def test_the_casting_of_a_disaster_attacks_by_what_it_does_and_not_by_itself() -> None:
    quake: dict[str, Any] = {
        "codes": ["Be"],
        "effects": [{"op": "kill", "scope": "race", "mode": "count", "amount": 2}],
    }
    book, _, elves = with_powers(quake=quake)
    position = len(book.log)
    book.when(CastPower(power="quake", targets=(Target(race=elves),)), by=ANA)
    assert attacks_by(book, position) == [(DisasterStruck, {BEN, CLEO}), (UnitsDied, {BEN, CLEO})]
