"""`docker/compose.yaml` and the files beside it, as the tests read them."""

import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker/compose.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = ("web", "door", "door-2", "stream", "stream-2", "worker", "beat", "migrate")
PROXY = (ROOT / "docker/proxy.conf").read_text()
VARIABLE = re.compile(r"\$(?:\$|\{(?P<name>\w+)(?::(?P<how>[-?])(?P<word>[^}]*))?\})")


def interpolate(text: str, values: Mapping[str, str]) -> str:
    """A text with its variables replaced as compose does it. Raises KeyError for one that is demanded and not there."""

    def value(found: re.Match[str]) -> str:
        name, how, word = found["name"], found["how"], found["word"]
        if not name:
            return "$"
        if values.get(name):
            return values[name]
        if how == "-":
            return str(word)
        raise KeyError(name)

    return VARIABLE.sub(value, text)


def seconds(span: str) -> float:
    """A span of time as compose writes it."""
    number, unit = re.fullmatch(r"(\d+)(s|m)", span).groups()  # type: ignore[union-attr]
    return int(number) * {"s": 1, "m": 60}[unit]


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile: (instruction, its arguments), lines that go on taken together."""
    text = re.sub(r"\\\n\s*", "", (ROOT / "docker/Dockerfile").read_text())
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines]


def directives(text: str = PROXY) -> list[tuple[str, ...]]:
    """The directives of an nginx file, each behind the heads of its blocks: ("server", "listen", "80")."""
    words, found, around = shlex.shlex(text, posix=True, punctuation_chars=";{}"), [], []
    words.whitespace_split, words.commenters = True, "#"
    line: list[str] = []
    for word in words:
        if word in ("{", ";"):
            if word == "{":
                around.append(" ".join(line))
            else:
                found.append((*around, *line))
            line = []
        elif set(word) == {"}"}:
            del around[len(around) - len(word) :]
        else:
            line.append(word)
    return found
