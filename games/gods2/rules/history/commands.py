"""Naming cities, features, wars and peoples (G2-HREC-3)."""

from collections.abc import Iterator
from typing import Any, ClassVar
from uuid import UUID

from pydantic import Field

from core.names import is_same_name
from games.engine.audience import PUBLIC, reader
from games.engine.board.board import Square
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.insight.domains import Choices, FreeText, ListOf
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.lifecycle.seating import Name
from games.engine.prompts.prompt import close
from games.engine.state import Rows
from games.gods2.rules.history.events import HREC, Kind, PlaceNamed, nameable_things
from games.gods2.rules.history.naming import KINDS
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import ACTING
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place, places
from games.gods2.rules.workings.targets import off_map


class NamePlace(Enumerable[State]):
    """Name a city, a terrain feature, a war, a land or a race.

    A god names what they have caused, in the century in which they did; a GM names everything else.
    """

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.SEAT, Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = HREC

    kind: Kind
    """What is named."""
    subject: UUID | None = None
    """The city, feature, war or race; none for a land."""
    squares: tuple[Place, ...] = Field(default=(), max_length=1000)
    """The squares of a land."""
    name: Name
    """Its name, unique among things of its kind."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*ACTING)
        if self.kind == "land":
            yield from self._land(state, ctx)
            return
        rows = nameable_things(state, self.kind)
        if self.subject is None or self.subject not in rows:
            raise Refused("subject.missing", f"There is no such {self.kind} in this game.", rules=HREC)
        asked = question_about(state, self.subject)
        check_may_name(ctx.actor, asked)
        self._check_free(rows)
        if asked is not None:
            yield from close(state, asked.id, "answered")
        yield PlaceNamed(kind=self.kind, subject=self.subject, name=self.name)

    def _land(self, state: State, ctx: Context) -> Iterator[Event]:
        check_may_name(ctx.actor, None)
        squares = tuple(sorted({place.square for place in self.squares}))
        if not squares or self.subject is not None:
            raise Refused("subject.missing", "A land is named by its squares.", rules=HREC)
        for square in squares:
            if not state.board.holds(square):
                raise off_map(square)
        for land in sorted(state.lands.values(), key=lambda e: e.id):
            if set(land.squares) & set(squares):
                raise Refused("land.named", f"Part of this land is called {land.name}.", rules=HREC, land=str(land.id))
        self._check_free(state.lands)
        yield PlaceNamed(kind="land", subject=ctx.mint(PUBLIC), squares=places(squares), name=self.name)

    def _check_free(self, rows: Rows[UUID, Any]) -> None:
        if any(is_same_name(thing.name, self.name) for thing in rows.values() if thing.id != self.subject):
            raise Refused("name.taken", f"Another {self.kind} is called {self.name}; choose another name.", rules=HREC)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*ACTING)
        for kind in KINDS:
            names = FreeText().but(thing.name for thing in nameable_things(state, kind).values() if thing.name)
            mine = [s for s in sorted(nameable_things(state, kind)) if may_name(actor, question_about(state, s))]
            if mine:
                yield LegalCommand(
                    cls.slug(),
                    {"kind": Choices.of((kind,)), "subject": Choices.of(mine), "name": names},
                    required=("subject",),
                )
        if may_name(actor, None):
            taken = {square for land in state.lands.values() for square in land.squares}
            board = state.board
            every = (Square(row, column) for row in range(board.height) for column in range(board.width))
            free = [{"x": square.column, "y": square.row} for square in every if square not in taken]
            squares = ListOf(Choices.of(free), low=1)
            names = FreeText().but(land.name for land in state.lands.values())
            land = {"kind": Choices(("land",)), "squares": squares, "name": names}
            if free:
                yield LegalCommand(cls.slug(), land, required=("squares",))


def question_about(state: State, subject: UUID) -> Prompt | None:
    """The open question how a thing is called."""
    return next((p for p in state.prompts.values() if p.kind == Asked.NAME and p.subject == subject), None)


def may_name(actor: Actor, asked: Prompt | None) -> bool:
    """Whether somebody names a thing: the god who is asked, else a GM in their own right."""
    if asked is None:
        return actor.is_gm and actor.on_behalf_of is None
    return actor.acting_seat is not None and reader(actor.acting_seat) in asked.owners


def check_may_name(actor: Actor, asked: Prompt | None) -> None:
    """Refuse (`name.not_yours`) a seat that does not name this thing. Who caused it is not shown."""
    if not may_name(actor, asked):
        raise Refused(
            "name.not_yours",
            "The god who caused this names it in its century; a GM names what is left after it.",
            rules=HREC,
        )
