"""The numbered rules of a game as built, read from its `rulebook.md`.

A rule is a list item that begins with its id in bold: `- **G2-WAR-1** A declared war ...`; indented and wrapped lines
belong to it. A row of a table is one too where its first cell is an id (`| AX-ACT-2 | battle | ...`), but for worked
examples; a decided ambiguity may leave out the prefix of its book (`| AMB-4 | ...`). Headings name its chapter.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from games import registry
from games.engine.errors import Refused

RULE = re.compile(r"^\s*(?:[-*]\s+)?\*\*([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+)\*\*[:.]?\s*(.*)$")
ROW = re.compile(r"^\|\s*\**([A-Z][A-Z0-9]-(?!EX-)[A-Z]+-\d+|AMB-\d+)\**\s*\|")
RULER = re.compile(r"^\|[\s:|-]+\|$")
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
    lines = book.splitlines()
    head = list[str]()

    def close() -> None:
        if number:
            found.append(NumberedRule(number, chapter, " ".join(text)))

    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if RULER.match(following):
            head = _cells(line)
        if heading := HEADING.match(line):
            close()
            chapter, number, text = heading[1], "", []
        elif rule := RULE.match(line):
            close()
            number, text = rule[1], [rule[2].strip()] if rule[2].strip() else []
        elif row := ROW.match(line):
            close()
            number, text = "", []
            prefix = found[0].id.partition("-")[0] if found and row[1].startswith("AMB-") else ""
            found.append(NumberedRule(f"{prefix}-{row[1]}" if prefix else row[1], chapter, _row(head, line)))
        elif not line.strip() or (line[:1] in "-*|>" and not line.startswith("**")):
            close()
            number, text = "", []
        elif number:
            text.append(line.strip())
    close()
    return found


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _row(head: list[str], line: str) -> str:
    """The cells behind the id, each with the head of its column; empty ones are left out."""
    return "; ".join(f"{name}: {cell}" for name, cell in zip(head[1:], _cells(line)[1:], strict=False) if cell)


def book_of(slug: str) -> Path:
    """Where the rulebook of a game stands, if it has one. Raises `ruleset.missing`."""
    registry.ruleset(slug)
    return Path(settings.BASE_DIR, *registry.folders()[slug].split("."), "rulebook.md")


@lru_cache(maxsize=32)
def _read_rules(path: Path, changed_at: int) -> tuple[NumberedRule, ...]:
    return tuple(rules_in(path.read_text(encoding="utf-8")))


def rules_of(slug: str, only: str | None = None) -> tuple[NumberedRule, ...]:
    """The rules of a game, or the one of that id. Raises `ruleset.missing`, `rulebook.missing`, `rule.missing`."""
    path = book_of(slug)
    if not path.is_file():
        raise Refused("rulebook.missing", f"{registry.ruleset(slug).title} has no numbered rulebook here.")
    rules = _read_rules(path, path.stat().st_mtime_ns)
    if only is None:
        return rules
    found = tuple(rule for rule in rules if rule.id == only)
    if not found:
        raise Refused("rule.missing", "No rule of this book has that id.")
    return found
