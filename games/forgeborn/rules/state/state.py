"""The state of Forgeborn, and what every chapter reads."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

from games.engine.errors import Refused
from games.engine.game_state import GameState, Role, Seat
from games.engine.phases import other_step
from games.engine.state import Rows, singleton, table
from games.forgeborn.rules.state.constants import BOT_WAIT, LEAST_SEATS, MOST_SEATS
from games.forgeborn.rules.state.options import options_of
from games.forgeborn.rules.state.records import (
    Action,
    AdvanceAnswer,
    Artifact,
    Ballot,
    Chair,
    Character,
    Course,
    Draft,
    DroppedDie,
    HelpOffer,
    Line,
    Nameplate,
    Note,
    Place,
    Pool,
    Purse,
    Seal,
    SentPool,
    Vote,
    Way,
)
from games.forgeborn.rules.state.schema_types import (
    CharacterKind,
    PlaceKind,
    Referee,
    Stage,
    StandingKind,
    Step,
    WayKind,
)
from games.forgeborn.rules.state.wording import STEPS


class State(GameState):
    """A game of Forgeborn."""

    steps = STEPS
    thinking_time = BOT_WAIT
    amend_rules = ("FB-GM-4", "FB-GM-6")
    courses: Rows[UUID, Course] = table(Course, amendable=True, noun="course")
    course = singleton(courses)
    """The course of the game."""
    chairs: Rows[UUID, Chair] = table(Chair, key="seat")
    dice: Rows[str, DroppedDie] = table(DroppedDie, key="name", noun="die")
    places: Rows[UUID, Place] = table(Place, amendable=True)
    ways: Rows[tuple[UUID, UUID], Way] = table(Way, key=("a", "b"), amendable=True)
    drafts: Rows[UUID, Draft] = table(Draft, key="seat")
    nameplates: Rows[UUID, Nameplate] = table(Nameplate, key="seat")
    characters: Rows[UUID, Character] = table(Character, amendable=True)
    artifacts: Rows[UUID, Artifact] = table(Artifact, amendable=True)
    purses: Rows[UUID, Purse] = table(Purse, key="seat", amendable=True)
    actions: Rows[UUID, Action] = table(Action, over={"stage": (Stage.OVER,)})
    pools: Rows[UUID, Pool] = table(Pool, key="action", over={"is_over": (True,)})
    sent_pools: Rows[UUID, SentPool] = table(SentPool, key="action", noun="pool sent along")
    offers: Rows[tuple[UUID, UUID], HelpOffer] = table(
        HelpOffer, key=("action", "seat"), noun="offer of help", over={"is_over": (True,)}
    )
    votes: Rows[UUID, Vote] = table(Vote, over={"is_agreed": (True, False)})
    ballots: Rows[tuple[UUID, UUID], Ballot] = table(Ballot, key=("vote", "seat"), over={"is_open": (True,)})
    seals: Rows[tuple[UUID, UUID], Seal] = table(Seal, key=("vote", "seat"))
    notes: Rows[UUID, Note] = table(Note)
    lines: Rows[UUID, Line] = table(Line)
    advance_answers: Rows[tuple[UUID, StandingKind], AdvanceAnswer] = table(
        AdvanceAnswer, key=("seat", "kind"), noun="answer in advance"
    )

    def set_course(self, **changes: Any) -> None:
        """Change the course of the game."""
        self.course = replace(self.course, **changes)

    def set_place(self, place: UUID, **changes: Any) -> None:
        """Change a place."""
        self.places[place] = replace(self.places[place], **changes)

    def set_character(self, character: UUID, **changes: Any) -> None:
        """Change a Smith or a Heroine."""
        self.characters[character] = replace(self.characters[character], **changes)

    def set_artifact(self, artifact: UUID, **changes: Any) -> None:
        """Change an artifact."""
        self.artifacts[artifact] = replace(self.artifacts[artifact], **changes)

    def set_purse(self, seat: UUID, **changes: Any) -> None:
        """Change what a player has."""
        self.purses[seat] = replace(self.purses.get(seat) or Purse(seat), **changes)

    @property
    def chapter(self) -> int:
        return self.course.round

    def stage_marks(self) -> tuple[Any, ...]:
        return (len(self.course.to_come), self.course.active)

    @property
    def step(self) -> str:
        return self.course.step

    @property
    def has_referee(self) -> bool:
        """Whether a game-master is asked for descriptions and rulings (FB-GM-5)."""
        return options_of(self).referee is Referee.PERSON

    def require_startable(self) -> None:
        """Refuse a start without two players (`seats.few`), or without the referee of the options (`gm.missing`)."""
        if len(self.players()) < LEAST_SEATS:
            raise Refused("seats.few", "Forgeborn needs two players at least.", rules=("FB-SET-1",), least=LEAST_SEATS)
        if self.has_referee and not any(self.is_held(seat.id) for seat in self.seats_of(Role.GM)):
            raise Refused(
                "gm.missing",
                "Nobody is the game-master; seat one, or set referee to none with configure-game.",
                rules=("FB-GM-5", "FB-AMB-41"),
            )

    def players(self) -> list[Seat]:
        """The seats that play, in seat order."""
        return sorted(self.seats_of(Role.PLAYER), key=self._rank)

    def seat_name(self, seat: UUID) -> str:
        """What a seat is called; words for one that is none."""
        return self.seats[seat].name if seat in self.seats else "A seat that is none"

    def place_of_kind(self, kind: PlaceKind, number: int = 0) -> Place:
        """The Citadel, Village 2, ... . Raises `place.missing` before the map is built."""
        found = next((p for p in self.places.values() if (p.kind, p.number) == (kind, number)), None)
        if found is None:
            raise Refused("place.missing", "There is no such place on the map.", rules=("FB-ROW-3",))
        return found

    def ways_from(self, place: UUID) -> Iterator[tuple[UUID, WayKind]]:
        """Where the ways of a place lead, and what they are."""
        for way in self.ways.values():
            if place in (way.a, way.b):
                yield (way.b if way.a == place else way.a), way.kind

    def characters_of(self, seat: UUID) -> list[Character]:
        """The Smith of a seat, then the Heroines in the order of recruiting."""
        return sorted((c for c in self.characters.values() if c.seat == seat), key=lambda c: c.number)

    def smith_of(self, seat: UUID) -> Character | None:
        """The Smith of a seat; None before all are defined."""
        return next((c for c in self.characters_of(seat) if c.kind is CharacterKind.SMITH), None)

    def acting_character(self) -> Character | None:
        """The character of the turn that runs: the Smith unless another is chosen (FB-TRN-3)."""
        course = self.course
        if course.character is not None:
            return self.characters[course.character]
        return self.smith_of(course.active) if course.active is not None else None

    def is_in_vault(self, artifact: Artifact) -> bool:
        """Whether an artifact lies at the Citadel."""
        holder = self.places.get(artifact.holder)
        return holder is not None and holder.kind is PlaceKind.CITADEL

    def vault(self) -> list[Artifact]:
        """What lies in the Vault."""
        return [artifact for artifact in self.artifacts.values() if self.is_in_vault(artifact)]

    def artifacts_of(self, character: UUID) -> list[Artifact]:
        """What a character holds; there is no limit (FB-AMB-42)."""
        return [artifact for artifact in self.artifacts.values() if artifact.holder == character]

    def action(self) -> Action | None:
        """The action that is open; one at most."""
        return next((action for action in self.actions.values() if action.stage is not Stage.OVER), None)

    def require_action(self) -> Action:
        """The action that is open. Raises RuntimeError where there is none."""
        action = self.action()
        if action is None:
            raise RuntimeError("no action is open")
        return action

    def set_action(self, **changes: Any) -> None:
        """Change the action that is open."""
        action = self.require_action()
        self.actions[action.id] = replace(action, **changes)

    def add_ruins(
        self, place: UUID, number: int, name: str, die: str, power: int, x: int, y: int, neighbour: UUID
    ) -> None:
        """New Ruins with their Trail; a way names the earlier of its places first (FB-MAP-14)."""
        self.places[place] = Place(place, PlaceKind.RUINS, number, name, die, power, x, y)
        self.ways[neighbour, place] = Way(neighbour, place, WayKind.TRAIL)

    def close_action(self) -> None:
        """The action that is open, if any, is over; its pool and offers with it, and what was sent along is gone."""
        action = self.action()
        if action is None:
            return
        self.set_action(stage=Stage.OVER)
        if action.id in self.pools:
            self.pools[action.id] = replace(self.pools[action.id], is_over=True)
        for offer in [offer for offer in self.offers.values() if offer.action == action.id]:
            self.offers[offer.action, offer.seat] = replace(offer, is_over=True)
        if action.id in self.sent_pools:
            del self.sent_pools[action.id]

    def voters(self, seat: UUID) -> tuple[UUID, ...]:
        """The other players, whose seats are held (FB-VLT-1, FB-END-3)."""
        return tuple(each.id for each in self.players() if each.id != seat and self.is_held(each.id))

    def leaders(self) -> tuple[UUID, ...]:
        """The seats with the most victory points, in seat order; equals share (FB-AMB-13)."""
        most = max((purse.vp for purse in self.purses.values()), default=0)
        purses = self.purses
        return tuple(seat.id for seat in self.players() if seat.id in purses and purses[seat.id].vp == most)

    def joining(self, seat: Seat) -> None:
        """Refuse (`seats.full`) a fifth player, and (`phase.closed`) one more after the start (FB-SET-1)."""
        if seat.role is not Role.PLAYER:
            return
        if self.course.step is not Step.LOBBY:
            instead = "Take an empty seat, or watch."
            raise other_step(STEPS, self.step, (Step.LOBBY,), rules=("FB-SET-1",), instead=instead)
        if len(self.players()) >= MOST_SEATS:
            raise Refused(
                "seats.full",
                f"Forgeborn has {MOST_SEATS} players at most; take an empty seat, or watch.",
                rules=("FB-SET-1",),
                most=MOST_SEATS,
            )

    def enter_seat(self, seat: UUID) -> None:
        if self.seats[seat].role is Role.PLAYER:
            last = max((chair.number for chair in self.chairs.values()), default=0)
            self.chairs[seat] = Chair(seat, last + 1)

    def _rank(self, seat: Seat) -> tuple[int, str]:
        """Where a seat stands among the players: by the order in which seats were taken."""
        chair = self.chairs.get(seat.id)
        return (chair.number if chair is not None else MOST_SEATS + 1, str(seat.id))
