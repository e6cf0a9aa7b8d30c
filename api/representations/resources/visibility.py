"""Who looks at rows across games: lists that no single game frames.

Inside one game `api.common.viewer.look` decides. Without a game a user sees through each seat that is their only
player's seat in its game; of several, `seat` must name one, as everywhere.
"""

from collections import defaultdict
from uuid import UUID

from api.common.viewer import look, visible_game
from games.engine.errors import Refused
from games.models import Seat
from worlds.visibility import Visibility


def visibility_of(
    user: UUID | None, *, game: UUID | None = None, seat: UUID | None = None, as_: str = ""
) -> Visibility:
    """The visibility for a list: that of one game when it is named, else of the user's lone seats everywhere.

    Raises `game.missing`, `seat.missing`, `gm.missing`, `view.invalid`.
    """
    if game is not None:
        return look(visible_game(game, user), user, seat=seat, as_=as_).visibility
    if as_:
        raise Refused("view.invalid", "`as=gm` needs the game: add `game=<id>`.")
    if user is None:
        if seat is not None:
            raise Refused("seat.missing", "This is not a seat of yours.")
        return Visibility.nobody()
    held: dict[UUID, list[UUID]] = defaultdict(list)
    for own, of_game in Seat.objects.filter(user=user, role="player").values_list("id", "game_id"):
        held[of_game].append(own)
    if seat is not None:
        if not any(seat in seats for seats in held.values()):
            raise Refused("seat.missing", "This is not a seat of yours.")
        return Visibility.of(user, seats=[seat])
    return Visibility.of(user, seats=[seats[0] for seats in held.values() if len(seats) == 1])
