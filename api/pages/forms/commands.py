"""The form of a command as somebody may fill it in now, from the state of a game as they may see it (no database).

What the legal commands say is offered, what is fixed already is shown; and why there is nothing to fill in.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

from api.common.plain_json import plain
from api.pages.forms.fields import FormField, Making
from api.pages.forms.schemas import Schema, choices_of, join
from api.pages.wording import text_of, value_words, words_of
from api.representations.issuing.commands import listing_json
from api.representations.issuing.legal_schemas import schema_of
from games.engine.audience import reader
from games.engine.errors import Refused
from games.engine.game_state import Answer, GameState
from games.engine.insight.legal_commands import (
    Enumerable,
    LegalCommand,
    LegalCommandFilter,
    legal_commands_for,
    names_of,
)
from games.engine.kernel import Actor, Command, require_clock
from games.engine.lifecycle.gm_commands import EndNow, Extend, FireNow
from games.engine.lifecycle.row_wording import is_id
from games.engine.model import field_descriptions
from games.engine.ruleset import Ruleset

HELPS = {"user": "The name of their account, or its id."}
"""What is said of a field otherwise than in the APIs."""
ELSEWHERE = ("user", "message")
"""Fields whose ids are of no thing in the state of a game: people, and messages of the log."""
FIRST = {"seconds": 60}
"""What a form begins with where nothing else is known: so much later."""


OF_THE_CLOCK = (EndNow, FireNow, Extend)
"""Commands of every game that end or put off what goes on now."""
ID = re.compile(r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}")
GONE = Refused(
    "prompt.closed",
    "What this was about is not open any more: it was decided or withdrawn, or its time has passed. "
    "Look at the desk for what is open now.",
)
"""Why a form has nothing to offer whose fixed values nothing that is legal now has."""
NOTHING = Refused("prompt.closed", "There is nothing now that this could be done with; the desk shows what is open.")
"""Why a form has nothing to offer that names nothing itself."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The marks of what goes on in a game (`GameState.stage`, `phase_mark`)."""

    whole: str = ""
    phase: str = ""

    @classmethod
    def of(cls, state: GameState) -> "Stage":
        """That which a game is in."""
        return cls(state.stage, state.phase_mark)

    def mark_for(self, kind: type[Command]) -> str:
        """On what a command acts that names nothing: those of the clock on the phase."""
        return self.phase if kind in OF_THE_CLOCK else self.whole


NOWHERE = Stage()


@dataclass(frozen=True, slots=True)
class CommandForm:
    """A form for one command. barred: why it cannot be issued at all now, why: in the words
    of pages. key: by which a second sending is known."""

    command: str
    title: str
    summary: str
    fields: tuple[FormField, ...]
    barred: Refused | None
    why: str
    key: str
    stage: str = ""
    """The stage that the game was in when it was made."""
    given: Answer | None = None
    """What the seat that is acted for has answered already."""

    @property
    def is_bare(self) -> bool:
        """Whether there is nothing to fill in or to read: then the form says that it is sent as it stands."""
        return self.barred is None and all(field.widget == "hidden" for field in self.fields)


@dataclass(frozen=True, slots=True)
class Offer:
    """What of one command somebody may do now: the schemas of its body, what they refer to, or why none is legal."""

    schemas: tuple[Schema, ...]
    defs: Schema
    barred: Refused | None = None

    @classmethod
    def of(cls, ruleset: str, found: Sequence[LegalCommand], names: Mapping[str, str]) -> "Offer":
        """From the legal commands of that one command."""
        listed = listing_json(ruleset, found, names)
        legal = tuple(entry["schema"] for entry in listed["results"] if entry["legal"])
        barred = next((each.barred for each in found if each.barred), GONE)
        return cls(legal, listed["$defs"], None if legal else barred)

    @classmethod
    def at_any_time(cls, kind: type[Command]) -> "Offer":
        """Of a command that cannot say what it would accept now."""
        schema = schema_of(kind)
        return cls((schema,), schema.get("$defs", {}))


def form_in(
    seen: GameState,
    rules: Ruleset,
    kind: type[Command],
    actor: Actor,
    fixed: Mapping[str, Any],
    begun: Mapping[str, Any],
    *,
    question: UUID | None = None,
    key: str = "",
    stage: Stage = NOWHERE,
) -> CommandForm:
    """The form of a command for an actor. seen: the state as the one at the desk may see it.

    fixed: values that cannot be changed in it. begun: what else it begins with. question: which it answers.
    stage: that the game is in.
    """
    name, absent = kind.slug(), actor.on_behalf_of
    if issubclass(kind, Enumerable):
        own = seen if absent is None else seen.view_for(frozenset({absent}))
        found = legal_commands_for(own, [kind], actor, LegalCommandFilter(name))
        offer = Offer.of(rules.slug, found, names_of(own, found))
    else:
        offer = Offer.at_any_time(kind)
    making = Making(offer.defs, helps_of(kind), seen.name_of, rules.open_commands.keys())
    fields, barred = fields_of(making, offer, fixed, begun, _choices_by_name(seen, rules, kind), kind)
    is_closed = question is not None and question not in seen.prompts
    if is_closed or any(_is_gone(seen, name, value) for name, value in fixed.items()):
        fields, barred = (), GONE
    try:
        require_clock(seen, kind, actor)
    except Refused as waits:
        fields, barred = (), waits
    given = answer_given(seen, kind, absent, question) if absent is not None else None
    summary = text_of(words_for_people(kind), rules.open_commands)
    why = text_of(barred.message, rules.open_commands) if barred is not None else ""
    mark = stage.mark_for(kind)
    return CommandForm(name, words_of(name), summary, fields, barred, why, key or uuid4().hex, mark, given)


def words_for_people(kind: type[Command]) -> str:
    """What is said of a command in forms: its documentation but for what concerns its schemas."""
    return "\n\n".join(part for part in kind.summary().split("\n\n") if "`partial`" not in part)


def helps_of(kind: type[Command]) -> dict[str, str | None]:
    """What is said of the fields of a command in its form."""
    return {**field_descriptions(kind), **{each: words for each, words in HELPS.items() if each in kind.model_fields}}


def _is_gone(seen: GameState, name: str, value: Any) -> bool:
    """Whether a fixed value is the id of something of the state that is not there any more."""
    return name not in ELSEWHERE and isinstance(value, str) and is_id(value) and seen.name_of(value) is None


def fields_of(
    making: Making,
    offer: Offer,
    fixed: Mapping[str, Any],
    begun: Mapping[str, Any],
    named: Mapping[str, Schema],
    kind: type[Command],
) -> tuple[tuple[FormField, ...], Refused | None]:
    """The fields of a form, and why it has none to fill in.

    What is fixed is shown and sent as it is, or the form is barred: nothing else is chosen in its place. named:
    choices that the schemas leave open.
    """
    offered = [{**each, "properties": {**each.get("properties", {}), **named}} for each in offer.schemas]
    admitting = [schema for schema in offered if _admits(making, schema, fixed)]
    if not admitting:
        nothing = GONE if fixed else NOTHING
        return (), nothing if offer.barred is None or offer.barred is GONE else offer.barred
    values = {**begun, **fixed}
    schema = _merge([each for each in admitting if _admits(making, each, values)] or admitting, making)
    first = {name: value for name, value in FIRST.items() if name in kind.model_fields}
    made = making.fields(schema, {**first, **values})
    return tuple(_fixed_field(field, fixed[field.path]) if field.path in fixed else field for field in made), None


def answer_given(seen: GameState, kind: type[Command], seat: UUID, question: UUID | None) -> Answer | None:
    """What a seat has answered already to a question that a command answers: to this one, or to any that is open."""
    asked = [each for each in seen.prompts.values() if kind.slug() in each.answered_by and question in (None, each.id)]
    given = (seen.answers.get((each.id, reader(seat))) for each in asked)
    return next((answer for answer in given if answer is not None), None)


def _fixed_field(field: FormField, value: Any) -> FormField:
    """A field whose value is fixed: it is sent, shown where people have words for it, and cannot be changed."""
    words = ", ".join(title for _, title, is_chosen in field.choices if is_chosen)
    if not words and value not in ("", None) and not is_id(str(value)) and not isinstance(value, list | Mapping):
        words = value_words(value)
    sent = json.dumps(plain(value))
    widget = "fixed" if words and not is_id(words) else "hidden"
    return replace(field, reading="json", widget=widget, value=sent, choices=((sent, words, True),), fields=())


def acts_on_stage(rules: Ruleset, kind: type[Command], values: Mapping[str, Any]) -> bool:
    """Whether a command acts on what goes on now without a word of what that is: these values name no thing.

    What is about the whole game, as a pause, is not among them.
    """
    if kind in OF_THE_CLOCK:  # a deadline of one question or thing has its id in its key
        return not ID.search(str(values.get("timer", "")))
    return kind in rules.own.commands and not any(map(is_id, _texts_in(plain(dict(values)))))


def _texts_in(value: Any) -> Iterator[str]:
    """The texts in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | Mapping):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts_in(each)


def is_whole(kind: type[Command], values: Mapping[str, Any]) -> bool:
    """Whether these values are all that a command has: no field is open, one that may be left out neither."""
    return kind.model_fields.keys() <= values.keys()


def _admits(making: Making, schema: Schema, given: Mapping[str, Any]) -> bool:
    """Whether a legal command may have the values that are given."""
    for name, value in given.items():
        part = schema.get("properties", {}).get(name)
        whole = making.resolve(part) if part is not None else {}
        values = choices_of(whole)
        if values is not None and not whole.get("x-more") and plain(value) not in [each for each, _ in values]:
            return False
    return True


def _merge(schemas: Sequence[Schema], making: Making) -> Schema:
    """What several ways to issue one command have together: every choice of each argument."""
    if len(schemas) < 2:
        return schemas[0] if schemas else {}
    return join(schemas, making.defs)


def _choices_by_name(seen: GameState, rules: Ruleset, kind: type[Command]) -> dict[str, Schema]:
    """What the legal commands leave open though people know it by a name: running timers, seats, a person."""
    named: dict[str, Schema] = {}
    if issubclass(kind, Enumerable):
        return named
    names = {seat.id: seat.name for seat in sorted(seen.seats.values(), key=lambda seat: (seat.role, seat.name))}
    if "timer" in kind.model_fields:
        running = sorted((timer.due, timer.key, timer) for timer in seen.timers.values() if timer.due)
        named["timer"] = _choices_schema(
            (key, timer_words(timer.does, timer.subject, names)) for _, key, timer in running
        )
    if "seat" in kind.model_fields:
        named["seat"] = _choices_schema((str(seat), name) for seat, name in names.items())
    if "user" in kind.model_fields:
        named["user"] = {"type": "string", "maxLength": 120}
    if "bot" in kind.model_fields:
        named["bot"] = {"enum": sorted({*rules.policies, *rules.gm_policies})}
    return named


def _choices_schema(choices: Iterable[tuple[str, str]]) -> Schema:
    return {"oneOf": [{"const": value, "title": title} for value, title in choices]}


def timer_words(does: str, subject: UUID | None, names: Mapping[UUID, str]) -> str:
    """What a timer does, and about what, where that has a name."""
    about = names.get(subject) if subject is not None else None
    return words_of(does) + (f" ({about})" if about else "")


def what_ends(timer: Mapping[str, Any], prompts: Sequence[Mapping[str, Any]], names: Mapping[UUID, str]) -> str:
    """What happens at a deadline: what silence means to the question it is of, else what the timer does; "" for a
    question that is not for these eyes.
    """
    asked = next((row for row in prompts if timer["key"] == f"prompt:{row['id']}"), None)
    if asked is not None and asked["silence"]:
        return str(asked["silence"])
    if asked is None and str(timer["key"]).startswith("prompt:"):
        return ""
    return timer_words(timer["does"], timer["subject"], names)
