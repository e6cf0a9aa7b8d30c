"""What outlasts the moment it was cast or ordered, and who is behind it."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.gods2.rules.state.effect_records import GrantSource, ModStatus
from games.models import Game, Seat
from games.models.bases import OfGame, OfReaders
from games.models.querysets import AudienceQuerySet, GmSecretQuerySet, SeatSecretQuerySet
from worlds.models import Artifact, Race


class Modification(OfGame):
    """A power that goes on working on a race, or waits there."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_modifications", db_index=False)
    race = models.ForeignKey(Race, on_delete=models.CASCADE, related_name="gods2_modifications")
    power = models.CharField(max_length=60, help_text="Key of the pack.")
    status = models.CharField(max_length=10, choices=[(s.value, s.value) for s in ModStatus])
    place = models.PositiveIntegerField(help_text="Order of casting, lowest first.")
    century = models.PositiveSmallIntegerField(help_text="In which it was cast.")
    until = models.PositiveSmallIntegerField(null=True, blank=True, help_text="The century at whose end it ends.")
    fired = models.CharField(max_length=60, null=True, blank=True, help_text="The trigger that woke it.")
    event = models.UUIDField(null=True, blank=True, help_text="The war whose end ends its effect.")
    casting = models.UUIDField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["game_id", "place"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "place"], name="gods2_modification_place_once")
        ]

    def __str__(self) -> str:
        return f"{self.power} on {self.race}"


class Cut(OfGame):
    """A cut of population limits for one race, until a century ends."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_cuts")
    race = models.ForeignKey(Race, on_delete=models.CASCADE, related_name="gods2_cuts")
    amount = models.PositiveIntegerField(help_text="Units.")
    squares = models.TextField(default="[]", help_text="The squares it concerns, as JSON; all when empty.")
    terrain = models.CharField(max_length=1, null=True, blank=True)
    casting = models.UUIDField(null=True, blank=True)
    until = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The century at whose end it is over; it stays when empty."
    )

    class Meta:
        ordering: ClassVar = ["game_id", "id"]

    def __str__(self) -> str:
        return f"-{self.amount} for {self.race}"


class Migration(OfGame):
    """An order of migration for a race's next growth."""

    race = models.OneToOneField(Race, primary_key=True, on_delete=models.CASCADE, related_name="gods2_migration")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_migrations")
    direction = models.CharField(max_length=2, null=True, blank=True)
    square = models.TextField(default="null", help_text="The target square as JSON, or null.")
    casting = models.UUIDField(null=True, blank=True)
    until = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The last century in whose growth it counts; the next growth alone when empty."
    )

    class Meta:
        ordering: ClassVar = ["game_id", "race"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(direction__isnull=True, square__startswith="{") | Q(direction__isnull=False, square="null"),
                name="gods2_migration_has_one_goal",
            )
        ]

    def __str__(self) -> str:
        return f"Migration of {self.race}"


class Authorship(models.Model):
    """Who cast."""

    id = models.UUIDField(primary_key=True, help_text="The casting.")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_authorships")
    primary = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    seats = models.TextField(default="[]", help_text="Every caster, as JSON.")
    audience = models.CharField(max_length=1000)

    objects = AudienceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "id"]

    def __str__(self) -> str:
        return f"Casting {self.id}"


class Deed(models.Model):
    """Who caused an entry of the history."""

    id = models.UUIDField(primary_key=True, help_text="The entry.")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_deeds")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")

    objects = SeatSecretQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "id"]

    def __str__(self) -> str:
        return f"Deed of {self.seat}"


class Signature(OfGame):
    """The author of an entry of the history, named at their own wish."""

    id = models.UUIDField(primary_key=True, help_text="The entry.")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_signatures")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")

    class Meta:
        ordering: ClassVar = ["game_id", "id"]

    def __str__(self) -> str:
        return f"Signed by {self.seat}"


class Proposal(models.Model):
    """A combined casting that waits for its partners."""

    id = models.UUIDField(primary_key=True, help_text="The casting.")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_proposals")
    audience = models.CharField(max_length=1000)
    power = models.CharField(max_length=60)
    primary = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    price = models.PositiveIntegerField()
    parts = models.TextField(help_text="Seats and what each pays, as JSON.")
    agreed = models.TextField(default="[]", help_text="Seats that have agreed, as JSON.")
    wish = models.TextField(help_text="The command that is carried out, as JSON.")
    left = models.FloatField(help_text="Seconds that the called caster had left.")

    objects = AudienceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "id"]

    def __str__(self) -> str:
        return f"{self.power} by several"


class Task(models.Model):
    """What a GM has to do by hand for a casting."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_tasks")
    audience = models.CharField(max_length=1000)
    casting = models.UUIDField(null=True)
    words = models.TextField()
    payers = models.TextField(help_text="Seats and what each paid, as JSON.")

    objects = AudienceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "id"]

    def __str__(self) -> str:
        return self.words[:60]


class Grant(models.Model):
    """A power that a seat may use without cards."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="gods2_grants", db_index=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_grants")
    power = models.CharField(max_length=60)
    source = models.CharField(max_length=10, choices=[(s.value, s.value) for s in GrantSource])
    uses = models.PositiveSmallIntegerField()

    objects = SeatSecretQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "seat", "power"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["seat", "power", "source"], name="gods2_grant_once_a_source")
        ]

    def __str__(self) -> str:
        return f"{self.seat}: {self.power}"


class ArtifactPower(OfReaders):
    """A power that lies in an artifact, for the seat that may use it and the game-masters."""

    artifact = models.ForeignKey(Artifact, on_delete=models.CASCADE, related_name="gods2_powers", db_index=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_artifact_powers")
    power = models.CharField(max_length=60, help_text="Key of the pack.")
    uses = models.PositiveSmallIntegerField(help_text="How many are left.")
    seat = models.ForeignKey(
        Seat, on_delete=models.CASCADE, null=True, blank=True, related_name="+", help_text="Who may use it now."
    )

    class Meta:
        ordering: ClassVar = ["game_id", "artifact", "power"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["artifact", "power"], name="gods2_power_once_an_artifact")
        ]

    def __str__(self) -> str:
        return f"{self.power} in {self.artifact}"


class Law(OfGame):
    """A law of the council."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_laws", db_index=False)
    name = models.CharField(max_length=80)
    words = models.TextField(blank=True, default="")
    century = models.PositiveSmallIntegerField()

    class Meta:
        ordering: ClassVar = ["game_id", "name"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "name"], name="gods2_law_once")]

    def __str__(self) -> str:
        return self.name


class Land(OfGame):
    """A named part of the map."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_lands", db_index=False)
    name = models.CharField(max_length=80)
    squares = models.TextField(help_text="Its squares, as JSON.")

    class Meta:
        ordering: ClassVar = ["game_id", "name"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "name"], name="gods2_land_name_once")]

    def __str__(self) -> str:
        return self.name


class LaterTurmoil(models.Model):
    """A turmoil that begins with the next century."""

    race = models.OneToOneField(Race, primary_key=True, on_delete=models.CASCADE, related_name="+")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_later_turmoils")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")

    objects = SeatSecretQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "race"]

    def __str__(self) -> str:
        return f"Turmoil of {self.race}"


class GrowthPlan(models.Model):
    """The order in which a GM lets the races grow in a century."""

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.CASCADE, related_name="gods2_growth_plan")
    century = models.PositiveSmallIntegerField()
    races = models.TextField(help_text="Races in their order, as JSON.")

    objects = GmSecretQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id"]

    def __str__(self) -> str:
        return f"Growth of century {self.century}"


class Preview(models.Model):
    """What the rules would do in a growth or a war, while a GM may still change it."""

    id = models.UUIDField(primary_key=True, help_text="The prompt.")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="gods2_previews")
    kind = models.CharField(max_length=10)
    subject = models.UUIDField(help_text="The race or the war.")
    plan = models.TextField(help_text="As JSON.")

    objects = GmSecretQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "id"]

    def __str__(self) -> str:
        return f"Preview of a {self.kind}"
