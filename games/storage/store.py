"""Rows <-> state, for every ruleset: `load` is a fixed number of queries, `save` writes what was touched, in bulk.

A ruleset's own store (`games.<game>.store.STORE`) names its tables; this module knows how a table is read and written.
It is long for a reason: what reads a row must stand beside what writes it.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from functools import cache, cached_property, reduce
from operator import or_
from types import NoneType
from typing import Any, ClassVar, get_args, get_type_hints
from uuid import UUID

from django.db.models import Model, Q, QuerySet
from pydantic import TypeAdapter

from accounts.prepared_queries import Insertion, Statement
from games import models
from games.engine.floor import Floor, FloorKind
from games.engine.game_state import GameInfo, GameState, Status
from games.engine.kernel import EventRecord
from games.engine.ruleset import Ruleset
from games.engine.wording import decimal_text
from worlds.drawing.map_view import MapPlan, PlanLand
from worlds.models import World, WorldMember
from worlds.visibility import Visibility

CHUNK = 500  # keys in one DELETE: SQLite takes 32,766 variables, PostgreSQL plans short lists better
MORE = "*"
"""What a ruleset shows besides its tables, as one name."""
TOGETHER = 200  # keys of several parts in one DELETE: SQLite nests 1,000 conditions at most


@dataclass(frozen=True, slots=True)
class Codec:
    """How one field of a record stands in its column."""

    to_row: Callable[[Any], Any]
    from_row: Callable[[Any], Any]
    to_json: Callable[[Any], Any] = lambda value: value
    """From the column to what an API sends."""


@cache
def json_codec(hint: Any) -> Codec:
    """A field kept as JSON text: tuples and other shapes that no column holds."""
    adapter: TypeAdapter[Any] = TypeAdapter(hint)
    return Codec(lambda value: adapter.dump_json(value).decode(), adapter.validate_json, json.loads)


@cache
def codec_of(record: type, name: str) -> Codec:
    """The codec of a field by its type: enums by value (or nothing), tuples as JSON, everything else as it is.

    A decimal has as many noughts in its column as that has places; it loses them, and their exponent, on the way out.
    """
    hint = get_type_hints(record)[name]
    if getattr(hint, "__origin__", None) is tuple:
        return json_codec(hint)
    kinds = [kind for kind in get_args(hint) or (hint,) if kind is not NoneType]
    if kinds == [Decimal]:
        return Codec(lambda value: value, lambda value: Decimal(decimal_text(value)), decimal_text)
    if len(kinds) == 1 and isinstance(kinds[0], type) and issubclass(kinds[0], str) and kinds[0] is not str:
        kind = kinds[0]
        return Codec(
            lambda value: None if value is None else str(value), lambda value: None if value is None else kind(value)
        )
    return Codec(lambda value: value, lambda value: value)


Follows = Callable[[Any, Any, models.Game], Any]
"""What a column holds that follows from a record, its state and its game."""


@dataclass(frozen=True)
class Part:
    """One model of a table: which record fields stand in which columns (attribute names, so `race_id`)."""

    model: type[Model]
    columns: Mapping[str, str]
    key: tuple[str, ...]
    """Record fields that identify the row."""
    scope: str = "game_id"
    """The column that holds the game's or world's id; "" where the key says it all."""
    codecs: Mapping[str, Callable[[models.Game], Codec]] = field(default_factory=dict)
    """Codecs that must know the game: squares by their ids."""
    copies: Mapping[str, "str | Follows"] = field(default_factory=dict)
    """Further columns: the record fields whose values they repeat, or how they follow from the record."""
    at: str = ""
    """The column that says where a record is that has its square in the fields `x` and `y`."""
    unique: tuple[str, ...] = ()
    """The columns of the unique constraint that an upsert meets, where it is neither the key nor scope and key."""

    def column(self, name: str) -> str:
        """The column that holds a record field, or the square it is a part of."""
        return self.columns[name] if name in self.columns or not self.at else self.at

    def lookup(self, name: str) -> str:
        """Where a record field is read from this model: its column, or `x` or `y` of the square."""
        own = name in self.columns or not self.at
        return self.columns[name] if own else f"{self.at.removesuffix('_id')}__{name}"

    def row_of(
        self, record: Any, state: Any, game: models.Game, scope: Any, codecs: Mapping[str, Callable[[Any], Any]]
    ) -> Model:
        """The row of a record. scope: the id of its game or world, where it has a column for it."""
        values = {self.scope: scope} if self.scope else {}
        values |= {column: codecs[name](getattr(record, name)) for name, column in self.columns.items()}
        for column, source in self.copies.items():
            if isinstance(source, str):
                values[column] = codecs[source](getattr(record, source))
            else:
                values[column] = source(record, state, game)
        if self.at:
            values[self.at] = square_id_at(game, record.x, record.y)
        return self.model(**values)


@dataclass(frozen=True)
class Mapped:
    """A table of the state and the models that hold it; the first part is the one that is created first.

    `paths` names where the other parts' columns are found from the last part, for loading in one query.
    """

    table: str
    record: type
    parts: tuple[Part, ...]
    via: Mapping[str, str] = field(default_factory=dict)
    """Record field -> lookup path from the last part's model, for fields of the other parts."""
    hidden: frozenset[str] = frozenset()
    """Record fields that no viewer is shown: what counts secrets."""
    where: str = "game_id"
    """The filter on the last part that selects one game's rows."""

    def codec(self, name: str, game: models.Game) -> Codec:
        """The codec of a record field."""
        for part in self.parts:
            if name in part.codecs:
                return part.codecs[name](game)
        return codec_of(self.record, name)

    def scope_of(self, column: str, game: models.Game) -> Any:
        """The value that selects one game's rows in a column: the world's id or the game's."""
        return game.world_id if column.endswith("world_id") else game.pk

    def names(self) -> list[str]:
        """The record's fields, in order."""
        return [f.name for f in fields(self.record)]

    def load(self, state: Any, game: models.Game) -> None:
        """Read the rows of one game: one query; none for rows of the world where the game has none."""
        scope = self.scope_of(self.where, game)
        if scope is None:
            return
        names = self.names()
        codecs = [self.codec(name, game).from_row for name in names]
        rows = getattr(state, self.table)
        for values in self._selection.rows(scope):
            record = self.record(**{n: read(v) for n, read, v in zip(names, codecs, values, strict=True)})
            rows.load(state.key_of(self.table, record), record)

    @cached_property
    def _selection(self) -> Statement:
        """The query of `load`, built once: a state has some 40 tables, and building takes longer than asking."""
        last = self.parts[-1]
        paths = [self.via.get(name) or last.lookup(name) for name in self.names()]
        return Statement(
            lambda scope: self._ordered(last.model._default_manager.all(), scope).values_list(*paths), UUID
        )

    def view(self, game: models.Game, sight: Visibility) -> list[dict[str, Any]]:
        """The rows of one game that these eyes may see, as JSON values by record field: one query."""
        last = self.parts[-1]
        names = [name for name in self.names() if name not in self.hidden]
        paths = [self.via.get(name) or last.lookup(name) for name in names]
        shapes = [self.codec(name, game) for name in names]
        seen = last.model._default_manager.visible_to(sight)  # type: ignore[attr-defined]
        here = self.in_order(seen, game).values_list(*paths)
        return [{n: c.to_json(v) for n, c, v in zip(names, shapes, row, strict=True)} for row in here]

    def in_order(self, rows: QuerySet[Any], game: models.Game) -> QuerySet[Any]:
        """The rows of one game in the model's order, which the key makes whole.

        Else a database tells equal rows in the order in which it has written them, and that tells of writings.
        """
        return self._ordered(rows, self.scope_of(self.where, game))

    def _ordered(self, rows: QuerySet[Any], scope: Any) -> QuerySet[Any]:
        here = rows.filter(**{self.where: scope})
        return here.order_by(*(self.parts[-1].model._meta.ordering or ()), "pk")

    def save(self, state: Any, game: models.Game) -> None:
        """Write the touched rows: one delete and one upsert for each model.

        What is gone goes first: a new row may take the place, or the name, of one that is no more.
        """
        rows = getattr(state, self.table)
        if not rows.dirty:
            return
        present = [rows[key] for key in rows.dirty if key in rows]
        absent = [key for key in rows.dirty if key not in rows]
        for part in reversed(self.parts):
            self._delete(part, absent, game)
        for part in self.parts:
            self._upsert(part, present, state, game)
        rows.dirty.clear()

    def _upsert(self, part: Part, records: Sequence[Any], state: Any, game: models.Game) -> None:
        if not records:
            return
        scope = self.scope_of(part.scope, game)
        codecs = {name: self.codec(name, game).to_row for name in part.columns}
        objects = [part.row_of(record, state, game, scope, codecs) for record in records]
        identity = list(dict.fromkeys(part.column(name) for name in part.key))
        unique = list(part.unique) or (identity if _is_pk(part.model, identity) else [part.scope, *identity])
        held = (*part.columns.values(), *part.copies, *([part.at] if part.at else []))
        changing = [c for c in held if c not in (*identity, *unique)]
        changing = changing or [part.scope]  # never "ignore conflicts": SQLite would swallow every other fault too
        names = [tuple(_field_name(part.model, c) for c in columns) for columns in (unique, changing)]
        if len(objects) == 1:
            insertion(part.model, *names).insert(objects[0])
            return
        part.model._default_manager.bulk_create(
            objects, update_conflicts=True, unique_fields=names[0], update_fields=names[1]
        )

    def _delete(self, part: Part, keys: Collection[Any], game: models.Game) -> None:
        scope = {part.scope: self.scope_of(part.scope, game)} if part.scope else {}
        if not keys:
            return
        if len(part.key) == 1:
            column = part.columns[part.key[0]]
            for some in chunks(list(keys)):
                part.model._default_manager.filter(**scope, **{f"{column}__in": some}).delete()
            return
        columns = [part.lookup(name) for name in part.key]
        for some in chunks(list(keys), TOGETHER):
            named = (Q(**dict(zip(columns, key, strict=True))) for key in some)
            part.model._default_manager.filter(reduce(or_, named), **scope).delete()


def chunks(values: Sequence[Any], size: int = CHUNK) -> Iterator[Sequence[Any]]:
    """The values in pieces of at most `size`."""
    return (values[i : i + size] for i in range(0, len(values), size))


@cache
def insertion(model: type[Model], unique: tuple[str, ...], changing: tuple[str, ...]) -> Insertion:
    """How one row of a model is written, whether it is new or not."""
    return Insertion(model, unique, changing)


@cache
def _field_name(model: type[Model], column: str) -> str:
    """The field's name for an attribute name (`race_id` -> `race`)."""
    return next(f.name for f in model._meta.concrete_fields if column in (f.attname, f.name))


def _is_pk(model: type[Model], columns: Sequence[str]) -> bool:
    pk = model._meta.pk
    return list(columns) in ([pk.name], [pk.attname])


def square_id_at(game: models.Game, x: int, y: int) -> int:
    """The id of the square (x, y) of a game's world."""
    if game.world is None:
        raise RuntimeError("squares need a world")
    return game.world.square_id(x, y)


def same(
    record: type,
    model: type[Model],
    key: tuple[str, ...] = ("id",),
    scope: str = "game_id",
    at: str = "",
    **renamed: str,
) -> Part:
    """A part whose columns are called as the record's fields; foreign keys by their id column.

    at: the column with the record's square, where that stands in its fields `x` and `y`.
    """
    attnames = {f.name: f.attname for f in model._meta.concrete_fields}
    plain = [f.name for f in fields(record) if not at or f.name not in ("x", "y")]
    columns = {name: renamed.get(name) or attnames[name] for name in plain}
    part = Part(model, columns, key, scope, at=at)
    names = {f.attname: f.name for f in model._meta.concrete_fields}
    own = list(dict.fromkeys(part.column(name) for name in key))
    constraints = [set(c.fields) for c in model._meta.total_unique_constraints]
    return replace(part, unique=tuple(own) if {names[c] for c in own} in constraints else ())


# A timer's generation counts every timer, hidden ones too; its arguments are the clock's own business.
HIDDEN = {"timers": frozenset({"generation", "arguments"})}
TABLE_TABLES: tuple[Mapped, ...] = tuple(
    Mapped(name, record, (same(record, model, key, **renamed),), hidden=HIDDEN.get(name, frozenset()))
    for name, record, model, key, renamed in (
        ("seats", GameState.records["seats"], models.Seat, ("id",), {}),
        ("invitations", GameState.records["invitations"], models.Invitation, ("id",), {}),
        ("timers", GameState.records["timers"], models.Timer, ("key",), {"shown": "audience"}),
        ("prompts", GameState.records["prompts"], models.Prompt, ("id",), {}),
        ("answers", GameState.records["answers"], models.Answer, ("prompt", "owner"), {}),
        ("standing", GameState.records["standing"], models.StandingAnswer, ("seat", "kind"), {}),
        ("entered", GameState.records["entered"], models.EnteredDie, ("label", "index"), {}),
    )
)
TABLE_FIELDS = (
    "name", "options", "paused_at", "last_at", "rewinds", "timers_set", "is_public", "commitment",
)  # fmt: skip


class Store:
    """The store of one ruleset: its tables, and what else its state holds."""

    draws: ClassVar[bool] = False
    """Whether a game's map of now is drawn by `plan` too: the world's rows do not tell all that is on it."""

    def __init__(self, ruleset: Ruleset, *tables: Mapped) -> None:
        self.ruleset = ruleset
        self.tables = (*TABLE_TABLES, *tables)

    def new_state(self, game: UUID) -> Any:
        """The state of a game in which nothing has happened yet."""
        return self.ruleset.new_state(game)

    def load(self, game: models.Game) -> Any:
        """The state of a game from its rows, in a fixed number of queries."""
        state = self.new_state(game.pk)
        state.table = table_of(game)
        state.floor = Floor(FloorKind(game.floor_kind), tuple(UUID(i) for i in json.loads(game.floor_holders)))
        self.load_more(state, game)
        for mapped in self.tables:
            mapped.load(state, game)
        return state

    def save(self, game: models.Game, state: Any, happened: Sequence[EventRecord]) -> None:
        """Write what was touched. The game's own row is set here and saved by the caller."""
        for name in TABLE_FIELDS:
            setattr(game, name, getattr(state.table, name))
        game.status = state.table.status.value
        game.floor_kind = state.floor.kind.value
        game.floor_holders = json.dumps([str(i) for i in state.floor.holders])
        self.save_before(state, game, happened)
        for mapped in self.tables:
            mapped.save(state, game)
        if not state.table.is_public and game.world is not None:
            keep_members(state, game.world)
        self.save_more(state, game, happened)

    def dirty(self, state: Any) -> frozenset[str]:
        """The tables that were touched since the state was stored; `MORE` for what is no table."""
        names = {name for name, rows in state.rows() if rows.dirty}
        return frozenset(names | {MORE} if self.is_more_dirty(state) else names)

    def is_more_dirty(self, state: Any) -> bool:
        """Whether what `view_more` tells may have been touched: always, where a ruleset knows no better."""
        return True

    def load_more(self, state: Any, game: models.Game) -> None:
        """Read what is no table, before the tables: a board."""

    def view_more(self, game: models.Game, sight: Visibility) -> dict[str, Any]:
        """What these eyes may see of what is no table, always under the same names."""
        return {}

    def caption(self, game: models.Game) -> str:
        """What stands under the title of the game's map: where the game is now."""
        return game.status

    def plan(self, state: Any, game: models.Game, subtitle: str) -> MapPlan | None:
        """The map of a state as somebody may see it, to be drawn; None where a ruleset draws none but that of rows."""
        return None

    def lands(self, game: models.Game) -> Sequence[PlanLand]:
        """Named lands for the map of a game's world that stand in rows of the ruleset's own."""
        return ()

    def save_before(self, state: Any, game: models.Game, happened: Sequence[EventRecord]) -> None:
        """Write what the tables refer to: a world."""

    def save_more(self, state: Any, game: models.Game, happened: Sequence[EventRecord]) -> None:
        """Write what is no table: squares, the chronicle."""


def keep_members(state: Any, world: World) -> None:
    """The people who sit in a private game may see its world, and nobody else."""
    seated = {seat.user for seat in state.seats.values() if seat.user is not None}
    members = WorldMember.objects.filter(world=world)
    known = set(members.values_list("user_id", flat=True))
    if known - seated:
        members.filter(user_id__in=known - seated).delete()
    WorldMember.objects.bulk_create(WorldMember(world=world, user_id=user) for user in seated - known)


def table_of(game: models.Game) -> GameInfo:
    """The table record of a game's row."""
    return GameInfo(
        id=game.pk,
        ruleset=game.ruleset,
        status=Status(game.status),
        **{name: getattr(game, name) for name in TABLE_FIELDS},
    )
