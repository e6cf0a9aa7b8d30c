"""What is open (marks, powers, conflicts, wars, motions), and two secrets: offers, and what is said in advance.

Ballots and the armies that sides commit stay answers of their questions (`games.Answer`) until they are shown.
"""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from games.dawn.models.base import check_known
from games.dawn.rules.state.constants import MOST_ROUNDS
from games.dawn.rules.state.schema_types import AdvanceKind, AdvanceWord, Cause, OfferKind, Price
from games.models import Game, Seat
from games.models.bases import OfGame
from games.models.columns import choices_of
from games.models.querysets import AudienceQuerySet
from worlds.models import Avatar, City, Square


class Mark(OfGame):
    """That a power has hit its target this turn; it may not again (DW-PRC-1)."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_marks", db_index=False)
    price = models.CharField(max_length=20, choices=choices_of(Price))
    target = models.UUIDField(help_text="A race or a city.")

    class Meta:
        ordering: ClassVar = ["game_id", "price", "target"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "price", "target"], name="dawn_mark_once")]

    def __str__(self) -> str:
        return f"{self.price} of {self.target}"


class Power(OfGame):
    """A power that is declared and not yet settled."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_powers", db_index=False)
    does = models.CharField(max_length=60, help_text="The command.")
    arguments = models.TextField(help_text="Its fields, as JSON.")
    price_row = models.CharField(max_length=20, choices=choices_of(Price))
    caster = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    price = models.PositiveIntegerField()
    asking = models.CharField(max_length=200, blank=True, help_text="The question that was put last.")
    settled = models.TextField(default="[]", help_text="Questions that are settled in its favour, as JSON.")
    refusers = models.TextField(default="[]", help_text="Seats that have refused leave, as JSON.")
    beaten = models.BooleanField(default=False, help_text="A conflict about it was lost.")
    withdrawn = models.BooleanField(default=False)
    worked = models.BooleanField(default=False, help_text="It has taken effect.")

    class Meta:
        ordering: ClassVar = ["game_id", "id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["game"], name="dawn_one_power_at_a_time")]

    def __str__(self) -> str:
        return self.does


class Conflict(OfGame):
    """An open Divine Conflict: an auction of two gods (DW-DC-*)."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_conflicts", db_index=False)
    cause = models.CharField(max_length=12, choices=choices_of(Cause))
    invoker = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    challenger = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    about = models.UUIDField(null=True, blank=True, help_text="The power or the avatar; none for a free dispute.")
    key = models.CharField(max_length=200, blank=True, help_text="Which question of the power it settles.")
    text = models.TextField(blank=True)
    paid_invoker = models.PositiveIntegerField(default=0)
    paid_challenger = models.PositiveIntegerField(default=0)
    to_act = models.PositiveSmallIntegerField(default=0, help_text="0: the Invoker.")

    class Meta:
        ordering: ClassVar = ["game_id", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game"], name="dawn_one_conflict_at_a_time"),
            check_known("conflict", "cause", Cause),
            models.CheckConstraint(condition=~Q(invoker=F("challenger")), name="dawn_conflict_of_two"),
        ]

    def __str__(self) -> str:
        return f"{self.invoker} against {self.challenger}"


class War(OfGame):
    """A war that is being fought (DW-WAR-*)."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_wars", db_index=False)
    attacker = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    square = models.ForeignKey(Square, on_delete=models.CASCADE, related_name="+", help_text="What is attacked.")
    city = models.ForeignKey(City, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    avatar = models.ForeignKey(
        Avatar, null=True, blank=True, on_delete=models.CASCADE, related_name="+", help_text="Attacked in the open."
    )
    armies = models.TextField(default="[]", help_text="Armies on the march that are left, as JSON.")
    alone = models.ForeignKey(
        Avatar, null=True, blank=True, on_delete=models.CASCADE, related_name="+", help_text="Attacks with no army."
    )
    battle = models.PositiveSmallIntegerField(default=1, help_text="The number of the battle.")
    waived = models.TextField(default="[]", help_text="Seats that let no avatar stand in, as JSON.")
    stand_in = models.ForeignKey(
        Avatar, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", help_text="Fights for the city."
    )
    fought = models.BooleanField(default=False, help_text="This battle is over.")

    class Meta:
        ordering: ClassVar = ["game_id", "id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["game"], name="dawn_one_war_at_a_time")]

    def __str__(self) -> str:
        return f"{self.attacker} marches on {self.square}"


class Motion(OfGame):
    """An open motion to lengthen the Age; its id is that of its question."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_motions", db_index=False)
    by = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    length = models.PositiveSmallIntegerField(help_text="Rounds that the Age would have.")

    class Meta:
        ordering: ClassVar = ["game_id", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game"], name="dawn_one_motion_at_a_time"),
            models.CheckConstraint(condition=Q(length__lte=MOST_ROUNDS), name="dawn_motion_within_limit"),
        ]

    def __str__(self) -> str:
        return f"To {self.length} rounds"


class Offer(models.Model):
    """An open offer; for the two, and the game-masters. Its id is that of its question."""

    state_table: ClassVar[str] = "offers"

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_offers")
    audience = models.CharField(max_length=1000)
    kind = models.CharField(max_length=12, choices=choices_of(OfferKind))
    maker = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    taker = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    give = models.PositiveIntegerField(help_text="Points that the maker gives.")
    want = models.PositiveIntegerField(help_text="Points that the maker asks for.")
    memo = models.TextField(blank=True)

    objects = AudienceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "id"]
        constraints: ClassVar = [
            check_known("offer", "kind", OfferKind),
            models.CheckConstraint(condition=~Q(maker=F("taker")), name="dawn_offer_of_two"),
        ]

    def __str__(self) -> str:
        return f"{self.maker} offers {self.taker}"


class Advance(models.Model):
    """What a seat has said in advance; visible to that seat alone, for a game-master may play for another."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="dawn_advances", db_index=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dawn_advances")
    audience = models.CharField(max_length=1000)
    kind = models.CharField(max_length=12, choices=choices_of(AdvanceKind))
    about = models.CharField(max_length=80, blank=True, help_text="A seat, a cause of conflicts, or empty for all.")
    answer = models.CharField(max_length=8, choices=choices_of(AdvanceWord), default=AdvanceWord.ASK.value)
    most = models.PositiveIntegerField(default=0, help_text="The highest total that it bids.")

    objects = AudienceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["game_id", "seat", "kind", "about"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["seat", "kind", "about"], name="dawn_advance_once"),
            check_known("advance", "kind", AdvanceKind),
            check_known("advance", "answer", AdvanceWord),
        ]

    def __str__(self) -> str:
        return f"{self.seat}: {self.kind} {self.about}"
