"""The state of the Die Tower game, and what every chapter reads."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar
from uuid import UUID

from games.dietower.rules.state.constants import BOT_WAIT
from games.dietower.rules.state.options import options_of
from games.dietower.rules.state.records import (
    Actor,
    Aim,
    Attack,
    Bonus,
    Brief,
    Chart,
    Check,
    Consequence,
    Course,
    Distance,
    Encounter,
    Hold,
    Member,
    Miracle,
    Mystery,
    Place,
    Placement,
    Revelation,
    Roll,
    Session,
    Sheet,
    StoryWish,
    Tower,
    TowerDie,
    Vitality,
)
from games.dietower.rules.state.schema_types import (
    ActorKind,
    Asked,
    CheckStatus,
    Condition,
    Hidden,
    PlacementStatus,
    SheetField,
    Step,
    WishStatus,
)
from games.dietower.rules.state.wording import STEPS
from games.engine.artifacts.state import ArtifactState, HolderKind
from games.engine.audience import GM_READER, Reader, reader
from games.engine.errors import Refused
from games.engine.game_state import Role, Seat
from games.engine.state import Rows, singleton, table
from games.engine.wording import listing

REQUIRED = ("weapon", "power", "power_drawback", "deviation")


def missing_of(sheet: Sheet, mystery: str) -> list[str]:
    """What a sheet still lacks (DT-CHR-1)."""
    found = [name for name in REQUIRED if not getattr(sheet, name)]
    return found if mystery else [*found, "mystery"]


class State(ArtifactState):
    """A game of the Die Tower."""

    holding_tables: ClassVar[Mapping[HolderKind, str]] = {HolderKind.PERSON: "actors"}

    steps = STEPS
    thinking_time = BOT_WAIT

    courses: Rows[UUID, Course] = table(Course, amendable=True, noun="course")
    course = singleton(courses)
    """The course of the game."""
    sessions: Rows[int, Session] = table(Session, key="number", ledger=True)
    places: Rows[UUID, Place] = table(Place, key="seat", amendable=True)
    actors: Rows[UUID, Actor] = table(Actor, amendable=True)
    sheets: Rows[UUID, Sheet] = table(Sheet, key="actor", amendable=True)
    mysteries: Rows[UUID, Mystery] = table(Mystery, key="actor", noun="mystery", amendable=True)
    briefs: Rows[UUID, Brief] = table(Brief, key="actor", amendable=True)
    vitalities: Rows[UUID, Vitality] = table(Vitality, key="actor", noun="health", amendable=True)
    revelations: Rows[tuple[UUID, Hidden], Revelation] = table(Revelation, key=("actor", "field"))
    charts: Rows[SheetField, Chart] = table(Chart, key="field")
    checks: Rows[UUID, Check] = table(Check, over={"status": (CheckStatus.DONE, CheckStatus.WITHDRAWN)}, amendable=True)
    rolls: Rows[UUID, Roll] = table(Roll, over={"closed": (True,)})
    towers: Rows[UUID, Tower] = table(Tower, amendable=True)
    tower = singleton(towers)
    """The tower."""
    dice: Rows[int, TowerDie] = table(TowerDie, key="level", noun="die", amendable=True)
    placements: Rows[UUID, Placement] = table(
        Placement,
        over={"status": (PlacementStatus.STOOD, PlacementStatus.FELL, PlacementStatus.DROPPED)},
    )
    consequences: Rows[UUID, Consequence] = table(Consequence, over={"written": (True,)})
    miracles: Rows[UUID, Miracle] = table(Miracle, over={"kind": ("revive", "extra_die")})
    bonuses: Rows[UUID, Bonus] = table(Bonus, key="miracle", noun="bonus", amendable=True)
    wishes: Rows[UUID, StoryWish] = table(
        StoryWish,
        noun="story Wish",
        over={"status": (WishStatus.ACCEPTED, WishStatus.REFUSED, WishStatus.WITHDRAWN)},
    )
    encounters: Rows[UUID, Encounter] = table(Encounter, over={"closed": (True,)}, amendable=True)
    members: Rows[UUID, Member] = table(Member, key="actor", amendable=True)
    distances: Rows[tuple[UUID, UUID], Distance] = table(Distance, key=("a", "b"), amendable=True)
    holds: Rows[UUID, Hold] = table(Hold)
    attacks: Rows[UUID, Attack] = table(Attack, over={"over": (True,)})
    aims: Rows[UUID, Aim] = table(Aim, key="attack")

    def set_course(self, **changes: Any) -> None:
        """Change the course of the game."""
        self.course = replace(self.course, **changes)

    def set_tower(self, **changes: Any) -> None:
        """Change the tower."""
        self.tower = replace(self.tower, **changes)

    def set_actor(self, actor: UUID, **changes: Any) -> None:
        """Change somebody."""
        self.actors[actor] = replace(self.actors[actor], **changes)

    def set_sheet(self, actor: UUID, **changes: Any) -> None:
        """Change the sheet of a player's character."""
        self.sheets[actor] = replace(self.sheets[actor], **changes)

    def set_encounter(self, **changes: Any) -> None:
        """Change the encounter that runs."""
        encounter = self.require_encounter()
        self.encounters[encounter.id] = replace(encounter, **changes)

    @property
    def chapter(self) -> int:
        return self.course.session

    def conducting_roles(self) -> tuple[Role, ...]:
        return (Role.GM,) if self.course.step is Step.CLOSED else super().conducting_roles()

    def stage_marks(self) -> tuple[Any, ...]:
        found = self.encounter
        return (found.id, found.round, found.turn) if found is not None else ()

    @property
    def step(self) -> str:
        return self.course.step

    def dice_by_hand(self) -> bool:
        return options_of(self).dice_by_hand

    def hand_dice_seconds(self) -> int:
        return int(self.window("answer").total_seconds())

    def hand_dice_owners(self, seat: UUID | None) -> tuple[Reader, ...]:
        """The roller, and the world master (DT-AMB-51)."""
        players = {each.id for each in self.players()}
        return (GM_READER, reader(seat)) if seat in players and seat is not None else (GM_READER,)

    @property
    def encounter(self) -> Encounter | None:
        """The encounter that runs."""
        return next((e for e in self.encounters.values() if not e.closed), None)

    def require_encounter(self) -> Encounter:
        """The encounter that runs. Raises `encounter.missing`."""
        found = self.encounter
        if found is None:
            raise Refused("encounter.missing", "No encounter runs; open-encounter begins one.", rules=("DT-CMB-1",))
        return found

    def characters_of(self, seat: UUID) -> list[Actor]:
        """The characters of a seat in their order."""
        own = [a for a in self.actors.values() if a.seat == seat]
        return sorted(own, key=lambda a: a.number)

    def player_characters(self) -> list[Actor]:
        """The characters of all seats, by the places of the seats."""
        own = [a for a in self.actors.values() if a.kind is ActorKind.PC]
        return sorted(own, key=lambda a: (self.place_of(a.seat), a.number))

    def place_of(self, seat: UUID | None) -> tuple[int, str]:
        """Where a seat stands in the circle: by the order in which seats were taken (DT-CMB-2)."""
        place = self.places.get(seat) if seat is not None else None
        return (place.number if place is not None else 1_000_000, str(seat))

    def circle(self) -> list[UUID]:
        """The player seats in the order in which they were taken; the world master follows after the last."""
        return sorted((s.id for s in self.players()), key=self.place_of)

    def require_ready(self) -> None:
        """Refuse a session without a character (`game.not_ready`), or with an incomplete sheet (`sheet.incomplete`)."""
        characters = self.player_characters()
        if not characters:
            raise Refused(
                "game.not_ready", "A session needs a player's character; save-sheet writes one.", rules=("DT-TBL-2",)
            )
        for actor in characters:
            mystery = self.mysteries.get(actor.id)
            hidden = mystery is None and not self.is_whole
            lacking = missing_of(self.sheets[actor.id], mystery.text if mystery is not None else "?" if hidden else "")
            if lacking:
                words = listing([name.replace("_", " ") for name in lacking], "and")
                raise Refused(
                    "sheet.incomplete",
                    f"The sheet of {actor.name} lacks {words}.",
                    rules=("DT-CHR-1",),
                    actor=actor.id,
                    lacking=lacking,
                )

    def may_hide_gaps(self) -> bool:
        """A mystery that is not shown may be secret, or not written yet (DT-CHR-8)."""
        return not self.is_whole and any(actor.id not in self.mysteries for actor in self.player_characters())

    def inability_to_hold(self, kind: HolderKind, holder: Any) -> str:
        """Who was never shown is no person of the world yet (DT-TRS-1)."""
        return "" if holder.shown else f"{holder.name} was never shown"

    def artifact_violations(self) -> Iterator[str]:
        yield from super().artifact_violations()
        for artifact in sorted(self.artifacts.values(), key=lambda each: each.id):
            person = self.actors.get(artifact.person) if artifact.person is not None else None
            if person is not None and not person.shown:
                yield f"{person.name} was never shown, so {artifact.name} is not theirs."

    def is_active(self, actor: Actor) -> bool:
        """Whether an actor takes turns: neither fallen nor beaten, and not of an empty seat (DT-TBL-4)."""
        return actor.condition is Condition.ACTIVE and (actor.seat is None or self.is_held(actor.seat))

    def held_wishes(self, actor: UUID) -> int:
        """The Wishes that a pending story Wish holds (DT-WSH-4)."""
        return sum(w.price for w in self.wishes.values() if w.actor == actor and w.status is WishStatus.PENDING)

    def free_wishes(self, actor: UUID) -> int:
        """The Wishes that somebody may spend: the balance without what is held (DT-WSH-6)."""
        sheet = self.sheets.get(actor)
        return sheet.wishes - self.held_wishes(actor) if sheet is not None else 0

    def due_placements(self) -> list[Placement]:
        """The queue of dice for the tower, the next first (DT-TWR-8)."""
        due = [p for p in self.placements.values() if p.status is PlacementStatus.DUE]
        return sorted(due, key=lambda p: p.number)

    def questions(self, *kinds: Asked) -> Iterator[UUID]:
        """The open questions of these kinds."""
        return (p.id for p in self.prompts.values() if p.kind in kinds)

    def joining(self, seat: Seat) -> None:
        """Refuse (`seats.full`) more player seats than the game has (DT-TBL-1)."""
        most = self.course.seats if self.courses else options_of(self).seats
        if seat.role is Role.PLAYER and len(self.players()) >= most:
            message = f"This table has {most} places for players; take an empty one, or watch."
            raise Refused("seats.full", message, rules=("DT-TBL-1",), most=most)

    def enter_seat(self, seat: UUID) -> None:
        if self.seats[seat].role is Role.PLAYER:
            last = max((p.number for p in self.places.values()), default=0)
            self.places[seat] = Place(seat, last + 1)
