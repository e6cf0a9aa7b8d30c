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
    """The lines that are logged within."""
    line = logs.logging_settings("json", "INFO")["formatters"]["line"]
    found = Lines()
    handler = logging.StreamHandler(found.out)
    handler.setFormatter(line["()"](foreign_pre_chain=line["foreign_pre_chain"], processors=line["processors"]))
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield found
    finally:
        root.removeHandler(handler)
