"""The last events as the desk tells them."""

from typing import Any

from api.pages.access import Leader
from games.engine.game_state import Role
from games.reads import rewind_preview, selectors

LAST_EVENTS = 25


def events_of(leader: Leader) -> list[dict[str, Any]]:
    """The last events with a sentence, the latest first, each with the number to which one may rewind."""
    viewer = leader.viewer
    page = selectors.events_before(viewer.game, viewer.visibility, limit=2 * LAST_EVENTS)
    told = [event for event in page.results if event.text][-LAST_EVENTS:]
    numbers = rewind_preview.numbers_from(viewer.game, told[0].seq) if told and leader.role is Role.GM else {}
    return [
        {
            "at": event.at,
            "text": event.text,
            "rules": event.rules,
            "undone": event.undone,
            "number": None if event.undone else numbers.get(event.seq),
        }
        for event in reversed(told)
    ]
