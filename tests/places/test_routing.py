"""Which place an id belongs to, and what a process remembers of it."""

import asyncio
import threading

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.places import making, routing
from core.places.models import Bucket, Slot, State
from core.places.place import even_share
from games.models import Pulse
from tests.places.buckets import BOTH, ONE, TWO, fill, id_in


@pytest.mark.parametrize("buckets", [2, 3, 16, 64])
def test_the_slots_are_shared_evenly_and_those_of_a_bucket_are_neighbours(buckets):
    shares = [even_share(slot, making.SLOTS, buckets) for slot in range(making.SLOTS)]

    assert shares == sorted(shares) and {*shares} == {*range(1, buckets + 1)}
    counts = [shares.count(bucket) for bucket in range(1, buckets + 1)]
    assert max(counts) - min(counts) <= 1


@pytest.mark.django_db
def test_the_place_of_an_id_follows_from_its_slot_and_the_table_is_read_once():
    routing.forget()
    with CaptureQueriesContext(connection) as captured:
        found = [routing.place_of(id_in(place)) for place in BOTH]
        again = routing.every_place()
    assert (found, again, len(captured)) == ([ONE, TWO], BOTH, 2)

    Slot.objects.filter(slot__lt=2048).update(bucket=2)
    assert routing.place_of(id_in(ONE)) == ONE  # until the table is read anew
    routing.forget()
    assert [routing.place_of(id_in(place)) for place in BOTH] == [TWO, TWO]


@pytest.mark.django_db
def test_the_table_is_read_anew_after_some_seconds(monkeypatch):
    monkeypatch.setattr(routing, "REFRESH_SECONDS", 0)
    with CaptureQueriesContext(connection) as captured:
        routing.place_of(id_in(ONE))
        routing.place_of(id_in(ONE))
    assert len(captured) == 4


@pytest.mark.django_db
def test_a_table_with_a_slot_in_a_bucket_without_tables_is_not_believed():
    Bucket.objects.filter(number=2).update(state=State.NEW)
    routing.forget()
    with pytest.raises(LookupError, match="migrate_places"):
        routing.place_of(id_in(TWO))


def test_a_place_holds_for_the_block_and_is_what_it_was_afterwards():
    with routing.at(id_in(ONE)):
        with routing.at(id_in(TWO)):
            assert routing.current() == TWO
        assert routing.current() == ONE
        with routing.at_place(None):
            assert routing.current() is None
    assert routing.current() is None


def test_a_task_has_the_place_of_the_one_that_began_it_and_a_thread_has_none():
    async def nested() -> list[object]:
        async def look() -> object:
            await asyncio.sleep(0)
            return routing.current()

        async def enter(place: object) -> object:
            with routing.at_place(place):
                return await look()

        with routing.at_place(ONE):
            return list(await asyncio.gather(enter(TWO), look(), enter(None)))

    found: list[object] = []
    assert asyncio.run(nested()) == [TWO, ONE, None]
    with routing.at_place(ONE):
        thread = threading.Thread(target=lambda: found.append(routing.current()))
        thread.start()
        thread.join()
    assert found == [None]


@pytest.mark.django_db
def test_rows_are_counted_over_all_places():
    fill()

    assert routing.count_everywhere(Pulse.objects.all()) == 2
    with routing.at_place(TWO):
        assert routing.count_everywhere(Pulse.objects.filter(part=ONE.schema)) == 1
