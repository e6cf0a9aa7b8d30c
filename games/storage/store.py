"""Rows <-> state, for every ruleset: `load` is a fixed number of queries, `save` writes what was touched, in bulk.

A ruleset's own store (`games.<game>.store.STORE`) names what differs; `games.storage.tables` knows how a table is read
and written.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, ClassVar, Generic
from uuid import UUID

from core.columns import Writes
from games import models
from games.engine.game_state import GameInfo, GameState, S, Status
from games.engine.kernel import EventRecord
from games.engine.lifecycle.waiting import waiting_for
from games.engine.ruleset import Ruleset
from games.engine.state import Table
from games.storage.chronicle import Entry
from games.storage.drawing import Drawing, Squares
from games.storage.tables import Mapped, model_of, standing_alone
from worlds import models as world_models
from worlds.drawing.map_view import PlanLand
from worlds.visibility import Visibility

MORE = "*"
"""What a ruleset shows besides its tables, as one name."""
TABLE_FIELDS = (
    "name", "options", "paused_at", "last_at", "rewinds", "timers_set", "is_public", "commitment",
)  # fmt: skip


class Store(Generic[S]):
    """The store of one ruleset: its tables, and what else its state holds.

    A table is held by the model of its record's name, in columns of its fields' names (`games.storage.tables.part_of`);
    the store of a game names those tables alone that differ.
    """

    more: ClassVar[Mapping[str, Any]] = {}
    """What `view_more` shows: its names, and the type of each."""
    drawing: ClassVar[Drawing] = Squares()
    """What a game is drawn as: the map of its world's rows, where its ruleset says nothing else."""

    def __init__(self, ruleset: Ruleset[S], own: ModuleType, *differing: Mapped) -> None:
        """Own: the game's module of models."""
        self.ruleset = ruleset
        self.own = own
        declared: Mapping[str, Table] = ruleset.new_state(UUID(int=0)).tables
        given = {mapped.table: mapped for mapped in differing}
        self.tables = standing_alone(
            [
                given.get(name) or Mapped.of(table, model_of(table, own, models, world_models))
                for name, table in declared.items()
            ]
        )

    @property
    def own_tables(self) -> Iterator[Mapped]:
        """The tables whose rows are the game's own, and neither every game's nor entities of the world."""
        return (m for m in self.tables if m.parts[-1].model.__module__.startswith(self.own.__name__))

    @property
    def shown_tables(self) -> Iterator[Mapped]:
        """The tables whose rows are part of the state that is shown."""
        return (mapped for mapped in self.tables if not mapped.declared.ledger)

    def new_state(self, game: UUID) -> S:
        """The state of a game in which nothing has happened yet."""
        return self.ruleset.new_state(game)

    def load(self, game: models.Game) -> S:
        """The state of a game from its rows, in a fixed number of queries."""
        state = self.new_state(game.pk)
        state.info = table_of(game)
        self.load_more(state, game)
        for mapped in self.tables:
            mapped.load(state, game)
        return state

    def update_row(self, game: models.Game, state: S) -> None:
        """Set the game's own row to what the state says; the caller saves it."""
        for name in TABLE_FIELDS:
            setattr(game, name, getattr(state.info, name))
        game.status = state.info.status.value
        for name, value in position_of(state, self.ruleset).items():
            setattr(game, name, value)

    def save(self, state: S, game: models.Game, entries: Sequence[Entry], writes: Writes) -> None:
        """Write what was touched, by columns. entries: of `retell`."""
        for mapped in self.tables:
            mapped.save(state, game, writes)
        self.save_more(state, game, entries, writes)

    def retell(self, state: S, game: models.Game, happened: Sequence[EventRecord], head: int) -> Sequence[Entry]:
        """What the chronicle of the game's world retells of what has just happened.

        head: that of the public stream before it.
        """
        return ()

    def is_written_at_once(self, happened: Sequence[EventRecord]) -> bool:
        """Whether what has happened must be in the rows before more happens."""
        return False

    def dirty(self, state: S) -> frozenset[str]:
        """The tables that were touched since the state was stored; `MORE` for what is no table."""
        names = {name for name, rows in state.rows() if rows.dirty}
        return frozenset(names | {MORE} if self.is_more_dirty(state) else names)

    def is_more_dirty(self, state: S) -> bool:
        """Whether what `view_more` shows may have been touched: wherever a ruleset shows more and knows no better."""
        return bool(self.more)

    def load_more(self, state: S, game: models.Game) -> None:
        """Read what is no table, before the tables: a board."""

    def view_more(self, game: models.Game, visibility: Visibility) -> dict[str, Any]:
        """What this viewer may see of what is no table, always under the names that `more` declares."""
        return {}

    def caption(self, game: models.Game) -> str:
        """Where the game is now: what stands under the title of its picture."""
        return game.status

    def lands(self, game: models.Game) -> Sequence[PlanLand]:
        """Named lands for the map of a game's world that stand in rows of the ruleset's own."""
        return ()

    def save_before(self, state: S, game: models.Game, happened: Sequence[EventRecord]) -> None:
        """Write what the tables refer to, a world, and delete what is undone."""

    def save_more(self, state: S, game: models.Game, entries: Sequence[Entry], writes: Writes) -> None:
        """Write what is no table, by columns: squares, the chronicle."""

    def save_after(
        self, state: S, game: models.Game, happened: Sequence[EventRecord], touched: Collection[str]
    ) -> None:
        """Write what follows from the rows. touched: the tables that were touched, as in `dirty`."""


def position_of(state: GameState, ruleset: Ruleset) -> dict[str, Any]:
    """Where a game is and who is waited for, as columns of its row: what follows from the state alone."""
    waiting = [each.as_json() for each in waiting_for(state)]
    return {
        "chapter": state.chapter,
        "step": str(state.step),
        "waiting_for": json.dumps(waiting, separators=(",", ":")),
    }


def table_of(game: models.Game) -> GameInfo:
    """The table record of a game's row."""
    return GameInfo(
        id=game.pk,
        ruleset=game.ruleset,
        status=Status(game.status),
        **{name: getattr(game, name) for name in TABLE_FIELDS},
    )
