"""What rows and values are called in the text of a correction: names instead of ids, words instead of JSON (pure)."""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from games.engine.naming import id_in, noun_of
from games.engine.wording import listing, phrase

if TYPE_CHECKING:
    from games.engine.game_state import GameState

KEY = re.compile(r"[a-z0-9]+([_:+.][a-z0-9]+)*")
LONGEST = 80  # characters of a value


def row_name(state: "GameState", table: str, row: str, values: Mapping[str, Any]) -> str:
    """What a row is called: `the race Greeks`, `the purse of Ares`, `the square 3, 4`.

    row: its key as text. values: its fields as JSON values.
    """
    noun = noun_of(state, table)
    if own := values.get("name"):
        return f"the {noun} {own}"
    parts = re.split("[/,]", row)
    if all(part.isdigit() for part in parts):
        return f"the {noun} {', '.join(parts)}"
    named = [name for part in parts if (name := state.proper_name(part)) is not None or (name := _word(part))]
    named = named or [name for value in values.values() if (name := state.proper_name(str(value))) is not None]
    return f"the {noun} of {', '.join(named)}" if named else f"a {noun}"


def value_name(state: "GameState", value: str) -> str:
    """A value as people read it. value: JSON."""
    text = _value_in_words(state, json.loads(value)) if value else "nothing"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def _value_in_words(state: "GameState", value: Any) -> str:
    match value:
        case None | "" | [] | {}:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case str():
            return state.name_of(value) or _time(value) or _word(value) or ("something" if is_id(value) else value)
        case list():
            return listing(_value_in_words(state, each) for each in value)
        case dict():
            return ", ".join(f"{phrase(key)} {_value_in_words(state, each)}" for key, each in value.items())
    return str(value)


def _word(value: str) -> str:
    return phrase(value) if KEY.fullmatch(value) and not is_id(value) else ""


def is_id(value: str) -> bool:
    """Whether a text is an id."""
    return id_in(value) is not None


def _time(value: str) -> str:
    if not re.match(r"\d{4}-\d\d-\d\dT", value):
        return ""
    return f"{datetime.fromisoformat(value):%Y-%m-%d %H:%M:%S} UTC"
