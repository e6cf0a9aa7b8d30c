"""One event of a game to ten thousand webhooks: how long until receivers have it, and what waits for it meanwhile.

One receiver, which answers at once, stands for all of them; the worker and beat are those of compose. Each message is
a row before it is posted and another write after it. A thousand timers come due while they are posted, as they do
without them. At the end each webhook has had its one message, and no other.
"""

import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import psycopg

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench import timers
from bench.figures import Figure, percentile
from bench.ground import GAMES, ROOT, Ground, alone
from tools.with_services import HOST, await_port, free_port

WEBHOOKS = int(os.environ.get("WEBHOOKS", "10000"))
PATIENCE = 240.0
AIM_PER_SECOND = 50.0
EVENT = "PlaceNamed"
"""What the webhooks are for: what timers do in the same game posts nothing."""
LATE = (
    "SELECT extract(epoch FROM d.delivered_at - e.at) FROM games_webhookdelivery d "
    "JOIN games_webhook w ON w.id = d.webhook_id "
    "JOIN games_loggedevent e ON e.game_id = w.game_id AND e.seq BETWEEN d.first_seq AND d.last_seq AND e.type = %s"
)
"""Seconds from the event until its message was taken, of each message."""
TAKEN = "SELECT count(*), count(delivered_at), max(attempts) FROM games_webhookdelivery"
"""Messages, those that were taken, and the most attempts at one."""


def measure(on: Ground) -> list[Figure]:
    """The figures."""
    database, port = on.copy(), free_port()
    with ExitStack() as stack:
        receiver = subprocess.Popen([sys.executable, str(ROOT / "bench/receiver.py"), str(port)])
        stack.callback(receiver.wait)
        stack.callback(receiver.terminate)
        await_port(port, receiver, on.folder / "receiver.log")
        on.within(database, "subscribe", str(WEBHOOKS), f"http://{HOST}:{port}/", EVENT)
        on.clock(stack, database, WEBHOOK_PRIVATE_NETS="1")
        session = stack.enter_context(psycopg.connect(on.url(database), autocommit=True))
        without = due_timers(on, database, session)
        on.within(database, "happen")
        meanwhile = due_timers(on, database, session)
        await_all(session)
        late = sorted(float(row[0]) for row in session.execute(LATE, [EVENT]).fetchall())
    return [in_figures(late), beside_timers(meanwhile, without)]


def due_timers(on: Ground, database: str, session: "psycopg.Connection[tuple[object, ...]]") -> Figure:
    """A thousand timers due at one moment; the seconds within which 99 of 100 have fired."""

    def fired_count(mark: str) -> int:
        row = session.execute(timers.COUNT.format(mark=mark)).fetchone()  # type: ignore[call-overload]
        return int(row[0]) if row else 0

    return timers.rounds(on, database, GAMES, timers.EACH, fired_count, "", 1)


def await_all(session: "psycopg.Connection[tuple[int, int, int]]") -> None:
    """Wait until each webhook has had its message. Raises RuntimeError for one without, or with two."""
    until = time.monotonic() + PATIENCE
    while (found := session.execute(TAKEN).fetchone()) and found[1] < WEBHOOKS and time.monotonic() < until:
        time.sleep(0.2)
    if found != (WEBHOOKS, WEBHOOKS, 1):
        raise RuntimeError(f"messages, taken, most attempts: {found} of {WEBHOOKS} webhooks in {PATIENCE:.0f} s")


def in_figures(late: list[float]) -> Figure:
    """How long it took until the receivers had the event."""
    rate = len(late) / late[-1]
    return Figure(
        f"one event to {WEBHOOKS} webhooks",
        f"taken after p50 {percentile(late, 50):.1f}, p99 {percentile(late, 99):.1f}, max {late[-1]:.1f} s",
        f"{rate:.0f} messages/s by a worker of two processes",
        value=rate,
        aim=AIM_PER_SECOND,
        unit="/s",
        reason="a message is two transactions and a look at the game as its owner may see it",
    )


def beside_timers(meanwhile: Figure, without: Figure) -> Figure:
    """What timers wait while messages are posted."""
    return Figure(
        "1000 timers due while they are posted",
        f"p99 {meanwhile.value or 0:.2f} s; each exactly once",
        f"without messages {without.value or 0:.2f} s",
        ratio=(meanwhile.value or 0) / (without.value or 1),
    )


if __name__ == "__main__":
    alone("subscribers", measure)
