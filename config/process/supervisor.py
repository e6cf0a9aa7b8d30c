"""Keeps the single-machine service together: web, worker and beat as children of one process.

Each child leads a process group of its own, so a Ctrl-C reaches the supervisor alone and the order of the end is ours:
SIGTERM, a while, SIGKILL, by the ids of the processes it started. A child that dies is started again; a child whose
supervisor dies ends itself (config.process.parent_watch). Knows nothing of games.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

LOOK_SECONDS = 0.1
GRACE_SECONDS = 6.0
STEADY_SECONDS = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 10.0
MAX_START_FAILURES = 5
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class Service:
    """One child: what it is called, the Python module it runs and its arguments, variables beside ours."""

    name: str
    module: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)

    def argv(self) -> list[str]:
        """The command line, tied to this very process."""
        return [sys.executable, "-m", "config.process", str(os.getpid()), self.module, *self.arguments]


@dataclass(slots=True)
class Child:
    """A service as it runs now: its process, and how it has fared."""

    service: Service
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    start_at: float = 0.0
    falls: int = 0

    def start(self, now: float) -> None:
        """Start it, as the leader of a process group of its own."""
        environment = {**os.environ, **self.service.environment}
        self.process = subprocess.Popen(self.service.argv(), env=environment, stdin=subprocess.DEVNULL, process_group=0)
        self.started = now

    def look(self, now: float) -> int | None:
        """Start it when it is due; its exit status when it has fallen since the last look, else None."""
        if self.process is None:
            if now >= self.start_at:
                self.start(now)
            return None
        status = self.process.poll()
        if status is None:
            if self.falls and now - self.started >= STEADY_SECONDS:
                self.falls = 0
            return None
        self.kill()  # what it left behind in its group
        self.process = None
        self.start_at = now + min(LONGEST_PAUSE, FIRST_PAUSE * 2**self.falls)
        self.falls += 1
        return status

    def status(self) -> int | None:
        """Its exit status; None while it runs, and before it is started."""
        return self.process.poll() if self.process else None

    def ask(self) -> None:
        """Ask it to end (SIGTERM, to the child alone: it ends what it started)."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.terminate()

    def kill(self) -> None:
        """End it and whatever it left in its group (SIGKILL); a group that is gone is no error."""
        if self.process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)


class Supervisor:
    """Runs services until it is ordered to end, or until one cannot be kept up.

    first: what must have ended well before they are started; it is not started again.
    """

    def __init__(self, services: Sequence[Service], say: Callable[[str], None], first: Service | None = None) -> None:
        self.children = [Child(service) for service in services]
        self.first = Child(first) if first else None
        self.say = say
        self.ending = False

    def end(self, *_: object) -> None:
        """Ask for the end; the loop does it."""
        self.ending = True

    def run(self, ready: Callable[[], bool], banner: Callable[[], None]) -> int:
        """Keep every service up; returns the exit status: 0 when ordered to end, 1 when a service cannot be kept up.

        The same 1 when what comes first has failed; it has reported the cause itself.

        ready: asked until it says yes, then `banner` is called once. Must be called in the main thread: the children
        are tied to the thread that starts them.
        """
        former = {number: signal.signal(number, self.end) for number in ENDING}
        try:
            return self._keep(ready, banner) if self._prepare() else 1
        finally:
            self._finish()
            for number, handler in former.items():
                signal.signal(number, handler)

    def _prepare(self) -> bool:
        """Run what comes first to its end; whether it went well. When ordered to end meanwhile, it is ended."""
        if self.first is None:
            return True
        self.first.start(time.monotonic())
        while not self.ending and (status := self.first.status()) is None:
            time.sleep(LOOK_SECONDS)
        if self.ending or status == 0:
            return True
        self.say(f"{self.first.service.name} ended ({status}); nothing is started.")
        return False

    def _keep(self, ready: Callable[[], bool], banner: Callable[[], None]) -> int:
        announced = False
        if self.children and not self.ending:
            self.say(f"Starting {', '.join(child.service.name for child in self.children)} ...")
        while not self.ending:
            now = time.monotonic()
            for child in self.children:
                status = child.look(now)
                if status is None:
                    continue
                if child.falls >= MAX_START_FAILURES and not announced:
                    self.say(f"{child.service.name} ended {child.falls} times before it was ready; giving up.")
                    return 1
                self.say(f"{child.service.name} ended ({status}); starting it again.")
            if not announced and ready():
                announced = True
                banner()
            time.sleep(LOOK_SECONDS)
        return 0

    def _finish(self) -> None:
        """End every child: SIGTERM, at most GRACE_SECONDS, SIGKILL; wait until each is gone."""
        children = [child for child in (self.first, *self.children) if child is not None]
        for child in children:
            child.ask()
        deadline = time.monotonic() + GRACE_SECONDS
        for child in children:
            if child.process is None:
                continue
            with suppress(subprocess.TimeoutExpired):
                child.process.wait(max(0.0, deadline - time.monotonic()))
            child.kill()
            child.process.wait()
