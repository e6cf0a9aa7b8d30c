"""Screens: three hundred of them open at the embedded service, one process, while a century of the demo event passes.

Each follows the stream and asks for its moving part after each event, as a browser does; beside it one screen alone.
"""

import json
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.embedded import family, processor_seconds
from bench.embedded import start as start_service
from bench.figures import Figure, percentile
from bench.ground import ROOT, Crowd, Ground, alone, free_port
from tools.with_services import stop

SCREENS, SECONDS = 300, 75
"""So many screens, for a century of a minute and what leads over to the next."""
SETTLE_SECONDS = 5.0


def measure(on: Ground) -> list[Figure]:
    """The figures."""
    with ExitStack() as stack:
        port = free_port()
        serve = start_service(
            on,
            stack,
            demo=True,
            port=port,
            DJANGO_SETTINGS_MODULE="bench.settings",
            PROXIES="1",
            DEMO_STEP_SECONDS="60",
        )
        time.sleep(SETTLE_SECONDS)
        game = json.loads((on.folder / "embedded-demo" / "demo.json").read_text())["game"]
        order = {
            "port": port,
            "seconds": SECONDS,
            "stream": f"/api/v1/games/{game}/stream/?life=1&from=now",
            "body": f"/games/{game}/screen/body/",
            "map": f"/games/{game}/screen/map.svg",
        }
        web = web_process(serve.popen.pid)
        one, _ = hall(stack, order | {"screens": 1}, web)
        many, share = hall(stack, order | {"screens": SCREENS}, web)
    p50, p95 = percentile(many["looks"], 50), percentile(many["looks"], 95)
    alone_p50 = percentile(one["looks"], 50)
    return [
        Figure(
            f"a look of one of {SCREENS} screens while a century passes",
            f"p50 {p50:.0f}, p95 {p95:.0f}, max {max(many['looks']):.0f} ms",
            f"one screen alone p50 {alone_p50:.0f} ms; {len(many['looks'])} looks, {len(many['pictures'])} maps "
            f"(p95 {percentile(many['pictures'], 95):.0f} ms), {max(many['events'])} events to each",
            p50 / alone_p50,
        ),
        Figure(f"processor of the one process, {SCREENS} screens", f"{share:.0%}", "of one processor"),
    ]


def hall(stack: ExitStack, order: dict[str, Any], web: int) -> tuple[dict[str, Any], float]:
    """What so many screens saw, and what the process took of a processor. Raises RuntimeError where one was refused."""
    hand = subprocess.Popen(
        [sys.executable, str(ROOT / "bench/screening.py")],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    stack.callback(stop, hand, signal.SIGTERM)
    Crowd.say(hand, json.dumps(order))
    Crowd.hear(hand)
    before, begun = processor_seconds(web), time.monotonic()
    seen: dict[str, Any] = json.loads(Crowd.hear(hand))
    share = (processor_seconds(web) - before) / (time.monotonic() - begun)
    if seen["failed"] or seen["broken"]:
        raise RuntimeError(f"not every look was answered: {seen['failed']} {seen['broken']}")
    return seen, share


def web_process(supervisor: int) -> int:
    """The process that answers and streams."""
    return next(pid for pid in family(supervisor) if b"uvicorn" in Path(f"/proc/{pid}/cmdline").read_bytes())


if __name__ == "__main__":
    alone("screens", measure, games=1)
