"""Charts, trees and cards as both APIs show them: as JSON and as SVG, as the viewer may see them."""

from typing import Any
from uuid import UUID

from api.common.viewer import Viewer
from api.representations.table import chapter_json
from games import registry
from games.drawing.cards import card_svg
from games.drawing.charts import chart_svg, wall_chart_svg
from games.drawing.trees import tree_svg
from games.engine.errors import Refused
from games.engine.insight.charts import Moment, Node, Progress, Row
from games.reads import history


def pictures_json(viewer: Viewer) -> dict[str, Any]:
    """What there is to look at in a game: no query but a read of the state where it has cards."""
    rules = registry.ruleset(viewer.game.ruleset)
    return {
        "chapter": chapter_json(viewer.game.ruleset, viewer.game.chapter),
        "charts": [
            {"name": name, "title": chart.title, "unit": chart.unit, "about": chart.about.value}
            for name, chart in sorted(rules.charts.items())
        ],
        "trees": [{"name": name} for name in sorted(rules.trees)],
        "cards": [
            {"kind": kind, "title": title, "cards": [{"id": each.id, "name": each.name} for each in names]}
            for kind, title, names in history.decks(viewer.game, viewer.visibility)
        ],
    }


def card_of(viewer: Viewer, kind: str, subject: UUID) -> bytes:
    """A card as SVG in UTF-8. Raises `card.missing`."""
    card, colour = history.card(viewer.game, viewer.visibility, kind, subject)
    return card_svg(card, viewer.game.name, colour).encode()


def chart_json(viewer: Viewer, name: str, subject: UUID | None) -> dict[str, Any]:
    """A chart with its values. Raises `chart.missing`, `race.missing`, `subject.needed`, `subject.unneeded`."""
    found = history.series(viewer.game, viewer.visibility, name, subject)
    return {
        "name": name,
        "title": found.chart.title,
        "unit": found.chart.unit,
        "subject": subject,
        "over": found.chart.over,
        "moments": [_moment(moment) for moment in found.moments],
        "rows": [_row(row) for row in found.rows],
    }


def chart_of(viewer: Viewer, name: str, subject: UUID | None) -> bytes:
    """A chart as SVG in UTF-8. Raises what `chart_json` raises."""
    return chart_svg(history.series(viewer.game, viewer.visibility, name, subject), viewer.game.name).encode()


def wall_chart_of(viewer: Viewer, name: str, then: history.ChartMoment, chapter: int | None = None) -> bytes:
    """A chart as it was then, to be read from afar, as SVG in UTF-8. chapter: whose end is marked in it; None: none.

    Raises what `chart_json` raises, and `chart.missing` where there is nothing on it yet.
    """
    found = history.series_at(viewer.game, viewer.visibility, name, then)
    if not found.rows:
        raise Refused("chart.missing", f"There is nothing on the chart {name} yet.")
    return wall_chart_svg(found, viewer.game.name, chapter).encode()


def tree_json(viewer: Viewer, name: str, subject: UUID | None) -> dict[str, Any]:
    """A tree, and how far one subject has come, or every one. Raises `tree.missing`, `race.missing`."""
    found = history.tree(viewer.game, viewer.visibility, name, subject)
    return {
        "name": name,
        "title": found.title,
        "nodes": [_node(node) for node in found.nodes],
        "edges": [{"source": source, "target": target} for source, target in found.edges],
        "progress": [_progress(progress) for progress in found.progress],
    }


def tree_of(viewer: Viewer, name: str, subject: UUID | None) -> bytes:
    """A tree as SVG in UTF-8, with how far a subject has come where one is named. Raises what `tree_json` raises."""
    found = history.tree(viewer.game, viewer.visibility, name, subject)
    return tree_svg(found, found.progress[0] if subject is not None else None, viewer.game.name).encode()


def _moment(moment: Moment) -> dict[str, Any]:
    """A moment; what names an event is left out of the end of a chapter."""
    event = {"event": moment.event, "label": moment.label} if moment.event else {}
    return {"chapter": moment.chapter, "ended": moment.ended} | event


def _row(row: Row) -> dict[str, Any]:
    return {"key": row.key, "name": row.name, "amounts": list(row.amounts)}


def _node(node: Node) -> dict[str, Any]:
    return {
        "key": node.key,
        "name": node.name,
        "level": node.level,
        "code": node.code,
        "prerequisites": list(node.needs),
        "asks": list(node.asks),
    }


def _progress(progress: Progress) -> dict[str, Any]:
    return {
        "subject": progress.subject,
        "name": progress.name,
        "known": list(progress.known),
        "next": list(progress.next),
        "locked": list(progress.locked),
    }
