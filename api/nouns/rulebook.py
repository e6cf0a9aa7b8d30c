"""The numbered rules of a game as built, read from its `rulebook.md`.

A rule is a list item that begins with its id in bold: `- **G2-WAR-1** A declared war ...`; indented and wrapped lines
belong to it. Headings name its chapter.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from games import registry
from games.engine.errors import Refused

RULE = re.compile(r"^\s*(?:[-*]\s+)?\*\*([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+)\*\*[:.]?\s*(.*)$")
HEADING = re.compile(r"^#+\s+(.*?)\s*#*$")


@dataclass(frozen=True, slots=True)
class NumberedRule:
    """One rule: its id, the chapter it stands in, and its text as Markdown on one line."""

    id: str
    chapter: str
    text: str


def rules_in(book: str) -> list[NumberedRule]:
    """The rules of a book (Markdown), in its order."""
    found: list[NumberedRule] = []
    chapter, number, text = "", "", list[str]()

    def close() -> None:
        if number:
            found.append(NumberedRule(number, chapter, " ".join(text)))

    for line in book.splitlines():
        if heading := HEADING.match(line):
            close()
            chapter, number, text = heading[1], "", []
        elif rule := RULE.match(line):
            close()
            number, text = rule[1], [rule[2].strip()] if rule[2].strip() else []
        elif not line.strip() or (line[:1] in "-*|>" and not line.startswith("**")):
            close()
            number, text = "", []
        elif number:
            text.append(line.strip())
    close()
    return found


def book_of(slug: str) -> Path:
    """Where the rulebook of a game stands, if it has one. Raises `ruleset.missing`."""
    registry.ruleset(slug)
    return Path(settings.BASE_DIR, *registry.folders()[slug].split("."), "rulebook.md")


@lru_cache(maxsize=32)
def _read(path: Path, changed_at: int) -> tuple[NumberedRule, ...]:
    return tuple(rules_in(path.read_text(encoding="utf-8")))


def rules_of(slug: str, only: str | None = None) -> tuple[NumberedRule, ...]:
    """The rules of a game, or the one of that id. Raises `ruleset.missing`, `rulebook.missing`, `rule.missing`."""
    path = book_of(slug)
    if not path.is_file():
        raise Refused("rulebook.missing", f"{registry.ruleset(slug).title} has no numbered rulebook here.")
    rules = _read(path, path.stat().st_mtime_ns)
    if only is None:
        return rules
    found = tuple(rule for rule in rules if rule.id == only)
    if not found:
        raise Refused("rule.missing", "No rule of this book has that id.")
    return found
