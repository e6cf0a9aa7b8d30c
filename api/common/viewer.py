"""The viewer: who asks, through which seat, with which visibility. One rule for REST, GraphQL and streams.

`seat` chooses who acts and whose secrets are shown; it is needed when one user holds several players' seats. A
game-master's view is used only when asked for (`as=gm`); then `seat` names the absent seat acted for.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import FilteredRelation, Q, QuerySet

from accounts.models import Scope
from api.common.exceptions import Fault
from core.places.routing import current, has_moved, place_of
from core.prepared_queries import Statement, column_names, instance
from games.engine.audience import Audience, readable
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.kernel import Actor, Command, Issuer
from games.models import Game, Seat
from games.reads.selectors import games_for
from games.services import Expected
from worlds.models import World
from worlds.visibility import Visibility

MOVED = "This game has just moved within the service; nothing was changed. Ask again."
MISSING = "There is no such game, or you may not see it."
_GAME, _WORLD, _OWN = column_names(Game), column_names(World, "world__"), column_names(Seat, "own__")


def _visible_games(game: UUID, user: UUID | None = None) -> QuerySet[Any, Any]:
    return games_for(Visibility(user=user)).filter(pk=game).order_by().values_list(*_GAME, *_WORLD)


def _visible_games_with_seats(game: UUID, user: UUID) -> QuerySet[Any, Any]:
    own = FilteredRelation("seats", condition=Q(seats__user=user))
    return (
        _visible_games(game, user)
        .annotate(own=own)
        .order_by("own__role", "own__name")
        .values_list(*_GAME, *_WORLD, *_OWN)
    )


LEADING = (Role.HOST, Role.GM)
"""The roles of those who lead a game: what is done through their seats needs the scope `gm`."""
SEEN, SEEN_BY_ANYBODY = Statement(_visible_games, UUID, UUID), Statement(_visible_games, UUID)
"""A game that a user may see, with its world."""
SEEN_WITH_SEATS = Statement(_visible_games_with_seats, UUID, UUID)
"""The same with the user's seats there, a row for each; one row where there is none."""
SEATS = Statement(
    lambda game, user: (
        Seat.objects.filter(game=game, user_id=user).order_by("role", "name").values_list(*column_names(Seat))
    ),
    UUID,
    UUID,
)


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody at a game: their visibility, their seats there, and what they asked to act as."""

    game: Game
    visibility: Visibility
    user: UUID | None
    seats: tuple[Seat, ...]
    """The seats that the user holds in this game."""
    seat: Seat | None
    """The seat acted through, when it is settled which."""
    as_gm: bool
    on_behalf_of: UUID | None
    may_lead: bool = True
    """Whether their token has the scope `gm`: what is issued as host or game-master needs it."""

    def within(self, scopes: Collection[Scope]) -> "Viewer":
        """The viewer as far as their token goes."""
        return self if Scope.GM in scopes else replace(self, may_lead=False)

    def leads(self, actor: Actor) -> bool:
        """Whether what an actor of theirs issues is a host's or a game-master's."""
        return actor.role is not Issuer.SEAT or (self.seat is not None and self.seat.role in LEADING)

    def actor(self, command: type[Command]) -> Actor:
        """The actor for a command: the seat, the host for a host's command, or the game-master when asked for.

        Raises `user.missing`, `seat.unclear`, `gm.missing`, `issuer.other`.
        """
        if self.user is None:
            raise Refused("user.missing", "Sign in: send Authorization: Bearer <token>.")
        if self.as_gm:
            return Actor(Issuer.GM, self.user, self.seat_of_gm(), self.on_behalf_of)
        if Issuer.HOST in command.issuers and self.seat is not None and self.seat.role == "host":
            return Actor(Issuer.HOST, self.user, self.seat.id)
        if Issuer.SEAT in command.issuers and self.seat is not None:
            return Actor(Issuer.SEAT, self.user, self.seat.id)
        if Issuer.HOST in command.issuers and any(s.role == "host" for s in self.seats):
            return Actor(Issuer.HOST, self.user, self.require_seat("host").id)
        if Issuer.SEAT not in command.issuers and any(s.role == "gm" for s in self.seats):
            raise Refused("issuer.other", f"{command.slug()} is a game-master's; act as one with ?as=gm.")
        if self.seat is None and len([s for s in self.seats if s.role == "player"]) > 1:
            raise Refused("seat.unclear", "You hold several seats in this game; say which with ?seat=<id>.")
        return Actor(Issuer.SEAT, self.user, self.seat.id if self.seat else None)

    def watcher(self, command: type[Command]) -> Actor:
        """Whose possibilities with a command are listed: the one who would issue it; else a guest's."""
        guest = Actor(Issuer.SEAT, self.user, None)
        if self.user is None and not self.as_gm:
            return guest
        try:
            actor = self.actor(command)
        except Refused as refused:
            if refused.code not in ("issuer.other", "seat.unclear"):
                raise
            return guest
        return actor if self.may_lead or not self.leads(actor) else guest

    def seat_of_gm(self) -> UUID | None:
        """The seat of a game-master who looks; None for an administrator, who needs none. Raises `gm.missing`."""
        return None if self.visibility.admin else self.require_seat("gm").id

    def require_seat(self, role: str) -> Seat:
        """The user's seat of a role. Raises `gm.missing` or `host.missing`."""
        for seat in self.seats:
            if seat.role == role:
                return seat
        raise Refused(f"{role}.missing", f"You hold no seat as {role} in this game.")

    def expectation(self, cursor: str | None) -> Expected | None:
        """What the service compares with the viewer's position; None when the client expects nothing."""
        if not cursor:
            return None
        seats, gm = self.visibility.seats, self.game.pk in self.visibility.gm_games
        return Expected(cursor, lambda audience: readable(Audience(audience), seats, gm))


def missing_game(game_id: UUID) -> Exception:
    """What is said of a game that is not found: it is missing, or has just moved to another place (ADR 115)."""
    place = current()
    if place == place_of(game_id) and has_moved(game_id, place):
        return Fault("game.moving", MOVED)
    return Refused("game.missing", MISSING)


def visible_game(game_id: UUID, user: UUID | None, *, code: str = "") -> Game:
    """A game that this user may see at all. Raises `game.missing`, also for one that the user may not see.

    code: of an invitation; its holder may see this game, in order to join.
    """
    row = SEEN.first(game_id, user) if user is not None else SEEN_BY_ANYBODY.first(game_id)
    game = _game_of(row) if row is not None else None
    if game is None and code:
        game = Game.objects.filter(pk=game_id, invitations__code=code).select_related("world").first()
    if game is None:
        raise missing_game(game_id)
    return game


def viewer_of(game_id: UUID, user: UUID | None, *, seat: UUID | None = None, as_: str = "") -> Viewer:
    """How a user looks at a game: one query. Raises what `visible_game` and `look` raise."""
    if user is None:
        return look(visible_game(game_id, None), None, seat=seat, as_=as_)
    rows = SEEN_WITH_SEATS.rows(game_id, user)
    if not rows:
        raise missing_game(game_id)
    held = [row[-len(_OWN) :] for row in rows if row[-len(_OWN)] is not None]
    return _look(_game_of(rows[0]), user, tuple(instance(Seat, row) for row in held), seat=seat, as_=as_)


def _game_of(row: Sequence[Any]) -> Game:
    """A game with its world, from the columns of `SEEN`."""
    game: Game = instance(Game, row[: len(_GAME)])
    game.world = instance(World, row[len(_GAME) :][: len(_WORLD)]) if game.world_id else None
    return game


def look(game: Game, user: UUID | None, *, seat: UUID | None = None, as_: str = "") -> Viewer:
    """How a user looks at a game. Raises `gm.missing`, `seat.missing`, `view.invalid`."""
    seats = tuple(instance(Seat, row) for row in SEATS.rows(game.pk, user)) if user else ()
    return _look(game, user, seats, seat=seat, as_=as_)


def _look(game: Game, user: UUID | None, seats: tuple[Seat, ...], *, seat: UUID | None, as_: str) -> Viewer:
    """The same, where the user's seats are known."""
    if as_ not in ("", "gm"):
        raise Refused("view.invalid", "`as` is `gm` or is left out.")
    if as_ == "gm":
        if not any(s.role == "gm" for s in seats):
            raise Refused("gm.missing", "You hold no game-master's seat in this game.")
        if seat is not None and not Seat.objects.filter(game=game, pk=seat).exists():
            raise Refused("seat.missing", "There is no such seat in this game.")
        visibility = (
            Visibility.of(user, seats=(s.id for s in seats), gm_games=(game.pk,)) if user else Visibility.nobody()
        )
        return Viewer(game, visibility, user, seats, None, True, seat)
    mine = [s for s in seats if s.role == "player"]
    chosen = mine[0] if len(mine) == 1 else None
    if seat is not None:
        chosen = next((s for s in seats if s.pk == seat), None)
        if chosen is None:
            raise Refused("seat.missing", "This is not a seat of yours in this game.")
    visibility = Visibility(user=user, seats=frozenset({chosen.id} if chosen else set()))
    return Viewer(game, visibility, user, seats, chosen, False, None)


def viewers_once(game: Game, user: UUID, *, seat: UUID | None = None, as_: str = "") -> Iterator[Viewer]:
    """How a user would look at a game through each of its seats that the request may mean, with any holder now.

    Only for what the user provably did from such a seat.
    """
    for each in game.seats.all():
        try:
            yield _look(game, user, (each,), seat=seat, as_=as_)
        except Refused:
            continue  # not a seat that was meant


def holds_seat(game_id: UUID, user: UUID | None, *roles: Role) -> bool:
    """Whether a user holds a seat of one of these roles in a game."""
    return Seat.objects.filter(game=game_id, user=user, role__in=roles).exists()


def conductor_of(game_id: UUID, user: UUID | None, acting_for: UUID | None = None) -> Viewer:
    """An administrator at a game, as `conductor`. Raises `game.missing`, `seat.missing`."""
    game = Game.objects.select_related("world").filter(pk=game_id).first()
    if game is None:
        raise missing_game(game_id)
    if acting_for is not None and not game.seats.filter(pk=acting_for).exists():
        raise Refused("seat.missing", "There is no such seat in this game.")
    return conductor(game, user, acting_for)


def conductor(game: Game, user: UUID | None, acting_for: UUID | None = None) -> Viewer:
    """An administrator at a game: they look and act as a game-master without a seat."""
    visibility = Visibility(user=user, gm_games=frozenset({game.pk}), admin=True)
    return Viewer(game, visibility, user, (), None, True, acting_for)
