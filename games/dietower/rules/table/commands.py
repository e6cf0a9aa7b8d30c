"""The commands of chapter 0: numbers, sessions, the end of scene and game, answers in advance, leaving."""

from collections.abc import Iterator
from typing import ClassVar, Literal
from uuid import UUID

from pydantic import Field

from games.dietower.rules.checks.rules import CLOSE, CLOSE_WHEN_EMPTY, STANDING_WINDOW
from games.dietower.rules.state.constants import (
    LEAST_HALF_WIDTH,
    MOST_CHARACTERS,
    MOST_HALF_WIDTH,
    MOST_IDLE_ROUNDS,
    MOST_SEATS,
    MOST_TEXT,
)
from games.dietower.rules.state.schema_types import CheckStatus, Mode, Step, Text, Until, Uses
from games.dietower.rules.state.state import State
from games.dietower.rules.table.events import GameConfigured, GameFinished, SceneEnded, SeatLeft
from games.dietower.rules.table.rules import (
    close_session,
    open_session,
    settle_left_seat,
)
from games.dietower.rules.tower.rules import AT_ONCE, STANDING_PLACE, end_bonuses, is_held_up, valid_half_width
from games.engine.errors import Refused
from games.engine.game_state import Role, Seat
from games.engine.insight.domains import Choices, Domain, FreeText, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.lifecycle import leaving
from games.engine.lifecycle.gm_commands import CONDUCTORS, GameEnded
from games.engine.prompts.standing import StandingAnswerSet
from games.engine.wording import phrase

MASTER = frozenset({Issuer.GM})
OWN = frozenset({Issuer.SEAT, Issuer.GM})
ASK = "ask"
STANDING_DEFEND = "defend"
ANSWERS: dict[str, tuple[str, ...]] = {
    STANDING_PLACE: (AT_ONCE, ASK),
    STANDING_WINDOW: (CLOSE, CLOSE_WHEN_EMPTY, ASK),
    STANDING_DEFEND: (*(uses.value for uses in Uses), ASK),
}
"""What may be said in advance, by kind (DT-WSH-7)."""
END_RULES = ("DT-TBL-3",)
BETWEEN = (Step.SETUP, Step.CLOSED)


class ConfigureGame(Enumerable[State]):
    """Settle how many players there are at most, how many characters each, and how long an encounter stays silent."""

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS
    rules: ClassVar[tuple[str, ...]] = ("DT-TBL-1", "DT-TBL-5", "DT-CMB-17")

    seats: int = Field(le=1_000_000)
    """1 to 12, and no fewer than are taken."""
    characters: int = Field(le=1_000_000)
    """1 to 4, and no fewer than a seat has."""
    idle_rounds: int = Field(le=1_000_000)
    """1 to 10."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(Step.SETUP)
        for name, (low, high) in self._ranges(state).items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise Refused(
                    "config.range",
                    f"{name.replace('_', ' ').capitalize()}: {low} to {high}, not {value}.",
                    rules=self.rules,
                    low=low,
                    high=high,
                )
        yield GameConfigured(seats=self.seats, characters=self.characters, idle_rounds=self.idle_rounds)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Step.SETUP)
        domains: dict[str, Domain] = {name: Range(low, high) for name, (low, high) in cls._ranges(state).items()}
        yield LegalCommand(cls.slug(), domains)

    @staticmethod
    def _ranges(state: State) -> dict[str, tuple[int, int]]:
        players = state.players()
        most = max((len(state.characters_of(seat.id)) for seat in players), default=1)
        return {
            "seats": (max(1, len(players)), MOST_SEATS),
            "characters": (max(1, most), MOST_CHARACTERS),
            "idle_rounds": (1, MOST_IDLE_ROUNDS),
        }


class OpenSession(Enumerable[State]):
    """Open the next session; the first ends the set-up. A tower of another kind takes the old one down."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-TBL-2", "DT-TWR-7")

    mode: Mode | None = None
    """A real tower or a simulated one; as it was when absent."""
    half_width: int | None = Field(default=None, ge=0, le=1_000)
    """How steady a simulated one is: 5 to 8; as it was when absent."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*BETWEEN)
        yield from open_session(state, self.mode, valid_half_width(self.half_width))

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*BETWEEN)
        state.require_ready()
        half_width = Range(low=LEAST_HALF_WIDTH, high=MOST_HALF_WIDTH)
        yield LegalCommand(cls.slug(), {"mode": Choices.of(mode.value for mode in Mode), "half_width": half_width})


class CloseSession(Enumerable[State]):
    """Close the session; sheets, tower and Wishes stay as they are."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-TBL-2", "DT-AMB-54")

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        _require_quiet(state)
        yield from close_session(state)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        _require_quiet(state)
        yield LegalCommand(cls.slug())


class FinishGame(Enumerable[State]):
    """End the game between two sessions; the secret of the dice is shown."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-TBL-3", "DT-AMB-45")

    text: Text = ""
    """How it ended."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(Step.CLOSED)
        yield GameFinished(sessions=state.course.session, text=self.text)
        yield GameEnded(reason="the world master ends it")

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Step.CLOSED)
        yield LegalCommand(cls.slug(), {"text": FreeText(high=MOST_TEXT)}, quits=True)


class EndScene(Enumerable[State]):
    """End the scene: the dice of miracles that lasted so long are used up."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-5",)

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        self._require_scene(state)
        yield from end_bonuses(state, Until.SCENE)
        yield SceneEnded()

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        cls._require_scene(state)
        yield LegalCommand(cls.slug())

    @staticmethod
    def _require_scene(state: State) -> None:
        _require_no_encounter(state)
        state.require(Step.FREE)


class SetStandingAnswer(Enumerable[State]):
    """Say in advance that your dice are placed at once, that you buy no dice, or what you defend with.

    `ask` takes it back. An answer that would be refused is not used: you are asked.
    """

    issuers: ClassVar[frozenset[Issuer]] = OWN
    rules: ClassVar[tuple[str, ...]] = ("DT-WSH-7", "DT-AMB-49")

    kind: Literal["place", "window", "defend"]
    """Which question."""
    answer: str = Field(max_length=40)
    """place: at_once; window: close, close_when_empty; defend: weapon, power, none; or ask."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        seat = self._seat(state, ctx.actor)
        possible = answers_of(seat, self.kind)
        if self.answer not in possible:
            raise Refused(
                "answer.invalid",
                f"To {self.kind} you may say {', '.join(map(phrase, possible)) or 'nothing in advance'}.",
                rules=("DT-WSH-7",),
                answers=list(possible),
            )
        yield StandingAnswerSet(seat=seat.id, kind=self.kind, answer="" if self.answer == ASK else self.answer)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        seat = cls._seat(state, actor)
        for kind in ANSWERS:
            if possible := answers_of(seat, kind):
                yield LegalCommand(cls.slug(), {"kind": Choices((kind,)), "answer": Choices.of(possible)})

    @staticmethod
    def _seat(state: State, asker: Actor) -> Seat:
        state.require_unfinished(END_RULES)
        return state.seat(asker.acting_seat)


class LeaveSeat(leaving.LeaveSeat[State]):
    """Leave the table: what your characters owe goes by the defaults; the seat is free for another."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TBL-4", "DT-CHK-15", "DT-AMB-53")
    left: ClassVar[type[SeatLeft]] = SeatLeft
    end_rules: ClassVar[tuple[str, ...]] = END_RULES

    def settle_left_seat(self, state: State, ctx: Context, seat: UUID) -> Iterator[Event]:
        """What the characters of the seat owe goes by the defaults."""
        yield from settle_left_seat(state, ctx, seat)


def answers_of(seat: Seat, kind: str) -> tuple[str, ...]:
    """What a seat may say in advance: the world master about the dice of NPC alone (DT-WSH-7)."""
    if seat.role is Role.PLAYER or (seat.role is Role.GM and kind == STANDING_PLACE):
        return ANSWERS[kind]
    return ()


def _require_no_encounter(state: State) -> None:
    """Refuse (`encounter.open`) while an encounter runs."""
    if state.encounter is not None:
        raise Refused("encounter.open", "An encounter runs; close-encounter ends it.", rules=("DT-CMB-1",))


def _require_quiet(state: State) -> None:
    """Refuse (`encounter.open`, `phase.closed`, `prompt.open`) while something is not settled (DT-TBL-2)."""
    _require_no_encounter(state)
    state.require(Step.FREE)
    going_on = any(c.status in (CheckStatus.ASKED, CheckStatus.THROWN) for c in state.checks.values())
    if going_on or is_held_up(state) or state.due_placements():
        raise Refused(
            "prompt.open",
            "A check, a die for the tower, a terrible thing or a miracle is not settled yet.",
            rules=("DT-TBL-2",),
        )
