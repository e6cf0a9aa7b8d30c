"""A service of a million games on this machine: their cards, twenty thousand of them live, a hundred thousand people.

    python bench/million.py [GAMES LIVE]

Rows are made by SQL from a game that the service opened. What is asked then is what the service asks: lists across
games, the sweep, a check of all cards, a slot and a place that move, a backup of a place. It takes some six minutes and
6 GB of disk, and prints a table; `docs/scaling.md` has it. It is no part of `make bench`.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.figures import Figure, table
from bench.ground import HOST, Ground, ground
from bench.places import manage

PLACES = 16
GAMES, LIVE, PEOPLE, SEATS, EVENTS = 1_000_000, 20_000, 100_000, 3, 20
DUE_EACH = 200
"""Of so many live games one is due."""
SLOTS = 4096 // PLACES
SIZE = """SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class
WHERE relkind = 'r' AND relnamespace = '{0}'::regnamespace"""
IDS = """
CREATE FUNCTION an_id(kind text, first bigint, count bigint, n bigint, k bigint DEFAULT 0) RETURNS uuid
IMMUTABLE LANGUAGE sql AS $$
    SELECT (lpad(to_hex(first + n % count), 3, '0') || kind || substr(md5(kind || n || '-' || k), 5))::uuid $$;
CREATE FUNCTION person(n bigint) RETURNS uuid IMMUTABLE LANGUAGE sql AS $$
    SELECT an_id('d', 0, 4096, 1 + n % {people}) $$
"""
"""The id of the n-th thing of a kind (a hexadecimal digit), or of the k-th of its n-th game, in one of `count` slots
from the first on; of a person."""
CARDS_OF_ALL = {
    "accounts_user": ("public", "", "'id', an_id('d', 0, 4096, n), 'username', 'person-' || n"),
    "worlds_world": (
        "cards",
        "",
        "'id', an_id('b', 0, 4096, n), 'name', 'World ' || n, 'number', n, "
        "'created_at', now() - n * interval '1 minute'",
    ),
    "games_game": (
        "cards",
        "",
        "'id', an_id('a', 0, 4096, n), 'world_id', an_id('b', 0, 4096, n), 'name', 'Game ' || n, 'status', 'finished', "
        "'waiting_for', '[]', 'opened_by_id', person(n), 'is_demo', false, "
        "'created_at', now() - n * interval '1 minute', 'public_at', now() - n * interval '1 minute'",
    ),
    "games_seat": (
        "cards",
        f", generate_series(0, {SEATS - 1}) k",
        "'id', an_id('c', 0, 4096, n, k), 'game_id', an_id('a', 0, 4096, n), 'user_id', person(n * 7 + k * 31), "
        "'name', 'Seat ' || k, 'role', CASE k WHEN 0 THEN 'host' ELSE 'player' END, 'bot', '', 'is_claimable', false",
    ),
}
"""Rows of people and of sleeping games: schema, what a row is made for besides `n`, and its values."""
OF_A_PLACE = {
    "worlds_world": ("", "'id', {world}, 'number', {first} * 10000000::bigint + n, 'name', 'Live world ' || n"),
    "games_game": (
        "",
        "'id', {game}, 'world_id', {world}, 'name', 'Live ' || n, 'is_demo', false, 'opened_by_id', person(n), "
        "'created_at', now() - n * interval '1 second'",
    ),
    "games_secret": ("", "'game_id', {game}"),
    "games_seat": (
        f", generate_series(0, {SEATS - 1}) k",
        "'id', an_id('1', {first}, {count}, n, k), 'game_id', {game}, 'user_id', person(n * 7 + k * 31), "
        "'name', 'Seat ' || k, 'role', CASE k WHEN 0 THEN 'host' ELSE 'player' END, 'bot', '', 'is_claimable', false",
    ),
    "games_timer": (
        "",
        "'id', {first} * 1000000::bigint + n, 'game_id', {game}, 'key', 'far', "
        "'due', now() + interval '30 days' + n * interval '1 second'",
    ),
    "games_loggedevent": (
        f", generate_series(1, {EVENTS}) k",
        "'id', {first} * 1000000::bigint + n * 100 + k, 'game_id', {game}, 'seq', k, 'ordinal', k, "
        "'audience', 'public', 'fallen', null",
    ),
}
"""The same of the live games of a place."""
KINDS = {"game": "e", "world": "f"}


def fill_live(on: Ground, database: str, live: int) -> None:
    """Make the rows of live games, spread over the places, without triggers: their cards are missing yet."""
    on.administer(IDS.format(people=PEOPLE), database)
    donor = next(
        f"place_{n:02}" for n in range(1, PLACES + 1) if on.administer(f"TABLE place_{n:02}.games_game", database)
    )
    for number in range(PLACES):
        named = {"first": number * SLOTS, "count": SLOTS}
        named |= {
            thing: f"an_id('{kind}', {named['first']}, {SLOTS}, n)" for thing, kind in (("game", "e"), ("world", "f"))
        }
        for name, (besides, values) in OF_A_PLACE.items():
            rows = f"generate_series(1, {live // PLACES}) n{besides}"
            make(on, database, f"place_{number + 1:02}.{name}", f"{donor}.{name}", values.format(**named), rows)
    on.administer("VACUUM ANALYZE", database)


def fill_sleeping(on: Ground, database: str, games: int) -> None:
    """Make people and the cards of sleeping games. After that `cards` would take them away, for they have no rows."""
    for name, (schema, besides, values) in CARDS_OF_ALL.items():
        count = PEOPLE if schema == "public" else games
        make(on, database, f"{schema}.{name}", f"{schema}.{name}", values, f"generate_series(1, {count}) n{besides}")
    on.administer("VACUUM ANALYZE", database)


def make(on: Ground, database: str, target: str, source: str, values: str, rows: str) -> None:
    """Make rows of a table like the first one of another, but for some values: SQL over the columns of `rows`.

    A row is made behind FROM: as `(function()).*` it would be made once for each of its columns.
    """
    on.administer(
        f"SET session_replication_role = replica; "
        f"INSERT INTO {target} OVERRIDING SYSTEM VALUE "
        f"SELECT made.* FROM (SELECT to_jsonb(t) AS first FROM {source} t LIMIT 1) t, {rows}, "
        f"jsonb_populate_record(NULL::{target}, first || jsonb_build_object({values})) made",
        database,
    )


@contextmanager
def stopwatch() -> Iterator[list[float]]:
    """How many seconds the block took."""
    took, begun = list[float](), time.perf_counter()
    yield took
    took.append(time.perf_counter() - begun)


def measure(on: Ground, games: int, live: int) -> list[Figure]:
    """The figures."""
    database = on.copy()
    manage(on, database, "cards")  # so that there is one of each kind to make the others of
    fill_live(on, database, live)
    found = list[Figure]()
    for name, command in (
        (f"the cards of {live:,} live games are missing and made", ("cards",)),
        ("the same cards compared with their rows", ("cards", "--check")),
    ):
        found.append(duration(on, database, name, command))
    with stopwatch() as took:
        fill_sleeping(on, database, games)
    print(f"sleeping games: {took[0]:.0f} s", file=sys.stderr, flush=True)
    words = [sys.executable, "bench/million_questions.py", str(DUE_EACH)]
    done = subprocess.run(words, env=on.environment(database), check=True, stdout=subprocess.PIPE, text=True)
    for name, each in json.loads(done.stdout.splitlines()[-1]).items():
        found.append(Figure(name, f"{each['ms']:.1f} ms, {each['statements']} statements", each["plan"]))
    cards, place = (float(on.administer(SIZE.format(name), database)[0][0]) for name in ("cards", "place_02"))
    every = games + live
    found += [
        Figure(f"disk: cards of {every:,} games", f"{cards / 1e6:,.0f} MB", f"{cards / every:,.0f} bytes a game"),
        Figure(f"disk: a place of {live // PLACES:,} live games, {EVENTS} events each", f"{place / 1e6:,.0f} MB"),
    ]
    for name, command in (
        ("a slot moves", ("places", "move", "100", "1")),
        ("a place moves into another, slot by slot", ("places", "move", "3", "4")),
    ):
        found.append(duration(on, database, name, command))
    kept = on.administer("SELECT count(*) FROM cards.games_game", database)[0][0]
    if kept < games:
        raise RuntimeError(f"{kept} cards of games are left, of {games} and more: what was measured is no such service")
    dump = on.folder / "place.dump"
    server = ["-h", HOST, "-p", str(on.postgres), "-U", "postgres"]
    with stopwatch() as took:
        subprocess.run(["pg_dump", *server, "-Fc", "-n", "place_02", "-f", str(dump), database], check=True)
    size = f"{dump.stat().st_size / 1e6:.0f} MB"
    return [*found, Figure("a backup of one place (`pg_dump -n place_02`)", f"{took[0]:.1f} s", size)]


def duration(on: Ground, database: str, name: str, command: Sequence[str]) -> Figure:
    """How long a command of manage.py takes, and the last line of what it says."""
    with stopwatch() as took:
        said = manage(on, database, *command)
    return Figure(f"{name} (`{' '.join(command)}`)", f"{took[0]:.1f} s", said.strip().splitlines()[-1])


def main() -> None:
    """Make, measure, print."""
    games, live = (int(each) for each in sys.argv[1:3]) if len(sys.argv) > 1 else (GAMES, LIVE)
    with ground(1) as on:
        print(table(measure(replace(on, places=PLACES), games, live)))


if __name__ == "__main__":
    main()
