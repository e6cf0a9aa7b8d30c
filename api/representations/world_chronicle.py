"""The chronicle of a world as a setting to read: Markdown, with a heading for each chapter."""

from itertools import groupby

from api.common.markdown import escape_markdown, one_line
from worlds.models import Chronicle, World


def tale_of(world: World) -> bytes:
    """The whole chronicle in its order, in UTF-8; a world without one has its name alone. One query.

    Each sentence stands once a chapter; its figures, of all times that it was told, in a second line.
    """
    parts = [f"# {escape_markdown(one_line(world.name))}\n"]
    rows = Chronicle.objects.filter(world=world).order_by("position").values_list("heading", "text", "figures")
    for heading, lines in groupby(rows, key=lambda line: line[0]):
        parts.append(f"\n## {escape_markdown(one_line(heading))}\n" if heading else "")
        told: dict[str, dict[str, None]] = {}
        for _, text, figures in lines:
            told.setdefault(text, {}).update({figures: None} if figures else {})
        for text, every in told.items():
            beside = f"  \n*{escape_markdown(one_line('; '.join(every)))}*" if every else ""
            parts.append(f"\n{escape_markdown(one_line(text))}{beside}\n")
    return "".join(parts).encode()
