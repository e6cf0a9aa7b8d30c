"""Reads beside a bare view: what the service adds to what Django itself needs for one query by key.

The bare view (`bench/urls.py`) stands behind the same server and the same middleware. Rounds take turns. A cold read is
the first after something has happened in the game; it is timed one by one, on one connection.
"""

import http.client
import json
import statistics
import sys
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.figures import Figure, ratio_of_pairs
from bench.ground import HOST, Crowd, Ground, alone, bearer, paths, rate

CONNECTIONS = 8
ROUNDS, SECONDS = 5, 1.0
COLD_ROUNDS = 60
UNTIL_WARM = 60  # rounds after which every thread of every process has asked everything once
ROWS = 50
LIST = """query List($world: UUID!) { world(id: $world) {
    id squares(first: 50) { edges { node { x y terrain } } } } }"""
DEEP = """query Peoples($world: UUID!) { world(id: $world) { races(first: 20) { edges { node { name colour extinct
    cities(first: 5) { edges { node { name square { x y } } } } presences(first: 10) { edges { node { units } } }
    pantheons(first: 10) { edges { node { share deity { name } } } } } } } } }"""
PARTS = ("races", "cities", "presences", "pantheons", "deities")
HALF, ALMOST = 0.5, 0.85
OPERATION = "an operation is parsed, priced and paid before it begins, and its rows are objects"
REQUEST = "Django REST framework's own way through a request, and one trip to Redis for its budget"


def measure(on: Ground) -> list[Figure]:
    """The figures."""
    found = on.prepared_contents
    with ExitStack() as stack:
        port = on.web(stack, on.copy())
        return [*warm(stack, found, port), cold(found, port)]


def requests(values: dict[str, Any], port: int) -> dict[str, dict[str, Any]]:
    """What is asked, by name; how each is answered is checked before it is measured."""
    game, world, headers = values["games"][0], values["worlds"][0], bearer(values["gm"])
    state = paths([game], "state/")
    squares = f"/api/v1/worlds/{world}/squares/?limit={ROWS}"
    tag = answer(port, "GET", state[0], headers)[1]["etag"]
    query = json.dumps({"query": LIST, "variables": {"world": world}})
    rows, listed = answer(port, "GET", squares, headers)[2], answer(port, "POST", "/graphql/", headers, query)[2]
    deep = json.dumps({"query": DEEP, "variables": {"world": world}})
    if not answer(port, "POST", "/graphql/", headers, deep)[2]["data"]["world"]["races"]["edges"]:
        raise RuntimeError("a world without peoples would measure nothing")
    if len(rows["results"]) != ROWS or len(listed["data"]["world"]["squares"]["edges"]) != ROWS:
        raise RuntimeError(f"a list of {ROWS} was asked, other lengths came")
    return {
        "bare": {"paths": [f"/bare/{game}/"], "headers": {}},
        "state": {"paths": state, "headers": headers},
        "unchanged": {"paths": state, "headers": headers | {"If-None-Match": tag}, "status": "304"},
        "rest": {"paths": [squares], "headers": headers},
        "graphql": {"paths": ["/graphql/"], "headers": headers, "method": "POST", "bodies": [query]},
        "graph": {"paths": ["/graphql/"], "headers": headers, "method": "POST", "bodies": [deep]},
        "parts": {"paths": [f"/api/v1/worlds/{world}/{part}/?limit=100" for part in PARTS], "headers": headers},
    }


def warm(stack: ExitStack, values: dict[str, Any], port: int) -> list[Figure]:
    """Answers a second, in turns."""
    wanted = requests(values, port)
    order = {"port": port, "connections": CONNECTIONS, "seconds": SECONDS}
    crowds = {name: Crowd(stack, "http", order | each, processes=1) for name, each in wanted.items()}
    rates: dict[str, list[float]] = {name: [] for name in crowds}
    for turn in range(ROUNDS + 1):
        for name, crowd in crowds.items():
            per_second = rate(crowd.round(), wanted[name].get("status", "200"))
            if turn:  # the first is for warming up
                rates[name].append(per_second / (len(PARTS) if name == "parts" else 1))

    def beside(what: str, name: str, other: str, aim: float | None, reason: str = "") -> Figure:
        other_answer = {"bare": "bare view", "rest": "REST", "parts": f"REST, {len(PARTS)} lists,"}[other]
        return Figure(
            what,
            f"{statistics.median(rates[name]):.0f}/s",
            f"{other_answer} {statistics.median(rates[other]):.0f}/s",
            ratio_of_pairs(rates[name], rates[other]),
            aim=aim,
            reason=reason,
        )

    return [
        beside("state of a game, warm", "state", "bare", HALF, REQUEST),
        beside("304: nothing has happened", "unchanged", "bare", ALMOST, REQUEST),
        beside(
            f"list of {ROWS} rows (squares), REST",
            "rest",
            "bare",
            HALF,
            f"{REQUEST}; then {ROWS} rows are written as JSON",
        ),
        beside("the same list in GraphQL, beside the bare view", "graphql", "bare", None),
        beside("the same list in GraphQL, beside REST", "graphql", "rest", HALF, OPERATION),
        beside("peoples, cities, units and gods of a world in one query of the graph", "graph", "parts", None),
    ]


def cold(values: dict[str, Any], port: int) -> Figure:
    """The state right after something has happened."""
    game, headers = values["games"][0], bearer(values["gm"])
    ours, bare = [], []
    for turn in range(UNTIL_WARM + COLD_ROUNDS):
        body = json.dumps({"kind": "city", "subject": values["cities"][0], "name": f"Cold {turn}"})
        answer(port, "POST", paths([game], "commands/name-place/?as=gm")[0], headers, body)
        begun = time.perf_counter()
        answer(port, "GET", paths([game], "state/")[0], headers)
        between = time.perf_counter()
        answer(port, "GET", f"/bare/{game}/", {})
        ours.append((between - begun) * 1000)
        bare.append((time.perf_counter() - between) * 1000)
    return Figure(
        "state of a game, cold (right after a command)",
        f"{statistics.median(ours[UNTIL_WARM:]):.1f} ms",
        f"bare view {statistics.median(bare[UNTIL_WARM:]):.1f} ms",
        ratio_of_pairs(bare[UNTIL_WARM:], ours[UNTIL_WARM:]),
        aim=HALF,
        reason="the first reader after an event reads the tables that it touched, as they may be seen, and who asks",
    )


def answer(
    port: int, method: str, path: str, headers: dict[str, str], body: str | None = None
) -> tuple[int, dict[str, str], Any]:
    """One request on a connection of its own. Raises unless it is granted."""
    with closing(http.client.HTTPConnection(HOST, port, timeout=30)) as line:
        line.request(method, path, body, headers | ({"Content-Type": "application/json"} if body else {}))
        got = line.getresponse()
        content = got.read()
        if got.status not in (200, 201):
            raise RuntimeError(f"{method} {path}: {got.status} {content[:300]!r}")
        return got.status, {name.lower(): value for name, value in got.getheaders()}, json.loads(content)


if __name__ == "__main__":
    alone("reads", measure, games=1)
