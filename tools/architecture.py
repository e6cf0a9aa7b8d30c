"""Draw who imports whom into docs/architecture.md, from the code: a Mermaid chart between the two marks.

usage: architecture.py [--check]

The parts are folders; an arrow points to what is imported. All games are drawn as one, since none knows another. With
--check nothing is written, and the exit status is 1 when the chart is out of date.
"""

import argparse
import sys
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- chart: written by tools/architecture.py -->\n", "<!-- end of chart -->"
PACKAGES = ("config", "core", "accounts", "worlds", "games", "api")
GAMES = ("gods2", "dawn", "albraxas", "dietower", "forgeborn")
PARTS = {
    "config": "config: settings, processes",
    "api.console": "api.console: admin pages",
    "api.pages": "api.pages: desk, seat, screen, home",
    "api.door": "api.door: commands in batches",
    "api.oauth": "api.oauth: sign-in for applications",
    "api.rest": "api.rest",
    "api.graphql": "api.graphql",
    "api.streams": "api.streams: SSE, WebSocket",
    "api.webhooks": "api.webhooks: events posted to addresses of others",
    "api.outbound": "api.outbound: requests to addresses of others",
    "api.notifications": "api.notifications: what people are told of their games",
    "api": "api: what REST and GraphQL share",
    "games": "games: the one writer, clock, log, reads",
    "games.engine": "games.engine: pure",
    "games.GAME": "a game: rows, resources, admin",
    "games.GAME.rules": "rules of a game: pure",
    "worlds": "worlds: maps, races, pantheons, artifacts",
    "accounts": "accounts: users, tokens",
    "core": "core: rows, caches and ids for everybody",
}
"""Each part with its label; a module belongs to the longest prefix that fits."""


def part_of(module: str) -> str:
    """The part that a module belongs to."""
    steps = ["GAME" if step in GAMES else step for step in module.split(".")]
    while ".".join(steps) not in PARTS:
        steps.pop()
    return ".".join(steps)


def arrows() -> set[tuple[str, str]]:
    """The pairs of parts of which the first imports the second."""
    sys.path.insert(0, str(ROOT))
    graph = grimp.build_graph(*PACKAGES, include_external_packages=False)
    pairs = {
        (part_of(importer), part_of(imported))
        for importer in graph.modules
        if ".migrations" not in importer
        for imported in graph.find_modules_directly_imported_by(importer)
    }
    return {(importer, imported) for importer, imported in pairs if importer != imported}


def chart() -> str:
    """The chart in Mermaid, between its marks."""
    lines = ["```mermaid", "flowchart TD"]
    lines += [f'    {name.replace(".", "_")}["{label}"]' for name, label in PARTS.items()]
    lines += [
        f"    {importer.replace('.', '_')} --> {imported.replace('.', '_')}" for importer, imported in sorted(arrows())
    ]
    return BEGIN + "\n".join((*lines, "```")) + "\n" + END


def page(text: str) -> str:
    """The page with the present chart. Raises ValueError where the marks are missing."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{PAGE.name} lacks the marks of the chart")
    return before + chart() + after


def main() -> int:
    """Write or check."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--check", action="store_true", help="write nothing; status 1 when the chart is out of date")
    is_check = asked.parse_args().check
    text = PAGE.read_text(encoding="utf-8")
    if is_check:
        return int(page(text) != text)
    PAGE.write_text(page(text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
