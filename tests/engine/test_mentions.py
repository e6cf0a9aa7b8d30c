"""Whether a record holds an id: wherever `repr` would show it, without making that text."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

import pytest
from pydantic import BaseModel

from games.engine.mentions import mentions

SOUGHT, OTHER = UUID(int=7), UUID(int=8)


class Colour(StrEnum):
    RED = "red"


class Shown(BaseModel):
    of: UUID | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class Inner:
    text: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    id: UUID = OTHER
    number: int = 1
    colour: Colour = Colour.RED
    at: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    holder: UUID | None = None
    audience: str = ""
    asked: tuple[UUID, ...] = ()
    shares: dict[UUID, int] = field(default_factory=dict)
    sent: Any = None
    inner: Inner = Inner()


HOLDING = [
    Record(id=SOUGHT),
    Record(holder=SOUGHT),
    Record(audience=f"seat:{SOUGHT}"),
    Record(asked=(OTHER, SOUGHT)),
    Record(shares={SOUGHT: 3}),
    Record(sent={"deep": [{"to": str(SOUGHT)}]}),
    Record(sent=frozenset({SOUGHT})),
    Record(sent=Shown(of=SOUGHT)),
    Record(sent=b"%s" % str(SOUGHT).encode()),
    Record(inner=Inner(text=f"for {SOUGHT}")),
]


@pytest.mark.parametrize("record", HOLDING)
def test_an_id_is_found_wherever_it_stands(record):
    assert mentions(record, SOUGHT, str(SOUGHT)) and str(SOUGHT) in repr(record)
    assert not mentions(record, UUID(int=9), str(UUID(int=9)))


def test_a_record_that_says_nothing_of_it_does_not_mention_it():
    assert not mentions(Record(), SOUGHT, str(SOUGHT))
