"""Write docs/error-codes.md: every code that a request can be answered with, read from the source.

usage: error_codes.py [--check]

Codes of the service come from its catalogue, codes of the rules from every `Refused(...)` in the engine and in the
rules of each game, with status, the names of their facts, the rules they cite, and their sentence; what a sentence
fills in is printed as `...`. With --check nothing is written, and the exit status is 1 when the page is out of date.
"""

import argparse
import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

# isort: split
from api.common.error_codes import CATALOGUE, error_code_of  # noqa: E402

PAGE = ROOT / "docs" / "error-codes.md"
HEAD = """# Error codes

Every refusal and every failure is a problem document (RFC 9457, `application/problem+json`; in GraphQL the `extensions`
of an error) with a stable `code` of the form `noun.reason`, a `detail` for people, the `rules` behind it and `facts`,
the numbers. A refusal changes nothing. What a rule refuses is 409; what is not there, or may not be seen, is 404. Codes
may be added; a client that does not know one goes by the status. Written by `tools/error_codes.py` from the source.
"""


@dataclass
class Code:
    """What is known of one code from all places that raise it. rules and facts: in order of appearance."""

    rules: dict[str, None] = field(default_factory=dict)
    facts: dict[str, None] = field(default_factory=dict)
    messages: dict[str, None] = field(default_factory=dict)


def texts(node: ast.expr) -> Iterator[str]:
    """The texts that an expression may be; what it fills in as `...`. None of an expression without a literal."""
    match node:
        case ast.Constant(value=str() as text):
            yield text
        case ast.JoinedStr(values=values):
            yield "".join(str(v.value) if isinstance(v, ast.Constant) else "..." for v in values)
        case ast.IfExp(body=one, orelse=other):
            yield from texts(one)
            yield from texts(other)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield "".join((*texts(left), *texts(right)))


def refusals(folder: Path) -> dict[str, Code]:
    """Every code that the source of a folder refuses with, by code."""
    found: dict[str, Code] = {}
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "Refused" and node.args:
                for name in texts(node.args[0]):
                    _add(found.setdefault(name, Code()), node)
    return dict(sorted(found.items()))


def _add(code: Code, call: ast.Call) -> None:
    """Add what one place says. Rules that are no literal (handed on by a caller) are left out."""
    for keyword in call.keywords:
        if keyword.arg == "rules":
            code.rules.update(
                dict.fromkeys(
                    t for each in ast.walk(keyword.value) if isinstance(each, ast.Constant) for t in texts(each)
                )
            )
        elif keyword.arg is not None:
            code.facts[keyword.arg] = None
    if len(call.args) > 1:
        code.messages.update(dict.fromkeys(text for text in texts(call.args[1]) if text.strip(". ")))


def table(codes: dict[str, Code]) -> str:
    """The codes of one chapter of the page."""
    rows = ["| code | status | facts | rules | says |", "|---|---|---|---|---|"]
    for name, code in codes.items():
        cells = (", ".join(code.facts), ", ".join(code.rules), " / ".join(code.messages).replace("|", "\\|"))
        rows.append(f"| `{name}` | {error_code_of(name).status} | {' | '.join(cells)} |")
    return "\n".join(rows)


def page() -> str:
    """The whole page."""
    service = ["| code | status | title | retry after |", "|---|---|---|---|"]
    for name, entry in CATALOGUE.items():
        retry = f"{entry.retry_seconds} s" if entry.retry_seconds else ""
        service.append(f"| `{name}` | {entry.status} | {entry.title} | {retry} |")
    chapters = [HEAD, "## The service", "\n".join(service)]
    games = {f"`{path.parent.name}`": path for path in sorted(ROOT.glob("games/*/rules"))}
    for title, folder in ({"The engine, in every game": ROOT / "games" / "engine"} | games).items():
        chapters += [f"## {title}", table(refusals(folder))]
    return "\n\n".join(chapters) + "\n"


def main() -> int:
    """Write or check."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--check", action="store_true", help="write nothing; status 1 when the page is out of date")
    text = page()
    if asked.parse_args().check:
        return int(PAGE.read_text(encoding="utf-8") != text)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
