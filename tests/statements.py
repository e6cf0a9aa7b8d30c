"""Which statements each test makes on PostgreSQL, and what it costs: `make test-services ARGS="-p tests.statements"`.

Each process of the run writes a file into `FOLDER`; `python -m tools.once` makes `tests/once.txt` of them (ADR 130).
Two statements are one where they differ in values alone, in how many there are, or in the schema of a place; but with a
value that databases are known to take differently (`oddities`) a statement is another.
"""

import json
import os
import re
import resource
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest

FOLDER = Path(__file__).resolve().parent.parent / ".pytest_cache" / "statements"
FORMS = (
    (re.compile(r"'[^']*'|%s(::\w+)?|\b\d+\b|\bs\d+_x\d+\b"), "?"),
    (re.compile(r"\bplace_\d+\b"), "place"),
    (re.compile(r"\?(, \?)+"), "?"),
    (re.compile(r"\(\?\)(, \(\?\))+"), "(?)"),
    (re.compile(r"(WHEN \([^()]*\) THEN )\S+ (\1\S+ )+"), r"\1? "),
)
"""What is no part of a statement's form, each with what stands for it."""


MAX_INTEGER = 2**31
"""Of most columns of PostgreSQL; SQLite has no such bound."""
SHORT = 200
"""Characters of what somebody has written into a field; longer texts are documents of our own."""


class Cost(NamedTuple):
    """Seconds of the processor, of this process and of those that it has started and that have ended."""

    own: float
    children: float


def cost() -> Cost:
    """What this process has cost so far."""
    own, children = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return Cost(own.ru_utime + own.ru_stime, children.ru_utime + children.ru_stime)


def form_of(statement: str) -> str:
    """A statement without its values."""
    for pattern, instead in FORMS:
        statement = pattern.sub(instead, statement)
    return statement


def oddities(value: Any) -> set[str]:
    """What is in a value, or in one of several, that databases are known to take differently: a large number, a year
    far away, a short text with characters beyond ASCII, a control character or a backslash."""
    match value:
        case bool():
            return set()
        case int() | float():
            return set() if -MAX_INTEGER < value < MAX_INTEGER else {"number"}
        case str():
            is_plain = value.isascii() and value.isprintable() and "\\" not in value
            return set() if is_plain or len(value) >= SHORT else {"text"}
        case date():
            return set() if 1900 < value.year < 2200 else {"year"}
        case list() | tuple():
            return {odd for each in value for odd in oddities(each)}
    return set()


class Recorder:
    """Notes the forms of the statements of the test that runs, from any thread."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        """Form -> its number in this process."""
        self.known: dict[tuple[str, ...], int] = {}
        """Statement and oddities -> the number of its form."""
        self.tests: dict[str, dict[str, Any]] = {}
        self.here: set[int] = set()

    def note(self, query: Any, values: Any = ()) -> None:
        """One more statement."""
        text = query if isinstance(query, str) else query.decode() if isinstance(query, bytes) else str(query)
        key = (text, *sorted(oddities(values)))
        if key not in self.known:
            self.known[key] = self.numbers.setdefault(" -- ".join((form_of(text), *key[1:])), len(self.numbers))
        self.here.add(self.known[key])

    def listen(self, owner: type, name: str) -> None:
        """Note each statement that a method of psycopg is given."""
        method: Callable[..., Any] = getattr(owner, name)

        def noting(this: Any, query: Any, values: Any = None, *arguments: Any, **options: Any) -> Any:
            held = values if values is None or isinstance(values, list | tuple | dict) else list(values)
            self.note(query, list(held.values()) if isinstance(held, dict) else held)
            return method(this, query, held, *arguments, **options)

        setattr(owner, name, noting)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Whatever is done from the first fixture of a test to the end of the last is the test's."""
        self.here, before = set(), cost()
        result = yield
        after = cost()
        self.tests[item.nodeid] = {
            "statements": sorted(self.here),
            "seconds": after.own - before.own,
            "has_processes": after.children > before.children,
            "commits": commits(item),
            "is_long": item.get_closest_marker("long") is not None,
        }
        return result

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write what was noted."""
        if self.tests:
            FOLDER.mkdir(parents=True, exist_ok=True)
            content = json.dumps({"forms": list(self.numbers), "tests": self.tests})
            (FOLDER / f"{os.getpid()}.json").write_text(content)


def commits(item: pytest.Item) -> bool:
    """Whether a test commits: what others see of it, and who waits for whom, no statement says."""
    marker = item.get_closest_marker("django_db")
    return bool(marker and marker.kwargs.get("transaction")) or "transactional_db" in getattr(item, "fixturenames", ())


def pytest_configure(config: pytest.Config) -> None:
    """Begin to listen."""
    recorder = Recorder()
    for owner, name in ((psycopg.Cursor, "execute"), (psycopg.Cursor, "executemany"), (psycopg.Connection, "execute")):
        recorder.listen(owner, name)
    config.pluginmanager.register(recorder, "statements")
