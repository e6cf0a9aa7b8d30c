"""Rows <-> state of The Gods II: common entities in `worlds`, numbers on sheets, the map as a board.

Each table whose rows are not plain records is read and written here.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, cast
from uuid import UUID

from django.db.models import Model

from core.columns import RowEraser, RowWriter, Writes
from core.prepared_queries import Statement
from games import models
from games.engine.kernel import Event
from games.engine.wording import capital
from games.gods2 import models as own
from games.gods2.packs.library import Library
from games.gods2.pictures import plan_of
from games.gods2.rules import RULESET
from games.gods2.rules.century.charts import CHAPTERS
from games.gods2.rules.game import Game
from games.gods2.rules.setup.events import RaceDefined
from games.gods2.rules.state import records as rec
from games.gods2.rules.state.constants import TERRAINS
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import ShareOf
from games.gods2.rules.state.wording import stand_name
from games.storage import board_store
from games.storage.chronicle import Entry
from games.storage.codecs import SQUARES, Codec
from games.storage.drawing import Squares
from games.storage.tables import Mapped, Part
from games.storage.world_rows import WorldStore
from worlds.drawing.map_view import PlanLand
from worlds.models import Deity, PantheonShare, Presence, Race
from worlds.visibility import Visibility

SPECIAL = (rec.ATHEISM, rec.DIABOLISM)
KEYED: tuple[type[Model], ...] = (own.RaceAttribute, own.RaceKnowledge)
KEYS = {model: RowWriter(model, ("race_id", "key", "game_id")) for model in KEYED}
KEYS_OF_RACE = {model: RowEraser(model, ("race_id",)) for model in KEYED}
SHARES = RowWriter(PantheonShare, ("race_id", "deity_id", "special", "share"))
SHARES_OF_DEITIES = RowEraser(PantheonShare, ("race_id", "deity_id"))
SPECIAL_SHARES = RowEraser(PantheonShare, ("race_id", "special"))


def _keys_of_game(model: type[Model]) -> Statement:
    """The races of a game with their keys of one kind."""
    return Statement(lambda game: model._default_manager.filter(game=game).values_list("race_id", "key"), UUID)


def _shares_of(shares: Any, world: UUID | None) -> Any:
    """Shares of a world's pantheons, in order."""
    ordered = shares.filter(race__world_id=world).order_by("race", "special", "deity")
    return ordered.values_list("race_id", "deity_id", "special", "share")


KEYS_OF_GAME = {model: _keys_of_game(model) for model in KEYED}
SHARES_OF_WORLD = Statement(lambda world: _shares_of(PantheonShare.objects.all(), world), UUID)

PANTHEON = Codec(
    lambda pairs: json.dumps([{"member": member, "share": share} for member, share in pairs]),
    lambda text: tuple((each["member"], each["share"]) for each in json.loads(text)),
    json.loads,
    shown=tuple[ShareOf, ...],
)
"""Members and shares stored as JSON of {member, share}."""


class Races(Mapped):
    """Races: the world's row, the sheet, and a row for each attribute and knowledge."""

    keyed: ClassVar[tuple[tuple[str, type[Model]], ...]] = (
        ("attributes", own.RaceAttribute),
        ("knowledges", own.RaceKnowledge),
    )

    def load(self, state: Game, game: models.Game) -> None:
        super().load(state, game)
        for name, model in self.keyed:
            for race, keys in self._keys(model, game).items():
                changes: dict[str, Any] = {name: tuple(sorted(keys))}
                state.races.load(race, replace(state.races[race], **changes))

    def view(self, game: models.Game, visibility: Visibility) -> list[dict[str, Any]]:
        rows = super().view(game, visibility)
        for name, model in self.keyed:
            keys = self._keys(model, game)
            for row in rows:
                row[name] = sorted(keys.get(row["id"], ()))
        return rows

    def _keys(self, model: type[Model], game: models.Game) -> dict[UUID, list[str]]:
        found: dict[UUID, list[str]] = {}
        for race, key in KEYS_OF_GAME[model].rows(game.pk):
            found.setdefault(race, []).append(key)
        return found

    def save(self, state: Game, game: models.Game, writes: Writes) -> None:
        touched = [state.races[key] for key in state.races.dirty if key in state.races]
        super().save(state, game, writes)
        for name, model in self.keyed:
            writes.erase(KEYS_OF_RACE[model], [[race.id] for race in touched])
            writes.write(KEYS[model], [[race.id, key, game.pk] for race in touched for key in getattr(race, name)])


class Shares(Mapped):
    """Shares of pantheons: a deity, or diabolism or atheism, in columns of their own."""

    def load(self, state: Game, game: models.Game) -> None:
        if game.world_id is None:
            return
        for race, deity, special, share in SHARES_OF_WORLD.rows(game.world_id):
            member = special or str(deity)
            state.shares.load((race, member), rec.Share(race, member, share))

    def view(self, game: models.Game, visibility: Visibility) -> list[dict[str, Any]]:
        rows = _shares_of(PantheonShare.objects.visible_to(visibility), game.world_id)
        return [{"race": race, "member": special or str(deity), "share": share} for race, deity, special, share in rows]

    def save(self, state: Game, game: models.Game, writes: Writes) -> None:
        touched = sorted(state.shares.dirty)
        writes.erase(SHARES_OF_DEITIES, [[race, UUID(member)] for race, member in touched if member not in SPECIAL])
        writes.erase(SPECIAL_SHARES, [pair for pair in touched if pair[1] in SPECIAL])
        writes.write(
            SHARES,
            [
                [race, None if member in SPECIAL else UUID(member), member if member in SPECIAL else "",
                 state.shares[race, member].share]
                for race, member in touched if (race, member) in state.shares
            ]
        )  # fmt: skip
        state.shares.dirty.clear()


TABLES = State.tables
DIFFERING = (
    Mapped.of_sheet(TABLES["gods"], Deity, own.GodSheet, sheet_copies={"seat_id": "id"}),
    Races.of_sheet(TABLES["races"], Race, own.RaceSheet),
    Shares(TABLES["shares"], (Part(PantheonShare, {}, ("race", "member"), ""),)),
    Mapped.of(TABLES["orders"], own.PantheonOrder, codecs={"pantheon": PANTHEON}),
)


class Gods2Store(WorldStore[Game]):
    """The store of The Gods II: packs handed in, a board beside the tables, a chronicle of its history."""

    more: ClassVar[Mapping[str, Any]] = {"map": board_store.MapShape | None}
    drawing = Squares(plan_of)
    peopled: ClassVar[tuple[type[Event], ...]] = (RaceDefined,)

    def new_state(self, game: UUID) -> Game:
        state = super().new_state(game)
        state.use_packs(Library())
        return state

    def load(self, game: models.Game) -> Game:
        state = super().load(game)
        if state.era.pack_version:
            cast("Library", state.packs).expect(state.era.pack_version, state.era.pack_digest)
        return state

    def load_more(self, state: Game, game: models.Game) -> None:
        state.board = board_store.load_board(game.world, TERRAINS)

    def view_more(self, game: models.Game, visibility: Visibility) -> dict[str, Any]:
        return dict(board_store.view_board(game, Presence.objects.visible_to(visibility)))

    def is_more_dirty(self, state: Game) -> bool:
        board = state.board
        return bool(board.dirty_units.any() or board.dirty_terrain.any())

    def caption(self, game: models.Game) -> str:
        era = own.Era.objects.filter(game=game).first()
        return capital(stand_name(era.phase, era.century)) if era and era.century else "Before the first century"

    def heading(self, state: Game) -> str:
        return CHAPTERS.title(state.chapter)

    def size(self, state: Game) -> tuple[int, int]:
        return state.board.width, state.board.height

    def lands(self, game: models.Game) -> Sequence[PlanLand]:
        rows = own.Land.objects.filter(game=game).order_by("name", "id").values_list("name", "squares")
        read = SQUARES.from_row
        return [PlanLand(name, tuple((s.column, s.row) for s in sorted(read(squares)))) for name, squares in rows]

    def save_more(self, state: Game, game: models.Game, entries: Sequence[Entry], writes: Writes) -> None:
        if game.world is not None:
            board_store.save_board(state.board, game.world, TERRAINS, writes)
        super().save_more(state, game, entries, writes)

    def square_of(self, event: Event) -> tuple[int, int] | None:
        """The first square that an event names."""
        places = getattr(event, "squares", ()) or [getattr(event, "square", None)]
        return (places[0].x, places[0].y) if places[0] is not None else None


STORE = Gods2Store(RULESET, own, *DIFFERING)
