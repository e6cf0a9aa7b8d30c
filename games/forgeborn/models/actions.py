"""Actions with their pools and offers of help, and votes on artifacts of the Vault."""

from typing import ClassVar

from django.db import models

from games.forgeborn.models.characters import Artifact, Character
from games.forgeborn.models.realm import Place
from games.forgeborn.rules.state.schema_types import Deed, Form, Function, Stage
from games.models import Game, Seat
from games.models.bases import OfGame, OfReaders
from games.models.columns import choices_of, is_known


class Action(OfGame):
    """A conflict, a creation or a recruiting, from its declaration to its end."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_actions")
    kind = models.CharField(max_length=20, choices=choices_of(Deed))
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="forgeborn_actions")
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="actions")
    place = models.ForeignKey(Place, on_delete=models.CASCADE, related_name="actions")
    stage = models.CharField(max_length=12, choices=choices_of(Stage), default=Stage.DECLARED.value)
    artifact = models.ForeignKey(
        Artifact,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="actions",
        help_text="The artifact of the Vault that it is about.",
    )
    power = models.PositiveIntegerField(null=True, blank=True, help_text="What it rolls against.")
    danger = models.TextField(blank=True, help_text="What the game-master has described.")
    name = models.CharField(max_length=80, blank=True, help_text="What comes of it is called so.")
    text = models.TextField(blank=True)
    form = models.CharField(max_length=12, null=True, blank=True, choices=choices_of(Form))
    function = models.CharField(max_length=12, null=True, blank=True, choices=choices_of(Function))
    total = models.PositiveIntegerField(null=True, blank=True, help_text="The sum of the dice.")
    against = models.PositiveIntegerField(null=True, blank=True, help_text="The sum of the opposing d12.")
    is_won = models.BooleanField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["game_id", "id"]
        constraints: ClassVar = [
            is_known("forgeborn_action", "kind", Deed),
            is_known("forgeborn_action", "stage", Stage),
        ]

    def __str__(self) -> str:
        return f"{self.character}: {self.kind}"


class Pool(OfGame):
    """The dice of the one who acts, as they lie on the table."""

    action = models.OneToOneField(Action, primary_key=True, on_delete=models.CASCADE, related_name="pool")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_pools")
    free = models.TextField(help_text="Sizes of dice, as JSON.")
    sacrifice = models.TextField(help_text="Sizes of dice, as JSON.")
    artifacts = models.TextField(help_text="Artifacts and how they help, as JSON.")
    text = models.TextField(blank=True)
    refused = models.TextField(default="[]", help_text="Artifacts that the game-master has refused, as JSON.")
    is_over = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar = ["game_id", "action"]

    def __str__(self) -> str:
        return f"Pool of {self.action}"


class SentPool(OfReaders):
    """A pool that was sent along with its action, and what a failure shall bring."""

    action = models.OneToOneField(Action, primary_key=True, on_delete=models.CASCADE, related_name="sent_pool")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_sent_pools")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    has_pool = models.BooleanField()
    free = models.TextField(default="[]", help_text="Sizes of dice, as JSON.")
    sacrifice = models.TextField(default="[]", help_text="Sizes of dice, as JSON.")
    artifacts = models.TextField(default="[]", help_text="Artifacts and how they help, as JSON.")
    text = models.TextField(blank=True)
    has_gain = models.BooleanField(default=False, help_text="Whether it says what a failure brings.")
    raised = models.PositiveSmallIntegerField(null=True, blank=True, help_text="The die that rises; none for a d4.")

    class Meta:
        ordering: ClassVar = ["game_id", "action"]

    def __str__(self) -> str:
        return f"Sent with {self.action}"


class HelpOffer(OfGame):
    """What a Smith at the Citadel answers to a maker: dice, or none."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_offers")
    action = models.ForeignKey(Action, on_delete=models.CASCADE, related_name="offers", db_index=False)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="forgeborn_offers")
    free = models.TextField(default="[]", help_text="Sizes of dice, as JSON.")
    sacrifice = models.TextField(default="[]", help_text="Sizes of dice, as JSON.")
    is_declined = models.BooleanField(default=False)
    is_accepted = models.BooleanField(default=False, help_text="Whether the maker has rolled them.")
    is_over = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar = ["game_id", "action", "seat"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["action", "seat"], name="forgeborn_offer_once")]

    def __str__(self) -> str:
        return f"{self.seat} for {self.action}"


class Vote(OfGame):
    """Whether a Smith is given an artifact of the Vault."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_votes")
    artifact = models.ForeignKey(Artifact, on_delete=models.CASCADE, related_name="votes")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="forgeborn_votes", help_text="Who asks.")
    electorate = models.TextField(help_text="The seats that vote, as JSON.")
    is_agreed = models.BooleanField(null=True, blank=True, help_text="None while it runs.")
    yes = models.PositiveIntegerField(default=0)
    no = models.PositiveIntegerField(default=0)
    missing = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["game_id", "id"]

    def __str__(self) -> str:
        return f"{self.seat} asks for {self.artifact}"


class Ballot(OfReaders):
    """What a seat has voted: its own secret until the vote closes."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_ballots")
    vote = models.ForeignKey(Vote, on_delete=models.CASCADE, related_name="ballots", db_index=False)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="forgeborn_ballots")
    is_yes = models.BooleanField()
    is_open = models.BooleanField(default=False, help_text="Whether the vote is closed, and everybody reads it.")

    class Meta:
        ordering: ClassVar = ["game_id", "vote", "seat"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["vote", "seat"], name="forgeborn_ballot_once")]

    def __str__(self) -> str:
        return f"Ballot of {self.seat}"


class Seal(OfGame):
    """That the ballot of a seat is in."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="forgeborn_seals")
    vote = models.ForeignKey(Vote, on_delete=models.CASCADE, related_name="seals", db_index=False)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="forgeborn_seals")

    class Meta:
        ordering: ClassVar = ["game_id", "vote", "seat"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["vote", "seat"], name="forgeborn_seal_once")]

    def __str__(self) -> str:
        return f"{self.seat} has voted"
