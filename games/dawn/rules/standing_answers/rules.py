"""What a seat says in advance: leave, objections, and how far it bids (section 9). Its own secret until the end."""

from collections.abc import Iterator
from uuid import UUID

from games.dawn.rules.standing_answers.events import AdvancesShown, Said
from games.dawn.rules.state.schema_types import AdvanceKind, AdvanceWord, Cause
from games.dawn.rules.state.state import State
from games.engine.kernel import Event
from games.engine.prompts.standing import first_word


def reveal_standing_answers(state: State) -> Iterator[Event]:
    """At the game's end: what still stood of it, by seat and kind; nothing where nobody had said anything."""
    standing = [state.advances[key] for key in sorted(state.advances)]
    if standing:
        yield AdvancesShown(
            advances=tuple(
                Said(seat=a.seat, kind=a.kind, about=a.about, answer=a.answer, most=a.most) for a in standing
            )
        )


def standing_answer(state: State, seat: UUID, kind: AdvanceKind, to: UUID) -> bool | None:
    """What a seat has said in advance to a god: always, never, or None: it is asked. A word to that god goes first."""
    advance = first_word(state.advances, [(seat, kind, about) for about in (str(to), "")])
    return None if advance is None or advance.answer is AdvanceWord.ASK else advance.answer is AdvanceWord.ALWAYS


def max_bid(state: State, seat: UUID, cause: Cause) -> int | None:
    """How far a seat has said in advance to bid; None: it is asked. A word on this cause goes first."""
    advance = first_word(state.advances, [(seat, AdvanceKind.MAX_BID, about) for about in (cause.value, "")])
    return advance.most or None if advance is not None else None
