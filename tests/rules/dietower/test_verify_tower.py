"""The stand-alone verifier recomputes the tower from dice and events as the API shows them; nothing doctored passes."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games.dietower.rules import RULESET
from games.dietower.rules.checks.commands import CloseRoll, RequestCheck
from games.dietower.rules.checks.rules import Ruling
from games.dietower.rules.state.schema_types import Harm, MiracleKind, Mode
from games.dietower.rules.tower.commands import ChooseMiracle, PlaceDie, ReportDie, ResetTower, WriteConsequence
from games.dietower.rules.tower.events import DiePlaced, TowerFell
from games.engine.audience import PUBLIC
from games.engine.dice import commitment
from games.engine.kernel import EventRecord
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from tests.playbook import Playbook, state_from_log
from tests.rules.dietower.stage import GAME, GM, S1, S2, fresh, pc, playing

VERIFIER = Path(__file__).resolve().parents[3] / "tools/verify_dice.py"
SECRET = b"secret of the tests"
Events = list[dict[str, Any]]
pytestmark = pytest.mark.rule("CF-3", "DT-SIM-5")


def place_dice(book: Playbook, count: int) -> None:
    """Fail checks, and place what is owed with the dice of the secret, until so many dice were placed."""
    before = len(placed(book))
    while len(placed(book)) < before + count:
        ruling = Ruling(cd=40, good=False)
        book.when(RequestCheck(actor=pc(book, S1), intent="leap", ruling=ruling), by=GM)
        (roll,) = (r for r in book.state.rolls.values() if not r.closed)
        book.when(CloseRoll(roll=roll.id), by=S1)
        while due := book.state.due_placements():
            if book.state.tower.mode is Mode.SIMULATED:
                book.when(PlaceDie(placement=due[0].id), by=S1)
            else:
                book.when(ReportDie(placement=due[0].id, stands=book.state.tower.height < 3), by=GM)
            settle(book)


def placed(book: Playbook) -> list[EventRecord]:
    return [record for record in book.log if isinstance(record.event, DiePlaced | TowerFell)]


def settle(book: Playbook) -> None:
    """Write the terrible thing, choose the miracle that is due."""
    for consequence in [c.id for c in book.state.consequences.values() if not c.written]:
        book.when(WriteConsequence(consequence=consequence, kind=Harm.LOSS, text="Dust."), by=GM)
    for miracle in [m.id for m in book.state.miracles.values() if m.kind is None]:
        book.when(ChooseMiracle(miracle=miracle, kind=MiracleKind.EXTRA_DIE, target=pc(book, S1)), by=S1)


def as_json(log: list[EventRecord], *, undone: bool = False) -> Events:
    """What an observer reads of a log at `events/`."""
    shaped = [
        {
            "cursor": str(number),
            "type": f"{'dietower' if '.dietower.' in type(h.event).__module__ else 'core'}.{type(h.event).__name__}",
            "at": h.at.isoformat(),
            "rules": list(h.rules),
            "rolls": [asdict(roll) for roll in h.rolls],
            "text": h.text,
            "by": h.by,
            "on_behalf_of": None,
            "undone": undone,
            "data": h.event.model_dump(mode="json"),
        }
        for number, h in enumerate(log)
        if h.audience == PUBLIC
    ]
    found: Events = json.loads(json.dumps(shaped))
    return found


@cache
def logged() -> Playbook:
    """A game with a tower of each kind: falls, a miracle, a reset, a real tower. Not to be played on."""
    book = playing(S1, S2, half_width=5)
    place_dice(book, 30)
    book.when(ResetTower(reason="steadier", half_width=8), by=GM)
    place_dice(book, 40)
    book.when(ResetTower(reason="real dice", mode=Mode.PHYSICAL), by=GM)
    place_dice(book, 6)
    book.when(ResetTower(reason="again", mode=Mode.SIMULATED, half_width=6), by=GM)
    place_dice(book, 10)
    return book


def verification(folder: Path, events: Events, *, known: Events | None = None) -> tuple[int, str]:
    """Exit status and output for events and the dice of `known`, those of the same events unless said."""
    rolls = [roll for event in (events if known is None else known) for roll in event["rolls"]]
    head = {"game": str(GAME), "commitment": commitment(SECRET), "secret": SECRET.hex()}
    dice, first, second = (folder / name for name in ("dice.json", "events-1.json", "events-2.json"))
    dice.write_text(json.dumps({**head, "results": rolls}))
    half = len(events) // 2
    first.write_text(json.dumps({"results": events[:half], "start": "a", "cursor": "b", "more": True}))
    second.write_text(json.dumps({"results": events[half:], "start": "b", "cursor": "c", "more": False}))
    command = [sys.executable, "-I", "-S", str(VERIFIER), str(dice), "--events", str(first), str(second)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.rule("DT-SIM-1", "DT-SIM-2", "DT-SIM-3", "DT-SIM-4")
def test_every_placement_of_a_game_comes_out(tmp_path: Path) -> None:
    events = as_json(logged().log)
    kinds = [event["type"] for event in events]
    assert {"dietower.TowerFell", "dietower.TowerTakenDown", "dietower.TowerReset"} <= set(kinds)
    status, found = verification(tmp_path, events)
    real = sum(1 for h in placed(logged()) if not h.event.centres)
    falls = sum(1 for h in placed(logged()) if isinstance(h.event, TowerFell) and h.event.centres)
    count = len(placed(logged())) - real
    assert (status, "WRONG" in found) == (0, False), found
    assert real >= 6 and falls >= 3
    assert f"{count} placements computed again: {count - falls} stood, {falls} fell\n" in found


def of_type(events: Events, kind: str, **where: Any) -> Iterator[dict[str, Any]]:
    """The data of the events of a kind that had dice, in order."""
    for event in events:
        data = event["data"]
        if event["type"] == f"dietower.{kind}" and all(data[name] == value for name, value in where.items()):
            yield data


def doctor_centre(events: Events) -> None:
    next(of_type(events, "DiePlaced", height=3))["centre"]["x"] += 1


def doctor_centres(events: Events) -> None:
    next(of_type(events, "TowerFell"))["centres"][1]["y"] -= 1


def doctor_offset(events: Events) -> None:
    next(of_type(events, "DiePlaced", height=2))["offset"]["x"] += 1


def doctor_height(events: Events) -> None:
    next(of_type(events, "DiePlaced", height=4))["height"] = 5


def doctor_height_of_a_fall(events: Events) -> None:
    next(of_type(events, "TowerFell"))["height"] += 1


def doctor_die(events: Events) -> None:
    dice = next(of_type(events, "DiePlaced", height=2))["dice"]
    dice[0] = dice[0] % 6 + 1


def doctor_dice_away(events: Events) -> None:
    next(of_type(events, "DiePlaced", height=2))["dice"] = []


def doctor_risk(events: Events) -> None:
    next(of_type(events, "RiskShown", height=4))["falls"] += 36


def doctor_height_of_a_risk(events: Events) -> None:
    next(of_type(events, "RiskShown", height=4))["height"] = 3


def doctor_level(events: Events) -> None:
    next(of_type(events, "TowerFell"))["level"] += 1


def doctor_axis(events: Events) -> None:
    fall = next(of_type(events, "TowerFell"))
    fall["axis"] = "x" if fall["axis"] == "y" else "y"


def doctor_half_width(events: Events) -> None:
    next(of_type(events, "SessionOpened"))["half_width"] = 8


def doctor_reset(events: Events) -> None:
    next(of_type(events, "TowerReset"))["height"] = 2


def doctor_miracle(events: Events) -> None:
    next(of_type(events, "TowerTakenDown"))["height"] = 12


def doctor_a_fall_into_a_stand(events: Events) -> None:
    event = next(e for e in events if e["type"] == "dietower.TowerFell")
    data = event["data"]
    below, top = data["centres"][-2:]
    event["type"] = "dietower.DiePlaced"
    data |= {
        "height": data["height"] + 1,
        "centre": top,
        "offset": {"x": top["x"] - below["x"], "y": top["y"] - below["y"]},
    }


def doctor_a_stand_into_a_fall(events: Events) -> None:
    event = next(e for e in events if e["type"] == "dietower.DiePlaced" and e["data"]["height"] == 3)
    event["type"] = "dietower.TowerFell"
    event["data"] |= {"height": 2, "level": 1, "axis": "x"}


def hide_a_risk(events: Events) -> None:
    events.remove(next(e for e in events if e["type"] == "dietower.RiskShown"))


def hide_a_placement(events: Events) -> None:
    events.remove(next(e for e in events if e["type"] == "dietower.DiePlaced" and e["data"]["height"] == 3))


def undo_without_a_rewind(events: Events) -> None:
    events[-1]["undone"] = True


def lend_dice_to_a_real_tower(events: Events) -> None:
    real = next(e for e in events if e["type"] == "dietower.DiePlaced" and e["data"]["centre"] is None)
    real["data"]["dice"] = [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("doctor", "sentence"),
    [
        (doctor_centre, "the log says the centre"),
        (doctor_centres, "the log says the centres"),
        (doctor_offset, "the log says the shift"),
        (doctor_height, "the log says a height of 5"),
        (doctor_height_of_a_fall, "the log says a height of"),
        (doctor_die, "which are not those that were rolled for it"),
        (doctor_dice_away, "it has 0 dice instead of 4"),
        (doctor_risk, "of 1296 ways to fall, the centres say"),
        (doctor_height_of_a_risk, "the log says a height of 3, but 4 dice stand"),
        (doctor_level, "the log says it falls at level"),
        (doctor_axis, "the log says it falls at level"),
        (doctor_half_width, "of 1296 ways to fall, the centres say"),
        (doctor_reset, "TowerReset leaves a height of 2"),
        (doctor_miracle, "a tower of 12 is taken down; 13 dice stand"),
        (doctor_a_fall_into_a_stand, "it stands in the log, but it falls at level"),
        (doctor_a_stand_into_a_fall, "it falls in the log, but it stands"),
        (hide_a_risk, "its risk was not shown before it"),
        (hide_a_placement, "no event has placed this die of the tower"),
        (undo_without_a_rewind, "is marked as undone, but no rewind follows it"),
        (lend_dice_to_a_real_tower, "a die of a real tower has neither dice nor centres"),
    ],
)
def test_an_event_that_was_doctored_does_not_pass(
    tmp_path: Path, doctor: Callable[[Events], None], sentence: str
) -> None:
    known = as_json(logged().log)
    events = deepcopy(known)
    doctor(events)
    status, found = verification(tmp_path, events, known=known)
    assert status == 1
    assert any(line.startswith("WRONG ") and sentence in line for line in found.splitlines())


def test_a_die_that_was_doctored_everywhere_is_not_the_one_of_the_secret(tmp_path: Path) -> None:
    events = as_json(logged().log)
    event = next(e for e in events if e["type"] == "dietower.DiePlaced" and e["data"]["height"] == 2)
    value = event["data"]["dice"][0] % 6 + 1
    event["data"]["dice"][0] = event["rolls"][0]["value"] = value
    status, found = verification(tmp_path, events)
    assert status == 1 and f"the log says {value}, the secret says" in found


def test_a_die_of_an_event_that_is_not_the_one_of_the_transcript_is_found(tmp_path: Path) -> None:
    known = as_json(logged().log)
    events = deepcopy(known)
    roll = next(e for e in events if e["type"] == "dietower.PoolRolled")["rolls"][0]
    roll["value"] = roll["value"] % 6 + 1
    status, found = verification(tmp_path, events, known=known)
    assert status == 1 and "is not in the transcript with this value" in found


def test_what_a_rewind_has_undone_is_left_out_and_the_new_course_comes_out(tmp_path: Path) -> None:
    old = playing(S1, S2)
    place_dice(old, 12)
    cut = next(n for n, h in enumerate(old.log) if isinstance(h.event, DiePlaced) and h.event.height == 3) + 1
    while cut < len(old.log) and old.log[cut].at == old.log[cut - 1].at and type(old.log[cut].event) is not DiePlaced:
        if type(old.log[cut].event).__name__ == "CheckRequested":
            break
        cut += 1
    state = state_from_log(old.log[:cut], fresh(S1, S2))
    state.info = replace(state.info, rewinds=1)
    new = Playbook(RULESET, state)
    new.heads = dict(old.heads)
    place_dice(new, 9)
    turned: dict[str, Any] = {"type": "core.TimeTurned", "rolls": [], "undone": False, "data": {}}
    before, after = as_json(old.log[:cut]), as_json(new.log)
    undone = as_json(old.log[cut:], undone=True)
    assert any(e["type"] == "dietower.DiePlaced" for e in undone)
    status, found = verification(tmp_path, [*before, *undone, turned, *after])
    assert (status, "WRONG" in found) == (0, False), found
    status, _ = verification(tmp_path, [*before, *as_json(old.log[cut:]), turned, *after])
    assert status == 1, "as if nothing had been undone"


def test_a_correction_of_a_die_is_followed_and_listed(tmp_path: Path) -> None:
    book = playing(S1, S2, half_width=8)
    place_dice(book, 3)
    top = max(book.state.dice)
    assert top >= 2
    moved = FieldChange(field="x", value=str((book.state.dice[top].x or 0) + 1))
    change = Change(deed=Deed.ALTER, table="dice", row=str(top), fields=(moved,))
    book.when(Amend(changes=(change,), reason="bumped"), by=GM)
    place_dice(book, 8)
    status, found = verification(tmp_path, as_json(book.log))
    assert (status, f"corrected by a game-master: dice {top}\n" in found) == (0, True)
    events = [e for e in as_json(book.log) if e["type"] != "core.Amended"]
    assert verification(tmp_path, events)[0] == 1


def test_events_that_do_not_begin_with_the_game_cannot_be_checked(tmp_path: Path) -> None:
    events = as_json(logged().log)
    first = next(n for n, e in enumerate(events) if e["type"] == "dietower.DiePlaced")
    status, found = verification(tmp_path, events[first:])
    assert status == 2 and "the events do not begin with the game" in found
