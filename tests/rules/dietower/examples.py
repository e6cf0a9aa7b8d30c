"""The worked examples of the rulebook as cases of a test: each has its id, and names itself and the rules it shows."""

import pytest


def example(name: str, *values: object, rules: tuple[str, ...] = ()) -> object:
    """A worked example of the rulebook, with the rules that it shows."""
    return pytest.param(*values, id=name, marks=pytest.mark.rule(name, *rules))
