"""How the Die Tower game asks: a question with its window, and a default that one command of the clock takes."""

from collections.abc import Collection, Iterator, Sequence
from uuid import UUID

from games.dietower.rules.state.options import options_of
from games.dietower.rules.state.schema_types import Asked, Step
from games.dietower.rules.state.state import State
from games.engine.audience import PUBLIC, Audience, Reader
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import Rule, ask
from games.engine.timer import CommandRef

DEFAULT = "settle-default"
"""The clock's command when a deadline passes (`clock.SettleDefault`)."""
SCENE = "scene"
"""The lane of a turn and of all inside it."""
TOWER = "tower"
"""The lane of placements, terrible things and miracles outside encounters."""


def lane_of(state: State, name: str) -> tuple[str, UUID | None]:
    """The lane of a question and the one it interrupts: the turn, in an encounter; else the named lane (section 8)."""
    turn = state.question(Asked.TURN) if state.course.step is Step.TURN else None
    return (SCENE, turn) if turn is not None else (name, None)


def question(
    state: State,
    ctx: Context,
    kind: Asked,
    text: str,
    *,
    owners: Collection[Reader],
    lane: str,
    answered_by: Sequence[str],
    silence: str,
    subject: UUID,
    readers: Audience = PUBLIC,
    nested: bool = True,
    early: bool = True,
) -> Iterator[Event]:
    """Ask something, with the window of its kind.

    nested: whether it interrupts the turn of an encounter. silence: what happens when nobody answers, in words.
    early: whether a game-master may end its window before its time.
    """
    prompt = ctx.mint(readers)
    own_lane, parent = lane_of(state, lane) if nested else (lane, None)
    yield from ask(
        state,
        ctx,
        kind.value,
        text,
        owners=owners,
        lane=own_lane,
        rule=Rule.FIRST,
        answered_by=answered_by,
        prompt=prompt,
        readers=readers,
        parent=parent,
        subject=subject,
        due=ctx.now + options_of(state).window(kind),
        default=CommandRef(DEFAULT, f'{{"prompt":"{prompt}"}}'),
        silence=silence,
        early=early,
    )
