"""The events of the set-up: options, the map, the Smiths, the order of seats (chapters 1 and 2)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.engine.audience import Audience, seat_and_gm
from games.engine.kernel import Event
from games.engine.wording import full_sentence, listing
from games.forgeborn.rules.setup.values import AddedWay, BuiltPlace, Cluster, MovedDie, RevealedSmith, Route
from games.forgeborn.rules.state.dice import fields_of, number_of_faces
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.records import Character, Draft, Nameplate, Place, Purse, Way
from games.forgeborn.rules.state.schema_types import CharacterKind, PlaceKind, Size, Step, WayKind
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.state.wording import dice_in_words


class GameConfigured(Event[State]):
    """The options are settled anew."""

    rules: ClassVar[tuple[str, ...]] = ("FB-SET-5", "FB-SET-6")

    options: ForgebornOptions
    """All of them, changed or not."""
    first_seat: UUID | None = None
    """The seat that begins; null where dice say it."""

    def apply(self, state: State) -> None:
        state.info = replace(state.info, options=self.options.model_dump_json())
        state.set_course(first_seat=self.first_seat)

    def sentence(self, state: State) -> str:
        begins = f" {state.seat_name(self.first_seat)} begins." if self.first_seat is not None else ""
        return f"The options of the game are settled anew.{begins}"


class MapOpened(Event[State]):
    """The lobby is over; the map is made."""

    rules: ClassVar[tuple[str, ...]] = ("FB-SET-5", "FB-MAP-3")

    def apply(self, state: State) -> None:
        state.set_course(step=Step.MAP)

    def sentence(self, state: State) -> str:
        return "The map is made."


class MapBuilt(Event[State]):
    """The dice on the sheet are a map; names stay with their places (FB-MAP-15)."""

    rules: ClassVar[tuple[str, ...]] = ("FB-MAP-4", "FB-MAP-9", "FB-MAP-10", "FB-MAP-12", "FB-MAP-13")

    places: tuple[BuiltPlace, ...]
    """In their order (FB-MAP-14)."""
    roads: tuple[Route, ...]
    trails: tuple[Route, ...]
    range: Cluster
    """The mountains."""
    patches: tuple[Cluster, ...]
    """The woods; the largest is the place Forest."""
    winds: bool = False
    """Whether the range winds around places and Roads keep off third ones: on every map but those of before."""

    def apply(self, state: State) -> None:
        for way in list(state.ways):
            del state.ways[way]
        for place in list(state.places):
            del state.places[place]
        for built in self.places:
            state.places[built.place] = Place(
                id=built.place,
                kind=built.kind,
                number=built.number,
                name=built.name,
                die=built.die,
                power=built.power,
                x=built.x,
                y=built.y,
            )
        for kind, routes in ((WayKind.ROAD, self.roads), (WayKind.TRAIL, self.trails)):
            for route in routes:
                state.ways[route.a, route.b] = Way(route.a, route.b, kind)
        state.set_course(winds=self.winds)

    def sentence(self, state: State) -> str:
        dragon = next(place.power for place in self.places if place.kind is PlaceKind.LAIR)
        return f"The map has {len(self.places)} places; the Dragon's Power is {dragon}."


class MapEdited(Event[State]):
    """The map is changed by hand before it is accepted."""

    rules: ClassVar[tuple[str, ...]] = ("FB-MAP-3", "FB-AMB-61")

    moves: tuple[MovedDie, ...]
    removed: tuple[Route, ...]
    added: tuple[AddedWay, ...]
    reason: str

    def apply(self, state: State) -> None:
        for move in self.moves:
            state.dice[move.die] = replace(state.dice[move.die], x=move.x, y=move.y, is_entered=True)

    def sentence(self, state: State) -> str:
        return f"The map is edited: {full_sentence(self.reason)}"


class MapAccepted(Event[State]):
    """The map stands."""

    rules: ClassVar[tuple[str, ...]] = ("FB-MAP-3", "FB-GM-5")

    def sentence(self, state: State) -> str:
        return "The map stands."


class SmithsOpened(Event[State]):
    """Every player defines a Smith now."""

    rules: ClassVar[tuple[str, ...]] = ("FB-SET-3",)

    seats: tuple[UUID, ...]
    faces: int
    """How many faces the dice of a Smith have at most."""

    def apply(self, state: State) -> None:
        state.set_course(step=Step.SMITHS)

    def sentence(self, state: State) -> str:
        return f"Every player defines a Smith: dice with {self.faces} faces at most."


class SmithWritten(Event[State]):
    """A player has defined their Smith; the dice stay hidden until all are in."""

    rules: ClassVar[tuple[str, ...]] = ("FB-SET-3", "FB-AMB-30")

    seat: UUID
    name: str
    text: str
    dice: tuple[Size, ...]

    def audience(self, state: State) -> Audience:
        return seat_and_gm(self.seat)

    def apply(self, state: State) -> None:
        state.drafts[self.seat] = Draft(self.seat, **fields_of(self.dice))

    def sentence(self, state: State) -> str:
        return f"{self.name}: {dice_in_words(self.dice)}, {number_of_faces(self.dice)} faces."


class SmithNamed(Event[State]):
    """Name and description of a Smith are public at once."""

    rules: ClassVar[tuple[str, ...]] = ("FB-SET-3",)

    seat: UUID
    name: str
    text: str

    def apply(self, state: State) -> None:
        state.nameplates[self.seat] = Nameplate(self.seat, self.name, self.text)

    def sentence(self, state: State) -> str:
        return f"{state.seat_name(self.seat)} is {self.name}. {full_sentence(self.text)}".strip()


class SmithsRevealed(Event[State]):
    """All Smiths are defined: their dice are on the table, and they stand at the Citadel."""

    rules: ClassVar[tuple[str, ...]] = ("FB-SET-3", "FB-SET-4", "FB-SET-7")
    unseals: ClassVar[bool] = True

    smiths: tuple[RevealedSmith, ...]
    """In seat order."""

    def apply(self, state: State) -> None:
        citadel = state.place_of_kind(PlaceKind.CITADEL).id
        for smith in self.smiths:
            state.characters[smith.character] = Character(
                id=smith.character,
                seat=smith.seat,
                kind=CharacterKind.SMITH,
                number=0,
                name=smith.name,
                text=smith.text,
                place=citadel,
                is_plain=smith.plain,
                **fields_of(smith.dice),
            )
            state.purses[smith.seat] = Purse(smith.seat)
        for seat in list(state.drafts):
            del state.drafts[seat]
        for seat in list(state.nameplates):
            del state.nameplates[seat]

    def sentence(self, state: State) -> str:
        return f"{listing(f'{smith.name} with {dice_in_words(smith.dice)}' for smith in self.smiths)}."


class SeatsRolled(Event[State]):
    """The seats have rolled for the first turn; those tied for it again."""

    rules: ClassVar[tuple[str, ...]] = ("FB-SET-2", "FB-AMB-1")

    order: tuple[UUID, ...]
    """The seats in the order of their turns."""

    def sentence(self, state: State) -> str:
        return f"{state.seat_name(self.order[0])} begins."


class GameStarted(Event[State]):
    """The set-up is over; the first round follows."""

    rules: ClassVar[tuple[str, ...]] = ("FB-SET-2", "FB-SET-4", "FB-SET-5")

    order: tuple[UUID, ...]
    """The seats in the order of their turns."""
    dragon: int
    """The Dragon's Power."""
    referee: bool
    """Whether a game-master describes and rules."""
    round_limit: int | None = None
    commitment: str
    """SHA-256 of the dice secret."""

    def apply(self, state: State) -> None:
        state.set_course(step=Step.TURN, order=self.order)

    def sentence(self, state: State) -> str:
        names = listing([state.seat_name(seat) for seat in self.order], "then")
        limit = f" The game ends after round {self.round_limit}." if self.round_limit is not None else ""
        return f"The Dragon's Power is {self.dragon}. It is the turn of {names}.{limit}"
