#!/usr/bin/env python3
"""Check the dice of a finished game without the service: Python's standard library and this file are enough.

usage: verify_dice.py [--commitment HEX] transcript.json ...
       verify_dice.py --vectors docs/dice-vectors.json

A transcript is {"game", "commitment", "secret", "rolls": [{"label", "index", "sides", "value", "source"}]}; the secret
is hexadecimal, game and commitment are those that were published before the first die. Dice with source `server` are
computed again, dice with source `entered` were rolled by a person at a real table and are listed. Exit status 1 when
the secret is not the one that was committed to, a die does not come out, or a label is used twice; 2 when the file
cannot be read. Several files are the pages of one game; a page of `dice/` has its rolls under `results`. `--commitment`
is the one that you wrote down before play. docs/dice.md describes the format.
"""

import argparse
import hmac
import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

SPAN = 2**32


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
    parser.add_argument("--vectors", type=Path, metavar="FILE", help="check test vectors instead")
    args = parser.parse_args()
    if bool(args.vectors) is bool(args.transcript):
        parser.error("name a transcript, or test vectors")
    paths: list[Path] = [args.vectors] if args.vectors else args.transcript
    try:
        files = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
        read = files[0] if args.vectors else transcript_of(files)
        faults = list(faulty_vectors(read) if args.vectors else faults_of(read))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as wrong:
        print(f"{paths[0]} cannot be checked: {type(wrong).__name__}: {wrong}", file=sys.stderr)
        return 2
    if args.commitment and not args.vectors and args.commitment.strip().lower() != read["commitment"]:
        faults.append("The commitment is not the one that you wrote down.")
    rolls = [r for g in read["games"] for r in g["rolls"]] if args.vectors else read["rolls"]
    entered = [r for r in rolls if r.get("source") == "entered"]
    for roll in entered:
        print(f"entered by hand: {roll['label']} no. {roll['index']} (d{roll['sides']}) shows {roll['value']}")
    for fault in faults:
        print(f"WRONG {fault}")
    print(f"{len(rolls) - len(entered)} dice computed again, {len(entered)} entered by hand, {len(faults)} wrong")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
