"""The sheet that charts and trees are drawn on: size, title, styles, and words for those who cannot see it."""

from collections.abc import Iterable

from worlds.drawing.labels import plain, shorten, xml
from worlds.drawing.map_svg import SANS, SERIF
from worlds.drawing.palette import FADED, INK, PAPER

MARGIN = 34
HEAD = 92


def sheet(
    width: int, height: int, *, title: str, subtitle: str, description: str, styles: str, parts: Iterable[str]
) -> str:
    """A whole SVG document. width, height: pixels. description: the picture in words; styles: CSS besides that of all
    sheets.

    Texts are plain ones; they are cut, cleaned and escaped here.
    """
    room = width - 2 * MARGIN
    title, subtitle = plain(title) or "Picture", plain(subtitle)
    heading = [f'<text x="{MARGIN}" y="42" class="title">{xml(shorten(title, 28, room))}</text>']
    if subtitle:
        heading.append(f'<text x="{MARGIN}" y="62" class="sub">{xml(shorten(subtitle, 15, room))}</text>')
    return _document(width, height, title, subtitle, description, styles, [*heading, *parts])


def wall_sheet(
    width: int, height: int, *, title: str, subtitle: str, description: str, styles: str, parts: Iterable[str]
) -> str:
    """As `sheet` without a heading, for a picture beside words that say what it is; the title is only read out."""
    return _document(width, height, plain(title) or "Picture", plain(subtitle), description, styles, parts)


def _document(
    width: int, height: int, title: str, subtitle: str, description: str, styles: str, parts: Iterable[str]
) -> str:
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-labelledby="sheet-title sheet-desc">',
        f'<title id="sheet-title">{xml(": ".join(filter(None, (title, subtitle))))}</title>',
        f'<desc id="sheet-desc">{xml(plain(description, 4000))}</desc>',
        f"<style>svg{{font-family:{SANS};fill:{INK}}}.title{{font:600 27px {SERIF}}}"
        f".sub{{font:italic 15px {SERIF};fill:{FADED}}}{styles}</style>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
    ]
    return "\n".join([*lines, *(part for part in parts if part), "</svg>", ""])
