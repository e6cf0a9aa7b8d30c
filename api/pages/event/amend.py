"""A row is corrected at the desk: its table, the row by its name, then its fields; one `Amend` with a reason.

An entry of the log leads to the rows that it was about.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, get_type_hints
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from rest_framework.exceptions import ParseError

from api.common.exceptions import Fault
from api.pages.access import PageViewer, leader_of
from api.pages.event.desk import issue_at_desk, message_of, outcome_answer
from api.pages.forms.body import HINTS, body_of, strict_value
from api.pages.forms.fields import FormField
from api.pages.forms.refusals import TAKEN, sentences_of
from api.pages.policy import page
from api.pages.signed_in import SignedInView
from api.pages.wording import value_words
from games import registry
from games.engine.errors import Refused
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange, canonical, key_text, plain_row
from games.engine.lifecycle.row_wording import row_name
from games.engine.naming import id_in, records_of
from games.engine.wording import listing, phrase
from games.models import Game
from games.storage.moments import events_of_gms, moment_at
from games.storage.state_cache import STATE_CACHE

ROWS = 500
"""So many rows of a table are offered by name."""
ROWS_ABOUT = 24
"""So many rows are offered of what an entry of the log was about."""
MAX_DIGITS = 18
"""Of the number of an event."""
LONG = 60
"""Texts that are longer get several lines."""


EMPTY: Mapping[str, Any] = {"text": "", "lines": [], "numbers": []}
"""What a field says that was emptied, by how it is read; nothing otherwise."""


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
        leader.actor(Amend)
        context = self.context(leader, request)
        try:
            sent = body_of({name: request.POST.getlist(name) for name in request.POST})
            change = change_of(context, values_shown(request), sent)
            command = Amend(changes=(change,), reason=request.POST.get("reason", "").strip())
            answer = issue_at_desk(request, leader, Amend.slug(), command.model_dump_json().encode())
        except TAKEN as error:
            commands = registry.ruleset(leader.viewer.game.ruleset).open_commands
            context |= {"faults": sentences_of(error, commands), "reason": request.POST.get("reason", "")}
            return page(request, "amend", context, status=422)
        return outcome_answer(message_of(answer))

    def context(self, leader: PageViewer, request: HttpRequest) -> dict[str, Any]:
        """What is offered, and what is chosen. Raises `row.missing`, `history.missing`."""
        chosen, row = request.GET.get("table", ""), request.GET.get("row", "").strip()
        game, number = leader.viewer.game, number_of(request)
        told = values_told(game, number) if number is not None else None
        with STATE_CACHE.reading(game) as state:
            seen = state.view_for(leader.viewer.visibility.seats, gm=True)
            tables = sorted(name for name in seen.amendable() if name in seen.special or getattr(seen, name))
            found: dict[str, Any] = {
                "game": game,
                "tables": [(name, phrase(name), name == chosen) for name in tables],
                "chosen": chosen,
                "row": row,
                "about": rows_about(seen, tables, told) if told is not None else None,
                "key": request.POST.get("key") or uuid4().hex,
            }
            if chosen not in tables:
                return found
            found["by_key"] = chosen in seen.special
            found["rows"] = rows_of(seen, chosen, row) if chosen not in seen.special else []
            if row:
                values = plain_row(seen, chosen, row)
                if values is None:
                    raise Refused("row.missing", f"There is no such row among the {phrase(chosen)}.")
                fields = fields_of_row(seen, chosen, row, values)
                shown = canonical({field.path: values[field.path] for field in fields})
                found |= {"fields": fields, "shown": shown, "name": row_name(seen, chosen, row, values)}
        return found


def number_of(request: HttpRequest) -> int | None:
    """The event that the address names, by its number; None without one. Raises Fault (query.invalid)."""
    text = request.GET.get("event", "")
    if text and not (text.isdecimal() and len(text) <= MAX_DIGITS):
        raise Fault("query.invalid", "`event` is the number of an event.", parameter="event")
    return int(text) if text else None


def values_told(game: Game, number: int) -> list[frozenset[str]]:
    """The ids, words and numbers in each event of the command or timer of event `number`, as texts.

    Of the events that every game-master may read. Raises `history.missing`.
    """
    row = moment_at(game, number).row
    told = events_of_gms(game).filter(at=row.at, cause=row.cause).order_by("seq")
    return [frozenset(scalars(json.loads(body))) for body in told.values_list("body", flat=True)]


def scalars(value: Any) -> Iterator[str]:
    """The plain values in a JSON value, as texts."""
    match value:
        case dict():
            for each in value.values():
                yield from scalars(each)
        case list():
            for each in value:
                yield from scalars(each)
        case None | bool():
            return
        case _:
            yield str(value)


def rows_about(state: Any, tables: Iterable[str], told: Iterable[frozenset[str]]) -> list[tuple[str, str, str]]:
    """The rows whose whole key one of these events has among its values: table, key, name; keys without an id are none.

    told: the values of each event.
    """
    events = list(told)
    found: list[tuple[str, str, str]] = []
    for table in tables:
        for key in () if table in state.special else getattr(state, table):
            parts = key if isinstance(key, tuple) else (key,)
            texts = frozenset(map(str, parts))
            if any(isinstance(part, UUID) for part in parts) and any(texts <= event for event in events):
                text = key_text(key)
                found.append((table, text, row_name(state, table, text, plain_row(state, table, text) or {})))
    return found[:ROWS_ABOUT]


def rows_of(state: Any, table: str, chosen: str) -> list[tuple[str, str, bool]]:
    """The rows of a table: key, name, whether it is the chosen one; by name."""
    keys = [key_text(key) for key in getattr(state, table)]
    named = [(key, row_name(state, table, key, plain_row(state, table, key) or {})) for key in keys[:ROWS]]
    return [(key, name, key == chosen) for key, name in sorted(named, key=lambda pair: (pair[1], pair[0]))]


def fields_of_row(state: Any, table: str, row: str, values: Mapping[str, Any]) -> list[FormField]:
    """The fields of a row that may be corrected: all but its key. values: JSON values."""
    fixed = row.split("/")  # a list: values may be lists, which no set takes
    kinds = fields_with_words(state.tables[table].record) if table in state.tables else {}
    return [field_of(state, n, v, kinds.get(n, ())) for n, v in values.items() if v not in fixed]


def fields_with_words(record: type) -> dict[str, tuple[str, ...]]:
    """The fields of a record that hold one of some words, with these words."""
    return {
        name: tuple(kind) for name, kind in get_type_hints(record).items()
        if isinstance(kind, type) and issubclass(kind, StrEnum)
    }  # fmt: skip


def field_of(state: Any, name: str, value: Any, words: Sequence[str] = ()) -> FormField:
    """A field of a row with its value as it is; what names other rows is a choice of such rows.

    words: those that it may hold, where it holds one of some.
    """
    label = phrase(name).capitalize()
    match value:
        case bool():
            return FormField(name, label, "flag", "flag", value)
        case int():
            return FormField(name, label, "number", "number", value)
        case str() if words:
            choices = tuple((json.dumps(each), value_words(each), each == value) for each in words)
            return FormField(name, label, "json", "select", json.dumps(value), choices, needed=True)
        case None | str() if table := table_named(state, name, value):
            choices = tuple((json.dumps(key), text, key == value) for key, text, _ in rows_of(state, table, ""))
            return FormField(name, label, "json", "select", json.dumps(value), choices)
        case str() if id_in(value) is not None:
            sent, called = json.dumps(value), state.name_of(value) or "something"
            return FormField(name, label, "json", "fixed", sent, ((sent, called, True),))
        case str():
            widget = "long" if len(value) > LONG else "text"
            return FormField(name, label, "text", widget, value, help=names_in(state, [value]))
        case None | [] | {}:
            return FormField(name, label, "json", "text", "", help="As JSON.")
        case list() if table := next(iter({table_with(state, each) for each in value}), ""):
            places = {each: str(place) for place, each in enumerate(value, 1)}
            rows = tuple(
                FormField(name, text, "order", "place", places.get(key, ""), ((json.dumps(key), text, False),))
                for key, text, _ in rows_of(state, table, "")
            )
            return FormField(name, label, "order", "order", fields=rows, high=len(rows), help=HINTS["order"])
        case list() if all(type(each) is int for each in value):
            return FormField(name, label, "numbers", "text", " ".join(map(str, value)), help=HINTS["numbers"])
        case list() if all(isinstance(each, str) for each in value):
            words_of_keys = " ".join(filter(None, (HINTS["lines"], names_in(state, value))))
            return FormField(name, label, "lines", "long", "\n".join(value), help=words_of_keys)
    return FormField(name, label, "json", "text", json.dumps(value), help="As JSON.")


def names_in(state: Any, keys: Sequence[str]) -> str:
    """What keys stand for, as a sentence; "" where they speak for themselves."""
    named = [name for key in keys if key and (name := state.name_of(key))]
    return f"Now: {listing(named)}." if named else ""


def table_named(state: Any, field: str, value: str | None) -> str:
    """The table to whose rows a field leads: that which has its value, else by its name, `race` or `first_race` to
    `races`; "" for none.
    """
    if value is not None:
        return table_with(state, value)
    last = field.rpartition("_")[2]
    for table in (f"{last}s", f"{last[:-1]}ies"):
        rows = getattr(state, table, {}) if table in state.tables else {}
        if rows and all(isinstance(key, UUID) for key in list(rows)[:1]):
            return table
    return ""


def table_with(state: Any, value: Any) -> str:
    """The table that has a row of this id among those that are offered; of a god and their seat that of the gods."""
    sought = id_in(value) if isinstance(value, str) else None
    found = (name for name, _ in records_of(state, sought)) if sought is not None else iter(())
    return next((name for name in found if sought in list(getattr(state, name))[:ROWS]), "")


def values_shown(request: HttpRequest) -> Mapping[str, Any]:
    """The values of the row that a form showed, as it says itself. Raises `amend.invalid`."""
    try:
        shown = strict_value(request.POST.get("shown") or "{}")
    except ParseError as wrong:
        raise Refused("amend.invalid", "What the form showed is no JSON; open it anew.") from wrong
    if not isinstance(shown, dict):
        raise Refused("amend.invalid", "What the form showed is no JSON object; open it anew.")
    return shown


def change_of(context: Mapping[str, Any], shown: Mapping[str, Any], sent: Mapping[str, Any]) -> Change:
    """The fields that differ from what the form showed. Raises `amend.invalid` where none does."""
    empty = {field.path: EMPTY.get(field.reading) for field in context.get("fields", ())}
    empty |= {name: shown[name] for name in empty if name in shown and shown[name] in (None, [], {})}
    wanted = {name: sent.get(name, blank) for name, blank in empty.items() if name in shown}
    fields = tuple(
        FieldChange(field=name, value=canonical(value), before=canonical(shown[name]))
        for name, value in wanted.items()
        if canonical(value) != canonical(shown[name])
    )
    if not fields:
        raise Refused("amend.invalid", "Nothing differs from what the row said on the form.")
    return Change(deed=Deed.ALTER, table=context["chosen"], row=context["row"], fields=fields)
