"""What a wonder hits in its area, and whom a catastrophe hurts by it: those gods may object (DW-MIR-2, DW-MIR-6)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from games.dawn.rules.powers.questions import Objection
from games.dawn.rules.state.records import Power, Race
from games.dawn.rules.state.schema_types import Works
from games.dawn.rules.state.state import At, State
from games.engine.wording import listing, quantity


@dataclass(frozen=True, slots=True)
class HarmObjection(Objection):
    """Gods whom a catastrophe hurts may object; once, for they are no longer asked for a challenge (DW-MIR-6)."""

    key: str = "harm"
    harm: str = ""
    """What the catastrophe does to them, in words: `kills Fang`."""

    asked_once: ClassVar[bool] = True

    def words(self, state: State, power: Power) -> dict[str, Any]:
        return {"caster": state.title(power.caster), "does": f"works a catastrophe that {self.harm}"}


def harm_objection(state: State, caster: UUID, works: Works, targets: Iterable[UUID], area: Iterable[At]) -> Objection:
    """The question to the gods whom a catastrophe hurts: who controls the cities, armies or avatars that it hits, and
    who shaped the squares on which these stand; never the caster (DW-MIR-6, DW-AMB-59). It may ask nobody.
    """
    hit, hurt, harm = [], set(), ""
    match works:
        case Works.KILL_AVATAR:
            avatars = [state.avatars[target] for target in targets]
            hit, hurt = [(a.x, a.y) for a in avatars], {a.owner for a in avatars}
            harm = f"kills {listing(a.name for a in avatars)}"
        case Works.RAZE_CITY:
            cities = [state.cities[target] for target in targets]
            hit, hurt = [(c.x, c.y) for c in cities], {c.controller for c in cities}
            harm = f"razes {listing(c.name for c in cities)}"
        case Works.RAVAGE:
            armies = armies_in(state, area)
            homes = {home: state.cities[home] for home in (state.armies[army].city for army in armies)}
            hit, hurt = [(c.x, c.y) for c in homes.values()], {c.controller for c in homes.values()}
            harm = f"ends {quantity(len(armies), 'army')} of {listing(sorted(c.name for c in homes.values()))}"
    shapers = {state.squares[at].shaped_by for at in hit}
    return HarmObjection(asked=tuple(state.present((hurt | shapers) - {caster})), harm=harm)


# -- what is there --------------------------------------------------------------------------------------------------


def avatars_in(state: State, area: Iterable[At]) -> dict[UUID, At]:
    """The living avatars in an area, and where."""
    here = set(area)
    found = (a for a in state.avatars.values() if a.alive and (a.x, a.y) in here)
    return {avatar.id: (avatar.x, avatar.y) for avatar in sorted(found, key=lambda a: (a.name, a.id))}


def bare_cities_in(state: State, area: Iterable[At]) -> dict[UUID, At]:
    """The cities without army in an area, and where: those that can be razed (DW-MIR-2)."""
    here, held = set(area), {army.city for army in state.armies.values()}
    found = (c for c in state.cities.values() if (c.x, c.y) in here and c.id not in held)
    return {city.id: (city.x, city.y) for city in sorted(found, key=lambda c: (c.name, c.id))}


def armies_in(state: State, area: Iterable[At]) -> tuple[UUID, ...]:
    """The armies that stand in an area, by id."""
    here = set(area)
    cities = {city.id for city in state.cities.values() if (city.x, city.y) in here}
    return tuple(sorted(army.id for army in state.armies.values() if army.city in cities))


def races_without_city(state: State) -> list[Race]:
    """The living races that have territory and a city no longer, by name."""
    built, landed = {c.race for c in state.cities.values()}, {t.race for t in state.territory.values()}
    return [race for race in state.living_races() if race.had_city and race.id in landed and race.id not in built]
