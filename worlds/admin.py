"""Admin pages of what no game rules: worlds and their members, places, routes, chronicles.

The entities that a game may rule have their pages in `worlds.admin_classes` and are registered by the console.
"""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import PROTECT, Model
from django.http import HttpRequest
from django.utils.text import capfirst
from unfold.widgets import UnfoldAdminTextareaWidget

from core.places import routing
from worlds.admin_classes import OF_WORLD, WorldAdmin
from worlds.admin_inlines import NamedInline
from worlds.atlas import AtlasError, lay_out, read_letters
from worlds.ids import world_number
from worlds.models import Chronicle, Place, PlaceSquare, Route, World, WorldMember

MOST_PROTECTING = 20
"""So many of the rows that keep another are named."""


def protecting_rows(rows: Iterable[Model]) -> list[str]:
    """What keeps these rows from being deleted, by name: rows of other tables that point at them and would not go."""
    found: list[str] = []
    for row in rows:
        for relation in row._meta.related_objects:
            if relation.on_delete is PROTECT:
                others = relation.related_model._base_manager.filter(**{relation.field.name: row})[:MOST_PROTECTING]
                found += [f"{capfirst(other._meta.verbose_name)}: {other}" for other in others]
    return found


class NewWorldForm(forms.ModelForm):
    """A new world, with its map as letters; without one it has no squares."""

    letters = forms.CharField(
        required=False,
        strip=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 12, "style": "font-family: monospace"}),
        label="Map",
        help_text="One letter a square, one line a row, north first: P plains, F forest, D desert, M mountains, "
        "I ice, W water. Empty: a world without squares.",
    )

    class Meta:
        model = World
        fields = ["name", "adjacency", "is_public", "attribution"]

    def clean_letters(self) -> str:
        """The map must be readable; its size becomes the world's."""
        letters: str = self.cleaned_data["letters"]
        self.instance.width = self.instance.height = 0
        if letters.strip():
            try:
                chart = read_letters(letters)
            except AtlasError as refusal:
                raise forms.ValidationError(refusal.message, code=refusal.code) from refusal
            self.instance.width, self.instance.height = chart.width, chart.height
        return letters


class MemberInline(NamedInline):
    """Who may see a private world."""

    model = WorldMember
    autocomplete_fields = ["user"]
    extra = 0
    hide_title = True
    verbose_name_plural = "members: who may see it while it is private"


class PlaceSquareInline(NamedInline):
    """The squares of a place."""

    model = PlaceSquare
    raw_id_fields = ["square"]  # a map may have a million of them
    extra = 0
    hide_title = True
    verbose_name_plural = "squares that it covers"


@admin.register(World)
class WorldPage(WorldAdmin):
    """Worlds. The map is given once, when the world is made."""

    list_display = ["name", "width", "height", "adjacency", "is_public", "created_at"]
    list_filter = ["is_public", "adjacency"]
    search_fields = ["name"]
    date_hierarchy = "created_at"
    readonly_fields = ["width", "height", "number", "created_at"]
    inlines = [MemberInline]

    def get_form(self, request: HttpRequest, obj: World | None = None, change: bool = False, **kwargs: Any) -> Any:
        """The form of a new world asks for the map."""
        if obj is None:
            kwargs["form"] = NewWorldForm
        return super().get_form(request, obj, change, **kwargs)

    def get_fields(self, request: HttpRequest, obj: World | None = None) -> list[str]:
        """Size and number are shown once they are known."""
        if obj is None:
            return ["name", "adjacency", "is_public", "attribution", "letters"]
        return ["name", "is_public", "attribution", "adjacency", "width", "height", "number", "created_at"]

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        """Neighbourhood is part of the map and does not change."""
        fixed = super().get_readonly_fields(request, obj)
        return (*fixed, "adjacency") if obj is not None else ()

    def save_model(self, request: HttpRequest, obj: World, form: Any, change: bool) -> None:
        """Saves the world and lays out the map of a new one, whose id lies in the place in force."""
        if not change:
            obj.id = routing.random_id()
            obj.number = world_number(obj.id)
        super().save_model(request, obj, form, change)
        letters = form.cleaned_data.get("letters", "")
        if not change and letters.strip():
            lay_out(obj, read_letters(letters))

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """A world goes with all that is in it, squares not listed one by one; a game played there keeps it."""
        labels = [f"{world}, {world.width} by {world.height} squares, with all that is in it" for world in objs]
        return labels, {"worlds": len(labels)}, set(), protecting_rows(objs)


@admin.register(Place)
class PlacePage(WorldAdmin):
    """Named places and the squares they cover."""

    list_display = ["name", "kind", "world"]
    list_filter = ["kind", OF_WORLD]
    list_select_related = ["world"]
    search_fields = ["name", "world__name"]
    autocomplete_fields = ["world"]
    inlines = [PlaceSquareInline]


@admin.register(Route)
class RoutePage(WorldAdmin):
    """Roads and trails between places."""

    list_display = ["__str__", "kind", "from_place", "to_place", "world"]
    list_filter = ["kind", OF_WORLD]
    list_select_related = ["from_place", "to_place", "world"]
    search_fields = ["name", "from_place__name", "to_place__name"]
    autocomplete_fields = ["world", "from_place", "to_place"]


@admin.register(Chronicle)
class ChroniclePage(WorldAdmin):
    """The chronicle of a world."""

    list_display = ["position", "heading", "text_start", "world", "written_at"]
    list_display_links = ["position", "heading"]
    list_filter = [OF_WORLD, "chapter"]
    list_select_related = ["world"]
    search_fields = ["heading", "text"]
    date_hierarchy = "written_at"
    autocomplete_fields = ["world"]
    raw_id_fields = ["square"]
    readonly_fields = ["entry"]

    @admin.display(description="text")
    def text_start(self, entry: Chronicle) -> str:
        """The first words."""
        return entry.text[:100]
