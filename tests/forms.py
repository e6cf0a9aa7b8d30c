"""The forms of the suite: what a run leaves to another one.

`TESTS=short` (`make test`): without the tests marked `long`. `TESTS=services` (`make test-services`, on PostgreSQL and
Redis): every test that touches rows, and the long ones; the others have run whole and say the same on every database.
So do those marked `once`: their rows are read and written by others, which run on both (all golden stories of a
ruleset but one or two, pages, refusals before any row); and those that `tests/once.txt` lists, since others make each
of their statements (ADR 130). Those in a browser have a run of their own.
Without a form all that is named runs.
"""

import os
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

FORM = os.environ.get("TESTS", "")
SHORT = FORM == "short"
AT_RANDOM = os.environ.get("EXAMPLES") == "full" or os.environ.get("FAULTS") == "full"
"""At night the games of a test have other dice, ids and choices in each run."""
IN_A_BROWSER = "tests/*/test_*_browser.py"
"""The files of `make test-browser`."""
ONCE = Path(__file__).parent / "once.txt"
"""Tests of which PostgreSQL has nothing new to say; written by `tools/once.py`."""
WITH_ROWS = frozenset({"db", "transactional_db", "live_server", "two_servers"})
"""The fixtures that open a database to a test; without one of them pytest-django lets it run no query."""


MAY_STAY = re.compile(r"\bmark\.long\b|\bforms\.first\b|\bdjango_db\b")
"""What stands in a file of rules some of whose tests run on PostgreSQL."""


def leaves_out_file(path: Path) -> bool:
    """Whether the form of this run leaves out every test of a file whose tests need no Django."""
    return FORM == "services" and path.name.startswith("test_") and not MAY_STAY.search(path.read_text())


def is_left_out(item: pytest.Item) -> bool:
    """Whether the form of this run leaves a test to the other one."""
    is_long = item.get_closest_marker("long") is not None
    if FORM != "services":
        return SHORT and is_long
    if item.get_closest_marker("once") is not None or is_listed(item):
        return not is_long
    return item.path.match(IN_A_BROWSER) or not (is_long or touches_rows(item))


def is_listed(item: pytest.Item) -> bool:
    """Whether `ONCE` has a test; a run whose statements are recorded has all of them, to write the list anew."""
    return item.nodeid in listed_once() and not item.config.pluginmanager.has_plugin("tests.statements")


@cache
def listed_once() -> frozenset[str]:
    """The ids of the tests that `ONCE` lists: each file in a line of its own, its tests below it, indented."""
    found, file = set(), ""
    for line in ONCE.read_text().splitlines():
        if line.startswith("    "):
            found.add(f"{file}::{line.strip()}")
        else:
            file = line
    return frozenset(found)


def touches_rows(item: pytest.Item) -> bool:
    """Whether a test may run queries."""
    fixtures = getattr(item, "fixturenames", ())
    return item.get_closest_marker("django_db") is not None or not WITH_ROWS.isdisjoint(fixtures)


def first(cases: Iterable[Any], count: int) -> list[Any]:
    """The cases of a parametrised test, of which all behind the first ones are long."""
    return [case if at < count else pytest.param(case, marks=pytest.mark.long) for at, case in enumerate(cases)]


def some(cases: Sequence[Any], every: int) -> list[Any]:
    """What one test goes through: in the short form each `every`-th case, the first included; else all of them."""
    return list(cases[::every] if SHORT else cases)


def summary(left_out: Iterable[str]) -> list[str]:
    """What a short run left out: each file with how many of its tests."""
    found: dict[str, int] = {}
    for test in left_out:
        file = test.partition("::")[0]
        found[file] = found.get(file, 0) + 1
    return [f"{file}: {count}" for file, count in sorted(found.items())]
