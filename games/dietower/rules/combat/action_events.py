"""The events of chapter 6 for what is done in a turn: attacks, harm, actions that are held."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dietower.rules.state.records import Aim, Attack, Hold
from games.dietower.rules.state.schema_types import ActionKind, Condition, Terms, Uses
from games.dietower.rules.state.state import State
from games.dietower.rules.state.wording import remark
from games.engine.audience import GM, PUBLIC, Audience
from games.engine.kernel import Event
from games.engine.wording import full_sentence, quantity


class AttackDeclared(Event[State]):
    """Somebody attacks."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-5",)

    attack: UUID
    actor: UUID
    target: UUID
    uses: Uses
    hold: UUID | None = None
    """The held action that it is; null for the attack of a turn."""
    trigger: str = ""
    """What that waited for."""

    def apply(self, state: State) -> None:
        state.attacks[self.attack] = Attack(
            self.attack, self.actor, self.target, self.uses, hold=self.hold, trigger=self.trigger
        )
        if state.require_encounter().turn == self.actor:
            state.set_encounter(attacked=True, done=True)

    def sentence(self, state: State) -> str:
        how = "" if self.uses is Uses.NONE else f" with the {self.uses}"
        return f"{state.actors[self.actor].name} attacks {state.actors[self.target].name}{how}."


class DefenceChosen(Event[State]):
    """What the attacked defends with."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-5", "DT-AMB-27")

    attack: UUID
    uses: Uses

    def apply(self, state: State) -> None:
        state.attacks[self.attack] = replace(state.attacks[self.attack], defence=self.uses)

    def sentence(self, state: State) -> str:
        name = state.actors[state.attacks[self.attack].target].name
        return f"{name} defends with {'nothing' if self.uses is Uses.NONE else f'the {self.uses}'}."


class AttackSet(Event[State]):
    """The world master has said how the attack is rolled."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-5", "DT-CMB-13", "DT-CHR-7")

    attack: UUID
    attack_uses: bool
    """Whether what the attacker uses gives its 2d6."""
    defence_uses: bool
    defence: Uses
    attacker: Terms
    defender: Terms

    def apply(self, state: State) -> None:
        state.attacks[self.attack] = replace(state.attacks[self.attack], is_set=True, defence=self.defence)

    def sentence(self, state: State) -> str:
        attack = state.attacks[self.attack]
        return f"The attack of {state.actors[attack.actor].name} on {state.actors[attack.target].name} is rolled."


class WeaknessAimed(Event[State]):
    """Whether an attack is aimed at a weakness; the world master's secret, the same event for every attack."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-8", "DT-AMB-43")

    attack: UUID
    weakness: bool

    def audience(self, state: State) -> Audience:
        return GM

    def apply(self, state: State) -> None:
        state.aims[self.attack] = Aim(self.attack, self.weakness)

    def sentence(self, state: State) -> str:
        return f"It {'is' if self.weakness else 'is not'} aimed at a weakness."


class AttackCalledOff(Event[State]):
    """An attack is not made: it cannot reach, or its attacker is gone. Its action is not used."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-15", "DT-AMB-42")

    attack: UUID
    reason: str

    def apply(self, state: State) -> None:
        attack = state.attacks[self.attack]
        state.attacks[self.attack] = replace(attack, over=True)
        encounter = state.encounter
        if attack.hold is None and encounter is not None and encounter.turn == attack.actor:
            state.set_encounter(attacked=False)

    def sentence(self, state: State) -> str:
        return f"The attack is not made.{remark(self.reason)}"


class AttackHit(Event[State]):
    """An attack hits. weakness: whether it hit one, which everybody learns now."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-7", "DT-CMB-8")

    attack: UUID
    weakness: bool

    def apply(self, state: State) -> None:
        state.attacks[self.attack] = replace(state.attacks[self.attack], over=True, hit=True)

    def sentence(self, state: State) -> str:
        attack = state.attacks[self.attack]
        where = " at its weakness" if self.weakness else ""
        return f"{state.actors[attack.actor].name} hits {state.actors[attack.target].name}{where}."


class AttackMissed(Event[State]):
    """An attack misses."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-7",)

    attack: UUID

    def apply(self, state: State) -> None:
        state.attacks[self.attack] = replace(state.attacks[self.attack], over=True, hit=False)

    def sentence(self, state: State) -> str:
        attack = state.attacks[self.attack]
        return f"{state.actors[attack.actor].name} misses {state.actors[attack.target].name}."


class MonsterHurt(Event[State]):
    """A Monster is hurt; how much Health is left is the world master's to know."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-8",)

    actor: UUID
    amount: int

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name} is hurt{' twice' if self.amount > 1 else ''}."


class HealthChanged(Event[State]):
    """The Health of a Monster; the world master's secret."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-8",)

    actor: UUID
    health: int

    def audience(self, state: State) -> Audience:
        return GM

    def apply(self, state: State) -> None:
        state.vitalities[self.actor] = replace(state.vitalities[self.actor], health=self.health)

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name} has {quantity(self.health, 'Health', 'Health')} left."


class MonsterBeaten(Event[State]):
    """A Monster is beaten."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-8",)

    actor: UUID

    def apply(self, state: State) -> None:
        state.set_actor(self.actor, condition=Condition.BEATEN)

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name} is beaten."


class HoldEvent(Event[State], abstract=True):
    """What happens to an action that is held: public of a PC, the world master's of an NPC or a Monster."""

    hold: UUID

    def audience(self, state: State) -> Audience:
        return GM if state.holds[self.hold].hidden else PUBLIC


class ActionHeld(Event[State]):
    """Somebody holds an action until something happens."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-4",)

    hold: UUID
    actor: UUID
    action: ActionKind
    trigger: str

    def audience(self, state: State) -> Audience:
        return PUBLIC if state.actors[self.actor].seat is not None else GM

    def apply(self, state: State) -> None:
        hidden = state.actors[self.actor].seat is None
        state.holds[self.hold] = Hold(self.hold, self.actor, self.action, self.trigger, hidden)
        if not hidden:  # the row of the encounter is public: what is held in secret counts as nothing done
            state.set_encounter(done=True)

    def sentence(self, state: State) -> str:
        action = "a move" if self.action is ActionKind.MOVE else "an attack"
        return f"{state.actors[self.actor].name} holds {action}: {full_sentence(self.trigger)}"


class HoldTriggered(HoldEvent):
    """What a held action waits for has happened."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-4", "DT-AMB-38")

    def apply(self, state: State) -> None:
        triggered = state.holds[self.hold]
        # Hidden ones are counted apart: the number of a public one says nothing of them.
        alike = (hold.triggered for hold in state.holds.values() if hold.hidden is triggered.hidden)
        state.holds[self.hold] = replace(triggered, triggered=max(alike, default=0) + 1)

    def sentence(self, state: State) -> str:
        hold = state.holds[self.hold]
        return f"What {state.actors[hold.actor].name} waits for is there: {full_sentence(hold.trigger)}"


class HoldKept(HoldEvent):
    """A held action is kept."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-4",)

    def apply(self, state: State) -> None:
        state.holds[self.hold] = replace(state.holds[self.hold], offered=True)

    def sentence(self, state: State) -> str:
        return f"{state.actors[state.holds[self.hold].actor].name} waits on."


class HoldLapsed(HoldEvent):
    """A held action is lost: the next turn has come, or the encounter is over."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-4",)

    def apply(self, state: State) -> None:
        del state.holds[self.hold]


class HoldReleased(Event[State]):
    """A held action is carried out."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-4",)

    hold: UUID
    actor: UUID
    action: ActionKind
    trigger: str

    def apply(self, state: State) -> None:
        del state.holds[self.hold]

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name} acts out of turn."


class HoldReturned(Event[State]):
    """A held attack that was called off is held again; it may be released until it lapses."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-4", "DT-CMB-15")

    hold: UUID
    actor: UUID
    trigger: str

    def audience(self, state: State) -> Audience:
        return PUBLIC if state.actors[self.actor].seat is not None else GM

    def apply(self, state: State) -> None:
        hidden = state.actors[self.actor].seat is None
        triggered = 1 + max((hold.triggered for hold in state.holds.values() if hold.hidden is hidden), default=0)
        state.holds[self.hold] = Hold(
            self.hold, self.actor, ActionKind.ATTACK, self.trigger, hidden, triggered=triggered, offered=True
        )

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name} holds the attack again."
