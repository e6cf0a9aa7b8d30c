"""Who may open a page of a game: the desk is for who leads it, a seat for its player, the screen for all."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse

from accounts.models import User
from api.common.authentication import Principal
from api.common.exceptions import Fault
from api.common.permissions import CONDUCT
from api.common.viewer import Viewer, conductor_of, holds_seat, viewer_of
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.kernel import Actor, Command, Issuer

LEADERS = (Role.GM, Role.HOST)
ISSUERS = {Role.GM: Issuer.GM, Role.HOST: Issuer.HOST, Role.PLAYER: Issuer.SEAT}
"""As what people issue commands from their page."""
OTHERS = {Role.HOST: "a game-master can issue it", Role.PLAYER: "those who lead the game can issue it"}
"""Who issues what is not for somebody."""


@dataclass(frozen=True, slots=True)
class PageViewer:
    """Somebody at a page of a game: how they look at it, and as what they act there."""

    viewer: Viewer
    role: Role

    def actor(self, command: type[Command]) -> Actor:
        """As whom they issue a command. Raises `issuer.other` for one that is not theirs."""
        if self.role is not Role.GM and self.issuer not in command.issuers:
            raise Refused("issuer.other", f"{command.slug()} is not for a {self.role}; {OTHERS[self.role]}.")
        return self.viewer.actor(command)

    @property
    def issuer(self) -> Issuer:
        """As what they issue commands of their own."""
        return ISSUERS[self.role]

    @property
    def own_actor(self) -> Actor:
        """As what they act in their own right; an administrator who conducts the game has no seat."""
        return Actor(self.issuer, self.viewer.user, self._own_seat)

    @property
    def _own_seat(self) -> UUID | None:
        held = self.viewer.seat
        if self.role is Role.PLAYER and held is not None:
            return held.pk
        return next((s.pk for s in self.viewer.seats if s.role == self.role), None)

    @property
    def seat(self) -> UUID | None:
        """The seat that a command names: their own, or the one that a game-master acts for."""
        return self.viewer.on_behalf_of if self.role is Role.GM else self._own_seat

    @property
    def place(self) -> str:
        """The address of their page."""
        if self.role is Role.PLAYER:
            return reverse("seat", args=[self.viewer.game.pk, self._own_seat])
        return reverse("desk", args=[self.viewer.game.pk])


def person(request: HttpRequest) -> User | None:
    """Who is signed in with a session; None: nobody."""
    return request.user if request.user.is_authenticated else None


def user_id_of(request: HttpRequest) -> UUID:
    """The id of who is signed in. Raises Fault (token.needed) for nobody."""
    user = person(request)
    if user is None:
        raise Fault("token.needed", "Sign in first.")
    return user.pk


def leader_of(request: HttpRequest, game_id: UUID, acting_for: UUID | None = None) -> PageViewer:
    """Who asks, at the desk of a game. acting_for: the seat that a game-master acts for.

    Raises `game.missing`, `seat.missing`, Fault (desk.refused, 403) for somebody who does not lead it.
    """
    user = person(request)
    whole = viewer_of(game_id, user.pk if user is not None else None)
    held = {seat.role: seat for seat in whole.seats}
    if Role.GM in held:
        return PageViewer(viewer_of(game_id, whole.user, seat=acting_for, as_="gm"), Role.GM)
    if Role.HOST in held:
        return PageViewer(viewer_of(game_id, whole.user, seat=held[Role.HOST].pk), Role.HOST)
    raise Fault("desk.refused", "The desk is for the game-masters and the host of a game; you hold no such seat here.")


def player_of(request: HttpRequest, game_id: UUID, seat_id: UUID) -> PageViewer:
    """Who asks, at a player's seat of theirs.

    Raises `game.missing`, `seat.missing`, Fault (seat.refused, 403) for a seat of theirs that is no player's.
    """
    return player_at(user_id_of(request), game_id, seat_id)


def player_at(user: UUID, game_id: UUID, seat_id: UUID) -> PageViewer:
    """The same for a person who is known otherwise than by a session. Raises what `player_of` raises."""
    viewer = viewer_of(game_id, user, seat=seat_id)
    if viewer.seat is None or viewer.seat.role != Role.PLAYER:
        raise Fault("seat.refused", "This page is for a player's seat; who leads a game has its desk.")
    return PageViewer(viewer, Role.PLAYER)


def first_seat_of(request: HttpRequest, game_id: UUID) -> UUID:
    """The first player's seat of who asks. Raises `game.missing`, Fault (seat.refused, 403) for who has none."""
    held = sorted(seat.pk for seat in viewer_of(game_id, user_id_of(request)).seats if seat.role == Role.PLAYER)
    if not held:
        raise Fault("seat.refused", "You hold no player's seat in this game; its screen is open to all who may see it.")
    return held[0]


def conducts(user: User | None) -> bool:
    """Whether somebody is an administrator who conducts games."""
    return user is not None and user.is_staff and user.has_perm(CONDUCT)


def leader_or_conductor(request: HttpRequest, game_id: UUID, acting_for: UUID | None = None) -> PageViewer:
    """The same, also for an administrator who conducts games without a seat at them.

    Raises what `leader_of` raises.
    """
    user = person(request)
    if user is None or not conducts(user) or holds_seat(game_id, user.pk, *LEADERS):
        return leader_of(request, game_id, acting_for)
    return PageViewer(conductor_of(game_id, user.pk, acting_for), Role.GM)


def principal_of(request: HttpRequest, leader: PageViewer | None = None) -> Principal:
    """Who is signed in. leader: the same at the desk of a game, where they may conduct it as an administrator."""
    conducts = leader is not None and leader.viewer.visibility.admin
    return Principal(person(request), conducts=conducts, session=request.session.session_key or "")
