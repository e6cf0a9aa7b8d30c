"""Races (DW-RACE-*): created alone or jointly, and raised tier by tier.

All who pay a share of a joint creation are creators and own its free order together. Prices are whole points.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dawn.rules.land.shaping import require_fit, squares_domain
from games.dawn.rules.orders.events import OrderCreated
from games.dawn.rules.powers.commands import PowerCommand
from games.dawn.rules.powers.frame import Cast
from games.dawn.rules.powers.questions import Consent, PowerQuestion
from games.dawn.rules.races.events import RaceCreated, RaceUpgraded
from games.dawn.rules.state.constants import HIGHEST_ALIGNMENT, LOWEST_ALIGNMENT, MOST_GODS, PAID, PRICES, TIERS, WATER
from games.dawn.rules.state.records import Power
from games.dawn.rules.state.schema_types import OrderKind, Place, Price, Share, Tier, Value
from games.dawn.rules.state.state import At, State
from games.engine.audience import PUBLIC
from games.engine.economy import purses
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, Fields, FreeText, ListOf, Range
from games.engine.insight.legal_commands import LegalCommand, LegalCommandFilter
from games.engine.kernel import Actor, Context, Event
from games.engine.lifecycle.seating import Name

LONGEST_NAME = 80
MOST_POINTS = 1_000_000


class CoCreator(Value):
    """A god who creates with the caster, and what they pay."""

    seat: UUID
    """The god's seat."""
    share: int = Field(ge=0, le=MOST_POINTS)
    """Points of the price; drawn when all have agreed."""


class CreateRace(PowerCommand):
    """Create a race, alone or with others who pay shares; a free religious order of its creators comes with it."""

    rules: ClassVar[tuple[str, ...]] = ("DW-RACE-1", "DW-RACE-4", "DW-RACE-5")
    joint: ClassVar[bool] = True

    name: Name
    """Its name; no other race has it."""
    home: Place
    """Where it lives; on land."""
    alignment: int = 0
    """0; under the option `free_alignment` -2 to 2."""
    co_creators: tuple[CoCreator, ...] = Field(default=(), max_length=MOST_GODS)
    """Who creates with you, and their shares. You pay the rest, unless you name yourself too."""
    order_name: Name | None = None
    """The name of its order; `Faith of` the race when absent."""

    def row(self, state: State) -> Price:
        return Price.CREATE_RACE

    def own_share(self, state: State, cast: Cast) -> int:
        return self._payments(cast.caster, self.cost(state, cast))[cast.caster]

    def _payments(self, caster: UUID, price: int) -> dict[UUID, int]:
        """What each creator pays, the caster first: the share named for the caster, else the rest."""
        named = {each.seat: each.share for each in self.co_creators}
        return {caster: price - sum(named.values()), **named}

    def _order(self) -> str:
        return self.order_name or f"Faith of {self.name}"[:LONGEST_NAME].rstrip()

    def check(self, state: State, cast: Cast) -> None:
        self.check_again(state, cast)
        self._check_shares(state, cast)

    def check_again(self, state: State, cast: Cast) -> None:
        """Names, alignment and home; the shares have been drawn."""
        state.require_free_name(self.name, state.races)
        state.require_free_name(self._order(), state.orders)
        free = state.course.free_alignment
        if self.alignment and not (free and LOWEST_ALIGNMENT <= self.alignment <= HIGHEST_ALIGNMENT):
            range_ = f"{LOWEST_ALIGNMENT} to {HIGHEST_ALIGNMENT}" if free else "0 at this table"
            raise Refused(
                "alignment.range", f"A race is created with an alignment of {range_}.", rules=("DW-RACE-1", "DW-AMB-46")
            )
        require_fit(state, (), self.home.at)

    def _check_shares(self, state: State, cast: Cast) -> None:
        """Refuse co-creators who are not in the game (`seat.missing`), shares that are not the price."""
        for each in self.co_creators:
            state.god(each.seat)
            if state.has_left(each.seat):
                raise Refused(
                    "seat.missing",
                    f"{state.title(each.seat)} has left; name gods who are in the game.",
                    rules=("DW-RACE-4",),
                )
        price = self.cost(state, cast)
        paid = self._payments(cast.caster, price)
        total, own, have = sum(paid.values()), paid[cast.caster], state.balance(cast.caster)
        rest = cast.caster not in {each.seat for each in self.co_creators}
        twice = len({each.seat for each in self.co_creators}) < len(self.co_creators)
        # Who names others and cannot pay the rest has miscounted their shares: DW-EX-45.
        if twice or total != price or own < 0 or (self.co_creators and rest and own > have):
            raise Refused(
                "shares.mismatch",
                f"The shares must add up to {price}, each god named once; "
                + (f"they leave {own} to you, and you have {have}." if rest else f"these are {total}."),
                rules=("DW-RACE-4",),
                price=price,
                shares=sum(each.share for each in self.co_creators),
                have=have,
            )

    def questions(self, state: State, power: Power) -> Iterable[PowerQuestion]:
        others = [each for each in self.co_creators if each.seat != power.caster]
        yield Consent(
            asked=tuple(state.present(each.seat for each in others)),
            shares=tuple(Share(seat=each.seat, amount=each.share) for each in others),
            what=f"{state.title(power.caster)} would create {self.name} with you.",
        )

    def effect(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        creators = tuple(self._payments(power.caster, power.price))
        race = ctx.mint(PUBLIC)
        yield RaceCreated(
            race=race,
            name=self.name,
            creators=creators,
            home=self.home,
            tier=Tier.MORTAL,
            alignment=self.alignment,
        )
        yield OrderCreated(
            order=ctx.mint(PUBLIC), race=race, kind=OrderKind.RELIGIOUS, name=self._order(), owners=creators
        )

    def saying(self, state: State) -> str:
        return f"create the race {self.name}"

    @classmethod
    def candidates(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        god = state.acting(actor)
        land = _land(state)
        if not land:
            raise Refused("square.unfit", "There is no land for a home yet; shape some.", rules=("DW-RACE-5",))
        free = state.course.free_alignment
        scale = range(LOWEST_ALIGNMENT, HIGHEST_ALIGNMENT + 1) if free else (0,)
        arguments: dict[str, Domain] = {
            "name": FreeText().but(state.names_in(state.races)),
            "home": squares_domain(land),
            "alignment": Choices.of(scale),
            "order_name": FreeText(),
        }
        price = PRICES[Price.CREATE_RACE][state.course.age - 1]
        lacking = max(0, price - state.balance(god.id))
        others = [o.id for o in state.playing() if o.id != god.id and not state.has_left(o.id)]
        if others:
            partner = Fields({"seat": Choices.of(others), "share": Range(low=lacking, high=price)})
            arguments["co_creators"] = ListOf(partner, low=1 if lacking else 0, high=1)
        elif lacking:
            purses.require(state.purses, god.id, price, "Creating a race", rules=PAID)
        needed = ("co_creators",) if lacking else ()
        yield LegalCommand(cls.slug(), arguments, price=price, note=SHARING, required=needed)

    @classmethod
    def matching_legal_commands(cls, state: State, actor: Actor, narrow: LegalCommandFilter) -> Iterator[LegalCommand]:
        homes = squares_domain(_land(state), narrow.page)
        for legal in super().matching_legal_commands(state, actor, narrow):
            yield replace(legal, arguments={**legal.arguments, "home": homes})


SHARING = "Others may pay shares of it, as many gods as you name; who names none pays all."


def _land(state: State) -> list[At]:
    """The squares that are not water: where a race without ships may live."""
    return [at for at, square in state.squares.items() if square.terrain not in WATER]


class UpgradeRace(PowerCommand):
    """Raise a race of yours by one tier: mortal, monstrous, majestic."""

    rules: ClassVar[tuple[str, ...]] = ("DW-RACE-2",)

    race: UUID
    """A race that you created, alone or with others."""

    def row(self, state: State) -> Price:
        return Price.CREATE_RACE

    def check(self, state: State, cast: Cast) -> None:
        race = state.race(self.race)
        if cast.caster not in race.creators:
            raise Refused(
                "creator.missing", f"Only a creator of {race.name} may raise it.", rules=("DW-RACE-2", "DW-AMB-47")
            )
        if race.tier == TIERS[-1]:
            raise Refused(
                "tier.top", f"{race.name} are {race.tier} already; there is no tier above.", rules=("DW-RACE-2",)
            )

    def effect(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        yield RaceUpgraded(race=self.race, tier=TIERS[TIERS.index(state.races[self.race].tier) + 1])

    def saying(self, state: State) -> str:
        return f"raise {state.title(self.race)} by a tier"

    @classmethod
    def candidates(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        god = state.acting(actor)
        own = [race for race in state.living_races() if god.id in race.creators]
        if not own:
            raise Refused("creator.missing", "You have created no race that lives.", rules=("DW-RACE-2", "DW-AMB-47"))
        open_ones = [race.id for race in own if race.tier != TIERS[-1]]
        if not open_ones:
            raise Refused("tier.top", "Each race of yours is majestic already.", rules=("DW-RACE-2",))
        price = PRICES[Price.CREATE_RACE][state.course.age - 1]
        yield LegalCommand(cls.slug(), {"race": Choices.of(open_ones)}, price=price)
