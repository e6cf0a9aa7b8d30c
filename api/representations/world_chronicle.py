"""The chronicle of a world as a setting to read: Markdown, with a heading for each chapter."""

from itertools import groupby

from api.common.markdown import escape_markdown, one_line
from worlds.models import Chronicle, World


def tale_of(world: World) -> bytes:
    """The whole chronicle in its order, in UTF-8; a world without one has its name alone. One query."""
    parts = [f"# {escape_markdown(one_line(world.name))}\n"]
    rows = Chronicle.objects.filter(world=world).order_by("position").values_list("heading", "text")
    for heading, lines in groupby(rows, key=lambda line: line[0]):
        parts.append(f"\n## {escape_markdown(one_line(heading))}\n\n" if heading else "\n")
        parts += [f"- {escape_markdown(one_line(text))}\n" for _, text in lines]
    return "".join(parts).encode()
