"""Emblems: the face of a people, a god or a hero, as SVG; the same for the same kind, name, trait and colour (pure).

A shape by its kind, a field in two colours, and on it a charge: the one that its trait names, else one by a hash of the
name. No word of anybody is in it.
"""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from worlds.drawing.contours import num
from worlds.drawing.palette import colour_or_grey, mix
from worlds.ids import INKS


class Shape(StrEnum):
    """What an emblem is drawn on."""

    SHIELD = "shield"
    DISC = "disc"
    HEXAGON = "hexagon"


@dataclass(frozen=True, slots=True)
class Charge:
    """A figure of 100 by 100. words: what of a trait names it. line: whether it is drawn as a line."""

    path: str
    words: frozenset[str]
    line: bool = False


DARK, LIGHT = "#17181b", "#fdfbf3"
OUTLINES = {
    Shape.SHIELD: "M8 6H92V46Q92 80 50 97Q8 80 8 46Z",
    Shape.DISC: "M50 4A46 46 0 1 1 49.9 4Z",
    Shape.HEXAGON: "M50 3L92 26V74L50 97L8 74V26Z",
}
DIVISIONS = (
    "", "M0 0H50V100H0Z", "M0 0H100V50H0Z", "M0 0H100L0 100Z", "M0 0L50 50L0 100ZM100 0L50 50L100 100Z",
    "M0 0H100V24H0Z", "M36 0H64V100H36Z", "M0 38H100V62H0Z", "M0 0H50V50H0ZM50 50H100V100H50Z",
)  # fmt: skip
"""The part of the field that has the second colour."""
CHARGES = (
    Charge(
        "M50 32A18 18 0 1 1 49.9 32ZM47 12H53V26H47ZM47 74H53V88H47ZM12 47H26V53H12ZM74 47H88V53H74ZM22 26L26 22"
        "L36 32L32 36ZM78 26L74 22L64 32L68 36ZM22 74L26 78L36 68L32 64ZM78 74L74 78L64 68L68 64Z",
        frozenset({"sun", "light", "dawn", "day", "sky"}),
    ),
    Charge("M62 18A34 34 0 1 0 82 66A28 28 0 1 1 62 18Z", frozenset({"moon", "night", "dream", "dreams", "sleep"})),
    Charge(
        "M16 38Q27 26 38 38T60 38T84 38M16 54Q27 42 38 54T60 54T84 54M16 70Q27 58 38 70T60 70T84 70",
        frozenset({"sea", "water", "river", "rivers", "tide", "rain", "coast"}),
        line=True,
    ),
    Charge("M24 20H76V42H56V84H44V42H24Z", frozenset({"forge", "smith", "craft", "hammer", "iron", "work"})),
    Charge(
        "M12 50Q50 14 88 50Q50 86 12 50ZM50 36A14 14 0 1 0 50.1 36ZM50 44A6 6 0 1 1 49.9 44Z",
        frozenset({"eye", "knowledge", "truth", "secrets", "fate", "magic"}),
    ),
    Charge("M50 12L72 40H62L80 66H56V86H44V66H20L38 40H28Z", frozenset({"tree", "forest", "nature", "growth", "life"})),
    Charge("M26 22H36V32H45V22H55V32H64V22H74V42H68V84H32V42H26Z", frozenset({"tower", "city", "cities", "law"})),
    Charge(
        "M52 12Q78 40 72 62Q68 86 50 86Q32 86 28 64Q26 48 38 36Q40 50 47 52Q42 32 52 12Z",
        frozenset({"fire", "flame", "war", "wrath", "ember"}),
    ),
    Charge("M10 80L38 28L52 52L62 38L90 80Z", frozenset({"mountain", "mountains", "earth", "stone"})),
    Charge("M47 10L50 6L53 10V60H66V67H53V84H47V67H34V60H47Z", frozenset({"sword", "battle", "death", "blade"})),
    Charge(
        "M50 12L59 39H88L65 56L74 84L50 67L26 84L35 56L12 39H41Z",
        frozenset({"star", "stars", "hope", "luck"}),
    ),
    Charge("M18 76L14 32L34 50L50 24L66 50L86 32L82 76Z", frozenset({"crown", "king", "rule", "order", "kings"})),
    Charge("M50 10Q86 42 54 78V90H46V78Q14 42 50 10Z", frozenset({"leaf", "harvest", "spring", "fields", "healing"})),
    Charge(
        "M50 14A17 17 0 1 0 50.1 14ZM50 24A7 7 0 1 1 49.9 24ZM46 46H54V86H70V78H62V72H54Z",
        frozenset({"key", "thresholds", "doors", "roads", "trade", "travel"}),
    ),
    Charge(
        "M30 84Q76 78 64 60Q54 50 40 42Q24 28 50 20Q64 16 72 24",
        frozenset({"serpent", "snake", "poison", "chaos", "deceit", "shadow"}),
        line=True,
    ),
    Charge("M58 8L26 54H46L38 92L74 42H53Z", frozenset({"storm", "storms", "lightning", "thunder", "wind"})),
    Charge("M50 86Q8 54 18 30Q30 10 50 32Q70 10 82 30Q92 54 50 86Z", frozenset({"heart", "love", "joy", "mercy"})),
    Charge("M12 34Q34 26 46 44L50 36L54 44Q66 26 88 34Q70 44 62 60L50 82L38 60Q30 44 12 34Z", frozenset({"air"})),
)


def emblem_parts(shape: Shape, name: str, trait: str = "", colour: str = "") -> str:
    """What is inside an SVG of 100 by 100. name: of whom it is; trait: words of what they stand for; "" for none.

    colour: theirs on the map, "#rrggbb"; "" for one by the name.
    """
    lot = sha256(name.casefold().encode()).digest()
    field = colour_or_grey(colour or INKS[lot[0] % len(INKS)])
    second = mix(field, (LIGHT, DARK)[lot[1] % 2], 55)
    division, charge = DIVISIONS[lot[2] % len(DIVISIONS)], charge_of(trait, lot[3])
    ink = DARK if _is_light(field) else LIGHT
    edge = LIGHT if ink == DARK else DARK
    clip = f"{shape.value}-{lot.hex()[:10]}"
    figure = (
        f'fill="none" stroke="{ink}" stroke-width="9" stroke-linecap="round"'
        if charge.line
        else f'fill="{ink}" fill-rule="evenodd" stroke="{edge}" stroke-width="2" stroke-opacity=".6"'
    )
    parts = [
        f'<clipPath id="{clip}"><path d="{OUTLINES[shape]}"/></clipPath>',
        f'<g clip-path="url(#{clip})"><rect width="100" height="100" fill="{field}"/>',
        f'<path d="{division}" fill="{second}"/>' if division else "",
        f'<path d="{charge.path}" transform="translate(14 13) scale(.72)" {figure}/></g>',
        f'<path d="{OUTLINES[shape]}" fill="none" stroke="{mix(field, edge, 50)}" stroke-width="5"/>',
    ]
    return "".join(parts)


def emblem_at(shape: Shape, name: str, left: float, top: float, size: float, trait: str = "", colour: str = "") -> str:
    """An emblem within a picture. left, top, size: in pixels; the others as in `emblem_parts`."""
    parts = emblem_parts(shape, name, trait, colour)
    return f'<g transform="translate({num(left)} {num(top)}) scale({num(size / 100)})">{parts}</g>'


def charge_of(trait: str, lot: int) -> Charge:
    """The charge that a trait names by one of its words, else the one of a lot (0 to 255)."""
    words = set(trait.casefold().replace(",", " ").split())
    return next((charge for charge in CHARGES if charge.words & words), CHARGES[lot % len(CHARGES)])


def _is_light(colour: str) -> bool:
    """Whether dark ink is read better on a colour."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 299 * red + 587 * green + 114 * blue > 150_000
