"""A table of the state and its models: what reads a row, and beside it what writes it (the reason for its length)."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property, reduce
from operator import or_
from types import MappingProxyType, ModuleType
from typing import Any, ClassVar, Self, cast, get_type_hints
from uuid import UUID

from django.db.models import Model, Q, QuerySet

from core.column_sql import chunks
from core.columns import RowEraser, RowWriter, Writes
from core.naming import naming_fields
from core.prepared_queries import Statement
from core.process_cache import ProcessCache
from games import models
from games.engine.audience import Audience
from games.engine.board.board import Square
from games.engine.state import Table
from games.storage.codecs import Codec, codec_of, square_codec
from worlds.visibility import Visibility

TOGETHER = 200  # keys of several parts in one DELETE: SQLite nests 1,000 conditions at most

Follows = Callable[[Any, Any, models.Game], Any]
"""What a column holds that follows from a record, its state and its game."""
Copies = Mapping[str, "str | Follows"]
"""Columns: the record fields whose values they repeat, or how they follow from the record."""
NOTHING: Mapping[str, Any] = MappingProxyType({})
PLACE = ("x", "y")
"""The fields of a record that say where it is, in one column of its row."""
VIEWS_ROOM = 2_000
_views: ProcessCache[tuple[int, Visibility], Statement] = ProcessCache(VIEWS_ROOM)
"""By table and viewer: the query of what they may see. Tables live as long as the process."""


@dataclass(frozen=True)
class Part:
    """One model of a table: which record fields stand in which columns (attribute names, so `race_id`)."""

    model: type[Model]
    columns: Mapping[str, str]
    key: tuple[str, ...]
    """Record fields that identify the row."""
    scope: str = "game_id"
    """The column that holds the game's or world's id; "" where the key says it all."""
    codecs: Mapping[str, Codec] = field(default_factory=dict)
    """Codecs of fields whose type does not say it."""
    copies: Copies = field(default_factory=dict)
    """Further columns, which follow from the record."""
    at: str = ""
    """The column that says where a record is that has its square in the fields `x` and `y`."""
    unique: tuple[str, ...] = ()
    """The columns of the unique constraint that an upsert meets, where it is neither the key nor scope and key."""
    only: Callable[[Any], bool] = lambda record: True
    """Which records have a row here; never so of the last part, which is read."""
    stands_alone: bool = False
    """Whether rows of its own state alone refer to its rows: one is deleted without a look at what depends on it."""

    def column(self, name: str) -> str:
        """The column that holds a record field, or the square it is a part of."""
        return self.columns[name] if name in self.columns or not self.at else self.at

    def lookup(self, name: str) -> str:
        """Where a record field is read from this model: its column, or `x` or `y` of the square."""
        own = name in self.columns or not self.at
        return self.columns[name] if own else f"{self.at.removesuffix('_id')}__{name}"

    @cached_property
    def written(self) -> tuple[str, ...]:
        """The columns that are written."""
        at = (self.at,) if self.at else ()
        return tuple(dict.fromkeys((*self.scopes, *self.columns.values(), *self.copies, *at)))

    @property
    def scopes(self) -> tuple[str, ...]:
        """The column of the game's or world's id, where there is one."""
        return (self.scope,) if self.scope else ()

    @cached_property
    def identity(self) -> tuple[str, ...]:
        """The columns of the key."""
        return tuple(dict.fromkeys(self.column(name) for name in self.key))

    @cached_property
    def writer(self) -> RowWriter:
        """What writes rows, whether they are new or not."""
        unique = self.unique or (self.identity if _is_pk(self.model, self.identity) else (self.scope, *self.identity))
        changing = [column for column in self.written if column not in (*self.scopes, *self.identity, *unique)]
        # Never "ignore conflicts": SQLite would swallow every other fault too.
        return RowWriter(self.model, self.written, unique, changing or [self.scope])

    @cached_property
    def eraser(self) -> RowEraser:
        """What deletes rows by their keys."""
        return RowEraser(self.model, (*self.scopes, *self.identity))

    def row_of(
        self, record: Any, state: Any, game: models.Game, scope: Any, codecs: Mapping[str, Callable[[Any], Any]]
    ) -> list[Any]:
        """The values of a record in `written`. scope: the id of its game or world, where it has a column for it."""
        values = {self.scope: scope} if self.scope else {}
        values |= {column: codecs[name](getattr(record, name)) for name, column in self.columns.items()}
        for column, source in self.copies.items():
            if isinstance(source, str):
                values[column] = codecs[source](getattr(record, source))
            else:
                values[column] = source(record, state, game)
        if self.at:
            values[self.at] = square_id_at(game, record.x, record.y)
        return [values[column] for column in self.written]

    def is_on_map(self, key: Any, game: models.Game) -> bool:
        """Whether a key has a row: a square beyond the world's edge has gone when the world became smaller."""
        if self.at not in self.identity or game.world is None:
            return True
        place = dict(zip(self.key, key, strict=True))
        return bool(place["x"] < game.world.width and place["y"] < game.world.height)

    def key_row(self, key: Any, game: models.Game, scope: Any, codecs: Mapping[str, Callable[[Any], Any]]) -> list[Any]:
        """The values of a key in the columns of `eraser`."""
        parts = dict(zip(self.key, key if len(self.key) > 1 else (key,), strict=True))
        values = {self.columns[name]: codecs[name](part) for name, part in parts.items() if name in self.columns}
        if self.at in self.identity:
            values[self.at] = square_id_at(game, parts["x"], parts["y"])
        return [*([scope] if self.scope else ()), *(values[column] for column in self.identity)]


@dataclass(frozen=True)
class Mapped:
    """A table of the state and the models that hold it; the first part is the one that is created first.

    A table is read in one query from the model of its last part.
    """

    declared: Table
    parts: tuple[Part, ...]
    via: Mapping[str, str] = field(default_factory=dict)
    """Record field -> lookup path from the last part's model, for fields of the other parts."""
    where: str = "game_id"
    """The filter on the last part that selects one game's rows."""
    keyed: ClassVar[tuple[tuple[str, type[Model]], ...]] = ()
    """Record fields that list the keys of rows in a model of their own."""

    @property
    def table(self) -> str:
        """The table's name."""
        return self.declared.name

    @property
    def record(self) -> type:
        """The class of its records."""
        return self.declared.record

    @property
    def hidden(self) -> frozenset[str]:
        """Record fields that no viewer is shown."""
        return self.declared.hidden

    @classmethod
    def of(
        cls,
        declared: Table,
        model: type[Model],
        *,
        where: str = "",
        copies: Copies = NOTHING,
        codecs: Mapping[str, Codec] = NOTHING,
        renamed: Mapping[str, str] = NOTHING,
    ) -> Self:
        """A table each of whose rows is one row of a model. renamed: record fields whose column is called otherwise."""
        part = replace(part_of(declared, model, copies=copies, renamed=renamed), codecs=codecs)
        found = {f.attname for f in model._meta.concrete_fields}
        return cls(declared, (part,), where=where or ("game_id" if "game_id" in found else "world_id"))

    @classmethod
    def of_sheet(
        cls,
        declared: Table,
        noun: type[Model],
        sheet: type[Model],
        *,
        at: str = "",
        noun_copies: Copies = NOTHING,
        sheet_copies: Copies = NOTHING,
        renamed: Mapping[str, str] = NOTHING,
    ) -> Self:
        """A table each of whose rows is a noun of the world and the game's sheet on it, whose key is the noun.

        What the sheet has no column for stands in the noun. at: the sheet's column with the square, unless `square_id`.
        renamed: record fields whose column in the noun is called otherwise.
        """
        link = sheet._meta.pk.name
        named = [f.name for f in fields(declared.record) if f.name not in dict(cls.keyed)]
        columns = {f.name for f in sheet._meta.concrete_fields}
        placed = set(PLACE) if at or "square" in columns else set()
        own = ["id", *(n for n in named if n in columns | placed and n != "id")]
        rest = ["id", *(n for n in named if n not in own)]
        first = part_of(declared, noun, rest, copies=noun_copies, renamed=renamed)
        second = part_of(declared, sheet, own, at=at, copies=sheet_copies)
        via = {name: f"{link}__{first.lookup(name)}" for name in rest if name != "id"}
        return cls(declared, (first, second), via)

    def codec(self, name: str, game: models.Game) -> Codec:
        """The codec of a record field."""
        for part in self.parts:
            if name in part.codecs:
                return part.codecs[name]
        return square_codec(game) if field_types(self.record)[name] is Square else codec_of(self.record, name)

    def is_json(self, name: str) -> bool:
        """Whether a record field stands in its column as JSON."""
        return (self.parts[-1].codecs.get(name) or codec_of(self.record, name)).to_json is json.loads

    def scope_of(self, column: str, game: models.Game) -> Any:
        """The value that selects one game's rows in a column: the world's id or the game's."""
        return game.world_id if column.endswith("world_id") else game.pk

    def names(self) -> list[str]:
        """The record's fields that stand in the parts, in order."""
        return [f.name for f in fields(self.record) if f.name not in dict(self.keyed)]

    def load(self, state: Any, game: models.Game) -> None:
        """Read the rows of one game: one query; none for rows of the world where the game has none."""
        scope = self.scope_of(self.where, game)
        if scope is None:
            return
        found = self._selection.rows(scope)
        if not found:
            return  # as in most tables of a game: what follows takes as long as the query
        names = self.names()
        codecs = [self.codec(name, game).from_row for name in names]
        rows, key_of = getattr(state, self.table), self.declared.key_of
        for values in found:
            record = self.record(**{n: read(v) for n, read, v in zip(names, codecs, values, strict=True)})
            rows.load(key_of(record), record)

    @cached_property
    def _selection(self) -> Statement:
        """The query of `load`, built once: a state has some 40 tables, and building takes longer than asking."""
        last = self.parts[-1]
        paths = [self.path(name) for name in self.names()]
        return Statement(
            lambda scope: self._ordered_rows(last.model._default_manager.all(), scope).values_list(*paths), UUID
        )

    def view(self, game: models.Game, visibility: Visibility) -> list[dict[str, Any]]:
        """The open rows of one game that this viewer may see, as JSON values by record field: one query."""
        scope = self.scope_of(self.where, game)
        if scope is None:
            return []
        names = self._shown_names()
        shapes = [self.codec(name, game) for name in names]
        here = self._visible_selection(game, visibility).rows(scope)
        return [{n: c.to_json(v) for n, c, v in zip(names, shapes, row, strict=True)} for row in here]

    def _shown_names(self) -> list[str]:
        return [name for name in self.names() if name not in self.hidden]

    def _visible_selection(self, game: models.Game, visibility: Visibility) -> Statement:
        """The query of `view`, built once for a viewer: who they are stands in it, and which game it is does not."""
        key = (id(self), visibility)
        found = _views.get(key)
        if found is None:
            paths = [self.path(name) for name in self._shown_names()]
            rows = self._open_rows(self.parts[-1].model._default_manager.visible_to(visibility), game)  # type: ignore[attr-defined]
            found = Statement(lambda scope: self._ordered_rows(rows, scope).values_list(*paths), UUID)
            _views.put(key, found)
        return found

    def _open_rows(self, rows: QuerySet[Any], game: models.Game) -> QuerySet[Any]:
        """Those of the rows that are not over."""
        for name, ends in self.declared.over.items():
            to_row = self.codec(name, game).to_row
            rows = rows.exclude(**{f"{self.path(name)}__in": [to_row(end) for end in ends]})
        return rows

    def shown_types(self) -> dict[str, Any]:
        """Record field -> the type of the value that `view` shows, where an API's does not follow from the field's."""
        types = {f.name: field_types(self.record)[f.name] for f in fields(self.record) if f.name not in self.hidden}
        own = {name: codec.shown for part in self.parts for name, codec in part.codecs.items() if codec.shown}
        return types | {name: shown for name, shown in own.items() if name in types}

    def path(self, name: str) -> str:
        """Where a record field is read from the model of the last part."""
        return self.via.get(name) or self.parts[-1].lookup(name)

    def _ordered_rows(self, rows: QuerySet[Any], scope: Any) -> QuerySet[Any]:
        """The rows of one game in the model's order, which the key makes whole.

        Else a database lists equal rows in the order in which it has written them, which reveals when.
        """
        model = self.parts[-1].model
        here = rows.filter(**{self.where: scope})
        return here.order_by(*dict.fromkeys((*(model._meta.ordering or ()), *naming_fields(model))))

    def save(self, state: Any, game: models.Game, writes: Writes) -> None:
        """Write the touched rows: one delete and one upsert for each model.

        What is gone goes first: a new row may take the place, or the name, of one that is no more.
        """
        rows = getattr(state, self.table)
        if not rows.dirty:
            return
        present = [rows[key] for key in rows.dirty if key in rows]
        absent = [key for key in rows.dirty if key not in rows]
        for part in reversed(self.parts):
            apart = [self.declared.key_of(record) for record in present if not part.only(record)]
            self._delete(part, absent + apart, game, writes)
        for part in self.parts:
            self._upsert(part, [record for record in present if part.only(record)], state, game, writes)
        rows.dirty.clear()

    def _upsert(self, part: Part, records: Sequence[Any], state: Any, game: models.Game, writes: Writes) -> None:
        if records:
            scope, codecs = self.scope_of(part.scope, game), self._codecs(part, game)
            writes.write(part.writer, [part.row_of(record, state, game, scope, codecs) for record in records])

    def _delete(self, part: Part, keys: Collection[Any], game: models.Game, writes: Writes) -> None:
        if not keys:
            return
        scope, codecs = self.scope_of(part.scope, game), self._codecs(part, game)
        rows = [part.key_row(key, game, scope, codecs) for key in keys if part.is_on_map(key, game)]
        if part.stands_alone:
            writes.erase(part.eraser, rows)
            return
        columns = (*part.scopes, *part.identity)  # what refers to them is not all known here: the models say
        for some in chunks(rows, TOGETHER):
            named = (Q(**dict(zip(columns, row, strict=True))) for row in some)
            part.model._default_manager.filter(reduce(or_, named)).delete()

    def _codecs(self, part: Part, game: models.Game) -> dict[str, Callable[[Any], Any]]:
        return {name: self.codec(name, game).to_row for name in part.columns}


def standing_alone(tables: Sequence[Mapped]) -> tuple[Mapped, ...]:
    """The tables of one state, with the parts marked to whose rows nothing but these tables refers."""
    held = {part.model for mapped in tables for part in mapped.parts}
    alone = {model for model in held if held.issuperset(each.related_model for each in model._meta.related_objects)}
    return tuple(
        replace(mapped, parts=tuple(replace(part, stands_alone=part.model in alone) for part in mapped.parts))
        for mapped in tables
    )


def _is_pk(model: type[Model], columns: Sequence[str]) -> bool:
    pk = model._meta.pk
    return list(columns) in ([pk.name], [pk.attname])


def square_id_at(game: models.Game, x: int, y: int) -> int:
    """The id of the square (x, y) of a game's world."""
    if game.world is None:
        raise RuntimeError("squares need a world")
    return game.world.square_id(x, y)


@cache
def field_types(record: type) -> Mapping[str, Any]:
    """The types of a record's fields, bare of what bounds them."""
    return get_type_hints(record)


def part_of(
    declared: Table,
    model: type[Model],
    names: Sequence[str] = (),
    *,
    at: str = "",
    copies: Copies = NOTHING,
    renamed: Mapping[str, str] = NOTHING,
) -> Part:
    """A model and the record's fields (all unless named) in its columns of the same name; foreign keys by their id.

    Otherwise are called an `id` that is the model's key, readers (`audience`), the square of `x` and `y`, and what is
    renamed. Raises KeyError for a field that has no column.
    """
    attnames = {f.name: f.attname for f in model._meta.concrete_fields}
    types, names = field_types(declared.record), names or [f.name for f in fields(declared.record)]
    if set(PLACE) <= set(names) and not set(PLACE) <= set(attnames):
        at = at or attnames["square"]
        names = [name for name in names if name not in PLACE]
    own = {name: "audience" for name in names if types[name] is Audience} | {"id": model._meta.pk.attname}
    own |= renamed
    columns = {name: own[name] if name in own and name not in attnames else attnames[name] for name in names}
    if "audience" in attnames and "audience" not in columns.values():
        copies = {**copies, "audience": lambda record, state, game: str(declared.readers(record))}
    scopes = (scope for scope in ("game_id", "world_id") if scope in attnames.values())
    scope = next((scope for scope in scopes if scope not in columns.values()), "")
    part = Part(model, columns, declared.key, scope, copies=copies, at=at)
    fieldnames = {attname: name for name, attname in attnames.items()}
    identity = list(dict.fromkeys(part.column(name) for name in declared.key))
    constraints = [set(c.fields) for c in model._meta.total_unique_constraints]
    return replace(part, unique=tuple(identity) if {fieldnames[c] for c in identity} in constraints else ())


def model_of(declared: Table, *modules: ModuleType) -> type[Model]:
    """The model that holds a table: one that says so (`state_table`), else the first that is called as the record.

    Raises LookupError where there is none.
    """
    for module in modules:
        for model in vars(module).values():
            if getattr(model, "state_table", "") == declared.name:
                return cast("type[Model]", model)
    name = declared.record.__name__
    found = next((getattr(module, name) for module in modules if hasattr(module, name)), None)
    if found is None:
        raise LookupError(f"no model is called {name} or says that it holds the table {declared.name}")
    return cast("type[Model]", found)
