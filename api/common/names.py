"""Names where rows hold ids, for pages of the admin: seats of a game, its open questions, the entities of its world.

They are asked once for each game object in hand. `Naming` lets the rows of a page share their games, so that a list
asks once for each game, however many rows it shows.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminTextareaWidget

from games.models import Game, Prompt, Seat
from worlds.models import Army, Avatar, City, Deity, Order, Race

NAMED: tuple[tuple[type[Model], str], ...] = (
    (Race, "world"), (City, "world"), (Deity, "world"),
    (Avatar, "deity__world"), (Order, "race__world"), (Army, "race__world"),
)  # fmt: skip
"""Nouns of a world with the way to it."""


def seats_in(game: Game) -> Mapping[str, str]:
    """The names of a game's seats by id."""
    return _cached_names(game, "seats", _seats)


def names_in(game: Game) -> Mapping[str, str]:
    """The names of seats and of the world's entities by id; of open questions their kind."""
    return _cached_names(game, "all", _all)


def names_of(ids: Iterable[object], game: Game) -> str:
    """The things with these ids by name, in their order; what is gone by the start of its id; `-` for none."""
    names = names_in(game)
    return ", ".join(names.get(str(key), f"{str(key)[:8]}…") for key in ids) or "-"


def text_of(text: str) -> str:
    """A JSON list of words as words; `-` for none."""
    return ", ".join(str(word).replace("_", " ") for word in json.loads(text)) or "-"


def _cached_names(game: Game, what: str, ask: Any) -> Mapping[str, str]:
    names: dict[str, Mapping[str, str]] = game.__dict__.setdefault("_names", {})
    if what not in names:
        names[what] = ask(game)
    return names[what]


def _seats(game: Game) -> dict[str, str]:
    return _strings(Seat.objects.filter(game=game).values_list("pk", "name"))


def _all(game: Game) -> dict[str, str]:
    found = _strings(Prompt.objects.filter(game=game).values_list("pk", "kind"))
    if game.world_id is not None:
        for model, way in NAMED:
            rows = model._default_manager.filter(**{way: game.world_id}).values_list("pk", "name")
            noun = str(model._meta.verbose_name)
            found |= {str(key): name or noun for key, name in rows}
    return {**found, **seats_in(game)}


def _strings(rows: Iterable[tuple[Any, str]]) -> dict[str, str]:
    return {str(key): name for key, name in rows}


class Naming(ModelAdmin):
    """Pages whose rows hold ids. Put it before another base, and keep `game` out of `list_select_related`."""

    ids: tuple[str, ...] = ()
    """Columns with ids as JSON: a form says below them whose they are."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Rows that share their games."""
        return super().get_queryset(request).prefetch_related("game")

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Lists of ids are short."""
        if db_field.name in self.ids:
            kwargs["widget"] = UnfoldAdminTextareaWidget(attrs={"rows": 2})
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """The form, with names below ids."""
        form = super().get_form(request, obj, change=change, **kwargs)
        for name in self.ids:
            keys = json.loads(getattr(obj, name)) if obj is not None else []
            if keys and name in form.base_fields:
                form.base_fields[name].help_text += f" Now: {names_of(keys, obj.game)}."
        return form
