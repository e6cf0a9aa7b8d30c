"""What goes over the wire, in either way to wait for it: queries, pauses, frames of a stream."""

from collections.abc import Mapping
from dataclasses import dataclass

import httpx

Query = Mapping[str, str | int | bool | None]
BUSY = (429, 503)
GATEWAYS = (502, 504)
LONGEST_WAIT_SECONDS = 60.0
"""No answer makes us wait longer for the next try."""
SILENCE_SECONDS = 45.0
"""A stream says something at least each 15 s; after so long the line is dead."""


def parameters(query: Query | None) -> dict[str, str] | None:
    """The query as it is sent: without what is None, booleans as 1 and 0. None leaves that of the address alone."""
    if query is None:
        return None
    found = {name.rstrip("_"): value for name, value in query.items() if value is not None}
    return {name: str(int(value) if isinstance(value, bool) else value) for name, value in found.items()}


def wait_seconds(answer: httpx.Response) -> float:
    """Seconds until the next try, as `Retry-After` says; 1 where it says nothing in seconds."""
    said = answer.headers.get("Retry-After", "")
    return min(float(said), LONGEST_WAIT_SECONDS) if said.isdecimal() else 1.0


@dataclass
class Frame:
    """One server-sent event, as far as it is read."""

    kind: str = ""
    id: str = ""
    data: str = ""
    retry: str = ""


class Frames:
    """The server-sent events of an answer, each ended by an empty line; comments are left out."""

    def __init__(self) -> None:
        self.frame = Frame()

    def feed(self, line: str) -> Frame | None:
        """Read the next line; the event that it ends."""
        frame = self.frame
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "event":
                frame.kind = value
            case "id":
                frame.id = value
            case "data":
                frame.data = f"{frame.data}\n{value}" if frame.data else value
            case "retry":
                frame.retry = value
            case "" if not line:
                self.frame = Frame()
                return frame
        return None
