"""Peoples: they multiply, learn, found cities, wander, starve, vanish (G2-GROW-*, G2-KNOW-*, G2-CITY-*, G2-LVL-1)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from games.engine.insight.chronicle import Fact, Scene, Sentence, Teller, names, plain, some
from games.engine.kernel import Event
from games.engine.wording import listing, quantity
from games.gods2.rules.calendar.events import GameFinished
from games.gods2.rules.cascade.events import RaceDestroyed
from games.gods2.rules.century.worksheet_events import CenturyClosed, Summary
from games.gods2.rules.chronicle.names import knowledge_name, people, peoples, spots
from games.gods2.rules.cities.events import CityFounded, CityRaised, CivilizationLost, LevelChanged
from games.gods2.rules.effects.events import AttributeGained
from games.gods2.rules.gm_desk.events import LawPassed
from games.gods2.rules.growth.events import MigrationOrdered, RaceGrew
from games.gods2.rules.knowledge.events import KnowledgeLearned, KnowledgeLost
from games.gods2.rules.setup.events import (
    CreationFailed,
    CreationOpened,
    GodDefined,
    RaceDefined,
    SecondCreationCalled,
)
from games.gods2.rules.state.names import cause_name
from games.gods2.rules.state.options import CENTURIES
from games.gods2.rules.state.records import Level
from games.gods2.rules.state.shares import describe_shares, shares_of
from games.gods2.rules.state.state import State
from games.gods2.rules.state.wording import DIRECTIONS
from games.gods2.rules.units.events import UnitsStarved
from games.gods2.rules.war.events import WarFought

Setting = Scene[State]
RISEN: Mapping[Level, str] = {
    Level.PRIMITIVE: "fall back into the wild",
    Level.BARBARIAN: "become barbarians, with laws of their tribes",
    Level.CIVILIZED: "become civilized",
}


def tell_gods(scene: Setting, event: GodDefined) -> Iterator[Fact]:
    yield Fact("gods", _gods, event.name)


def _gods(gods: Sequence[str]) -> Sentence:
    return Sentence(f"{names(gods, 'others')} {'are the gods' if len(gods) > 1 else 'is the god'} of this Earth.")


def tell_beginnings(scene: Setting, event: RaceDefined) -> Iterator[Fact]:
    if event.casting is not None:
        born, gods = sum(held.units for held in event.placed), describe_shares(scene.state, shares_of(event.pantheon))
        cause = cause_name(scene.state, event.cause)
        yield plain(f"{people(scene, event.race)} are born: {cause}.", f"{quantity(born, 'unit')}; {gods}")
        return
    yield Fact("peoples", partial(_beginnings, scene), event)


def _beginnings(scene: Setting, events: Sequence[RaceDefined]) -> Sentence:
    units = sum(held.units for event in events for held in event.placed)
    return Sentence(
        f"{peoples(scene, (event.race for event in events))} live on the Earth.",
        f"{quantity(len(events), 'people', 'peoples')}, {quantity(units, 'unit')}",
    )


def tell_growth(scene: Setting, event: RaceGrew) -> Iterator[Fact]:
    yield Fact("growth", partial(_growth, scene), event)


def _growth(scene: Setting, events: Sequence[RaceGrew]) -> Sentence | None:
    first = max(events, key=lambda event: event.gained)
    if first.gained == 0:
        return None
    name = people(scene, first.race)
    text = f"The peoples multiply, {name} most of all." if len(events) > 1 else f"{name} multiply."
    born = sum(event.gained for event in events)
    return Sentence(text, f"{quantity(born, 'unit')} born; {name} {first.before} to {first.before + first.gained}")


def tell_hunger(scene: Setting, event: UnitsStarved) -> Iterator[Fact]:
    if event.units:
        yield Fact(("hunger", event.cause), partial(_hunger, scene), event)


def _hunger(scene: Setting, events: Sequence[UnitsStarved]) -> Sentence:
    who = peoples(scene, (event.race for event in events))
    reasons = {"growth": "outgrow their land and go hungry", "war": "flee from war into hunger"}
    cause = cause_name(scene.state, events[0].cause)
    return Sentence(
        f"{who} {reasons.get(events[0].cause, f'go hungry after {cause}')}.",
        "; ".join(f"{people(scene, e.race)} lose {quantity(e.units, 'unit')}" for e in events),
    )


def tell_learning(scene: Setting, event: KnowledgeLearned) -> Iterator[Fact]:
    knowledge = knowledge_name(scene, event.knowledge)
    what = partial(_first, scene, event) if event.first else partial(_learnt, scene, event)
    yield Fact(("learnt", event.first, event.race), what, knowledge)


def _first(scene: Setting, event: KnowledgeLearned, knowledges: Sequence[str]) -> Sentence:
    return Sentence(f"{people(scene, event.race)} are the first of all peoples to know {listing(knowledges)}.")


def _learnt(scene: Setting, event: KnowledgeLearned, knowledges: Sequence[str]) -> Sentence:
    return Sentence(f"{people(scene, event.race)} learn {listing(knowledges)}.")


def tell_forgetting(scene: Setting, event: KnowledgeLost) -> Iterator[Fact]:
    lost = listing(knowledge_name(scene, key) for key in event.knowledges)
    cause = cause_name(scene.state, event.cause)
    yield plain(f"{people(scene, event.race)} forget {lost} through {cause}.")


def tell_level(scene: Setting, event: LevelChanged) -> Iterator[Fact]:
    if scene.first(CivilizationLost, race=event.race) is None:
        yield Fact(
            ("level", event.level),
            lambda races: Sentence(f"{peoples(scene, races)} {RISEN[event.level]}."),
            event.race,
        )


def tell_lost_civilization(scene: Setting, event: CivilizationLost) -> Iterator[Fact]:
    lost = listing(knowledge_name(scene, key) for key in event.knowledges)
    yield plain(f"With their last city {people(scene, event.race)} lose {lost}.")


def tell_city(scene: Setting, event: CityFounded) -> Iterator[Fact]:
    if event.cause != "start":
        yield Fact(("cities", event.race), partial(_cities, scene), event)


def _cities(scene: Setting, events: Sequence[CityFounded]) -> Sentence:
    who, every = people(scene, events[0].race), scene.state.cities
    called = [every[event.city].name for event in events if event.city in every and every[event.city].name]
    cities = f"the city of {called[0]}" if len(called) == len(events) == 1 else some(len(events), "city")
    if called and len(events) > 1:
        cities = f"{cities}, {listing(called)} among them" if len(called) < len(events) else listing(called)
    return Sentence(f"{who} found {cities}.", spots(event.square for event in events))


def tell_great_city(scene: Setting, event: CityRaised) -> Iterator[Fact]:
    city = scene.state.cities.get(event.city)
    name = city.name if city is not None and city.name else f"The city of {people(scene, event.race)}"
    yield plain(f"{name} becomes a great city.", spots([event.square]))


def tell_migration(scene: Setting, event: MigrationOrdered) -> Iterator[Fact]:
    where = f" to the {DIRECTIONS[event.direction]}" if event.direction else ""
    yield plain(f"{people(scene, event.race)} leave their homes and wander{where}.")


def tell_extinction(scene: Setting, event: RaceDestroyed) -> Iterator[Fact]:
    """Who ended a people, which gods lose it, and how many peoples are left."""
    name, war = people(scene, event.race), scene.before(event, WarFought)
    fought = {side.race for side in war.sides} if war is not None and event.cause == "war" else set()
    text = f"{name} are no more; {cause_name(scene.state, event.cause)} was their end."
    if event.race in fought and len(fought) > 1:
        text = f"The last of {name} fall to {peoples(scene, sorted(fought - {event.race}))}; they are no more."
    left = sum(1 for race in scene.state.races.values() if not race.extinct)
    yield plain(text, f"{quantity(left, 'people', 'peoples')} left")
    shares = scene.state.pantheon(event.race)
    gods = [scene.state.gods[god].name for god in sorted(scene.state.gods) if shares.get(str(god))]
    if gods:
        lose = "lose their" if len(gods) > 1 else "loses the"
        yield plain(f"{listing(gods)} {lose} worshippers among {name}.")


def tell_law(scene: Setting, event: LawPassed) -> Iterator[Fact]:
    yield plain(f"The council passes a law, {event.name}.")


def tell_century(scene: Setting, event: CenturyClosed) -> Iterator[Fact]:
    """How a century ends: in peace, or with more or fewer than it began with."""
    found: Summary = event.summary
    born = sum(grown.gained for grown in scene.all(RaceGrew))
    end = "with fewer alive than it began" if found.deaths > born else "with more alive than it began"
    text = "The century ends in peace." if not scene.all(WarFought) else f"The century ends {end}."
    numbers = (
        quantity(found.races, "race"),
        quantity(found.units, "unit"),
        quantity(found.cities, "city"),
        quantity(found.deaths, "death"),
        f"{quantity(found.wars, 'war')} fought",
        f"{found.averted} averted",
    )
    yield plain(text, ", ".join(numbers))


def tell_trait(scene: Setting, event: AttributeGained) -> Iterator[Fact]:
    trait, cause = scene.state.pack.attributes[event.attribute].name, cause_name(scene.state, event.cause)
    yield plain(f"{people(scene, event.race)} receive the {cause}.", trait)


def tell_emptiness(scene: Setting, event: SecondCreationCalled) -> Iterator[Fact]:
    yield plain("No mortal is left on the Earth.")


def tell_creation(scene: Setting, event: CreationOpened) -> Iterator[Fact]:
    yield plain("A second Creation begins: the gods may make land and peoples anew.")


def tell_failure(scene: Setting, event: CreationFailed) -> Iterator[Fact]:
    yield plain("The second Creation brings forth no mortal, and the Earth stays empty.")


def tell_end(scene: Setting, event: GameFinished) -> Iterator[Fact]:
    early = f": {event.reason}" if event.century < CENTURIES else ""
    yield plain(f"Era Centrum is over{early}.", f"{quantity(event.century, 'century')}")


TELLERS: Mapping[type[Event], Teller] = {
    GodDefined: tell_gods,
    RaceDefined: tell_beginnings,
    RaceGrew: tell_growth,
    UnitsStarved: tell_hunger,
    KnowledgeLearned: tell_learning,
    KnowledgeLost: tell_forgetting,
    LevelChanged: tell_level,
    CivilizationLost: tell_lost_civilization,
    CityFounded: tell_city,
    CityRaised: tell_great_city,
    MigrationOrdered: tell_migration,
    RaceDestroyed: tell_extinction,
    LawPassed: tell_law,
    CenturyClosed: tell_century,
    AttributeGained: tell_trait,
    SecondCreationCalled: tell_emptiness,
    CreationOpened: tell_creation,
    CreationFailed: tell_failure,
    GameFinished: tell_end,
}
