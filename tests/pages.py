"""Pages of the docs that tests run: their requests are sent in order, and what they quote of an answer is compared.

A page has fenced blocks. `sh`: curl commands (with `| jq` of the few forms below), variables that keep what jq finds or
what `sha256sum` says of a text, `sleep`, which lets the time pass, and `for N in 1 2 3; do curl ...; done` for what is
sent again and again.
`graphql`: a document, its first line says who asks and with which variables: `# ana {"game": "$GAME"}`.
`json` or `text` right behind them quotes a part of the last answer.
"""

import json
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from django.test import Client
from django.utils import timezone

from games import registry, services
from games.engine.course import Course
from games.engine.kernel import Command, Event, Issuer
from games.engine.prompts.questions import Question
from games.models import Timer
from tests.api.worlds import bearer, user
from tests.dice import bind_dice_to_slotless_ids

ROOT = Path(__file__).parent.parent
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
TICK = timedelta(milliseconds=10)
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.S | re.M)
CAPTURED = re.compile(r"(\w+)=\$\((curl .*)\)$")
DIGESTED = re.compile(r"""(\w+)=\$\(printf '%s' "(.*)" \| sha256sum \| cut -c1-64\)$""")
REPEATED = re.compile(r"for (\w+) in ([^;]*); do (curl .*); done$")
SLEPT = re.compile(r"sleep (\d+)\s*(#.*)?$")
QUOTED = re.compile(r"(\w+)='(.*)'$")
ASSIGNED = re.compile(r'(\w+)="?([^"]*?)"?\s*(#.*)?$')
REST = "..."


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return [text for kind, text in FENCED.findall(page) if kind == language]


def fill_variables(text: str, values: dict[str, str]) -> str:
    """A text with its shell variables filled in. An unknown one is a KeyError."""
    return re.sub(r"\$([A-Z_]+)", lambda m: values[m.group(1)], text)


def commands_of(block: str) -> list[str]:
    """The shell commands of a block, without comments and empty lines; one goes on while a quote is open."""
    commands = [""]
    for line in block.replace("\\\n", " ").splitlines():
        if commands[-1].count("'") % 2:
            commands[-1] += f" {line.strip()}"
        elif line.strip() and not line.startswith("#"):
            commands.append(line.strip())
    return commands[1:]


def curls(page: str, values: dict[str, str]) -> list[list[str]]:
    """The curl commands of a page as arguments, with the variables filled in; without what their answer is piped to."""
    commands = [line for block in blocks(page, "sh") for line in commands_of(block) if line.startswith("curl")]
    found = [shlex.split(fill_variables(line, values)) for line in commands]
    return [words[: words.index("|")] if "|" in words else words for words in found]


def send(words: list[str], base: str) -> Any:
    """What the service answers to a curl command. Words that this does not know are an error of the page."""
    headers, method, body, address, rest = {}, "GET", "", "", iter(words[1:])
    for word in rest:
        if word == "-H":
            name, _, value = next(rest).partition(": ")
            headers[name] = value
        elif word == "-X":
            method = next(rest)
        elif word == "-d":
            body = next(rest)
        elif word not in ("-s", "-sD-", "-D-"):
            assert word.startswith(base), f"{word} is neither an address of the service nor an option known here"
            address = word.removeprefix(base)
    if method == "GET":
        return Client(headers=headers).get(address)
    return Client(headers=headers).generic(method, address, body, content_type="application/json")


def pick(found: Any, expression: str) -> Iterator[Any]:
    """What jq finds: names, `[]`, `[0]` and `select(.name == "value")`, joined by ` | `."""
    stage, _, later = expression.partition(" | ")
    chosen = re.fullmatch(r'select\(\.(\w+) == "(.*)"\)', stage)
    if chosen:
        results = [found] if found.get(chosen[1]) == chosen[2] else []
    else:
        results = [found]
        for name, index in re.findall(r"\.(\w+)|\[(\d*)\]", stage):
            if name:
                results = [result[name] for result in results]
            elif index:
                results = [result[int(index)] for result in results]
            else:
                results = [one for result in results for one in result]
    for result in results:
        yield from pick(result, later) if later else (result,)


def first_gap(quoted: Any, found: Any, place: str = "") -> str:
    """Where an answer differs from what is quoted of it; "" where it does not.

    An object may have more fields, a list more elements in between; `...` at a text's end stands for anything.
    """
    if isinstance(quoted, dict) and isinstance(found, dict):
        missing = next((key for key in quoted if key not in found), None)
        if missing is not None:
            return f"{place}.{missing} is not there"
        return next(filter(None, (first_gap(quoted[key], found[key], f"{place}.{key}") for key in quoted)), "")
    if isinstance(quoted, list) and isinstance(found, list):
        left = iter(found)
        for number, one in enumerate(quoted):
            if all(first_gap(one, other) for other in left):
                return f"{place}[{number}] {one} is not there in {found}"
        return "" if quoted or not found else f"{place} is not empty: {found}"
    if isinstance(quoted, str) and quoted.endswith(REST):
        return "" if str(found).startswith(quoted.removesuffix(REST)) else f"{place} is {found!r}, quoted {quoted!r}"
    same = type(quoted) is type(found) and quoted == found
    return "" if same else f"{place} is {found!r}, quoted {quoted!r}"


@dataclass
class Reading:
    """A page that is read from top to bottom, everything in it done."""

    page: str
    values: dict[str, str]
    """The shell variables, those of the page's own included as they come."""
    requests: list[str] = field(default_factory=list)
    """What was sent, in order: method, address or operation, status."""
    sleep: Callable[[int], None] | None = None
    """Lets so many seconds pass."""
    quotes: int = 0
    """How many answers were compared with what the page quotes."""
    answer: Any = None
    status: int = 0
    last: str = ""

    def run(self) -> None:
        """Send every request. AssertionError where an answer is not as the page says."""
        found = FENCED.findall(self.page)
        for number, (kind, text) in enumerate(found):
            following = found[number + 1] if number + 1 < len(found) else ("", "")
            if kind == "sh":
                self._shell(text, following)
            elif kind == "graphql":
                self._graphql(text)
            elif kind in ("json", "text"):
                self._compare(kind, text)

    def _shell(self, block: str, following: tuple[str, str]) -> None:
        lines = commands_of(block)
        for number, line in enumerate(lines):
            captured, assigned = CAPTURED.match(line), QUOTED.match(line) or ASSIGNED.match(line)
            if captured:
                self._curl(captured[2], refused=False)
                self.values[captured[1]] = str(self.answer)
            elif digested := DIGESTED.match(line):
                self.values[digested[1]] = sha256(fill_variables(digested[2], self.values).encode()).hexdigest()
            elif slept := SLEPT.match(line):
                assert self.sleep, f"no time passes on this page: {line}"
                self.sleep(int(slept[1]))
            elif repeated := REPEATED.match(line):
                for value in repeated[2].split():
                    self.values[repeated[1]] = value
                    self._curl(repeated[3], refused=False)
            elif line.startswith("curl"):
                quoted = following[1] if number == len(lines) - 1 and following[0] == "json" else ""
                self._curl(line, refused='"status": 4' in quoted)
            else:
                assert assigned, f"what is this line? {line}"
                self.values.setdefault(assigned[1], fill_variables(assigned[2], self.values))

    def _curl(self, line: str, *, refused: bool) -> None:
        words = shlex.split(fill_variables(line, self.values), comments=True)
        if "-sN" in words:
            return  # the stream is served beside Django and has tests of its own
        expression = words[-1] if "jq" in words else ""
        answer = send(words[: words.index("|")] if expression else words, self.values["BASE"].removesuffix("/api/v1"))
        path = answer.request["PATH_INFO"]
        self.status, self.last = answer.status_code, f"{line}\n{answer.content.decode()[:3000]}"
        self.requests.append(f"{answer.request['REQUEST_METHOD']} {path} {self.status}")
        assert (self.status >= 400) is refused, self.last
        self.answer = answer.json() if "json" in answer["Content-Type"] else answer.content.decode()
        if expression:
            results = list(pick(self.answer, expression))
            assert results, f"jq finds nothing: {self.last}"
            self.answer = results[0]

    def _graphql(self, document: str) -> None:
        found = re.match(r"# (\w+) (\{.*\})\n", document)
        assert found, f"who asks, and with what? {document}"
        name, _, value = self.values[found[1].upper()].partition(": ")
        body = {"query": document, "variables": json.loads(fill_variables(found[2], self.values))}
        answer = Client(headers={name: value}).post("/graphql/", body, content_type="application/json")
        self.answer, self.status = answer.json(), answer.status_code
        self.last = f"{document}\n{answer.content.decode()[:3000]}"
        self.requests.append(f"GRAPHQL {self.status}")
        assert "errors" not in self.answer, self.last
        self.answer = self.answer["data"]

    def _compare(self, kind: str, quoted: str) -> None:
        self.quotes += 1
        if kind == "json":
            assert not (found := first_gap(json.loads(fill_variables(quoted, self.values)), self.answer)), (
                f"{found}\n{self.last}"
            )
        else:
            missing = [line for line in fill_variables(quoted, self.values).splitlines() if line not in self.answer]
            assert not missing, f"{missing}\n{self.last}"


# --- what a page is read with ---------------------------------------------------------------------------------------
class KnownGame:
    """A service with the same dice and ids each time, and a clock of its own: it goes on whenever it is read."""

    def __init__(self, monkeypatch: Any, secret: bytes) -> None:
        self.now = NOON
        bind_dice_to_slotless_ids(monkeypatch)
        monkeypatch.setattr(timezone, "now", self._read)
        opening = services.open_game

        def open_fixed(*given: Any, **more: Any) -> Any:
            with monkeypatch.context() as fixed:
                fixed.setattr(services, "uuid4", lambda: UUID(int=1))
                fixed.setattr(services, "os", SimpleNamespace(urandom=lambda size: secret.ljust(size)[:size]))
                return opening(*given, **more)

        monkeypatch.setattr(services, "open_game", open_fixed)

    def _read(self) -> datetime:
        self.now += TICK
        return self.now

    def sleep(self, seconds: int) -> None:
        """Let so many seconds pass; each timer that comes due fires at its time, as it does in the worker."""
        until = self.now + timedelta(seconds=seconds)
        while timer := Timer.objects.filter(due__lte=until).order_by("due").first():
            self.now = max(self.now, timer.due)
            services.fire_due(timer.game_id, now=self.now)
        self.now = until

    def tokens(self, *names: str) -> dict[str, str]:
        """The headers of these people, by their names in capitals."""
        return {name.upper(): f"Authorization: {bearer(user(name))['Authorization']}" for name in names}


# --- the tables of a game's page ------------------------------------------------------------------------------------
def table(page: str, heading: str, title: str) -> list[list[str]]:
    """The rows of the table below a heading whose first column has this title."""
    section = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = section.partition(f"| {title} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip().strip("`") for cell in line.strip("| ").split(" | ")] for line in lines]


def prompt_rows(course: Course) -> list[list[str]]:
    """What a table of prompts says of each kind: name, who is asked, commands, window in live play, silence."""
    found: dict[str, list[Question]] = {}
    for row in course.questions.values():
        found.setdefault(row.kind, []).append(row)
    return [
        [
            kind,
            _by_case({row.case: row.addressees for row in rows}),
            ", ".join(dict.fromkeys(command.slug() for row in rows for command in row.answered_by)),
            ", at least ".join(filter(None, (rows[0].until, _window_in_words(course, rows[0].window)))),
            _by_case({row.case: re.sub(r"{(.*?)}", r"*\1*", row.silence) for row in rows}),
        ]
        for kind, rows in found.items()
    ]


def _by_case(said: dict[str, str]) -> str:
    """What is said of each case of a question; once where it is the same of all."""
    if len(set(said.values())) == 1:
        return said[""]
    cases = [f"({case}: {words.rstrip('.')})" for case, words in said.items() if case]
    return " ".join((said[""], *cases))


def _window_in_words(course: Course, name: str) -> str:
    return _in_words(course.windows[name].live) if name else ""


def _in_words(window: timedelta) -> str:
    minutes, rest = divmod(int(window.total_seconds()), 60)
    return f"{minutes * 60 + rest} s" if rest else f"{minutes} min"


def open_commands(slug: str) -> list[type[Command]]:
    """The commands of a game's own that people issue, in the order of its listing."""
    return [command for command in registry.ruleset(slug).own.commands if command.issuers - {Issuer.CLOCK}]


def command_rows(slug: str, who: dict[Issuer, str], prefix: str) -> list[list[str]]:
    """What a table of commands says of each: name, who, fields, rules. prefix: of the rules, left out."""
    return [
        [
            command.slug(),
            ", ".join(sorted(who[issuer] for issuer in command.issuers - {Issuer.CLOCK})),
            ", ".join(f"{f.alias or n}{'' if f.is_required() else '?'}" for n, f in command.model_fields.items())
            or "-",
            ", ".join(rule.removeprefix(prefix) for rule in command.rules) or "-",
        ]
        for command in open_commands(slug)
    ]


def public_events(slug: str) -> set[str]:
    """The events of a game's own that everybody reads."""
    return {event.__name__ for event in registry.ruleset(slug).own.events if event.audience is Event.audience}


def unknown_codes(page: str, slug: str) -> list[str]:
    """The codes in a page's tables that stand nowhere in the game, the engine or the service."""
    folders = (
        ROOT / "games" / slug / "rules",
        ROOT / "games" / "engine",
        ROOT / "games" / "storage",
        ROOT / "games" / "runtime",
        ROOT / "games" / "reads",
    )
    files = [*(ROOT / "games").glob("*.py"), *(file for folder in folders for file in folder.rglob("*.py"))]
    sources = "".join(file.read_text() for file in files)
    rows = "".join(row for row in page.splitlines() if row.startswith("| `"))
    return [code for code in re.findall(r"`(\w+\.\w+)`", rows) if f'"{code}"' not in sources]


def unknown_rules(rows: list[list[str]], slug: str, prefix: str) -> list[str]:
    """The rules in the last column of a table of rulings that the rulebook does not have; pages of the docs aside."""
    rulebook = (ROOT / "games" / slug / "rulebook.md").read_text()
    named = [rule for row in rows for rule in row[-1].split(", ") if not rule.startswith("docs/")]
    known = ("| {} |", f"{prefix}{{}}**", f"| {prefix}{{}} |")
    return [rule for rule in named if not any(form.format(rule) in rulebook for form in known)]


def missing_files(page: str) -> list[str]:
    """The files that a page names and that are not there."""
    named = re.findall(r"`((?:docs|games)/[\w./-]+\.\w+)`", page)
    return [name for name in named if not (ROOT / name).exists()]
