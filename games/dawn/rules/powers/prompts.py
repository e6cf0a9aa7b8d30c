"""How Dawn asks: a question with its window, and a default that one command of the clock takes (section 9)."""

from collections.abc import Collection, Iterator, Sequence
from uuid import UUID

from games.dawn.rules.state.constants import BOT_WAIT
from games.dawn.rules.state.options import window
from games.dawn.rules.state.schema_types import Asked
from games.dawn.rules.state.state import State
from games.engine.audience import PUBLIC, reader
from games.engine.bots import PlayBot, bot_key
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import Rule, ask
from games.engine.timer import CommandRef, TimerSet

DEFAULT = "take-default"
"""The clock's command when a deadline passes (`clock.TakeDefault`)."""


def question(
    state: State,
    ctx: Context,
    kind: Asked,
    words: str,
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
    """Ask seats something in public, with the window of its kind, and wake the bots among them."""
    asked = prompt or ctx.mint(PUBLIC)
    yield from ask(
        state,
        ctx,
        kind.value,
        words,
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
    yield from wake_bots(state, ctx, owners)


def wake_bots(state: State, ctx: Context, seats: Collection[UUID]) -> Iterator[Event]:
    """Let the bots among these seats act soon."""
    for seat in sorted(seats):
        if state.seats[seat].bot:
            yield TimerSet.of(bot_key(seat), ctx.now + BOT_WAIT, PlayBot(seat=seat))
