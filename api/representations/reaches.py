"""Reaches as both APIs answer them."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from api.common.viewer import Viewer
from games.engine.board.board import Square
from games.reads import selectors


def reaches_json(viewer: Viewer, subject: UUID | None) -> dict[str, Any]:
    """The squares that one subject, or each, borders as this viewer may see it, and the position for which that holds.

    Raises `race.missing`.
    """
    cursor = selectors.cursor_for(viewer.game, viewer.visibility)
    found = selectors.reaches(viewer.game, viewer.visibility, subject=subject)
    return {
        "cursor": cursor,
        "results": [
            {
                "subject": reach.subject,
                "free": squares_json(reach.free),
                "barren": squares_json(reach.barren),
                "held": [{"holder": h.holder, "squares": squares_json(h.squares)} for h in reach.held],
            }
            for reach in found
        ],
    }


def squares_json(squares: Iterable[Square]) -> list[dict[str, int]]:
    """Squares by column and row."""
    return [{"x": square.column, "y": square.row} for square in squares]
