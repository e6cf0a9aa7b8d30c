"""The state of Albraxas: the course of the game, phases, characters, and what every chapter reads."""

from dataclasses import replace
from typing import Any, ClassVar
from uuid import UUID

from games.albraxas.rules.resolve.strength import Marks
from games.albraxas.rules.setup.seating import check_place
from games.albraxas.rules.state.invariants import settled_violations, violations
from games.albraxas.rules.state.records import Character, Choice, Course, Phase, Sheet, Visit, Written
from games.albraxas.rules.state.schema_types import Side, Step
from games.albraxas.rules.state.wording import step_refusal
from games.engine.audience import Audience, seats
from games.engine.errors import Refused
from games.engine.game_state import GameInfo, GameState, Role, Seat
from games.engine.kernel import Actor
from games.engine.prompts.prompt import timer_key
from games.engine.state import Rows


class State(GameState):
    """A game of Albraxas."""

    records: ClassVar[dict[str, type]] = {
        **GameState.records,
        "storms": Course,
        "phases": Phase,
        "sheets": Sheet,
        "characters": Character,
        "choices": Choice,
        "visits": Visit,
        "written": Written,
    }
    amendable: ClassVar[frozenset[str]] = frozenset({"storms", "phases", "characters", "visits"})
    composite: ClassVar[dict[str, tuple[str, ...]]] = {
        **GameState.composite,
        "phases": ("number",),
        "sheets": ("seat",),
        "choices": ("seat",),
        "visits": ("seat", "phase"),
        "written": ("seat", "juncture"),
    }

    row_nouns: ClassVar[dict[str, str]] = {"storms": "course"}

    def __init__(self, table: GameInfo) -> None:
        super().__init__(table)
        self.storms: Rows[UUID, Course] = Rows()
        self.phases: Rows[int, Phase] = Rows()
        self.sheets: Rows[UUID, Sheet] = Rows()
        self.characters: Rows[UUID, Character] = Rows()
        self.choices: Rows[UUID, Choice] = Rows()
        self.visits: Rows[tuple[UUID, int], Visit] = Rows()
        self.written: Rows[tuple[UUID, int], Written] = Rows()

    @property
    def storm(self) -> Course:
        """The course of the game."""
        return self.storms.get(self.table.id) or Course(self.table.id)

    def set_storm(self, **changes: Any) -> None:
        """Change the course of the game."""
        self.storms[self.table.id] = replace(self.storm, **changes)

    def set_character(self, seat: UUID, **changes: Any) -> None:
        """Change a character."""
        self.characters[seat] = replace(self.characters[seat], **changes)

    def require(self, *steps: Step) -> None:
        """Refuse unless the game is in one of these steps."""
        if self.table.paused_at is not None:
            raise Refused("clock.paused", "The clock stands still; wait until the GM resumes.")
        if self.storm.step not in steps:
            raise Refused(
                "phase.closed",
                step_refusal(self.storm.step, steps),
                rules=("AX-TRN-1",),
                step=str(self.storm.step),
            )

    def acting(self, actor: Actor) -> Character:
        """The character of whoever acts. Raises `seat.missing`, `character.out`."""
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

    def players(self) -> list[Seat]:
        """The seats that play."""
        return self.seats_of(Role.PLAYER)

    def phase_timer(self) -> str | None:
        """The deadline of the present step; that of the openings while seals are opened."""
        question = self.question(f"{self.storm.step}.open") or self.question(self.storm.step)
        return timer_key(question) if question is not None and timer_key(question) in self.timers else None

    def question(self, kind: str) -> UUID | None:
        """The open question of this kind; there is one at most."""
        return next((p.id for p in self.prompts.values() if p.kind == kind), None)

    def joining(self, seat: Seat) -> None:
        check_place(seat, self.storm, len(self.players()))

    def invariants(self) -> None:
        if found := [*violations(self), *settled_violations(self)]:
            raise Refused("amend.invalid", " ".join(found))
