"""The form of a command as somebody may fill it in now, from the state of a game as they may see it (no database).

What the legal commands say is offered, what is settled already is shown; and why there is nothing to fill in.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

from api.common.problems import plain
from api.pages.form_fields import FormField, Making, Schema, choices_of
from api.representations.issuing.commands import listing_json
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
from games.engine.lifecycle.row_wording import is_id
from games.engine.model import field_descriptions
from games.engine.ruleset import Ruleset

HELPS = {"user": "The name of their account, or its id."}
"""What is said of a field otherwise than in the APIs."""
YES_NO = {True: "yes", False: "no"}
FIRST = {"seconds": 60}
"""What a form begins with where nothing else is known: so much later."""


GONE = Refused(
    "prompt.closed",
    "What this was about is not open any more: it was decided or withdrawn, or its time has passed. "
    "Look at the desk for what is open now.",
)
"""Why a form has nothing to offer whose settled values nothing that is legal now has."""


@dataclass(frozen=True, slots=True)
class CommandForm:
    """A form for one command. barred: why it cannot be issued at all now. key: by which a second sending is known."""

    command: str
    title: str
    summary: str
    fields: tuple[FormField, ...]
    barred: Refused | None
    key: str
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
        schema = kind.model_json_schema()
        return cls((schema,), schema.get("$defs", {}))


def words_of(command: str) -> str:
    """What a command is called on a button: `Fight war now`."""
    return command.replace("-", " ").capitalize()


def form_in(
    seen: GameState,
    rules: Ruleset,
    kind: type[Command],
    actor: Actor,
    settled: Mapping[str, Any],
    begun: Mapping[str, Any],
    *,
    question: UUID | None = None,
    key: str = "",
) -> CommandForm:
    """The form of a command for an actor. seen: the state as the one at the desk may see it.

    settled: values that cannot be changed in it. begun: what else it begins with. question: which it answers.
    """
    name, absent = kind.slug(), actor.on_behalf_of
    if issubclass(kind, Enumerable):
        own = seen if absent is None else seen.view_for(frozenset({absent}))
        found = legal_commands_for(own, [kind], actor, LegalCommandFilter(name))
        offer = Offer.of(rules.slug, found, names_of(own, found))
    else:
        offer = Offer.at_any_time(kind)
    fields, barred = fields_of(kind, offer, settled, begun, thing_names(seen), _choices_by_name(seen, rules, kind))
    if question is not None and question not in seen.prompts:
        fields, barred = (), GONE
    try:
        require_clock(seen, kind, actor)
    except Refused as waits:
        fields, barred = (), waits
    given = answer_given(seen, kind, absent, question) if absent is not None else None
    return CommandForm(name, words_of(name), kind.summary(), fields, barred, key or uuid4().hex, given)


def fields_of(
    kind: type[Command],
    offer: Offer,
    settled: Mapping[str, Any],
    begun: Mapping[str, Any],
    names: Callable[[str], str | None],
    named: Mapping[str, Schema],
) -> tuple[tuple[FormField, ...], Refused | None]:
    """The fields of a form, and why it has none to fill in.

    What is settled is shown and sent as it is, or the form is barred: nothing else is chosen in its place. names: what
    ids are called. named: choices that the schemas leave open.
    """
    helps = {**field_descriptions(kind), **{each: words for each, words in HELPS.items() if each in kind.model_fields}}
    making = Making(offer.defs, helps, names)
    admitting = [schema for schema in offer.schemas if _admits(making, schema, settled)]
    if not admitting:
        return (), offer.barred or GONE
    values = {**begun, **settled}
    schema = _merge([each for each in admitting if _admits(making, each, values)] or admitting, making)
    schema = {**schema, "properties": {**schema.get("properties", {}), **named}}
    first = {name: value for name, value in FIRST.items() if name in kind.model_fields}
    made = making.fields(schema, {**first, **values})
    return tuple(_settle(field, settled[field.path]) if field.path in settled else field for field in made), None


def thing_names(seen: GameState) -> Callable[[str], str | None]:
    """What ids are called in a game; None for other texts."""
    return lambda thing: seen.name_of(thing) if is_id(thing) else None


def answer_given(seen: GameState, kind: type[Command], seat: UUID, question: UUID | None) -> Answer | None:
    """What a seat has answered already to a question that a command answers: to this one, or to any that is open."""
    asked = [each for each in seen.prompts.values() if kind.slug() in each.answered_by and question in (None, each.id)]
    given = (seen.answers.get((each.id, reader(seat))) for each in asked)
    return next((answer for answer in given if answer is not None), None)


def _settle(field: FormField, value: Any) -> FormField:
    """A field whose value is settled: it is sent, shown where people have words for it, and cannot be changed."""
    words = ", ".join(title for _, title, is_chosen in field.choices if is_chosen)
    if not words and value not in ("", None) and not is_id(str(value)) and not isinstance(value, list | Mapping):
        words = YES_NO[value] if isinstance(value, bool) else str(value)
    sent = json.dumps(plain(value))
    widget = "settled" if words and not is_id(words) else "hidden"
    return replace(field, reading="json", widget=widget, value=sent, choices=((sent, words, True),), fields=())


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
    properties: dict[str, Any] = {}
    for name in dict.fromkeys(name for each in schemas for name in each.get("properties", {})):
        parts = [making.resolve(each["properties"][name]) for each in schemas if name in each.get("properties", {})]
        listed = [choices_of(part) for part in parts]
        every = [choice for values in listed for choice in values or ()]
        properties[name] = (
            {"oneOf": [{"const": value, "title": title} for value, title in _unlike(every)]}
            if all(listed)
            else parts[0]
        )
    needed = [name for name in properties if all(name in each.get("required", ()) for each in schemas)]
    return {"type": "object", "properties": properties, "required": needed}


def _unlike(choices: Sequence[tuple[Any, str]]) -> list[tuple[Any, str]]:
    """Choices without those that stand there twice; values may be lists, so that no set holds them."""
    found: list[tuple[Any, str]] = []
    for choice in choices:
        if choice not in found:
            found.append(choice)
    return found


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
    """What happens at a deadline: what silence means to the question it is of, else what the timer does."""
    asked = next((row for row in prompts if timer["key"] == f"prompt:{row['id']}"), None)
    if asked is not None and asked["silence"]:
        return str(asked["silence"])
    return timer_words(timer["does"], timer["subject"], names)
