"""The text that digests are made of: any JSON library comes to the same ones from the log."""

import json
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from typing import Any
from uuid import UUID

import pytest

from games.models import LoggedEvent
from games.models.log import EventRow
from games.storage import log

SEAT = UUID("3af31bc3-cfb3-4f46-8474-abbb7c87de84")
WHOLE, PARTED = datetime(2026, 11, 29, 12, tzinfo=UTC), datetime(2026, 11, 29, 12, 0, 0, 70_300, tzinfo=UTC)
ELSEWHERE = timezone(timedelta(hours=5, minutes=30))


def plain_json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def row_at(at: datetime, **fields: Any) -> EventRow:
    told = {"text": 'Ōdin said "so"\n', "by": "clock", "on_behalf_of": None} | fields
    return EventRow(
        game_id=SEAT, seq=7, audience="gm", ordinal=3, type="TideCame", v=2, at=at, body='{"tide":1}',
        rules='["C-1"]', rolls="[]", cause="tide#1", attacked="", **told,
    )  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [
        {"b": [1, None, True], "a": {"d": -(2**63), "c": ("x",)}, "Å": "", "z": {}},
        "".join(map(chr, [*range(0x20), 0x22, 0x2F, 0x5C, 0x7F, 0x85, 0x2028, 0xFFFF, 0x1F600])),
        {"\U0001f600": 1, "\uffff": 2, "e": 3},
        2**64 + 1,
    ],
    ids=["values", "characters", "order of keys", "a number of more than 64 bits"],
)
def test_canonical_json_has_sorted_keys_no_spaces_and_text_as_it_is(value: Any) -> None:
    assert log.canonical(value) == plain_json(value)


@pytest.mark.parametrize("at", [WHOLE, PARTED], ids=["a whole second", "microseconds"])
@pytest.mark.parametrize("seat", [None, SEAT], ids=["own", "on behalf"])
def test_digest_and_mark_cover_what_came_before_and_what_the_row_says(at: datetime, seat: UUID | None) -> None:
    row = row_at(at.astimezone(ELSEWHERE), on_behalf_of=seat)
    shown = [3, "TideCame", 2, at.isoformat(), row.body, row.rules, row.rolls, row.text, row.by, str(seat or "")]
    of_row, of_stream = (
        sha256(f"{before}\n{plain_json(values)}".encode()).hexdigest()
        for before, values in (("before", [7, "gm", *shown]), ("mark", shown))
    )
    assert (log.digest_of(row, "before"), log.mark_of(row, "mark")) == (of_row, of_stream[:8])


def test_a_row_that_is_written_has_every_column_of_the_log() -> None:
    written = row_at(WHOLE)
    read = LoggedEvent(**{name: getattr(written, name) for name in log.EVENT_COLUMNS})
    assert log.digest_of(read, "") == log.digest_of(written, "")
