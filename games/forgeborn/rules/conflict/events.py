"""The events of conflicts: declared, described, pooled, rolled, won or failed (FB-CON-1 to 8)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.engine.audience import Audience, seats
from games.engine.kernel import Event
from games.engine.wording import full_sentence, listing
from games.forgeborn.rules.state.records import Action, Pool, SentPool
from games.forgeborn.rules.state.schema_types import Deed, Helping, Size, Stage, Value
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.state.wording import dice_in_words

DEEDS = {
    Deed.BEGIN_ARTIFACT: "forges",
    Deed.RECRUIT_HEROINE: "looks for a Heroine",
    Deed.CONTEST_ARTIFACT: "reaches for what was denied",
    Deed.TAKE_TEST: "takes a test of the Citadel",
    Deed.FACE_DRAGON: "faces the Dragon",
    Deed.EXPLORE_RUINS: "explores the Ruins",
    Deed.ASSIST_VILLAGE: "comes to the Village's help",
    Deed.BESEECH_PRINCE: "beseeches the Prince",
}
THREATENED = (Deed.EXPLORE_RUINS, Deed.ASSIST_VILLAGE)
"""Where what the game-master describes stays with the place (FB-AMB-59)."""


class Helper(Value):
    """A Smith who rolls with a maker."""

    seat: UUID
    free: tuple[Size, ...]
    sacrifice: tuple[Size, ...]


class ActionDeclared(Event[State]):
    """A character begins a conflict or a recruiting."""

    rules: ClassVar[tuple[str, ...]] = ("FB-CON-7",)

    conflict: UUID
    """Its id."""
    seat: UUID
    character: UUID
    action: Deed
    place: UUID
    artifact: UUID | None = None
    """The artifact of the Vault that it is about."""
    power: int | None = None
    """The d12 that roll against it; none in a recruiting."""
    name: str = ""
    """What the Heroine shall be called."""
    text: str = ""
    """Who she is."""

    def apply(self, state: State) -> None:
        state.actions[self.conflict] = Action(
            id=self.conflict,
            kind=self.action,
            seat=self.seat,
            character=self.character,
            place=self.place,
            artifact=self.artifact,
            power=self.power,
            name=self.name,
            text=self.text,
        )

    def sentence(self, state: State) -> str:
        what = f"{state.characters[self.character].name} {DEEDS[self.action]}"
        artifact = f": {state.artifacts[self.artifact].name}" if self.artifact is not None else ""
        return f"{what}{artifact}{f', Power {self.power}' if self.power is not None else ''}."


class PoolSent(Event[State]):
    """A pool, or what a failure shall bring, was sent along; its seat alone reads it until it is used (FB-CON-8)."""

    rules: ClassVar[tuple[str, ...]] = ("FB-CON-8", "FB-AMB-44")

    conflict: UUID
    seat: UUID
    has_pool: bool
    free: tuple[Size, ...] = ()
    sacrifice: tuple[Size, ...] = ()
    artifacts: tuple[Helping, ...] = ()
    text: str = ""
    has_gain: bool = False
    raised: Size | None = None
    """The die that a failure raises; none for a d4."""

    def audience(self, state: State) -> Audience:
        return seats(self.seat)

    def apply(self, state: State) -> None:
        state.sent_pools[self.conflict] = SentPool(
            action=self.conflict,
            seat=self.seat,
            has_pool=self.has_pool,
            free=self.free,
            sacrifice=self.sacrifice,
            artifacts=self.artifacts,
            text=self.text,
            has_gain=self.has_gain,
            raised=self.raised,
        )


class DangerDescribed(Event[State]):
    """The game-master describes what threatens; no number changes (FB-GM-1)."""

    rules: ClassVar[tuple[str, ...]] = ("FB-CON-7", "FB-GM-2", "FB-AMB-59")

    text: str

    def apply(self, state: State) -> None:
        action = state.require_action()
        state.set_action(danger=self.text)
        if action.kind in THREATENED:
            state.set_place(action.place, threat=self.text)

    def sentence(self, state: State) -> str:
        return full_sentence(self.text)


class PoolChosen(Event[State]):
    """The dice of a roll are on the table."""

    rules: ClassVar[tuple[str, ...]] = ("FB-CON-1", "FB-CON-2", "FB-CON-7")

    character: UUID
    free: tuple[Size, ...]
    sacrifice: tuple[Size, ...]
    artifacts: tuple[Helping, ...]
    text: str = ""

    def apply(self, state: State) -> None:
        action = state.require_action()
        former = state.pools.get(action.id)
        state.pools[action.id] = Pool(
            action=action.id,
            free=self.free,
            sacrifice=self.sacrifice,
            artifacts=self.artifacts,
            text=self.text,
            refused=former.refused if former is not None else (),
        )
        state.set_action(stage=Stage.POOLED)

    def sentence(self, state: State) -> str:
        words = [f"{state.characters[self.character].name} rolls {dice_in_words(self.free)}"]
        if self.sacrifice:
            words.append(f"and risks {dice_in_words(self.sacrifice)}")
        if self.artifacts:
            words.append(f"with {listing([state.artifacts[each.artifact].name for each in self.artifacts], 'and')}")
        return f"{' '.join(words)}. {full_sentence(self.text)}".strip()


class ArtifactsRuled(Event[State]):
    """The game-master says which of the named artifacts do not help."""

    rules: ClassVar[tuple[str, ...]] = ("FB-CON-7", "FB-GM-2", "FB-AMB-32")

    refused: tuple[UUID, ...]
    reason: str = ""

    def apply(self, state: State) -> None:
        action = state.require_action()
        state.pools[action.id] = replace(state.pools[action.id], refused=self.refused)
        if self.refused:
            state.set_action(stage=Stage.REFUSED)

    def sentence(self, state: State) -> str:
        if not self.refused:
            return "All artifacts help."
        names = listing([state.artifacts[each].name for each in self.refused], "and")
        return f"{names} cannot help here: {full_sentence(self.reason)}"


class SteppedBack(Event[State]):
    """A player steps back; the action is used, and nothing is won or lost."""

    rules: ClassVar[tuple[str, ...]] = ("FB-CON-7", "FB-AMB-33")

    character: UUID

    def sentence(self, state: State) -> str:
        return f"{state.characters[self.character].name} steps back."


class PoolRolled(Event[State]):
    """The dice of a conflict, a creation or a recruiting have fallen: free ones, Sacrifices, artifacts', helpers'."""

    rules: ClassVar[tuple[str, ...]] = ("FB-CON-3",)

    character: UUID
    free: tuple[Size, ...]
    sacrifice: tuple[Size, ...] = ()
    artifacts: tuple[UUID, ...] = ()
    """In the order in which their dice fell."""
    helpers: tuple[Helper, ...] = ()
    """Who rolled with the maker, in the order in which their dice fell."""
    total: int

    def apply(self, state: State) -> None:
        action = state.require_action()
        if action.id not in state.pools:
            state.pools[action.id] = Pool(action.id, self.free, self.sacrifice, ())
        for helper in self.helpers:
            offer = state.offers[action.id, helper.seat]
            state.offers[action.id, helper.seat] = replace(offer, is_accepted=True)
        state.set_action(total=self.total, stage=Stage.ROLLED)

    def sentence(self, state: State) -> str:
        names = [state.seat_name(helper.seat) for helper in self.helpers]
        help_ = f", with the help of {listing(names, 'and')}," if names else ""
        return f"The dice of {state.characters[self.character].name}{help_} come to {self.total}."


class OppositionRolled(Event[State]):
    """The d12 against a conflict have fallen."""

    rules: ClassVar[tuple[str, ...]] = ("FB-CON-3",)

    power: int
    total: int

    def apply(self, state: State) -> None:
        state.set_action(against=self.total)

    def sentence(self, state: State) -> str:
        return f"Against them {self.power}d12 come to {self.total}."


class ConflictWon(Event[State]):
    """A conflict is won; its Sacrifices are lost."""

    rules: ClassVar[tuple[str, ...]] = ("FB-CON-3", "FB-CON-4")

    character: UUID
    action: Deed
    total: int
    against: int

    def apply(self, state: State) -> None:
        state.set_action(is_won=True)

    def sentence(self, state: State) -> str:
        return f"{state.characters[self.character].name} prevails, {self.total} to {self.against}."


class ConflictFailed(Event[State]):
    """A conflict has failed; no Sacrifice is lost, and the character learns from it."""

    rules: ClassVar[tuple[str, ...]] = ("FB-CON-3", "FB-CON-4", "FB-CON-5")

    character: UUID
    action: Deed
    total: int
    against: int

    def apply(self, state: State) -> None:
        state.set_action(is_won=False, stage=Stage.FAILED)

    def sentence(self, state: State) -> str:
        return f"{state.characters[self.character].name} fails, {self.total} to {self.against}."


class RuinsSpent(Event[State]):
    """Ruins are explored: a mere place from now on."""

    rules: ClassVar[tuple[str, ...]] = ("FB-RUI-1",)

    place: UUID

    def apply(self, state: State) -> None:
        state.set_place(self.place, is_spent=True, threat="")

    def sentence(self, state: State) -> str:
        return f"{state.places[self.place].name}: nothing is hidden there any more."


class RuinsFound(Event[State]):
    """New Ruins lie on the map, with a Trail."""

    rules: ClassVar[tuple[str, ...]] = ("FB-RUI-2", "FB-AMB-26", "FB-AMB-29")

    place: UUID
    number: int
    name: str
    die: str
    power: int
    x: int
    y: int
    neighbour: UUID
    """Where its Trail leads."""

    def apply(self, state: State) -> None:
        state.add_ruins(self.place, self.number, self.name, self.die, self.power, self.x, self.y, self.neighbour)

    def sentence(self, state: State) -> str:
        return f"New Ruins are known, Power {self.power}, by a Trail from {state.places[self.neighbour].name}."


class ProblemSet(Event[State]):
    """The next problem of a Village, the same for everybody."""

    rules: ClassVar[tuple[str, ...]] = ("FB-VIL-1", "FB-AMB-20")

    place: UUID
    power: int

    def apply(self, state: State) -> None:
        state.set_place(self.place, power=self.power, threat="")

    def sentence(self, state: State) -> str:
        return f"{state.places[self.place].name} has its next problem, Power {self.power}."


class DragonSlain(Event[State]):
    """The Dragon has fallen; the Lair has no further use."""

    rules: ClassVar[tuple[str, ...]] = ("FB-DRG-1",)

    seat: UUID
    character: UUID
    power: int

    def apply(self, state: State) -> None:
        state.set_course(slayer=self.seat)

    def sentence(self, state: State) -> str:
        return f"{state.characters[self.character].name} slays the Dragon."


class PrinceSwayed(Event[State]):
    """A player has the Prince's ear for good."""

    rules: ClassVar[tuple[str, ...]] = ("FB-PRI-1",)

    seat: UUID

    def apply(self, state: State) -> None:
        state.set_purse(self.seat, is_swayed=True)

    def sentence(self, state: State) -> str:
        return f"The Prince listens to {state.seat_name(self.seat)}."
