"""The promises of the README, and which of them a run of the tests could not try, or not in full.

A promise is held by the files that its row names. Tests are skipped for want of PostgreSQL and Redis, or left to the
whole form of the suite (`tests/forms.py`).
"""

import re
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import PurePath
from typing import Any

WITHOUT_SERVERS = "Needs a PostgreSQL and a Redis of its own:"
"""How the reason of a skip begins, where a server is missing."""
ROW = re.compile(r"^\| (P\d+) \| (.+?) \| (.+?) \|$", re.M)
NAME = re.compile(r"`([\w./*-]*)`")


def files_not_tried(skips: Iterable[Any], left: Iterable[str]) -> list[str]:
    """The test files that this run did not try whole.

    skips: (file, line, reason) of each skipped test. left: the ids of tests that the form of this run leaves out.
    """
    found = {
        "tests/" + PurePath(place).as_posix().rpartition("tests/")[2]
        for place, _, reason in (skip for skip in skips if isinstance(skip, tuple))
        if WITHOUT_SERVERS in reason
    }
    return sorted(found | {test.partition("::")[0] for test in left})


def holders_of(readme: str) -> dict[str, tuple[str, list[str]]]:
    """Each promise with its text and the paths, patterns or folders of tests that hold it."""
    found = {}
    for number, promise, holders in ROW.findall(readme):
        names = [name for name in NAME.findall(holders) if name.startswith(("tests/", "test_"))]
        found[number] = (promise, names)
    return found


def summary(readme: str, files: Iterable[str]) -> list[str]:
    """What to say at the end of a run: each promise that was not tried, or not in full, with its files.

    Nothing where every file was tried.
    """
    untried = list(files)
    if not untried:
        return []
    lines = []
    for number, (promise, holders) in holders_of(readme).items():
        if missing := [file for file in untried if any(_holds(holder, file) for holder in holders)]:
            lines.append(f"{number:4}{promise}")
            lines.append(f"    not tried: {', '.join(missing)}")
    return lines


def _holds(holder: str, file: str) -> bool:
    """Whether a holder is this file, fits it as a pattern, or is a folder above it."""
    path = PurePath(file)
    return fnmatch(file, holder) or fnmatch(path.name, holder) or PurePath(holder) in path.parents
