"""The base of admin pages whose rows a live game may rule: an edit becomes one `Amend`, through `issue`.

Rows without a live game, and columns that no state holds (pictures), are saved as in any admin. A ruled row is never
saved by the form: its new values, those of the inlines beside it and the values that the form showed go to the game
together, with a reason. What the game refuses is shown on the form, and nothing has changed.
"""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import router, transaction
from django.db.models import Model, ProtectedError, RestrictedError, UUIDField
from django.db.models.deletion import Collector
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminTextareaWidget

from api.common.permissions import CONDUCT
from api.console.amend_mapping import Facets, Holding, changes, facets, holding_of, merge, pack_facets, unpack_facets
from api.console.issuing import KEY, KeyField, issue_from_admin, refusal_text
from api.console.people_pages import NamingPeople
from core.ids import in_slot_of
from games import registry
from games.engine.errors import Refused
from games.engine.lifecycle.amend import Amend
from games.engine.wording import decimal_text
from games.models import Game

OURS = ("reason", "seen", KEY)


class AmendForm(forms.ModelForm):
    """A row with three fields more: why it is corrected, what the form showed when it was opened, and its key."""

    reason = forms.CharField(
        required=False,
        max_length=2000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text="A live game rules this row: the change is logged in the game, and the reason with it.",
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    key = KeyField()

    shown: Callable[[], str] | None = None
    """What the form shows, as text; set by the page for a ruled row."""
    refusal: Refused | None = None
    """Why the game refused what was sent."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fractions = {name: value for name, value in self.initial.items() if isinstance(value, Decimal)}
        self.initial.update({name: decimal_text(value) for name, value in fractions.items()})
        if self.shown is not None:
            self.fields["seen"].initial = self.shown

    def clean(self) -> dict[str, Any]:
        """The values, or the game's refusal in its own words."""
        values = super().clean() or self.cleaned_data
        if self.refusal is not None:
            at = "reason" if self.refusal.code == "reason.missing" else None
            self.add_error(at, forms.ValidationError(refusal_text(self.refusal), code=self.refusal.code))
        return values


class Amending(NamingPeople):
    """Pages that amend. Put it before another base (`class RacePage(Amending, RaceAdmin)`)."""

    form = AmendForm
    list_per_page = 50
    show_full_result_count = False
    list_filter_submit = True
    warn_unsaved_form = True

    def is_ruled(self, obj: Model) -> bool:
        """A live game holds this row in a table that nobody amends: to read, and not to write."""
        held = holding_of(obj)
        return held is not None and not held[1].amendable

    def _holding(self, obj: Model | None) -> tuple[Game, Holding] | None:
        return holding_of(obj) if obj is not None else None

    # --- who may -----------------------------------------------------------------------------------------------------
    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Ruled rows are for those who conduct games; rows that nobody amends are for nobody."""
        if not super().has_change_permission(request, obj):
            return False
        held = self._holding(obj)
        return held is None or (held[1].amendable and request.user.has_perm(CONDUCT))

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """The same; and a sheet goes with the row it hangs on."""
        if not super().has_delete_permission(request, obj):
            return False
        held = self._holding(obj)
        return held is None or (held[1].amendable and held[1].leads and request.user.has_perm(CONDUCT))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Without the bulk deletion, which would not ask row by row whether a game rules it."""
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    # --- the form ----------------------------------------------------------------------------------------------------
    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        """What names a ruled row does not change."""
        fixed = tuple(super().get_readonly_fields(request, obj))
        held = self._holding(obj)
        more = held[1].fixed_fields(self.model) if held is not None else set()
        return (*fixed, *sorted(more - set(fixed)))

    def get_fieldsets(self, request: HttpRequest, obj: Model | None = None) -> Any:
        """The reason stands below everything else; a row that no game rules has none."""
        sets = [
            (title, {**options, "fields": [name for name in options["fields"] if name not in OURS]})
            for title, options in super().get_fieldsets(request, obj)
        ]
        if obj is None or self._holding(obj) is not None:
            sets.append(("Correction", {"fields": list(OURS)}))
        return sets

    def get_form(self, request: HttpRequest, obj: Model | None = None, change: bool = False, **kwargs: Any) -> Any:
        """The form, knowing what it shows and what was refused."""
        form = super().get_form(request, obj, change=change, **kwargs)
        more: dict[str, Any] = {"refusal": getattr(request, "refusal", None)}
        held = self._holding(obj)
        if held is not None and obj is not None:
            game, row = held[0], obj
            more["shown"] = lambda _=None: pack_facets(self._stored_facets(request, game, row))
        return type(form.__name__, (form,), more)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """A new row whose id is asked for gets one."""
        initial: dict[str, Any] = super().get_changeform_initial_data(request)
        if isinstance(self.model._meta.pk, UUIDField):
            initial.setdefault(self.model._meta.pk.name, str(uuid4()))
        return initial

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """The form; refused by the game it comes back as it was sent, with the reason."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except Refused as refusal:
            request.refusal = refusal  # type: ignore[attr-defined]
            return super().changeform_view(request, *args, **kwargs)

    # --- saving ------------------------------------------------------------------------------------------------------
    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        """A free row is saved; a ruled one waits for its inlines."""
        if holding_of(obj) is None:
            super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """A ruled row and its inlines become one `Amend`; then what no game rules is saved."""
        held = holding_of(form.instance)
        if held is None:
            super().save_related(request, form, formsets, change)
            return
        game, how = held
        if not change and isinstance(form.instance._meta.pk, UUIDField):  # formsets take the id of a new row away
            form.instance.pk = in_slot_of(game.pk, form.instance.pk or uuid4())
        if not how.amendable or not (change or how.creatable):
            raise Refused("amend.invalid", f"Rows of {how.table} are made by commands of the game, not here.")
        for formset in formsets:
            note(formset)
        before = unpack_facets(form.cleaned_data.get("seen", "")) if change else {}
        after = self._submitted_facets(game, how, form, formsets, before if change else None)
        self._amend(request, game, changes(game.ruleset, before, after), form.cleaned_data)
        self._save_pictures(request, how, form, change)

    def _amend(self, request: HttpRequest, game: Game, made: tuple[Any, ...], sent: Mapping[str, Any]) -> None:
        """Let the game correct rows. sent: reason and key. Raises `reason.missing`, and what the game refuses with."""
        if not made:
            return
        if not request.user.has_perm(CONDUCT):
            raise PermissionDenied
        reason = sent.get("reason", "").strip()
        if not reason:
            raise Refused("reason.missing", "A live game rules this row; say why it is corrected.")
        body = Amend(changes=made, reason=reason).model_dump_json().encode()
        done = issue_from_admin(request, game.pk, Amend.slug(), body, sent.get(KEY, "")).outcome
        span = f"event {done.first_seq}" + (f" to {done.last_seq}" if done.last_seq > done.first_seq else "")
        self.message_user(request, f"Amended in {game.name}: {span}.", messages.SUCCESS)

    def _submitted_facets(self, game: Game, how: Holding, form: Any, formsets: Any, before: Facets | None) -> Facets:
        """What the page says now. Fields that the form did not change say what they did."""
        row = form.instance
        own = facets(game, type(row), [row])
        if before is not None and how.special is None:
            names = how.field_names(type(row))
            changed = {held for name in form.changed_data for held in names.get(name, ())}
            own = {
                key: {**before.get(key, {}), **{name: v for name, v in values.items() if name in changed}}
                for key, values in own.items()
            }
        parts = [own]
        for formset in formsets:
            remaining = [f.instance for f in formset.initial_forms if f not in formset.deleted_forms]
            remaining += [f.instance for f in formset.extra_forms if f.has_changed() and f not in formset.deleted_forms]
            for inner in remaining:
                setattr(inner, formset.fk.name, row)
            parts.append(facets(game, formset.model, remaining, row))
        return merge(*parts)

    def _stored_facets(self, request: HttpRequest, game: Game, row: Model) -> Facets:
        """What the stored rows of a page say: the row and those of its inlines."""
        parts = [facets(game, type(row), [row])]
        parts += [facets(game, model, rows, row) for model, rows in self._beside(request, row)]
        return merge(*parts)

    def _beside(self, request: HttpRequest, row: Model) -> Iterable[tuple[type[Model], list[Model]]]:
        """The rows of each inline of a page."""
        for inline in self.get_inline_instances(request, row):
            formset = inline.get_formset(request, row)
            yield inline.model, list(inline.model._default_manager.filter(**{formset.fk.name: row}))

    def _save_pictures(self, request: HttpRequest, how: Holding, form: Any, change: bool) -> None:
        """Save the changed columns that no state holds, on the row as the game has left it."""
        held = set(how.field_names(self.model)) | how.fixed_fields(self.model)
        loose = [name for name in form.changed_data if name not in held and name not in OURS]
        loose = [name for name in loose if name != "world"]
        fresh = self.model._default_manager.filter(pk=form.instance.pk).first()
        if not loose or fresh is None:
            return
        for name in loose:
            setattr(fresh, name, form.cleaned_data[name])
        super().save_model(request, fresh, form, change)

    # --- deleting ----------------------------------------------------------------------------------------------------
    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """A ruled row is deleted by an `Amend` with a reason; a free one as in any admin."""
        row = self.get_object(request, object_id)
        held = self._holding(row)
        if row is None or held is None:
            return super().delete_view(request, object_id, extra_context)
        if not self.has_delete_permission(request, row):
            raise PermissionDenied
        form = ReasonForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            try:
                with transaction.atomic(using=router.db_for_write(self.model)):
                    self._amend_away(request, held[0], row, form.cleaned_data)
                return HttpResponseRedirect(reverse(f"admin:{self._name()}_changelist"))
            except Refused as refusal:
                form.add_error(None, forms.ValidationError(refusal_text(refusal), code=refusal.code))
        text = "A live game rules this row: it goes by a correction that is logged in the game."
        return ask(self, request, row, form, f"Delete {row}", text)

    def _amend_away(self, request: HttpRequest, game: Game, row: Model, sent: Mapping[str, Any]) -> None:
        beside = list(self._beside(request, row))
        known = {(type(r), r.pk) for r in (row, *(r for _, rows in beside for r in rows))}
        check_alone(game, row, known)
        made = changes(game.ruleset, self._stored_facets(request, game, row), {})
        self._amend(request, game, made, sent)
        self.log_deletions(request, [row])

    def _name(self) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}"


class MadeByCommand(Amending):
    """Rows that come and go with the game's own commands: there is nothing to add here."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False


class ReasonForm(forms.Form):
    """Why something is done."""

    reason = forms.CharField(
        max_length=2000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Logged with the change, for those who may see the row.",
    )
    key = KeyField()


def note(formset: Any) -> None:
    """Let a formset report what was changed in it, for the page's history, without saving anything."""
    formset.saved_forms = []
    formset.save_existing_objects(commit=False)
    formset.save_new_objects(commit=False)


def check_alone(game: Game, row: Model, known: set[tuple[type[Model], Any]]) -> None:
    """Refuse (`row.used`) to delete a row with which rows of other tables would vanish that the game still knows."""
    collector = Collector(using="default", origin=row)
    try:
        collector.collect([row])
    except (ProtectedError, RestrictedError) as barred:
        raise Refused("row.used", f"Other rows need {row}: {barred.args[0]}") from barred
    found = {(model, r.pk) for model, rows in collector.data.items() for r in rows}
    found |= {(query.model, r.pk) for query in collector.fast_deletes for r in query}
    tables = registry.store(game.ruleset).tables
    own = next((m for m in tables if any(p.model is type(row) for p in m.parts)), None)
    sheets = {p.model for p in own.parts} if own else set()
    sheets |= {model for _, model in (own.keyed if own else ())}
    others = {model for model, pk in found - known if model not in sheets}
    if others:
        names = ", ".join(sorted(str(model._meta.verbose_name_plural) for model in others))
        raise Refused("row.used", f"{row} still has {names}; correct those first.")


def ask(
    page: ModelAdmin,
    request: HttpRequest,
    row: Model,
    form: forms.Form,
    title: str,
    text: str,
    *,
    template: str = "console/ask.html",
    **more: Any,
) -> HttpResponse:
    """A page with one form: what is about to be done to a row, and why. more: what another template shows besides."""
    if not page.has_view_permission(request, row):
        raise Http404
    context = {
        **page.admin_site.each_context(request),
        **more,
        "title": title,
        "text": text,
        "form": form,
        "opts": page.opts,
        "original": row,
        "back": reverse(f"admin:{page.opts.app_label}_{page.opts.model_name}_change", args=[row.pk]),
    }
    return TemplateResponse(request, template, context)
