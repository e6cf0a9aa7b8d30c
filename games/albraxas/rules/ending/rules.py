"""CHECK and the end of the game (AX-END-*)."""

from collections.abc import Iterator

from games.albraxas.rules.ending.events import WORDS, GameFinished, Reason, TurnChecked
from games.albraxas.rules.state.schema_types import Side
from games.albraxas.rules.state.state import State
from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import GameEnded


def finish_game(winner: Side | None, reason: Reason) -> Iterator[Event]:
    """End the game."""
    yield GameFinished(winner=winner, reason=reason)
    yield GameEnded(reason=WORDS[reason])


def check_ending(state: State, *, at_once: bool = False) -> Iterator[Event]:
    """The CHECK at the end of a turn; `at_once` when no rebel is left and one fell: then `check_from` is not regarded.

    Equality is not enough (AX-END-2). It ends the game for the rebels, or for Albraxas when nobody is left (AX-END-4)
    or the turn in phase 2 is over (AX-END-5).
    """
    marks, storm = state.marks(), state.storm
    tide, ebb = sum(marks.tide), sum(marks.ebb)
    counts = at_once or storm.turn >= storm.check_from
    yield TurnChecked(total_tide=tide, total_ebb=ebb, counts=counts)
    if counts and tide < ebb:
        yield from finish_game(Side.REBEL, "ebb_over_tide")
    elif at_once:
        yield from finish_game(Side.ALBRAXAS, "rebels_fell")
    elif storm.turn == storm.phases - 1:
        yield from finish_game(Side.ALBRAXAS, "arrived")


def end_by_fall(state: State, *, somebody_fell: bool) -> Iterator[Event]:
    """The end of a juncture: Albraxas without Backbone, else no rebel left (AX-END-3, AX-END-4)."""
    if state.storm.albraxas is not None and state.characters[state.storm.albraxas].fallen:
        yield from finish_game(Side.REBEL, "albraxas_fell")
    elif somebody_fell and not state.resisting():
        yield from check_ending(state, at_once=True)
