"""The state of Albraxas: the course of the game, phases, characters, and what every chapter reads."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any
from uuid import UUID

from games.albraxas.rules.state.constants import BOT_WAIT
from games.albraxas.rules.state.records import Character, Choice, Course, Phase, Sheet, Visit, Written
from games.albraxas.rules.state.schema_types import Side, Step
from games.albraxas.rules.state.seating import check_place
from games.albraxas.rules.state.strength import Marks
from games.albraxas.rules.state.wording import STEPS
from games.engine.audience import Audience, reader, seats
from games.engine.errors import Refused
from games.engine.game_state import GameState, Seat
from games.engine.kernel import Actor
from games.engine.state import Rows, singleton, table


class State(GameState):
    """A game of Albraxas."""

    storms: Rows[UUID, Course] = table(Course, amendable=True, noun="course")
    storm = singleton(storms)
    """The course of the game."""
    phases: Rows[int, Phase] = table(Phase, key="number", amendable=True)
    sheets: Rows[UUID, Sheet] = table(Sheet, key="seat")
    characters: Rows[UUID, Character] = table(Character, amendable=True)
    choices: Rows[UUID, Choice] = table(Choice, key="seat")
    visits: Rows[tuple[UUID, int], Visit] = table(Visit, key=("seat", "phase"), amendable=True)
    written: Rows[tuple[UUID, int], Written] = table(Written, key=("seat", "juncture"))
    steps = STEPS
    thinking_time = BOT_WAIT

    def set_storm(self, **changes: Any) -> None:
        """Change the course of the game."""
        self.storm = replace(self.storm, **changes)

    def set_character(self, seat: UUID, **changes: Any) -> None:
        """Change a character."""
        self.characters[seat] = replace(self.characters[seat], **changes)

    @property
    def chapter(self) -> int:
        return self.storm.turn

    @property
    def step(self) -> str:
        return self.storm.step

    def require_startable(self) -> None:
        """Refuse (`seats.few`) a start without two players (AX-SET-1)."""
        if len(self.players()) < 2:
            raise Refused("seats.few", "Albraxas and a rebel at least must have joined.", rules=("AX-SET-1",))

    def require_ready(self) -> None:
        """Refuse (`game.not_ready`) a start without Albraxas, without a rebel, or with a seat without a character.

        Judged by who has answered, which everybody sees; characters are secrets (AX-SET-1).
        """
        question = self.question(Step.CHARACTERS)
        given = {owner for prompt, owner in self.answers if prompt == question}
        written = {seat.id for seat in self.players() if reader(seat.id) in given}
        missing = [seat.name for seat in self.players() if seat.id not in written]
        if missing or not self.is_playable(written):
            raise Refused(
                "game.not_ready",
                "One Albraxas and a rebel at least are needed, and every seat needs a character; "
                f"missing: {', '.join(missing) or '-'}.",
                rules=("AX-SET-1",),
                lacking=missing,
            )

    def is_playable(self, written: Collection[UUID]) -> bool:
        """Whether those who have written a character are Albraxas and a rebel at least."""
        return self.storm.albraxas in written and len(written) > 1

    def acting(self, actor: Actor) -> Character:
        """The character of the acting seat. Raises `seat.missing`, `character.out`."""
        seat = self.seat(actor.acting_seat)
        character = self.characters.get(seat.id)
        if character is None or character.fallen or character.conceded:
            raise Refused("character.out", f"{seat.name} has no character in play.", rules=("AX-END-1",))
        return character

    def marks(self) -> Marks:
        """Tide and Ebb of every phase: a snapshot."""
        ordered = [self.phases[n] for n in sorted(self.phases)]
        return Marks(tuple(p.tide for p in ordered), tuple(p.ebb for p in ordered))

    def in_play(self) -> list[Character]:
        """The characters who have not fallen, in seat order, Albraxas last (AX-TRN-8)."""
        standing = [c for c in self.characters.values() if not c.fallen]
        return sorted(standing, key=lambda c: (c.side is Side.ALBRAXAS, c.id))

    def rebels(self) -> list[Character]:
        """The rebels who have not fallen, in seat order."""
        return [c for c in self.in_play() if c.side is Side.REBEL]

    def resisting(self) -> list[Character]:
        """The rebels who have neither fallen nor conceded."""
        return [c for c in self.rebels() if not c.conceded]

    def is_played(self, character: Character) -> bool:
        """Whether somebody decides for a character: a seat that left, or conceded, holes up and walks on (AX-END-7)."""
        seat = self.seats[character.id]
        return not character.conceded and (seat.user is not None or bool(seat.bot))

    def rebel_readers(self) -> Audience:
        """All rebel seats and the GMs."""
        return seats(*(c.id for c in self.characters.values() if c.side is Side.REBEL), gm=True)

    def visit_count(self, seat: UUID, phase: int) -> int:
        """In how many turns a seat's character has visited a phase."""
        visit = self.visits.get((seat, phase))
        return visit.count if visit else 0

    def joining(self, seat: Seat) -> None:
        check_place(seat, self.storm, len(self.players()))
