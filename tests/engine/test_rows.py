"""Rows: dictionaries that remember what was touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.state import Rows

KEYS, VALUES = st.integers(0, 4), st.integers(0, 3)
WRITES = st.lists(st.tuples(st.sampled_from(["set", "delete", "load"]), KEYS, VALUES))


def rows_after(writes):
    """Rows after some writes, and what a plain dictionary and set say they should be."""
    rows, plain, touched = Rows(), {}, set()
    for what, key, value in writes:
        if what == "set":
            rows[key] = value
            plain[key] = value
            touched.add(key)
        elif what == "load":
            rows.load(key, value)
            plain[key] = value
        elif key in plain:
            del rows[key]
            del plain[key]
            touched.add(key)
    return rows, plain, touched


@given(WRITES)
def test_rows_remember_every_key_that_was_set_or_deleted_and_none_that_was_loaded(writes):
    rows, plain, touched = rows_after(writes)
    assert (dict(rows), rows.dirty) == (plain, touched)


@given(WRITES, st.sampled_from(["set", "delete", "load"]), KEYS, VALUES)
def test_rows_that_have_changed_count_more_writes(writes, what, key, value):
    before = rows_after(writes)[0]
    after = rows_after([*writes, (what, key, value)])[0]
    assert after.writes > before.writes or dict(after) == dict(before)
    assert after.writes == before.writes + (what != "delete" or key in before)


@given(WRITES, WRITES)
def test_rows_that_become_others_touch_only_what_differs(writes, others):
    rows, other = rows_after(writes)[0], rows_after(others)[0]
    before = dict(rows)
    rows.dirty.clear()
    rows.become(other)
    assert dict(rows) == dict(other)
    assert rows.dirty == {k for k in {*before, *other} if before.get(k) != other.get(k)}


@pytest.mark.parametrize(
    "write",
    [
        lambda rows: rows.pop(1),
        lambda rows: rows.popitem(),
        lambda rows: rows.clear(),
        lambda rows: rows.update({1: 2}),
        lambda rows: rows.setdefault(3, 1),
        lambda rows: rows.__ior__({1: 2}),
    ],
)
def test_rows_are_written_in_two_ways_and_no_third(write):
    rows = Rows()
    rows.load(1, 1)
    with pytest.raises(TypeError):
        write(rows)
    assert (dict(rows), rows.dirty) == ({1: 1}, set())


def test_a_key_that_is_not_there_is_not_touched_by_a_failed_delete():
    rows = Rows()
    with pytest.raises(KeyError):
        del rows[1]
    assert rows.dirty == set()
