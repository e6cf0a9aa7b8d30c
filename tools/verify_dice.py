#!/usr/bin/env python3
"""Check the dice of a finished game without the service: Python's standard library and this file are enough.

usage: verify_dice.py [--commitment HEX] transcript.json ... [--events events.json ...]
       verify_dice.py --vectors docs/dice-vectors.json

A transcript is {"game", "commitment", "secret", "rolls": [{"label", "index", "sides", "value", "source"}]}; the secret
is hexadecimal, game and commitment are those that were published before the first die. Dice with source `server` are
computed again, dice with source `entered` were rolled by a person at a real table and are listed. Exit status 1 when
the secret is not the one that was committed to, a die does not come out, or a label is used twice; 2 when the file
cannot be read. Several files are the pages of one game; a page of `dice/` has its rolls under `results`. `--commitment`
is the one that you wrote down before play. docs/dice.md describes the format.

`--events` are the pages of `events/` of the same game, from its start, in order: their dice are compared with the
transcript. Of the Die Tower game every placement is computed again from its dice as well (DT-SIM-1 to 5 of the
rulebook): where the die lies, whether the tower stands, else the level and the direction in which it falls, and the
risk that was shown before. Events that a rewind has undone are left out, a game-master's corrections of the tower are
followed and listed, and of a real tower, which has no dice, the height alone is counted.
"""

import argparse
import hmac
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

SPAN = 2**32
SIMULATED, MIRACLE_HEIGHT, LARGEST_SHIFT = "simulated", 13, 5
Centre = tuple[int, int]


def die(secret: bytes, game: str, label: str, index: int, sides: int) -> tuple[int, int]:
    """The value of a die, 1 to `sides`, and how many tries it took."""
    if not 1 <= sides <= SPAN:
        raise ValueError(f"a die of {sides} sides")
    limit = SPAN - SPAN % sides
    tries = 0
    while True:
        message = f"{game}:{label}:{index}:{tries}".encode()
        number = int.from_bytes(hmac.new(secret, message, sha256).digest()[:4], "big")
        tries += 1
        if number < limit:
            return 1 + number % sides, tries


def faults_of(transcript: dict[str, Any]) -> Iterator[str]:
    """What is wrong with a transcript, a sentence each; nothing when all dice come out."""
    secret = bytes.fromhex(transcript["secret"])
    if not hmac.compare_digest(sha256(secret).hexdigest(), transcript["commitment"]):
        yield "The secret is not the one that was committed to."
    seen: set[tuple[str, int]] = set()
    for roll in transcript["rolls"]:
        label, index, sides, value = str(roll["label"]), int(roll["index"]), int(roll["sides"]), int(roll["value"])
        name = f"{label} no. {index} (d{sides})"
        if (label, index) in seen:
            yield f"{name}: this label was used before."
        seen.add((label, index))
        source = roll.get("source", "server")
        if source == "entered":
            if not 1 <= value <= sides:
                yield f"{name}: {value} was entered, which this die does not show."
        elif source != "server":
            yield f"{name}: nobody knows where the source {source!r} has its dice from."
        elif (expected := die(secret, transcript["game"], label, index, sides)[0]) != value:
            yield f"{name}: the log says {value}, the secret says {expected}."


@dataclass
class Tower:
    """The tower of the Die Tower game as the events build it. half_width: H of the rulebook."""

    mode: str = ""
    half_width: int = 0
    dice: list[Centre] = field(default_factory=list)
    """The centres of the dice that stand, the lowest first; (0, 0) for each of a real tower."""
    risks_of: set[str] = field(default_factory=set)
    """The placements whose risk was shown."""
    stood: int = 0
    fell: int = 0
    corrections: list[str] = field(default_factory=list)


def failing_level(centres: Sequence[Centre], half_width: int) -> tuple[int, str] | None:
    """The lowest level, from 1, at which a tower falls, and the direction, x before y (DT-SIM-3, 5)."""
    for level, (x, y) in enumerate(centres[:-1], start=1):
        above = centres[level:]
        if abs(sum(each[0] - x for each in above)) > half_width * len(above):
            return level, "x"
        if abs(sum(each[1] - y for each in above)) > half_width * len(above):
            return level, "y"
    return None


def risk(centres: Sequence[Centre], half_width: int) -> int:
    """Of the 1,296 throws of the next die's four d6, those that fall (DT-SIM-4).

    Every shift is tried, and counts as often as two d6 have its difference: 6 of 36 for 0, 1 for 5.
    """
    if not centres:
        return 0
    shifts, (x, y) = range(-LARGEST_SHIFT, LARGEST_SHIFT + 1), centres[-1]
    return sum(
        (6 - abs(right)) * (6 - abs(back))
        for right in shifts
        for back in shifts
        if failing_level([*centres, (x + right, y + back)], half_width)
    )


def faults_of_events(events: list[dict[str, Any]], rolls: list[dict[str, Any]], tower: Tower) -> Iterator[str]:
    """What does not fit between events and dice, and in the tower that the events build. Fills `tower`.

    Raises ValueError when the events do not begin with the game.
    """
    stored = {(str(roll["label"]), int(roll["index"])): (int(roll["sides"]), int(roll["value"])) for roll in rolls}
    of_tower = {key for key in stored if "/tower:" in key[0]}
    rewinds = [number for number, event in enumerate(events) if event["type"] == "core.TimeTurned"]
    for number, event in enumerate(events):
        if event["undone"] and number > max(rewinds, default=-1):
            yield f"{event['type']} is marked as undone, but no rewind follows it."
        for roll in event["rolls"]:
            key = str(roll["label"]), int(roll["index"])
            of_tower.discard(key)
            if stored.get(key) != (int(roll["sides"]), int(roll["value"])):
                yield f"{event['type']}: its die {key[0]} no. {key[1]} is not in the transcript with this value."
        if not event["undone"]:
            yield from faults_of_event(event, tower)
    for label, index in sorted(of_tower):
        yield f"{label} no. {index}: no event has placed this die of the tower."


def faults_of_event(event: dict[str, Any], tower: Tower) -> Iterator[str]:
    """What is wrong with an event of the tower; the tower goes on as it should have been."""
    name, data = event["type"].removeprefix("dietower."), event["data"]
    if name == "SessionOpened" and not tower.dice:
        tower.mode, tower.half_width = data["mode"], int(data["half_width"])
    elif name == "TowerReset":
        tower.mode, tower.half_width, tower.dice = data["mode"], int(data["half_width"]), []
        if data["height"]:
            yield f"TowerReset leaves a height of {data['height']}, not 0."
    elif name == "TowerTakenDown":
        if not data["height"] == len(tower.dice) == MIRACLE_HEIGHT:
            yield f"TowerTakenDown: a tower of {data['height']} is taken down; {len(tower.dice)} dice stand."
        tower.dice = []
    elif name == "core.Amended":
        correct(tower, data["changes"])
    elif name in ("RiskShown", "DiePlaced", "TowerFell"):
        if not tower.mode:
            raise ValueError("the events do not begin with the game: no session is open when a die is placed")
        check = faults_of_risk if name == "RiskShown" else faults_of_placement
        yield from (f"{name} of placement {data['placement']}: {fault}" for fault in check(event, tower))


def faults_of_risk(event: dict[str, Any], tower: Tower) -> Iterator[str]:
    """What is wrong with a risk that was shown (DT-SIM-4)."""
    data = event["data"]
    tower.risks_of.add(data["placement"])
    if tower.mode != SIMULATED:
        yield "a real tower has no risk that could be shown."
        return
    if data["height"] != len(tower.dice):
        yield f"the log says a height of {data['height']}, but {len(tower.dice)} dice stand."
    if data["falls"] != (expected := risk(tower.dice, tower.half_width)):
        yield f"the log says {data['falls']} of 1296 ways to fall, the centres say {expected}."


def faults_of_placement(event: dict[str, Any], tower: Tower) -> Iterator[str]:
    """What is wrong with a die that was placed (DT-SIM-1, 2, 3, 5; DT-TWR-3, 4)."""
    data, stands = event["data"], event["type"].endswith("DiePlaced")
    height = len(tower.dice) + stands
    if data["height"] != height or height > MIRACLE_HEIGHT:
        yield f"the log says a height of {data['height']}, the dice before it say {height}."
    if tower.mode == SIMULATED:
        centre = next_centre(tower, data["dice"])
        yield from faults_of_dice(event, tower)
        if centre is not None:
            yield from faults_of_stack(data, [*tower.dice, centre], tower.half_width, stands=stands)
        tower.stood, tower.fell = tower.stood + stands, tower.fell + (not stands)
    else:
        centre = (0, 0)
        if data["dice"] or data["centres"] or data.get("centre") or data.get("level"):
            yield "a die of a real tower has neither dice nor centres."
    tower.dice = [*tower.dice, centre or tower.dice[-1]] if stands else []


def next_centre(tower: Tower, dice: Sequence[int]) -> Centre | None:
    """Where four d6 a, b, c, d put the next die (DT-SIM-1, 2); None for another number of dice."""
    if not tower.dice:
        return (0, 0)
    if len(dice) != 4:
        return None
    a, b, c, d = dice
    x, y = tower.dice[-1]
    return x + a - b, y + c - d


def faults_of_dice(event: dict[str, Any], tower: Tower) -> Iterator[str]:
    """What is wrong with the dice of a placement: their number, what they are for, and that its risk was shown."""
    data = event["data"]
    number = 4 if tower.dice else 0
    if len(data["dice"]) != number:
        yield f"it has {len(data['dice'])} dice instead of {number}."
    rolls = sorted(event["rolls"], key=lambda roll: int(roll["index"]))
    uses = {str(roll["label"]).partition("/")[2] for roll in rolls}
    if [roll["value"] for roll in rolls] != data["dice"] or uses - {f"tower:{data['placement']}"}:
        yield f"it is said to have the dice {data['dice']}, which are not those that were rolled for it."
    if any(int(roll["sides"]) != 6 for roll in rolls):
        yield "its dice are no d6."
    if data["placement"] not in tower.risks_of:
        yield "its risk was not shown before it."


def faults_of_stack(data: dict[str, Any], stack: list[Centre], half_width: int, *, stands: bool) -> Iterator[str]:
    """What is wrong with the tower that a placement has left or brought down. stack: the centres as they should be."""
    if points(data["centres"]) != stack:
        yield f"the log says the centres {points(data['centres'])}, the dice say {stack}."
    failure = failing_level(stack, half_width)
    if stands:
        if points([data["centre"]]) != stack[-1:]:
            yield f"the log says the centre {data['centre']}, the dice say {stack[-1]}."
        shift = (stack[-1][0] - stack[-2][0], stack[-1][1] - stack[-2][1]) if len(stack) > 1 else None
        if points([data["offset"]] if data["offset"] else []) != ([shift] if shift else []):
            yield f"the log says the shift {data['offset']}, the dice say {shift}."
        if failure is not None:
            yield f"it stands in the log, but it falls at level {failure[0]} along {failure[1]}."
    elif failure is None:
        yield "it falls in the log, but it stands."
    elif (data["level"], data["axis"]) != failure:
        level, axis = failure
        yield f"the log says it falls at level {data['level']} along {data['axis']}, the centres say {level}, {axis}."


def points(centres: list[dict[str, int]]) -> list[Centre]:
    """Centres as the events have them."""
    return [(int(each["x"]), int(each["y"])) for each in centres]


def correct(tower: Tower, changes: list[dict[str, Any]]) -> None:
    """Follow a game-master's correction of the tower: its mode and half width, and where its dice lie."""
    dice: dict[int, Centre] = dict(enumerate(tower.dice, start=1))
    for change in changes:
        values = {each["field"]: json.loads(each["value"]) for each in change["fields"]}
        if change["table"] == "towers":
            tower.mode = str(values.get("mode", tower.mode))
            tower.half_width = int(values.get("half_width", tower.half_width))
        elif change["table"] == "dice" and change["deed"] == "delete":
            del dice[int(change["row"])]
        elif change["table"] == "dice":
            x, y = dice.get(int(change["row"]), (0, 0))
            dice[int(change["row"])] = int(values.get("x", x) or 0), int(values.get("y", y) or 0)
        else:
            continue
        tower.corrections.append(f"{change['table']} {change['row']}")
    tower.dice = [dice[level] for level in sorted(dice)]


def events_of(pages: list[Any]) -> list[dict[str, Any]]:
    """The events of some pages, in their order; a page is one of `events/`, or a plain list."""
    return [event for page in pages for event in (page if isinstance(page, list) else page["results"])]


def transcript_of(pages: list[dict[str, Any]]) -> dict[str, Any]:
    """The pages of one game as one transcript. Raises ValueError for several games, or before the secret is shown."""
    heads = [{key: page[key] for key in ("game", "commitment", "secret")} for page in pages]
    if any(head != heads[0] for head in heads):
        raise ValueError("the files differ in game, commitment or secret")
    if heads[0]["secret"] is None:
        raise ValueError("the secret is shown when the game is over")
    return {**heads[0], "rolls": [r for page in pages for r in (page["rolls"] if "rolls" in page else page["results"])]}


def faulty_vectors(vectors: dict[str, Any]) -> Iterator[str]:
    """What is wrong with a file of test vectors."""
    for game in vectors["games"]:
        yield from faults_of({**game, "rolls": [{**roll, "source": "server"} for roll in game["rolls"]]})
        secret = bytes.fromhex(game["secret"])
        for roll in game["rolls"]:
            tries = die(secret, game["game"], roll["label"], roll["index"], roll["sides"])[1]
            if tries != roll["tries"]:
                yield f"{roll['label']} no. {roll['index']}: {tries} tries, not {roll['tries']}."


def main() -> int:
    """Read the arguments, print what was found, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("transcript", nargs="*", type=Path, help="the transcript of a finished game, or its pages")
    parser.add_argument("--commitment", metavar="HEX", help="what was published when the game was opened")
    parser.add_argument("--events", nargs="+", type=Path, default=[], metavar="FILE", help="pages of its events")
    parser.add_argument("--vectors", type=Path, metavar="FILE", help="check test vectors instead")
    args = parser.parse_args()
    if bool(args.vectors) is bool(args.transcript):
        parser.error("name a transcript, or test vectors")
    if args.vectors and args.events:
        parser.error("test vectors have no events")
    paths: list[Path] = [args.vectors] if args.vectors else args.transcript
    tower = Tower()
    try:
        files = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
        read = files[0] if args.vectors else transcript_of(files)
        faults = list(faulty_vectors(read) if args.vectors else faults_of(read))
        if args.events:
            events = events_of([json.loads(path.read_text(encoding="utf-8")) for path in args.events])
            faults += faults_of_events(events, read["rolls"], tower)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as wrong:
        print(f"{paths[0]} cannot be checked: {type(wrong).__name__}: {wrong}", file=sys.stderr)
        return 2
    if args.commitment and not args.vectors and args.commitment.strip().lower() != read["commitment"]:
        faults.append("The commitment is not the one that you wrote down.")
    rolls = [r for g in read["games"] for r in g["rolls"]] if args.vectors else read["rolls"]
    entered = [r for r in rolls if r.get("source") == "entered"]
    for roll in entered:
        print(f"entered by hand: {roll['label']} no. {roll['index']} (d{roll['sides']}) shows {roll['value']}")
    for correction in tower.corrections:
        print(f"corrected by a game-master: {correction}")
    for fault in faults:
        print(f"WRONG {fault}")
    if tower.stood or tower.fell:
        print(f"{tower.stood + tower.fell} placements computed again: {tower.stood} stood, {tower.fell} fell")
    print(f"{len(rolls) - len(entered)} dice computed again, {len(entered)} entered by hand, {len(faults)} wrong")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
