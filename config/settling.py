"""What a process does once it has loaded everything, before its first request."""

import gc

THRESHOLDS = (10_000, 20, 20)


def settle() -> None:
    """Take what is loaded out of the garbage collector's sight, and let it look less often.

    None of that is ever given back, and to look through it, or through thousands of open streams, holds up a process
    for a quarter of a second and more. What goes in circles is still found: most of it young, after 10,000 new objects.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
