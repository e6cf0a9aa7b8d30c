"""The events of chapter 6: encounters, turns, bands."""

from typing import ClassVar
from uuid import UUID

from games.dietower.rules.state.records import Distance, Encounter, Member
from games.dietower.rules.state.schema_types import Band, BandBetween, Step
from games.dietower.rules.state.state import State
from games.dietower.rules.state.wording import remark
from games.engine.kernel import Event
from games.engine.wording import listing


class EncounterOpened(Event[State]):
    """An encounter begins: who takes part, and how far opponents are from each other."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-1", "DT-CMB-12")

    encounter: UUID
    members: tuple[UUID, ...]
    bands: tuple[BandBetween, ...]

    def apply(self, state: State) -> None:
        number = len(state.encounters) + 1
        state.set_course(step=Step.TURN)
        state.encounters[self.encounter] = Encounter(self.encounter, number, state.course.session, ())
        for actor in self.members:
            state.members[actor] = Member(actor, self.encounter)
        for each in self.bands:
            state.distances[each.a, each.b] = Distance(each.a, each.b, each.band)

    def sentence(self, state: State) -> str:
        names = [state.actors[actor].name for actor in self.members]
        return f"An encounter: {listing(names, 'and')}."


class EncounterClosing(Event[State]):
    """The encounter ends as soon as what is open in it is finished."""

    rules: ClassVar[tuple[str, ...]] = ("DT-AMB-56",)

    encounter: UUID
    text: str

    def apply(self, state: State) -> None:
        state.set_encounter(closing=True, closing_text=self.text)

    def sentence(self, state: State) -> str:
        return "The encounter ends with what is open in it."


class EncounterClosed(Event[State]):
    """The encounter is over: `called` by the world master, `empty` without anybody active, or by `silence`."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-1", "DT-CMB-16", "DT-CMB-17")

    encounter: UUID
    reason: str
    text: str = ""

    def apply(self, state: State) -> None:
        state.set_encounter(closed=True, turn=None, order=())
        for actor in list(state.members):
            del state.members[actor]
        for pair in list(state.distances):
            del state.distances[pair]
        state.set_course(step=Step.FREE)

    def sentence(self, state: State) -> str:
        return f"The encounter is over.{remark(self.text)}"


class InitiativeSet(Event[State]):
    """In which order the members act."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-2", "DT-AMB-58")

    order: tuple[UUID, ...]
    reason: str = ""

    def apply(self, state: State) -> None:
        state.set_encounter(order=self.order)

    def sentence(self, state: State) -> str:
        return f"They act in this order: {listing([state.actors[actor].name for actor in self.order], 'then')}."


class MemberJoined(Event[State]):
    """Somebody joins the encounter."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-1", "DT-AMB-58")

    actor: UUID
    after: UUID | None
    band: Band
    """How far from each opponent."""

    def apply(self, state: State) -> None:
        encounter = state.require_encounter()
        opponents = opponents_of(state, self.actor)
        state.members[self.actor] = Member(self.actor, encounter.id)
        for other in opponents:
            pair = pair_of(state, self.actor, other)
            state.distances[pair] = Distance(*pair, self.band)

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name} joins."


class MemberLeft(Event[State]):
    """Somebody leaves the encounter."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-1",)

    actor: UUID

    def apply(self, state: State) -> None:
        del state.members[self.actor]
        for pair in [pair for pair in state.distances if self.actor in pair]:
            del state.distances[pair]

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name} leaves the encounter."


class BandSet(Event[State]):
    """The world master says how far two are from each other."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-12",)

    a: UUID
    b: UUID
    band: Band

    def apply(self, state: State) -> None:
        pair = pair_of(state, self.a, self.b)
        state.distances[pair] = Distance(*pair, self.band)

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.a].name} and {state.actors[self.b].name} are at {self.band} range."


class RoundStarted(Event[State]):
    """A round begins. silent: how many rounds right before it went by in silence."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-2", "DT-CMB-17")

    round: int
    silent: int = 0

    def apply(self, state: State) -> None:
        state.set_encounter(round=self.round, silent_rounds=self.silent, round_silent=True)

    def sentence(self, state: State) -> str:
        return f"Round {self.round}."


class TurnStarted(Event[State]):
    """Somebody's turn begins."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-2", "DT-CMB-3")

    actor: UUID

    def apply(self, state: State) -> None:
        state.set_encounter(turn=self.actor, moved=False, attacked=False, done=False)

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name} acts."


class TurnEnded(Event[State]):
    """Somebody's turn is over. silent: the clock ended it, and nothing was done in it."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-2", "DT-CMB-17")

    actor: UUID
    silent: bool = False

    def apply(self, state: State) -> None:
        encounter = state.require_encounter()
        state.set_encounter(turn=None, last_turn=self.actor, round_silent=encounter.round_silent and self.silent)


class ActorMoved(Event[State]):
    """Somebody comes nearer to an opponent, or goes farther away."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-12", "DT-AMB-14")

    actor: UUID
    target: UUID
    band: Band

    def apply(self, state: State) -> None:
        pair = pair_of(state, self.actor, self.target)
        state.distances[pair] = Distance(*pair, self.band)
        if state.require_encounter().turn == self.actor:
            state.set_encounter(moved=True, done=True)

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name} moves to {self.band} range of {state.actors[self.target].name}."


def pair_of(state: State, one: UUID, other: UUID) -> tuple[UUID, UUID]:
    """Two opponents as their distance names them: the player's character first."""
    return (one, other) if state.actors[one].seat is not None else (other, one)


def opponents_of(state: State, actor: UUID) -> list[UUID]:
    """The members of the other side: characters of players against what the world master plays."""
    own = state.actors[actor].seat is not None
    return [member for member in state.members if (state.actors[member].seat is not None) is not own]
