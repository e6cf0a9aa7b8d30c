"""The events of chapter 1: sheets, mysteries, people and Monsters, charts, how somebody is, what is revealed."""

from typing import ClassVar
from uuid import UUID

from games.dietower.rules.state.records import Actor, Brief, Chart, Mystery, Revelation, Sheet, Vitality
from games.dietower.rules.state.schema_types import ActorKind, Condition, Hidden, SheetField
from games.dietower.rules.state.state import State
from games.dietower.rules.state.wording import remark
from games.engine.audience import GM, PUBLIC, Audience, seat_and_gm
from games.engine.kernel import Event
from games.engine.prompts.standing import AnsweredInAdvance
from games.engine.wording import full_sentence

KIND_WORDS = {ActorKind.PC: "a character", ActorKind.NPC: "a person", ActorKind.MONSTER: "a Monster"}


class SheetSaved(Event[State]):
    """The sheet of a player's character was written or changed; it lies on the table."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-1", "DT-CHR-8")

    actor: UUID
    seat: UUID
    name: str
    weapon: str
    weapon_defensive: bool
    power: str
    power_drawback: str
    deviation: str
    good_at: tuple[str, ...]
    notes: str
    complete: bool
    """Whether nothing is missing that play needs."""

    def apply(self, state: State) -> None:
        if self.actor not in state.actors:
            number = len(state.characters_of(self.seat)) + 1
            state.actors[self.actor] = Actor(self.actor, ActorKind.PC, self.name, self.seat, number)
            state.sheets[self.actor] = Sheet(self.actor)
        state.set_actor(self.actor, name=self.name)
        state.set_sheet(
            self.actor,
            weapon=self.weapon,
            weapon_defensive=self.weapon_defensive,
            power=self.power,
            power_drawback=self.power_drawback,
            deviation=self.deviation,
            good_at=self.good_at,
            notes=self.notes,
        )

    def sentence(self, state: State) -> str:
        return f"The sheet of {self.name} is {'complete' if self.complete else 'begun'}."


class MysteryWritten(Event[State]):
    """The mystery of a player's character; a secret one is its player's and the world master's."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-1", "DT-CHR-8")

    actor: UUID
    seat: UUID
    text: str
    secret: bool

    def audience(self, state: State) -> Audience:
        return seat_and_gm(self.seat) if self.secret else PUBLIC

    def apply(self, state: State) -> None:
        state.mysteries[self.actor] = Mystery(self.actor, self.seat, self.text, self.secret)

    def sentence(self, state: State) -> str:
        return f"The mystery of {state.actors[self.actor].name}: {full_sentence(self.text)}" if self.text else ""


class NpcSaved(Event[State]):
    """A person of the world master's was written or changed."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-8",)

    actor: UUID
    name: str
    weapon: str
    weapon_defensive: bool
    power: str
    notes: str

    def audience(self, state: State) -> Audience:
        return GM

    def apply(self, state: State) -> None:
        _save(state, self.actor, ActorKind.NPC, self.name)
        state.briefs[self.actor] = Brief(self.actor, self.weapon, self.weapon_defensive, self.power, self.notes)

    def sentence(self, state: State) -> str:
        return f"{self.name} is written, a person."


class MonsterSaved(Event[State]):
    """A Monster was written or changed."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-5", "DT-CHR-8")

    actor: UUID
    name: str
    health: int
    weakness: str
    weapon: str
    weapon_defensive: bool
    power: str
    notes: str

    def audience(self, state: State) -> Audience:
        return GM

    def apply(self, state: State) -> None:
        _save(state, self.actor, ActorKind.MONSTER, self.name)
        brief = Brief(self.actor, self.weapon, self.weapon_defensive, self.power, self.notes, self.weakness)
        state.briefs[self.actor] = brief
        state.vitalities[self.actor] = Vitality(self.actor, self.health)

    def sentence(self, state: State) -> str:
        return f"{self.name} is written, a Monster of Health {self.health}."


def _save(state: State, actor: UUID, kind: ActorKind, name: str) -> None:
    """Write somebody of the world master's; a shown one is renamed for all by ActorShown (DT-AMB-52)."""
    if actor not in state.actors:
        state.actors[actor] = Actor(actor, kind, name, shown=False)
    elif not state.actors[actor].shown:
        state.set_actor(actor, name=name)


class ActorShown(Event[State]):
    """Everybody learns who somebody is: the name and the kind, nothing else."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-8", "DT-AMB-52")

    actor: UUID
    kind: ActorKind
    name: str

    def apply(self, state: State) -> None:
        state.set_actor(self.actor, shown=True, name=self.name)

    def sentence(self, state: State) -> str:
        return f"{self.name} is seen, {KIND_WORDS[self.kind]}."


class ChartSaved(Event[State]):
    """The world master has written the lines of a chart."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-6",)

    field: SheetField
    lines: tuple[str, ...]

    def apply(self, state: State) -> None:
        state.charts[self.field] = Chart(self.field, self.lines)

    def sentence(self, state: State) -> str:
        return f"There is a chart for {self.field.replace('_', ' ')}, with {len(self.lines)} lines."


class ChartRolled(Event[State]):
    """A line was drawn from a chart; the die has the readers of the field."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-6",)

    actor: UUID
    field: SheetField
    line: int
    """From 1."""
    text: str
    readers: str = PUBLIC

    def audience(self, state: State) -> Audience:
        return Audience(self.readers)

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name} draws for {self.field.replace('_', ' ')}: {full_sentence(self.text)}"


class LevelRaised(Event[State]):
    """The world master has let a character rise by a level; that gives no Wish."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-3",)

    actor: UUID
    level: int
    reason: str

    def apply(self, state: State) -> None:
        state.set_sheet(self.actor, level=self.level)

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name} rises to level {self.level}.{remark(self.reason)}"


class ActorFell(Event[State]):
    """A terrible thing has struck somebody down."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-4", "DT-TWR-4")

    actor: UUID
    text: str

    def apply(self, state: State) -> None:
        state.set_actor(self.actor, condition=Condition.FALLEN, condition_text=self.text)

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name} falls.{remark(self.text)}"


class ActorRevived(Event[State]):
    """Somebody who had fallen is up again."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-4",)

    actor: UUID

    def apply(self, state: State) -> None:
        state.set_actor(self.actor, condition=Condition.ACTIVE, condition_text="")

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name} is up again."


class ActorStateSet(Event[State]):
    """The world master says how somebody is."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-4",)

    actor: UUID
    state: Condition
    text: str
    reason: str

    def apply(self, state: State) -> None:
        words = self.text if self.state is Condition.FALLEN else ""
        state.set_actor(self.actor, condition=self.state, condition_text=words)

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name} is {self.state}.{remark(self.reason)}"


class Revealed(Event[State]):
    """Something hidden of somebody is hidden no more."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-5", "DT-CHR-8")

    actor: UUID
    field: Hidden
    text: str

    def apply(self, state: State) -> None:
        state.revelations[self.actor, self.field] = Revelation(self.actor, self.field, self.text)
        mystery = state.mysteries.get(self.actor)
        if self.field is Hidden.MYSTERY and mystery is not None:
            state.mysteries[self.actor] = Mystery(mystery.actor, mystery.seat, mystery.text, secret=False)

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name}, {self.field}: {full_sentence(self.text)}"


class StandingAnswerUsed(AnsweredInAdvance[State]):
    """A question is answered by what a seat has said in advance. prompt: what would have been asked about."""

    rules: ClassVar[tuple[str, ...]] = ("DT-WSH-7",)

    kind: str

    def sentence(self, state: State) -> str:
        return f"{state.seats[self.seat].name} has said in advance what follows."
