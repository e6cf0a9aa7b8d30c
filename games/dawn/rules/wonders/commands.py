"""Miracles and catastrophes (DW-MIR-*): what a god works on an area, and what ends by it."""

from collections.abc import Iterable, Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dawn.rules.land.shaping import any_square, one_square, squares_domain
from games.dawn.rules.powers.commands import PowerCommand
from games.dawn.rules.powers.frame import Cast
from games.dawn.rules.powers.questions import Objection, PowerQuestion
from games.dawn.rules.revenge.events import AvatarDestroyed
from games.dawn.rules.state.constants import FURTHER_SQUARE, PRICES
from games.dawn.rules.state.records import Power, Race
from games.dawn.rules.state.schema_types import MAX_SIDE, Place, Price, Text, WonderKind, Works
from games.dawn.rules.state.state import At, State
from games.dawn.rules.war.battle_events import ArmiesLost
from games.dawn.rules.war.battles import steps
from games.dawn.rules.wonders.events import CityRazed, RaceExtinct, RaceNearlyExtinct, WonderWorked
from games.dawn.rules.wonders.rules import (
    armies_in,
    avatars_in,
    bare_cities_in,
    harm_objection,
    races_without_city,
)
from games.engine.errors import Refused
from games.engine.insight.breakdown import Sum
from games.engine.insight.domains import Case, Choices, Domain, FreeText, ListOf
from games.engine.insight.legal_commands import LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.wording import quantity


class WorkWonder(PowerCommand):
    """Work a miracle, which is a deed, or a catastrophe, which also does one thing out of five, on an area."""

    rules: ClassVar[tuple[str, ...]] = ("DW-MIR-1", "DW-MIR-2", "DW-MIR-3")

    kind: WonderKind
    """What is worked."""
    squares: tuple[Place, ...] = Field(min_length=1, max_length=MAX_SIDE**2)
    """The area: different squares that hang together edge by edge."""
    works: Works = Works.DEED
    """What it does beside its words; a miracle is a deed."""
    targets: tuple[UUID, ...] = Field(default=(), max_length=MAX_SIDE**2)
    """kill_avatar, raze_city: one at most on each square of the area. extinguish_race: the race."""
    text: Text = ""
    """What happens, in free words."""

    def row(self, state: State) -> Price:
        return ROWS[self.kind]

    def price_sum(self, state: State, cast: Cast) -> Sum:
        """The price of the first square, and 5 more for each further one (DW-MIR-1)."""
        price, further = super().price_sum(state, cast), len(self.squares) - 1
        if further:
            label = quantity(further, "further square")
            price.step("squares", "squares", label, "DW-MIR-1", "add", FURTHER_SQUARE * further)
        return price

    def check(self, state: State, cast: Cast) -> None:
        area = [place.at for place in self.squares]
        for at in area:
            state.square(at)
        if len(set(area)) < len(area):
            raise Refused("squares.count", "A square is named twice; name each once.", rules=("DW-MIR-1",))
        if not state.are_connected(area):
            raise Refused(
                "squares.apart",
                "These squares do not hang together edge by edge; work a wonder for each part.",
                rules=("DW-MIR-1",),
            )
        if self.kind is WonderKind.MIRACLE and self.works is not Works.DEED:
            raise _unfit("A miracle is a deed and changes nothing else; leave `works` out.")
        match self.works:
            case Works.DEED | Works.RAVAGE:
                if self.targets:
                    raise _unfit(f"{self.works.value} has no targets: leave them out.")
            case Works.EXTINGUISH_RACE:
                self._check_race(state, set(area))
            case Works.KILL_AVATAR | Works.RAZE_CITY:
                self._check_targets(state, area)

    def _check_race(self, state: State, area: set[At]) -> None:
        """Refuse a race that cannot be extinguished: `effect.invalid`, `race.extinct`, `race.has_city`,
        `race.without_city`."""
        if len(self.targets) != 1 or self.targets[0] not in state.races:
            raise _unfit("Name one race that is to be extinct.")
        race = state.race(self.targets[0])
        if not area & state.land_of(race.id):
            raise _unfit(f"{race.name} has no territory in this area.")
        built = sorted(city.name for city in state.cities.values() if city.race == race.id)
        if built:
            raise Refused(
                "race.has_city",
                f"{race.name} have cities ({', '.join(built)}); a race with a city does not end.",
                rules=("DW-MIR-3",),
            )
        if not race.had_city:
            raise Refused(
                "race.without_city",
                f"{race.name} have never had a city; a race ends that has a city no longer.",
                rules=("DW-MIR-3",),
            )

    def _check_targets(self, state: State, area: list[At]) -> None:
        """Refuse (`effect.invalid`) targets not there or on one square (DW-AMB-53), or a city with an army."""
        found = avatars_in(state, area) if self.works is Works.KILL_AVATAR else bare_cities_in(state, area)
        places = [found.get(target) for target in self.targets]
        if not places or None in places:
            what = "living avatars" if self.works is Works.KILL_AVATAR else "cities without armies"
            raise _unfit(f"Name {what} in the area.")
        if len(set(places)) < len(places):
            raise _unfit("Each target stands on a square of its own; name one for each square at most.")

    def questions(self, state: State, power: Power) -> Iterable[PowerQuestion]:
        if self.works is Works.EXTINGUISH_RACE:
            creators = state.races[self.targets[0]].creators
            yield Objection(key=OBJECTION, asked=tuple(state.present(set(creators) - {power.caster})))
        else:
            area = [place.at for place in self.squares]
            yield harm_objection(state, power.caster, self.works, self.targets, area)

    def does_work_beaten(self, power: Power) -> bool:
        """A creator who wins their objection saves the last of their race; the catastrophe has worked (DW-MIR-3)."""
        return self.works is Works.EXTINGUISH_RACE and power.asking == OBJECTION

    def effect(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        yield WonderWorked(
            kind=self.kind,
            squares=self.squares,
            works=self.works,
            targets=self.targets,
            words=self.text,
            by=power.caster,
        )
        area = [place.at for place in self.squares]
        match self.works:
            case Works.KILL_AVATAR:
                for target in self.targets:
                    at = avatars_in(state, area)[target]
                    yield AvatarDestroyed(avatar=target, square=Place(x=at[0], y=at[1]), by=power.caster)
            case Works.RAZE_CITY:
                for target in self.targets:
                    city = state.cities[target]
                    yield CityRazed(city=city.id, square=Place(x=city.x, y=city.y), name=city.name)
            case Works.RAVAGE:
                armies = armies_in(state, area)
                if armies:
                    yield ArmiesLost(armies=armies)
            case Works.EXTINGUISH_RACE:
                race = state.races[self.targets[0]]
                yield _survival_of(state, race) if power.beaten else RaceExtinct(race=race.id)

    def saying(self, state: State) -> str:
        area = quantity(len(self.squares), "square")
        return f"work a {self.kind} on {area}, {self.works.replace('_', ' ')}"

    @classmethod
    def candidates(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        everywhere = list(state.squares)
        targets: dict[Works, dict[UUID, set[At]] | None] = {
            Works.DEED: None,
            Works.KILL_AVATAR: {each: {at} for each, at in avatars_in(state, everywhere).items()},
            Works.RAZE_CITY: {each: {at} for each, at in bare_cities_in(state, everywhere).items()},
            Works.RAVAGE: None,
            Works.EXTINGUISH_RACE: {race.id: state.land_of(race.id) for race in races_without_city(state)},
        }
        for kind, row in ROWS.items():
            for works, found in targets.items():
                if found == {} or (kind is WonderKind.MIRACLE and works is not Works.DEED):
                    continue
                arguments: dict[str, Domain] = {
                    "kind": Choices.of((kind.value,)),
                    "works": Choices.of((works.value,)),
                    "text": FreeText(),
                }
                cases: tuple[Case, ...] = ()
                if found is None:
                    arguments["squares"] = one_square(state)
                else:
                    arguments["targets"] = ListOf(Choices.of(found), low=1, high=1)
                    arguments["squares"] = ListOf(any_square(state), low=1, high=1)
                    cases = (Case(either=tuple(_hit(target, land) for target, land in found.items())),)
                price = PRICES[row][state.course.age - 1]
                needed = ("works", "targets") if found else ("works",)
                yield LegalCommand(cls.slug(), arguments, price=price, note=AREA, required=needed, cases=cases)


ROWS = {WonderKind.MIRACLE: Price.MIRACLE, WonderKind.CATASTROPHE: Price.CATASTROPHE}
OBJECTION = "objection"


AREA = f"The area may have more squares that hang together edge by edge, for {FURTHER_SQUARE} points each."


def _hit(target: UUID, land: set[At]) -> dict[str, Domain | None]:
    """One target, and the squares on which it is hit."""
    hit, area = Choices((target,)), squares_domain(land)
    return {"targets": ListOf.beginning_with(hit), "squares": ListOf.beginning_with(area)}


def _unfit(message: str) -> Refused:
    return Refused("effect.invalid", message, rules=("DW-MIR-2", "DW-MIR-3"))


def _survival_of(state: State, race: Race) -> Event:
    """The race lives on at its square nearest to its home; ties: lowest y, then x (DW-MIR-4)."""
    home = (race.x, race.y)
    x, y = min(state.land_of(race.id), key=lambda at: (steps(home, at), at[1], at[0]))
    return RaceNearlyExtinct(race=race.id, square=Place(x=x, y=y))
