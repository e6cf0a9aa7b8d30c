"""What the rules of The Gods II know of a game: records in tables, and the map as arrays.

The records themselves stand in `records`. What must always hold of a state is asked of `invariants`, which is why the
chapters it reads name `State` for the type checker alone.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, ClassVar
from uuid import UUID

from games.engine.board.board import Board
from games.engine.errors import Refused
from games.engine.game_state import GameInfo, GameState
from games.engine.state import Rows
from games.gods2.rules.geometry.adjacency import Landmarks
from games.gods2.rules.geometry.reach import contacts
from games.gods2.rules.pack.pack import Pack
from games.gods2.rules.state.effect_records import (
    Authorship,
    Cut,
    Deed,
    Grant,
    GrowthPlan,
    Land,
    LaterTurmoil,
    Law,
    Migration,
    Modification,
    Preview,
    Proposal,
    Signature,
    Task,
)
from games.gods2.rules.state.invariants import violations
from games.gods2.rules.state.records import (
    ATHEISM,
    DIABOLISM,
    Absence,
    Cards,
    City,
    Era,
    Factor,
    Feature,
    God,
    Line,
    NumberHolder,
    PantheonOrder,
    Phase,
    Pool,
    Purse,
    QueueNumber,
    Race,
    Share,
    War,
    WarPolicy,
    WarStatus,
)
from games.gods2.rules.state.square_rows import plain_square, write_square
from games.gods2.rules.state.wording import phase_refusal, thing_name

SQUARES = "squares"
"""The special table of the map, for amendments."""


class State(GameState):
    """The whole game."""

    records: ClassVar[dict[str, type]] = {
        **GameState.records,
        "eras": Era,
        "gods": God,
        "absences": Absence,
        "purses": Purse,
        "pools": Pool,
        "cards": Cards,
        "factors": Factor,
        "races": Race,
        "shares": Share,
        "cities": City,
        "features": Feature,
        "wars": War,
        "policies": WarPolicy,
        "orders": PantheonOrder,
        "numbers": QueueNumber,
        "holders": NumberHolder,
        "lines": Line,
        "modifications": Modification,
        "cuts": Cut,
        "migrations": Migration,
        "authorships": Authorship,
        "deeds": Deed,
        "signatures": Signature,
        "proposals": Proposal,
        "tasks": Task,
        "grants": Grant,
        "laws": Law,
        "lands": Land,
        "later_turmoils": LaterTurmoil,
        "growth_plans": GrowthPlan,
        "previews": Preview,
    }
    composite: ClassVar[dict[str, tuple[str, ...]]] = {
        **GameState.composite,
        "absences": ("seat",),
        "cards": ("seat", "sphere"),
        "factors": ("seat", "source"),
        "shares": ("race", "member"),
        "policies": ("war", "race"),
        "numbers": ("number",),
        "holders": ("number",),
        "lines": ("kind", "key"),
        "grants": ("seat", "power", "source"),
        "laws": ("name",),
        "later_turmoils": ("race",),
    }
    amendable: ClassVar[frozenset[str]] = frozenset(
        {
            "races",
            "shares",
            "cities",
            "features",
            "wars",
            "purses",
            "cards",
            "lines",
            "gods",
            "squares",
            "modifications",
            "cuts",
            "migrations",
            "grants",
            "lands",
        }
    )

    def __init__(self, table: GameInfo, shelf: Mapping[int, Pack]) -> None:
        super().__init__(table)
        self._shelf = shelf
        """Packs by version: data handed in from outside, pinned by `Era.pack_version`."""
        self.board = Board(0, 0)
        self._landmarks: Landmarks | None = None
        self.eras: Rows[UUID, Era] = Rows()
        self.gods: Rows[UUID, God] = Rows()
        self.absences: Rows[UUID, Absence] = Rows()
        self.purses: Rows[UUID, Purse] = Rows()
        self.pools: Rows[UUID, Pool] = Rows()
        self.cards: Rows[tuple[UUID, str], Cards] = Rows()
        self.factors: Rows[tuple[UUID, str], Factor] = Rows()
        self.races: Rows[UUID, Race] = Rows()
        self.shares: Rows[tuple[UUID, str], Share] = Rows()
        self.cities: Rows[UUID, City] = Rows()
        self.features: Rows[UUID, Feature] = Rows()
        self.wars: Rows[UUID, War] = Rows()
        self.policies: Rows[tuple[UUID, UUID], WarPolicy] = Rows()
        self.orders: Rows[UUID, PantheonOrder] = Rows()
        self.numbers: Rows[int, QueueNumber] = Rows()
        self.holders: Rows[int, NumberHolder] = Rows()
        self.lines: Rows[tuple[str, str], Line] = Rows()
        self.modifications: Rows[UUID, Modification] = Rows()
        self.cuts: Rows[UUID, Cut] = Rows()
        self.migrations: Rows[UUID, Migration] = Rows()
        self.authorships: Rows[UUID, Authorship] = Rows()
        self.deeds: Rows[UUID, Deed] = Rows()
        self.signatures: Rows[UUID, Signature] = Rows()
        self.proposals: Rows[UUID, Proposal] = Rows()
        self.tasks: Rows[UUID, Task] = Rows()
        self.grants: Rows[tuple[UUID, str, str], Grant] = Rows()
        self.laws: Rows[str, Law] = Rows()
        self.lands: Rows[UUID, Land] = Rows()
        self.later_turmoils: Rows[UUID, LaterTurmoil] = Rows()
        self.growth_plans: Rows[UUID, GrowthPlan] = Rows()
        self.previews: Rows[UUID, Preview] = Rows()

    @property
    def era(self) -> Era:
        """The clock of Era Centrum."""
        return self.eras.get(self.table.id) or Era(self.table.id)

    def set_era(self, **changes: Any) -> None:
        """Change the clock of Era Centrum."""
        self.eras[self.table.id] = replace(self.era, **changes)

    @property
    def pack(self) -> Pack:
        """The pinned data pack."""
        return self._shelf[self.era.pack_version]

    @property
    def shelf(self) -> Mapping[int, Pack]:
        """Every pack that a game may be played with, by version."""
        return self._shelf

    def hand_packs(self, shelf: Mapping[int, Pack]) -> None:
        """Lay other packs on the shelf: those of the service, where the game is not played in memory alone."""
        self._shelf = shelf

    @property
    def landmarks(self) -> Landmarks:
        """Where features and cities stand: looked up once for as long as none of them changes."""
        if self._landmarks is None or not self._landmarks.true_of(self):
            self._landmarks = Landmarks.of(self)
        return self._landmarks

    def name_of(self, thing: str) -> str | None:
        return super().name_of(thing) or thing_name(self, thing)

    def require(self, *phases: Phase) -> None:
        """Refuse unless the game is in one of these phases."""
        if self.table.paused_at is not None:
            raise Refused("clock.paused", "The clock stands still; wait until the GM resumes.", rules=("G2-TIME-5",))
        if self.era.phase not in phases:
            raise Refused(
                "phase.closed",
                phase_refusal(self.era, phases),
                rules=("G2-SET-1",) if phases == (Phase.SETUP,) else ("G2-TIME-3",),
                phase=str(self.era.phase),
            )

    def race(self, race: UUID) -> Race:
        """A race of this game. Raises `race.missing`."""
        if race not in self.races:
            raise Refused("race.missing", "There is no such race in this game.")
        return self.races[race]

    def living(self) -> list[Race]:
        """The races that are not extinct, by id (G2-DICE-3)."""
        return sorted((r for r in self.races.values() if not r.extinct), key=lambda r: r.id)

    def contacts(self, race: UUID) -> list[UUID]:
        """The races with which a race is in contact, by id (G2-MOVE-6)."""
        return contacts(self, race)

    def pantheon(self, race: UUID) -> dict[str, int]:
        """Shares of a race's members: gods by id, then atheism, diabolism (G2-TURM-4)."""
        held = {s.member: s.share for (r, _), s in self.shares.items() if r == race}
        return dict(sorted(held.items(), key=lambda i: (i[0] in (ATHEISM, DIABOLISM), i[0])))

    def reseat(self, seat: UUID) -> None:
        """Whoever takes a seat is here."""
        if seat in self.absences:
            del self.absences[seat]

    def shift(self, by: timedelta) -> None:
        super().shift(by)
        era = self.era
        if era.ends_at is not None and self.table.id in self.eras:
            self.set_era(
                starts_at=era.starts_at and era.starts_at + by,
                activity_ends_at=era.activity_ends_at and era.activity_ends_at + by,
                ends_at=era.ends_at + by,
            )
        for war in list(self.wars.values()):
            if war.status is WarStatus.DECLARED and war.due is not None:
                self.wars[war.id] = replace(war, due=war.due + by)

    def invariants(self) -> None:
        """Refuse (`amend.invalid`) a state that cannot be, naming every violation."""
        if found := violations(self):
            raise Refused("amend.invalid", " ".join(found), rules=("G2-LOG-1",), violations=found)

    def is_special(self, table: str) -> bool:
        """The map stands in arrays; its rows are squares with the key `x,y`."""
        return table == SQUARES

    def plain_special(self, table: str, row: str) -> dict[str, Any] | None:
        return plain_square(self.board, row) if table == SQUARES else None

    def write_special(self, table: str, row: str, values: dict[str, Any]) -> None:
        """Change a square. Raises `amend.invalid`, `square.off_map`, `race.missing`."""
        write_square(self, row, values)
