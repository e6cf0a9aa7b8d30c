"""Threads that post: each thing that is due is done once, few questions ask for it, and no slot is lost."""

from collections.abc import Iterator
from itertools import count, islice
from threading import Event
from uuid import UUID

import pytest

from api.outbound.pool import EACH, PER_TURN, Pool

WAIT_SECONDS = 60.0


class Due:
    """Things that are due, and how often somebody asked for some of them."""

    def __init__(self, most: int) -> None:
        self.numbers: Iterator[int] = iter(range(most))
        self.asked: list[int] = []

    def take(self, most: int) -> list[UUID]:
        self.asked.append(most)
        return [UUID(int=number) for number in islice(self.numbers, most)]


def work(pool: Pool, due: Due, done: list[int]) -> None:
    """Begin a turn and see it end."""
    for begun in pool.begin(due.take, lambda each: done.append(each.int)):
        begun.result(WAIT_SECONDS)


def test_what_is_due_is_done_once_and_asked_for_by_the_handful() -> None:
    """The kind: each message asks the database anew for all that is due, so that n messages cost n times n rows."""
    due, done = Due(100), list[int]()
    work(Pool("test", 4), due, done)
    assert sorted(done) == [*range(100)]
    assert due.asked[0] == EACH * 4 and len(due.asked) <= 100 / (EACH * 4) + 1 + 4


@pytest.mark.parametrize("count_due", [1, 3, 4, 9])
def test_slots_are_free_again_however_much_is_due(count_due: int) -> None:
    pool, done = Pool("test", 4), list[int]()
    for _ in range(3):
        work(pool, Due(count_due), done)
    assert len(done) == 3 * count_due and pool._free_slots() == 4


def test_threads_lease_no_more_after_their_turn_and_leaves_nothing_that_is_leased() -> None:
    """The kind: what is leased and not begun would wait for the end of its lease."""
    due, done = Due(1_000), list[int]()
    work(Pool("test", 1), due, done)
    assert len(done) == sum(due.asked) == PER_TURN
    done.clear()
    due = Due(1_000)
    work(Pool("test", 3), due, done)
    assert len(done) == sum(due.asked) == 3 * PER_TURN, "whichever thread does how much of it"
    done.clear()
    due = Due(1_000)
    work(Pool("test", 1, per_turn=1), due, done)
    assert len(done) == sum(due.asked) == EACH


def test_one_that_is_slow_holds_one_thread_alone() -> None:
    due, done, over, numbers = Due(40), list[int](), Event(), count()

    def do(each: UUID) -> None:
        if next(numbers) == 0:
            over.wait(WAIT_SECONDS)
        done.append(each.int)
        if len(done) == 39:
            over.set()

    for begun in Pool("test", 2, per_turn=100).begin(due.take, do):
        begun.result(WAIT_SECONDS)
    assert len(done) == 40 and over.is_set()


def test_a_database_that_is_away_costs_no_slot() -> None:
    def take(most: int) -> list[UUID]:
        raise ConnectionError("away")

    pool, done = Pool("test", 3), list[int]()
    with pytest.raises(ConnectionError):
        pool.begin(take, lambda each: done.append(each.int))
    work(pool, Due(5), done)
    assert len(done) == 5 and pool._free_slots() == 3
