"""Receivers of webhooks: real servers on threads, which do what a path asks for and remember what they were sent."""

import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import orjson

from tests.api.sent import require_documented


@dataclass
class Receiver:
    """A server of its own port. Paths: `/200`, `/500`, ... answer so; `/hang`, `/drip`, `/large`, `/rubbish`."""

    server: ThreadingHTTPServer
    scheme: str
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    """Path, headers and body of each request, in order."""
    closing: threading.Event = field(default_factory=threading.Event)

    def url(self, path: str = "200", host: str = "127.0.0.1") -> str:
        return f"{self.scheme}://{host}:{self.server.server_port}/{path}"

    def bodies(self, path: str = "200") -> list[Any]:
        found = [orjson.loads(body) for asked, _, body in self.got if asked == f"/{path}"]
        for body in found:
            require_documented(body["type"], body)
        return found

    def ids(self, path: str = "200") -> list[str]:
        return [headers["webhook-id"] for asked, headers, _ in self.got if asked == f"/{path}"]


class Handler(BaseHTTPRequestHandler):
    """Answers as the path says."""

    receiver: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.receiver.got.append((self.path, headers, body))
        path = self.path.strip("/")
        if path == "hang":
            self.receiver.closing.wait()
        elif path == "drip":
            self._drip()
        elif path == "rubbish":
            self.wfile.write(b"this is no HTTP\r\n\r\n")
        else:
            self._answer(path)

    def _drip(self) -> None:
        """A header that never ends, a little at a time: each read of the other side succeeds."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not self.receiver.closing.wait(0.02):
            self.wfile.write(b"x")

    def _answer(self, path: str) -> None:
        self.send_response(int(path) if path.isdigit() else 200)
        if path == "301":
            self.send_header("Location", self.receiver.url("200"))
        if path in ("429", "503"):
            self.send_header("Retry-After", "7200")
        length = 5_000_000 if path == "large" else 0
        self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(b"x" * length)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


class QuietServer(ThreadingHTTPServer):
    """Says nothing of connections that the other side has closed."""

    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing."""


@contextmanager
def receiving(tls: Path | None = None) -> Iterator[Receiver]:
    """A receiver while the block runs. tls: a file with certificate and key."""
    handler = type("Bound", (Handler,), {})
    server = QuietServer(("127.0.0.1", 0), handler)
    if tls is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tls)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    receiver = Receiver(server, "http" if tls is None else "https")
    handler.receiver = receiver  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield receiver
    finally:
        receiver.closing.set()
        server.shutdown()
        server.server_close()


def certificate(folder: Path, name: str) -> Path:
    """A self-signed certificate for a name, with its key, in one file."""
    made = folder / f"{name}.pem"
    key = folder / f"{name}.key"
    command = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", key, "-out", made, "-days", "2", "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}",
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    made.write_text(made.read_text() + key.read_text())
    return made
