"""What all bots look at: who is up, what a question is about, how often they look."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from uuid import UUID

from core.names import comparable
from games.dietower.rules.state.records import Actor
from games.dietower.rules.state.schema_types import ActorKind, Condition
from games.dietower.rules.state.state import State
from games.engine.game_state import Prompt
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor as CommandActor
from games.engine.kernel import Command, Issuer

LOOKS = 2
"""So many times a player's bot looks at the game in the time of an answer; the world master's twice as often."""
SOON_LOOKS = 30
"""So many times where something of its own waits for others."""


def pause(state: State, *, master: bool = False) -> timedelta:
    """When a bot looks again at a game in which nobody asks it anything."""
    return state.window("answer") / (2 * LOOKS if master else LOOKS)


def soon(state: State) -> timedelta:
    """When it looks again at what others finish first: seconds in live play, by post some minutes."""
    return max(state.thinking_time, state.window("answer") / SOON_LOOKS)


def has_turn(state: State, seat: UUID | None) -> bool:
    """Whether it is the turn of somebody of a seat; None: of the world master's."""
    encounter = state.encounter
    actor = state.actors.get(encounter.turn) if encounter is not None and encounter.turn is not None else None
    return actor is not None and actor.seat == seat


def subject_of(prompt: Prompt) -> UUID:
    """What a question is about. Raises RuntimeError where it is about nothing."""
    if prompt.subject is None:
        raise RuntimeError("a question of this game is about something")
    return prompt.subject


def upright(state: State, *kinds: ActorKind) -> list[Actor]:
    """Who of these kinds is up, in a fixed order."""
    found = [a for a in state.actors.values() if a.kind in kinds and a.condition is Condition.ACTIVE]
    return sorted(found, key=lambda a: a.id)


def strikes(state: State, actor: UUID) -> int:
    """How often somebody was struck by a terrible thing."""
    return sum(any(target.actor == actor for target in c.targets) for c in state.consequences.values() if c.written)


def able(state: State, seat: UUID, kind: type[Command], actors: Sequence[Actor]) -> list[Actor]:
    """Those of a seat's characters for whom it may issue a command of this kind now."""
    asker = CommandActor(Issuer.SEAT, seat=seat)
    legal = [each for each in legal_commands_for(state, (kind,), asker) if each.legal]
    return [actor for actor in actors if any(actor.id in each.choices("actor") for each in legal)]


def fresh(lines: Sequence[str], said: Iterable[str]) -> Sequence[str]:
    """Of some lines those that nobody has said yet; all of them where nothing is left."""
    former = set(said)
    return [line for line in lines if line not in former] or lines


def tried(state: State) -> Iterator[str]:
    """What was asked for as a check so far."""
    return (check.intent for check in state.checks.values())


def free_name(state: State, wanted: str) -> str:
    """A name that nobody bears whom the bot knows of: the wanted one, else with a number."""
    taken = {comparable(a.name) for a in state.actors.values()}
    names = (wanted, *(f"{wanted} {number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if comparable(name) not in taken)
