"""What a bot knows in one thought: its peoples, their neighbours, and the wars they have to fear.

Everything is read from the state as the seat may see it, and looked up once a thought. Worth and danger are whole
tenths of a unit; wars are judged by the forecast that every seat may ask for.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar
from uuid import UUID

import numpy as np

from games.gods2.rules.bots.tempers import Temper
from games.gods2.rules.declarations.events import waiting
from games.gods2.rules.geometry.placement import ground_of
from games.gods2.rules.geometry.stats import contacts, stat
from games.gods2.rules.state.gods import purse
from games.gods2.rules.state.mana_sources import split_counter
from games.gods2.rules.state.options import CENTURIES
from games.gods2.rules.state.records import God, GodKind, GodStatus, Race, War
from games.gods2.rules.state.shares import Shares, leading_god
from games.gods2.rules.state.state import State
from games.gods2.rules.war.aggression import declarations
from games.gods2.rules.war.battle import Footing, Forecast, footing, outcome
from games.gods2.rules.war.forecast import forecast_of

FACES = 6
CASES = FACES * FACES  # of two dice
FORESIGHT = 6  # centuries that count
SMALL = 8  # units: fewer are a small people, which is left alone
LARGE = 24  # units: more are a people that can bear harm
RICH = 24  # mana: more lies idle
NEIGHBOURS = 2  # among so many, as a rule, an aggressive people draws whom it attacks
TENTHS = 10
FOOTHOLD = 500  # hundredths of a percent: of who holds less, a bot asks for points before it serves its people
AHEAD, BEHIND = 150, 75  # percent of what gods have in the mean: who has more runs away, who has less is left behind
MAINSTAY = 3000  # hundredths of a percent: a people that so far worships who runs away is one of its mainstays
GRUDGE = 25  # percent of the harm to a mainstay of who runs away that counts for everybody else
T = TypeVar("T")


class View:
    """One thought of one bot."""

    def __init__(self, state: State, god: God, temper: Temper) -> None:
        self.state, self.god, self.temper, self.me = state, god, temper, str(god.id)
        self._known: dict[tuple[Any, ...], Any] = {}

    def once(self, key: tuple[Any, ...], look_up: Callable[[], T]) -> T:
        """What is looked up under a key for the first time, and known from then on."""
        if key not in self._known:
            self._known[key] = look_up()
        found: T = self._known[key]
        return found

    @cached_property
    def living(self) -> list[Race]:
        """The living peoples by id."""
        return self.state.living()

    @cached_property
    def shares(self) -> dict[UUID, int]:
        """Its share in each living people that worships it, in hundredths of a percent."""
        held = ((race.id, self.state.shares.get((race.id, self.me))) for race in self.living)
        return {race: share.share for race, share in held if share is not None}

    @cached_property
    def followers(self) -> frozenset[UUID]:
        """The peoples in whose pantheon it has a foothold: these it serves first."""
        return frozenset(race for race, share in self.shares.items() if share >= FOOTHOLD)

    @cached_property
    def flocks(self) -> dict[str, int]:
        """What worships each living god on Earth: units times hundredths of a percent; everybody may count them."""
        gods = (god for god in self.state.gods.values() if god.kind is GodKind.GOD and god.status is GodStatus.ALIVE)
        found = {str(god.id): 0 for god in sorted(gods, key=lambda god: god.id)}
        units = {race.id: self.units(race.id) for race in self.living}
        for (race, member), held in self.state.shares.items():
            if member in found and race in units:
                found[member] += units[race] * held.share
        return found

    def standing(self, member: str) -> int:
        """What a god has of worshippers, in percent of what gods have in the mean; 100 for who is no living god."""
        total, own = self._total, self.flocks.get(member)
        return 100 * own * len(self.flocks) // total if total and own is not None else 100

    @cached_property
    def _total(self) -> int:
        """The flocks of all gods together."""
        return sum(self.flocks.values())

    def is_behind(self, member: str) -> bool:
        """Whether a god is left behind."""
        return self.standing(member) < BEHIND

    @cached_property
    def leader(self) -> str | None:
        """The god who runs away: who has most worshippers of all, and far more than the mean."""
        first = max(self.flocks, key=lambda member: (self.flocks[member], member), default=None)
        return first if first is not None and self.is_ahead(first) else None

    def is_ahead(self, member: str) -> bool:
        """Whether a god has far more worshippers than the mean."""
        return member in self.flocks and self.standing(member) >= AHEAD

    @cached_property
    def is_uneven(self) -> bool:
        """Whether the bot is left behind, or far ahead itself."""
        return self.is_behind(self.me) or self.is_ahead(self.me)

    @cached_property
    def rival(self) -> str | None:
        """The god who runs away, where that is another one."""
        return self.leader if self.leader != self.me else None

    def is_mainstay(self, race: UUID) -> bool:
        """Whether a people is what another god lives on who is far ahead."""
        return race in self._mainstays

    @cached_property
    def _mainstays(self) -> frozenset[UUID]:
        ahead = {member for member in self.flocks if member != self.me and self.is_ahead(member)}
        rows = self.state.shares.items() if ahead else ()
        return frozenset(race for (race, member), held in rows if member in ahead and held.share >= MAINSTAY)

    @cached_property
    def balance(self) -> int:
        """Its mana."""
        return purse(self.state, self.god.id).balance

    @cached_property
    def is_rich(self) -> bool:
        """Whether mana lies idle."""
        return self.balance >= RICH

    @cached_property
    def span(self) -> int:
        """Centuries for which something lasting counts."""
        return max(1, min(FORESIGHT, CENTURIES + 1 - self.state.era.century))

    @cached_property
    def is_cornered(self) -> bool:
        """Whether its last people is small and in danger."""
        return 0 < sum(map(self.units, self.shares)) < SMALL and any(map(self.danger, self.shares))

    @cached_property
    def pending(self) -> list[War]:
        """The declared wars, the earliest first."""
        return sorted(waiting(self.state), key=lambda war: (war.century, war.number))

    @cached_property
    def missionaries(self) -> frozenset[UUID]:
        """The peoples that convert their neighbours to another god than this one."""
        return frozenset(race.id for race in self.living if self._preaches(race))

    def _preaches(self, race: Race) -> bool:
        if not self.state.pack.converting & set(race.knowledges):
            return False
        leader = leading_god(self.state.pantheon(race.id))
        return leader is not None and leader != self.me

    def is_preached_to(self, race: UUID) -> bool:
        """Whether a neighbour converts a people to another god."""
        return any(other in self.missionaries for other in self.contacts(race))

    @cached_property
    def _units(self) -> dict[UUID, int]:
        """The units of every people, counted in one pass over the map; 0 for who stands nowhere."""
        board = self.state.board
        counted = np.bincount(board.owner.ravel() + 1, weights=board.units.ravel(), minlength=len(board.peoples) + 1)
        placed = {race: int(counted[place + 1]) for place, race in enumerate(board.peoples)}
        return {race: placed.get(race, 0) for race in self.state.races}

    def pantheon(self, race: UUID) -> Shares:
        """The shares of the members of a people's pantheon."""
        return self.once(("pantheon", race), lambda: self.state.pantheon(race))

    def units(self, race: UUID) -> int:
        """All units of a people."""
        return self._units[race]

    def contacts(self, race: UUID) -> list[UUID]:
        """The peoples that a people reaches."""
        return self.once(("contacts", race), lambda: contacts(self.state, race))

    def room(self, race: UUID) -> int:
        """How many units more its squares and the free ones beside them hold."""
        return self.once(("room", race), lambda: self._room(race))

    def _room(self, race: UUID) -> int:
        ground = ground_of(self.state, race)
        return int(ground.bounds.sum()) - int(ground.held.sum())

    def is_crowded(self, race: UUID) -> bool:
        """Whether a people starves; of the bot's own also, whether it will when it has grown once more."""
        return self.state.races[race].starved or (race in self.shares and self.room(race) <= self.units(race) // 4)

    def footing(self, race: UUID, role: str) -> Footing:
        """What a people brings into a war."""
        return self.once(("footing", race, role), lambda: footing(self.state, race, role))

    def forecast(self, attacker: UUID, defender: UUID) -> Forecast:
        """How a war between two peoples would end now."""
        return outcome(self.state, self.footing(attacker, "attacker"), self.footing(defender, "defender"))

    def averted_cases(self, attacker: UUID, defender: UUID) -> int:
        """In how many of the cases of two dice diplomacy averts a war between two peoples."""
        return self.once(("averted", attacker, defender), lambda: forecast_of(self.state, attacker, defender).averted)

    def aggression(self, race: UUID) -> int:
        """How aggressive a people is."""
        return self.once(("aggression", race), lambda: stat(self.state, race, "aggression").value)

    def likelihood(self, race: UUID) -> int:
        """In how many of 100 centuries a people attacks one that it reaches."""
        wars = sum(declarations(die, self.aggression(race)) for die in range(1, FACES + 1))
        return min(100, 100 * wars // (FACES * NEIGHBOURS))

    def danger(self, race: UUID) -> int:
        """What a people has to fear from wars in a century, the declared ones included: tenths of a unit."""
        return self.once(("danger", race), lambda: self._danger(race))

    def _danger(self, race: UUID) -> int:
        feared = sum(self.menace(other, race) for other in self.contacts(race))
        declared = {war.attacker for war in self.pending if war.defender == race}
        certain = sum(self.forecast(other, race).defender.losses * TENTHS for other in declared)
        return feared + certain

    def menace(self, attacker: UUID, defender: UUID) -> int:
        """What one people has to fear from another in a century: tenths of a unit."""
        likely = self.likelihood(attacker)
        return self.forecast(attacker, defender).defender.losses * TENTHS * likely // 100 if likely else 0

    def threatens(self, attacker: UUID, defender: UUID) -> bool:
        """Whether one people has something to fear from another: a war that is declared, or likely."""
        declared = any(war.attacker == attacker and war.defender == defender for war in self.pending)
        return declared or self.menace(attacker, defender) > 0

    def pressure(self, race: UUID) -> int:
        """The strength of those who are likely to attack a people, each with its likelihood.

        Of others than the bot's own peoples it is only guessed.
        """
        if race not in self.shares:
            return self.units(race) // 2
        return self.once(
            ("pressure", race),
            lambda: sum(self.footing(o, "attacker").strength * self.likelihood(o) // 100 for o in self.contacts(race)),
        )

    def enmity(self, race: UUID) -> int:
        """Percent of the harm to a people that is a gain to the bot; 0: it is left alone.

        Who threatens one of its own, or converts it to another god, counts whole; the largest peoples by temper, the
        mainstays of who runs away in part for everybody, small ones and its own not at all.
        """
        return self.once(("enmity", race), lambda: self._enmity(race))

    def _enmity(self, race: UUID) -> int:
        if race in self.shares or self.units(race) < SMALL:
            return 0
        if race in self.missionaries and any(race in self.contacts(own) for own in self.shares):
            return 100
        for own in self.shares:
            if race in self.contacts(own) and self.menace(race, own) * TENTHS >= self.units(own) * TENTHS // 2:
                return 100
        if self.units(race) >= LARGE and self.is_mainstay(race):
            return max(GRUDGE, self.temper.spite) * (2 if self.is_rich else 1)
        largest = sorted((self.units(other.id) for other in self.living), reverse=True)[len(self.living) // 3]
        if self.units(race) < max(LARGE, largest):
            return 0
        return self.temper.spite * (2 if self.is_rich else 1)

    def income(self, counter: str, count: int = 1) -> int:
        """What the bot earns when something is counted so often, in tenths of mana.

        counter: a counter with its argument, or the name of all counters of a kind.
        """
        return (
            sum(factor for known, factor in self._factors if counter in (known, split_counter(known)[0])) * count // 10
        )

    @cached_property
    def _factors(self) -> list[tuple[str, int]]:
        """Counter and factor of its sources, in hundredths of mana."""
        sources = self.state.pack.mana_sources
        own = [f for f in self.state.factors.values() if f.seat == self.god.id and f.source in sources]
        return [(sources[f.source].counter, int(f.factor * 100)) for f in own]
