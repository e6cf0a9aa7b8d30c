"""Make the client that blocks from the one for asyncio: `theogony/aio/service.py` becomes `theogony/service.py`.

Every word of asyncio that the client uses has one that blocks. What this does not know raises Unknown.
"""

import re
from pathlib import Path

WORDS = {
    "async ": "",
    "await ": "",
    "asyncio": "time",
    "AsyncClient": "Client",
    "AsyncIterator": "Iterator",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "__aiter__": "__iter__",
    "aclose": "close",
    "aiter_lines": "iter_lines",
    "aread": "read",
    "from ..": "from .",
}
LEFT = re.compile(r"\b(a?sync\w*|await|__a\w+__|a(close|read|iter\w*))\b", re.I)
MODULES = ("games", "service", "streams")


class Unknown(Exception):
    """A word of asyncio without one that blocks."""


def blocking(source: str) -> str:
    """The source of a module that blocks. Raises Unknown."""
    for word, other in WORDS.items():
        source = source.replace(word, other)
    if left := LEFT.search(source):
        raise Unknown(left[0])
    return source


def write_blocking(package: Path) -> None:
    """Write the modules that block into a package. Raises Unknown."""
    for name in MODULES:
        (package / f"{name}.py").write_text(blocking((package / "aio" / f"{name}.py").read_text()))
