"""The SECRET_KEY: given from outside, or made once in DATA_DIR for development."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

NAME = "secret_key"
MIN_LENGTH = 50
EXAMPLES = ("django-insecure-", "changeme", "change-me")


def is_weak(key: str) -> bool:
    """Whether sessions that are signed with a key could be forged: it is short, or an example's."""
    return len(key) < MIN_LENGTH or key.lower().startswith(EXAMPLES)


def load_or_make_key(folder: Path) -> str:
    """The key stored in `folder`; made there when absent, readable by its owner alone (0600).

    Several processes may start at once: the file is written aside and linked into place, so the first one wins
    and nobody reads half a key.
    """
    path = folder / NAME
    if not path.exists():
        aside = folder / f"{NAME}.{os.getpid()}"
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(64))
        try:
            with suppress(FileExistsError):  # another process was first; its key is the key
                os.link(aside, path)
        finally:
            aside.unlink()
    return path.read_text().strip()
