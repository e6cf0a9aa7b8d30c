"""What all tests share: `--show-rules` tells which numbered rules the collected tests name; Hypothesis has no hurry."""

import json
from collections import defaultdict

import pytest
from hypothesis import settings

from tools.pending_rules import MARK

settings.register_profile("theogony", deadline=None)  # machines that are shared are sometimes slow
settings.load_profile("theogony")
LONG = ("tests/security/", "tests/faults/", "tests/operations/", "tests/test_serve.py", "tests/games/", "tests/golden/")
NAMED = pytest.StashKey[dict[str, list[str]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that `tools/pending_rules.py` collects with."""
    parser.addoption("--show-rules", action="store_true", help="print the rule ids of all collected tests as JSON")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the ids of every `rule` marker before -k or -m leave a test out; begin with what takes longest.

    So that no process of the run sits idle at its end while another is in the middle of a long file.
    """
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))
    found = defaultdict(list)
    for item in items:
        for marker in item.iter_markers("rule"):
            for rule in marker.args:
                if len(found[rule]) < 3 and item.nodeid not in found[rule]:
                    found[rule].append(item.nodeid)
    config.stash[NAMED] = dict(sorted(found.items()))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """One line of JSON: rule id -> the first tests that name it."""
    if config.getoption("show_rules"):
        terminalreporter.write_line(MARK + json.dumps(config.stash[NAMED]))
