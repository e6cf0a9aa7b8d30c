"""What a rewind would undo, as both APIs answer it: for game-masters alone."""

from dataclasses import asdict
from typing import Any

from api.common.viewer import Viewer
from games.reads import selectors
from games.reads.rewind_preview import rewind_preview


def rewind_preview_json(viewer: Viewer, to: int, limit: int) -> dict[str, Any]:
    """The events behind event `to`, the latest first. Raises `gm.missing`, `history.missing`."""
    viewer.seat_of_gm()
    cursor = selectors.cursor_for(viewer.game, viewer.visibility)
    found = rewind_preview(viewer.game, viewer.visibility, to, limit)
    return {
        "cursor": cursor,
        "to": found.to,
        "moment": found.moment,
        "count": found.count,
        "results": [asdict(each) for each in found.results],
        "more": found.more,
    }
