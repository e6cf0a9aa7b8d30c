"""Lettering: text made safe for XML, measured, shortened, and placed where it disturbs least (pure)."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

JOINERS = "\u200c\u200d"
MARKS_IN_A_ROW = 3
NARROW = set("iljtfrI.,:;'|!()[]-· ")
WIDE = set("mwMW@%&")


def plain(text: str, limit: int = 400) -> str:
    """Text of a person without anything that could steer a page: no control characters, no direction marks.

    White space becomes single spaces, piles of combining marks are cut at three; not escaped yet.
    """
    letters: list[str] = []
    marks = 0
    for letter in text[: 4 * limit]:
        kind = unicodedata.category(letter)
        if kind in ("Zs", "Zl", "Zp") or letter in "\t\n\r\v\f":
            letter, marks = " ", 0
        elif kind[0] == "C" and letter not in JOINERS:
            continue
        elif kind[0] == "M":
            marks += 1
            if marks > MARKS_IN_A_ROW:
                continue
        else:
            marks = 0
        letters.append(letter)
    return " ".join("".join(letters).split())[:limit]


def xml(text: str) -> str:
    """Plain text escaped for XML content and attributes in double quotes."""
    return escape(text, {'"': "&quot;", "'": "&#39;"})


def width_of(text: str, size: float, spacing: float = 0.0) -> float:
    """About how wide a text is, in pixels; size and spacing (between letters) in pixels."""
    total = 0.0
    for letter in text:
        if unicodedata.combining(letter) or letter in JOINERS:
            continue
        if unicodedata.east_asian_width(letter) in "WF":
            total += 1.0
        elif letter in NARROW:
            total += 0.32
        elif letter in WIDE:
            total += 0.88
        else:
            total += 0.66 if letter.isupper() else 0.55
    return total * size + spacing * max(0, len(text) - 1)


def shorten(text: str, size: float, room: float) -> str:
    """The text, or as much of it as fits into `room` pixels, with an ellipsis."""
    if width_of(text, size) <= room:
        return text
    cut = text
    while cut and width_of(cut + "…", size) > room:
        cut = cut[:-1]
    return cut.rstrip() + "…"


def lines_of(text: str, size: float, room: float, most: int) -> list[str]:
    """The text broken between words into at most `most` lines of `room` pixels; the last one is shortened."""
    lines: list[str] = []
    rest = text.split(" ")
    while rest and len(lines) < most - 1:
        taken = 1
        while taken < len(rest) and width_of(" ".join(rest[: taken + 1]), size) <= room:
            taken += 1
        lines.append(shorten(" ".join(rest[:taken]), size, room))
        rest = rest[taken:]
    if rest:
        lines.append(shorten(" ".join(rest), size, room))
    return lines


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, x: float, y: float, width: float, height: float) -> "Box":
        """The box of this width and height with its middle at (x, y)."""
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    def overlap(self, other: "Box") -> float:
        """The area that two boxes share, in square pixels."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0


@dataclass(slots=True)
class Ground:
    """What already lies on the map, and how much a text would disturb it.

    Boxes are indexed by rough tiles, so that asking stays cheap on a full map.
    """

    frame: Box
    tile: float = 64.0
    tiles: dict[tuple[int, int], list[tuple[Box, float]]] = field(default_factory=dict)

    def put(self, box: Box, weight: float) -> None:
        """Something lies here; weight: cost of each square pixel that is covered."""
        for key in self._keys(box):
            self.tiles.setdefault(key, []).append((box, weight))

    def cost(self, box: Box) -> float:
        """How much a text in this box would disturb; infinite when it leaves the frame."""
        frame = self.frame
        if box.left < frame.left or box.top < frame.top or box.right > frame.right or box.bottom > frame.bottom:
            return float("inf")
        near = dict.fromkeys(entry for key in self._keys(box) for entry in self.tiles.get(key, ()))
        return sum(weight * box.overlap(other) for other, weight in near)

    def best(self, boxes: Iterable[tuple[float, Box]]) -> tuple[float, Box] | None:
        """The cheapest of some boxes, each with a cost of its own; None when none lies in the frame."""
        priced = [(own + self.cost(box), number, box) for number, (own, box) in enumerate(boxes)]
        if not priced:
            return None
        price, _, box = min(priced, key=lambda entry: entry[:2])
        return None if price == float("inf") else (price, box)

    def _keys(self, box: Box) -> Iterable[tuple[int, int]]:
        for column in range(int(box.left // self.tile), int(box.right // self.tile) + 1):
            for row in range(int(box.top // self.tile), int(box.bottom // self.tile) + 1):
                yield column, row
