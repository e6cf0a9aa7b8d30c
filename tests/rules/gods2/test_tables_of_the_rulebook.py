"""The tables of the rulebook and what is registered agree: commands, fields, prompts, clock commands, events, codes.

Where they differ on purpose, the difference stands here with its reason. A difference that is none any more fails too.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from games.engine.kernel import Event, Issuer
from games.engine.prompts.manual_dice import KIND as DICE
from games.engine.prompts.manual_dice import DieEntered
from games.gods2.rules import RULESET
from games.gods2.rules.course import COURSE
from games.gods2.rules.state.audiences import ForGm, ForSeat
from games.gods2.rules.state.questions import Asked

ROOT = Path(__file__).resolve().parents[3]
BOOK = (ROOT / "games" / "gods2" / "rulebook.md").read_text(encoding="utf-8")

SENTENCE = "`text` of an event is its sentence; the words of people stand beside it."
PAYLOAD = "What applying the event, or taking the matter up again, needs to know."
COMMAND_FIELDS: Mapping[str, tuple[set[str], set[str], str]] = {
    "set-map": (set(), {"rows"}, "The map may be given as rows of letters instead of cells."),
}
"""Fields in the book only, fields in the code only, why."""
NO_COMMANDS = {
    "settle-default": "In the logs of this game the deadline of each question has a name of its own.",
}
DEFAULTS = {"settle-task"}
OF_EVERY_DEADLINE = {"is_excused"}
"""What the engine adds to commands of the clock: whether the grace of the game was given."""
"""What `settle-default` stands for, where the deadline names more than its question."""
MORE_COMMANDS = {"move-pack": "A GM may let a game go on with a mended pack."}
"""Commands of people that the book does not list, with what they are for."""
EVENT_FIELDS: Mapping[str, tuple[set[str], set[str], str]] = {
    "MapSet": (set(), {"rows"}, "The map may be given as rows of letters."),
    "LawPassed": ({"text"}, {"century", "words"}, SENTENCE),
    "RaceDefined": (set(), {"level"}, PAYLOAD),
    "SessionsPlanned": (set(), {"seconds"}, "Rehearsals have centuries of less than a minute."),
    "CreationOpened": (set(), {"activity_ends_at", "starts_at"}, PAYLOAD),
    "LimitsCut": (set(), {"until"}, PAYLOAD),
    "MigrationOrdered": (set(), {"until"}, PAYLOAD),
    "ModificationAdded": (set(), {"until"}, PAYLOAD),
    "ModificationFired": (set(), {"event", "until"}, PAYLOAD),
    "ModificationEnded": (set(), {"power"}, "The modification is gone when its end is told."),
    "TurmoilDeferred": (set(), {"seat"}, PAYLOAD),
    "CastingProposed": (set(), {"choice", "signed"}, PAYLOAD),
    "EffectAsked": (set(), {"seats"}, "Its audience."),
    "TaskOpened": ({"text"}, {"parts", "words"}, SENTENCE),
    "TaskSettled": ({"text"}, {"words"}, SENTENCE),
    "WarsCombined": ({"text"}, {"reason"}, SENTENCE),
    "CasualtiesPreviewed": (set(), {"pairs", "wars"}, PAYLOAD),
    "CasualtiesSet": ({"text"}, {"reason"}, SENTENCE),
    "WorksheetCorrected": ({"text"}, {"reason"}, SENTENCE),
    "HistoryEntered": ({"text"}, {"words"}, SENTENCE),
    "NameAsked": (set(), {"seat"}, "Its audience."),
    "StandingAnswerSet": ({"amount"}, set(), "An amount is part of the answer: `yes:5`."),
    "StandingAnswerUsed": (set(), {"seat"}, "Its audience."),
    "DeadlinePassed": (set(), {"readers", "seats"}, "Its audience, and who was late where that may be shown."),
}
MORE_EVENTS = {
    "EraPrepared": "The host's start: everything stands.",
    "GrowthEnded": "Growth is over; the phase is another.",
    "PoolGained": "ManaGained of the demons' common pool.",
    "PreviewClosed": "What was shown happens now.",
    "TurmoilBegun": "A turmoil that waited for the century waits no longer: a secret of its god.",
}
"""Events of the code that the book does not list, with what they say."""
PROMPTS = {*Asked, DICE}


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


def fields_of(cell: str) -> set[str]:
    """The names of the fields in a cell: `a, b?, c: x/y (remark)`; `direction or square` are two."""
    plain = re.sub(r"\([^)]*\)", "", cell)
    named = [re.sub(r":.*", "", each).strip() for each in plain.split(",")]
    return {name.strip().rstrip("?") for each in named for name in each.split(" or ") if name.strip(" -?")}


COMMANDS = {row[0]: row for row in table_after("## 12.1 Commands")}
CLOCK = {row[0]: row for row in table_after("## 12.2 CLOCK")}
EVENTS = {row[0]: row for row in table_after("# 13. Events and audience")}
ASKED = {row[0].split(" ")[0]: row for row in table_after("## 11.2 Prompts")}


def difference(book: set[str], code: set[str]) -> tuple[set[str], set[str]]:
    return book - code, code - book


@pytest.mark.parametrize("name", sorted({**COMMANDS, **CLOCK}.keys() - NO_COMMANDS.keys()))
def test_every_command_of_the_book_exists_with_its_fields(name: str) -> None:
    command = RULESET.commands[name]
    only_book, only_code, why = COMMAND_FIELDS.get(name, (set(), set(), ""))
    cells = COMMANDS.get(name) or CLOCK[name]
    assert difference(fields_of(cells[1]), set(command.model_fields) - OF_EVERY_DEADLINE) == (only_book, only_code), why
    assert (Issuer.CLOCK in command.issuers) is (name in CLOCK)


def test_no_command_is_in_the_code_alone() -> None:
    own = {command.slug() for command in RULESET.own.commands}
    assert own - COMMANDS.keys() - CLOCK.keys() - MORE_COMMANDS.keys() == DEFAULTS
    assert not NO_COMMANDS.keys() & own


@pytest.mark.parametrize("name", sorted(EVENTS))
def test_every_event_of_the_book_exists_with_its_fields(name: str) -> None:
    event = RULESET.events[name]
    only_book, only_code, why = EVENT_FIELDS.get(name, (set(), set(), ""))
    assert difference(fields_of(EVENTS[name][1]), set(event.model_fields)) == (only_book, only_code), why


@pytest.mark.parametrize("name", sorted(EVENTS))
def test_the_readers_of_every_event_are_those_the_book_names(name: str) -> None:
    in_book, found = EVENTS[name][2], next(kind for kind in RULESET.events[name].__mro__ if "audience" in vars(kind))
    assert (found in (Event, DieEntered)) is (in_book == "public")
    if found is ForGm:
        assert in_book == "gm"
    if found is ForSeat:
        assert re.fullmatch(r"seat( \(.*\))?(,| or) gm", in_book)


def test_no_event_is_in_the_code_alone_without_a_sentence() -> None:
    assert {event.__name__ for event in RULESET.own.events} - EVENTS.keys() == MORE_EVENTS.keys()


def test_the_events_of_each_command_are_events() -> None:
    names = {name for row in table_after("## 12.4 Events per command") for name in re.findall(r"\b[A-Z]\w+", row[1])}
    names |= {name for row in CLOCK.values() for name in re.findall(r"\b[A-Z]\w+", row[4])}
    exceptions = {"GM", "UnitsDied"}
    sentences = {name for name in names if not re.search(r"[a-z][A-Z]", name)}
    assert {name for name in names - sentences - exceptions if name not in RULESET.events} == set()


@pytest.mark.parametrize("kind", sorted(ASKED))
def test_every_question_of_the_book_is_put_and_answered_by_commands_that_exist(kind: str) -> None:
    for command in re.sub(r"\([^)]*\)", "", ASKED[kind][3]).split(","):
        assert command.strip() in RULESET.commands


def test_every_question_that_is_put_is_in_the_book() -> None:
    assert ASKED.keys() == PROMPTS


def test_lanes_are_those_of_the_book() -> None:
    found = re.findall(r"`(\w+)`", BOOK[BOOK.index("Lanes: ") :].split(".")[0])
    assert {row.lane.partition(":")[0] for row in COURSE.questions.values()} == {*found} - {"dice"}


def test_every_code_of_the_book_is_refused_somewhere() -> None:
    cells = [cell for row in COMMANDS.values() for cell in row[3:]]
    general = BOOK[BOOK.index("General errors:") :].split("A command that is refused")[0]
    codes = set(re.findall(r"`([a-z]+\.[a-z_]+)`", " ".join([*cells, general])))
    folders = [ROOT / "games" / "gods2" / "rules", ROOT / "games" / "engine"]
    source = "\n".join(p.read_text(encoding="utf-8") for folder in folders for p in folder.rglob("*.py"))
    assert len(codes) > 70 and {code for code in codes if f'"{code}"' not in source} == set()
