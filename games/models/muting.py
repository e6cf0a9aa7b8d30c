"""Who mutes whom in a game: a row of the game, in its place, that names a person by id."""

from typing import ClassVar

from django.db import models

from games.models.game import Game
from games.models.querysets import ServerQuerySet


class MutedSeat(models.Model):
    """A seat whose messages a person does not want to read. Nobody else is shown it."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="muted_seats", db_index=False)
    user = models.UUIDField(help_text="The person who mutes it, by id.")
    seat = models.UUIDField(help_text="The seat, by id.")

    objects = ServerQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "seat"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "user", "seat"], name="seat_muted_once")]

    def __str__(self) -> str:
        return f"Muted seat in {self.game_id}"
