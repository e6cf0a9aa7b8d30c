"""Every environment variable the service reads: name, kind, default, one line of meaning.

Nothing else in the tree looks at the environment. A value of the wrong kind ends the process at start with one
sentence, instead of showing itself later as something odd. `docs/operations.md` prints this table; a test compares.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NoReturn

from config.installed import PROCESSES


class Kind(Enum):
    """What a variable may hold."""

    TEXT = "text"
    NUMBER = "number"
    FLAG = "flag"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable: how it is called, what kind it is, what it holds when unset, and what it does.

    least and most bound a number (inclusive); choices bound a text.
    """

    name: str
    kind: Kind
    default: str
    meaning: str
    least: int = 0
    most: int = 2**31 - 1
    choices: tuple[str, ...] = ()


YES, NO = frozenset({"1", "true", "yes", "on"}), frozenset({"0", "false", "no", "off", ""})

VARIABLES: Mapping[str, Variable] = {
    variable.name: variable
    for variable in (
        Variable("PORT", Kind.NUMBER, "8000", "port of the single-machine service, on 127.0.0.1", least=1, most=65535),
        Variable("DATA_DIR", Kind.TEXT, "", "folder for everything the service writes; `var/` when empty"),
        Variable("DATABASE_URL", Kind.TEXT, "", "database address; a SQLite file in DATA_DIR when empty"),
        Variable("DATABASE_POOL", Kind.FLAG, "0", "1: a connection pool in each process (for ASGI); PostgreSQL alone"),
        Variable("REDIS_URL", Kind.TEXT, "", "broker, bell and cache; folders in DATA_DIR when empty"),
        Variable("SECRET_KEY", Kind.TEXT, "", "signs sessions; made once in DATA_DIR with DEBUG, demanded without"),
        Variable("DEBUG", Kind.FLAG, "0", "1 for development: error pages, http, a SECRET_KEY made for you"),
        Variable("HTTPS", Kind.FLAG, "1", "without DEBUG: 1 sends http to https and marks cookies secure"),
        Variable("ALLOWED_HOSTS", Kind.WORDS, "localhost 127.0.0.1 [::1]", "host names the service answers to"),
        Variable("PROXIES", Kind.NUMBER, "0", "reverse proxies in front, whose X-Forwarded-* are believed", most=9),
        Variable("CSRF_TRUSTED_ORIGINS", Kind.WORDS, "", "origins (scheme://host) whose forms the admin accepts"),
        Variable("CORS_ORIGINS", Kind.WORDS, "", "origins of browser frontends; `*` for any (tokens only, no cookies)"),
        Variable("MAX_BODY_BYTES", Kind.NUMBER, "2621440", "largest request body, bytes; above it 413", least=1024),
        Variable("SIGN_UP", Kind.TEXT, "invitation", "who may sign up", choices=("open", "invitation", "closed")),
        Variable("ANONYMOUS_READ", Kind.FLAG, "1", "1: public games and worlds may be read without a token"),
        Variable("DEMO", Kind.FLAG, "0", "1: demo users and a live demo event are prepared at start"),
        Variable("DEMO_CENTURY_SECONDS", Kind.NUMBER, "60", "length of a century in the demo event, seconds", least=5),
        Variable("CLOCK_SLIP_SECONDS", Kind.NUMBER, "60", "a timer later than this moves its game's clock", least=5),
        Variable("WORKER_PROCESSES", Kind.NUMBER, "2", "processes of the timer worker", least=1, most=64),
        Variable("KEPT_GAMES", Kind.NUMBER, "128", "games whose state a process keeps in memory; 0: none", most=10_000),
        Variable("METRICS_PORT", Kind.NUMBER, "0", "port at which the worker tells its metrics; 0: none", most=65535),
        Variable("PROMETHEUS_MULTIPROC_DIR", Kind.TEXT, "", "folder where processes put their metrics together"),
        Variable("LOG_LEVEL", Kind.TEXT, "INFO", "least level logged", choices=("DEBUG", "INFO", "WARNING", "ERROR")),
        Variable("LOG_FORMAT", Kind.TEXT, "json", "form of log lines", choices=("json", "console")),
        Variable(
            "THEOGONY_PROCESS",
            Kind.TEXT,
            "web",
            "what a process is for, and so what it loads: web has all, clock no APIs, supervisor no tables",
            choices=PROCESSES,
        ),
        Variable("THEOGONY_FAILPOINT", Kind.TEXT, "", "for fault tests: the point at which a process kills itself"),
    )
}


class WrongValue(ValueError):
    """A variable holds what it may not hold; the message says which, what, and what would do."""


def _raw(name: str) -> str:
    return os.environ.get(name, VARIABLES[name].default).strip()


def text(name: str) -> str:
    """The variable as text, its default when unset. Raises WrongValue outside its choices."""
    variable, value = VARIABLES[name], _raw(name)
    if variable.choices and value not in variable.choices:
        raise WrongValue(f"{name} is {value!r}; it must be one of {', '.join(variable.choices)}.")
    return value


def number(name: str) -> int:
    """The variable as a whole number. Raises WrongValue when it is none, or out of bounds."""
    variable, value = VARIABLES[name], _raw(name)
    bounds = f"a whole number from {variable.least} to {variable.most}"
    if not (value.isascii() and value.isdigit() and variable.least <= int(value) <= variable.most):
        raise WrongValue(f"{name} is {value!r}; it must be {bounds}.")
    return int(value)


def flag(name: str) -> bool:
    """The variable as yes or no: 1, true, yes, on; 0, false, no, off, nothing. Raises WrongValue otherwise."""
    value = _raw(name).lower()
    if value not in YES | NO:
        raise WrongValue(f"{name} is {value!r}; it must be 1 or 0.")
    return value in YES


def words(name: str) -> list[str]:
    """The variable as a list, parted by spaces or commas."""
    return _raw(name).replace(",", " ").split()


READERS = {Kind.TEXT: text, Kind.NUMBER: number, Kind.FLAG: flag, Kind.WORDS: words}


def faults() -> list[str]:
    """One sentence for each variable that holds a wrong value now."""
    found = []
    for variable in VARIABLES.values():
        try:
            READERS[variable.kind](variable.name)
        except WrongValue as wrong:
            found.append(str(wrong))
    return found


def stop(*sentences: str) -> NoReturn:
    """End the process before it serves anyone, saying why on standard error (exit status 1)."""
    raise SystemExit("\n".join(("Theogony cannot start:", *(f"  {sentence}" for sentence in sentences))))
