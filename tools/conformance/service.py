"""The judged service: `manage.py serve` with the demo event, in a folder and on a port of its own, ended by its id."""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tools.with_services import HOST, free_port

ROOT = Path(__file__).resolve().parents[2]
CENTURY_SECONDS = 30
START_SECONDS = 120.0
OTHERS = frozenset({"DATABASE_URL", "REDIS_URL", "ALLOWED_HOSTS", "PROXIES", "SIGN_UP", "ANONYMOUS_READ"})
"""Variables of the environment of the judges that the judged service does not get."""


class NotReady(Exception):
    """The service did not come up; the message has the end of its log."""


@dataclass(frozen=True)
class Live:
    """The running service."""

    base: str
    folder: Path

    @property
    def demo_json(self) -> Path:
        """The file with the demo's people and tokens."""
        return self.folder / "demo.json"

    @cached_property
    def demo(self) -> dict[str, Any]:
        """What demo.json says."""
        return dict(json.loads(self.demo_json.read_text()))

    def token_of(self, name: str) -> str:
        """The token of one of the demo's people."""
        return str(next(user["token"] for user in self.demo["users"] if user["name"] == name))

    def post(self, path: str, body: dict[str, Any], token: str = "") -> dict[str, Any]:
        """Send JSON; the answer's JSON."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        request = urllib.request.Request(f"{self.base}{path}", json.dumps(body).encode(), headers, method="POST")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return dict(json.loads(answer.read()))

    @cached_property
    def stranger(self) -> str:
        """The token of somebody who sits at no table."""
        invited = self.post("/api/v1/invitations/", {"note": "a stranger"}, self.token_of("demo-admin"))
        who = {"username": "stranger", "password": secrets.token_urlsafe(16)}
        self.post("/api/v1/sign-up/", who | {"invitation": invited["code"]})
        return str(self.post("/api/v1/tokens/", who | {"name": "judged"})["token"])


@contextmanager
def running(folder: Path) -> Iterator[Live]:
    """Start the service, and end it whatever happens. Raises NotReady."""
    port, log = free_port(), folder / "service.log"
    environment = {name: value for name, value in os.environ.items() if name not in OTHERS} | {
        "DJANGO_SETTINGS_MODULE": "tools.conformance.settings",
        "PYTHONPATH": str(ROOT),
        "DATA_DIR": str(folder / "data"),
        "PORT": str(port),
        "SECRET_KEY": secrets.token_urlsafe(50),
        "DEBUG": "0",
        "HTTPS": "0",
        "DEMO": "1",
        "DEMO_STEP_SECONDS": str(CENTURY_SECONDS),
        "LOG_LEVEL": "WARNING",
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve"], cwd=ROOT, env=environment, stdout=output, stderr=output
        )
    try:
        live = Live(f"http://{HOST}:{port}", folder / "data")
        until_ready(live, process, log)
        yield live
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def until_ready(live: Live, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until the service answers. Raises NotReady."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            urllib.request.urlopen(f"{live.base}/readyz", timeout=5).close()
            if live.demo_json.exists():
                return
        time.sleep(0.3)
    raise NotReady(log.read_text()[-3000:])
