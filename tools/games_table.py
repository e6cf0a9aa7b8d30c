"""Write the table of the games into README.md, between its two marks, from the rulesets.

usage: games_table.py [--check]

With --check nothing is written, and the exit status is 1 when the table is out of date.
"""

import argparse
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

# isort: split
from games.engine.ruleset import Ruleset  # noqa: E402
from tools.architecture import GAMES  # noqa: E402

PAGE = ROOT / "README.md"
BEGIN, END = "<!-- games: written by tools/games_table.py -->\n", "<!-- end of games -->"
HEADS = ("game", "what is played", "players", "length", "secrets")


def row_of(rules: Ruleset) -> tuple[str, ...]:
    """A game; its title leads to its page."""
    asked = rules.overview
    title = f"[{rules.title}](docs/games/{rules.slug}.md)"
    return (
        title,
        f"{rules.summary.partition('. ')[0].rstrip('.')}.",
        asked.players,
        asked.length,
        ", ".join(asked.secrets),
    )


def table() -> str:
    """The games in Markdown, between the marks."""
    rulesets = [import_module(f"games.{slug}.rules").RULESET for slug in GAMES]
    rows = [HEADS, ("---",) * len(HEADS), *map(row_of, rulesets)]
    return BEGIN + "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n" + END


def page(text: str) -> str:
    """The page with the present table. Raises ValueError where the marks are missing."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{PAGE.name} lacks the marks of the table")
    return before + table() + after


def main() -> int:
    """Write or check."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument(
        "--check", action="store_true", help="write nothing; the exit status is 1 when the table is out of date"
    )
    text = PAGE.read_text(encoding="utf-8")
    new = page(text)
    if asked.parse_args().check:
        return int(new != text)
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
