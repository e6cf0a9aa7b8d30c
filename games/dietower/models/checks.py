"""Checks, rolls, the tower with its dice, what comes of it, and Wishes for the story."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.dietower.models.actors import Actor
from games.dietower.models.combat import Attack
from games.dietower.rules.state.constants import (
    HALF_WIDTH,
    LEAST_HALF_WIDTH,
    MIRACLE_HEIGHT,
    MOST_CUSTOM_CD,
    MOST_HALF_WIDTH,
)
from games.dietower.rules.state.schema_types import (
    Adv,
    Axis,
    CheckStatus,
    Harm,
    Hindrance,
    HindranceAs,
    Means,
    MiracleKind,
    Mode,
    PlacementStatus,
    Reason,
    Until,
    WishKind,
    WishStatus,
)
from games.models import Game, Seat
from games.models.bases import OfGame, OfReaders
from games.models.columns import choices_of, is_known


class Check(OfGame):
    """A check, from the asking to its end."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_checks")
    actor = models.ForeignKey(Actor, on_delete=models.CASCADE, related_name="checks")
    intent = models.TextField(blank=True)
    trait = models.TextField(blank=True)
    by = models.ForeignKey(
        Seat,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The seat that asked for it; none for the world master.",
    )
    status = models.CharField(max_length=12, choices=choices_of(CheckStatus), default=CheckStatus.ASKED.value)
    own_turn = models.BooleanField(default=False, help_text="Asked for by its player in the character's turn.")
    uses = models.CharField(
        max_length=8, choices=choices_of(Means), default=Means.NONE.value, db_default=Means.NONE.value
    )
    cd = models.PositiveSmallIntegerField(default=0, help_text="What the total has to reach; 0 until it is set.")
    cd_name = models.CharField(max_length=20, blank=True)
    good = models.BooleanField(default=False, help_text="Whether the character is good at it: two dice.")
    adv = models.CharField(max_length=8, choices=choices_of(Adv), default=Adv.NONE.value)
    edge = models.PositiveSmallIntegerField(default=0)
    edge_die = models.BooleanField(default=False)
    hindrance = models.CharField(max_length=12, choices=choices_of(Hindrance), default=Hindrance.NONE.value)
    hindrance_as = models.CharField(max_length=12, null=True, blank=True, choices=choices_of(HindranceAs))
    free = models.BooleanField(default=False, help_text="Whether it uses no action of the turn.")
    success = models.BooleanField(null=True, blank=True, help_text="None until it is done.")
    session = models.PositiveIntegerField(default=0, db_default=0, help_text="The session in which it was asked for.")
    told = models.BooleanField(default=False, db_default=False, help_text="Whether a Wish was given for it as a deed.")

    class Meta:
        ordering: ClassVar = ["game_id", "id"]
        constraints: ClassVar = [
            is_known("dietower_check", "status", CheckStatus),
            is_known("dietower_check", "uses", Means),
            models.CheckConstraint(
                condition=Q(cd__lte=MOST_CUSTOM_CD, edge__lte=3), name="dietower_check_terms_in_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.actor}: {self.intent[:60]}"


class Roll(OfGame):
    """The dice of one actor: thrown and still open to Wishes, or closed."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_rolls")
    actor = models.ForeignKey(Actor, on_delete=models.CASCADE, related_name="rolls")
    of_check = models.ForeignKey(Check, null=True, blank=True, on_delete=models.CASCADE, related_name="rolls")
    attack = models.ForeignKey(Attack, null=True, blank=True, on_delete=models.CASCADE, related_name="rolls")
    dice = models.TextField(help_text="All that were thrown, in their order, as JSON.")
    discarded = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Which does not count, from 0.")
    pool = models.TextField(help_text="The dice that count, with those that Wishes bought, as JSON.")
    flat = models.PositiveSmallIntegerField(default=0, help_text="What an edge adds.")
    waiting = models.BooleanField(default=True, help_text="Whether its owner may still buy dice.")
    closed = models.BooleanField(default=False)
    net = models.SmallIntegerField(default=0, help_text="Critical successes less critical failures.")
    extra = models.TextField(default="[]", help_text="Dice for critical successes, as JSON.")
    total = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["game_id", "id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(of_check__isnull=True) ^ Q(attack__isnull=True),
                name="dietower_roll_of_check_or_attack",
            ),
        ]

    def __str__(self) -> str:
        return f"Roll of {self.actor}"


class Tower(OfGame):
    """The tower that all share."""

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.CASCADE, related_name="dietower_tower")
    mode = models.CharField(max_length=12, choices=choices_of(Mode), default=Mode.SIMULATED.value)
    half_width = models.PositiveSmallIntegerField(default=HALF_WIDTH, help_text="How steady it is.")
    height = models.PositiveSmallIntegerField(default=0)
    last_placer = models.ForeignKey(
        Seat,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The seat whose die stood last; none before the first, and for the world master.",
    )
    master_last = models.BooleanField(default=False, help_text="Whether the world master's die stood last.")
    placements = models.PositiveIntegerField(default=0, help_text="How many dice have been due so far.")

    class Meta:
        constraints: ClassVar = [
            is_known("dietower_tower", "mode", Mode),
            models.CheckConstraint(
                condition=Q(
                    half_width__gte=LEAST_HALF_WIDTH, half_width__lte=MOST_HALF_WIDTH, height__lte=MIRACLE_HEIGHT
                ),
                name="dietower_tower_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.height} dice"


class Placement(OfGame):
    """A die that somebody owes the tower, waiting, or placed or dropped."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_placements", db_index=False)
    number = models.PositiveIntegerField(help_text="Its place in the order of all placements.")
    roll = models.ForeignKey(Roll, on_delete=models.CASCADE, related_name="placements")
    actor = models.ForeignKey(Actor, on_delete=models.CASCADE, related_name="placements")
    reason = models.CharField(max_length=12, choices=choices_of(Reason))
    status = models.CharField(max_length=12, choices=choices_of(PlacementStatus), default=PlacementStatus.DUE.value)
    height = models.PositiveIntegerField(default=0, help_text="The height it left, or brought down.")
    dice = models.TextField(default="[]", help_text="The dice that shifted it, as JSON.")
    half_width = models.PositiveSmallIntegerField(null=True, blank=True, help_text="How steady the tower was.")
    centres = models.TextField(default="[]", help_text="Centres of all dice of the tower with it, as JSON.")
    level = models.PositiveSmallIntegerField(null=True, blank=True, help_text="The level that failed, of a fall.")
    axis = models.CharField(max_length=1, null=True, blank=True, choices=choices_of(Axis))
    unasked = models.BooleanField(default=False, help_text="Whether the service places it, for its seat was left.")

    class Meta:
        ordering: ClassVar = ["game_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="dietower_placement_number_once"),
            is_known("dietower_placement", "reason", Reason),
            is_known("dietower_placement", "status", PlacementStatus),
            is_known("dietower_placement", "axis", Axis, empty=True),
        ]

    def __str__(self) -> str:
        return f"Die {self.number} of {self.actor}"


class TowerDie(OfGame):
    """A die that stands."""

    state_table: ClassVar[str] = "dice"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_dice", db_index=False)
    level = models.PositiveSmallIntegerField(help_text="1 is the lowest.")
    placement = models.ForeignKey(Placement, on_delete=models.CASCADE, related_name="standing")
    actor = models.ForeignKey(Actor, on_delete=models.CASCADE, related_name="standing_dice")
    x = models.SmallIntegerField(null=True, blank=True, help_text="Centre; none on a real tower.")
    y = models.SmallIntegerField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["game_id", "level"]
        verbose_name = "die of a tower"
        verbose_name_plural = "dice of towers"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "level"], name="dietower_die_once_a_level"),
            models.CheckConstraint(
                condition=Q(level__gte=1, level__lte=MIRACLE_HEIGHT), name="dietower_die_level_in_range"
            ),
            models.CheckConstraint(
                condition=Q(x__isnull=True, y__isnull=True) | Q(x__isnull=False, y__isnull=False),
                name="dietower_die_centre_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"Level {self.level}"


class Consequence(OfGame):
    """A terrible thing: what the fall of the tower has cost."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_consequences")
    placement = models.ForeignKey(Placement, on_delete=models.CASCADE, related_name="consequences")
    actor = models.ForeignKey(Actor, on_delete=models.CASCADE, related_name="consequences", help_text="Who placed.")
    written = models.BooleanField(default=False)
    kind = models.CharField(max_length=12, choices=choices_of(Harm), default=Harm.OTHER.value)
    text = models.TextField(blank=True)
    targets = models.TextField(default="[]", help_text="Whom it strikes, and who falls by it, as JSON.")

    class Meta:
        ordering: ClassVar = ["game_id", "id"]
        constraints: ClassVar = [is_known("dietower_consequence", "kind", Harm)]

    def __str__(self) -> str:
        return f"{self.kind} after a die of {self.actor}"


class Miracle(OfGame):
    """The thirteenth die, and what its placer chose."""

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_miracles")
    placement = models.ForeignKey(Placement, on_delete=models.CASCADE, related_name="miracles")
    actor = models.ForeignKey(Actor, on_delete=models.CASCADE, related_name="miracles", help_text="Who placed.")
    kind = models.CharField(max_length=12, null=True, blank=True, choices=choices_of(MiracleKind))
    target = models.ForeignKey(Actor, null=True, blank=True, on_delete=models.CASCADE, related_name="+")

    class Meta:
        ordering: ClassVar = ["game_id", "id"]
        constraints: ClassVar = [is_known("dietower_miracle", "kind", MiracleKind, empty=True)]

    def __str__(self) -> str:
        return f"Miracle of {self.actor}"


class Bonus(OfGame):
    """The die that a miracle adds to all rolls of somebody."""

    state_table: ClassVar[str] = "bonuses"

    miracle = models.OneToOneField(Miracle, primary_key=True, on_delete=models.CASCADE, related_name="bonus")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_bonuses")
    actor = models.ForeignKey(Actor, on_delete=models.CASCADE, related_name="bonuses")
    until = models.CharField(max_length=12, choices=choices_of(Until))

    class Meta:
        ordering: ClassVar = ["game_id", "miracle"]
        verbose_name_plural = "bonuses"
        constraints: ClassVar = [is_known("dietower_bonus", "until", Until)]

    def __str__(self) -> str:
        return f"A die for {self.actor}"


class StoryWish(OfReaders):
    """A Wish for the story; its seat's and the game-masters' until it is decided."""

    state_table: ClassVar[str] = "wishes"

    id = models.UUIDField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="dietower_wishes")
    actor = models.ForeignKey(Actor, on_delete=models.CASCADE, related_name="story_wishes")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=12, choices=choices_of(WishKind))
    price = models.PositiveIntegerField(help_text="Wishes that it holds while it waits, and takes when it is accepted.")
    asked = models.TextField(blank=True)
    status = models.CharField(max_length=12, choices=choices_of(WishStatus), default=WishStatus.PENDING.value)
    text = models.TextField(blank=True, help_text="What the world master made of it.")

    class Meta:
        ordering: ClassVar = ["game_id", "id"]
        verbose_name = "story Wish"
        verbose_name_plural = "story Wishes"
        constraints: ClassVar = [
            is_known("dietower_wish", "kind", WishKind),
            is_known("dietower_wish", "status", WishStatus),
            models.UniqueConstraint(
                fields=["actor"],
                condition=Q(status=WishStatus.PENDING.value),
                name="dietower_one_pending_wish_of_an_actor",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.actor}: {self.asked[:60]}"
