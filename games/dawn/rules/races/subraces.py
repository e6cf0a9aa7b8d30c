"""Subraces (DW-SUB-1..3): a people that branches off others and inherits some of what they are good at.

After it is created the creators of its parents pick its edges in rotation, one question after the other; silence picks
the oldest edge left. Edges are counted for each parent, those of cities left out; the number is rounded down.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar
from uuid import UUID

from core.names import comparable
from games.dawn.rules.powers.events import PowerAdvanced
from games.dawn.rules.powers.questions import Answers, PowerQuestion
from games.dawn.rules.races.events import EdgePicked
from games.dawn.rules.state.records import Edge, Power
from games.dawn.rules.state.schema_types import Asked, EdgeKind
from games.dawn.rules.state.state import State
from games.engine.audience import reader
from games.engine.kernel import Context, Event
from games.engine.prompts.questions import ask_row

KINDS = tuple(EdgeKind)  # of equal names offensive goes before defensive before other (DW-SUB-3)
PICK = "pick:"


def pool(state: State, parents: Sequence[UUID]) -> list[Edge]:
    """The edges that a subrace of these parents may inherit, oldest first; equal names once (DW-SUB-3)."""
    found: dict[str, Edge] = {}
    for edge in sorted((e for parent in parents for e in state.edges_of(parent)), key=lambda e: (e.given, e.target)):
        before = found.setdefault(comparable(edge.name), edge)
        kind = min(before.kind, edge.kind, key=KINDS.index)
        tags = tuple(sorted({*before.tags, *edge.tags}))
        found[comparable(edge.name)] = replace(before, kind=kind, tags=tags)
    return list(found.values())


def inherited_count(state: State, parents: Sequence[UUID]) -> int:
    """How many edges it inherits: half the mean of its parents' edge counts, rounded down once (DW-SUB-2)."""
    edges = sum(len(state.edges_of(parent)) for parent in parents)
    return min(edges // (2 * len(parents)), len(pool(state, parents)))


def mean_alignment(state: State, parents: Sequence[UUID]) -> int:
    """The mean of the parents' alignments, truncated toward 0 (DW-SUB-1)."""
    total = sum(state.races[parent].alignment for parent in parents)
    return abs(total) // len(parents) * (1 if total > 0 else -1)


def rotation(state: State, parents: Sequence[UUID], caster: UUID) -> list[UUID]:
    """The creators of the parents in the order in which they pick, those who have left too (DW-SUB-3)."""
    creators = {god for parent in parents for god in state.races[parent].creators}
    return sorted(state.in_turn_order(creators), key=lambda god: god != caster)


@dataclass(frozen=True, slots=True)
class Pick(PowerQuestion):
    """One picker chooses one edge of the pool; `pick-edge` answers it, silence takes the oldest."""

    race: UUID
    pool: tuple[Edge, ...]
    """What is left of it, oldest first."""

    kind: ClassVar[Asked] = Asked.PICK

    def answer_event(self, prompt: UUID, seat: UUID, yes: bool) -> None:
        return None

    def is_settled(self, answers: Answers) -> bool:
        return False

    def outcome(self, state: State, ctx: Context, power: Power, answers: Answers) -> Iterator[Event]:
        raise TypeError("an edge is picked, not agreed to")

    def ask(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        """Ask for an edge; for a picker who has left the oldest is taken, as none of them is here (DW-AMB-37)."""
        (picker,) = self.asked
        if state.has_left(picker):
            yield from self.pick_edge(power, picker, self.pool[0])
            return
        yield from ask_row(
            state,
            ctx,
            Asked.PICK,
            power.id,
            owners=[reader(picker)],
            choices=tuple(edge.name for edge in self.pool),
            race=state.title(self.race),
        )

    def pick_edge(self, power: Power, by: UUID, edge: Edge) -> Iterator[Event]:
        """An edge is inherited, and this pick is done."""
        yield EdgePicked(race=self.race, edge=edge.name, kind=edge.kind, tags=edge.tags, given=edge.given, by=by)
        yield PowerAdvanced(power=power.id, settled=self.key)


def picker_of(key: str) -> UUID:
    """Who made the pick with this key."""
    return UUID(key.rsplit(":", 1)[1])
