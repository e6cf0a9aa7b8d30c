"""Threads of a process on which requests wait for others' networks, so that no tick and no timer does."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from threading import BoundedSemaphore, Lock
from uuid import UUID

import structlog
from django.db import connections
from django.utils import timezone

from core.places import routing
from core.places.place import Place

PER_TURN = 32
"""What is done for each thread, where so much is due, before all slots are free for what else there is."""
EACH = 2
"""What is leased at once for each thread: to find what is due costs the more the more is due, and what waits here
behind receivers that are slow is kept from other workers."""
Take = Callable[[int], list[UUID]]
"""Leases so many at most of what is due; called from any thread."""
logger = structlog.get_logger(__name__)


def taking(place: Place | None, take: Callable[[datetime, int], list[UUID]]) -> Take:
    """Take what is due in a place at the moment of the call."""

    def take_here(most: int) -> list[UUID]:
        with routing.at_place(place):
            return take(timezone.now(), most)

    return take_here


@dataclass(slots=True)
class Batch:
    """What some threads do together: what was leased for all of them and is not begun, and where more comes from."""

    take: Take
    do: Callable[[UUID], None]
    size: int
    left: int
    """How much may still be leased."""
    waiting: deque[UUID]
    lock: Lock = field(default_factory=Lock)

    def next(self) -> UUID | None:
        """The next that is to be done; None where there is none."""
        with self.lock:
            if not self.waiting and (most := min(self.size, self.left)) > 0:
                self.waiting.extend(self.take(most))
                self.left -= most
            return self.waiting.popleft() if self.waiting else None


@dataclass(slots=True)
class Pool:
    """So many requests at once; one that is slow holds one thread, and the others go on.

    A thread that is done goes on with what is due, up to `PER_TURN` for each of them together: else a tick would be
    worth as many requests as there are threads.
    """

    name: str
    size: int
    per_turn: int = PER_TURN
    slots: BoundedSemaphore = field(init=False)
    _threads: ThreadPoolExecutor | None = None

    def __post_init__(self) -> None:
        self.slots = BoundedSemaphore(self.size)

    def begin(self, take: Take, do: Callable[[UUID], None]) -> list[Future[None]]:
        """Take what is due for the threads that are free, and begin it; each goes on with what is due then.

        do: never raises.
        """
        held, waiting = self._free_slots(), deque[UUID]()
        try:
            waiting.extend(take(EACH * held))
        finally:  # also where the database is away: else nothing would be sent until the process starts again
            threads = min(held, len(waiting))
            for _ in range(held - threads):
                self.slots.release()
        batch = Batch(take, do, EACH * held, self.per_turn * threads - len(waiting), waiting)
        return [self._executor().submit(self._work_on, batch) for _ in range(threads)]

    def _free_slots(self) -> int:
        """Take every slot that is free; how many they are."""
        count = 0
        while self.slots.acquire(blocking=False):
            count += 1
        return count

    def _executor(self) -> ThreadPoolExecutor:
        """Made by the first work, thus in the process that works and not in the one that forks it."""
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self.size, thread_name_prefix=self.name)
        return self._threads

    def _work_on(self, batch: Batch) -> None:
        try:
            while found := batch.next():  # nothing that is leased is left behind
                batch.do(found)
        except Exception:  # what is due stays so, and the next tick looks again
            logger.exception("pool_failed", pool=self.name)
        finally:
            connections.close_all()
            self.slots.release()
