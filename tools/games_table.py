"""Write the table of the games into README.md and those of the clients, between two marks, from the rulesets.

usage: games_table.py [--check]

With --check nothing is written, and the exit status is 1 when a table is out of date.
"""

import argparse
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

# isort: split
from games.engine.ruleset import Ruleset  # noqa: E402
from tools.architecture import GAMES  # noqa: E402

BEGIN, END = "<!-- games: written by tools/games_table.py -->\n", "<!-- end of games -->"
Row = tuple[str, ...]


def summary(rules: Ruleset) -> str:
    """The first sentence of what is played."""
    return f"{rules.summary.partition('. ')[0].rstrip('.')}."


def row_of(rules: Ruleset) -> Row:
    """A game; its title leads to its page."""
    asked = rules.overview
    title = f"[{rules.title}](docs/games/{rules.slug}.md)"
    return (title, summary(rules), asked.players, asked.length, ", ".join(asked.secrets))


def module_row(separator: str) -> Callable[[Ruleset], Row]:
    """A game by its module in a client, where names are joined by this."""
    return lambda rules: (f"`theogony{separator}{rules.slug}`", rules.title, summary(rules))


MODULE_HEADS = ("module", "game", "what is played")
PAGES: dict[str, tuple[Row, Callable[[Ruleset], Row]]] = {
    "README.md": (("game", "what is played", "players", "length", "secrets"), row_of),
    "clients/python/README.md": (MODULE_HEADS, module_row(".")),
    "clients/typescript/README.md": (MODULE_HEADS, module_row("/")),
}
"""The heads of each page's table, and what its rows say of a game."""


def table(name: str) -> str:
    """The games in Markdown, between the marks, as a page says them."""
    heads, row = PAGES[name]
    rulesets = [import_module(f"games.{slug}.rules").RULESET for slug in GAMES]
    rows = [heads, ("---",) * len(heads), *map(row, rulesets)]
    return BEGIN + "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n" + END


def page(name: str, text: str) -> str:
    """The page with the present table. Raises ValueError where the marks are missing."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{name} lacks the marks of the table")
    return before + table(name) + after


def main() -> int:
    """Write or check."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument(
        "--check", action="store_true", help="write nothing; the exit status is 1 when a table is out of date"
    )
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in PAGES}
    new = {name: page(name, text) for name, text in texts.items()}
    if asked.parse_args().check:
        return int(new != texts)
    for name, text in new.items():
        (ROOT / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
