"""What a run says of the promises that it could not try (`tests/promises.py`), and a benchmark that misses its aim."""

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bench import ground
from bench.figures import Figure
from tests import forms, promises

README = (Path(__file__).parent.parent / "README.md").read_text()
AWAY, FROZEN = "tests/faults/test_services_away.py", "tests/faults/test_services_frozen.py"
KILLED = "tests/faults/test_services_killed.py"
SKIP = ("/somewhere/tests/faults/test_services_killed.py", 3, f"Skipped: {promises.WITHOUT_SERVERS} none listens.")


def test_the_readme_has_ten_promises_and_the_named_tests_exist() -> None:
    held = promises.holders_of(README)
    assert list(held) == [f"P{n}" for n in range(1, 11)]
    root = Path(__file__).parent.parent
    for number, (_, names) in held.items():
        for name in names:
            assert list(root.glob(name)) or list(root.glob(f"tests/*/{name}")), f"{number} is held by nothing: {name}"


@pytest.mark.parametrize(
    ("skips", "left", "files"),
    [
        ([], [], []),
        ([SKIP], [], [KILLED]),
        ([SKIP], [f"{FROZEN}::test_one", f"{AWAY}::test_one", f"{AWAY}::test_other[1]"], [AWAY, FROZEN, KILLED]),
        ([("tests/rules/test_x.py", 3, "Skipped: whole games")], [], []),
    ],
)
def test_files_are_not_tried_where_servers_were_missing_or_their_tests_are_long(skips, left, files) -> None:
    assert promises.files_not_tried(skips, left) == files


def test_the_summary_names_each_promise_and_its_files() -> None:
    lines = promises.summary(README, [AWAY, "tests/operations/test_entry_points.py"])
    assert [line[:4].strip() for line in lines if line.startswith("P")] == ["P1", "P3", "P10"]
    assert f"not tried: {AWAY}" in "\n".join(lines)
    assert promises.summary(README, []) == []


@pytest.mark.parametrize(("seconds", "status"), [(1.1, None), (6.07, 1)])
def test_a_benchmark_run_alone_ends_with_status_1_and_the_figure_when_it_misses_its_aim(
    monkeypatch, capsys, seconds: float, status: int | None
) -> None:
    figure = Figure("1000 timers", "late", f"p99 {seconds} s", value=seconds, aim=1.2, unit=" s", most=True)
    monkeypatch.setattr(ground, "ground", lambda games: nullcontext(SimpleNamespace(prepared_contents=None)))
    with nullcontext() if status is None else pytest.raises(SystemExit) as ended:
        ground.alone("timers", lambda on: [figure])
    assert "1000 timers" in capsys.readouterr().out
    if ended is not None:
        assert ended.value.code == "Missed:\n1000 timers: p99 6.07 s; the aim is at most 1.2 s"


PLAIN_FILE = Path("tests/api/test_rows.py")


def item(*marks: str, fixtures: Sequence[str] = ("db",), path: Path = PLAIN_FILE, plugins: Sequence[str] = ()) -> Any:
    """A test as far as forms look at it."""
    return SimpleNamespace(
        fixturenames=fixtures, get_closest_marker=dict.fromkeys(marks, True).get, path=path, nodeid=f"{path}::test_it",
        config=SimpleNamespace(pluginmanager=SimpleNamespace(has_plugin=lambda name: name in plugins)),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("form", "is_long", "fixtures", "left"),
    [
        ("", True, ["db"], False),
        ("short", True, ["db"], True),
        ("short", False, ["db"], False),
        ("short", False, [], False),
        ("services", True, ["db"], False),
        ("services", False, ["db", "event"], False),
        ("services", False, ["transactional_db"], False),
        ("services", False, ["tmp_path"], True),
        ("services", True, ["tmp_path"], False),
    ],
)
def test_what_one_form_of_the_suite_leaves_out_the_other_one_runs(monkeypatch, form, is_long, fixtures, left) -> None:
    monkeypatch.setattr(forms, "FORM", form)
    monkeypatch.setattr(forms, "SHORT", form == "short")
    assert forms.is_left_out(item(*["long"] * is_long, fixtures=fixtures)) is left


def test_what_a_browser_shows_has_a_run_of_its_own(monkeypatch) -> None:
    monkeypatch.setattr(forms, "FORM", "services")
    path = PLAIN_FILE.with_name("test_pages_in_a_browser.py")
    assert forms.is_left_out(item("long", path=path))


@pytest.mark.parametrize("is_long", [True, False])
def test_what_is_marked_once_runs_on_the_second_database_where_no_other_run_has_it(monkeypatch, is_long) -> None:
    monkeypatch.setattr(forms, "FORM", "services")
    assert forms.is_left_out(item("once", *["long"] * is_long)) is not is_long


@pytest.mark.parametrize(
    ("form", "is_long", "left"),
    [("services", False, True), ("services", True, False), ("short", False, False), ("", False, False)],
)
def test_what_is_listed_runs_in_the_short_form_alone(monkeypatch, form, is_long, left) -> None:
    monkeypatch.setattr(forms, "FORM", form)
    monkeypatch.setattr(forms, "listed_once", lambda: frozenset({f"{PLAIN_FILE}::test_it"}))
    assert forms.is_left_out(item(*["long"] * is_long)) is left
    assert not forms.is_left_out(item(plugins=["tests.statements"])), "the list is written anew of what is recorded"


def test_a_test_that_is_marked_to_touch_rows_is_tried_on_both_databases(monkeypatch) -> None:
    monkeypatch.setattr(forms, "FORM", "services")
    assert forms.is_left_out(item("django_db", fixtures=())) is False


def test_the_summary_of_a_form_counts_the_tests_of_each_file_that_it_left_out() -> None:
    assert forms.summary(["tests/b.py::test_x", "tests/a.py::test_x[1]", "tests/a.py::test_x[2]"]) == [
        "tests/a.py: 2", "tests/b.py: 1",
    ]  # fmt: skip
