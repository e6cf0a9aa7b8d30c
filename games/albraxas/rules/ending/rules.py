"""CHECK and the end of the game (AX-END-*)."""

from collections.abc import Iterator
from typing import ClassVar, Literal

from games.albraxas.rules.state.schema_types import Side, Step
from games.albraxas.rules.state.state import State
from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import GameEnded

Reason = Literal["ebb_over_tide", "albraxas_fell", "rebels_fell", "arrived", "conceded", "unplayed"]
WORDS = {
    "ebb_over_tide": "there is more Ebb than Tide",
    "albraxas_fell": "Albraxas has no Backbone left",
    "rebels_fell": "no rebel is left",
    "arrived": "Albraxas has arrived at the Beginning",
    "conceded": "the other side has given up",
    "unplayed": "there is no Albraxas or no rebel",
}

RULES: dict[Reason, str] = {
    "ebb_over_tide": "AX-END-2",
    "albraxas_fell": "AX-END-3",
    "rebels_fell": "AX-END-4",
    "arrived": "AX-END-5",
    "conceded": "AX-END-7",
    "unplayed": "AX-SET-9",
}


class TurnChecked(Event[State]):
    """Total Tide and total Ebb are compared."""

    rules: ClassVar[tuple[str, ...]] = ("AX-END-2",)

    total_tide: int
    total_ebb: int
    counts: bool
    """Whether this CHECK may end the game."""

    def apply(self, state: State) -> None:
        state.set_storm(step=Step.CHECK)

    def sentence(self, state: State) -> str:
        yet = "" if self.counts else "; it cannot end the game yet"
        return f"CHECK: Tide {self.total_tide} and Ebb {self.total_ebb} over all phases{yet}."


class GameFinished(Event[State]):
    """The war is decided, or it is not fought at all."""

    winner: Side | None
    reason: Reason

    def apply(self, state: State) -> None:
        state.set_storm(step=Step.FINISHED, winner=self.winner)

    def cites(self) -> tuple[str, ...]:
        return (RULES[self.reason],)

    def sentence(self, state: State) -> str:
        if self.winner is None:
            return f"Nobody wins: {WORDS[self.reason]}."
        return f"{'The rebels win' if self.winner is Side.REBEL else 'Albraxas wins'}: {WORDS[self.reason]}."


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
