"""Castings as facts: proposed, answered, carried out, signed (G2-CAST-*, G2-HIST-*)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.audience import Audience, seats
from games.engine.kernel import Event
from games.engine.prompts.standing import AnsweredInAdvance
from games.engine.wording import listing, quantity
from games.gods2.rules.state.audiences import ForSeat
from games.gods2.rules.state.effect_records import Authorship, Deed, Grant, GrantSource, Proposal, Signature
from games.gods2.rules.state.questions import queue_key
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import PartOf, Target, Value

HIST = ("G2-HIST-2", "G2-HIST-3", "G2-HIST-4")


class Wish(Value):
    """What is cast when all have agreed."""

    power: str
    """The power's key in the pack."""
    targets: tuple[Target, ...] = ()
    """What it is aimed at."""
    choice: str = Field(default="", max_length=200)
    """What is chosen where the power leaves a choice."""
    signed: bool = False
    """Whether the public entry of the history names the first caster."""


class CastingProposed(Event[State]):
    """A god wants to cast a power together with others."""

    rules: ClassVar[tuple[str, ...]] = HIST

    casting: UUID
    prompt: UUID
    power: str
    targets: tuple[Target, ...]
    price: int
    parts: tuple[PartOf, ...]
    choice: str = ""
    signed: bool = False

    def audience(self, state: State) -> Audience:
        return casters_of(self.parts)

    def apply(self, state: State) -> None:
        called = state.era.called
        timer = None if called is None else state.timers.get(queue_key(called))
        wish = Wish(power=self.power, targets=self.targets, choice=self.choice, signed=self.signed)
        state.proposals[self.casting] = Proposal(
            id=self.casting,
            power=self.power,
            primary=self.parts[0].seat,
            price=self.price,
            parts=tuple((part.seat, part.amount) for part in self.parts),
            agreed=(self.parts[0].seat,),
            wish=wish.model_dump_json(),
            left=max(0.0, (timer.due - state.now).total_seconds()) if timer is not None and timer.due else 0.0,
            readers=casters_of(self.parts),
        )

    def sentence(self, state: State) -> str:
        power = state.pack.powers[self.power].name
        shares = listing(f"{part.amount} from {state.gods[part.seat].name}" for part in self.parts)
        return f"{power}{on_targets(state, self.targets)} is proposed for {self.price} mana: {shares}."


class CastingAnswered(Event[State]):
    """A partner has said whether they cast with the others."""

    rules: ClassVar[tuple[str, ...]] = HIST

    casting: UUID
    seat: UUID
    yes: bool

    def audience(self, state: State) -> Audience:
        return state.proposals[self.casting].readers

    def apply(self, state: State) -> None:
        here = state.proposals[self.casting]
        agreed = {*here.agreed, self.seat} if self.yes else {*here.agreed} - {self.seat}
        known = tuple(seat for seat, _ in here.parts if seat in agreed)
        state.proposals[self.casting] = replace(here, agreed=known)

    def sentence(self, state: State) -> str:
        return f"{state.gods[self.seat].name} {'joins in' if self.yes else 'does not join in'}."


class CastingWithdrawn(Event[State]):
    """A combined casting does not come about; nobody has paid."""

    rules: ClassVar[tuple[str, ...]] = HIST

    casting: UUID
    reason: str

    def audience(self, state: State) -> Audience:
        return state.proposals[self.casting].readers

    def apply(self, state: State) -> None:
        del state.proposals[self.casting]

    def sentence(self, state: State) -> str:
        return f"The casting is withdrawn: {self.reason}. Nobody pays."


def casters_of(parts: Sequence[PartOf]) -> Audience:
    """Who knows of a combined casting: the casters and the GMs."""
    return seats(*(part.seat for part in parts), gm=True)


class PowerCast(Event[State]):
    """A history power works; who cast it is in an event of its own."""

    rules: ClassVar[tuple[str, ...]] = ("G2-HIST-1", "G2-QUEUE-2")

    casting: UUID
    power: str
    targets: tuple[Target, ...]
    price: int
    """Without what its caster may save for cards (AMB-57)."""

    def sentence(self, state: State) -> str:
        power = state.pack.powers[self.power].name
        return f"{power} is cast{on_targets(state, self.targets)} for {self.price} mana."


class PowerAuthored(Event[State]):
    """Who cast a power."""

    rules: ClassVar[tuple[str, ...]] = ("G2-HIST-2", "G2-HIST-4")

    casting: UUID
    primary: UUID
    seats: tuple[UUID, ...]

    def audience(self, state: State) -> Audience:
        return seats(*self.seats, gm=True)

    def apply(self, state: State) -> None:
        readers = seats(*self.seats, gm=True)
        if self.casting in state.proposals:
            del state.proposals[self.casting]
        state.authorships[self.casting] = Authorship(self.casting, self.primary, self.seats, readers)

    def sentence(self, state: State) -> str:
        return f"This was the work of {listing(state.gods[s].name for s in self.seats)}."


class DeedAuthored(ForSeat[State]):
    """Who caused an entry of the history."""

    rules: ClassVar[tuple[str, ...]] = ("G2-HREC-1",)

    entry: UUID
    seat: UUID

    def apply(self, state: State) -> None:
        state.deeds[self.entry] = Deed(self.entry, self.seat)

    def sentence(self, state: State) -> str:
        return f"{state.gods[self.seat].name} has caused this."


class EntrySigned(Event[State]):
    """The author of an entry has signed it."""

    rules: ClassVar[tuple[str, ...]] = ("G2-HREC-1",)

    entry: UUID
    seat: UUID

    def apply(self, state: State) -> None:
        state.signatures[self.entry] = Signature(self.entry, self.seat)

    def sentence(self, state: State) -> str:
        return f"{state.gods[self.seat].name} has put a name to this deed."


class PowerGranted(ForSeat[State]):
    """A seat may use a power so many times without cards; 0: no more."""

    rules: ClassVar[tuple[str, ...]] = ("G2-HIST-4",)

    seat: UUID
    power: str
    source: GrantSource
    uses: int

    def apply(self, state: State) -> None:
        key = (self.seat, self.power, self.source)
        if self.uses:
            state.grants[key] = Grant(self.seat, self.power, self.source, self.uses)
        elif key in state.grants:
            del state.grants[key]

    def sentence(self, state: State) -> str:
        god, power = state.gods[self.seat].name, state.pack.powers[self.power].name
        often = quantity(self.uses, "time") if self.uses else "no more"
        return f"{god} may use {power} {often} ({self.source} power)."


def on_targets(state: State, targets: Sequence[Target]) -> str:
    """The targets of a casting in words, with a blank before them; nothing for the whole Earth."""
    texts = []
    for target in targets:
        if target.race is not None:
            texts.append(state.races[target.race].name)
        elif target.city is not None and target.city in state.cities:
            city = state.cities[target.city]
            texts.append(city.name or f"the city at {city.square.column}, {city.square.row}")
        elif target.squares:
            texts.append(" and ".join(f"{place.x}, {place.y}" for place in target.squares))
    return f" on {' against '.join(texts)}" if texts else ""


ANSWERS = ("G2-ASK-2",)


class StandingAnswerUsed(AnsweredInAdvance[State]):
    """A question was settled by what a god has said in advance."""

    rules: ClassVar[tuple[str, ...]] = ANSWERS

    def sentence(self, state: State) -> str:
        return f"{state.gods[self.seat].name} has answered this in advance."
