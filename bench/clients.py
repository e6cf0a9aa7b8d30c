"""Load from outside: a process that asks over persistent connections, or commits to PostgreSQL by itself.

    python bench/clients.py http|postgres        (the order as one JSON line on standard input)

It says `ready`, then for each line it reads it works for so many seconds and answers with a tally as one JSON line. The
same protocol for both, so that the rounds of the one and the other can take turns.
"""

import asyncio
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import psycopg

UNIQUE = "@"
HEARD_SECONDS = 0.01
"""Before a round: what servers have said since the last one is read."""


@dataclass
class Tally:
    """What one round brought: how many of which answer, how long each took, how long the round was."""

    answers: Counter[str] = field(default_factory=Counter)
    ms: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, answer: str, begun: float) -> None:
        """One more."""
        self.answers[answer] += 1
        self.ms.append(round((time.perf_counter() - begun) * 1000, 2))


class Line:
    """One persistent connection: what HTTP/1.1 needs and no more, since a client's work is taken from the server's."""

    def __init__(self, order: dict[str, Any], place: int, numbers: "count[int]") -> None:
        self.order, self.numbers, self.turns = order, numbers, count(place)
        self.bodies = order.get("bodies") or [""]

    async def open(self) -> None:
        """Connect."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.order["port"])

    async def open_again(self) -> None:
        """Connect anew, where the server has closed what was idle for long."""
        if self.reader.at_eof():
            self.writer.close()
            await self.open()

    def request(self) -> bytes:
        """The next request; `@` in its body and headers stands for a number that is used once."""
        number, turn = f"{self.order['name']}{next(self.numbers)}", next(self.turns)
        body = self.bodies[turn % len(self.bodies)].replace(UNIQUE, number).encode()
        method, paths = self.order.get("method", "GET"), self.order["paths"]
        lines = [f"{method} {paths[turn % len(paths)]} HTTP/1.1", "Host: localhost"]
        lines += [f"{name}: {value.replace(UNIQUE, number)}" for name, value in self.order["headers"].items()]
        if body or method == "POST":
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        return "\r\n".join([*lines, "", ""]).encode() + body

    async def ask(self) -> str:
        """One request and its whole answer; the status."""
        self.writer.write(self.request())
        head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        status = head[9:12].decode()
        if status not in ("204", "304"):
            start = head.index(b"content-length:") + len(b"content-length:")
            await self.reader.readexactly(int(head[start : head.index(b"\r\n", start)]))
        return status

    async def work(self, until: float, tally: Tally) -> None:
        """Ask again and again."""
        while (begun := time.perf_counter()) < until:
            tally.add(await self.ask(), begun)


def asking(order: dict[str, Any]) -> Callable[[], Tally]:
    """Rounds of requests."""
    loop, numbers = asyncio.new_event_loop(), count()
    lines = [Line(order, place, numbers) for place in range(order["connections"])]

    async def open_lines() -> None:
        await asyncio.gather(*(line.open() for line in lines))

    async def together() -> Tally:
        await asyncio.sleep(HEARD_SECONDS)
        await asyncio.gather(*(line.open_again() for line in lines))
        tally, begun = Tally(), time.perf_counter()
        await asyncio.gather(*(line.work(begun + order["seconds"], tally) for line in lines))
        tally.seconds = time.perf_counter() - begun
        return tally

    loop.run_until_complete(open_lines())
    return lambda: loop.run_until_complete(together())


def committing(order: dict[str, Any]) -> Callable[[], Tally]:
    """Rounds of transactions: one UPDATE and one INSERT each, as a game's row and its log would need at the least."""
    sessions = [psycopg.connect(order["url"]) for _ in range(order["connections"])]
    for session in sessions:
        session.prepare_threshold = 1

    def work(session: "psycopg.Connection[Any]", place: int, until: float, tally: Tally) -> None:
        games: int = order["games"]
        for turn in count(place):
            if (begun := time.perf_counter()) >= until:
                return
            game = turn % games
            with session.transaction():
                row = session.execute("UPDATE beside_game SET seq = seq + 1 WHERE id = %s RETURNING seq", [game])
                seq = row.fetchone()[0]  # type: ignore[index]
                session.execute("INSERT INTO beside_event VALUES (%s, %s, %s)", [game, seq, order["body"]])
            tally.add("201", begun)

    def together() -> Tally:
        tally, begun = Tally(), time.perf_counter()
        until = begun + order["seconds"]
        hands = [threading.Thread(target=work, args=(s, i, until, tally)) for i, s in enumerate(sessions)]
        for hand in hands:
            hand.start()
        for hand in hands:
            hand.join()
        tally.seconds = time.perf_counter() - begun
        return tally

    return together


KINDS: dict[str, Callable[[dict[str, Any]], Callable[[], Tally]]] = {"http": asking, "postgres": committing}


def main() -> None:
    """Read the order, then a line for each round, until there are no more."""
    one_round = KINDS[sys.argv[1]](json.loads(sys.stdin.readline()))
    print("ready", flush=True)
    for _ in sys.stdin:
        print(json.dumps(vars(one_round())), flush=True)


if __name__ == "__main__":
    main()
