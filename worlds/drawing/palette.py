"""The palette: colours of terrain and the small drawings on the map (pure).

Muted, so that the colours of races stand out; all drawings are in a box of 100 by 100 and scaled by their user.
"""

from hashlib import sha256

PAPER = "#f7f3e8"
INK = "#2f2a24"
FADED = "#7a7063"
SEA = "#c3d6df"
SHOAL = "#9dbccb"
COAST = "#6d8794"

GROUNDS = {
    "P": "#e3dfb4", "plains": "#e3dfb4", "grassland": "#d9dcae", "steppe": "#e2d8ab",
    "F": "#bccf9f", "forest": "#bccf9f", "jungle": "#a5c08a", "woodland": "#c2d0a2",
    "D": "#f0deb0", "desert": "#f0deb0", "beach": "#f3e6c2",
    "M": "#cbbfb1", "mountains": "#cbbfb1", "mountain": "#cbbfb1", "hills": "#d6cda9", "volcanic": "#b9aaa2",
    "I": "#eef3f5", "ice": "#eef3f5", "tundra": "#dde3da", "snow": "#f2f5f6",
    "W": SEA, "water": SEA, "ocean": SEA, "sea": SEA, "deep": "#aec7d4", "lake": "#b9d2de", "shallows": "#cfe0e6",
    "swamp": "#b9c3a4", "marsh": "#bdc8a8",
}  # fmt: skip
OTHER_GROUNDS = ("#d9cfc0", "#cfd3b8", "#e0cdb8", "#c9d1c6", "#d8c6c0", "#cdc9d6", "#dcd7c3", "#c4cec9")
SYMBOLS = {
    "P": "plains", "grassland": "plains", "steppe": "plains", "F": "forest", "jungle": "forest", "woodland": "forest",
    "D": "desert", "M": "mountains", "mountain": "mountains", "hills": "mountains", "I": "ice", "tundra": "ice",
    "snow": "ice", "marsh": "swamp",
}  # fmt: skip

# Terrain drawings, in thin lines.
STROKES = {
    "plains": "M24 62l5-12M31 62l1-15M38 62l-3-12M62 42l5-10M68 42l1-12M75 42l-3-10",
    "forest": "M30 66v-10M30 30l-11 27h22zM60 80v-10M60 44l-11 27h22zM73 50v-8M73 20l-10 23h20z",
    "desert": "M16 58q14-16 28 0q14-16 28 0M40 34q10-11 20 0q10-11 20 0M34 78q10-10 20 0q10-10 20 0",
    "mountains": "M12 74l24-44l24 44M29 44l7 8l6-7M50 56l16-28l24 46M60 38l6 7l6-6",
    "ice": "M30 26v26M19 32l22 14M41 32l-22 14M68 52v26M57 58l22 14M79 58l-22 14",
    "swamp": "M18 66h26M24 66v-12M31 66v-18M38 66v-12M54 44h26M60 44v-12M67 44v-18M74 44v-12",
}
# Shades over the terrain: ink, and thin lines.
SHADES = {
    "tropical": ("#1f7a3d", "M25 20v22M14 31h22M75 58v22M64 69h22"),
    "arid": ("#b5651d", "M22 30h4M72 22h4M48 52h4M24 76h4M78 74h4"),
    "cold": ("#3b6ea5", "M30 18v24M18 30h24M70 58v24M58 70h24M21 21l18 18M39 21l-18 18M61 61l18 18M79 61l-18 18"),
    "polar": ("#5b7fa3", "M0 25h100M0 75h100"),
    "fantastic": ("#7b2d8e", "M50 18l8 22h24l-19 15l7 23l-20-14l-20 14l7-23l-19-15h24z"),
    "floating": ("#3f3d8f", "M12 84q12-14 26 0q12-14 26 0q12-14 26 0"),
}
OTHER_SHADES = ("M0 100L100 0", "M0 0L100 100", "M0 50h100", "M50 0v100")
# Marks of features, filled.
CITY = "M14 88V50L32 34L50 50V88zM50 88V38H58V28H66V38H74V28H82V38H86V88z"
GREAT_CITY = "M8 90V40H16V30H24V40H32V52H38V24H36L50 4L64 24H62V52H68V40H76V30H84V40H92V90zM44 90V74Q50 64 56 74V90z"
MARKS = (
    "M50 12L88 84H12z",
    "M50 8L90 50L50 92L10 50z",
    "M50 8L61 38L92 38L67 57L77 88L50 70L23 88L33 57L8 38L39 38z",
    "M38 12H62V38H88V62H62V88H38V62H12V38H38z",
    "M28 12H72L94 50L72 88H28L6 50z",
    "M50 6Q86 52 84 66A34 30 0 0 1 16 66Q14 52 50 6z",
    "M16 16H84V84H16zM34 34V66H66V34z",
    "M50 8A42 42 0 1 1 49.9 8zM50 30A20 20 0 1 0 50.1 30z",
    "M12 16H88L50 88z",
    "M50 10A40 40 0 1 1 49.9 10z",
    "M8 62Q50 -18 92 62L76 88H24z",
    "M12 14L50 34L88 14L68 50L88 86L50 66L12 86L32 50z",
)
KNOWN_MARKS = {
    "volcano": "M36 22H64L94 88H6zM42 22Q50 44 58 22z",
    "river": "M18 6Q70 26 40 48T52 94H88Q62 70 76 50T56 6z",
    "army": "M20 10L50 40L80 10L90 20L60 50L90 80L80 90L50 60L20 90L10 80L40 50L10 20z",
    "avatar": "M50 6A18 18 0 1 1 49.9 6zM18 92Q18 46 50 46T82 92z",
    "landmark": "M22 92V80H34L40 24L50 4L60 24L66 80H78V92z",
    "impenetrable_mountains": "M4 88L34 24L50 54L64 34L96 88z",
    "mineral_resource": "M28 18H72L94 42L50 92L6 42z",
}
MARK_INKS = ("#7c2d12", "#1e3a5f", "#4c1d6b", "#14532d", "#6b1d3f", "#3f3f10", "#0e4a52", "#5b3413")


def ground(key: str) -> str:
    """The colour of a terrain; a key of an unknown game has one that follows from its letters."""
    if key in GROUNDS:
        return GROUNDS[key]
    return OTHER_GROUNDS[sha256(key.encode()).digest()[0] % len(OTHER_GROUNDS)]


def shade(key: str) -> tuple[str, str]:
    """Ink and drawing of a shade; a key of an unknown game has those that follow from its letters."""
    if key in SHADES:
        return SHADES[key]
    byte = sha256(key.encode()).digest()[0]
    return MARK_INKS[byte % len(MARK_INKS)], OTHER_SHADES[byte // 16 % len(OTHER_SHADES)]


def strokes(key: str) -> str:
    """The drawing of a terrain as path data, "" for none."""
    return STROKES.get(SYMBOLS.get(key, key), "")


def mark_shapes(kinds: list[str]) -> dict[str, tuple[str, str]]:
    """A drawing and an ink for each kind of mark: known ones their own, the others in the order of their keys."""
    shapes: dict[str, tuple[str, str]] = {}
    others = 0
    for number, kind in enumerate(sorted(set(kinds))):
        ink = MARK_INKS[number % len(MARK_INKS)]
        if kind in KNOWN_MARKS:
            shapes[kind] = (KNOWN_MARKS[kind], ink)
        else:
            shapes[kind] = (MARKS[others % len(MARKS)], ink)
            others += 1
    return shapes


def colour_or_grey(colour: str) -> str:
    """A colour "#rrggbb" as it is; anything else becomes grey, so that no foreign text enters the drawing."""
    hexes = colour[1:].lower()
    readable = len(colour) == 7 and colour[0] == "#" and all(digit in "0123456789abcdef" for digit in hexes)
    return "#" + hexes if readable else "#808080"


def mix(colour: str, other: str, percent: int) -> str:
    """`percent` of `other` in `colour`, both "#rrggbb", each channel rounded down."""
    pairs = [(int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{(one * (100 - percent) + two * percent) // 100:02x}" for one, two in pairs)
