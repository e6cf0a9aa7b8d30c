"""What all tests share: `--show-rules` lists which numbered rules the collected tests name; Hypothesis has no hurry."""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from hypothesis import settings as hypothesis

from config.process import gc_tuning
from tests import examples, migrated, promises
from tools.pending_rules import MARK, ids_in_tests

hypothesis.register_profile("theogony", deadline=None)  # machines that are shared are sometimes slow
hypothesis.load_profile("theogony")
LONG = (
    "tests/security/test_leaks.py", "tests/faults/test_services_", "tests/test_serve.py",
    "tests/operations/test_entry_points.py", "tests/operations/test_migrations.py", "tests/api/test_schemathesis.py",
    "tests/api/test_console_gods2.py", "tests/rules/gods2/test_whole_game.py", "tests/api/test_rest_schema.py",
)  # fmt: skip
"""The longest files of a run, the longest first. None of them holds a test that empties the tables at its end."""
NAMED = pytest.StashKey[dict[str, list[str]]]()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """The tables are copied, not migrated anew by each process."""
    migrated.begin_from_copy()


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """SQLite's copy is there before Django looks, and goes with the folder of the run."""
    return bool(settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"))


@pytest.fixture(autouse=True)
def examples_of_commands(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The examples of commands that name a test are played in it."""
    yield from examples.listen(request.node.nodeid, monkeypatch)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that `tools/pending_rules.py` collects with."""
    parser.addoption("--show-rules", action="store_true", help="print the rule ids of all collected tests as JSON")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Keep the ids of every `rule` marker before -k or -m leave a test out; begin with what takes longest.

    So that no process of the run is idle at its end while another is in the middle of a long file. pytest-django has
    sorted the others by then: tests without a database last, as servers and processes would be too.
    """
    found = defaultdict(list)
    for item in items:
        for marker in item.iter_markers("rule"):
            for rule in marker.args:
                if len(found[rule]) < 3 and item.nodeid not in found[rule]:
                    found[rule].append(item.nodeid)
    config.stash[NAMED] = dict(sorted(found.items()))
    yield
    items.sort(key=lambda item: next((n for n, path in enumerate(LONG) if item.nodeid.startswith(path)), len(LONG)))


def pytest_collection_finish() -> None:
    """What is loaded by now stays: the garbage collector need not look through it again (a tenth of a run)."""
    gc_tuning.settle()


@pytest.fixture(scope="session")
def rules_named(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    """Rule id -> the first tests that name it; where not all tests are run now, they are collected apart."""
    here = {Path(each).resolve() for each in request.config.args}
    whole = here == {Path(__file__).resolve().parent} and not request.config.getoption("ignore")
    return request.config.stash[NAMED] if whole else ids_in_tests()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """What could not be tried for want of servers; or one line of JSON: rule id -> the first tests that name it."""
    if config.getoption("show_rules"):
        terminalreporter.write_line(MARK + json.dumps(config.stash[NAMED]))
        return
    root, skipped = config.rootpath, terminalreporter.stats.get("skipped", [])
    paths = [Path(each.partition("::")[0]).resolve() for each in config.args]
    paths = [each.relative_to(root) for each in paths if each.is_relative_to(root)]
    files = promises.files_not_tried([report.longrepr for report in skipped], paths, os.environ)
    if lines := promises.summary((root / "README.md").read_text(), files):
        terminalreporter.section("PROMISES NOT TRIED FOR WANT OF SERVERS", red=True, bold=True)
        for line in lines:
            terminalreporter.write_line(line)
