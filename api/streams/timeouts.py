"""A time limit that costs nothing where nobody waits.

`asyncio.timeout` sets an alarm and takes it back each time, which takes longer than to write an event to a reader who
is ready for it. So the work is begun at once, and only where it has to wait an alarm is set.
"""

import asyncio
from collections.abc import Awaitable, Coroutine, Generator
from typing import Any


async def in_time(work: Awaitable[None], seconds: float) -> None:
    """Do something. Raises TimeoutError when it waits for longer than so many seconds."""
    begun = _on_done(work)
    try:
        waits_for = begun.send(None)
    except StopIteration:
        return
    async with asyncio.timeout(seconds):
        await _Rest(begun, waits_for)


async def _on_done(work: Awaitable[None]) -> None:
    await work


class _Rest(Generator[Any, Any, None]):
    """What is left of work that has begun and waits for something: it receives what became of that."""

    def __init__(self, begun: Coroutine[Any, Any, None], waits_for: Any) -> None:
        self.begun, self.first = begun, [waits_for]

    def __await__(self) -> "_Rest":
        return self

    def send(self, value: Any) -> Any:
        """The next thing that is waited for."""
        return self.first.pop() if self.first else self.begun.send(value)

    def throw(self, *thrown: Any) -> Any:
        """The same, after a failure or a cancellation of the last one."""
        return self.begun.throw(*thrown)

    def close(self) -> None:
        """Nothing more is waited for."""
        self.begun.close()
