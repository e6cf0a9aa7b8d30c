"""A drill on Citus: a coordinator and two workers, with the places of the service as distributed schemas. A place moves
to the other worker while games go on, a worker is away, the coordinator is away, a place is lost and restored.

    python bench/drill_citus.py          (`make drill-citus`; some four minutes)

Where PostgreSQL has no Citus it says so and ends. It is then not tried: `make drill` tries the same with plain servers.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.drill import (
    DUMP,
    GAMES,
    PLACE,
    PLACES,
    ROUNDS,
    SECONDS,
    Drill,
    absence,
    at_server,
    away,
    check,
    until_answered,
    while_playing,
)  # fmt: skip
from bench.figures import Figure, missed_aims, table
from bench.ground import Crowd, Ground, ground, rate
from bench.places import longest
from core.places.place import schema_name
from tools.with_services import HOST, own_postgres

WITHOUT_CITUS = """
Skipped: this PostgreSQL has no extension citus. What was not tried is a drill on Citus; on plain servers: make drill.
"""
SCHEMA = schema_name(PLACE)
SETTINGS = {"shared_preload_libraries": "citus", "wal_level": "logical"}
OF_A_DATABASE = {"citus.enable_schema_based_sharding": "on", "citus.enable_unsafe_triggers": "on"}
"""Tables made in a distributed schema lie with the others; triggers of their rows write beside them (ADR 116)."""


@dataclass(frozen=True)
class Cluster:
    """A database of the service at its coordinator, and the servers that have its places."""

    coordinator: Ground
    workers: Sequence[Ground]
    database: str

    @classmethod
    def create(cls, on: Ground) -> "Cluster":
        """Spread the places of a prepared database over two workers; the coordinator keeps the rest."""
        database = on.copy()
        workers = [replace(on, postgres=own_postgres(on.stack, durable=True)) for _ in range(2)]
        for worker in workers:
            worker.administer(f"CREATE DATABASE {database}")
        cluster = cls(on, workers, database)
        for server in (on, *workers):
            for name, value in SETTINGS.items():
                server.administer(f"ALTER SYSTEM SET {name} = '{value}'")
            with away(server):
                pass
            for name, value in OF_A_DATABASE.items():
                server.administer(f"ALTER DATABASE {database} SET {name} = '{value}'")
            server.administer("CREATE EXTENSION citus", database)
        cluster.ask(f"SELECT citus_set_coordinator_host('{HOST}', {on.postgres})")
        for worker in workers:
            cluster.ask(f"SELECT citus_add_node('{HOST}', {worker.postgres})")
        for place in range(1, PLACES + 1):
            cluster.ask(f"SELECT citus_schema_distribute('{schema_name(place)}')")
        return cluster

    def ask(self, statement: str) -> list[tuple[object, ...]]:
        """A statement at the coordinator."""
        return self.coordinator.administer(statement, self.database)

    def worker(self) -> Ground:
        """The one that has the place."""
        ((port,),) = self.ask(
            "SELECT DISTINCT nodeport FROM citus_shards "
            f"JOIN pg_class ON pg_class.oid = table_name WHERE relnamespace = '{SCHEMA}'::regnamespace"
        )
        return next(worker for worker in self.workers if worker.postgres == port)

    def other(self) -> Ground:
        """The one that has it not."""
        mine = self.worker()
        return next(worker for worker in self.workers if worker is not mine)


def measure(drill: Drill, cluster: Cluster, stack: ExitStack) -> list[Figure]:
    """The figures, in the order in which things happen."""
    there = drill.crowd(stack, is_there=True, connections=8, seconds=SECONDS)
    others = drill.crowd(stack, is_there=False, connections=8, seconds=SECONDS)
    rates = [rate(there.round(), "201") for _ in range(ROUNDS + 1)][1:]
    return [
        Figure("commands of its games, by the coordinator", f"{statistics.median(rates):.0f}/s"),
        moving(drill, cluster, stack),
        absence(drill, cluster.worker(), there, others),
        Figure("until they go on, once it is back", f"{until_answered(there):.1f} s"),
        coordinator_away(cluster, there, others),
        restoration(drill, cluster, there),
    ]


def moving(drill: Drill, cluster: Cluster, stack: ExitStack) -> Figure:
    """The place moves to the other worker; nobody is refused."""
    target = cluster.other()
    move = f"SELECT citus_schema_move('{SCHEMA}', '{HOST}', {target.postgres})"
    own, others, seconds = while_playing(drill, stack, lambda: cluster.ask(move))
    for tally in (own, others):
        rate(tally, "201")
    if cluster.worker() is not target:
        raise RuntimeError(f"{SCHEMA} lies where it lay")
    return longest(
        f"a place of {PLACES} moves to the other worker while {GAMES} games go on",
        [*own.ms, *others.ms],
        f"the move took {seconds:.1f} s",
    )


def coordinator_away(cluster: Cluster, there: Crowd, others: Crowd) -> Figure:
    """Without the coordinator everything waits, and goes on once it is back."""
    with away(cluster.coordinator):
        for crowd in (there, others):
            if set((tally := crowd.round()).answers) != {"503"}:
                raise RuntimeError(f"the coordinator is away: {dict(tally.answers)}")
    seconds = max(until_answered(there), until_answered(others))
    return Figure("until all go on, once the coordinator is back", f"{seconds:.1f} s")


def restoration(drill: Drill, cluster: Cluster, there: Crowd) -> Figure:
    """The place is lost, and made anew from its backup."""
    server, dump = at_server(cluster.coordinator), drill.on.folder / "schema.dump"
    subprocess.run([*DUMP, *server, "-n", SCHEMA, "-f", str(dump), cluster.database], check=True)
    begun = time.monotonic()
    cluster.ask(f"DROP SCHEMA {SCHEMA} CASCADE")
    subprocess.run(["pg_restore", *server, "-d", cluster.database, "--exit-on-error", str(dump)], check=True)
    took = time.monotonic() - begun
    until_answered(there)
    return Figure("a place is restored from its backup", f"{took:.1f} s", f"{dump.stat().st_size / 1e6:.1f} MB")


def main() -> None:
    """Do it, print, and exit with status 1 and the figures that miss their aim, where there are any."""
    with ground(GAMES) as first:
        if not first.administer("SELECT 1 FROM pg_available_extensions WHERE name = 'citus'"):
            print(WITHOUT_CITUS.strip())
            return
        on = replace(first, places=PLACES)
        cluster = Cluster.create(on)
        drill = Drill(on, cluster.database, cluster.workers[0], on.door(first.stack, cluster.database))
        figures = measure(drill, cluster, first.stack)
        check(drill)
        print(table(figures))
    if late := missed_aims(figures):
        sys.exit("\n".join(["Missed:", *late]))


if __name__ == "__main__":
    main()
