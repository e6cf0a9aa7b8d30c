"""Admin pages of the entities whose edits may be ruled by a game; an app that knows the games registers and extends
them.

A row is *ruled* while a live game plays with it. `WorldAdmin.ruled` says no here: a world without a game is edited
freely. A subclass answers from the games and turns edits of ruled rows into commands; as long as it does not, ruled
rows can be read and not written.
"""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from unfold.admin import ModelAdmin
from unfold.contrib.filters.admin import AutocompleteSelectFilter

from worlds.admin_inlines import NamedInline, PercentField, percent_text
from worlds.holdings import record_holdings
from worlds.models import (
    HOLDERS,
    Army,
    Artifact,
    Avatar,
    City,
    Deity,
    Feature,
    Holding,
    Order,
    PantheonShare,
    Person,
    Presence,
    Race,
    Square,
)
from worlds.querysets import WHOLE

OF_WORLD = ("world", AutocompleteSelectFilter)


def holder_in_words(held: Artifact | Holding) -> str:
    """Who or what has an artifact, or had it, with its kind; empty for nobody."""
    return next((f"{found} ({kind})" for kind in HOLDERS if (found := getattr(held, kind)) is not None), "")


class WorldAdmin(ModelAdmin):
    """The base of all admin pages of worlds: searchable, paged, and closed for ruled rows."""

    list_per_page = 50
    show_full_result_count = False
    list_filter_submit = True
    warn_unsaved_form = True

    def is_ruled(self, obj: Model) -> bool:
        """A live game rules this row, so that it may only change by a command."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Those who may change rows, and only rows that no game rules."""
        return super().has_change_permission(request, obj) and not (obj is not None and self.is_ruled(obj))

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Those who may delete rows, and only rows that no game rules."""
        return super().has_delete_permission(request, obj) and not (obj is not None and self.is_ruled(obj))

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        """A row never moves to another world: the squares and races it names would stay behind."""
        fixed = tuple(super().get_readonly_fields(request, obj))
        has_world = any(field.name == "world" for field in self.model._meta.fields)
        return (*fixed, "world") if obj is not None and has_world and "world" not in fixed else fixed

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """What goes with these rows, and by name what keeps them: then nothing is deleted, and the page says why."""
        listed, counts, permissions, protected = super().get_deleted_objects(objs, request)
        return listed, counts, set() if protected else permissions, protected  # what keeps them is said before rights

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Without the bulk deletion, which would not ask row by row whether a game rules it."""
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions


class PantheonForm(forms.BaseInlineFormSet):
    """The shares of one race, refused unless they add up to 100 % (or there is none)."""

    def clean(self) -> None:
        """One error for the whole pantheon, with the sum and what is missing."""
        super().clean()
        if any(self.errors):
            return
        shares = [
            form.cleaned_data["share"]
            for form in self.forms
            if form.cleaned_data and not form.cleaned_data.get("DELETE") and "share" in form.cleaned_data
        ]
        if shares and sum(shares) != WHOLE:
            raise forms.ValidationError(
                f"The shares of a pantheon add up to 100 %; these add up to {percent_text(sum(shares))} %, "
                f"{percent_text(WHOLE - sum(shares))} % are missing.",
                code="pantheon.unbalanced",
            )


class ShareForm(forms.ModelForm):
    """A share in percent, as it is shown everywhere else."""

    share = PercentField()


class PantheonInline(NamedInline):
    """The pantheon on the page of its race."""

    model = PantheonShare
    form = ShareForm
    formset = PantheonForm
    fields = ["deity", "special", "share"]
    autocomplete_fields = ["deity"]
    extra = 0


class RaceAdmin(WorldAdmin):
    """Races with their pantheons."""

    list_display = ["name", "world", "units", "colour", "extinct"]
    list_filter = ["extinct", OF_WORLD]
    list_select_related = ["world"]
    search_fields = ["name", "world__name"]
    autocomplete_fields = ["world"]
    inlines = [PantheonInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Race]:
        """Races with the sum of their units."""
        return super().get_queryset(request).with_units()

    def units(self, race: Race) -> int:
        """All units of the race on the map."""
        return race.units  # type: ignore[attr-defined]


class PresenceAdmin(WorldAdmin):
    """Units of races on squares."""

    list_display = ["race", "square", "units"]
    list_filter = ["race__world"]
    list_select_related = ["race", "square"]
    search_fields = ["race__name"]
    autocomplete_fields = ["race"]
    raw_id_fields = ["square"]


class PantheonShareAdmin(WorldAdmin):
    """Shares of pantheons, to read; they change together on the page of their race."""

    list_display = ["race", "member", "percent"]
    list_filter = ["special", "race__world"]
    list_select_related = ["race", "deity"]
    search_fields = ["race__name", "deity__name"]

    @admin.display(description="member")
    def member(self, share: PantheonShare) -> str:
        """The deity, atheism or diabolism."""
        return share.member_name

    @admin.display(description="share", ordering="share")
    def percent(self, share: PantheonShare) -> str:
        """Its share in percent."""
        return f"{percent_text(share.share)} %"

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never: one share alone would leave a pantheon that does not add up."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never, for the same reason."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never, for the same reason."""
        return False


class CityAdmin(WorldAdmin):
    """Cities and great cities."""

    list_display = ["__str__", "kind", "race", "square", "world"]
    list_filter = ["kind", OF_WORLD]
    list_select_related = ["race", "square", "world"]
    search_fields = ["name", "race__name"]
    autocomplete_fields = ["world", "race"]
    raw_id_fields = ["square"]


class FeatureAdmin(WorldAdmin):
    """Features of the land."""

    list_display = ["__str__", "kind", "square", "world"]
    list_filter = ["kind", OF_WORLD]
    list_select_related = ["square", "world"]
    search_fields = ["kind", "name"]
    autocomplete_fields = ["world"]
    raw_id_fields = ["square"]


class DeityAdmin(WorldAdmin):
    """Gods, demons and spirits."""

    list_display = ["name", "kind", "status", "world"]
    list_filter = ["kind", "status", OF_WORLD]
    list_select_related = ["world"]
    search_fields = ["name"]
    autocomplete_fields = ["world"]


class SquareAdmin(WorldAdmin):
    """Squares: terrain may change; squares come with their map and go with their world."""

    list_display = ["__str__", "terrain", "world"]
    list_filter = ["terrain", OF_WORLD]
    list_select_related = ["world"]
    search_fields = ["world__name"]
    readonly_fields = ["x", "y"]
    fields = ["world", "x", "y", "terrain"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never: a map is laid out whole."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never: a map with a hole cannot be read."""
        return False


class HoldingInline(NamedInline):
    """Where an artifact has been: to read."""

    model = Holding
    fields = readonly_fields = ("number", "holder", "heading", "since", "until")
    extra = 0
    can_delete = False
    ordering = ("number",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Holding]:
        """With the holders that are named."""
        return super().get_queryset(request).select_related(*HOLDERS)

    def holder(self, holding: Holding) -> str:
        """The deity, race, city, place or person that had it, with its kind."""
        return holder_in_words(holding)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never: a holding is recorded when an artifact goes on."""
        return False


class ArtifactAdmin(WorldAdmin):
    """Artifacts, who holds them and where they have been."""

    list_display = ["name", "holder", "lost", "world"]
    list_filter = ["lost", OF_WORLD]
    list_select_related = [*HOLDERS, "world"]
    search_fields = ["name", "description"]
    autocomplete_fields = ["world"]
    raw_id_fields = [*HOLDERS]
    inlines = (HoldingInline,)

    def holder(self, artifact: Artifact) -> str:
        """The deity, race, city, place or person that has it, with its kind."""
        return holder_in_words(artifact)

    def save_model(self, request: HttpRequest, obj: Artifact, form: Any, change: bool) -> None:
        """Save it, and record since when its holder has it."""
        super().save_model(request, obj, form, change)
        record_holdings(obj.world, timezone.now())


class PersonAdmin(WorldAdmin):
    """Persons and where they are."""

    list_display = ["name", "kind", "whereabouts", "world"]
    list_filter = ["kind", OF_WORLD]
    list_select_related = ["place", "square", "world"]
    search_fields = ["name", "description"]
    autocomplete_fields = ["world"]
    raw_id_fields = ["place", "square"]

    def whereabouts(self, person: Person) -> str:
        """The place or square where they are."""
        return str(person.whereabouts or "")


class AvatarAdmin(WorldAdmin):
    """Avatars of deities."""

    list_display = ["name", "kind", "deity", "square"]
    list_filter = ["kind", "deity__world"]
    list_select_related = ["deity", "square"]
    search_fields = ["name", "deity__name"]
    raw_id_fields = ["deity", "square"]


class OrderAdmin(WorldAdmin):
    """Orders founded among races."""

    list_display = ["name", "kind", "race", "founded", "dissolved"]
    list_filter = ["kind", "dissolved", "race__world"]
    list_select_related = ["race"]
    search_fields = ["name", "race__name"]
    raw_id_fields = ["race"]


class ArmyAdmin(WorldAdmin):
    """Armies and where they stand."""

    list_display = ["__str__", "race", "strength", "city", "square", "raised"]
    list_filter = ["race__world"]
    list_select_related = ["race", "city", "square"]
    search_fields = ["name", "race__name"]
    raw_id_fields = ["race", "city", "square"]


# What a registering app needs: each noun that a game may rule, with its page.
RULED_PAGES: dict[type[Model], type[WorldAdmin]] = {
    Race: RaceAdmin,
    Presence: PresenceAdmin,
    PantheonShare: PantheonShareAdmin,
    City: CityAdmin,
    Feature: FeatureAdmin,
    Deity: DeityAdmin,
    Square: SquareAdmin,
    Artifact: ArtifactAdmin,
    Avatar: AvatarAdmin,
    Person: PersonAdmin,
    Order: OrderAdmin,
    Army: ArmyAdmin,
}
