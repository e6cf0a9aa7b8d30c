"""Pages of state tables that a game's `admin` makes none for: columns, filters and search follow from the model.

A GM may add a row where rows are amended and named by several fields; every other comes and goes by commands.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from django.contrib import admin
from django.db.models import BooleanField, CharField, Field, TextField

from api.console.amend_admin import Amending, MadeByCommand
from api.console.columns import OF_GAME
from games.models import Seat
from games.storage.store import Store
from games.storage.tables import Mapped
from worlds.models import Square

NO_FILTERS: Mapping[str, tuple[str, ...]] = MappingProxyType({})


def register_tables(
    store: Store, *, without: tuple[str, ...] = (), filters: Mapping[str, tuple[str, ...]] = NO_FILTERS
) -> None:
    """Give a page to each of a game's own tables that has none yet.

    without: tables that have none on purpose. filters: columns by table, beside words of the rulebook and yes or no.
    """
    for mapped in store.own_tables:
        model = mapped.parts[-1].model
        if mapped.table not in without and not admin.site.is_registered(model):
            admin.site.register(model, page_of(mapped, filters.get(mapped.table, ())))


def page_of(mapped: Mapped, filters: tuple[str, ...] = ()) -> type[Amending]:
    """The page of a table's rows."""
    part, key = mapped.parts[-1], mapped.declared.key
    is_added = mapped.declared.amendable and len(key) > 1
    fields: list[Field[Any, Any]] = list(part.model._meta.concrete_fields)
    own = [f for f in fields if f.name not in ("id", "audience", "game")]
    links = [f for f in fields if f.is_relation]
    named = {part.column(name) for name in key}
    values = {
        "__doc__": part.model.__doc__,
        "__module__": __name__,
        "list_display": (*(f.name for f in own if not isinstance(f, TextField)), "game"),
        "list_filter": (OF_GAME, *(f.name for f in own if f.choices or isinstance(f, BooleanField)), *filters),
        "list_select_related": tuple(f.name for f in links),
        "search_fields": tuple(path for f in own for path in _search_paths(f, is_key=f.attname in named)),
        "people": tuple(f"{f.name}__user" for f in links if f.related_model is Seat),
        "autocomplete_fields": tuple(f.name for f in links if f.related_model is not Square) if is_added else (),
        "raw_id_fields": tuple(f.name for f in links if f.related_model is Square),
    }
    return type(f"{part.model.__name__}Page", (Amending if is_added else MadeByCommand,), values)


def _search_paths(field: "Field[Any, Any]", *, is_key: bool) -> Iterator[str]:
    """What is searched of a column: names of what it refers to, words, and what names the row."""
    if field.is_relation:
        if any(f.name == "name" for f in field.related_model._meta.concrete_fields):  # type: ignore[union-attr]
            yield f"{field.name}__name"
    elif isinstance(field, CharField) and not field.choices:
        yield field.name
    elif is_key:
        yield f"={field.name}"
