"""What a run says of the promises that it could not try (`tests/promises.py`), and a benchmark that misses its aim."""

from contextlib import nullcontext
from pathlib import Path, PurePath
from types import SimpleNamespace

import pytest

from bench import ground
from bench.figures import Figure
from tests import promises

README = (Path(__file__).parent.parent / "README.md").read_text()
SQLITE: dict[str, str] = {}
ON_POSTGRES = {"DATABASE_URL": "postgres://somewhere/x"}
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
    ("paths", "environment", "skips", "files"),
    [
        (["tests"], SQLITE, [], [AWAY, FROZEN]),
        (["."], SQLITE, [SKIP], [AWAY, FROZEN, KILLED]),
        (["tests/faults"], SQLITE, [], [AWAY, FROZEN]),
        (["tests/rules"], SQLITE, [], []),
        (["tests/faults/test_services_killed.py"], SQLITE, [SKIP], [KILLED]),
        (["tests"], ON_POSTGRES, [], []),
        (["tests"], {"FAULTS": "full"}, [], []),
        (["tests/rules"], SQLITE, [("tests/rules/test_x.py", 3, "Skipped: whole games")], []),
    ],
)
def test_files_are_not_tried_where_servers_were_missing(paths, environment, skips, files) -> None:
    assert promises.files_not_tried(skips, [PurePath(path) for path in paths], environment) == files


def test_the_summary_names_each_promise_its_files_and_the_command_that_tries_them() -> None:
    lines = promises.summary(README, [AWAY, "tests/operations/test_entry_points.py"])
    text = "\n".join(lines)
    assert [line[:4].strip() for line in lines if line.startswith("P")] == ["P1", "P3", "P10"]
    assert f"not tried: {AWAY}" in text and "beside the promises: tests/operations/test_entry_points.py" in text
    assert lines[-1] == "Try them with: make test-services"
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
