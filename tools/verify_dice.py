"""Check the dice of a game without trusting its server: `python tools/verify_dice.py PAGE.json ...`.

A file is a page of `dice/` as the API serves it once the secret is shown, or {"game", "commitment", "secret",
"rolls": [{"label", "index", "sides", "value", "source"}]}; several files are the pages of one game. Every die of the
server is computed anew from the secret; dice entered at a real table are listed, their word is all there is.
`--commitment HEX` also compares with the commitment that you wrote down before play. `--vectors FILE` checks this
program against published test vectors. What is checked, and what cannot be: docs/dice.md. Standard library only.

Exit status: 0 all as it should be, 1 something does not match, 2 the files cannot be checked.
"""

import argparse
import hashlib
import hmac
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

SPAN = 2**32
SOURCES = {"server", "entered"}


class Uncheckable(Exception):
    """A file cannot be read or lacks what a check needs; the message says which and what."""


@dataclass(frozen=True, slots=True)
class Roll:
    """One die of a transcript."""

    label: str
    index: int
    sides: int
    value: int
    source: str
    tries: int | None


@dataclass(frozen=True, slots=True)
class Transcript:
    """The dice of one game, and what is needed to check them."""

    game: str
    commitment: str
    secret: bytes
    rolls: list[Roll]


def computed(secret: bytes, game: str, label: str, index: int, sides: int) -> tuple[int, int]:
    """The value of a die, 1 to `sides`, and how many HMACs it took."""
    limit, tries = SPAN - SPAN % sides, 0
    while True:
        message = f"{game}:{label}:{index}:{tries}".encode()
        v = int.from_bytes(hmac.digest(secret, message, hashlib.sha256)[:4], "big")
        tries += 1
        if v < limit:
            return 1 + v % sides, tries


def transcript_of(document: Any, name: str) -> Transcript:
    """A transcript from JSON. Raises Uncheckable with the place at fault."""
    if not isinstance(document, dict):
        raise Uncheckable(f"{name}: no JSON object")
    if "secret" in document and document["secret"] is None:
        raise Uncheckable(f"{name}: the secret is not shown yet; fetch the page again when the game is over")
    rolls = document["rolls"] if "rolls" in document else document.get("results")
    if not isinstance(rolls, list):
        raise Uncheckable(f'{name}: neither "rolls" nor "results" is a list')
    try:
        secret = bytes.fromhex(_typed(document, "secret", str))
    except ValueError as error:
        raise Uncheckable(f"{name}: the secret is not hexadecimal") from error
    try:
        read = [_roll(each, n) for n, each in enumerate(rolls)]
        return Transcript(_typed(document, "game", str), _typed(document, "commitment", str), secret, read)
    except Uncheckable as error:
        raise Uncheckable(f"{name}: {error}") from error


def _roll(each: Any, n: int) -> Roll:
    if not isinstance(each, dict):
        raise Uncheckable(f"roll {n} is no JSON object")
    try:
        return Roll(
            label=_typed(each, "label", str),
            index=_typed(each, "index", int),
            sides=_typed(each, "sides", int),
            value=_typed(each, "value", int),
            source=_typed(each, "source", str),
            tries=_typed(each, "tries", int) if "tries" in each else None,
        )
    except Uncheckable as error:
        raise Uncheckable(f"roll {n}: {error}") from error


def _typed(holder: dict[str, Any], key: str, kind: type) -> Any:
    if type(holder.get(key)) is not kind:
        raise Uncheckable(f'"{key}" is missing or no {"text" if kind is str else "whole number"}')
    return holder[key]


def joined(pages: Sequence[Transcript]) -> Transcript:
    """The pages of one game as one transcript. Raises Uncheckable when they are of several."""
    first = pages[0]
    if any(replace(page, rolls=[]) != replace(first, rolls=[]) for page in pages):
        raise Uncheckable("the files differ in game, commitment or secret; check one game at a time")
    return replace(first, rolls=[roll for page in pages for roll in page.rolls])


def mismatches(transcript: Transcript, noted: str | None = None) -> Iterator[str]:
    """What is wrong with a transcript, a sentence each. noted: the commitment as it was written down before play."""
    own = hashlib.sha256(transcript.secret).hexdigest()
    if own != transcript.commitment.lower():
        yield f"the secret's SHA-256 is {own}, not the commitment {transcript.commitment}"
    if noted is not None and own != noted.strip().lower():
        yield f"the secret's SHA-256 is {own}, not the commitment {noted} that was written down"
    for roll in transcript.rolls:
        die = f"{roll.label} #{roll.index} d{roll.sides}"
        if roll.source not in SOURCES:
            yield f"{die}: {roll.value} from {roll.source!r}, which is no source of a game's dice"
        elif not 2 <= roll.sides <= SPAN or roll.index < 0:
            yield f"{die}: there is no such die"
        elif roll.source == "entered":
            if not 1 <= roll.value <= roll.sides:
                yield f"{die}: {roll.value} was entered, which it cannot show"
        else:
            value, tries = computed(transcript.secret, transcript.game, roll.label, roll.index, roll.sides)
            if roll.value != value:
                yield f"{die}: {roll.value} was told, {value} follows from the secret"
            if roll.tries is not None and roll.tries != tries:
                yield f"{die}: {roll.tries} tries were told, it took {tries}"


def remarks(transcript: Transcript) -> Iterator[str]:
    """What is worth a look though it proves nothing: entered dice, a die used twice, dice left out."""
    places: dict[str, set[int]] = defaultdict(set)
    for roll in transcript.rolls:
        places[roll.label].add(roll.index)
        if roll.source == "entered":
            yield f"entered: {roll.label} #{roll.index} d{roll.sides} = {roll.value}"
    for (label, index), times in Counter((roll.label, roll.index) for roll in transcript.rolls).items():
        if times > 1:
            yield f"used {times} times: {label} #{index}"
    for label, indices in places.items():
        if max(indices) + 1 != len(indices):
            yield f"not in the files: {label} has #{max(indices)} but only {len(indices)} of the dice up to it"


def check_game(files: Sequence[Path], noted: str | None) -> int:
    """Check the pages of one game, print what was found; the exit status."""
    documents = [_read(path) for path in files]
    whole = joined([transcript_of(each, str(path)) for path, each in zip(files, documents, strict=True)])
    for line in remarks(whole):
        print(line)
    if isinstance(documents[-1], dict) and documents[-1].get("more"):
        print(f"{files[-1]} says that more dice follow: fetch them with ?after=<its cursor>")
    wrong = list(mismatches(whole, noted))
    for line in wrong:
        print(f"WRONG: {line}")
    entered = sum(roll.source == "entered" for roll in whole.rolls)
    print(f"{len(whole.rolls) - entered} dice of the server, {entered} entered, {len(wrong)} mismatches")
    return 1 if wrong else 0


def check_vectors(path: Path) -> int:
    """Check published test vectors, print what was found; the exit status."""
    document = _read(path)
    cases = document.get("vectors") if isinstance(document, dict) else None
    if not isinstance(cases, list) or not cases:
        raise Uncheckable(f'{path}: no "vectors"')
    read = [transcript_of(case, f"{path}, case {n}") for n, case in enumerate(cases)]
    wrong = [f"case {n}: {line}" for n, case in enumerate(read) for line in _strict(case)]
    for line in wrong:
        print(f"WRONG: {line}")
    print(f"{sum(len(case.rolls) for case in read)} dice in {len(cases)} cases, {len(wrong)} mismatches")
    return 1 if wrong else 0


def _strict(case: Transcript) -> Iterator[str]:
    yield from mismatches(case)
    yield from (f"{r.label} #{r.index} is not of the server" for r in case.rolls if r.source != "server")


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Uncheckable(f"{path}: {error}") from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line and check; the exit status."""
    parser = argparse.ArgumentParser(description="Check the dice of a game against its commitment.")
    parser.add_argument("files", nargs="*", type=Path, metavar="PAGE.json", help="the pages of one game's dice")
    parser.add_argument("--commitment", metavar="HEX", help="the commitment as you wrote it down before play")
    parser.add_argument("--vectors", type=Path, metavar="FILE", help="check this program against test vectors")
    asked = parser.parse_args(arguments)
    if bool(asked.files) == bool(asked.vectors) or (asked.vectors and asked.commitment):
        parser.error("give the pages of one game, or --vectors FILE")
    try:
        return check_vectors(asked.vectors) if asked.vectors else check_game(asked.files, asked.commitment)
    except Uncheckable as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
