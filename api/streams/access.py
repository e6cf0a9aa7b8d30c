"""Who watches a game over a stream, and whether they still may: asked at the start, each half minute, and when a
seat they look through changes hands. A stream lasts no longer than the token or the sign-in that opened it."""

from dataclasses import dataclass
from uuid import UUID

from accounts.models import Scope
from accounts.services import live_token
from accounts.sign_ins import user_of_session
from api.common.authentication import Principal
from api.common.exceptions import Fault
from api.common.permissions import require_reading, require_scope
from api.common.viewer import Viewer, look, visible_game
from core.places import routing
from games.engine.errors import Refused
from games.models import Game
from games.reads import selectors
from worlds.visibility import Visibility


@dataclass(frozen=True, slots=True)
class StreamViewer:
    """A principal at one game: what they asked to look through, and what they may see."""

    principal: Principal
    game: UUID
    ruleset: str
    seat: UUID | None
    as_gm: bool
    visibility: Visibility
    private: bool
    """Whether the game is for those alone who sit in it."""


def open_access(principal: Principal, game: UUID, *, seat: UUID | None, as_gm: bool, after: str = "") -> StreamViewer:
    """The viewer of a stream. Raises Fault (token.*), Refused (game.missing, seat.missing, gm.missing, cursor.*)."""
    require_reading(principal)
    if as_gm:
        require_scope(principal, Scope.GM)
    user = principal.user.pk if principal.user is not None else None

    def enter() -> tuple[Game, Viewer]:
        found = visible_game(game, user)
        viewer = look(found, user, seat=seat, as_="gm" if as_gm else "")
        selectors.check_cursor(found, viewer.visibility, after)
        return found, viewer

    found, viewer = routing.read_at(game, (Refused, Fault), enter)
    return StreamViewer(principal, game, found.ruleset, seat, as_gm, viewer.visibility, not found.is_public)


def is_refused(principal: Principal) -> bool:
    """Whether a token was revoked or has expired since; without one, whether the sign-in has ended."""
    if principal.token is not None:
        return live_token(principal.token.pk) is None
    return principal.user is not None and user_of_session(principal.session) != principal.user


def closing_reason(access: StreamViewer) -> str:
    """Empty while this viewer may go on; else why not: `token.refused`, or `view.changed`.

    `token.refused`: the token was revoked or has expired; of a ticket that was bought with a session: its person has
    signed out or has a new password; of both: the person was deactivated or retired.
    """
    principal = access.principal
    if is_refused(principal):
        return "token.refused"
    try:
        now = open_access(principal, access.game, seat=access.seat, as_gm=access.as_gm)
    except (Refused, Fault):
        return "view.changed"
    return "" if now.visibility == access.visibility else "view.changed"
