"""How Dawn asks: a question with its window, and a default that one command of the clock takes (section 9)."""

from collections.abc import Collection, Iterator, Sequence
from uuid import UUID

from games.dawn.rules.state.options import window
from games.dawn.rules.state.schema_types import Asked
from games.dawn.rules.state.state import State
from games.engine.audience import PUBLIC, reader
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import Rule, ask
from games.engine.timer import CommandRef

DEFAULT = "take-default"
"""The clock's command when a deadline passes (`clock.TakeDefault`)."""


def question(
    state: State,
    ctx: Context,
    kind: Asked,
    text: str,
    *,
    owners: Collection[UUID],
    lane: str,
    answered_by: Sequence[str],
    silence: str,
    rule: Rule = Rule.FIRST,
    prompt: UUID | None = None,
    parent: UUID | None = None,
    subject: UUID | None = None,
    choices: Sequence[str] = (),
    threshold: int = 0,
    sealed: bool = False,
) -> Iterator[Event]:
    """Ask seats something in public, with the window of its kind."""
    asked = prompt or ctx.mint(PUBLIC)
    yield from ask(
        state,
        ctx,
        kind.value,
        text,
        owners=[reader(seat) for seat in owners],
        lane=lane,
        rule=rule,
        answered_by=answered_by,
        prompt=asked,
        readers=PUBLIC,
        parent=parent,
        subject=subject,
        choices=choices,
        threshold=threshold,
        sealed=sealed,
        due=ctx.now + window(state, kind),
        default=CommandRef(DEFAULT, f'{{"prompt":"{asked}"}}'),
        silence=silence,
    )
