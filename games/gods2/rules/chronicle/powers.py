"""Powers: what the gods send, and whom a disaster strikes (G2-HIST-*, G2-DIS-*). Who cast a power stays unsaid unless
its entry is signed."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias
from uuid import UUID

from games.engine.insight.chronicle import Fact, Scene, Sentence, Teller, names, plain, silent
from games.engine.kernel import Event
from games.engine.wording import VOWELS, quantity
from games.gods2.rules.casting.events import EntrySigned, PowerCast
from games.gods2.rules.chronicle.faith import tell_sacrifice
from games.gods2.rules.chronicle.names import people, peoples, spots
from games.gods2.rules.cities.events import CityDestroyed, CityFounded, CityRaised
from games.gods2.rules.declarations.events import WarCancelled, WarDeclared
from games.gods2.rules.effects.events import AttributeGained, DisasterStruck, LimitsCut, TerrainChanged
from games.gods2.rules.growth.events import MigrationOrdered
from games.gods2.rules.history.events import HistoryEntered
from games.gods2.rules.knowledge.events import KnowledgeLearned, KnowledgeLost
from games.gods2.rules.pack.operations import ArtifactMake
from games.gods2.rules.pantheon.turmoil_events import CultGrew, TurmoilStarted
from games.gods2.rules.setup.events import FeatureAdded, RaceDefined
from games.gods2.rules.state.names import cause_name, member_name
from games.gods2.rules.state.state import State
from games.gods2.rules.units.events import UnitsDied

Setting = Scene[State]
Blow: TypeAlias = DisasterStruck | UnitsDied | CityDestroyed | LimitsCut
OWN_SENTENCES = (KnowledgeLearned, KnowledgeLost, CultGrew, TurmoilStarted, FeatureAdded, TerrainChanged, WarDeclared,
                 WarCancelled, MigrationOrdered, DisasterStruck, CityRaised, LimitsCut, RaceDefined,
                 AttributeGained)  # fmt: skip
"""What a casting does that is told itself; the casting then is not."""
COMMANDS = ("Create", "Found", "Order", "Open", "Raise")
"""First words of powers that bid: `Create Volcano` strikes as a volcano."""
MANY = 6
"""Units whose death makes a disaster deadly."""


def tell_cast(scene: Setting, event: PowerCast) -> Iterator[Fact]:
    """What is sent to a people or to the Earth and shows nothing else."""
    founded = scene.first(CityFounded, cause=event.power)
    entry = scene.state.pack.powers.get(event.power)
    makes_artifact = entry is not None and any(isinstance(effect, ArtifactMake) for effect in entry.effects)
    if founded is not None or makes_artifact or any(scene.first(kind, casting=event.casting) for kind in OWN_SENTENCES):
        return
    god, power = author(scene, event.casting), cause_name(scene.state, event.power)
    races = [target.race for target in event.targets if target.race is not None]
    for race in races[:1]:
        is_taken = god == GODS and bool(race.int % 2)
        yield Fact(("sent", god, race), partial(_gift if is_taken else _sent, god, people(scene, race)), power)
    if not event.targets:
        yield plain(f"{power} comes over the whole Earth.")


def _sent(god: str, race: str, powers: Sequence[str]) -> Sentence:
    return Sentence(f"{god} {'send' if god == GODS else 'sends'} {race} {names(powers, 'other gifts')}.")


def _gift(god: str, race: str, powers: Sequence[str]) -> Sentence:
    return Sentence(f"{race} receive {names(powers, 'other gifts')} from the gods.")


GODS = "The gods"


def author(scene: Setting, casting: UUID) -> str:
    """Who has cast a power, where the entry of it is signed; else the gods."""
    entry = scene.first(HistoryEntered, casting=casting)
    signed = scene.first(EntrySigned, entry=entry.entry) if entry is not None else None
    return member_name(scene.state, str(signed.seat)) if signed is not None else GODS


def tell_blow(scene: Setting, event: Blow) -> Iterator[Fact]:
    """A disaster and its dead, whatever it struck in this century, in one sentence."""
    if isinstance(event, UnitsDied) and event.box in ("war", "sacrifice"):
        yield from tell_sacrifice(scene, event)
        return
    if isinstance(event, CityDestroyed) and event.cause == "war":
        yield plain(f"{people(scene, event.race)} see their city burn in war.", spots([event.square]))
        return
    what = blow_name(scene, event)
    yield Fact(("blow", what), partial(_blow, scene, what), event)


def blow_name(scene: Setting, event: Blow) -> str:
    """What has struck: the power, the feature, the table, or a disaster."""
    casting = getattr(event, "casting", None)
    cast = scene.first(PowerCast, casting=casting) if casting is not None else None
    if cast is not None:
        return blow_of(cause_name(scene.state, cast.power))
    if isinstance(event, CityDestroyed | LimitsCut):
        return blow_of(cause_name(scene.state, event.cause))
    if event.elements:
        return f"A disaster of {' and '.join(event.elements)}"
    return "A disaster"


def blow_of(name: str) -> str:
    """A power or a feature as what strikes: `A hurricane`, `A volcano`, `Spreading ice`, `Drown the Shore`."""
    first, _, rest = name.partition(" ")
    if rest.startswith("the "):  # it bids what is done to something, which does not strike
        return name
    if first == "Spread" and rest:
        return f"Spreading {rest.lower()}"
    noun = (rest if first in COMMANDS and rest else name).lower()
    return f"{'An' if noun[:1] in VOWELS else 'A'} {noun}"


def _blow(scene: Setting, what: str, events: Sequence[Blow]) -> Sentence:
    struck = [race for event in events if isinstance(event, DisasterStruck) for race in event.races]
    hit = [event.race for event in events if not isinstance(event, DisasterStruck)]
    deaths = dict.fromkeys(dict.fromkeys([*struck, *hit]), 0)
    for event in events:
        if isinstance(event, UnitsDied):
            deaths[event.race] += event.units
    cities = [event for event in events if isinstance(event, CityDestroyed)]
    dead, times = sum(deaths.values()), sum(isinstance(event, DisasterStruck) for event in events)
    who = peoples(scene, deaths)
    if not deaths:
        text = f"{what} strikes where nobody lives."
    elif cities:
        text = f"{what} strikes {who} and lays {'cities' if len(cities) > 1 else 'a city'} in ruins."
    elif dead:
        text = f"{what} strikes {who} and kills {'many' if dead >= MANY else 'some'}."
    elif any(isinstance(event, LimitsCut) for event in events):
        text = f"{what} leaves {who} less land to live on."
    else:
        text = f"{what} strikes {who} and kills nobody."
    figures = [f"{people(scene, race)} lose {quantity(units, 'unit')}" for race, units in deaths.items() if units]
    where = [place for event in events if isinstance(event, DisasterStruck) for place in event.squares]
    return Sentence(text, "; ".join(filter(None, [f"{times} times" if times > 1 else "", *figures, spots(where[:5])])))


TELLERS: Mapping[type[Event], Teller] = {
    HistoryEntered: silent,
    EntrySigned: silent,
    PowerCast: tell_cast,
    DisasterStruck: tell_blow,
    UnitsDied: tell_blow,
    CityDestroyed: tell_blow,
    LimitsCut: tell_blow,
}
