"""What pages call commands, values, fields and faults: the words of people where the APIs have keys (no database).

Things have their names from the state (`GameState.name_of`); what has none is said in words.
"""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from games.engine.naming import id_in
from games.engine.wording import capital, listing, phrase

NameOf = Callable[[str], str | None]
"""What a thing is called, by its id or key as text."""
LABELS = {"prompt": "Question"}
"""What people call a field otherwise than the APIs."""
WORDS = {"": "none", "gm": "game-master"}
"""What people call a value otherwise than the APIs, in every game."""
FAULTS = {
    "missing": "it is needed",
    "extra_forbidden": "there is no such field",
    "string_pattern_mismatch": "it is written otherwise; see what stands below the field",
    "json_invalid": "it cannot be read",
}
"""What is said of a field at fault, by the code of the fault."""
UNKNOWN = "none of what can be chosen"
QUOTED = re.compile("'([^']*)'")
MARKED = re.compile(r"`([^`]+)`|(?<![\w/.-])([a-z]+(?:-[a-z]+)+)(?![\w/-])|\bnull\b")
KEY = re.compile(r"[a-z0-9]+([_:+.-][a-z0-9<>]+)*")
TYPES = frozenset({"str", "int", "bool", "none", "list", "dict", "tuple", "uuid"})
"""Parts of a place that name no field but one of the types that a field may have."""


def words_of(command: str) -> str:
    """What a command is called on a button: `Fight war now`."""
    return command.replace("-", " ").capitalize()


def event_words(kind: str) -> str:
    """What an event is called that has no sentence, by its type: `gods2.HistoryEntered` is `History entered`."""
    return re.sub("(?<=[a-z0-9])(?=[A-Z])", " ", kind.rpartition(".")[2]).capitalize()


def label_of(field: str) -> str:
    """What a field of a form is called; a number in a list is one of its items, counted from 1."""
    return LABELS.get(field, phrase(field).capitalize()) if not field.isdigit() else f"{int(field) + 1}."


def value_words(value: Any, name_of: NameOf = lambda thing: None) -> str:
    """A value as people read it: a thing by its name, a key as its words. name_of: see `GameState.name_of`."""
    match value:
        case bool():
            return "yes" if value else "no"
        case None:
            return "none"
        case str():
            if name := name_of(value):
                return name
            return WORDS.get(value) or (phrase(value) if KEY.fullmatch(value) and id_in(value) is None else value)
        case Mapping():
            return ", ".join(f"{phrase(name)} {value_words(each, name_of)}" for name, each in value.items())
        case list() | tuple():
            return listing(value_words(each, name_of) for each in value) or "none"
    return str(value)


def text_of(text: str, commands: Collection[str]) -> str:
    """A text that the APIs share with pages, with what it marks as code in words, and commands as buttons name them."""

    def words(found: re.Match[str]) -> str:
        marked, bare = found.groups()
        code = marked or bare or "nothing"
        if code in commands:
            return f"“{words_of(code)}”"
        return phrase(code) if marked and KEY.fullmatch(code) else code

    return MARKED.sub(words, text)


def place_in_words(pointer: str) -> str:
    """Where in a body something is, as a form calls it: `/losses/1/units` is `Losses 2, units`; items count from 1."""
    words: list[str] = []
    for part in filter(None, pointer.split("/")):
        if part.isdigit() and words:
            words[-1] += f" {int(part) + 1}"
        elif re.fullmatch("[a-z][a-z0-9_]*", part) and part not in TYPES:
            words.append(label_of(part).lower())
    return capital(", ".join(words)) or "The form"


def fault_in_words(code: str, detail: str) -> str:
    """What is wrong with a field. code, detail: as the APIs have them."""
    if code in FAULTS:
        return FAULTS[code]
    if code in ("literal_error", "enum", "const"):
        return f"{UNKNOWN}: {listing(map(value_words, QUOTED.findall(detail)), 'or')}"
    if code.startswith(("uuid", "union_tag")):
        return UNKNOWN
    if code == "value_error":
        return detail.removeprefix("Value error, ").replace("`", "")
    return re.sub("^(Input|String|Value|List|Tuple)( input)?", "it", detail)
