"""Channels that behave like Discord, Slack and Mattermost: one real server, which keeps what stands and who was called.

Each reads its own markup, so a test sees whom a line calls there, and not what the line looks like.
"""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlsplit

import orjson

from tests.webhooks.receivers import QuietServer

KEY = "S3cretKeyOfTheChannel"
PATHS = {"discord": f"/api/webhooks/1234/{KEY}", "slack": f"/services/T1/B2/{KEY}", "mattermost": f"/hooks/{KEY}"}
RETRY_AFTER = 120
DISCORD_CALL = re.compile(r"(?<!\\)<@(&?)(\d+)>")
SLACK_CALL = re.compile(r"<(@[UW]\w+|!\w+(?:\^\w+)?)(?:\|[^>]*)?>")
MATTERMOST_CALL = re.compile(r"(?<![\w`])@([a-z][\w.-]*\w|\w)")


@dataclass
class Channel:
    """What stands in a channel, and what came in. mode: `ok`, `busy` (429), `gone` (404), `large` (5 MB), `hang`."""

    format: str
    url: str = ""
    mode: str = "ok"
    standing: dict[str, str] = field(default_factory=dict)
    """Lines by their ids, in order."""
    posted: list[str] = field(default_factory=list)
    """Every line that was posted, also when it was edited or deleted later."""
    called: list[str] = field(default_factory=list)
    """Whom lines have called: by posts, as edits call nobody."""
    asked: list[tuple[str, str]] = field(default_factory=list)
    """Method and address of each request."""
    ids: Iterator[int] = field(default_factory=lambda: count(1001))

    @property
    def lines(self) -> list[str]:
        return list(self.standing.values())

    def take(self, body: dict[str, Any]) -> str:
        """A new line; its id."""
        text = body["content"] if self.format == "discord" else body["text"]
        assert len(text) <= 2000
        identity = str(next(self.ids))
        self.standing[identity] = text
        self.posted.append(text)
        self.called += self.calls_of(text, body)
        return identity

    def calls_of(self, text: str, body: dict[str, Any]) -> list[str]:
        """Whom a line calls, as the channel would read it."""
        if self.format == "discord":
            allowed = body["allowed_mentions"]
            assert allowed["parse"] == []
            return [n for role, n in DISCORD_CALL.findall(text) if n in allowed["roles" if role else "users"]]
        return (SLACK_CALL if self.format == "slack" else MATTERMOST_CALL).findall(text)


class Handler(BaseHTTPRequestHandler):
    """Answers as the service of the path would."""

    channels: dict[str, Channel]
    closing: threading.Event

    def answer(self) -> None:
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        channel = next(each for each in self.channels.values() if parts.path.startswith(PATHS[each.format]))
        channel.asked.append((self.command, self.path))
        if channel.mode == "hang":
            self.closing.wait()
        elif channel.mode == "busy":
            self.reply(429, b"{}", {"Retry-After": str(RETRY_AFTER)})
        elif channel.mode == "gone":
            self.reply(404, b"no_service")
        elif channel.format == "discord":
            self.discord(channel, parts.path.removeprefix(PATHS["discord"]), parse_qs(parts.query), body)
        else:
            channel.take(orjson.loads(body))
            self.reply(200, b"x" * 5_000_000 if channel.mode == "large" else b"ok")

    def discord(self, channel: Channel, rest: str, query: dict[str, list[str]], body: bytes) -> None:
        identity = rest.removeprefix("/messages/")
        if self.command == "POST":
            made = channel.take(orjson.loads(body))
            answer = orjson.dumps({"id": made, "padding": "x" * (5_000_000 if channel.mode == "large" else 0)})
            self.reply(200, answer) if query.get("wait") == ["true"] else self.reply(204)
        elif identity not in channel.standing:
            self.reply(404, b'{"code": 10008}')
        elif self.command == "PATCH":
            channel.standing[identity] = orjson.loads(body)["content"]
            self.reply(200, b"{}")
        else:
            del channel.standing[identity]
            self.reply(204)

    do_POST = do_PATCH = do_DELETE = answer

    def reply(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


@contextmanager
def serving() -> Iterator[type[Handler]]:
    """A server while the block runs; `opened` gives it channels."""
    handler = type("Bound", (Handler,), {"channels": {}, "closing": threading.Event()})
    server = QuietServer(("127.0.0.1", 0), handler)
    handler.port = server.server_port
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield handler
    finally:
        handler.closing.set()
        server.shutdown()
        server.server_close()


def opened(handler: Any) -> dict[str, Channel]:
    """New channels of a server, with nothing in them."""
    made = {name: Channel(name, f"http://127.0.0.1:{handler.port}{path}") for name, path in PATHS.items()}
    handler.channels = made
    return made
