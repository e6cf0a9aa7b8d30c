"""How an avatar dies, how their god takes revenge, and how they return (DW-AVA-5).

A chapter that kills an avatar yields `AvatarDestroyed`. As soon as nothing else is open their god is asked whether to
open a Divine Conflict; who has won one has the avatar back at the start of their turn in a later round (DW-AMB-32).
"""

from collections.abc import Iterator, Sequence
from uuid import UUID

from games.dawn.rules.conflict.rules import conflict_opening, require_points
from games.dawn.rules.powers.events import DeclinedWithoutPoints, ObjectionWaived
from games.dawn.rules.powers.questions import NO, YES
from games.dawn.rules.revenge.events import AvatarRespawned, RevengeAsked
from games.dawn.rules.state.records import Avatar
from games.dawn.rules.state.schema_types import Asked, Cause, Place
from games.dawn.rules.state.state import State
from games.engine.audience import reader
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import PromptAnswered, close
from games.engine.prompts.questions import ask_row


def revenge_due(state: State) -> bool:
    """Whether the god of a dead avatar is still to be asked."""
    return any(a.avenging for a in state.avatars.values())


def revenge_goes_on(state: State, ctx: Context) -> Iterator[Event]:
    """Ask the next god, in turn order, whether to take revenge for an avatar."""
    dead = {a.id: a for a in state.avatars.values() if a.avenging}
    owners = state.in_turn_order({a.owner for a in dead.values()})
    avatar = min((a for a in dead.values() if a.owner == owners[0]), key=lambda a: a.id)
    if state.has_left(avatar.owner):
        yield RevengeAsked(avatar=avatar.id, seats=())
        return
    if not state.balance(avatar.owner):
        yield DeclinedWithoutPoints(subject=avatar.id, seat=avatar.owner)
        yield RevengeAsked(avatar=avatar.id, seats=())
        return
    killer = state.title(avatar.killed_by)
    yield from ask_row(
        state, ctx, Asked.REVENGE, avatar.id, owners=[reader(avatar.owner)], avatar=avatar.name, killer=killer
    )
    yield RevengeAsked(avatar=avatar.id, seats=(avatar.owner,))


def answer_revenge(state: State, ctx: Context, prompt: Prompt, seat: UUID, yes: bool) -> Iterator[Event]:
    """The avatar's god takes revenge, or lets it pass. Raises `points.short`."""
    if yes:
        require_points(state, seat)
    avatar = _avatar_mourned_in(state, prompt)
    yield PromptAnswered(prompt=prompt.id, owner=reader(seat), answer=YES if yes else NO)
    yield from close(state, prompt.id, "settled")
    if not yes or avatar.killed_by is None:
        yield ObjectionWaived(prompt=prompt.id, seat=seat)
        return
    yield conflict_opening(ctx, Cause.REVENGE, invoker=seat, challenger=avatar.killed_by, about=avatar.id)


def revenge_silent(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    """Silence lets it pass (section 9)."""
    for seat in late:
        yield from answer_revenge(state, ctx, prompt, seat, False)


def _avatar_mourned_in(state: State, prompt: Prompt) -> Avatar:
    if prompt.subject is None:
        raise RuntimeError("revenge for nobody")
    return state.avatars[prompt.subject]


def return_avatars(state: State, seat: UUID) -> Iterator[Event]:
    """At the start of a god's turn: the avatars that the god has won back in an earlier round, free of charge."""
    for avatar in sorted(state.avatars.values(), key=lambda a: a.id):
        if avatar.owner == seat and avatar.returning and avatar.fell_in < state.course.rounds:
            yield AvatarRespawned(avatar=avatar.id, square=Place(x=avatar.x, y=avatar.y))
