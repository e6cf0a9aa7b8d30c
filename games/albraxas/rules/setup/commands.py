"""Setting up (section 10 of the rulebook): numbers, who plays Albraxas, characters, the start."""

from collections.abc import Iterator
from math import isqrt
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from core.names import is_same_name
from games.albraxas.rules.ending.rules import finish_game
from games.albraxas.rules.setup.events import (
    AlbraxasChosen,
    CharacterNamed,
    CharactersOpened,
    CharactersRevealed,
    CharacterWritten,
    GameConfigured,
    GameStarted,
)
from games.albraxas.rules.state.constants import (
    ALBRAXAS_SUM,
    EARLY,
    FEW_REBELS,
    LEAST_PHASES,
    LEAST_SIDES,
    MANY_REBELS,
    MOST_PHASES,
    MOST_SIDES,
    REBEL_SUM,
)
from games.albraxas.rules.state.options import options_of
from games.albraxas.rules.state.schema_types import Attributes, Side, Step
from games.albraxas.rules.state.state import State
from games.albraxas.rules.state.strength import square, starting_tide
from games.albraxas.rules.turn.rules import start_turn
from games.engine.audience import reader
from games.engine.errors import Refused
from games.engine.game_state import Role, Seat
from games.engine.insight.domains import Case, Choices, FreeText, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.lifecycle.gm_commands import CONDUCTORS
from games.engine.lifecycle.seating import Name
from games.engine.prompts.prompt import AnswerWithdrawn, answer
from games.engine.prompts.questions import ask_row, close_question

SETTING_UP = (Step.LOBBY, Step.CHARACTERS)
WRITTEN = '"written"'  # all that the seats see of a character before the start


class ConfigureGame(Enumerable[State]):
    """Settle the number of phases, the sides of the dice, and the first turn whose CHECK may end the game."""

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS
    rules: ClassVar[tuple[str, ...]] = ("AX-SET-4", "AX-SET-5", "AX-END-6")

    phases: int = Field(le=1_000_000)
    """4 to 400; a number that is no square gives a warning."""
    sides: int = Field(le=1_000_000)
    """4 to 100."""
    check_from: int = Field(le=1_000_000)
    """1 to phases - 1, which is advised; 1 is as printed: half of all games end in the first two turns."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(Step.CHARACTERS)
        for name, value, low, high in (
            ("number of phases is", self.phases, LEAST_PHASES, MOST_PHASES),
            ("number of sides of a die is", self.sides, LEAST_SIDES, MOST_SIDES),
            ("first turn with a CHECK is", self.check_from, 1, self.phases - 1),
        ):
            if not low <= value <= high:
                raise Refused(
                    "config.range",
                    f"The {name} {low} to {high}, not {value}.",
                    rules=self.rules,
                    low=low,
                    high=high,
                )
        yield GameConfigured(phases=self.phases, sides=self.sides, check_from=self.check_from)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Step.CHARACTERS)
        yield LegalCommand(
            cls.slug(),
            {
                "phases": Range(low=LEAST_PHASES, high=MOST_PHASES),
                "sides": Range(low=LEAST_SIDES, high=MOST_SIDES),
                "check_from": Range(low=1, high=MOST_PHASES - 1, proposed=state.storm.phases - 1),
            },
            cases=tuple(_early_check(root) for root in range(isqrt(LEAST_PHASES), isqrt(MOST_PHASES) + 1)),
            note=f"With {MANY_REBELS} or more rebels a first CHECK in turn {state.storm.phases - 1} is advised; "
            "1 is as printed: half of all games end in the first two turns.",
        )


def _early_check(root: int) -> Case:
    """From root x root phases up to the next square the first CHECK is in a turn before root x root."""
    phases = Range(low=root * root, high=(root + 1) ** 2 - 1)
    return Case({"phases": phases}, {"check_from": Range(low=1, high=root * root - 1)})


class PlayAlbraxas(Enumerable[State]):
    """Say which seat plays Albraxas: a player takes the part while nobody has; the host or a GM names any seat."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.SEAT, Issuer.HOST, Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("AX-SET-1", "AX-AMB-30")

    seat: UUID | None = None
    """A player's seat; the own one when absent."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*SETTING_UP)
        seat = self._albraxas_seat(state, ctx.actor, self.seat)
        prompt = state.question(Step.CHARACTERS)
        for other in sorted({seat.id, state.storm.albraxas or seat.id}):
            if prompt is not None and (prompt, reader(other)) in state.answers:
                yield AnswerWithdrawn(prompt=prompt, owner=reader(other))
        yield AlbraxasChosen(seat=seat.id)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*SETTING_UP)
        own = actor.acts_as_seat
        seats = [cls._albraxas_seat(state, actor, None)] if own else state.players()
        needed = () if own else ("seat",)
        yield LegalCommand(cls.slug(), {"seat": Choices.of(s.id for s in seats)}, required=needed)

    @classmethod
    def _albraxas_seat(cls, state: State, actor: Actor, named: UUID | None) -> Seat:
        """The seat that is to play Albraxas. Raises `seat.other`, `albraxas.taken`."""
        own = actor.acts_as_seat or named is None
        seat = state.seat(actor.acting_seat if own else named)
        if seat.role is not Role.PLAYER or (own and named not in (None, seat.id)):
            raise Refused(
                "seat.other",
                "A player takes Albraxas for the own seat; the host names another's seat.",
                rules=("AX-AMB-30",),
            )
        if own and state.storm.albraxas not in (None, seat.id):
            raise Refused("albraxas.taken", "Another seat plays Albraxas; ask the host to change it.", rules=cls.rules)
        return seat


class DefineCharacter(Enumerable[State]):
    """Write your character: three whole numbers of at least 1, 13 in all for a rebel, 20 for Albraxas."""

    rules: ClassVar[tuple[str, ...]] = ("AX-SET-2", "AX-AMB-1")

    name: Name
    """The character's name, unique in the game."""
    backbone: int = Field(ge=-1000, le=1000)
    """What the character stands on; at 0 the character is out."""
    battle: int = Field(ge=-1000, le=1000)
    """Dice of a battle."""
    blitz: int = Field(ge=-1000, le=1000)
    """Junctures of a phase, dice of a recover, most dice of a blitz."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        seat = self._writing(state, ctx.actor)
        numbers = (self.backbone, self.battle, self.blitz)
        if min(numbers) < 1:
            raise Refused("attributes.min", "Every attribute is 1 at least.", rules=self.rules, least=min(numbers))
        wanted = ALBRAXAS_SUM if state.storm.albraxas == seat.id else REBEL_SUM
        if sum(numbers) != wanted:
            raise Refused(
                "attributes.sum",
                f"Backbone, Battle and Blitz of {self.name} add up to {wanted}, not {sum(numbers)}.",
                rules=self.rules,
                need=wanted,
                have=sum(numbers),
            )
        if any(is_same_name(s.name, self.name) and s.seat != seat.id for s in state.sheets.values()):
            raise Refused(
                "name.taken", f"Another character is called {self.name}; choose another name.", rules=("AX-AMB-32",)
            )
        prompt = state.question(Step.CHARACTERS)
        if prompt is not None and (prompt, reader(seat.id)) not in state.answers:
            yield from answer(state, ctx, prompt, WRITTEN)  # that it is written, not what; announced once
        former = state.sheets.get(seat.id)
        yield CharacterWritten(
            seat=seat.id, name=self.name, backbone=self.backbone, battle=self.battle, blitz=self.blitz
        )
        if former is None or former.name != self.name:
            yield CharacterNamed(seat=seat.id, name=self.name)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        cls._writing(state, actor)
        total = ALBRAXAS_SUM if state.storm.albraxas == actor.acting_seat else REBEL_SUM
        number = Range(low=1, high=total - 2)
        yield LegalCommand(
            cls.slug(),
            {"name": FreeText(), "backbone": number, "battle": number, "blitz": number},
            cases=tuple(_attributes_with(backbone, total) for backbone in range(1, total - 1)),
        )

    @staticmethod
    def _writing(state: State, actor: Actor) -> Seat:
        """The seat that writes. Raises `phase.closed`, `seat.other`."""
        state.require(Step.CHARACTERS)
        seat = state.seat(actor.acting_seat)
        if seat.role is not Role.PLAYER:
            raise Refused("seat.other", f"{seat.name} is no player's seat.", rules=("AX-SET-1",))
        return seat


def _attributes_with(backbone: int, total: int) -> Case:
    """What Battle and Blitz may be beside a Backbone (AX-SET-2)."""
    rest = total - backbone
    pairs = ({"battle": Choices((n,)), "blitz": Choices((rest - n,))} for n in range(1, rest))
    return Case({"backbone": Choices((backbone,))}, either=tuple(pairs))


def warnings(phases: int, check_from: int, rebels: int) -> tuple[str, ...]:
    """What the service warns of at the start (AX-SET-5, AX-END-6, section 7)."""
    found = {
        "phases.not_square": not square(phases),
        "check_from.early": EARLY * check_from < phases and rebels >= MANY_REBELS,
        "rebels.few": rebels < FEW_REBELS,
    }
    return tuple(code for code, so in found.items() if so)


def end_setup(state: State, ctx: Context) -> Iterator[Event]:
    """End CHARACTERS: the first turn begins, or the game closes unplayed.

    Nothing follows by itself, so that a seat which nobody holds yet can be taken while places are asked for.
    """
    ctx.rest()
    yield from close_question(state, Step.CHARACTERS, "settled")
    if not state.is_playable(state.sheets):
        yield from finish_game(None, "unplayed")
        return
    storm = state.storm
    yield GameStarted(
        phases=storm.phases,
        sides=storm.sides,
        check_from=storm.check_from,
        tide=tuple(starting_tide(storm.phases)),
        warnings=warnings(storm.phases, storm.check_from, len(state.sheets) - 1),
        commitment=state.info.commitment,
    )
    yield CharactersRevealed(
        characters=tuple(
            Attributes(
                seat=s.seat,
                side=Side.ALBRAXAS if s.seat == storm.albraxas else Side.REBEL,
                name=s.name,
                backbone=s.backbone,
                battle=s.battle,
                blitz=s.blitz,
                dynamism=s.battle * s.backbone,
            )
            for s in sorted(state.sheets.values(), key=lambda s: s.seat)
        )
    )
    yield from start_turn(state, ctx)


def start(state: State, ctx: Context) -> Iterator[Event]:
    """The host's start ends the lobby: everybody writes a character."""
    chosen = options_of(state)
    yield CharactersOpened(phases=chosen.phases, sides=chosen.sides, check_from=chosen.check_from)
    yield from ask_row(state, ctx, Step.CHARACTERS)
