"""The service's log, read as an operator reads it: each line written by the service's own formatter, parsed as JSON."""

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from config import logs


class Lines:
    """What was logged so far."""

    def __init__(self) -> None:
        self.out = io.StringIO()

    def all(self) -> list[dict[str, Any]]:
        """Every line, in order."""
        return [json.loads(line) for line in self.out.getvalue().splitlines()]

    def of(self, event: str) -> list[dict[str, Any]]:
        """The lines of one kind."""
        return [line for line in self.all() if line["event"] == event]


@contextmanager
def reading() -> Iterator[Lines]:
    """The lines that are logged within, at the level that operators run; other tests log warnings alone."""
    service = logs.logging_settings("json", "INFO")
    line = service["formatters"]["line"]
    found = Lines()
    handler = logging.StreamHandler(found.out)
    handler.setFormatter(line["()"](line["renderer"]))
    levels = {"": service["root"]["level"]} | {
        n: each["level"] for n, each in service["loggers"].items() if "level" in each
    }
    loggers = {logging.getLogger(name): level for name, level in levels.items()}
    former = {logger: logger.level for logger in loggers}
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        for logger, level in loggers.items():
            logger.setLevel(level)
        yield found
    finally:
        root.removeHandler(handler)
        for logger, level in former.items():
            logger.setLevel(level)
