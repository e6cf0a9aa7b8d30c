"""How pages of the docs are read: a quotation that is not so is found, and the few shell forms do what a shell does."""

from hashlib import sha256

import pytest

from tests.pages import Reading, first_gap, pick


@pytest.mark.parametrize(
    ("_case", "quoted", "found", "lacks"),
    [
        ("a part", {"a": 1}, {"a": 1, "b": 2}, ""),
        ("another value", {"a": 1}, {"a": 2}, ".a is 2, quoted 1"),
        ("a field too many", {"c": 1}, {"a": 2}, ".c is not there"),
        ("elements between", [1, 3], [1, 2, 3], ""),
        ("the wrong order", [3, 1], [1, 2, 3], "[1] 1 is not there in [1, 2, 3]"),
        ("not empty", [], [1], " is not empty: [1]"),
        ("a beginning", "Two...", "Two peoples", ""),
        ("no number", True, 1, " is 1, quoted True"),
        ("within", {"a": [{"b": 1}]}, {"a": [{"b": 2}]}, ".a[0] {'b': 1} is not there in [{'b': 2}]"),
    ],
)
def test_a_quotation_that_is_not_so_is_found(_case, quoted, found, lacks):
    assert first_gap(quoted, found) == lacks


def test_a_pick_finds_what_jq_finds():
    values = {"events": [{"type": "A", "id": 1}, {"type": "B", "id": 2}]}

    assert list(pick(values, '.events[] | select(.type == "B") | .id')) == [2]
    assert list(pick(values, ".events[0].id")) == [1]


def test_variables_hold_json_digests_and_time_passes_where_the_page_sleeps():
    slept = []
    page = """```sh
SALT=sixteen
PAPER='{"orders":[]}'
DIGEST=$(printf '%s' "$SALT:$PAPER" | sha256sum | cut -c1-64)
sleep 3   # somebody else is busy
```
"""
    reading = Reading(page, {}, sleep=slept.append)

    reading.run()

    assert reading.values["PAPER"] == '{"orders":[]}'
    assert reading.values["DIGEST"] == sha256(b'sixteen:{"orders":[]}').hexdigest()
    assert slept == [3]
