"""Rows of the state: dictionaries that remember which keys were touched since they were loaded."""

from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Rows(dict[K, V]):
    """A table of frozen records by key. Reading is a dict's; writing goes through `[]` and `del` alone.

    `touched` holds every key that was set or deleted; the store saves those rows and no others. `writes` counts how
    often the table was written: what was worked out from it stands as long as that number does.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dirty: set[K] = set()
        self.writes = 0

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.dirty.add(key)
        self.writes += 1

    def __delitem__(self, key: K) -> None:
        super().__delitem__(key)
        self.dirty.add(key)
        self.writes += 1

    def load(self, key: K, value: V) -> None:
        """Put a row that is already stored: it counts as untouched."""
        super().__setitem__(key, value)
        self.writes += 1

    def become(self, other: "Rows[K, V]") -> None:
        """Take over the content of `other`; only rows that differ count as touched."""
        for key in [k for k in self if k not in other]:
            del self[key]
        for key, value in other.items():
            if self.get(key) != value:
                self[key] = value

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("Rows are written with rows[key] = record and del rows[key]")

    pop = popitem = clear = update = setdefault = _refuse
    __ior__ = _refuse
