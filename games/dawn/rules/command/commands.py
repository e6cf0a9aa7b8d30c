"""Commanding a race or a city (DW-CMDR-*, DW-CMDC-*): one act each, where the commander has presence."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.command.arguments import (
    TAKES,
    Act,
    Args,
    Target,
    WarOrder,
    act_invalid,
    require_argument,
    require_only,
)
from games.dawn.rules.command.events import DeedRecorded, TerritorySettled, armies_raised_this_round
from games.dawn.rules.command.rules import (
    aims,
    check_founding,
    check_raising,
    check_settling,
    found_city,
    founding_squares,
    most_now,
    raise_armies,
    settling_squares,
)
from games.dawn.rules.land.presence import present_at, present_in, require_present_at, require_present_in
from games.dawn.rules.land.shaping import squares_domain
from games.dawn.rules.powers.commands import PowerCommand
from games.dawn.rules.powers.frame import Cast
from games.dawn.rules.powers.questions import PowerQuestion
from games.dawn.rules.races.alliances import ally, are_allied, check_alliance, consent_to_ally
from games.dawn.rules.state.constants import PRICES
from games.dawn.rules.state.records import Army, City, Power, Race
from games.dawn.rules.state.schema_types import Price
from games.dawn.rules.state.state import At, State
from games.dawn.rules.war.forecast import forecast_command, odds_in_words
from games.dawn.rules.war.march import check_order, open_war, own_armies, targets
from games.dawn.rules.war.reach import without_path
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, Fields, FreeText, ListOf
from games.engine.insight.forecast import Forecast
from games.engine.insight.legal_commands import LegalCommand
from games.engine.kernel import Actor, Context, Event

ABSENT = Refused(
    "presence.missing",
    "You have no order in force for these and no avatar there; found an order or bring an avatar.",
    rules=("DW-PRC-2",),
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Who is directed: a race, or one city of it."""

    who: UUID
    race: Race
    around: set[At]
    """The squares that it settles from."""
    armies: tuple[Army, ...]
    """The armies that may march, under any control (DW-WAR-1)."""
    city: City | None = None


def as_race(state: State, race: Race) -> Subject:
    """A race: it settles from all its territory, and the armies of all its cities march."""
    armies = (a for a in state.armies.values() if state.cities[a.city].race == race.id)
    return Subject(race.id, race, state.land_of(race.id), tuple(sorted(armies, key=lambda a: a.id)))


def as_city(state: State, city: City) -> Subject:
    """A city: it settles from its square, and its own armies march. Raises `race.extinct`."""
    return Subject(city.id, state.race(city.race), {(city.x, city.y)}, tuple(state.armies_in(city.id)), city)


class Commanding(PowerCommand, abstract=True):
    """What commanding a race and commanding a city have in common. As an avatar's free power it needs no presence."""

    acts: ClassVar[tuple[Act, ...]]

    act: Act
    """What is to be done."""
    args: Args = Args()
    """What the act takes: found_city {square, name}, settle {square}, raise_army {count}, war {target, armies},
    alliance {race}, deed {text}."""

    @abstractmethod
    def subject(self, state: State) -> Subject:
        """Who is directed. Raises `race.missing`, `city.missing`, `race.extinct`."""

    @abstractmethod
    def require_presence(self, state: State, seat: UUID) -> None:
        """Refuse (`presence.missing`) a god without presence."""

    def check(self, state: State, cast: Cast) -> None:
        subject = self.subject(state)
        if cast.avatar is None:
            self.require_presence(state, cast.caster)
        if self.act not in self.acts:
            raise act_invalid(f"{self.slug()} takes {', '.join(self.acts)}, not {self.act}.", *self.rules)
        require_only(self.act, self.args, TAKES[self.act])
        match self.act:
            case Act.FOUND_CITY:
                check_founding(state, subject.race, self._at(), self._name())
            case Act.SETTLE:
                check_settling(state, subject.race, subject.around, self._at())
            case Act.RAISE_ARMY if subject.city is not None:
                check_raising(state, subject.city, self._count(), led=cast.avatar is not None)
            case Act.WAR:
                check_order(state, cast, subject.armies, self._order())
            case Act.ALLIANCE:
                check_alliance(state, subject.who, subject.race, self._other())
            case Act.DEED:
                self._deed_text()

    def questions(self, state: State, power: Power) -> Iterable[PowerQuestion]:
        if self.act is Act.ALLIANCE:
            yield consent_to_ally(state, power, self._other())

    def effect(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        subject = self.subject(state)
        match self.act:
            case Act.FOUND_CITY:
                yield from found_city(ctx, subject.race, self._at(), self._name(), power.caster)
            case Act.SETTLE:
                yield TerritorySettled(
                    race=subject.race.id, square=require_argument(self.args.square, self.act, "square")
                )
            case Act.RAISE_ARMY if subject.city is not None:
                led = power.price_row is Price.COMMAND_AVATAR
                yield from raise_armies(state, ctx, subject.city, self._count(), led=led)
            case Act.WAR:
                yield from open_war(state, ctx, power.caster, self._order())
            case Act.ALLIANCE:
                yield from ally(ctx, subject.who, self._other())
            case Act.DEED:
                yield DeedRecorded(by=subject.who, words=self._deed_text())

    def forecast(self, state: State, ctx: Context, actor: Actor) -> Forecast:
        """Its price, whom it would ask and what it would change; of a war the odds of its first battle."""
        return forecast_command(state, ctx, actor, self)

    def saying(self, state: State) -> str:
        return f"command {state.title(self.subject(state).who)}: {self.act.replace('_', ' ')}"

    def _at(self) -> At:
        return require_argument(self.args.square, self.act, "square").at

    def _name(self) -> str:
        return require_argument(self.args.name, self.act, "name")

    def _count(self) -> int:
        return 1 if self.args.count is None else self.args.count

    def _order(self) -> WarOrder:
        return WarOrder(require_argument(self.args.target, self.act, "target"), self.args.armies)

    def _other(self) -> UUID:
        return require_argument(self.args.race, self.act, "race")

    def _deed_text(self) -> str:
        return require_argument(self.args.text, self.act, "text")


class CommandRace(Commanding):
    """Direct a race in which you have presence: found a city, settle, go to war, seek an alliance, or do a deed."""

    rules: ClassVar[tuple[str, ...]] = ("DW-CMDR-1", "DW-PRC-2")
    acts: ClassVar[tuple[Act, ...]] = (Act.FOUND_CITY, Act.SETTLE, Act.WAR, Act.ALLIANCE, Act.DEED)

    race: UUID
    """The race."""

    def row(self, state: State) -> Price:
        return Price.COMMAND_RACE

    def subject(self, state: State) -> Subject:
        return as_race(state, state.race(self.race))

    def require_presence(self, state: State, seat: UUID) -> None:
        require_present_in(state, seat, state.races[self.race])

    @classmethod
    def candidates(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        god, price = state.acting(actor), PRICES[Price.COMMAND_RACE][state.course.age - 1]
        absent = [r.id for r in state.living_races() if not present_in(state, god.id, r.id)]
        for race in state.living_races():
            if race.id not in absent:
                for arguments, barred, note in acts_of(state, god.id, as_race(state, race), cls.acts):
                    yield LegalCommand(
                        cls.slug(),
                        {"race": Choices.of((race.id,)), **arguments},
                        price=price,
                        barred=barred,
                        note=note,
                        required=("args",),
                    )
        if absent:
            yield LegalCommand(cls.slug(), {"race": Choices.of(absent)}, price=price, barred=ABSENT)


class CommandCity(Commanding):
    """Direct a city in which you have presence: raise an army, go to war, seek an alliance, settle, or do a deed."""

    rules: ClassVar[tuple[str, ...]] = ("DW-CMDC-1", "DW-CMDC-2", "DW-PRC-2")
    acts: ClassVar[tuple[Act, ...]] = (Act.RAISE_ARMY, Act.WAR, Act.ALLIANCE, Act.SETTLE, Act.DEED)

    city: UUID
    """The city, under any control."""

    def row(self, state: State) -> Price:
        return Price.COMMAND_CITY

    def subject(self, state: State) -> Subject:
        return as_city(state, state.city(self.city))

    def require_presence(self, state: State, seat: UUID) -> None:
        require_present_at(state, seat, state.cities[self.city])

    @classmethod
    def candidates(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        god, price = state.acting(actor), PRICES[Price.COMMAND_CITY][state.course.age - 1]
        cities = sorted(state.cities.values(), key=lambda c: (c.name, c.id))
        absent = [c.id for c in cities if not present_at(state, god.id, c)]
        for city in cities:
            if city.id not in absent:
                for arguments, barred, note in acts_of(state, god.id, as_city(state, city), cls.acts):
                    yield LegalCommand(
                        cls.slug(),
                        {"city": Choices.of((city.id,)), **arguments},
                        price=price,
                        barred=barred,
                        note=note,
                        required=("args",),
                    )
        if absent:
            yield LegalCommand(cls.slug(), {"city": Choices.of(absent)}, price=price, barred=ABSENT)


# -- what is legal --------------------------------------------------------------------------------------------------


def acts_of(
    state: State, caster: UUID, subject: Subject, acts: Iterable[Act], *, led: bool = False
) -> Iterator[tuple[dict[str, Domain], Refused | None, str]]:
    """What a race or a city may be commanded to do, act by act, why not, how it would go. led: through an avatar."""
    for act in acts:
        named: dict[str, Domain] = {"act": Choices.of((act.value,))}
        if act is Act.RAISE_ARMY and subject.city is not None:
            counts, barred = _counts(state, subject.city, led=led)
            yield named | {"args": Fields(counts)}, barred, ""
            continue
        for domains, note in _marches(state, caster, subject) if act is Act.WAR else _domains(state, subject, act):
            yield named | {"args": Fields(domains, required=tuple(domains))}, None, note


def _counts(state: State, city: City, *, led: bool) -> tuple[dict[str, Domain], Refused | None]:
    """How many armies a city may raise now, and why none."""
    try:
        check_raising(state, city, 1, led=led)
    except Refused as barred:
        return {}, barred
    left = most_now(state, city, led=led) - armies_raised_this_round(state, city)
    return {"count": Choices.of(range(1, 1 + (left if led else 1)))}, None


def _marches(state: State, caster: UUID, subject: Subject) -> Iterator[tuple[dict[str, Domain], str]]:
    """Who may march against whom now, and the odds of the first battle with all who may."""
    marching: dict[tuple[UUID, ...], list[Target]] = {}
    armies = own_armies(state, caster, subject.armies)
    for target in targets(state, caster):
        lost = without_path(state, armies, target.square.at)
        marching.setdefault(tuple(a.id for a in armies if a not in lost), []).append(target)
    for able, reached in marching.items():
        for aim, named in aims(state, reached) if able else ():
            yield {"armies": ListOf(Choices.of(able), low=1), "target": aim}, odds_in_words(state, caster, able, named)


def _domains(state: State, subject: Subject, act: Act) -> Iterator[tuple[dict[str, Domain], str]]:
    """What the arguments of an act other than war may be now; nothing where there is nothing for it."""
    match act:
        case Act.FOUND_CITY:
            if squares := founding_squares(state, subject.race):
                yield {"square": squares_domain(squares), "name": FreeText().but(state.names_in(state.cities))}, ""
        case Act.SETTLE:
            if squares := settling_squares(state, subject.race, subject.around):
                yield {"square": squares_domain(squares)}, ""
        case Act.ALLIANCE:
            mine = subject.race.id
            others = [r for r in state.living_races() if r.id != mine and not are_allied(state, subject.who, r.id)]
            if others:
                yield {"race": Choices.of(r.id for r in others)}, ""
        case Act.DEED:
            yield {"text": FreeText(low=1)}, ""
