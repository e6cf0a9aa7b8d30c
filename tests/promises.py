"""The promises of the README, and which of them a run of the tests could not try for want of PostgreSQL and Redis.

A promise is held by the files that its row names; a file is not tried when its tests were skipped for want of servers,
or were left out of a run that is not on PostgreSQL.
"""

import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatch
from pathlib import PurePath
from typing import Any

WITHOUT_SERVERS = "Needs a PostgreSQL and a Redis of its own:"
"""How the reason of a skip begins, where a server is missing."""
FAULTS = PurePath("tests/faults")
LEFT_OUT = ["test_services_away.py", "test_services_frozen.py"]
"""Fault tests that only run with the suite on PostgreSQL, or with FAULTS=full: they take long."""
ROW = re.compile(r"^\| (P\d+) \| (.+?) \| (.+?) \|$", re.M)
NAME = re.compile(r"`([\w./*-]*)`")


def files_not_tried(skips: Iterable[Any], paths: Iterable[PurePath], environment: Mapping[str, str]) -> list[str]:
    """The test files that this run did not try for want of servers.

    skips: (file, line, reason) of each skipped test. asked: the paths that pytest was called with, from the root.
    """
    found = {
        PurePath(place).as_posix().rpartition("tests/")[2]
        for place, _, reason in (skip for skip in skips if isinstance(skip, tuple))
        if WITHOUT_SERVERS in reason
    }
    bare = "postgres" not in environment.get("DATABASE_URL", "") and environment.get("FAULTS") != "full"
    if bare and any(path == FAULTS or path in FAULTS.parents for path in paths):
        found |= {f"faults/{name}" for name in LEFT_OUT}
    return sorted(f"tests/{name}" for name in found)


def holders_of(readme: str) -> dict[str, tuple[str, list[str]]]:
    """Each promise with its text and the paths, patterns or folders of tests that hold it."""
    found = {}
    for number, promise, holders in ROW.findall(readme):
        names = [name for name in NAME.findall(holders) if name.startswith(("tests/", "test_"))]
        found[number] = (promise, names)
    return found


def summary(readme: str, files: Iterable[str]) -> list[str]:
    """What to say at the end of a run: each promise that was not tried, or not in full, with its files; and how to.

    Nothing where every file was tried.
    """
    untried = list(files)
    if not untried:
        return []
    lines, named = [], set()
    for number, (promise, holders) in holders_of(readme).items():
        missing = [file for file in untried if any(_holds(holder, file) for holder in holders)]
        named |= set(missing)
        if missing:
            lines.append(f"{number:4}{promise}")
            lines.append(f"    not tried: {', '.join(missing)}")
    if others := [file for file in untried if file not in named]:
        lines.append(f"    not tried, beside the promises: {', '.join(others)}")
    return [*lines, "Try them with: make test-services"]


def _holds(holder: str, file: str) -> bool:
    """Whether a holder is this file, fits it as a pattern, or is a folder above it."""
    path = PurePath(file)
    return fnmatch(file, holder) or fnmatch(path.name, holder) or PurePath(holder) in path.parents
