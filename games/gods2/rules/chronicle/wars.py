"""Wars: who marches on whom, and what comes of it, in one sentence (G2-WAR-*, G2-DIP-*)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from games.engine.insight.chronicle import Fact, Scene, Sentence, Teller
from games.engine.kernel import Event
from games.engine.wording import quantity
from games.gods2.rules.cascade.events import WarLapsed
from games.gods2.rules.casting.events import PowerCast
from games.gods2.rules.chronicle.names import people, peoples
from games.gods2.rules.declarations.events import DeclarationVoided, WarCancelled, WarDeclared
from games.gods2.rules.state.names import cause_name
from games.gods2.rules.state.state import State
from games.gods2.rules.war.events import CityFell, SquaresTaken, SquaresVacated, WarAverted, WarFought

Setting = Scene[State]


def tell_war(scene: Setting, event: Any) -> Iterator[Fact]:
    """All of a war in one sentence; those that a power calls off are told together."""
    war = scene.state.wars.get(event.war)
    if war is None or scene.first(WarCancelled, war=event.war) is not None:
        return
    yield Fact(("war", event.war), partial(_war, scene, war.attacker, war.defender, war.name), event)


def _war(scene: Setting, attacker: Any, defender: Any, name: str, events: Sequence[Any]) -> Sentence | None:
    by_kind: dict[type[Event], Any] = {type(event): event for event in events}
    who, whom = people(scene, attacker), people(scene, defender)
    called = f"; it is remembered as {name}" if name else ""
    averted, fought = by_kind.get(WarAverted), by_kind.get(WarFought)
    if averted is not None:
        envoys = "but think better of it" if averted.race == attacker else f"but envoys of {whom} talk them out of it"
        return Sentence(f"{who} arm against {whom}, {envoys}.")
    if WarLapsed in by_kind:
        return Sentence(f"{who} march on {whom} and never reach them.")
    if fought is not None:
        return Sentence(
            f"{who} march on {whom} {_outcome(scene, fought, by_kind, attacker)}{called}.", _losses(scene, fought)
        )
    if WarDeclared in by_kind:
        return Sentence(f"{who} declare war on {whom}{called}.")
    return None


def _outcome(scene: Setting, fought: WarFought, by_kind: Mapping[type[Event], Any], attacker: Any) -> str:
    """How a war ended, as its attacker sees it."""
    city, ground = by_kind.get(CityFell), SquaresVacated in by_kind
    if fought.race is None:
        return "and neither side gives way"
    if city is not None:
        known = scene.state.cities.get(city.city)
        name = known.name if known is not None and known.name else "a city"
        return f"and take {name}" if fought.race != attacker else f"and lose {name} to them"
    if fought.race == attacker:
        return "and are driven off their own land" if ground and SquaresTaken in by_kind else "and are beaten back"
    return "and drive them from their land" if ground else "and beat them"


def _losses(scene: Setting, fought: WarFought) -> str:
    return "; ".join(
        f"{people(scene, side.race)}, strength {side.strength}, lose {quantity(side.losses, 'unit')}"
        for side in fought.sides
    )


def tell_peace(scene: Setting, event: WarCancelled) -> Iterator[Fact]:
    """Wars that a power calls off."""
    cast = scene.first(PowerCast, casting=event.casting) if event.casting is not None else None
    power = cause_name(scene.state, cast.power) if cast is not None else ""
    yield Fact(("peace", power), partial(_peace, scene, power), event)


def _peace(scene: Setting, power: str, events: Sequence[WarCancelled]) -> Sentence:
    wars = [scene.state.wars[event.war] for event in events if event.war in scene.state.wars]
    held = peoples(scene, (war.attacker for war in wars))
    text = f"At a god's word {held} lay down their arms." if power else f"{held} lay down their arms."
    pairs = [f"{people(scene, war.attacker)} against {people(scene, war.defender)}" for war in wars]
    return Sentence(text, "; ".join(filter(None, [power, *dict.fromkeys(pairs)])))


def tell_ban(scene: Setting, event: DeclarationVoided) -> Iterator[Fact]:
    yield Fact("banned", partial(_veto, scene), event)


def _veto(scene: Setting, events: Sequence[DeclarationVoided]) -> Sentence:
    held = peoples(scene, (event.attacker for event in events))
    spared = peoples(scene, (event.defender for event in events))
    return Sentence(f"{held} would go to war with {spared}, but a ban holds them back.")


TELLERS: Mapping[type[Event], Teller] = {
    WarDeclared: tell_war,
    WarAverted: tell_war,
    WarLapsed: tell_war,
    WarFought: tell_war,
    SquaresVacated: tell_war,
    SquaresTaken: tell_war,
    CityFell: tell_war,
    WarCancelled: tell_peace,
    DeclarationVoided: tell_ban,
}
