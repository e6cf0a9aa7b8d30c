"""The commands of chapter 6 for rulings inside a turn: the terms of attacks, and triggers."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from games.dietower.rules.actors.rules import defence_uses
from games.dietower.rules.checks.domains import terms_domain
from games.dietower.rules.checks.rules import require_hindrance
from games.dietower.rules.combat.action_events import HoldTriggered
from games.dietower.rules.combat.attacks import Sides, call_off, check_uses, set_attack, usual_defence
from games.dietower.rules.combat.forecast import forecast_terms
from games.dietower.rules.state.constants import MOST_TEXT
from games.dietower.rules.state.records import Attack
from games.dietower.rules.state.schema_types import (
    ActorKind,
    Asked,
    Step,
    Terms,
    Text,
    Uses,
)
from games.dietower.rules.state.state import State
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, Flag, FreeText
from games.engine.insight.forecast import Forecast, Forecastable
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor as CommandActor
from games.engine.kernel import Context, Event, Issuer

MASTER = frozenset({Issuer.GM})


class SetAttack(Forecastable[State]):
    """Say how an attack is rolled, or call it off; the dice of both sides follow."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-5", "DT-CMB-8", "DT-CMB-13", "DT-CMB-15", "DT-CHR-7")

    attack: UUID
    """The attack."""
    possible: bool = True
    """Whether it can reach at all; false calls it off."""
    attack_uses: bool = True
    """Whether what the attacker uses gives its 2d6."""
    defence_uses: bool = True
    """Whether what the defender uses does."""
    defence: Uses | None = None
    """What an NPC or a Monster defends with."""
    weakness: bool = False
    """Whether it is aimed at a weakness of a Monster; only the world master knows until it hits."""
    attacker: Terms = Terms()
    """Advantage, edge and hindrance of the attacker."""
    defender: Terms = Terms()
    """The same of the defender."""
    reason: Text = ""
    """Why it is called off."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(Step.TURN)
        attack = _waiting_attack(state, self.attack)
        if not self.possible:
            yield from call_off(state, ctx, attack, self.reason)
            return
        yield from set_attack(state, ctx, attack, self._sides(state, attack), weakness=self.weakness)

    def forecast(self, state: State, ctx: Context, actor: CommandActor) -> Forecast:
        """The odds of the attack as it would be set."""
        state.require(Step.TURN)
        attack = _waiting_attack(state, self.attack)
        return forecast_terms(state, attack, self._sides(state, attack))

    def _sides(self, state: State, attack: Attack) -> Sides:
        """What both sides roll with. Raises `target.invalid`, `uses.invalid`, `hindrance.missing`."""
        defender = state.actors[attack.target]
        if self.weakness and defender.kind is not ActorKind.MONSTER:
            raise Refused("target.invalid", "Monsters alone have weaknesses.", rules=("DT-CMB-8",))
        if self.defence is not None:
            possible = defence_uses(state, defender.id) if defender.seat is None else []
            check_uses(self.defence, possible)
        require_hindrance(state, attack.actor, self.attacker)
        require_hindrance(state, attack.target, self.defender)
        return Sides(
            attack_uses=self.attack_uses,
            defence_uses=self.defence_uses,
            defence=self.defence or attack.defence or usual_defence(state, defender.id),
            attacker=self.attacker,
            defender=self.defender,
        )

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        state.require(Step.TURN)
        for attack in state.attacks.values():
            if state.question(Asked.ATTACK_SET, attack.id) is None:
                continue
            defender = state.actors[attack.target]
            domains: dict[str, Domain] = {
                "attack": Choices((attack.id,)),
                "possible": Flag(),
                "attack_uses": Flag(),
                "defence_uses": Flag(),
                "attacker": terms_domain(state, attack.actor),
                "defender": terms_domain(state, attack.target),
                "reason": FreeText(high=MOST_TEXT),
            }
            if defender.seat is None:
                domains["defence"] = Choices.of(each.value for each in defence_uses(state, defender.id))
            if defender.kind is ActorKind.MONSTER:
                domains["weakness"] = Flag()
            yield LegalCommand(cls.slug(), domains)


class TriggerHold(Enumerable[State]):
    """Say that what a held action waits for has happened; its holder is asked as soon as nothing else is open."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-4", "DT-AMB-38")

    hold: UUID
    """The held action."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(Step.TURN)
        hold = state.holds.get(self.hold)
        if hold is None:
            raise Refused("hold.missing", "Nobody holds such an action.", rules=("DT-CMB-4",))
        if hold.triggered:
            raise Refused("hold.triggered", "It was triggered already.", rules=("DT-CMB-4",))
        yield HoldTriggered(hold=hold.id)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        state.require(Step.TURN)
        for hold in state.holds.values():
            if not hold.triggered:
                yield LegalCommand(cls.slug(), {"hold": Choices((hold.id,))})


def _waiting_attack(state: State, attack: UUID) -> Attack:
    """An attack that waits for its terms. Raises `prompt.closed`."""
    found = state.attacks.get(attack)
    if found is None or state.question(Asked.ATTACK_SET, attack) is None:
        raise Refused(
            "prompt.closed", "No such attack waits: set, called off, or not defended yet.", rules=("DT-CMB-5",)
        )
    return found
