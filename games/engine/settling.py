"""What follows from what: a round of consequences is repeated until nothing more follows."""

from collections.abc import Callable, Iterator

from games.engine.kernel import Event

MAX_ROUNDS = 10_000
"""More than the longest game of one command has; a round that never comes to rest is an error in the rules."""


def _any(_: Event) -> bool:
    return True


def settle_rounds(
    consequences: Callable[[], Iterator[Event]], again: Callable[[Event], bool] = _any
) -> Iterator[Event]:
    """Run rounds of consequences until one yields no event after which there may be more (`again`; any, unless said).

    Raises RuntimeError after `MAX_ROUNDS`.
    """
    for _ in range(MAX_ROUNDS):
        more = False
        for event in consequences():
            more = more or again(event)
            yield event
        if not more:
            return
    raise RuntimeError(f"consequences do not come to rest in {MAX_ROUNDS} rounds")
