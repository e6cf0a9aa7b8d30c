"""The end of the process, noticed early: a server waits for its open connections, and streams never end by themselves.

The server's own handler of the signal is stored and called; where there is none, nothing is noticed and the server's
time-out ends the streams.
"""

import asyncio
import signal
import threading
from collections.abc import Callable
from typing import Any

SIGNALS = (signal.SIGTERM, signal.SIGINT)
PYTHONS_OWN = (signal.SIG_DFL, signal.SIG_IGN, signal.default_int_handler, None)


def when_asked_to_end(notify: Callable[[], None]) -> None:
    """Call `notify`, from a signal handler, before the server's own handler of SIGTERM or SIGINT."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in SIGNALS:
        former: Any = signal.getsignal(number)
        if former in PYTHONS_OWN:
            continue

        def handler(got: int, frame: Any, former: Any = former) -> None:
            notify()
            former(got, frame)

        signal.signal(number, handler)


def soon(loop: asyncio.AbstractEventLoop, act: Callable[[], None]) -> None:
    """Let the loop do something, from a signal handler; a loop that is closed has nothing left to do."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(act)
