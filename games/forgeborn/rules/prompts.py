"""How Forgeborn asks: a question with its window, and a default that one command of the clock takes (section 11)."""

from collections.abc import Collection, Iterator, Sequence
from uuid import UUID

from games.engine.audience import PUBLIC, Audience, Reader
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import Rule, ask
from games.engine.timer import CommandRef
from games.forgeborn.rules.state.options import options_of
from games.forgeborn.rules.state.schema_types import Asked
from games.forgeborn.rules.state.state import State

DEFAULT = "settle-default"
"""The clock's command when a deadline passes (`clock.SettleDefault`)."""
SETUP, TURN = "setup", "turn"
"""The lanes: the map and the Smiths; turns and all that is asked inside them."""


def question(
    state: State,
    ctx: Context,
    kind: Asked,
    text: str,
    *,
    owners: Collection[Reader],
    answered_by: Sequence[str],
    silence: str,
    subject: UUID | None = None,
    rule: Rule = Rule.FIRST,
    sealed: bool = False,
    readers: Audience = PUBLIC,
) -> Iterator[Event]:
    """Ask something, with the window of its kind. What is asked inside a turn makes the clock of the turn stand still.

    silence: what happens when nobody answers, in words.
    """
    prompt = ctx.mint(readers)
    parent = state.question(Asked.TURN)
    yield from ask(
        state,
        ctx,
        kind.value,
        text,
        owners=owners,
        lane=SETUP if kind in (Asked.MAP, Asked.SMITHS) else TURN,
        rule=rule,
        answered_by=answered_by,
        prompt=prompt,
        readers=readers,
        parent=parent,
        subject=subject,
        sealed=sealed,
        due=ctx.now + options_of(state).window(kind),
        default=CommandRef(DEFAULT, f'{{"prompt":"{prompt}"}}'),
        silence=silence,
    )
