"""A process that has loaded everything holds up nobody to look through it again."""

import gc

from config.process import gc_tuning


def test_objects_loaded_at_start_are_frozen_for_the_collector_and_later_ones_are_not() -> None:
    """What is frozen stays so for the tests that follow in this process, as `tests/conftest.py` had it before."""

    class Circle:
        """Goes in circles, so only the collector finds it."""

        def __init__(self) -> None:
            self.own = self

    gc_tuning.freeze()
    looked_at = len(gc.get_objects())
    assert gc.get_freeze_count() > 10 * looked_at
    assert gc.get_threshold() == gc_tuning.THRESHOLDS
    Circle()
    gc.collect()
    assert not [thing for thing in gc.get_objects() if type(thing) is Circle]
