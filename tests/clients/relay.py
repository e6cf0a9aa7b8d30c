"""A line between a browser and the service that can be cut: a relay of bytes on a port of its own."""

import socket
from contextlib import suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Any

CHUNK_BYTES = 65_536


class Relay(ThreadingTCPServer):
    """Hands on what comes to another port."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port: int) -> None:
        self.port, self.is_cut, self.lines = port, False, set[socket.socket]()
        super().__init__(("127.0.0.1", 0), Line)

    @property
    def base(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def cut(self) -> None:
        """Cut every line, and let none be laid before `mend`."""
        self.is_cut = True
        for line in list(self.lines):
            with suppress(OSError):  # closed already
                line.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let lines be laid again."""
        self.is_cut = False


class Line(BaseRequestHandler):
    """One connection, and its other half."""

    server: Relay

    def handle(self) -> None:
        """Hand on in both directions until one end closes."""
        if self.server.is_cut:
            return
        with socket.create_connection(("127.0.0.1", self.server.port)) as other:
            self.server.lines |= {self.request, other}
            back = Thread(target=hand_on, args=(other, self.request), daemon=True)
            back.start()
            hand_on(self.request, other)
            back.join()
            self.server.lines -= {self.request, other}


def hand_on(source: Any, target: Any) -> None:
    """Bytes from one socket to another; the end of one is the end of both."""
    with suppress(OSError):  # cut
        while chunk := source.recv(CHUNK_BYTES):
            target.sendall(chunk)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
