"""Watchers: five thousand streams of one game in one uvicorn process, and how soon each hears of what was done; then
ten thousand in two.

The time runs from the answer to a command (granian) until its event has reached a watcher. Strangers share one
visibility and so one read of the log. With --users: a thousand streams of 250 people with an account, each with their
own.
"""

import http.client
import json
import resource
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.figures import Figure, percentile
from bench.ground import HOST, ROOT, Crowd, Ground, alone, bearer, paths
from tools.with_services import stop

WATCHERS, SIGNED_IN, PROCESSES = 5000, 1000, 2
SPARE_FILES = 200
EVENTS, PAUSE_SECONDS = 10, 1.0
LAST_SECONDS = 4.0
AIM_MS, AIM_KB = 150, 20


def measure(on: Ground) -> list[Figure]:
    """The figures: strangers, who are the most."""
    return [
        *fan_out(on, watcher_limit(WATCHERS), [], "strangers", aim=AIM_MS),
        *fan_out(on, PROCESSES * watcher_limit(WATCHERS), [], f"strangers, {PROCESSES} processes", streams=PROCESSES),
    ]


def measure_users(on: Ground) -> list[Figure]:
    """The same for fewer people, each with a visibility of their own."""
    tokens = on.prepared_contents["watchers"]
    return fan_out(on, watcher_limit(SIGNED_IN), tokens, f"{len(tokens)} users", aim=AIM_MS)


def watcher_limit(watchers: int) -> int:
    """So many, or as many as this machine lets a process open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = hard if hard != resource.RLIM_INFINITY else 2 * WATCHERS
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
    return min(watchers, (most - SPARE_FILES) // 100 * 100)


def fan_out(
    on: Ground, watchers: int, tokens: list[str], who: str, *, streams: int = 1, aim: float | None = None
) -> list[Figure]:
    """Some events to so many watchers, shared out among so many processes of streams."""
    found, database = on.prepared_contents, on.copy()
    with ExitStack() as stack:
        web, served = on.web(stack, database), [on.stream(stack, database) for _ in range(streams)]
        empty = max(process.megabytes() for process, _ in served)
        share = watchers // PROCESSES
        path = f"{paths(found['games'], 'stream/')[0]}?after={cursor_of(web, found)}"
        order = {"path": path, "tokens": tokens, "events": EVENTS, "watchers": share}
        begun = time.monotonic()
        hands = [
            start_watcher(stack, order | {"port": served[n % streams][1], "first": n * share}) for n in range(PROCESSES)
        ]
        for hand in hands:
            Crowd.hear(hand)
        opening = time.monotonic() - begun
        answered = [(post(web, found, n), time.sleep(PAUSE_SECONDS))[0] for n in range(EVENTS)]
        time.sleep(LAST_SECONDS)
        size = max(process.megabytes() for process, _ in served)
        seen = [collect(hand) for hand in hands]
    late = [
        (moment - answered[n]) * 1000
        for each in seen
        for n in range(EVENTS)
        for moment in each["seen"][n]
        if moment > 0
    ]
    missed, twice = EVENTS * share * PROCESSES - len(late), sum(each["twice"] for each in seen)
    if {status for each in seen for status in each["statuses"]} != {"200"}:
        raise RuntimeError(f"not every stream was opened: {[each['statuses'] for each in seen]}")
    p95 = percentile(late, 95)
    counted = f"{share * PROCESSES} watchers ({who})"
    return [
        Figure(
            f"an event to {counted}",
            f"p50 {percentile(late, 50):.0f}, p95 {p95:.0f}, max {max(late):.0f} ms after the answer",
            f"{EVENTS} events; missed {missed}, delivered twice {twice}; opened in {opening:.1f} s",
            value=p95 if not missed and not twice else float("inf"),
            aim=aim,
            unit=" ms",
            most=True,
        ),
        Figure(
            f"memory of a stream process, {counted}",
            f"{size:.0f} MB",
            f"without watchers {empty:.0f} MB",
            size / empty,
            value=(size - empty) * 1000 * streams / watchers,
            aim=AIM_KB if aim is not None else None,
            unit=" kB a stream",
            most=True,
            reason="two thirds of a stream's share are the server's",
        ),
    ]


def cursor_of(port: int, values: dict[str, Any]) -> str:
    """Where a newcomer stands who has read the state."""
    with closing(http.client.HTTPConnection(HOST, port, timeout=30)) as line:
        line.request("GET", paths(values["games"], "state/")[0])
        return str(json.loads(line.getresponse().read())["cursor"])


def start_watcher(stack: ExitStack, order: dict[str, Any]) -> "subprocess.Popen[str]":
    """A process that watches."""
    command = [sys.executable, str(ROOT / "bench/watching.py")]
    hand = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    stack.callback(stop, hand, signal.SIGTERM)
    Crowd.say(hand, json.dumps(order))
    return hand


def collect(hand: "subprocess.Popen[str]") -> dict[str, Any]:
    """What a process saw."""
    Crowd.say(hand, "tell")
    seen: dict[str, Any] = json.loads(Crowd.hear(hand))
    return seen


def post(port: int, values: dict[str, Any], number: int) -> float:
    """Do something; the moment of the answer."""
    body = json.dumps({"kind": "city", "subject": values["cities"][0], "name": f"Event {number}"})
    with closing(http.client.HTTPConnection(HOST, port, timeout=30)) as line:
        path = paths(values["games"], "commands/name-place/?as=gm")[0]
        line.request("POST", path, body, bearer(values["gm"]) | {"Content-Type": "application/json"})
        got = line.getresponse()
        moment, content = time.monotonic(), got.read()
        if got.status != 201:
            raise RuntimeError(f"{got.status} {content[:300]!r}")
        return moment


if __name__ == "__main__":
    alone("watchers", measure_users if "--users" in sys.argv[1:] else measure, games=1)
