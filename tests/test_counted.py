"""The last lines of a run say what its fault tests tried: sums over the tests that passed, and nothing else."""

from types import SimpleNamespace
from typing import Any

from tests import counted


def report(*properties: tuple[str, Any], when: str = "call") -> SimpleNamespace:
    return SimpleNamespace(when=when, user_properties=list(properties))


def test_counts_are_summed_over_the_calls_of_tests_that_passed() -> None:
    node = SimpleNamespace(user_properties=[])
    counted.note(node, counted.HISTORIES, 1_000)  # type: ignore[arg-type]
    counted.note(node, counted.LOST, 0)  # type: ignore[arg-type]
    passed = [report(*node.user_properties), report(*node.user_properties), report(("another", "property"))]
    teardown = report(*node.user_properties, when="teardown")
    assert counted.summary([*passed, teardown]) == [f"    2,000 {counted.HISTORIES}", f"        0 {counted.LOST}"]
    assert counted.summary([]) == []
