"""The commands of chapter 1 for what the world master plays: people and Monsters."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dietower.rules.actors.events import (
    ActorRevived,
    ActorShown,
    MonsterSaved,
    NpcSaved,
)
from games.dietower.rules.actors.rules import actor_known_to, show
from games.dietower.rules.actors.sheets import require_free_actor_name
from games.dietower.rules.state.constants import MOST_HEALTH, MOST_TEXT
from games.dietower.rules.state.records import Actor
from games.dietower.rules.state.schema_types import (
    ActorKind,
    Condition,
    Step,
    Text,
)
from games.dietower.rules.state.state import State
from games.dietower.rules.state.wording import PLAY
from games.engine.audience import GM
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, Flag, FreeText, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor as CommandActor
from games.engine.kernel import Context, Event, Issuer
from games.engine.lifecycle.seating import Name

MASTER = frozenset({Issuer.GM})
LONGEST_NAME = 80


class SaveNpc(Enumerable[State]):
    """Write of a person that the world master plays; nobody else reads it."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-4", "DT-CHR-8")

    actor: UUID | None = None
    """The person; a new one when absent."""
    name: Name
    """What they are called."""
    weapon: Text = ""
    """What they fight with."""
    weapon_defensive: bool = False
    """Whether that is for defence."""
    power: Text = ""
    """What they can do that others cannot."""
    notes: Text = ""
    """What else the world master notes."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        actor = _master_actor(state, ctx.actor, self.actor, ActorKind.NPC)
        require_free_actor_name(state, ctx.actor, self.name, self.actor)
        yield NpcSaved(
            actor=actor.id if actor is not None else ctx.mint(GM),
            name=self.name,
            weapon=self.weapon,
            weapon_defensive=self.weapon_defensive,
            power=self.power,
            notes=self.notes,
        )
        if actor is not None:
            yield from _rename(state, actor, self.name)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        yield from _offers(cls.slug(), state, ActorKind.NPC, {})


class SaveMonster(Enumerable[State]):
    """Write of a Monster: it has Health, perhaps a weakness, and never places dice."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-CHR-5", "DT-CHR-8")

    actor: UUID | None = None
    """The Monster; a new one when absent."""
    name: Name
    """What it is called."""
    health: int = Field(ge=-1_000_000, le=1_000_000)
    """Hits that it takes: 1 or more."""
    weakness: Text = ""
    """What hurts it twice; empty for none."""
    weapon: Text = ""
    """What it fights with."""
    weapon_defensive: bool = False
    """Whether that is for defence."""
    power: Text = ""
    """What it can do that others cannot."""
    notes: Text = ""
    """What else the world master notes."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        actor = _master_actor(state, ctx.actor, self.actor, ActorKind.MONSTER)
        if not 1 <= self.health <= MOST_HEALTH:
            raise Refused(
                "health.range",
                f"A Monster has 1 to {MOST_HEALTH} Health, not {self.health}.",
                rules=("DT-CHR-5",),
                low=1,
                high=MOST_HEALTH,
            )
        require_free_actor_name(state, ctx.actor, self.name, self.actor)
        yield MonsterSaved(
            actor=actor.id if actor is not None else ctx.mint(GM),
            name=self.name,
            health=self.health,
            weakness=self.weakness,
            weapon=self.weapon,
            weapon_defensive=self.weapon_defensive,
            power=self.power,
            notes=self.notes,
        )
        if actor is not None and actor.condition is Condition.BEATEN:
            yield from show(state, actor)
            yield ActorRevived(actor=actor.id)
        if actor is not None:
            yield from _rename(state, actor, self.name)

    @classmethod
    def legal_commands(cls, state: State, actor: CommandActor) -> Iterator[LegalCommand]:
        more: dict[str, Domain] = {"health": Range(low=1, high=MOST_HEALTH), "weakness": FreeText(high=MOST_TEXT)}
        yield from _offers(cls.slug(), state, ActorKind.MONSTER, more)


def _master_actor(state: State, asker: CommandActor, named: UUID | None, kind: ActorKind) -> Actor | None:
    """Somebody of the world master's; None for a new one. Raises `phase.closed`, `actor.missing`, `target.invalid`."""
    state.require(Step.SETUP, *PLAY, Step.CLOSED)
    if named is None:
        return None
    actor = actor_known_to(state, asker, named)
    if actor.kind is not kind:
        raise Refused("target.invalid", f"{actor.name} is of another kind.", rules=("DT-CHR-5",))
    return actor


def _rename(state: State, actor: Actor, name: str) -> Iterator[Event]:
    """Let everybody learn the new name of somebody who was shown (DT-AMB-52)."""
    if actor.shown and actor.name != name:
        yield ActorShown(actor=actor.id, kind=actor.kind, name=name)


def _offers(slug: str, state: State, kind: ActorKind, more: dict[str, Domain]) -> Iterator[LegalCommand]:
    """Somebody new, or each who is there."""
    state.require(Step.SETUP, *PLAY, Step.CLOSED)
    common: dict[str, Domain] = {
        **more,
        "weapon": FreeText(high=MOST_TEXT),
        "weapon_defensive": Flag(),
        "power": FreeText(high=MOST_TEXT),
        "notes": FreeText(high=MOST_TEXT),
    }
    names = {actor.id: actor.name for actor in state.actors.values()}
    new = FreeText(low=1, high=LONGEST_NAME).but(names.values())
    yield LegalCommand(slug, {"name": new, **common}, note="Somebody new.")
    for there in (actor for actor in state.actors.values() if actor.kind is kind):
        name = FreeText(low=1, high=LONGEST_NAME).but(other for of, other in names.items() if of != there.id)
        yield LegalCommand(slug, {"actor": Choices((there.id,)), "name": name, **common}, required=("actor",))
