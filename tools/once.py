"""Choose the tests that `make test` alone runs, as far as statements say: `tests/once.txt` (ADR 130).

usage: once.py

Reads what the last runs with `-p tests.statements` have noted. Kept on PostgreSQL are tests that together make every
statement of the run, the cheapest for what they add first; listed are the others, whose statements are made by these.
Never listed is what commits, starts processes, is long (it runs nowhere else), or lies in one of `WHOLE`.
"""

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from tests.forms import ONCE
from tests.statements import FOLDER

WHOLE = ("tests/faults/", "tests/operations/", "tests/places/", "tests/security/")
"""Folders whose tests are about more than the statements that they make."""
REASONS = ("has_processes", "commits", "is_long")
"""What of a test is noted for which PostgreSQL sees it, too, whatever its statements."""
HEAD = (
    "# Tests of which PostgreSQL has nothing new to say: others make each of their statements there, so they run on\n"
    "# SQLite alone (`make test`), and at night on both. Written by tools/once.py; one that is not here runs on both.\n"
)


@dataclass(frozen=True, slots=True)
class Noted:
    """One test as a run has seen it."""

    name: str
    statements: frozenset[str]
    seconds: float
    may_be_listed: bool


def tests_of(files: Iterable[Path]) -> list[Noted]:
    """All tests of all processes; of one that ran twice the last."""
    found: dict[str, Noted] = {}
    for file in files:
        content = json.loads(file.read_text())
        forms = content["forms"]
        for name, test in content["tests"].items():
            is_bound = any(test[reason] for reason in REASONS) or name.startswith(WHOLE)
            statements = frozenset(forms[number] for number in test["statements"])
            found[name] = Noted(name, statements, test["seconds"], not is_bound)
    return list(found.values())


def without_news(tests: Iterable[Noted]) -> list[Noted]:
    """Those whose statements the others make: chosen so that what is kept is cheap."""
    free = {test.name: test for test in tests if test.may_be_listed}
    missing = {statement for test in free.values() for statement in test.statements}
    missing -= {statement for test in tests if not test.may_be_listed for statement in test.statements}
    while missing:
        best = max(free.values(), key=lambda test: (len(test.statements & missing) / (test.seconds + 0.01), test.name))
        missing -= free.pop(best.name).statements
    return sorted(free.values(), key=lambda test: test.name)


def listing(names: Iterable[str]) -> str:
    """The file: each file of tests with its tests below it. names: sorted."""
    split = (name.partition("::")[::2] for name in names)
    parts = ((file, [f"    {test}\n" for _, test in tests]) for file, tests in groupby(split, key=lambda pair: pair[0]))
    return HEAD + "".join(f"{file}\n{''.join(tests)}" for file, tests in parts)


def shares(tests: Iterable[Noted], listed: Iterable[Noted]) -> Mapping[str, float]:
    """Seconds of the processor: all of them, and of what is listed."""
    return {"seconds": sum(test.seconds for test in tests), "listed": sum(test.seconds for test in listed)}


def main() -> int:
    """Write the list; returns the exit status."""
    tests = tests_of(sorted(FOLDER.glob("*.json"), key=lambda file: file.stat().st_mtime))
    if not tests:
        print(f'{FOLDER} is empty: make test-services ARGS="-p tests.statements"', file=sys.stderr)
        return 1
    listed = without_news(tests)
    ONCE.write_text(listing(test.name for test in listed))
    of = shares(tests, listed)
    print(f"{len(listed)} of {len(tests)} tests, {of['listed']:.0f} of {of['seconds']:.0f} s of the processor")
    return 0


if __name__ == "__main__":
    sys.exit(main())
