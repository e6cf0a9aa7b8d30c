"""A real browser without a window: Debian's chromium, driven over its DevTools protocol."""

import base64
import json
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

PATH = shutil.which("chromium")
needed = pytest.mark.skipif(PATH is None, reason="Needs a browser: apt-get install chromium")
SECONDS = 120.0
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--remote-debugging-port=0", "--window-size=800,900",
)  # fmt: skip


class Page:
    """One page of the browser."""

    def __init__(self, line: ClientConnection) -> None:
        self.line, self.count = line, 0

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the protocol, and its answer."""
        self.count += 1
        self.line.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while (message := json.loads(self.line.recv(timeout=SECONDS))).get("id") != self.count:
            continue
        assert "error" not in message, message
        found: dict[str, Any] = message["result"]
        return found

    def go(self, address: str) -> None:
        """Open an address."""
        self.send("Page.navigate", url=address)

    def run(self, script: str) -> Any:
        """The value of an expression in the page; None while there is no page."""
        found = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        return found["result"].get("value")

    def until(self, script: str) -> Any:
        """Wait until an expression is true, and return its value."""
        end = time.monotonic() + SECONDS
        while not (value := self.run(script)):
            assert time.monotonic() < end, f"{script} stayed {value!r} at {self.run('document.body.innerText')}"
            time.sleep(0.05)
        return value

    def picture(self, path: Path) -> None:
        """What a person would see, as a PNG."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))


@contextmanager
def chromium(folder: Path) -> Iterator[Page]:
    """A browser with an empty profile in a folder, and its one page."""
    assert PATH is not None  # the test is marked with `needed`
    command = [PATH, *FLAGS, f"--user-data-dir={folder}", "about:blank"]
    browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        place, end = folder / "DevToolsActivePort", time.monotonic() + SECONDS
        while not (place.exists() and "\n" in place.read_text()):
            assert browser.poll() is None and time.monotonic() < end, "the browser does not start"
            time.sleep(0.05)
        port = place.read_text().split()[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=SECONDS) as answer:
            (target,) = [each for each in json.load(answer) if each["type"] == "page"]
        with connect(target["webSocketDebuggerUrl"], max_size=None) as line:
            page = Page(line)
            page.send("Page.enable")
            yield page
    finally:
        browser.terminate()
        browser.wait(SECONDS)
