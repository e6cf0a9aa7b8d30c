"""What all tests share: `--show-rules` lists which numbered rules the collected tests name; Hypothesis has no hurry."""

import importlib
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import django
import pytest
from django.conf import settings
from hypothesis import settings as hypothesis
from hypothesis.internal.conjecture import providers
from xdist.scheduler import LoadFileScheduling

from config.process import gc_tuning
from tests import counted, examples, forms, migrated, promises
from tools.pending_rules import MARK, MOST_TESTS, ids_in_tests

gc_tuning.pause()  # until all is collected, see `pytest_collection_finish`
# No deadline: machines that are shared are sometimes slow. By day the same examples in each run: what is red is red by
# the change, never by chance; the night looks for examples that nobody has seen, and prints those that fail.
hypothesis.register_profile("day", deadline=None, derandomize=True)
hypothesis.register_profile("night", deadline=None, print_blob=True)
hypothesis.load_profile("night" if forms.AT_RANDOM else "day")
if not forms.AT_RANDOM:
    # Hypothesis draws from the constants of all modules that are imported at that moment: from others in each process.
    providers._get_local_constants = providers.Constants
CHANCE = Random()
"""By day what a game of a test draws its dice, its ids and the choices of its bots from: the same in each run."""
LONG = (
    "tests/play/test_by_forms.py", "tests/security/test_leaks.py", "tests/operations/test_migrations.py",
    "tests/places/test_making.py",
    "tests/faults/test_services_", "tests/test_serve.py", "tests/operations/test_entry_points.py",
    "tests/security/test_leaks_of_pages.py", "tests/api/test_schemathesis.py", "tests/play/test_ruleless_tables.py",
    "tests/api/test_console_gods2.py", "tests/rules/gods2/test_whole_game.py", "tests/api/test_rest_schema.py",
    "tests/event_pages/test_clicks_in_a_browser.py", "tests/event_pages/test_desk_in_a_browser.py::test_a_century",
)  # fmt: skip
"""The longest files of a run, the longest first. None of them holds a test that commits: those follow the others."""
ALONE = (
    "tests/play/test_by_forms.py", "tests/operations/test_migrations.py", "tests/places/test_making.py",
    "tests/security/test_leaks.py", "tests/security/test_leaks_of_pages.py",
    "tests/api/test_schemathesis.py", "tests/play/test_ruleless_tables.py", "tests/faults/test_histories.py",
    "tests/rules/gods2/test_centuries_at_random.py",
    "tests/event_pages/test_desk_in_a_browser.py::test_a_century",
    "tests/event_pages/test_clicks_in_a_browser.py::test_a_game_of_each_ruleset_is_entered_and_played_by_clicks_at_a_"
    "telephones_width[gods2]",
)  # fmt: skip
"""Long files whose tests share nothing, and long tests of others: each is given to the next process that is free."""
PURE = tuple(Path(__file__).parent / folder for folder in ("balance", "engine", "oracle", "rules"))
"""Whose tests need no Django: alone, they begin in half a second."""
NAMED = pytest.StashKey[dict[str, list[str]]]()
IDS = pytest.StashKey[frozenset[str]]()
LEFT = pytest.StashKey[list[str]]()
LEFT_BY_WORKERS = "theogony_left"


def is_pure(path: Path) -> bool:
    """Whether the tests at a path need no Django."""
    return any(path.resolve().is_relative_to(folder) for folder in PURE)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """The tables are copied, not migrated anew by each process."""
    migrated.begin_from_copy()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    """All sessions end before their database goes."""
    yield
    migrated.end_sessions()


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """SQLite's copy is there before Django looks, and goes with the folder of the run."""
    return bool(settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"))


@pytest.fixture(autouse=True)
def keep_states(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In a test that is one transaction nothing commits, yet states are cached as in the service: a tenth of a run.

    What a test takes back, or changes behind the service's back, the cache finds out by the digest of the log.
    """
    marker = request.node.get_closest_marker("django_db")
    if marker is None or marker.kwargs.get("transaction"):
        yield
        return
    session, testing = map(importlib.import_module, ("games.runtime.session", "django.test"))

    def cache_at_once(of: Any) -> None:
        with testing.TestCase.captureOnCommitCallbacks(execute=True):
            session.cache_on_commit(of)

    monkeypatch.setattr("games.runtime.batch.cache_on_commit", cache_at_once)
    yield
    session.STATE_CACHE.clear()


@pytest.fixture(autouse=True)
def place_of_tests(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """With PLACES a test and its games are in one place (`tests/placed.py`)."""
    if not (settings.configured and settings.PLACES):
        yield
        return
    with importlib.import_module("tests.placed").all_in_one(monkeypatch):
        yield


@pytest.fixture(autouse=True)
def examples_of_commands(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The examples of commands that name a test are played in it."""
    yield from examples.listen(request.node.nodeid, monkeypatch)


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """The option that `tools/pending_rules.py` collects with; Django, for all but tests of rules.

    This is the first that pytest calls here: the `conftest.py` of a folder below may import models. The process
    of a whole run that hands the tests to others needs no Django.
    """
    config = pluginmanager.get_plugin("pytestconfig")
    known = config.known_args_namespace
    if asked := known.file_or_dir:
        needs_none = all(is_pure(Path(config.invocation_params.dir, name.partition("::")[0])) for name in asked)
    else:
        needs_none = bool(getattr(known, "numprocesses", None)) and "PYTEST_XDIST_WORKER" not in os.environ
    if not needs_none:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
        django.setup()
    parser.addoption("--show-rules", action="store_true", help="print the rule ids of all collected tests as JSON")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Whether a file is not even imported: one of rules of which the form of this run leaves out every test."""
    is_file = collection_path.suffix == ".py" and is_pure(collection_path)
    return True if is_file and forms.leaves_out_file(collection_path) else None


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
                if len(found[rule]) < MOST_TESTS and item.nodeid not in found[rule]:
                    found[rule].append(item.nodeid)
    config.stash[NAMED] = dict(sorted(found.items()))
    config.stash[IDS] = frozenset(item.nodeid for item in items)
    left = [item for item in items if forms.is_left_out(item)]
    config.stash[LEFT] = [item.nodeid for item in left]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if not forms.is_left_out(item)]
    yield
    items.sort(key=lambda item: next((n for n, path in enumerate(LONG) if item.nodeid.startswith(path)), len(LONG)))


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Every other process of `make test` imports the files from the last: the two compile half of them each (6 s)."""
    number = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    here = Path(__file__).parent
    if forms.SHORT and int(number) % 2 and [Path(each).resolve() for each in session.config.args] == [here]:
        for path in sorted(here.rglob("test_*.py"), reverse=True):
            if not pytest_ignore_collect(path):
                importlib.import_module(".".join(path.relative_to(here.parent).with_suffix("").parts))


class SharesOfFiles(LoadFileScheduling):
    """A file goes to one process, which makes what its tests share once; of those in `ALONE` each test by itself."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid if nodeid.startswith(ALONE) else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> SharesOfFiles:
    """How a run of several processes hands out its tests."""
    return SharesOfFiles(config, log)


def pytest_collection_finish() -> None:
    """What is loaded by now stays: the garbage collector need not look through it again (a tenth of a run)."""
    gc_tuning.freeze()
    if not forms.AT_RANDOM and (services := sys.modules.get("games.services")):
        vars(services)["os"] = SimpleNamespace(urandom=CHANCE.randbytes)
        vars(services)["uuid4"] = lambda: UUID(int=CHANCE.getrandbits(128), version=4)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """The games of a test are the same whatever ran before it, and no two tests have one id."""
    CHANCE.seed(item.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A process of a run says what its form leaves out; all of them say the same."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[LEFT_BY_WORKERS] = session.config.stash.get(LEFT, [])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take what a process of this run has said."""
    node.config.stash[LEFT] = getattr(node, "workeroutput", {}).get(LEFT_BY_WORKERS, [])


@pytest.fixture(scope="session")
def rules_named(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    """Rule id -> the first tests that name it; where not all tests are run now, they are collected apart."""
    return request.config.stash[NAMED] if is_whole(request.config) else ids_in_tests()


@pytest.fixture(scope="session")
def test_ids(request: pytest.FixtureRequest) -> frozenset[str]:
    """The ids of all tests, in whatever form they run; where not all files are run now, nobody knows."""
    if not is_whole(request.config):
        pytest.skip("a run of some files alone")
    return request.config.stash[IDS]


def is_whole(config: pytest.Config) -> bool:
    """Whether this run collects every file of tests."""
    here = {Path(each).resolve() for each in config.args}
    return here == {Path(__file__).resolve().parent} and not config.getoption("ignore")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """The tests and promises that this run did not try; or one line of JSON: rule id -> the first tests naming it."""
    if config.getoption("show_rules"):
        terminalreporter.write_line(MARK + json.dumps(config.stash[NAMED]))
        return
    left = config.stash.get(LEFT, []) if forms.SHORT else []
    if left:
        terminalreporter.section(f"{len(left)} tests left to make test-all")
        for line in forms.summary(left):
            terminalreporter.write_line(line)
    if lines := counted.summary(terminalreporter.stats.get("passed", [])):
        terminalreporter.section("what the fault tests tried")
        for line in lines:
            terminalreporter.write_line(line)
    skipped = terminalreporter.stats.get("skipped", [])
    files = promises.files_not_tried([report.longrepr for report in skipped], left)
    if lines := promises.summary((config.rootpath / "README.md").read_text(), files):
        terminalreporter.section("promises that make test-all tries, and this run did not, or not in full")
        for line in lines:
            terminalreporter.write_line(line)
