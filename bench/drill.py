"""A drill on two PostgreSQL servers (ADR 134): a place moves to the other one while games go on, that server is away
and comes back, it is lost and brought back from its backup, and the place moves home.

    python bench/drill.py          (`make drill`; some four minutes)

Whatever is answered otherwise than it should be ends the drill; at its end every chain of every game is whole. It is no
part of `make bench`.
"""

import http.client
import os
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.clients import Tally
from bench.figures import Figure, missed_aims, percentile, table
from bench.ground import Crowd, Ground, bearer, ground, paths, rate
from bench.places import longest, manage, place_of
from tools.with_services import HOST, await_port, own_postgres, program

GAMES, PLACES = 48, 4
OTHER, PLACE = "east", 2
ROUNDS, SECONDS = 3, 3.0
MOVING_SECONDS, BEGINS_AFTER_SECONDS = 60.0, 2.0
BACK_SECONDS = 10.0
DUMP = ["pg_dump", "-Fc"]


@dataclass(frozen=True)
class Drill:
    """What takes part: the service at home, the other server, and a door."""

    on: Ground
    database: str
    there: Ground
    """The other server, whose database is called as itself."""
    port: int

    def crowd(self, stack: ExitStack, *, is_there: bool, connections: int, seconds: float) -> Crowd:
        """Clients of the games of the place that moves, or of all others."""
        values = self.on.prepared_contents
        pairs = [
            (game, city)
            for game, city in zip(values["games"], values["cities"], strict=True)
            if (place_of(game, PLACES) == PLACE) == is_there
        ]
        share = {
            "port": self.port,
            "paths": paths([game for game, _ in pairs], "commands/name-place/?as=gm"),
            "bodies": [f'{{"kind": "city", "subject": "{city}", "name": "City @"}}' for _, city in pairs],
        }
        asked = {"connections": connections, "seconds": seconds, "method": "POST"}
        asked["headers"] = bearer(values["gm"]) | {"Idempotency-Key": "@"}
        return Crowd(stack, "http", asked, processes=1, shares=[share])

    def manage(self, *command: str) -> None:
        """Let a management command run. Raises RuntimeError where it fails."""
        manage(self.on, self.database, *command)

    def status_of_log_in(self) -> int:
        """What the door answers somebody who asks who they are."""
        asked = http.client.HTTPConnection(HOST, self.port, timeout=10)
        asked.request("GET", "/api/v1/me/", headers=bearer(self.on.prepared_contents["gm"]))
        return asked.getresponse().status


def measure(drill: Drill, stack: ExitStack) -> list[Figure]:
    """The figures, in the order in which things happen."""
    there = drill.crowd(stack, is_there=True, connections=8, seconds=SECONDS)
    others = drill.crowd(stack, is_there=False, connections=8, seconds=SECONDS)
    at_home = [rate(there.round(), "201") for _ in range(ROUNDS + 1)][1:]
    found = [moving(drill, stack, OTHER)]
    elsewhere = [rate(there.round(), "201") for _ in range(ROUNDS + 1)][1:]
    found.append(
        Figure(
            "commands of its games, over there",
            f"{statistics.median(elsewhere):.0f}/s",
            f"{statistics.median(at_home):.0f}/s at home",
            statistics.median(elsewhere) / statistics.median(at_home),
        )
    )
    found.append(absence(drill, drill.there, there, others))
    found.append(Figure("until they go on, once it is back", f"{until_answered(there):.1f} s"))
    found.append(restoration(drill, there))
    found.append(moving(drill, stack, "home"))
    rate(there.round(), "201")
    check(drill)
    return found


def absence(drill: Drill, server: Ground, there: Crowd, others: Crowd) -> Figure:
    """The server of the place is away: its games are refused with 503, all others are played, people log in."""
    with away(server):
        refused = there.round()
        if set(refused.answers) != {"503"} or drill.status_of_log_in() != 200:
            raise RuntimeError(f"its server is away: {dict(refused.answers)}, log-in {drill.status_of_log_in()}")
        tally = others.round()
        rate(tally, "201")
    return longest(
        "its server is away: the games of other places",
        tally.ms,
        f"its own: 503 after p50 {percentile(refused.ms, 50):.0f}, longest {max(refused.ms):.0f} ms",
    )


def moving(drill: Drill, stack: ExitStack, to: str) -> Figure:
    """The place moves while its games and all others are played."""
    own, others, seconds = while_playing(drill, stack, lambda: drill.manage("places", "relocate", str(PLACE), to))
    rate(others, "201")
    if not set(own.answers) <= {"201", "503"}:
        raise RuntimeError(f"to {to}: answers {dict(own.answers)}")
    return longest(
        f"a place of {PLACES} moves to {to if to == 'home' else 'another server'} while {GAMES} games go on",
        others.ms,
        f"the move took {seconds:.1f} s, in most of which its own games answer 503",
        who="the others: ",
    )


def while_playing(drill: Drill, stack: ExitStack, move: Callable[[], object]) -> tuple[Tally, Tally, float]:
    """Let a place move in the middle of a round: its games, all others, and how many seconds it took.

    Raises RuntimeError where it has not moved.
    """
    took: list[float] = []

    def take_time() -> None:
        time.sleep(BEGINS_AFTER_SECONDS)
        begun = time.monotonic()
        move()
        took.append(time.monotonic() - begun)

    rounds: dict[bool, Tally] = {}
    crowds = {
        is_there: drill.crowd(stack, is_there=is_there, connections=4, seconds=MOVING_SECONDS)
        for is_there in (True, False)
    }
    threads = [Thread(target=take_time)]
    threads += [Thread(target=lambda which=which: rounds.update({which: crowds[which].round()})) for which in crowds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if not took:
        raise RuntimeError("the place has not moved; why stands above")
    return rounds[True], rounds[False], took[0]


@contextmanager
def away(server: Ground) -> Iterator[None]:
    """The server is stopped for the length of the block, and started again on the same files."""
    ((data,),) = server.administer("SHOW data_directory")
    words = shlex.split((Path(data) / "postmaster.opts").read_text())
    control = program("pg_ctl", "/usr/lib/postgresql/*/bin/pg_ctl")
    user = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
    ending = [control, "-D", data, "-m", "fast", "stop"]
    subprocess.run(ending, check=True, stdout=subprocess.DEVNULL, cwd=data, **user)  # type: ignore[call-overload]
    try:
        yield
    finally:
        log = Path(data) / "again.log"
        with log.open("wb") as output:
            process = subprocess.Popen(  # type: ignore[call-overload]
                words, stdout=output, stderr=output, cwd=data, process_group=0, **user
            )
        server.stack.callback(process.terminate)
        await_port(server.postgres, process, log)


def until_answered(crowd: Crowd) -> float:
    """How long a server that is back is still taken to be away."""
    begun = time.monotonic()
    while set((tally := crowd.round()).answers) != {"201"}:
        if time.monotonic() - begun > BACK_SECONDS + SECONDS:
            raise RuntimeError(f"the server is back, and not asked: {dict(tally.answers)}")
    return max(0.0, time.monotonic() - begun - tally.seconds)


def restoration(drill: Drill, crowd: Crowd) -> Figure:
    """The database over there is lost, and made anew from its backup."""
    server = at_server(drill.there)
    dump = drill.on.folder / "place.dump"
    subprocess.run([*DUMP, *server, "-f", str(dump), OTHER], check=True)
    begun = time.monotonic()
    drill.there.administer(f"DROP DATABASE {OTHER} WITH (FORCE)")
    drill.there.administer(f"CREATE DATABASE {OTHER}")
    subprocess.run(["pg_restore", *server, "-d", OTHER, "--exit-on-error", str(dump)], check=True)
    took = time.monotonic() - begun
    until_answered(crowd)
    return Figure("its server is restored from its backup", f"{took:.1f} s", f"{dump.stat().st_size / 1e6:.1f} MB")


def at_server(server: Ground) -> list[str]:
    """Where PostgreSQL's own programs find a server."""
    return ["-h", HOST, "-p", str(server.postgres), "-U", "postgres"]


def check(drill: Drill) -> None:
    """Each row lies where it should, each card is as its row, each chain of events is whole. Raises RuntimeError."""
    for command in (("places", "check"), ("cards", "--check"), ("replay", "--all")):
        drill.manage(*command)


def main() -> None:
    """Do it, print, and exit with status 1 and the figures that miss their aim, where there are any."""
    with ground(GAMES) as first:
        there = replace(first, postgres=own_postgres(first.stack, durable=True))
        there.administer(f"CREATE DATABASE {OTHER}")
        on = replace(first, places=PLACES, servers=f"{OTHER}={there.url(OTHER)}")
        database = on.copy()
        drill = Drill(on, database, there, on.door(first.stack, database))
        figures = measure(drill, first.stack)
        print(table(figures))
    if late := missed_aims(figures):
        sys.exit("\n".join(["Missed:", *late]))


if __name__ == "__main__":
    main()
