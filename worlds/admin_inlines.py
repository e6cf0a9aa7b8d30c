"""Rows on the page of another row: every field has a name of its own, and shares are written in percent."""

from decimal import Decimal
from typing import Any

from django import forms
from django.contrib.admin.widgets import AutocompleteSelect
from django.db.models import ForeignKey
from django.http import HttpRequest
from django.utils.text import capfirst
from unfold.admin import TabularInline
from unfold.widgets import UnfoldAdminDecimalFieldWidget


class NamedAutocomplete(AutocompleteSelect):
    """A choice by search that has a name also while it is empty: its placeholder is what it is read by."""

    def build_attrs(self, base_attrs: dict[str, Any], extra_attrs: dict[str, Any] | None = None) -> dict[str, Any]:
        """With the placeholder that the script shows."""
        attrs = super().build_attrs(base_attrs, extra_attrs)
        return {**attrs, "data-placeholder": str(capfirst(self.field.verbose_name))}


class NamedInline(TabularInline):
    """A table of rows whose fields are named for assistive technology: a heading of a column is none of theirs."""

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        """The forms, each field with the name of its column."""
        formset = super().get_formset(request, obj, **kwargs)
        for name, field in formset.form.base_fields.items():
            field.widget.attrs.setdefault("aria-label", str(capfirst(field.label or name.replace("_", " "))))
        return formset

    def formfield_for_foreignkey(self, db_field: ForeignKey[Any, Any], request: HttpRequest, **kwargs: Any) -> Any:
        """The field of another row; one that is searched for has a name while it is empty, too."""
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs.setdefault("widget", NamedAutocomplete(db_field, self.admin_site))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)


class PercentField(forms.DecimalField):
    """A share as it is shown, in percent with two decimals; its value is whole hundredths of a percent."""

    widget = UnfoldAdminDecimalFieldWidget

    def __init__(self, **kwargs: Any) -> None:
        bounds = {"min_value": Decimal("0.01"), "max_value": Decimal(100), "max_digits": 5, "decimal_places": 2}
        super().__init__(**{"help_text": "Percent: 0.01 to 100.", **bounds, **kwargs})

    def clean(self, value: Any) -> int | None:
        """Hundredths of a percent. Raises ValidationError."""
        percent = super().clean(value)
        return None if percent is None else int(percent * 100)

    def prepare_value(self, value: Any) -> Any:
        """What stands in the field: hundredths in percent, what was written as it is."""
        return percent_text(value) if isinstance(value, int) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Whether another percentage was written than stood there."""
        return super().has_changed(None if initial is None else Decimal(initial) / 100, data)


def percent_text(share: int) -> str:
    """Hundredths of a percent as percent: 450 is `4.50`."""
    sign, share = ("-" if share < 0 else ""), abs(share)
    return f"{sign}{share // 100}.{share % 100:02d}"
