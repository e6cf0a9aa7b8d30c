"""Who may open a page of a game: the desk is for its game-masters and its host, the screen for all."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest

from accounts.models import User
from api.common.authentication import Principal
from api.common.exceptions import Fault
from api.common.permissions import CONDUCT
from api.common.viewer import MISSING, Viewer, viewer_of
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.kernel import Actor, Command, Issuer
from games.models import Game, Seat
from worlds.visibility import Visibility

LEADERS = (Role.GM, Role.HOST)


@dataclass(frozen=True, slots=True)
class Leader:
    """Somebody at the desk of a game: how they look at it, and as what they act there."""

    viewer: Viewer
    role: Role

    def actor(self, command: type[Command]) -> Actor:
        """As whom they issue a command. Raises `issuer.other` for one that is not theirs."""
        viewer = self.viewer
        if self.role is Role.GM and not viewer.seats:
            return Actor(Issuer.GM, viewer.user, on_behalf_of=viewer.on_behalf_of)
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


def conducts(user: User | None) -> bool:
    """Whether somebody is an administrator who conducts games."""
    return user is not None and user.is_staff and user.has_perm(CONDUCT)


def leader_or_conductor(request: HttpRequest, game_id: UUID, acting_for: UUID | None = None) -> Leader:
    """The same, also for an administrator who conducts games without a seat at them.

    Raises what `leader_of` raises.
    """
    user = person(request)
    if user is None or not conducts(user) or Seat.objects.filter(game=game_id, user=user, role__in=LEADERS).exists():
        return leader_of(request, game_id, acting_for)
    game = Game.objects.select_related("world").filter(pk=game_id).first()
    if game is None:
        raise Refused("game.missing", MISSING)
    if acting_for is not None and not game.seats.filter(pk=acting_for).exists():
        raise Refused("seat.missing", "There is no such seat in this game.")
    return conductor(game, user.pk, acting_for)


def conductor(game: Game, user: UUID | None, acting_for: UUID | None = None) -> Leader:
    """An administrator at a game: they act as a game-master without a seat, as everywhere in the admin."""
    visibility = Visibility(user=user, gm_games=frozenset({game.pk}), admin=True)
    return Leader(Viewer(game, visibility, user, (), None, True, acting_for), Role.GM)


def principal_of(request: HttpRequest) -> Principal:
    """Who is signed in, as the streams take it."""
    return Principal(person(request))
