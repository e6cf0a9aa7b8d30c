"""Trees: what needs what, in columns by level; what one subject has, what it can get next, what is locked (pure).

The three differ by a sign and by the border as well as by colour: a tick and a full box, a star and a thick
border, a lock and a dashed border.
"""

from collections.abc import Iterator, Mapping

from games.drawing.layers import Item, Layers, layer_nodes
from games.drawing.sheet import HEAD, MARGIN, sheet
from games.engine.insight.charts import Node, Progress, Tree
from worlds.drawing.contours import num
from worlds.drawing.labels import plain, shorten, width_of, xml
from worlds.drawing.palette import FADED, INK, PAPER

BOX, TALL, GAP = 172, 40, 86
"""Width and height of a node, and the room between two columns."""
ROW, WAY = 56, 20
"""Height of a node with the room below it, and of a passing edge."""
TOP = HEAD + 20
KNOWN, NEXT, LOCKED, PLAIN = "known", "next", "locked", "plain"
SIGNS = {
    KNOWN: "M2 7L6 11L13 2",
    NEXT: "M7.5 0L9.4 5.2L15 5.4L10.6 8.8L12.1 14L7.5 10.9L2.9 14L4.4 8.8L0 5.4L5.6 5.2Z",
    LOCKED: "M4.5 6.5V4A3 3 0 0 1 10.5 4V6.5M2.5 6.5H12.5V13H2.5Z",
}
STYLES = (
    f".level{{font:600 12px sans-serif;fill:{FADED};letter-spacing:.08em;text-anchor:middle}}"
    ".n{font-size:13px;font-weight:600}"
    f".c{{font-size:10.5px;fill:{FADED}}}.r{{font-size:13px}}.edge{{fill:none;stroke:{FADED};stroke-width:1.5}}"
    f".edge-known{{stroke:{INK};stroke-width:2.4}}"
    f".plain rect{{fill:#fffdf7;stroke:{INK};stroke-width:1.3}}"
    ".known rect{fill:#cfe3c0;stroke:#2c5a1e;stroke-width:1.6}.known .s{fill:none;stroke:#2c5a1e;stroke-width:2.4}"
    ".next rect{fill:#fff3c4;stroke:#8a5a00;stroke-width:3.2}.next .s{fill:#8a5a00}"
    f".locked rect{{fill:{PAPER};stroke:{FADED};stroke-width:1.3;stroke-dasharray:5 3}}"
    f".locked .n{{fill:#5d554a}}.locked .s{{fill:none;stroke:{FADED};stroke-width:1.5}}"
)


def tree_svg(tree: Tree, progress: Progress | None = None, subtitle: str = "") -> str:
    """Draw a tree, with the progress of one subject where it is given. Levels go from left to right."""
    layers = layer_nodes([(node.key, node.level) for node in tree.nodes], tree.edges)
    places, bottom = _places(layers)
    width = 2 * MARGIN + max(1, len(layers.columns)) * (BOX + GAP) - GAP
    title = tree.title if progress is None else f"{tree.title} of {plain(progress.name, 60)}"
    parts = [
        *_heads(layers),
        *_edges(layers, places, progress),
        *(_node(node, places, progress) for node in tree.nodes),
        *(_key(tree, bottom + 26) if progress is not None else ()),
    ]
    height = int(bottom) + (58 if progress is not None else 20)
    description = _tree_in_words(tree, progress)
    return sheet(
        max(width, 720), height, title=title, subtitle=subtitle, description=description, styles=STYLES, parts=parts
    )


def _column_x(column: int) -> int:
    return MARGIN + column * (BOX + GAP)


def _high(item: Item) -> int:
    return ROW if isinstance(item, str) else WAY


def _places(layers: Layers) -> tuple[dict[Item, tuple[int, float]], float]:
    """The column and the middle's height of every item, and where the longest column ends; columns are centred."""
    heights = [sum(map(_high, column)) for column in layers.columns]
    most = max(heights, default=0)
    places: dict[Item, tuple[int, float]] = {}
    for number, column in enumerate(layers.columns):
        spread = (most - heights[number]) / max(1, len(column))
        y = TOP + spread / 2
        for item in column:
            places[item] = number, y + _high(item) / 2
            y += _high(item) + spread
    return places, TOP + most


def _heads(layers: Layers) -> Iterator[str]:
    for column in range(len(layers.columns)):
        yield f'<text x="{_column_x(column) + BOX // 2}" y="{HEAD}" class="level">LEVEL {column + 1}</text>'


def _edges(layers: Layers, places: Mapping[Item, tuple[int, float]], progress: Progress | None) -> Iterator[str]:
    """Each step as a curve between two columns; where an edge passes a column, a straight line through it."""
    known = frozenset(progress.known) if progress is not None else frozenset[str]()
    quiet: list[str] = []
    strong: list[str] = []
    for low, high in layers.steps:
        (column, y), (_, end) = places[low], places[high]
        from_x, to_x = _column_x(column) + BOX, _column_x(column + 1)
        bend = GAP // 2
        way = f"M{from_x} {num(y)}C{from_x + bend} {num(y)} {to_x - bend} {num(end)} {to_x} {num(end)}"
        if not isinstance(high, str):
            way += f"h{BOX}"
        start = low if isinstance(low, str) else low[0]
        (strong if start in known else quiet).append(way)
    for ways, style in ((quiet, "edge"), (strong, "edge edge-known")):
        if ways:
            yield f'<path d="{"".join(ways)}" class="{style}"/>'


def _state_of(key: str, progress: Progress | None) -> str:
    if progress is None:
        return PLAIN
    return KNOWN if key in progress.known else NEXT if key in progress.next else LOCKED


def _node(node: Node, places: Mapping[Item, tuple[int, float]], progress: Progress | None) -> str:
    column, middle = places[node.key]
    x, y, state = _column_x(column), middle - TALL / 2, _state_of(node.key, progress)
    sign = SIGNS.get(state, "")
    under = "; ".join(filter(None, (plain(label, 80) for label in (node.code, *node.asks))))
    label = f"{plain(node.name, 120)}: {state}" if progress is not None else plain(node.name, 120)
    drawn = f'<path class="s" d="{sign}" transform="translate({BOX - 22} 6)"/>' if sign else ""
    room = BOX - 16 - (20 if sign else 0)
    return (
        f'<g class="{state}" transform="translate({x} {num(y)})"><title>{xml(label)}</title>'
        f'<rect width="{BOX}" height="{TALL}" rx="5"/>{drawn}'
        f'<text x="8" y="18" class="n">{xml(shorten(plain(node.name), 14.6, room))}</text>'
        f'<text x="8" y="33" class="c">{xml(shorten(under, 10.5, BOX - 16))}</text></g>'
    )


def _key(tree: Tree, y: float) -> Iterator[str]:
    """What the signs mean, below the tree."""
    x: float = MARGIN
    for state, label in ((KNOWN, tree.known), (NEXT, "next"), (LOCKED, "locked")):
        yield (
            f'<g class="{state}" transform="translate({num(x)} {num(y - 16)})"><rect width="26" height="22" rx="4"/>'
            f'<path class="s" d="{SIGNS[state]}" transform="translate(5.5 4)"/>'
            f'<text x="34" y="15" class="r">{xml(plain(label))}</text></g>'
        )
        x += 34 + width_of(label, 13) + 34


def _tree_in_words(tree: Tree, progress: Progress | None) -> str:
    names = {node.key: plain(node.name, 60) for node in tree.nodes}
    if progress is None:
        needs = {node.key: ", ".join(names[need] for need in node.needs) for node in tree.nodes}
        sentences = [f"{names[key]} needs {need}" if need else names[key] for key, need in needs.items()]
        return f"{len(tree.nodes)} in {max((n.level for n in tree.nodes), default=0)} levels: {'; '.join(sentences)}."
    parts = ((tree.known.title(), progress.known), ("Next", progress.next), ("Locked", progress.locked))
    return " ".join(f"{word}: {', '.join(names.get(key, key) for key in keys) or 'none'}." for word, keys in parts)
