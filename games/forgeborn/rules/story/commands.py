"""The commands of the story: lines are drawn, notes written, scenes told, places named, answers given in advance."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.audience import GM
from games.engine.errors import Refused
from games.engine.game_state import Role, Seat
from games.engine.insight.domains import Choices, Domain, FreeText, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.lifecycle.gm_commands import CONDUCTORS
from games.engine.lifecycle.seating import Name
from games.forgeborn.rules.state.constants import MOST_NAME, MOST_TEXT
from games.forgeborn.rules.state.schema_types import ListName, StandingAnswer, StandingKind, Text
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.state.wording import plain_name
from games.forgeborn.rules.story.events import NoteWritten, PlaceNamed, SceneTold, StandingWordSet
from games.forgeborn.rules.story.lists import LISTS
from games.forgeborn.rules.story.rules import (
    ANSWERS,
    NOT_AS_NEW_RUINS,
    UNFINISHED,
    draw_line,
    require_place,
    require_place_name,
)

MASTER = frozenset({Issuer.GM})
EVERYBODY = frozenset({Issuer.SEAT, Issuer.GM})


class DrawLine(Enumerable[State]):
    """Draw a line of a list by a die, or choose one: names for everybody, threats and guardians for the game-master.

    Lines are suggestions; they change nothing, and their drawer and the game-masters alone read them.
    """

    issuers: ClassVar[frozenset[Issuer]] = EVERYBODY
    rules: ClassVar[tuple[str, ...]] = ("FB-TXT-1", "FB-GM-3")

    list: ListName
    """threats, guardians or names."""
    line: int | None = Field(default=None, ge=-1_000_000, le=1_000_000)
    """The number of the line, from 1; null for a die."""
    place: UUID | None = None
    """What it is meant for."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*UNFINISHED)
        drawer = _drawer(state, ctx.actor)
        if drawer is not None and self.list is not ListName.NAMES:
            raise Refused(
                "list.gm_only",
                f"The list of {self.list} is for the game-master; the list of names is for everybody.",
                rules=("FB-TXT-1",),
                list=self.list,
            )
        if self.place is not None:
            require_place(state, self.place)
        yield from draw_line(state, ctx, self.list, self.line, place=self.place, drawer=drawer)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*UNFINISHED)
        is_master = _drawer(state, actor) is None
        for name in LISTS if is_master else (ListName.NAMES,):
            domains: dict[str, Domain] = {"list": Choices((name.value,)), "line": Range(1, len(LISTS[name]))}
            yield LegalCommand(cls.slug(), domains | _of_places(state))


class WriteNote(Enumerable[State]):
    """Write something down for later; the game-masters alone read it."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("FB-GM-3",)

    place: UUID | None = None
    """The place that it is about."""
    text: Text
    """What is to be remembered."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*UNFINISHED)
        if self.place is not None:
            require_place(state, self.place)
        yield NoteWritten(note=ctx.mint(GM), place=self.place, text=self.text)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*UNFINISHED)
        yield LegalCommand(cls.slug(), {"text": FreeText(high=MOST_TEXT), **_of_places(state)})


class TellScene(Enumerable[State]):
    """Tell everybody what is to be seen and heard; nobody waits for it."""

    issuers: ClassVar[frozenset[Issuer]] = MASTER
    rules: ClassVar[tuple[str, ...]] = ("FB-GM-3", "FB-AMB-54")

    text: Text
    """The scene."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*UNFINISHED)
        yield SceneTold(text=self.text)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*UNFINISHED)
        yield LegalCommand(cls.slug(), {"text": FreeText(high=MOST_TEXT)})


class NamePlace(Enumerable[State]):
    """Name a place; the game-master does it, at a table without one the host."""

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS
    rules: ClassVar[tuple[str, ...]] = ("FB-MAP-15", "FB-GM-3")

    place: UUID
    """The place."""
    name: Name
    """What it is called from now on; no other place is."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        self._require_namer(state, ctx.actor)
        place = require_place(state, self.place)
        require_place_name(state, place, self.name)
        yield PlaceNamed(place=place.id, name=self.name, former=place.name)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        cls._require_namer(state, actor)
        if state.places:
            places = list(state.places.values())
            taken = {*(place.name for place in places), *(plain_name(place.kind, place.number) for place in places)}
            domains = {
                "place": Choices.of(state.places),
                "name": FreeText(low=1, high=MOST_NAME, pattern=NOT_AS_NEW_RUINS).but(taken),
            }
            yield LegalCommand(cls.slug(), domains)

    @staticmethod
    def _require_namer(state: State, actor: Actor) -> None:
        """Refuse (`phase.closed`, `issuer.other`) a host while somebody is the game-master."""
        state.require(*UNFINISHED)
        if not actor.is_gm and any(state.is_held(seat.id) for seat in state.seats_of(Role.GM)):
            raise Refused(
                "issuer.other", "The game-master names the places of this game.", rules=("FB-MAP-15", "FB-GM-3")
            )


class SetStandingAnswer(Enumerable[State]):
    """Say in advance that you decline to help, how you vote on the Vault, or that a failure brings you a d4.

    It is used like an answer of the moment. Nobody else reads it; an answer of null takes it back.
    """

    rules: ClassVar[tuple[str, ...]] = ("FB-AMB-53",)

    kind: StandingKind
    """help, vault or gain."""
    answer: str | None = Field(default=None, max_length=40)
    """help: decline; vault: yes or no; gain: d4; null takes it back."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        seat = self._player(state, ctx.actor)
        possible = {answer.value: answer for answer in ANSWERS[self.kind]}
        if self.answer is not None and self.answer not in possible:
            raise Refused(
                "answer.invalid",
                f"To {self.kind} you may say {' or '.join(possible)} in advance, or nothing to be asked.",
                rules=("FB-AMB-53",),
                answers=list(possible),
            )
        answer: StandingAnswer | None = possible[self.answer] if self.answer is not None else None
        yield StandingWordSet(seat=seat.id, kind=self.kind, answer=answer)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        cls._player(state, actor)
        for kind, answers in ANSWERS.items():
            values = Choices((*(answer.value for answer in answers), None))
            yield LegalCommand(cls.slug(), {"kind": Choices((kind.value,)), "answer": values})

    @staticmethod
    def _player(state: State, actor: Actor) -> Seat:
        """The player's seat that acts. Raises `phase.closed`, `seat.missing`."""
        state.require(*UNFINISHED)
        seat = state.seat(actor.acting_seat)
        if seat.role is not Role.PLAYER:
            raise Refused("seat.missing", "Players alone are asked for help, votes and gains.", rules=("FB-AMB-53",))
        return seat


def _drawer(state: State, actor: Actor) -> UUID | None:
    """The seat that draws; None for a game-master in their own right."""
    if actor.is_gm and actor.on_behalf_of is None:
        return None
    return state.seat(actor.acting_seat).id


def _of_places(state: State) -> dict[str, Domain]:
    """The argument for a place, where there are places."""
    return {"place": Choices.of(state.places)} if state.places else {}
