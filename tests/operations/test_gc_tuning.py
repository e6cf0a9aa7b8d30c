"""A process that has loaded everything holds up nobody to look through it again."""

import gc
from collections.abc import Iterator

import pytest

from config.process.gc_tuning import THRESHOLDS, freeze


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


def test_objects_loaded_at_start_are_frozen_for_the_collector_and_later_ones_are_not() -> None:
    class Circle:
        """Goes in circles, so only the collector finds it."""

        def __init__(self) -> None:
            self.own = self

    freeze()
    looked_at = len(gc.get_objects())
    assert gc.get_freeze_count() > 10 * looked_at
    assert gc.get_threshold() == THRESHOLDS
    Circle()
    gc.collect()
    assert not [thing for thing in gc.get_objects() if type(thing) is Circle]
