"""Names that people give: how one is stored, when two are the same, and which are none. Pure, for rules too.

A name is stored in Unicode's composed form (NFC). Two names are the same that look alike to whoever reads them in a
list: after compatibility (NFKC) and case folding, without the characters that show nothing, and with single spaces.
Joiners and variation selectors stay where they were written: scripts and emoji need them.
"""

import unicodedata
from collections.abc import Iterable

DIRECTIONS = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))
"""Embeddings, overrides and isolates: they turn around whatever stands behind a name."""
VISIBLE_FORMATS = frozenset("\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd") | set(map(chr, range(0x600, 0x606)))
"""Characters of the category Cf that show: signs around numbers."""
BLANKS = frozenset(
    map(
        chr,
        (
            0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x2800, 0x3164, 0xFFA0,
            *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9), *range(0xE0000, 0xE1000),
        ),
    )
)  # fmt: skip
"""Characters of other categories that show nothing: fillers, variation selectors, the empty braille cell."""
LINE_BREAKS = ("Cc", "Cs", "Zl", "Zp")


def is_ignorable(character: str) -> bool:
    """Whether a character shows nothing, and takes no room."""
    if character.isascii():
        return False
    return character in BLANKS or (unicodedata.category(character) == "Cf" and character not in VISIBLE_FORMATS)


def comparable(name: str) -> str:
    """What two names have in common that are the same."""
    if name.isascii():
        return " ".join(name.lower().split())
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join("".join(each for each in folded if not is_ignorable(each)).split())


def is_same_name(name: str, other: str) -> bool:
    """Whether two names are the same."""
    return comparable(name) == comparable(other)


def is_among(name: str, others: Iterable[str]) -> bool:
    """Whether a name is the same as one of others."""
    wanted = comparable(name)
    return any(comparable(other) == wanted for other in others)


def name_with_number(name: str, others: Iterable[str]) -> str:
    """The name itself, or with the first number from 2 on under which it is the same as no other."""
    taken = {comparable(other) for other in others}
    names = (name, *(f"{name} {number}" for number in range(2, len(taken) + 3)))
    return next(each for each in names if comparable(each) not in taken)


def name_to_store(name: str, most: int | None = None) -> str:
    """A name as it is stored. most: characters. Raises ValueError with a sentence that says what would do."""
    for character in name:
        if unicodedata.category(character) in LINE_BREAKS:
            raise ValueError(f"A name has no control characters and is one line; take out U+{ord(character):04X}.")
        if character in DIRECTIONS:
            raise ValueError(f"A name does not turn the direction of text around; take out U+{ord(character):04X}.")
    if all(each.isspace() or is_ignorable(each) for each in name):
        raise ValueError("A name has at least one character that shows.")
    stored = unicodedata.normalize("NFC", name)
    if most is not None and len(stored) > most:
        raise ValueError(f"A name has at most {most} characters.")
    return stored
