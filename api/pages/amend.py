"""A row is corrected at the desk: its table, the row by its name, then its fields; one `Amend` with a reason."""

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from api.pages.access import Leader, leader_of
from api.pages.desk import message_of, outcome_answer
from api.pages.form_fields import FormField, body_of
from api.pages.policy import page
from api.pages.refusals import TAKEN, sentences_of
from api.pages.signed_in import SignedInView
from games import services
from games.engine.errors import Refused
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange, canonical, key_text, plain_row
from games.engine.lifecycle.row_wording import row_name
from games.engine.wording import phrase
from games.storage.state_cache import STATE_CACHE

ROWS = 500
"""So many rows of a table are offered by name."""
LONG = 60
"""Texts that are longer get several lines."""


class DeskAmend(SignedInView):
    """The choice of a row, the form of its fields, and its correction."""

    http_method_names = ["get", "head", "post"]

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """Tables; the rows of one; the fields of one row: as far as the address says."""
        leader = leader_of(request, game_id)
        leader.actor(Amend)
        return page(request, "amend", self.context(leader, request))

    def post(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """Correct the row, completely and once; a refusal comes back on the form."""
        leader = leader_of(request, game_id)
        actor, context = leader.actor(Amend), self.context(leader, request)
        try:
            change = change_of(context, body_of({name: request.POST.getlist(name) for name in request.POST}))
            command = Amend(changes=(change,), reason=request.POST.get("reason", "").strip())
            outcome = services.run(game_id, command, actor=actor)
        except TAKEN as error:
            context |= {"faults": sentences_of(error), "reason": request.POST.get("reason", "")}
            return page(request, "amend", context, status=422)
        return outcome_answer(message_of(leader, outcome))

    def context(self, leader: Leader, request: HttpRequest) -> dict[str, Any]:
        """What is offered, and what is chosen. Raises `row.missing`."""
        chosen, row = request.GET.get("table", ""), request.GET.get("row", "")
        with STATE_CACHE.reading(leader.viewer.game) as state:
            seen = state.view_for(leader.viewer.visibility.seats, gm=True)
            tables = sorted(name for name in seen.amendable() - seen.special if getattr(seen, name))
            found: dict[str, Any] = {
                "game": leader.viewer.game,
                "tables": [(name, phrase(name), name == chosen) for name in tables],
                "chosen": chosen,
                "row": row,
            }
            if chosen not in tables:
                return found
            found["rows"] = rows_of(seen, chosen, row)
            if row:
                values = plain_row(seen, chosen, row)
                if values is None:
                    raise Refused("row.missing", f"There is no such row among the {phrase(chosen)}.")
                fixed = row.split("/")  # a list: values may be lists, which no set takes
                found |= {"values": values, "fields": [field_of(n, v) for n, v in values.items() if v not in fixed]}
        return found


def rows_of(state: Any, table: str, chosen: str) -> list[tuple[str, str, bool]]:
    """The rows of a table: key, name, whether it is the chosen one; by name."""
    keys = [key_text(key) for key in getattr(state, table)]
    named = [(key, row_name(state, table, key, plain_row(state, table, key) or {})) for key in keys[:ROWS]]
    return [(key, name, key == chosen) for key, name in sorted(named, key=lambda pair: (pair[1], pair[0]))]


def field_of(name: str, value: Any) -> FormField:
    """A field of a row with its value as it is."""
    label = phrase(name).capitalize()
    match value:
        case bool():
            return FormField(name, label, "flag", "flag", value)
        case int():
            return FormField(name, label, "number", "number", value)
        case str():
            return FormField(name, label, "text", "long" if len(value) > LONG else "text", value)
    return FormField(name, label, "json", "text", json.dumps(value), help="As JSON.")


def change_of(context: Mapping[str, Any], sent: Mapping[str, Any]) -> Change:
    """The fields that differ from what they are. Raises `amend.invalid` where none does."""
    values: Mapping[str, Any] = context.get("values", {})
    empty = {field.path: "" if field.reading == "text" else None for field in context.get("fields", ())}
    wanted = {name: sent.get(name, blank) for name, blank in empty.items()}
    fields = tuple(
        FieldChange(field=name, value=canonical(value), before=canonical(values[name]))
        for name, value in wanted.items()
        if canonical(value) != canonical(values[name])
    )
    if not fields:
        raise Refused("amend.invalid", "Nothing differs from what the row says now.")
    return Change(deed=Deed.ALTER, table=context["chosen"], row=context["row"], fields=fields)
