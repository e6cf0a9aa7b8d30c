"""The embedded service, as `make run` starts it: the memory of all its processes with the demo, and what it takes idle.

Memory is what the processes hold together: pages that several share count once (PSS). Idle is the service without the
demo, whose bots play their games all the time; nobody asks anything.
"""

import os
import sys
import time
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.figures import Figure
from bench.ground import Ground, Process, alone, free_port

SETTLE_SECONDS, IDLE_SECONDS = 20.0, 30.0
AIM_MB, AIM_PERCENT = 480, 3
READY, READY_SECONDS = "Theogony is ready", 180.0


def measure(on: Ground) -> list[Figure]:
    """The figures."""
    with ExitStack() as stack:
        serve = start(on, stack, demo=True)
        time.sleep(SETTLE_SECONDS)
        parts = [kilobytes(pid) / 1024 for pid in family(serve.popen.pid)]
    with ExitStack() as stack:
        serve = start(on, stack, demo=False)
        time.sleep(SETTLE_SECONDS)
        before = processor_seconds(serve.popen.pid)
        time.sleep(IDLE_SECONDS)
        percent = 100 * (processor_seconds(serve.popen.pid) - before) / IDLE_SECONDS
    sizes = ", ".join(f"{size:.0f}" for size in sorted(parts, reverse=True))
    return [
        Figure(
            "embedded service with the demo, memory together", f"{sum(parts):.0f} MB",
            f"{len(parts)} processes: {sizes}", value=sum(parts), aim=AIM_MB, unit=" MB", most=True,
        ),
        Figure(
            "embedded service, idle: processor", f"{percent:.1f} %", "of one processor",
            value=percent, aim=AIM_PERCENT, unit=" %", most=True,
            reason="each second beat and two watchdogs look for what is due, each by statements of its own",
        ),
    ]  # fmt: skip


def start(on: Ground, stack: ExitStack, *, demo: bool, port: int = 0, **more: str) -> Process:
    """The service in a folder of its own, when it is ready. more: variables of its processes. Raises TimeoutError."""
    folder = on.folder / f"embedded-{'demo' if demo else 'idle'}"
    ours = {"DJANGO_SETTINGS_MODULE": "config.settings", "PROXIES": "0", "DEMO": str(int(demo))}
    ours |= {"DATA_DIR": str(folder), "PORT": str(port or free_port())}
    serve = on.start(stack, on.environment("", **ours | more), "manage", "serve")
    end = time.monotonic() + READY_SECONDS
    while READY not in serve.log.read_text():
        if time.monotonic() > end or serve.popen.poll() is not None:
            raise TimeoutError(f"not ready: {serve.log.read_text()[-500:]}")
        time.sleep(0.2)
    return serve


def family(pid: int) -> list[int]:
    """A process and all its descendants."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(below for child in children for below in family(int(child)))]


def kilobytes(pid: int) -> int:
    """What a process holds, shared pages by its share."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("Pss:")).split()[1])


def processor_seconds(pid: int) -> float:
    """What a process and all its descendants have taken of processors since they began."""
    fields = [Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split() for each in family(pid)]
    return sum(int(each[11]) + int(each[12]) for each in fields) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    alone("embedded", measure, games=1)
