"""The form of a command as its issuer may fill it in now: what the legal commands say, and what is settled already."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from accounts.models import User
from api.common.problems import plain
from api.pages.access import DeskViewer
from api.pages.form_fields import FormField, Making, Schema, choices_of
from api.representations import table
from api.representations.issuing.commands import command_class, listing_json
from games import registry
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.insight.legal_commands import Enumerable, LegalCommandFilter
from games.engine.kernel import Command
from games.engine.lifecycle.row_wording import is_id
from games.engine.model import field_descriptions
from games.reads import selectors
from games.storage.state_cache import STATE_CACHE

HELPS = {"user": "The name of their account, or its id."}
"""What is said of a field otherwise than in the APIs."""
FIRST = {"seconds": 60}
"""What a form begins with where nothing else is known: so much later."""


@dataclass(frozen=True, slots=True)
class CommandForm:
    """A form for one command. barred: why it cannot be issued at all now. key: by which a second sending is known."""

    command: str
    title: str
    summary: str
    fields: tuple[FormField, ...]
    barred: Refused | None
    key: str


def words_of(command: str) -> str:
    """What a command is called on a button: `Fight war now`."""
    return command.replace("-", " ").capitalize()


def form_of(leader: DeskViewer, name: str, given: Mapping[str, Any], key: str = "") -> CommandForm:
    """The form of a command. given: values that are settled, or were sent before.

    Raises `command.missing`, `issuer.other`.
    """
    game = leader.viewer.game
    kind = command_class(game.ruleset, name)
    actor, barred, legal = leader.actor(kind), None, list[Schema]()
    defs: Schema = {}
    if issubclass(kind, Enumerable):
        found, names = selectors.legal_commands(game, actor, leader.viewer.visibility, LegalCommandFilter(name))
        listed = listing_json(game.ruleset, found, names)
        defs = listed["$defs"]
        legal = [entry["schema"] for entry in listed["results"] if entry["legal"]]
        barred = next((each.barred for each in found if each.barred), None) if not legal else None
    else:
        legal = [kind.model_json_schema()]
        defs = legal[0].get("$defs", {})
    helps = {**field_descriptions(kind), **{each: words for each, words in HELPS.items() if each in kind.model_fields}}
    making = Making(defs, helps, thing_names(leader))
    schema = _merge([each for each in legal if _admits(making, each, given)] or legal, making)
    schema = {**schema, "properties": {**schema.get("properties", {}), **_choices_by_name(leader, kind)}}
    begun = {name: value for name, value in FIRST.items() if name in kind.model_fields}
    fields = tuple(making.fields(schema, {**begun, **given}))
    return CommandForm(name, words_of(name), kind.summary(), fields, barred, key or uuid4().hex)


def thing_names(leader: DeskViewer) -> Callable[[str], str | None]:
    """What ids are called in the game, as the leader may know it; None for other texts."""
    game = leader.viewer.game
    with STATE_CACHE.reading(game) as state:
        seen = state.view_for(leader.viewer.visibility.seats, gm=leader.role is Role.GM)
    return lambda thing: seen.name_of(thing) if is_id(thing) else None  # a view is a copy, which nobody changes


def settle(form: CommandForm, settled: Sequence[str]) -> CommandForm:
    """The form with some of its fields settled: they are sent, and shown in words, and cannot be changed."""
    shown = tuple(_settle(field) if field.path in settled else field for field in form.fields)
    return replace(form, fields=shown)


def _settle(field: FormField) -> FormField:
    """A field whose value is chosen already; one that has no such choice stays open."""
    chosen = next(((value, title) for value, title, is_chosen in field.choices if is_chosen), None)
    if field.widget != "select" or chosen is None:
        return field
    return replace(field, widget="settled", value=chosen[0], choices=((*chosen, True),))


def is_ready(kind: type[Command], values: Mapping[str, Any]) -> bool:
    """Whether a command can be issued with these values alone."""
    return all(name in values for name, info in kind.model_fields.items() if info.is_required())


def _admits(making: Making, schema: Schema, given: Mapping[str, Any]) -> bool:
    """Whether a legal command may have the values that are given."""
    for name, value in given.items():
        part = schema.get("properties", {}).get(name)
        values = choices_of(making.resolve(part)) if part is not None else None
        if values is not None and plain(value) not in [each for each, _ in values]:
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


def _choices_by_name(leader: DeskViewer, kind: type[Command]) -> dict[str, Schema]:
    """What the legal commands leave open though people know it by a name: running timers, seats, a person."""
    named: dict[str, Schema] = {}
    if issubclass(kind, Enumerable):
        return named
    seats = table.seats_of(leader.viewer)
    if "timer" in kind.model_fields:
        names = {seat["id"]: seat["name"] for seat in seats}
        rows = [row for row in table.visible_timers(leader.viewer) if row["due"]]
        named["timer"] = {"oneOf": [{"const": row["key"], "title": timer_words(row, names)} for row in rows]}
    if "seat" in kind.model_fields:
        named["seat"] = {"oneOf": [{"const": str(seat["id"]), "title": seat["name"]} for seat in seats]}
    if "user" in kind.model_fields:
        named["user"] = {"type": "string", "maxLength": 120}
    if "bot" in kind.model_fields:
        rules = registry.ruleset(leader.viewer.game.ruleset)
        named["bot"] = {"enum": sorted({*rules.policies, *rules.gm_policies})}
    return named


def with_person(kind: type[Command], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a form with the id of the person who is named in it. Raises `person.missing`."""
    name = values.get("user")
    if "user" not in kind.model_fields or not isinstance(name, str) or is_id(name):
        return dict(values)
    found = User.objects.by_username(name).filter(retired_at=None).values_list("pk", flat=True).first()
    if found is None:
        raise Refused("person.missing", f"Nobody here has an account called {name}; ask them what theirs is called.")
    return {**values, "user": str(found)}


def timer_words(timer: Mapping[str, Any], names: Mapping[Any, str]) -> str:
    """What a timer does, and about whom where that is a seat."""
    about = names.get(timer["subject"])
    return words_of(timer["does"]) + (f" ({about})" if about else "")


def what_ends(timer: Mapping[str, Any], prompts: Sequence[Mapping[str, Any]], names: Mapping[Any, str]) -> str:
    """What happens at a deadline: what silence means to the question it is of, else what the timer does."""
    asked = next((row for row in prompts if timer["key"] == f"prompt:{row['id']}"), None)
    return asked["silence"] if asked is not None and asked["silence"] else timer_words(timer, names)
