"""The commands of chapter 6 for those on turn: move, attack, hold, release, end the turn."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dietower.rules.actors.rules import (
    actor_known_to,
    attack_uses,
    defence_uses,
    is_master,
    is_owner,
    own_actor,
)
from games.dietower.rules.combat.action_events import ActionHeld, HoldKept, HoldReleased
from games.dietower.rules.combat.attacks import check_target, check_uses, choose_defence, declare_attack
from games.dietower.rules.combat.events import ActorMoved
from games.dietower.rules.combat.forecast import forecast_attack
from games.dietower.rules.combat.rules import (
    check_move,
    encounter_on_turn,
    end_turn,
    near_bands,
    require_action,
    require_quiet_turn,
)
from games.dietower.rules.state.constants import MOST_TEXT
from games.dietower.rules.state.records import Actor, Attack, Hold
from games.dietower.rules.state.schema_types import ActionKind, Asked, Band, Condition, Step, Uses
from games.dietower.rules.state.state import State
from games.engine.audience import GM, PUBLIC
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, FreeText
from games.engine.insight.forecast import Forecast, Forecastable
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor as CommandActor
from games.engine.kernel import Context, Event, Issuer
from games.engine.prompts.prompt import close

OWN = frozenset({Issuer.SEAT, Issuer.GM})


class MoveActor(Enumerable[State]):
    """Come nearer to an opponent, or go farther away, by one band: the movement of the turn."""

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-3", "DT-CMB-12", "DT-AMB-14")

    actor: UUID | None = None
    """Who moves; may be left out by a seat with one character."""
    target: UUID
    """The opponent."""
    band: Band
    """How far from them afterwards."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        actor = _on_turn(state, ctx.actor, self.actor, ActionKind.MOVE)
        target = actor_known_to(state, ctx.actor, self.target)
        check_move(state, actor.id, target.id, self.band)
        yield ActorMoved(actor=actor.id, target=target.id, band=self.band)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        mover = _on_turn(state, actor, _turn_of(state), ActionKind.MOVE)
        yield from (
            LegalCommand(cls.slug(), each, required=("actor",)) for each in _moves(state, mover.id, "actor", mover.id)
        )


class DeclareAttack(Forecastable[State]):
    """Attack another member: the attack of the turn. A weapon or power gives 2d6 where it applies."""

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-3", "DT-CMB-5", "DT-CMB-14", "DT-CMB-15")

    actor: UUID | None = None
    """Who attacks; may be left out by a seat with one character."""
    target: UUID
    """Whom."""
    uses: Uses
    """What with."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        actor = _on_turn(state, ctx.actor, self.actor, ActionKind.ATTACK)
        check_target(state, actor.id, self.target)
        check_uses(self.uses, attack_uses(state, actor.id))
        yield from declare_attack(state, ctx, actor, self.target, self.uses)

    def forecast(self, state: State, ctx: Context, actor: CommandActor) -> Forecast:
        """The odds of the hit, by what the other may defend with."""
        attacker = _on_turn(state, actor, self.actor, ActionKind.ATTACK)
        check_target(state, attacker.id, self.target)
        check_uses(self.uses, attack_uses(state, attacker.id))
        return forecast_attack(state, attacker.id, self.target, self.uses)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        attacker = _on_turn(state, actor, _turn_of(state), ActionKind.ATTACK)
        targets = _targets(state, attacker.id)
        uses = Choices.of(each.value for each in attack_uses(state, attacker.id))
        if targets.values:
            domains: dict[str, Domain] = {"actor": Choices((attacker.id,)), "target": targets, "uses": uses}
            yield LegalCommand(cls.slug(), domains, required=("actor",))


class ChooseDefence(Enumerable[State]):
    """Say what your character defends with: a defensive weapon, a power, or nothing."""

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-5", "DT-AMB-27")

    attack: UUID
    """The attack."""
    uses: Uses
    """What with."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        attack = self._attack(state, ctx.actor, self.attack)
        check_uses(self.uses, defence_uses(state, attack.target))
        yield from choose_defence(state, ctx, attack, self.uses)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        state.require(Step.TURN)
        for attack in state.attacks.values():
            if state.question(Asked.ATTACK_DEFEND, attack.id) and is_owner(actor, state.actors[attack.target]):
                uses = Choices.of(each.value for each in defence_uses(state, attack.target))
                yield LegalCommand(cls.slug(), {"attack": Choices((attack.id,)), "uses": uses})

    @staticmethod
    def _attack(state: State, asker: CommandActor, attack: UUID) -> Attack:
        """Raises `phase.closed`, `prompt.closed`, `prompt.not_yours`."""
        state.require(Step.TURN)
        found = state.attacks.get(attack)
        if found is None or state.question(Asked.ATTACK_DEFEND, attack) is None:
            raise Refused("prompt.closed", "No such attack waits for a defence.", rules=("DT-CMB-5",))
        if not is_owner(asker, state.actors[found.target]):
            raise Refused("prompt.not_yours", "Another is attacked.", rules=("DT-CMB-5",))
        return found


class HoldAction(Enumerable[State]):
    """Hold an action of the turn until something happens; the world master says when it has."""

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-4", "DT-AMB-38")

    actor: UUID | None = None
    """Who holds it; may be left out by a seat with one character."""
    action: ActionKind
    """Which."""
    trigger: str = Field(min_length=1, max_length=MOST_TEXT)
    """What it waits for."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        actor = _on_turn(state, ctx.actor, self.actor, self.action)
        readers = PUBLIC if actor.seat is not None else GM
        yield ActionHeld(hold=ctx.mint(readers), actor=actor.id, action=self.action, trigger=self.trigger)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        turn = _turn_of(state)
        for action in ActionKind:
            holder = _on_turn(state, actor, turn, action)
            domains = {"actor": Choices((holder.id,)), "action": Choices((action.value,)), "trigger": FreeText(low=1)}
            yield LegalCommand(cls.slug(), domains, required=("actor",))


class ReleaseHold(Enumerable[State]):
    """Carry out a held action, out of turn; of a player's character once it was triggered."""

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-4", "DT-AMB-38", "DT-AMB-55")

    hold: UUID
    """The held action."""
    target: UUID
    """Whom it is about."""
    uses: Uses = Uses.NONE
    """Of an attack: what with."""
    band: Band | None = None
    """Of a move: how far from the target afterwards."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        hold, actor = self._hold(state, ctx.actor, self.hold)
        target = actor_known_to(state, ctx.actor, self.target)
        if hold.action is ActionKind.ATTACK:
            check_target(state, actor.id, target.id)
            check_uses(self.uses, attack_uses(state, actor.id))
        elif self.band is None:
            raise Refused("band.missing", "Say how far from the target it ends.", rules=("DT-CMB-12",))
        else:
            check_move(state, actor.id, target.id, self.band)
        prompt = state.question(Asked.HELD, hold.id)
        if prompt is not None:
            yield from close(state, prompt, "released")
        yield HoldReleased(hold=hold.id, actor=actor.id, action=hold.action, trigger=hold.trigger)
        if self.band is not None and hold.action is ActionKind.MOVE:
            yield ActorMoved(actor=actor.id, target=target.id, band=self.band)
        else:
            yield from declare_attack(state, ctx, actor, target.id, self.uses, hold)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        state.require(Step.TURN)
        for hold in state.holds.values():
            if not is_owner(actor, state.actors[hold.actor]):
                continue
            try:
                cls._hold(state, actor, hold.id)
            except Refused as barred:
                yield LegalCommand(cls.slug(), {"hold": Choices((hold.id,))}, barred=barred)
                continue
            if hold.action is ActionKind.MOVE:
                moves = _moves(state, hold.actor, "hold", hold.id)
                yield from (LegalCommand(cls.slug(), each, required=("band",)) for each in moves)
            elif (targets := _targets(state, hold.actor)).values:
                uses = Choices.of(each.value for each in attack_uses(state, hold.actor))
                yield LegalCommand(cls.slug(), {"hold": Choices((hold.id,)), "target": targets, "uses": uses})

    @staticmethod
    def _hold(state: State, asker: CommandActor, hold: UUID) -> tuple[Hold, Actor]:
        """Raises `phase.closed`, `hold.missing`, `hold.untriggered`, `actor.fallen`, `prompt.open`."""
        state.require(Step.TURN)
        found = _own_hold(state, asker, hold)
        actor = state.actors[found.actor]
        if actor.condition is not Condition.ACTIVE:
            raise Refused("actor.fallen", f"{actor.name} has fallen.", rules=("DT-CMB-14",))
        if not found.hidden and not found.triggered:
            raise Refused(
                "hold.untriggered", "It was not triggered yet; the world master says when.", rules=("DT-CMB-4",)
            )
        if state.question(Asked.HELD, hold) is None:
            require_quiet_turn(state)
        return found, actor


class KeepHold(Enumerable[State]):
    """Keep a held action that was triggered; it may still be released until the next own turn."""

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-4",)

    hold: UUID
    """The held action."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(Step.TURN)
        hold = _own_hold(state, ctx.actor, self.hold)
        prompt = state.question(Asked.HELD, hold.id)
        if prompt is None:
            raise Refused("prompt.closed", "Nobody asks about it now.", rules=("DT-CMB-4",))
        yield HoldKept(hold=hold.id)
        yield from close(state, prompt, "kept")

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        state.require(Step.TURN)
        for hold in state.holds.values():
            if is_owner(actor, state.actors[hold.actor]) and state.question(Asked.HELD, hold.id) is not None:
                yield LegalCommand(cls.slug(), {"hold": Choices((hold.id,))})


class EndTurn(Enumerable[State]):
    """End the turn; the world master may end any."""

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-2", "DT-CMB-3")

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        self._require_turn(state, ctx.actor)
        yield from end_turn(state, ctx)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        cls._require_turn(state, actor)
        yield LegalCommand(cls.slug())

    @staticmethod
    def _require_turn(state: State, asker: CommandActor) -> None:
        state.require(Step.TURN)
        encounter = state.require_encounter()
        turn = state.actors.get(encounter.turn) if encounter.turn is not None else None
        if turn is None or not (is_master(asker) or is_owner(asker, turn)):
            raise Refused("turn.not_yours", "It is another's turn.", rules=("DT-CMB-3",))
        require_quiet_turn(state)


def _turn_of(state: State) -> UUID | None:
    """Whose turn it is. Raises `phase.closed`."""
    state.require(Step.TURN)
    return state.require_encounter().turn


def _on_turn(state: State, asker: CommandActor, named: UUID | None, action: ActionKind) -> Actor:
    """Who acts, on their own turn. Raises what bars the action."""
    state.require(Step.TURN)
    actor = own_actor(state, asker, named)
    if not is_owner(asker, actor):
        raise Refused("actor.not_yours", f"{actor.name} is a player's; act on behalf of the seat.", rules=("DT-CMB-2",))
    encounter = encounter_on_turn(state, actor)
    require_action(state, encounter, actor.id, action)
    return actor


def _own_hold(state: State, asker: CommandActor, hold: UUID) -> Hold:
    """A held action of the asker's. Raises `hold.missing`, also for another's secret."""
    found = state.holds.get(hold)
    if found is None or not is_owner(asker, state.actors[found.actor]):
        raise Refused("hold.missing", "You hold no such action; it was carried out, lost, or another's.")
    return found


def _targets(state: State, actor: UUID) -> Choices:
    """Whom somebody may attack."""
    up = (m for m in state.members if m != actor and state.actors[m].condition is Condition.ACTIVE)
    return Choices.of(up)


def _moves(state: State, actor: UUID, name: str, value: UUID) -> Iterator[dict[str, Domain]]:
    """The moves of somebody, opponent by opponent."""
    for (a, b), distance in state.distances.items():
        if actor in (a, b):
            bands = Choices.of(band.value for band in near_bands(distance.band))
            yield {name: Choices((value,)), "target": Choices((b if a == actor else a,)), "band": bands}
