"""The tests that PostgreSQL does not see again: how they are chosen, and that the list names none that is gone."""

from datetime import date, datetime
from pathlib import Path

import pytest

from tests import forms
from tests.statements import Recorder, form_of, oddities
from tools import once
from tools.once import Noted, listing, without_news


def record_of(name: str, statements: str, seconds: float = 1.0, *, may_be_listed: bool = True) -> Noted:
    """A test that makes statements, each a character."""
    return Noted(f"tests/x/test_y.py::{name}", frozenset(statements), seconds, may_be_listed)


def names(tests: list[Noted]) -> list[str]:
    return [test.name.rpartition("::")[2] for test in tests]


def test_every_statement_is_made_by_a_test_that_is_kept() -> None:
    tests = [record_of("a", "xyz"), record_of("b", "xy"), record_of("c", "z"), record_of("d", "w"), record_of("e", "")]
    listed = without_news(tests)
    assert names(listed) == ["b", "c", "e"]
    assert {s for test in tests if test not in listed for s in test.statements} == set("wxyz")


def test_the_cheaper_of_two_alike_is_kept() -> None:
    assert names(without_news([record_of("cheap", "x", 0.1), record_of("dear", "x", 9)])) == ["dear"]


def test_what_is_never_listed_makes_its_statements_for_others() -> None:
    assert names(without_news([record_of("bound", "x", may_be_listed=False), record_of("free", "x")])) == ["free"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT 1 WHERE id = %s", "SELECT 1 WHERE id = 'a'"),
        ("SELECT 1 WHERE id IN (%s, %s::uuid, %s)", "SELECT 1 WHERE id IN (%s)"),
        ("INSERT INTO t VALUES (%s, %s), (%s, %s)", "INSERT INTO t VALUES (%s, 3)"),
        ('SAVEPOINT "s140_x2"', 'SAVEPOINT "s7_x13"'),
        ('SELECT "place_01"."games_game"."id" LIMIT 50', 'SELECT "place_00"."games_game"."id" LIMIT 51'),
    ],
)
def test_statements_that_differ_in_values_alone_are_one(one: str, other: str) -> None:
    assert form_of(one) == form_of(other)


def test_an_update_of_more_rows_is_the_same_statement() -> None:
    one = form_of('UPDATE t SET a = CASE WHEN ("t"."id" = %s) THEN %s ELSE NULL END')
    many = 'UPDATE t SET a = CASE WHEN ("t"."id" = %s) THEN %s WHEN ("t"."id" = %s) THEN NULL ELSE NULL END'
    assert one == form_of(many) == form_of(one)
    assert one != form_of('UPDATE t SET a = CASE WHEN ("t"."b" = %s) THEN %s ELSE NULL END')


def test_statements_that_differ_in_a_column_or_an_order_are_two() -> None:
    assert len({form_of(f"SELECT a FROM t{rest}") for rest in ("", " ORDER BY a", " WHERE b = %s", " FOR UPDATE")}) == 4


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (2**31, {"number"}), (-(2**40), {"number"}), (2**31 - 1, set()), (True, set()), (float("inf"), {"number"}),
        (0.5, set()), ("Ur", set()), ("Ür", {"text"}), ("a\0", {"text"}), ("a\\b", {"text"}), ("Ü" * 200, set()),
        (None, set()), (date(1, 1, 1), {"year"}), (datetime(2026, 1, 1), set()), ((), set()),
        (["a", ("b", 2**40), "Ür"], {"number", "text"}),
    ],
)  # fmt: skip
def test_values_that_databases_take_differently_are_seen(value: object, found: set[str]) -> None:
    assert oddities(value) == found


def test_a_statement_with_such_a_value_is_another() -> None:
    recorder = Recorder()
    for name in ("Ur", "Ür", "Uruk", "Ürük"):
        recorder.note("SELECT 1 WHERE name = %s", [name])
    assert list(recorder.numbers.values()) == [0, 1] == sorted(recorder.here)


def test_the_list_is_read_as_it_is_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ids = ["tests/a/test_b.py::test_c", "tests/a/test_b.py::test_d[x y]", "tests/e.py::test_f[g::h]"]
    monkeypatch.setattr(forms, "ONCE", tmp_path / "once.txt")
    forms.ONCE.write_text(listing(ids))
    assert forms.listed_once.__wrapped__() == frozenset(ids)


def test_the_list_names_files_that_exist_and_none_that_are_always_tried() -> None:
    files = {name.partition("::")[0] for name in forms.listed_once()}
    assert [file for file in sorted(files) if not Path(file).is_file() or file.startswith(once.WHOLE)] == []


def test_the_list_names_only_tests_that_are_there(request: pytest.FixtureRequest, test_ids: frozenset[str]) -> None:
    assert sorted(forms.listed_once() - test_ids) == [], (
        "python -m tools.once, after make test-services with statements"
    )
