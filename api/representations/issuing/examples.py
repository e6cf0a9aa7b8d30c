"""An example of each command's body, as it was played in a game; `examples.json` beside a ruleset's rules holds them.

`played` names the test in which that very body is accepted; the test of the examples listens there.
"""

import json
from functools import cache
from importlib import resources
from typing import Any

from games import registry

FILE = "examples.json"


@cache
def played_examples(owner: str) -> dict[str, dict[str, Any]]:
    """`{body, played}` by the name of the command, of a ruleset's own commands or of `core`; none without a file."""
    place = resources.files("games.engine" if owner == registry.CORE else registry.folders()[owner]) / FILE
    found: dict[str, dict[str, Any]] = json.loads(place.read_text(encoding="utf-8")) if place.is_file() else {}
    return found


def example_of(slug: str, name: str) -> dict[str, Any] | None:
    """The body of a command of a ruleset as it was played; None where there is none."""
    kind = registry.ruleset(slug).open_commands[name]
    found = played_examples(registry.owner(slug, kind.__name__)).get(name)
    return found["body"] if found else None
