"""Tables of the state: how one is declared, and its rows.

Rows are dictionaries that remember which keys were touched since they were loaded.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Generic, NoReturn, TypeVar, cast
from uuid import UUID

from games.engine.audience import PUBLIC, Audience
from games.engine.savepoint import Restore, Undoable

K = TypeVar("K")
V = TypeVar("V")
R = TypeVar("R")


class Rows(Undoable, dict[K, V]):
    """A table of frozen records by key. Reading is a dict's; writing goes through `[]` and `del` alone.

    `dirty` holds every key that was set or deleted; the store saves those rows and no others. `writes` counts how
    often the table was written or restored: what was worked out from it stands as long as that number does.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dirty: set[K] = set()
        self.writes = 0

    def __setitem__(self, key: K, value: V) -> None:
        if self.restores is not None:
            self.remember()
        super().__setitem__(key, value)
        self.dirty.add(key)
        self.writes += 1

    def __delitem__(self, key: K) -> None:
        if self.restores is not None:
            self.remember()
        super().__delitem__(key)
        self.dirty.add(key)
        self.writes += 1

    def load(self, key: K, value: V) -> None:
        """Put a row that is already stored: it counts as untouched."""
        self.remember()
        super().__setitem__(key, value)
        self.writes += 1

    def become(self, other: "Rows[K, V]") -> None:
        """Take over the content of `other`; only rows that differ count as touched."""
        for key in [k for k in self if k not in other]:
            del self[key]
        for key, value in other.items():
            if self.get(key) != value:
                self[key] = value

    def copy(self) -> "Rows[K, V]":
        """The same records in a table of their own, none of them marked."""
        return Rows(self)

    def restore(self) -> Restore:
        content, dirty = dict(self), set(self.dirty)

        def bring_back() -> None:
            dict.clear(self)
            dict.update(self, content)
            self.dirty = dirty
            self.writes += 1

        return bring_back

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("Rows are written with rows[key] = record and del rows[key]")

    pop = popitem = clear = update = setdefault = _refuse
    __ior__ = _refuse


@dataclass(eq=False)
class Table:
    """A table as its line in the state class declares it (`table`); `GameState.tables` has all of them by name."""

    record: type
    key: tuple[str, ...]
    """The fields that name a row; a key of several parts is a tuple."""
    amendable: bool
    """Whether a GM may amend its rows."""
    noun: str
    """What one row is called in sentences, where that is not the table's name without its s."""
    hidden: frozenset[str]
    """Fields that no viewer is shown."""
    over: Mapping[str, tuple[Any, ...]]
    """Fields and the values by which a row is over: no part of the state that is shown, but of the table's own list."""
    ledger: bool
    """Whether no row is part of the state that is shown: the table records what has happened, and has its own list."""
    name: str = ""

    def __set_name__(self, owner: Any, name: str) -> None:
        """Enter the table in its class. The attribute goes: it would make every read of the rows slower."""
        self.name = name
        owner.tables = MappingProxyType({**owner.tables, name: self})
        delattr(owner, name)

    @cached_property
    def key_of(self) -> Callable[[Any], Any]:
        """The key of a record."""
        return attrgetter(*self.key)

    @cached_property
    def judge(self) -> Callable[[Any], Audience] | None:
        """Who may read a record, as its static `audience` or its field of that name says; None: everybody."""
        own = getattr(self.record, "audience", None)
        return own if own is None or callable(own) else attrgetter("audience")

    def readers(self, record: Any) -> Audience:
        """Who may read a record."""
        return self.judge(record) if self.judge is not None else PUBLIC


def table(
    record: type[R],
    *,
    key: str | tuple[str, ...] = "id",
    amendable: bool = False,
    noun: str = "",
    hidden: tuple[str, ...] = (),
    over: Mapping[str, tuple[Any, ...]] = MappingProxyType({}),
    ledger: bool = False,
) -> Rows[Any, R]:
    """Declare a table in the class of a state: `races: Rows[UUID, Race] = table(Race, amendable=True)`.

    The rows themselves are made with each state.
    """
    parts = (key,) if isinstance(key, str) else key
    return cast("Rows[Any, R]", Table(record, parts, amendable, noun, frozenset(hidden), over, ledger))


class Singleton(Generic[R]):
    """The one record of a table that has one, under the game's id; it has its defaults until it is written."""

    def __init__(self, declared: Table) -> None:
        self.table = declared

    def __get__(self, state: Any, owner: object = None) -> R:
        key = state.info.id
        record: R = getattr(state, self.table.name).get(key) or self.table.record(key)
        return record

    def __set__(self, state: Any, record: R) -> None:
        getattr(state, self.table.name)[state.info.id] = record


def singleton(rows: Rows[UUID, R]) -> Singleton[R]:
    """Declare the one record of a table that was declared above: `course = singleton(courses)`."""
    return Singleton(cast("Any", rows))
