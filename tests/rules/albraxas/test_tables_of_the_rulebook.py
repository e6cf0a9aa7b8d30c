"""The tables of the rulebook and what is registered agree: commands, fields, events, readers, codes, deadlines."""

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from games.albraxas.rules import RULESET
from games.albraxas.rules.orders.commands import SealOrders
from games.albraxas.rules.orders.events import OrdersSealed
from games.albraxas.rules.setup.commands import PlayAlbraxas
from games.albraxas.rules.state.options import AlbraxasOptions
from games.engine.kernel import Command, Event, Issuer
from games.engine.lifecycle.amend import Amend
from games.engine.lifecycle.gm_commands import EndSetup, Extend, Start
from games.engine.lifecycle.seating import HandOver
from games.engine.prompts.prompt import timer_key
from tests.playbook import Playbook
from tests.rules.albraxas.stage import AX, FOUR_FIVE_FOUR, HOST, R1, SIX_EIGHT_SIX, define, fresh, go

ROOT = Path(__file__).resolve().parents[3]
RULES = ROOT / "games" / "albraxas" / "rules"
BOOK = (ROOT / "games" / "albraxas" / "rulebook.md").read_text(encoding="utf-8")
ENGINE = {"end-setup": EndSetup, "amend": Amend, "hand-over": HandOver, "extend": Extend}
OWN = {c.slug(): c for c in RULESET.own.commands if c.issuers != {Issuer.CLOCK}}
EVENTS = {event.__name__: event for event in RULESET.own.events}
UNITS = {"min": timedelta(minutes=1), "h": timedelta(hours=1), "days": timedelta(days=1)}


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, without its head."""
    lines = BOOK[BOOK.index(f"# {heading}") :].splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("|"))
    table = []
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split("|")])
    return table


def fields(cell: str) -> dict[str, set[str]]:
    """The fields that a cell names, each with those of its parts: `a: int, b[] of {c, d} (remark), e or f`."""
    plain, found = re.sub(r"\([^)]*\)|: \{[^{}]*\}\??", "", cell), {}
    for part in re.split(r",\s*(?![^{]*\})|\s+or\s+", plain):
        shown = re.match(r"\s*([a-z_]+)", part)
        if shown:
            inner = re.search(r"of \{(.*)\}", part)
            found[shown[1]] = set(re.findall(r"[a-z_]+", inner[1])) if inner else set()
    return found


def class_fields(kind: type[BaseModel]) -> dict[str, set[str]]:
    """The same as a class has it."""
    return {name: _parts(info.annotation) for name, info in kind.model_fields.items()}


def _parts(annotation: Any) -> set[str]:
    """The fields of the value that an annotation holds: of a tuple's members, of an optional one."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return set(annotation.model_fields)
    return set().union(*(_parts(inner) for inner in get_args(annotation)))


def test_commands_and_their_fields_are_those_of_the_rulebook() -> None:
    book = {row[0].removesuffix(" (engine)"): fields(row[1]) for row in rows("10. Commands")}
    assert book == {name: class_fields(kind) | WHOLE.get(name, {}) for name, kind in {**OWN, **ENGINE}.items()}
    assert set(OWN) < set(RULESET.open_commands)


WHOLE = {"open-orders": {"orders": set()}, "amend": {"changes": set()}}
"""Told in the book without their parts: the orders as in write-orders, the changes as of every game."""


def test_the_issuer_of_a_command_is_that_of_the_rulebook() -> None:
    for name, _, sender, _ in rows("10. Commands"):
        kind: type[Command] = {**OWN, **ENGINE}[name.removesuffix(" (engine)")]
        names = {role for role in (Issuer.HOST, Issuer.GM) if re.search(rf"\b{role}\b", sender, flags=re.I)}
        assert kind.issuers - {Issuer.SEAT} == names, name


def test_the_events_of_every_command_are_events() -> None:
    engine = {e.__name__ for e in RULESET.events.values()}
    table = rows("10a. Field types")
    words = {word for row in table for word in re.findall(r"\b[A-Z][A-Za-z]+\b", row[1])}
    names = {word for word in words if re.search(r"[a-z][A-Z]|ed$", word)}
    assert names <= engine
    assert set(EVENTS) - names == set(), "each belongs to a command"
    assert set(OWN) - {name for row in table for name in re.findall(r"[a-z]+(?:-[a-z]+)*", row[0])} == set()


def test_events_fields_and_readers_are_those_of_the_rulebook() -> None:
    table = rows("11. Events and audience")
    own = [(name, row) for row in table if "(engine)" not in row[0] for name in row[0].split(", ")]
    assert {name: fields(row[1]) for name, row in own} == {n: class_fields(e) for n, e in EVENTS.items()}
    secret = {name for name, row in own if row[2] != "public"}
    assert secret == {n for n, e in EVENTS.items() if e.audience is not Event.audience} - {OrdersSealed.__name__}
    assert {name for name, row in own if row[2] == "rebels"} == {"LocationSet", "LocationLocked", "LocationUnlocked"}
    engine = [name for row in table if "(engine)" in row[0] for name in row[0].removesuffix(" (engine)").split(", ")]
    assert [name for name in engine if name not in RULESET.events] == []


def test_the_codes_of_the_rulebook_are_those_that_the_rules_refuse_with() -> None:
    chapter = BOOK[BOOK.index("## 10. Commands") : BOOK.index("### 10a.")]
    names = set(re.findall(r"`([a-z]+\.[a-z_]+)`", chapter))
    source = "".join(path.read_text() for path in RULES.rglob("*.py"))
    raised = set(re.findall(r'Refused\(\s*"([a-z]+\.[a-z_]+)"', source))
    engine = "".join(path.read_text() for path in (ROOT / "games" / "engine").rglob("*.py"))
    engine += (ROOT / "games" / "services.py").read_text()
    assert raised - names == set()
    assert [code for code in sorted(names - raised) if f'"{code}"' not in engine] == []


def at(pace: str) -> Playbook:
    """A game of this pace in CHARACTERS, everybody with a character."""
    state = fresh(R1, AX)
    state.info = replace(state.info, options=AlbraxasOptions(pace=pace).model_dump_json())  # type: ignore[arg-type]
    book = Playbook(RULESET, state)
    book.when(Start(), by=HOST)
    book.when(PlayAlbraxas(seat=AX), by=HOST)
    define(book, R1, FOUR_FIVE_FOUR)
    define(book, AX, SIX_EIGHT_SIX)
    return book


@pytest.mark.parametrize(("pace", "place"), [("live", 0), ("by_post", 1)])
def test_lanes_answers_and_deadlines_are_those_of_the_rulebook(pace: str, place: int) -> None:
    book, found = at(pace), {}

    def check_prompt() -> None:
        outer = {p.parent for p in book.state.prompts.values()}
        (prompt,) = [p for p in book.state.prompts.values() if p.id not in outer]
        due = book.state.timers[timer_key(prompt.id)].due
        assert due is not None
        found[prompt.kind] = (prompt.lane, due - book.now, prompt.answered_by)

    check_prompt()
    book.when(EndSetup(), by=HOST)
    check_prompt()
    go(book, 1)
    check_prompt()
    for seat in (R1, AX):
        book.when(SealOrders(digest="0" * 64), by=seat)
    check_prompt()
    table = {row[0].split(" (")[0].lower(): row for row in rows("9. State machine")}
    assert table.pop("finished")[4] == "-"
    assert set(table) == set(found)
    for kind, (lane, left, answered_by) in found.items():
        number, unit = table[kind][4].split(" / ")[place].split(" ")
        assert (table[kind][1], int(number) * UNITS[unit]) == (lane, left), kind
        assert [name for name in answered_by if name not in table[kind][3]] == [], kind
