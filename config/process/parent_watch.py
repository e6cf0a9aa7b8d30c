"""A process that ends when its parent does: no orphan outlives the service.

    python -m config.process PARENT_PID celery -A config worker

runs a module as `python -m` would, after tying it to its parent. On Linux the kernel holds the line (a signal at the
parent's death, whatever killed it); elsewhere a thread looks each half second who the parent is.
"""

import ctypes
import os
import runpy
import signal
import sys
import threading
import time

PR_SET_PDEATHSIG = 1
WATCH_SECONDS = 0.5


def _signal_at_parents_death() -> bool:
    if not sys.platform.startswith("linux"):
        return False
    status: int = ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    return status == 0


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)


def die_with_parent(parent: int | None = None) -> None:
    """Tie this process to its parent. parent: its id as the parent knew it; the present parent when None.

    Transactions make a sudden end safe: what was not committed did not happen.
    """
    parent = os.getppid() if parent is None else parent
    if not _signal_at_parents_death():
        threading.Thread(target=_watch, args=(parent,), daemon=True, name="lifeline").start()
    if os.getppid() != parent:  # it was gone before we could ask for a signal
        os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Run the module named after the parent's id, with what follows as its arguments."""
    parent, module, *arguments = sys.argv[1:]
    die_with_parent(int(parent))
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
