"""Who may open a page of a game: the desk is for its game-masters and its host, the screen for all."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest

from accounts.models import User
from api.common.authentication import Principal
from api.common.exceptions import Fault
from api.common.viewer import Viewer, viewer_of
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.kernel import Actor, Command, Issuer

LEADERS = (Role.GM, Role.HOST)


@dataclass(frozen=True, slots=True)
class Leader:
    """Somebody at the desk of a game: how they look at it, and as what they act there."""

    viewer: Viewer
    role: Role

    def actor(self, command: type[Command]) -> Actor:
        """As whom they issue a command. Raises `issuer.other` for one that is not theirs."""
        viewer = self.viewer
        if self.role is Role.GM:
            return viewer.actor(command)
        if Issuer.HOST not in command.issuers:
            raise Refused("issuer.other", f"{command.slug()} is not for a host; a game-master can issue it.")
        return Actor(Issuer.HOST, viewer.user, viewer.require_seat(Role.HOST).pk)


def person(request: HttpRequest) -> User | None:
    """Who is signed in with a session; None: nobody."""
    return request.user if request.user.is_authenticated else None


def user_id_of(request: HttpRequest) -> UUID:
    """The id of who is signed in. Raises Fault (token.needed) for nobody."""
    user = person(request)
    if user is None:
        raise Fault("token.needed", "Sign in first.")
    return user.pk


def leader_of(request: HttpRequest, game_id: UUID, acting_for: UUID | None = None) -> Leader:
    """Who asks, at the desk of a game. acting_for: the seat that a game-master acts for.

    Raises `game.missing`, `seat.missing`, Fault (desk.refused, 403) for somebody who does not lead it.
    """
    user = person(request)
    whole = viewer_of(game_id, user.pk if user is not None else None)
    held = {seat.role: seat for seat in whole.seats}
    if Role.GM in held:
        return Leader(viewer_of(game_id, whole.user, seat=acting_for, as_="gm"), Role.GM)
    if Role.HOST in held:
        return Leader(viewer_of(game_id, whole.user, seat=held[Role.HOST].pk), Role.HOST)
    raise Fault("desk.refused", "The desk is for the game-masters and the host of a game; you hold no such seat here.")


def principal_of(request: HttpRequest) -> Principal:
    """Who is signed in, as the streams take it."""
    return Principal(person(request))
