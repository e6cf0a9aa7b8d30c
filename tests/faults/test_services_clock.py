"""The wall clock leaps, back and forward, under every process of a running service: ours and our libraries'.

A shim that is preloaded into all of them adds to the machine's clock what a file says. `/readyz` says that it went
back, and soon every live game goes on, with what was left of its times.
"""

import json
import os
import shutil
import struct
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from tests.test_serve import Running, until

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler to make the clock with"),
]

SHIM = Path(__file__).with_name("leaping_clock.c")
HOUR = 3600
NOT_FAR = timedelta(minutes=15)
"""No window of a demo game is as long."""


class Leaping(Running):
    """A service with demo games, whose wall clock a test may move."""

    def __init__(self, folder: Path) -> None:
        self.offset = folder / "offset"
        self.offset.write_bytes(struct.pack("q", 0))
        self.shim = folder / "leaping_clock.so"
        make = ["cc", "-shared", "-fPIC", "-O1", "-o", str(self.shim), str(SHIM), "-ldl"]
        subprocess.run(make, check=True, capture_output=True)
        super().__init__(folder)

    def start(self, **more: str) -> subprocess.Popen[bytes]:
        preloaded = " ".join(filter(None, (str(self.shim), os.environ.get("LD_PRELOAD", ""))))
        return super().start(DEMO="1", LD_PRELOAD=preloaded, CLOCK_OFFSET=str(self.offset), **more)

    def leap(self, seconds: int) -> None:
        """Set the wall clock apart from the machine's by this much."""
        with self.offset.open("r+b") as file:
            file.write(struct.pack("q", seconds))

    def get(self, path: str) -> Any:
        """What the service answers, 503 too."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            return json.load(refused)

    def status(self) -> str:
        return str(self.get("/readyz")["status"])

    def games(self) -> list[dict[str, Any]]:
        return list(self.get("/api/v1/games/?status=running")["results"])

    def since(self, cursors: dict[str, str]) -> dict[str, list[dict[str, Any]]]:
        """What has happened in each game since a cursor of it."""
        return {game: self.get(f"/api/v1/games/{game}/events/?after={at}")["results"] for game, at in cursors.items()}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Leaping]:
    running = Leaping(tmp_path_factory.mktemp("leaping"))
    try:
        until(running.ready)
        until(lambda: running.status() == "ready")  # so a worker watches: what went back before that nobody can know
        yield running
    finally:
        running.process.terminate()
        running.process.wait(60)


def goes_on(service: Leaping, offset: int) -> bool:
    """Whether every game that waits for a moment waits for one near the time that the clock shows now."""
    now = datetime.now(UTC) + timedelta(seconds=offset)
    dues = [
        datetime.fromisoformat(each["due"]) for game in service.games() for each in game["waiting_for"] if each["due"]
    ]
    return bool(dues) and all(abs(due - now) < NOT_FAR for due in dues)


def slips(events: list[dict[str, Any]]) -> list[float]:
    """By how many seconds a game's clock has slipped, each time."""
    by = [each["data"]["by"] for each in events if each["type"] == "core.ClockSlipped"]
    return [TypeAdapter(timedelta).validate_python(each).total_seconds() for each in by]


@pytest.mark.parametrize(("before", "offset"), [(0, -HOUR), (-HOUR, 0), (0, 24 * HOUR), (24 * HOUR, 23 * HOUR)])
def test_after_a_leap_the_service_says_so_and_every_game_goes_on(service: Leaping, before: int, offset: int) -> None:
    service.leap(before)
    until(lambda: service.status() == "ready" and goes_on(service, before), 60)
    cursors = {
        game["id"]: service.get(f"/api/v1/games/{game['id']}/events/?last=1")["cursor"] for game in service.games()
    }
    service.leap(offset)
    if offset < before:  # five seconds, in which it must turn out that no other machine is right
        until(lambda: service.status() == "degraded", 10)
    until(lambda: service.status() == "ready" and goes_on(service, offset), 60)
    happened = service.since(cursors)
    slipped = [by for events in happened.values() for by in slips(events)]
    assert slipped and all(abs(by - (offset - before)) < 60 for by in slipped)
    if offset < before:
        assert all(slips(events) for events in happened.values())
    cursors = {game: events[-1]["cursor"] for game, events in happened.items() if events}
    until(lambda: any(service.since(cursors).values()), 60)
