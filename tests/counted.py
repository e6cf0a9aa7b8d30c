"""What the fault tests of a run tried, counted for its last lines: histories, commands, points where a process dies.

A test notes a count with its node; a run's processes hand it to the one that prints (`user_properties`).
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

MARK = "counted: "
"""How the name of a count begins among the properties of a test."""
POINTS = "points of a step at which a process was killed, one after the other"
HISTORIES = "random histories of five clients at once"
COMMANDS = "commands that were acknowledged in them"
LOST = "of these without a receipt, or without all their events in the log"


def note(node: pytest.Item, what: str, number: int) -> None:
    """Add a count of a test to those of its run; it counts once the test has passed."""
    node.user_properties.append((MARK + what, number))


def summary(passed: Iterable[Any]) -> list[str]:
    """A line for each count, summed over the reports of tests that passed: the number, then what it counts."""
    sums: Counter[str] = Counter()
    for report in passed:
        for name, number in report.user_properties if report.when == "call" else ():
            if name.startswith(MARK):
                sums[name.removeprefix(MARK)] += number
    return [f"{number:9,} {what}" for what, number in sums.items()]
