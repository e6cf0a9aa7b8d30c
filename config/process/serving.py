"""`python -m config.process.serving PLAN`: the process that keeps the single-machine service up.

`manage.py serve` has read the settings, holds the lock of the data folder, and becomes this process: what only
supervises needs neither settings nor Django, and stays a tenth as large.
"""

import http.client
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NoReturn

from config.process.supervisor import Service, Supervisor

HOST = "127.0.0.1"
ASK_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be kept up, and what is said of it. demo: the file that lists the demo's games; "" without one."""

    port: int
    data: str
    demo: str
    first: Service
    services: Sequence[Service]


def become(plan: Plan, *inherited: int) -> NoReturn:
    """Replace this process by the one that keeps the plan. inherited: file descriptors that stay open."""
    for descriptor in inherited:
        os.set_inheritable(descriptor, True)
    os.execv(sys.executable, [sys.executable, "-m", __name__, json.dumps(asdict(plan))])


def plan_of(text: str) -> Plan:
    """The plan as `become` wrote it."""
    values = json.loads(text)
    services = [Service(**service) for service in values.pop("services")]
    return Plan(first=Service(**values.pop("first")), services=services, **values)


def say(sentence: str) -> None:
    """A line on the terminal."""
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


def answers(port: int) -> bool:
    """Does /livez answer?"""
    connection = http.client.HTTPConnection(HOST, port, timeout=ASK_SECONDS)
    try:
        connection.request("GET", "/livez")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def banner(plan: Plan) -> str:
    """What is printed when everything is up: where it is, who may enter, what to try."""
    base = f"http://{HOST}:{plan.port}"
    lines = [
        ("Theogony is ready", f"{base}/"),
        ("REST API, documented", f"{base}/api/docs/"),
        ("GraphQL, to try out", f"{base}/graphql/"),
        ("Admin", f"{base}/admin/"),
        ("Data", plan.data),
    ]
    if plan.demo and Path(plan.demo).exists():
        listing = json.loads(Path(plan.demo).read_text())
        lines += demo_lines(base, listing)
        lines.append(("Passwords, all tokens", plan.demo))
        lines += [("Play", user["sign_in"]) for user in listing["users"] if user.get("sign_in")][:1]
    return "\n".join(("", *(f"  {name:<22}{value}" for name, value in lines), "  Ctrl-C stops it.", ""))


def demo_lines(base: str, listing: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The demo's games and users, and what a newcomer may try first. listing: what demo.json holds."""
    lines = [
        ("Demo games" if n == 0 else "", f"{game['name']}: {game['game']}") for n, game in enumerate(listing["games"])
    ]
    for n, user in enumerate(listing["users"]):
        seat = f" ({user['seat_name']})" if user["role"] == "player" and user["seat_name"] else ""
        lines.append(("Demo users" if n == 0 else "", f"{user['name'] + seat:<26}{user['token']}"))
    player = next(user for user in listing["users"] if user["role"] == "player")
    watch = f"{base}/api/v1/games/{listing['game']}/stream/?from=now"
    return [*lines, ("Try", f"curl -sN -H 'Authorization: Bearer {player['token']}' '{watch}'")]


def main() -> int:
    """Keep the plan of the command line up until ordered to end; the exit status."""
    plan = plan_of(sys.argv[1])
    supervisor = Supervisor(plan.services, say=say, first=plan.first)
    status = supervisor.run(lambda: answers(plan.port), lambda: say(banner(plan)))
    say("Theogony has stopped.")
    return status


if __name__ == "__main__":
    sys.exit(main())
