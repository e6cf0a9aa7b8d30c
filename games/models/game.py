"""The game itself, its seats and its secrets.

No foreign key from here to people is the database's: games may live in another one. Who sits down is checked by the
service, and people are retired, never deleted (ADR 79).
"""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from games.engine.game_state import Role, Status
from games.models.querysets import AudienceQuerySet, GameQuerySet, GmSecretQuerySet, OfGameQuerySet


class Game(models.Model):
    """One game of a ruleset in a world. Every change of it goes through `games.services.run` under this row's lock."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    ruleset = models.CharField(max_length=40, help_text="Slug of the ruleset, for example gods2.")
    name = models.CharField(max_length=120)
    world = models.ForeignKey(
        "worlds.World", null=True, blank=True, on_delete=models.PROTECT, related_name="games",
        help_text="The world it is played in; made when the map is set.",
    )  # fmt: skip
    options = models.TextField(default="{}", help_text="The options it was opened with, as canonical JSON.")
    status = models.CharField(max_length=12, choices=[(s.value, s.name.title()) for s in Status], default=Status.LOBBY)
    is_public = models.BooleanField(default=True, help_text="Whether people without a seat may watch and join.")
    paused_at = models.DateTimeField(null=True, blank=True, help_text="Since when its clock stands still.")
    last_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Time of its last event: its clock goes back with that of the service alone. Shown to no player.",
    )
    public_at = models.DateTimeField(
        null=True, blank=True, help_text="Time of its last public event: when something last happened, for everybody."
    )
    listed_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="The minute of its last public event, by which lists of games go: an index of the time itself would "
        "have to be written with each command.",
    )
    rewinds = models.PositiveIntegerField(default=0)
    timers_set = models.PositiveIntegerField(default=0)
    chapter = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Century, Age, turn ...; 0 before the first, and where there are none."
    )
    step = models.CharField(
        max_length=40, default="", db_default="", help_text="The phase or question it is in, a word of its rulebook."
    )
    waiting_for = models.TextField(
        default="[]", db_default="[]", help_text="Who may or must act now, as JSON; each entry says who may know."
    )
    seq = models.PositiveBigIntegerField(default=0, help_text="Number of its last event; gapless.")
    digest = models.CharField(max_length=64, default="", help_text="Digest of its last event, which covers all before.")
    commitment = models.CharField(max_length=64, help_text="SHA-256 of the dice secret.")
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.DO_NOTHING, db_constraint=False,
        related_name="+",
    )  # fmt: skip
    is_demo = models.BooleanField(
        default=False, db_default=False, help_text="Opened by the demo, which opens another when it is over."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = GameQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "id"]
        indexes: ClassVar = [
            models.Index(fields=["-created_at", "id"], name="game_by_age"),
            models.Index(fields=["-listed_at", "id"], name="game_by_activity"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["world"], condition=~Q(status=Status.FINISHED), name="one_live_game_a_world"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.ruleset})"

    @property
    def is_live(self) -> bool:
        """Whether it has begun and is not over: its clock can be stopped."""
        return self.status in (Status.SETUP, Status.RUNNING)


class Secret(models.Model):
    """The secrets of a game: for dice, ids, salts and bots, each its own. Shown to nobody before the end."""

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.CASCADE, related_name="secret")
    dice = models.BinaryField(max_length=32)
    ids = models.BinaryField(max_length=32)
    salts = models.BinaryField(max_length=32)
    bots = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return f"Secrets of {self.game_id}"


class Seat(models.Model):
    """A place at the table: player, host, game-master or observer."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.DO_NOTHING, db_constraint=False,
        related_name="seats", db_index=False,
    )  # fmt: skip
    role = models.CharField(max_length=10, choices=[(r.value, r.name.title()) for r in Role])
    name = models.CharField(max_length=80)
    bot = models.CharField(max_length=40, blank=True, default="", help_text="The policy that plays it.")
    is_claimable = models.BooleanField(
        default=False, db_default=False, help_text="Whether a bot keeps it for anybody who takes it."
    )

    objects = OfGameQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "role", "name"]
        constraints: ClassVar = [models.UniqueConstraint("game", Lower("name"), name="seat_name_once_a_game")]
        indexes: ClassVar = [models.Index(fields=["user", "game"], name="seat_by_user")]

    def __str__(self) -> str:
        return self.name


class Invitation(models.Model):
    """A code that seats one person."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="invitations", db_index=False)
    code = models.CharField(max_length=80)
    role = models.CharField(max_length=10)
    seat = models.ForeignKey(Seat, null=True, blank=True, on_delete=models.CASCADE, related_name="+")

    objects = GmSecretQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "code"], name="invitation_code_once_a_game")]
        indexes: ClassVar = [models.Index(fields=["code"], name="invitation_by_code")]

    def __str__(self) -> str:
        return f"Invitation of a {self.role}"


class Ban(models.Model):
    """A person who may not sit in a game again."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="bans")
    audience = models.CharField(max_length=1000)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, db_constraint=False, related_name="bans"
    )
    name = models.CharField(max_length=80, help_text="What their seat was called.")
    by = models.UUIDField(null=True, blank=True, help_text="The seat of the host or game-master who banned them.")

    objects = AudienceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["name", "id"]

    def __str__(self) -> str:
        return f"Ban of {self.name}"
