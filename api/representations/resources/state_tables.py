"""Resources of a game's state tables as their models say; `games.<game>.api` names what differs, where a game has it.

A table is shown under its own name with the columns of its model, but without what is hidden, readers and running ids.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any

from django.db.models import AutoField, Field, Model, UUIDField

from api.representations.resources.resource import Resource
from games import registry
from games.models import Seat
from games.storage.store import Store
from worlds.models import Square

LOOKUPS = {"min": "gte", "max": "lte", "contains": "icontains"}
OF_GAME = {"game": "game"}
AT_SQUARE = {"x": "square__x", "y": "square__y"}


def by(*names: str) -> dict[str, str]:
    """Filters by columns of the model: `phase` is `phase`, `balance_min` is `balance__gte`."""
    ends = {name: name.rpartition("_") for name in names}
    return {name: f"{of}__{LOOKUPS[end]}" if end in LOOKUPS else name for name, (of, _, end) in ends.items()}


@dataclass(frozen=True)
class StateTables:
    """The resources of one game's tables."""

    store: Store
    prefix: str
    """What the names of their types begin with."""
    seat: str = "seat"
    """The filter by a seat."""

    def of(
        self,
        table: str,
        *,
        without: tuple[str, ...] = (),
        filters: Mapping[str, str] | None = None,
        more: Mapping[str, str] = MappingProxyType({}),
        parsed: frozenset[str] = frozenset(),
        **changes: Any,
    ) -> Resource:
        """The resource of a table. without: columns that are not shown.

        filters: beside `game`, instead of the usual ones; more: beside those too. parsed: text that holds JSON and
        whose record does not say it. changes: of the resource itself.
        """
        mapped = next(mapped for mapped in self.store.tables if mapped.table == table)
        model, columns = mapped.parts[-1].model, mapped.parts[-1].columns
        left_out = {*without, "audience", *(columns[name] for name in mapped.hidden if name in columns)}
        shown = [f for f in model._meta.concrete_fields if f.name not in left_out and not isinstance(f, AutoField)]
        if filters is None:
            filters = self._usual_filters(shown)
        as_json = {column for name, column in columns.items() if mapped.is_json(name)}
        resource = Resource(
            table.replace("_", "-"),
            model,
            tuple(f.name for f in shown),
            f"{self.prefix}{model.__name__.removesuffix('Sheet') or model.__name__}",
            {**OF_GAME, **filters, **more},
            _ordering(model),
            key=_key(model),
            parsed=parsed | {f.name for f in shown if f.attname in as_json},
        )
        return replace(resource, **changes)

    def with_rest(self, *resources: Resource) -> tuple[Resource, ...]:
        """These resources in this order, and then those of the game's own tables that they leave out."""
        there, own = {resource.model for resource in resources}, self.store.own_tables
        return (*resources, *(self.of(m.table) for m in own if m.parts[-1].model not in there))

    def _usual_filters(self, shown: list["Field[Any, Any]"]) -> dict[str, str]:
        """By seats, by whatever else a row refers to, by words of the rulebook."""
        usual: dict[str, str] = {}
        for f in shown:
            if f.related_model is Seat and f.name == "seat":
                usual[self.seat] = f.name
            elif f.related_model is Square and not f.primary_key:
                usual |= AT_SQUARE
            elif f.name != "game" and not f.primary_key and (f.is_relation or f.choices):
                usual[f.name] = f.name
        return usual


def _key(model: type[Model]) -> str | None:
    """The field that names a row in an address: a key that is an id, or another row's id."""
    own = model._meta.pk
    found: Any = own
    while found.is_relation:
        found = found.target_field
    return own.name if isinstance(found, UUIDField) else None


def _ordering(model: type[Model]) -> tuple[str, ...]:
    """By the key, else as the model is ordered in a game."""
    own = model._meta.pk.name
    if own != "id":
        return (own,)
    return tuple(dict.fromkeys((*(str(name) for name in model._meta.ordering or () if name != "game_id"), "id")))


def own_resources(slug: str) -> tuple[Resource, ...]:
    """The resources of a game: `RESOURCES` of its `api` module, or what follows from its tables where it has none."""
    own = registry.part(slug, "api")
    return _usual_resources(slug) if own is None else own.RESOURCES


@cache
def _usual_resources(slug: str) -> tuple[Resource, ...]:
    return StateTables(registry.store(slug), slug.capitalize(), seat="seat_of").with_rest()


def every_own_resource() -> Iterator[tuple[str, Resource]]:
    """(slug, resource) of every game that is installed."""
    return ((slug, resource) for slug in registry.folders() for resource in own_resources(slug))
