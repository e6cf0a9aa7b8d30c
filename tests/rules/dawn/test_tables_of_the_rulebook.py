"""The tables of the rulebook and what is registered agree: prices, commands, fields, events, readers, codes, questions.

Where they differ on purpose, the difference stands here with its reason.
"""

import re
from pathlib import Path

import pytest

from games.dawn.rules import RULESET
from games.dawn.rules.state.constants import MARKED_ONCE, PRICES
from games.dawn.rules.state.schema_types import Asked, Price
from games.engine.kernel import Event, Issuer

ROOT = Path(__file__).resolve().parents[3]
BOOK = (ROOT / "games" / "dawn" / "rulebook.md").read_text(encoding="utf-8")
ENGINE = " (engine)"
IN_WORDS = {
    "set-standing-answer": {"kind", "seat", "answer", "cause", "max_bid"},
    "allow-reach": {"source", "target", "armies", "reason"},
}
"""Commands whose fields the book describes in sentences."""
STATES = {
    "ASK.consent": Asked.CONSENT,
    "ASK.leave": Asked.LEAVE,
    "ASK.decide": Asked.DECIDE,
    "ASK.object": Asked.OBJECT,
    "ASK.challenge": Asked.CHALLENGE,
    "AUCTION": Asked.AUCTION,
    "PICK.edges": Asked.PICK,
    "WAR.avatar": Asked.STAND_IN,
    "WAR.commit": Asked.COMMIT,
    "WAR.continue": Asked.CONTINUE,
    "AVATAR.revenge": Asked.REVENGE,
    "MOTION": Asked.MOTION,
    "TURN.open": Asked.TURN,
    "LOBBY / SETUP": Asked.SETUP,
}
"""The rows of section 9 and the questions they describe."""
UNITS = {"s": 1, "min": 60, "h": 3600, "days": 86_400}


def table_after(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, without its head."""
    lines = BOOK[BOOK.index(heading) :].splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("|"))
    rows = []
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def fields_in(cell: str) -> list[str]:
    """The fields of a cell with their `?`: `a, b?, c: x/y (remark)`; `preset or cells[]` are two."""
    plain = re.sub(r"\([^)]*\)|\{[^}]*\}", "", cell)
    plain = re.sub(r"\[[^]]*\]", "", plain)
    named = [re.sub(r":.*", "", each).strip() for each in plain.split(",")]
    each = [name for one in named for name in re.split(r" or | and ", one) if name.strip(" -")]
    return [name.split()[0] for name in each]


def fields_of(cell: str) -> set[str]:
    return {name.rstrip("?") for name in fields_in(cell)}


COMMANDS = {row[0]: row for row in table_after("## 10. Commands") if not row[0].startswith("(")}
EVENTS = {row[0]: row for row in table_after("## 11. Events")}
QUESTIONS = {row[0].split(" (")[0]: row for row in table_after("## 9. State machine")}
OWN = {command.slug(): command for command in RULESET.own.commands}


@pytest.mark.rule("DW-PRC-1", "DW-PRC-3")
def test_the_price_table_is_that_of_the_book() -> None:
    found: dict[str, tuple[tuple[int, ...], str]] = {}
    for names, prices, mark in table_after("## 4. Price table"):
        numbers = tuple(int(n) for n in prices.split(",")[0].split("/"))
        found |= {re.sub(r" \(.*", "", name): (numbers, mark) for name in names.split(", ")}
    presence = {Price.COMMAND_RACE, Price.COMMAND_CITY}
    marks = {row: "1" if row in MARKED_ONCE else "P" if row in presence else "" for row in Price}
    assert found == {row.value: (PRICES[row], marks[row]) for row in Price}


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_of_the_book_exists_with_its_fields(name: str) -> None:
    command, cell = RULESET.commands[name.removesuffix(ENGINE)], COMMANDS[name][1]
    assert (IN_WORDS.get(name) or fields_of(cell)) == set(command.model_fields)
    left_out = {field.rstrip("?") for field in fields_in(cell) if field.endswith("?")} - {""}
    assert {field for field in left_out if command.model_fields[field].is_required()} == set()
    who = COMMANDS[name][2]
    wanted = {Issuer.GM} if "GM" in who else {Issuer.HOST, Issuer.GM} if "host" in who else {Issuer.SEAT}
    if "host" in who:
        wanted |= {Issuer.HOST}
    if name.endswith(ENGINE) and "own seat" in who:
        wanted |= {Issuer.SEAT}
    assert command.issuers == wanted


def test_no_command_is_in_the_code_alone() -> None:
    assert OWN.keys() <= COMMANDS.keys()


@pytest.mark.parametrize("name", sorted(EVENTS.keys() & {event.__name__ for event in RULESET.own.events}))
def test_every_event_of_the_book_exists_with_its_fields(name: str) -> None:
    assert fields_of(EVENTS[name][1]) == set(RULESET.events[name].model_fields)


def test_no_event_is_in_the_book_or_in_the_code_alone() -> None:
    own = {event.__name__ for event in RULESET.own.events}
    assert own - EVENTS.keys() == set()
    assert EVENTS.keys() - own <= RULESET.events.keys(), "those of the engine"


def test_the_readers_of_an_event_are_those_of_the_book() -> None:
    public = {event.__name__ for event in RULESET.own.events if event.audience is Event.audience}
    own = {event.__name__ for event in RULESET.own.events}
    assert {name for name, _, who in EVENTS.values() if who == "public"} & own == public


def test_the_events_of_each_command_are_events() -> None:
    named = {name for row in table_after("### 10a.") for name in re.findall(r"\b[A-Z][a-z]\w+", row[1])}
    assert named - RULESET.events.keys() == set()
    commands = {name for row in table_after("### 10a.") for name in re.findall(r"\b[a-z]+(?:-[a-z]+)*\b", row[0])}
    assert OWN.keys() <= commands


def test_every_code_of_the_book_is_refused_somewhere() -> None:
    cells = " ".join(cell for row in table_after("## 10. Commands") for cell in row[3:])
    codes = set(re.findall(r"`([a-z]+\.[a-z_]+)`", cells))
    general = BOOK[BOOK.index("General errors:") :].split("Engine commands")[0]
    codes |= set(re.findall(r"`([a-z]+\.[a-z_]+)`", general))
    folders = [ROOT / "games" / "dawn" / "rules", ROOT / "games" / "engine", ROOT / "games" / "runtime", ROOT / "games"]
    source = "\n".join(p.read_text(encoding="utf-8") for folder in folders for p in folder.rglob("*.py"))
    assert len(codes) > 50 and {code for code in codes if f'"{code}"' not in source} == set()


@pytest.mark.rule("DW-AMB-31")
@pytest.mark.parametrize("state", sorted(STATES))
def test_every_question_waits_as_long_as_the_book_says(state: str) -> None:
    kind, deadline = STATES[state], QUESTIONS[state][4]
    row = RULESET.course.questions[kind]
    window = RULESET.course.windows[row.window]
    parts = [match.groups() for match in re.finditer(r"(\d+) (s|min|h|days)\b", deadline)]
    seconds = [int(number) * UNITS[unit] for number, unit in parts]
    assert seconds == [window.live.total_seconds(), window.by_post.total_seconds()]
    legal = (QUESTIONS[state][3], QUESTIONS["TURN.start"][3] if kind is Asked.TURN else "")
    commands = set(re.findall(r"[a-z]+(?:-[a-z]+)+|\bfold\b", " ".join(legal)))
    assert {command.slug() for command in row.answered_by} <= commands <= RULESET.commands.keys()


def test_every_question_of_the_rules_is_in_the_book() -> None:
    assert set(STATES.values()) == set(Asked) and STATES.keys() <= QUESTIONS.keys()
