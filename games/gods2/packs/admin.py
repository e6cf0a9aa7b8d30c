"""Packs in the admin: copy a version to a draft, change its entries, publish it. No code is needed for a new power.

An entry is checked when it is saved, a draft as a whole when it is published. Published versions are there to read.
"""

import json
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Max, Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin
from unfold.decorators import action, display
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from api.console.amend_admin import ask
from api.console.issuing import refusal_text
from games.engine.errors import Refused
from games.gods2.pack import write_piece
from games.gods2.packs import library
from games.gods2.packs.forms import EntryForm, PieceField
from games.gods2.packs.models import (
    DRAFT,
    ENTRIES,
    PackAttribute,
    PackEntry,
    PackFeature,
    PackKnowledge,
    PackPower,
    PackSource,
    PackSphere,
    PackTable,
    PackVersion,
)


def _others(refusal: Refused) -> list[str]:
    """What else does not fit, after the finding that the refusal names first."""
    findings = refusal.facts.get("findings")
    return [str(finding) for finding in findings[1:50]] if isinstance(findings, list) else []


@admin.register(PackVersion)
class PackVersionPage(ModelAdmin):
    """Versions of the pack. A new one is a copy: change its entries, then publish it."""

    list_display = ("name", "number", "state_label", "parent", "created_by", "created_at", "published_at")
    list_filter = ("state", "created_at")
    list_select_related = ("parent", "created_by")
    search_fields = ("name", "note", "=number")
    ordering = ("-created_at",)
    actions_detail = ("publish", "copy")
    fields = (
        "name", "note", "state_label", "number", "digest", "parent", "created_by", "created_at", "published_at",
        "entries", "in_the_way",
    )  # fmt: skip

    def get_readonly_fields(self, request: HttpRequest, obj: PackVersion | None = None) -> tuple[str, ...]:
        """All but the name and the note."""
        return self.fields[2:]

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Drafts are copies."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: PackVersion | None = None) -> bool:
        """Drafts only."""
        return super().has_change_permission(request, obj) and not (obj is not None and obj.is_published)

    def has_delete_permission(self, request: HttpRequest, obj: PackVersion | None = None) -> bool:
        """Drafts only."""
        return super().has_delete_permission(request, obj) and not (obj is not None and obj.is_published)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Without the bulk deletion, which would not ask what is published."""
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """What is published is copied only."""
        actions: list[Any] = super().get_actions_detail(request, object_id)
        version = pack_version_or_none(object_id)
        is_draft = version is not None and not version.is_published
        return [action for action in actions if action.path != "publish" or is_draft]

    def has_making_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Those who may change packs."""
        return bool(request.user.has_perm("gods2_packs.change_packversion"))

    @display(description="state", ordering="state", label={"draft": "warning", "published": "success"})
    def state_label(self, version: PackVersion) -> str:
        """Draft or published."""
        return version.state

    @display(description="entries")
    def entries(self, version: PackVersion) -> SafeString:
        """Links to its entries, with their numbers."""
        rows = (
            (
                reverse(f"admin:gods2_packs_{model._meta.model_name}_changelist"),
                version.pk,
                model._default_manager.filter(pack=version).count(),
                model.part.replace("_", " "),
            )
            for model in ENTRIES
        )
        return format_html_join(" · ", '<a href="{}?pack__id__exact={}" class="underline">{} {}</a>', rows)

    @display(description="in the way of publishing")
    def in_the_way(self, version: PackVersion) -> SafeString | str:
        """What does not fit in a draft as a whole."""
        wrong = [] if version.is_published else library.findings_of(version)
        if not wrong:
            return "nothing"
        items = format_html_join("", "<li>{}</li>", ((f"{f}{f' ({f.rule})' if f.rule else ''}",) for f in wrong[:50]))
        return format_html("<ul>{}</ul>{}", items, f"and {len(wrong) - 50} more" if len(wrong) > 50 else "")

    @action(description="Publish", icon="publish", permissions=["making"])
    def publish(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Check the whole draft; then games may be played with it, and it never changes again."""
        version = self._version(request, object_id)
        form = forms.Form(request.POST if request.method == "POST" else None)
        if request.method == "POST" and form.is_valid():
            try:
                done = library.publish(version)
            except Refused as refusal:
                form.add_error(None, forms.ValidationError(refusal_text(refusal), code=refusal.code))
                for finding in _others(refusal):
                    form.add_error(None, forms.ValidationError(str(finding), code=refusal.code))
            else:
                self.message_user(request, f"{done} is published as pack {done.number}.", messages.SUCCESS)
                return self._to(done)
        text = "The draft is checked as a whole. Published, it never changes; new games take it if they name no other."
        return ask(self, request, version, form, f"Publish {version}", text)

    @action(description="Copy to a new draft", icon="content_copy", permissions=["making"])
    def copy(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """A draft with the same entries."""
        version = self._version(request, object_id)
        form = CopyForm(request.POST if request.method == "POST" else None, initial={"name": version.name})
        if request.method == "POST" and form.is_valid():
            draft = library.copy_version(version, name=form.cleaned_data["name"], by=request.user.pk)
            self.message_user(request, f"{draft} is a copy of {version}.", messages.SUCCESS)
            return self._to(draft)
        return ask(self, request, version, form, f"Copy {version}", "The copy is a draft: its entries can be changed.")

    def _version(self, request: HttpRequest, object_id: str) -> PackVersion:
        version = pack_version_or_none(object_id)
        if version is None:
            raise Http404
        if not self.has_view_permission(request, version) or not self.has_making_permission(request):
            raise PermissionDenied
        return version

    def _to(self, version: PackVersion) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:gods2_packs_packversion_change", args=[version.pk]))


class CopyForm(forms.Form):
    """What the copy is called."""

    name = forms.CharField(max_length=80, widget=UnfoldAdminTextInputWidget)


def pack_version_or_none(object_id: Any) -> PackVersion | None:
    """The version of an address, whose id may be anything."""
    try:
        return PackVersion.objects.filter(pk=UUID(str(object_id))).first()
    except ValueError:
        return None


def _list_in_words(text: str) -> str:
    """A JSON list of keys as words; `-` for none."""
    return ", ".join(map(str, json.loads(text))) or "-"


def _piece(name: str) -> Any:
    """A column of the page of a published entry: a piece as the files write it."""

    @display(description=name)
    def column(page: Any, entry: Any) -> SafeString | str:
        value = json.loads(getattr(entry, name))
        laid = '<pre class="whitespace-pre-wrap font-mono text-xs leading-relaxed">{}</pre>'
        return format_html(laid, write_piece(value)) if value else "-"

    return column


class EntryPage(ModelAdmin):
    """Entries of a part. Those of drafts can be changed."""

    form = EntryForm
    list_per_page = 50
    list_filter: tuple[str, ...] = ("pack",)
    list_select_related = ("pack",)
    search_fields: tuple[str, ...] = ("key", "name")
    pieces: tuple[str, ...] = ()
    """Fields that are written in YAML."""

    effects_written, rows_written, requires_written = _piece("effects"), _piece("rows"), _piece("requires")
    codes_written, prereqs_written, terrains_written = _piece("codes"), _piece("prereqs"), _piece("terrains")

    def get_fields(self, request: HttpRequest, obj: PackEntry | None = None) -> list[str]:
        """Pieces of a published entry, which nobody writes, as the files write them."""
        fields = list(super().get_fields(request, obj))
        if obj is None or not obj.pack.is_published:
            return fields
        return [f"{name}_written" if hasattr(self, f"{name}_written") else name for name in fields]

    @display(description="codes", ordering="codes")
    def codes_in_words(self, entry: Any) -> str:
        """Its codes in words."""
        return _list_in_words(entry.codes)

    @display(description="terrains")
    def terrains_in_words(self, entry: Any) -> str:
        """Where it may stand."""
        return _list_in_words(entry.terrains)

    @display(description="prerequisites")
    def prerequisites_in_words(self, entry: Any) -> str:
        """What must be known before."""
        return _list_in_words(entry.prereqs)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Pieces in YAML, and only drafts to add to."""
        if db_field.name in self.pieces:
            rows = 8 if db_field.name in ("effects", "rows") else 2
            return PieceField(
                label=str(db_field.verbose_name).capitalize(),
                help_text=db_field.help_text.replace("as JSON", "as YAML"),
                initial=db_field.get_default(),
                widget=UnfoldAdminTextareaWidget(attrs={"rows": rows, "class": "font-mono"}),
            )
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name == "pack":
            field.queryset = PackVersion.objects.filter(state=DRAFT)
            field.help_text = "A draft; what is published never changes."
        return field

    def get_readonly_fields(self, request: HttpRequest, obj: PackEntry | None = None) -> tuple[str, ...]:
        """An entry stays in its pack; tiers are worked out."""
        fixed = ("pack",) if obj is not None else ()
        return (*fixed, "tier") if self.model is PackKnowledge else fixed

    def has_change_permission(self, request: HttpRequest, obj: PackEntry | None = None) -> bool:
        """Of drafts only."""
        return super().has_change_permission(request, obj) and not (obj is not None and obj.pack.is_published)

    def has_delete_permission(self, request: HttpRequest, obj: PackEntry | None = None) -> bool:
        """Of drafts only."""
        return super().has_delete_permission(request, obj) and not (obj is not None and obj.pack.is_published)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Without the bulk deletion, which would not ask what is published."""
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With their packs."""
        return super().get_queryset(request).select_related("pack")

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save it, a new one at the end; tiers follow."""
        if not change:
            last = type(obj)._default_manager.filter(pack=obj.pack).aggregate(last=Max("position"))["last"] or 0
            obj.position = obj.position or last + 1
        if isinstance(obj, PackKnowledge):
            obj.tier = obj.tier or 1
        super().save_model(request, obj, form, change)
        if isinstance(obj, PackKnowledge):
            library.recompute_tiers(obj.pack)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Delete it; tiers follow."""
        pack = obj.pack
        super().delete_model(request, obj)
        if isinstance(obj, PackKnowledge):
            library.recompute_tiers(pack)


@admin.register(PackSphere)
class SpherePage(EntryPage):
    """Spheres of the gods."""

    list_display = ("key", "name", "group", "elemental", "pack")
    list_filter = ("pack", "group")


@admin.register(PackAttribute)
class AttributePage(EntryPage):
    """Attributes of races."""

    list_display = ("name", "key", "cost", "origin", "pack")
    pieces = ("effects",)


@admin.register(PackKnowledge)
class KnowledgePage(EntryPage):
    """Knowledges."""

    list_display = ("name", "key", "code", "tier", "prerequisites_in_words", "pack")
    list_filter = ("pack", "code", "tier")
    pieces = ("prereqs", "requires", "effects")


@admin.register(PackFeature)
class FeaturePage(EntryPage):
    """Kinds of terrain features."""

    list_display = ("name", "key", "code", "terrains_in_words", "pack")
    list_filter = ("pack", "code")
    pieces = ("terrains", "effects")


@admin.register(PackPower)
class PowerPage(EntryPage):
    """History powers."""

    list_display = ("name", "sphere", "level", "cost", "codes_in_words", "target", "pack")
    list_filter = ("pack", "sphere", "level", "kind")
    pieces = ("codes", "cost", "requires", "effects")


@admin.register(PackSource)
class SourcePage(EntryPage):
    """Sources of mana."""

    list_display = ("key", "sphere", "when", "counter", "factor", "pack")
    list_filter = ("pack", "sphere", "when")
    search_fields = ("key", "counter")


@admin.register(PackTable)
class TablePage(EntryPage):
    """Roll tables."""

    list_display = ("key", "die", "codes_in_words", "pack")
    search_fields = ("key",)
    pieces = ("codes", "rows")
