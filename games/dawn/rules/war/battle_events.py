"""A battle as facts: what both sides commit, dice, losses, a city's fall (DW-WAR-5 to 11)."""

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.state.records import Territory
from games.dawn.rules.state.schema_types import BonusSource, Place, Value, WarSide
from games.dawn.rules.state.state import State
from games.engine.audience import Audience, seats
from games.engine.game_state import GameState
from games.engine.kernel import Event
from games.engine.lifecycle.amend import canonical
from games.engine.prompts.sealed import AnswerWritten


class Bonus(Value):
    """A part of a side's bonus."""

    source: BonusSource
    amount: int


class Host(Value):
    """What a side has thrown."""

    dice: tuple[int, ...]
    bonuses: tuple[Bonus, ...]
    total: int
    """Dice and bonuses."""


class BattleRolled(Event[State]):
    """A battle is fought: the higher total wins, a tie is the defender's."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-5", "DW-WAR-6", "DW-WAR-7")

    war: UUID
    battle: int
    attacker: Host
    defender: Host
    winner: WarSide

    def apply(self, state: State) -> None:
        state.wars[self.war] = replace(state.wars[self.war], fought=True)

    def sentence(self, state: State) -> str:
        return f"{self.attacker.total} against {self.defender.total}: the {self.winner} wins."


class ArmiesLost(Event[State]):
    """Armies are no more; who led one lives on in the city it came from."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-7", "DW-WAR-11")

    armies: tuple[UUID, ...]

    def apply(self, state: State) -> None:
        lost = set(self.armies)
        for army in self.armies:
            del state.armies[army]
        for avatar in list(state.avatars.values()):
            if avatar.leads in lost:
                state.avatars[avatar.id] = replace(avatar, leads=None)
        for war in list(state.wars.values()):
            if lost & set(war.armies):
                left = tuple(army for army in war.armies if army not in lost)
                state.wars[war.id] = replace(war, armies=left)

    def sentence(self, state: State) -> str:
        return "1 army is lost." if len(self.armies) == 1 else f"{len(self.armies)} armies are lost."


class CityFell(Event[State]):
    """A city has fallen: the attacker controls it, and all who are left of the march move in."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-10", "DW-WAR-11")

    city: UUID
    controller: UUID
    race: UUID
    """That of the victors; the old one if an avatar alone has won."""
    armies: tuple[UUID, ...]
    avatars: tuple[UUID, ...]
    """Who leads one of the armies, or has conquered alone: they come along."""
    fled: tuple[UUID, ...] = ()
    """The avatars who resided in it."""
    refuge: Place | None = None
    """Where they go; none on a map without free land."""

    def apply(self, state: State) -> None:
        city = replace(state.cities[self.city], controller=self.controller, race=self.race)
        state.cities[self.city] = city
        state.races[self.race] = replace(state.races[self.race], had_city=True)
        state.territory[self.race, city.x, city.y] = Territory(self.race, city.x, city.y)
        for army in self.armies:
            state.armies[army] = replace(state.armies[army], city=self.city)
        for avatar in self.avatars:
            standing = state.avatars[avatar]
            leads = standing.leads if standing.leads in self.armies else None
            state.avatars[avatar] = replace(standing, x=city.x, y=city.y, defending=False, leads=leads)
        x, y = self.refuge.at if self.refuge else (city.x, city.y)
        for avatar in self.fled:
            state.avatars[avatar] = replace(state.avatars[avatar], x=x, y=y, defending=False)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.city)} falls to {state.title(self.controller)}."


class ArmiesCommitted(AnswerWritten[State]):
    """A side has chosen what it commits; it alone knows until both have."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-4",)

    war: UUID
    prompt: UUID
    seat: UUID
    armies: tuple[UUID, ...]
    """Armies, or the avatar who attacks alone; nothing is a retreat."""
    digest: str = ""

    def value(self) -> str:
        return value_of(self.armies)

    def audience(self, state: GameState) -> Audience:
        return seats(self.seat)


def value_of(armies: Iterable[UUID]) -> str:
    """Armies as the canonical JSON that is sealed: a list of ids, in the order in which they were named."""
    return canonical([str(army) for army in armies])


class CommitSealed(Event[State]):
    """A side has committed; reported once, for a change of mind is its secret."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-4",)

    war: UUID
    side: WarSide
    digest: str = ""
    """The commitment to this choice; `ArmiesRevealed` shows what it was made of."""

    def sentence(self, state: State) -> str:
        return f"The {self.side} has chosen."


class Commitment(Value):
    """What a side had sealed, shown with its salt: SHA-256 of `salt:armies`, the ids as canonical JSON, is the digest.

    It is the digest of `CommitSealed`, unless the side thought again.
    """

    side: WarSide
    armies: tuple[UUID, ...]
    """As named; an army that was lost since does not fight."""
    salt: str
    digest: str


class ArmiesRevealed(Event[State]):
    """Both sides have chosen; what they commit is shown together."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-4",)

    war: UUID
    attacker_armies: tuple[UUID, ...]
    """Or the avatar who attacks alone; nothing is a retreat."""
    defender_armies: tuple[UUID, ...]
    commitments: tuple[Commitment, ...] = ()
    """By whom was asked; empty in games from before commitments had a digest."""

    def sentence(self, state: State) -> str:
        return f"{len(self.attacker_armies)} attack, {len(self.defender_armies)} defend."
