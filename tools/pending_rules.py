"""List the numbered rules of each rulebook that no test names, game by game: `games/<game>/pending-rules.txt`.

usage: pending_rules.py [--check] [--clauses GAME]

A rule is an id in `games/<game>/rulebook.md`: a bold id (`**G2-WAR-3**`), a decided ambiguity or a worked example in
the first cell of a table (`AMB-4`, `W12`: `G2-AMB-4`, `G2-W12`). A test names it with `@pytest.mark.rule("G2-WAR-3")`.
The tests are collected in a process of their own, so the answer does not depend on which tests are run. With --check
nothing is written, and the exit status is 1 when a list is out of date. With --clauses nothing is written either: the
rules of one game with more clauses (sentences, and parts of them behind a semicolon) than tests that name them.
"""

import argparse
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PREFIX = {"gods2": "G2", "dawn": "DW", "albraxas": "AX", "dietower": "DT", "forgeborn": "FB"}
"""What the ids of a game's rules begin with, where that is not the start of its name."""
MARK = "RULES-NAMED "
MOST_TESTS = 20
"""Tests that are kept for each rule; more than a rule has clauses."""
NOTE = re.compile(r"\([^()]*\)|§.*$|\b(DT|FB|G2|DW|AX)-[A-Z]+-\d+\b")
"""What is in brackets, the heading that a rule comes from, other rules: no clauses of its own."""
HEAD = "# Rules of the rulebook that no test checks yet, in its order. Written by tools/pending_rules.py.\n"


def prefix_of(game: str) -> str:
    """What the ids of a game's rules begin with."""
    return PREFIX.get(game, game[:2].upper())


def ids_of(game: str, text: str) -> list[str]:
    """Every id that the rulebook of `game` defines, in order of first appearance."""
    prefix = prefix_of(game)
    found = re.findall(rf"\*\*({prefix}-[A-Z]+-\d+)\*\*", text)
    found += re.findall(rf"^\|\s*\**({prefix}-[A-Z]+-\d+)\**\s*\|", text, flags=re.M)
    if game == "gods2":
        found += [f"G2-{short}" for short in re.findall(r"^\|\s*\**(AMB-\d+|W\d+)\**\s*\|", text, flags=re.M)]
    return list(dict.fromkeys(found))


def clauses_of(game: str, text: str) -> dict[str, int]:
    """How many clauses each rule of a rulebook has: sentences, and parts of them behind a semicolon; 1 at least.

    Of a decided ambiguity what is decided counts, its last cell; a worked example is one clause.
    """
    found: dict[str, int] = {}
    for line in text.splitlines():
        ids = ids_of(game, line)
        if ids and ids[0] not in found:
            is_example = re.search(r"-(EX-|W)\d+$", ids[0]) is not None
            words = line.rstrip(" |").rpartition("|")[2] if line.startswith("|") else line.partition("**")[2]
            parts = re.split(r"[.;](?:\s+|$)", NOTE.sub("", words))
            found[ids[0]] = 1 if is_example else max(1, sum(1 for part in parts if len(part.split()) > 2))
    return found


def thin_rules(game: str, text: str, tests: dict[str, list[str]]) -> dict[str, tuple[int, int]]:
    """The rules with more clauses than tests: how many of each. tests: by rule, `MOST_TESTS` of it at most."""
    counted = ((rule, clauses, len(tests.get(rule, ()))) for rule, clauses in clauses_of(game, text).items())
    return {rule: (clauses, named) for rule, clauses, named in counted if named < clauses}


@cache
def rulebooks() -> dict[str, list[str]]:
    """The ids of every rulebook in the tree, by game."""
    books = sorted(ROOT.glob("games/*/rulebook.md"))
    return {book.parent.name: ids_of(book.parent.name, book.read_text(encoding="utf-8")) for book in books}


def ids_in_tests() -> dict[str, list[str]]:
    """Each id that a marker of any test names, with the first tests that do. Raises RuntimeError where pytest fails."""
    asked = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "--show-rules", "-n0", "tests"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        if line.startswith(MARK) and done.returncode == 0:
            found: dict[str, list[str]] = json.loads(line.removeprefix(MARK))
            return found
    raise RuntimeError(f"The tests cannot be collected:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def pending_ids(game: str) -> list[str]:
    """The ids that a game's list of pending rules holds."""
    path = ROOT / "games" / game / "pending-rules.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def main() -> int:
    """Write or check the lists; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, say whether the lists are up to date")
    parser.add_argument("--clauses", metavar="GAME", help="write nothing, list the rules with more clauses than tests")
    args = parser.parse_args()
    if args.clauses:
        text = (ROOT / "games" / args.clauses / "rulebook.md").read_text(encoding="utf-8")
        for rule, (clauses, named) in thin_rules(args.clauses, text, ids_in_tests()).items():
            print(f"{rule}: {clauses} clauses, {named} tests")
        return 0
    tests, outdated = ids_in_tests(), False
    for game, ids in rulebooks().items():
        pending = [rule for rule in ids if rule not in tests]
        outdated |= pending != pending_ids(game)
        if not args.check:
            path = ROOT / "games" / game / "pending-rules.txt"
            path.write_text(HEAD + "".join(f"{rule}\n" for rule in pending), encoding="utf-8")
        print(f"{game}: {len(ids) - len(pending)} of {len(ids)} rules and examples are checked by a test")
    return int(args.check and outdated)


if __name__ == "__main__":
    sys.exit(main())
