"""Muted seats, written: a person's own wish, which changes nothing in the game and needs none of its locks."""

from uuid import UUID

from games.models import MutedSeat


def mute(game: UUID, user: UUID, seat: UUID) -> None:
    """Note that a person mutes a seat; again it changes nothing."""
    MutedSeat.objects.get_or_create(game_id=game, user=user, seat=seat)


def unmute(game: UUID, user: UUID, seat: UUID) -> None:
    """Forget it; where there is nothing to forget it changes nothing."""
    MutedSeat.objects.filter(game=game, user=user, seat=seat).delete()
