"""The log as it is told: pages of events, outcomes of commands, dice and the chronicle, as plain JSON values.

Positions are cursors over the streams that the viewer may read: no number of the whole game is ever told.
"""

from datetime import datetime
from typing import Any

import orjson
from django.db.models import Q

from api.kit.viewer import Viewer
from games import cursors, selectors
from games.engine.audience import readable
from games.engine.kernel import Happening
from games.models import LoggedEvent
from games.selectors import EventPage, Told
from games.services import Outcome

WITH_DICE = ~Q(rolls="[]")
WITH_TEXT = ~Q(text="")


def page_json(page: EventPage) -> dict[str, Any]:
    """A page of events."""
    return {"results": [told.as_json() for told in page.results], "cursor": page.cursor, "more": page.more}


def outcome_json(outcome: Outcome, viewer: Viewer) -> dict[str, Any]:
    """What a command did, as far as this viewer may see it; for a dry run what it would do."""
    if outcome.imagined or outcome.last_seq < outcome.first_seq and not outcome.replayed:
        return _imagined_json(outcome, viewer)
    page = selectors.events_between(viewer.game, viewer.sight, outcome.first_seq, outcome.last_seq)
    events = [told.as_json() for told in page.results]
    return {"cursor": page.cursor, "at": outcome.at, "replayed": outcome.replayed, "events": events}
