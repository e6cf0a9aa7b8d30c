"""Miracles and catastrophes (DW-MIR-*): what a god works on an area, and what is saved or ends by it."""

from collections.abc import Iterable, Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dawn.rules.artifacts import pass_on_from_city, pass_on_from_race
from games.dawn.rules.command.safety import require_unsaved
from games.dawn.rules.land.shaping import any_square, one_square, squares_domain
from games.dawn.rules.powers.commands import PowerCommand
from games.dawn.rules.powers.frame import Cast
from games.dawn.rules.powers.questions import Objection, PowerQuestion
from games.dawn.rules.races.events import EdgeGifted
from games.dawn.rules.revenge.events import AvatarDestroyed
from games.dawn.rules.state.constants import FURTHER_SQUARE, PRICES
from games.dawn.rules.state.records import Power, Race
from games.dawn.rules.state.schema_types import MAX_SIDE, EdgeKind, EdgeTag, Place, Price, Text, WonderKind, Works
from games.dawn.rules.state.state import At, State
from games.dawn.rules.state.wording import WORK_TITLES
from games.dawn.rules.war.battle_events import ArmiesLost
from games.dawn.rules.war.battles import steps
from games.dawn.rules.wonders.events import CityRazed, RaceExtinct, RaceNearlyExtinct, WonderWorked
from games.dawn.rules.wonders.miracles import (
    check_artifact,
    check_breakthrough,
    check_restoring,
    check_saving,
    cities_in,
    fallen_avatars,
    lands_of_peoples,
    last_of_races,
    make_wondrous_artifact,
    restore,
    save_cities,
    unfit,
)
from games.dawn.rules.wonders.rules import (
    armies_in,
    avatars_in,
    bare_cities_in,
    harm_objection,
    races_without_city,
)
from games.engine.errors import Refused
from games.engine.insight.breakdown import Sum
from games.engine.insight.domains import Case, Choices, Domain, FreeText, ListOf, Narrowed
from games.engine.insight.legal_commands import LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.lifecycle.seating import Name
from games.engine.wording import listing, phrase, quantity


class WorkWonder(PowerCommand):
    """Work a miracle, which saves, teaches, restores, makes or is a deed, or a catastrophe, which destroys."""

    rules: ClassVar[tuple[str, ...]] = (
        *("DW-MIR-1", "DW-MIR-2", "DW-MIR-3", "DW-MIR-6", "DW-MIR-7", "DW-MIR-8", "DW-MIR-9", "DW-MIR-10"),
    )

    kind: WonderKind
    """What is worked."""
    squares: tuple[Place, ...] = Field(min_length=1, max_length=MAX_SIDE**2)
    """The area: different squares that hang together edge by edge."""
    works: Works = Works.DEED
    """What it does beside its words. A miracle: save_city, breakthrough, restore, artifact; a catastrophe: one of the
    others."""
    targets: tuple[UUID, ...] = Field(default=(), max_length=MAX_SIDE**2)
    """save_city, kill_avatar, raze_city: one at most on each square of the area. breakthrough: a race or a city there.
    restore: a race that is near extinct, or an avatar who has fallen and returns to the one square. artifact: a race
    or a city there that has it, or nobody. extinguish_race: the race."""
    edge: Name | None = None
    """breakthrough: what the edge is called."""
    tags: tuple[EdgeTag, ...] = Field(default=(), max_length=2)
    """breakthrough: `crosses_water`, `flies`, or none."""
    artifact: Name | None = None
    """artifact: its name, unlike that of every other artifact of the game, also of those that are lost."""
    text: Text = ""
    """What happens, in free words; of an artifact what is known of it."""

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
        if self.works not in WORKS_OF[self.kind]:
            able = listing((phrase(works) for works in WORKS_OF[self.kind]), "or")
            raise unfit(f"A {self.kind} is of one of these works: {able}.", "DW-MIR-2")
        if self.works is not Works.BREAKTHROUGH and (self.edge is not None or self.tags):
            raise unfit("Only a breakthrough brings an edge: leave edge and tags out.", "DW-MIR-8")
        if self.works is not Works.ARTIFACT and self.artifact is not None:
            raise unfit("Only the work artifact makes one: leave artifact out.", "DW-MIR-10")
        match self.works:
            case Works.DEED | Works.RAVAGE:
                if self.targets:
                    raise unfit(f"{self.works.value} has no targets: leave them out.")
                for city in cities_in(state, area).values() if self.works is Works.RAVAGE else ():
                    require_unsaved(state, city, "ravaged")
            case Works.SAVE_CITY:
                check_saving(state, cast.caster, self.targets, area)
            case Works.BREAKTHROUGH:
                check_breakthrough(state, self.targets, area, self.edge)
            case Works.RESTORE:
                check_restoring(state, self.targets, area)
            case Works.ARTIFACT:
                check_artifact(state, self.targets, area, self.artifact)
            case Works.EXTINGUISH_RACE:
                self._check_race(state, set(area))
            case Works.KILL_AVATAR | Works.RAZE_CITY:
                self._check_targets(state, area)

    def check_again(self, state: State, cast: Cast) -> None:
        """An artifact has a ruling of its own (DW-AMB-64)."""
        if self.works is not Works.ARTIFACT:
            self.check(state, cast)

    def _check_race(self, state: State, area: set[At]) -> None:
        """Refuse a race that cannot be extinguished: `effect.invalid`, `race.extinct`, `race.has_city`,
        `race.without_city`."""
        if len(self.targets) != 1 or self.targets[0] not in state.races:
            raise unfit("Name one race that is to be extinct.")
        race = state.race(self.targets[0])
        if not area & state.land_of(race.id):
            raise unfit(f"{race.name} has no territory in this area.")
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
        """Refuse targets not there or on one square (DW-AMB-53), or a city with an army (`effect.invalid`), or that a
        miracle saves (`city.saved`)."""
        found = avatars_in(state, area) if self.works is Works.KILL_AVATAR else bare_cities_in(state, area)
        places = [found.get(target) for target in self.targets]
        if not places or None in places:
            what = "living avatars" if self.works is Works.KILL_AVATAR else "cities without armies"
            raise unfit(f"Name {what} in the area.")
        if len(set(places)) < len(places):
            raise unfit("Each target stands on a square of its own; name one for each square at most.")
        for city in (state.cities[target] for target in self.targets if target in state.cities):
            require_unsaved(state, city, "razed")

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
            case Works.SAVE_CITY:
                yield from save_cities(self.targets, power.caster)
            case Works.BREAKTHROUGH:
                edge, tags = str(self.edge), tuple(sorted(set(self.tags)))
                yield EdgeGifted(target=self.targets[0], edge=edge, kind=EdgeKind.OTHER, tags=tags, by=power.caster)
            case Works.RESTORE:
                yield restore(state, self.targets[0], self.squares[0])
            case Works.ARTIFACT:
                yield from make_wondrous_artifact(state, ctx, str(self.artifact), self.targets, self.text)
            case Works.KILL_AVATAR:
                for target in self.targets:
                    at = avatars_in(state, area)[target]
                    yield AvatarDestroyed(avatar=target, square=Place(x=at[0], y=at[1]), by=power.caster)
            case Works.RAZE_CITY:
                for target in self.targets:
                    city = state.cities[target]
                    yield from pass_on_from_city(state, city)
                    yield CityRazed(city=city.id, square=Place(x=city.x, y=city.y), name=city.name)
            case Works.RAVAGE:
                armies = armies_in(state, area)
                if armies:
                    yield ArmiesLost(armies=armies)
            case Works.EXTINGUISH_RACE:
                race = state.races[self.targets[0]]
                if power.beaten:
                    yield _survival_of(state, race)
                else:
                    yield from pass_on_from_race(state, race.id)
                    yield RaceExtinct(race=race.id)

    def saying(self, state: State) -> str:
        area = quantity(len(self.squares), "square")
        return f"work a {self.kind} on {area}, {self.works.replace('_', ' ')}"

    @classmethod
    def candidates(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        god = state.acting(actor)
        for kind, row in ROWS.items():
            price = PRICES[row][state.course.age - 1]
            for works in WORKS_OF[kind]:
                arguments: dict[str, Domain] = {
                    "kind": Choices.of((kind.value,)),
                    "works": Choices.with_titles({works.value: WORK_TITLES[works]}),
                    "text": FreeText(),
                }
                if works in (Works.DEED, Works.RAVAGE):
                    squares = _squares_to_strike(state, works)
                    if squares is not None:
                        arguments["squares"] = squares
                        yield LegalCommand(cls.slug(), arguments, price=price, note=AREA, required=("works",))
                    continue
                found = _targets_of(state, god.id, works)
                hits: list[Narrowed] = [_hit(target, land) for target, land in found.items()]
                needed: tuple[str, ...] = ("works", "targets")
                if works is Works.ARTIFACT:
                    arguments["artifact"] = FreeText().but(state.names_in(state.artifacts))
                    needed = ("works", "artifact")
                    hits.append({"targets": None})
                elif not found:
                    continue
                if works is Works.BREAKTHROUGH:
                    arguments["edge"], needed = FreeText(), (*needed, "edge")
                    arguments["tags"] = ListOf(Choices.of(tag.value for tag in EdgeTag))
                if found:
                    arguments["targets"] = ListOf(Choices.of(found), low=1, high=1)
                arguments["squares"] = ListOf(any_square(state), low=1, high=1)
                cases = (Case(either=tuple(hits)),) if found else ()
                note = "" if works is Works.RESTORE else AREA
                yield LegalCommand(cls.slug(), arguments, price=price, note=note, required=needed, cases=cases)


ROWS = {WonderKind.MIRACLE: Price.MIRACLE, WonderKind.CATASTROPHE: Price.CATASTROPHE}
WORKS_OF: dict[WonderKind, tuple[Works, ...]] = {
    WonderKind.MIRACLE: (Works.DEED, Works.SAVE_CITY, Works.BREAKTHROUGH, Works.RESTORE, Works.ARTIFACT),
    WonderKind.CATASTROPHE: (Works.DEED, Works.KILL_AVATAR, Works.RAZE_CITY, Works.RAVAGE, Works.EXTINGUISH_RACE),
}
"""What each kind of wonder may do (DW-MIR-2)."""
OBJECTION = "objection"
AREA = f"The area may have more squares that hang together edge by edge, for {FURTHER_SQUARE} points each."


def _squares_to_strike(state: State, works: Works) -> Domain | None:
    """An area of one square for a wonder without targets: any, and to ravage one with armies; None where none are."""
    if works is Works.DEED:
        return one_square(state)
    homes = {army.city for army in state.armies.values()}
    cities = (city for city in state.cities.values() if city.id in homes and not city.saved_by)
    struck = [(city.x, city.y) for city in cities]
    return ListOf(squares_domain(struck), low=1, high=1) if struck else None


def _targets_of(state: State, god: UUID, works: Works) -> dict[UUID, set[At] | None]:
    """What a wonder may hit, and the squares of the area on which it is; None: any square of the map."""
    everywhere = state.squares
    match works:
        case Works.SAVE_CITY:
            return {c.id: {(c.x, c.y)} for c in cities_in(state, everywhere).values() if god not in c.saved_by}
        case Works.BREAKTHROUGH | Works.ARTIFACT:
            return {**lands_of_peoples(state)}
        case Works.RESTORE:
            races: dict[UUID, set[At] | None] = {race: state.land_of(race) for race in last_of_races(state)}
            return {**races, **dict.fromkeys(fallen_avatars(state))}
        case Works.KILL_AVATAR:
            return {avatar: {at} for avatar, at in avatars_in(state, everywhere).items()}
        case Works.RAZE_CITY:
            bare = bare_cities_in(state, everywhere).items()
            return {city: {at} for city, at in bare if not state.cities[city].saved_by}
    return {race.id: state.land_of(race.id) for race in races_without_city(state)}


def _hit(target: UUID, land: set[At] | None) -> dict[str, Domain | None]:
    """One target, and the squares on which it is hit."""
    hit: dict[str, Domain | None] = {"targets": ListOf.beginning_with(Choices((target,)))}
    return hit if land is None else hit | {"squares": ListOf.beginning_with(squares_domain(land))}


def _survival_of(state: State, race: Race) -> Event:
    """The race lives on at its square nearest to its home; ties: lowest y, then x (DW-MIR-4)."""
    home = (race.x, race.y)
    x, y = min(state.land_of(race.id), key=lambda at: (steps(home, at), at[1], at[0]))
    return RaceNearlyExtinct(race=race.id, square=Place(x=x, y=y))
