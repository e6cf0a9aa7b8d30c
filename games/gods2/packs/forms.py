"""The forms of packs' entries: pieces written in YAML, and each mistake shown beside its field."""

import json
from typing import Any

from django import forms

from games.gods2.pack import parse_piece, write_piece
from games.gods2.packs import library
from games.gods2.packs.models import PackEntry, PackKnowledge, compact
from games.gods2.rules.pack.pack import Finding, entry_findings, reference_findings

LONGEST = 20_000


class PieceField(forms.CharField):
    """A piece of a pack: shown and read as in the files, stored as JSON."""

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=LONGEST, required=False, **more)

    def prepare_value(self, value: Any) -> Any:
        """JSON from the row as the files write it; what a person sent as it was sent."""
        try:
            return write_piece(json.loads(value))
        except (TypeError, ValueError, RecursionError):
            return value

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Whether another value was sent, however it is written."""
        try:
            return bool(json.loads(initial or "null") != parse_piece(data or ""))
        except (ValueError, RecursionError):
            return True

    def clean(self, value: Any) -> str:
        """The JSON of what was written. Raises ValidationError with the line."""
        text = super().clean(value)
        try:
            read = parse_piece(text)
        except ValueError as wrong:
            raise forms.ValidationError(f"This is no YAML: {wrong}.", code="pack.invalid") from wrong
        return compact([] if read is None else read)


class EntryForm(forms.ModelForm):
    """An entry of a draft: what does not fit is shown beside its field, with the place in it and the rule."""

    def clean(self) -> dict[str, Any]:
        """The values, if the entry fits the draft."""
        values = super().clean() or self.cleaned_data
        pack = values.get("pack") or (self.instance.pack if self.instance.pack_id else None)
        if self.errors or pack is None:
            return values
        model: type[PackEntry] = self._meta.model
        given = {**_columns(self.instance), **{k: v for k, v in values.items() if k != "pack"}}
        if model is PackKnowledge:
            given["tier"] = self.instance.tier or 1
        plain = model(**given).plain()
        if model._default_manager.filter(pack=pack, key=plain["id"]).exclude(pk=self.instance.pk).exists():
            self.add_error(
                "key", _error(Finding("", ("id",), "this pack has such an entry already; choose another key"))
            )
            return values
        wrong = entry_findings(model.part, plain) or reference_findings(model.part, plain, library.raw_of(pack))
        for finding in wrong:
            field = "key" if finding.field == "id" else finding.field
            self.add_error(field if field in self.fields else None, _error(finding))
        return values


def _columns(row: PackEntry) -> dict[str, Any]:
    return {("key" if name == "id" else name): getattr(row, "key" if name == "id" else name) for name in row.shape}


def _error(finding: Finding) -> forms.ValidationError:
    """A finding as a sentence: where in the field, what is wrong, which rule."""
    place = ".".join(map(str, finding.path[1:]))
    rule = f" ({finding.rule})" if finding.rule else ""
    return forms.ValidationError(f"{place + ': ' if place else ''}{finding.why}.{rule}", code="pack.invalid")
