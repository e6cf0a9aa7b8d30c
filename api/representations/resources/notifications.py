"""Serializers of notifications and of what people want to be told."""

from typing import Any

from rest_framework import serializers

from api.common.time_zones import require_time_zone
from api.notifications.reading import MAX_IDS
from api.notifications.wishes import MAX_DEADLINE_HOURS, MAX_GAMES_OFF, Wishes
from api.representations.resources.accounts import StrictSerializer, StrictText
from games.engine.game_state import Role
from games.models import NotificationKind

KINDS = [*NotificationKind]
MAX_ZONE_CHARACTERS = 64


class NotificationSerializer(serializers.Serializer[Any]):
    """Something that you are told of a game."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=KINDS, help_text="What you are told.")
    game = serializers.UUIDField()
    game_name = serializers.CharField()
    ruleset = serializers.CharField(help_text="The slug of the game's ruleset.")
    seat = serializers.UUIDField(allow_null=True, help_text="Your seat that it is about; null: the game.")
    role = serializers.ChoiceField(choices=[*Role], allow_null=True, help_text="The role of that seat.")
    message = serializers.CharField(help_text="In words, as you may see it now.")
    due = serializers.DateTimeField(allow_null=True, help_text="Until when you may answer; null without a deadline.")
    created_at = serializers.DateTimeField(help_text="Since when.")
    read_at = serializers.DateTimeField(allow_null=True, help_text="When you marked it as read.")


class UnreadSerializer(serializers.Serializer[Any]):
    """How many notifications are not read."""

    unread = serializers.IntegerField(min_value=0, help_text="Of those that stand.")


class ReadSerializer(StrictSerializer):
    """Which notifications are read: these, or one and all that are older."""

    ids = serializers.ListField(
        child=serializers.UUIDField(), max_length=MAX_IDS, required=False, help_text="These of yours."
    )
    up_to = serializers.UUIDField(required=False, help_text="This one of yours and all that are older.")


class WishesSerializer(serializers.Serializer[Wishes]):
    """What you want to be told."""

    time_zone = serializers.CharField(help_text="IANA name of the zone in which pages show you times.")
    deadline_hours = serializers.IntegerField(
        min_value=0, max_value=MAX_DEADLINE_HOURS, help_text="How long before a deadline it is near; 0: never."
    )
    kinds_off = serializers.ListField(
        child=serializers.ChoiceField(choices=KINDS), max_length=len(KINDS), help_text="The kinds you are not told."
    )
    games_off = serializers.ListField(
        child=serializers.UUIDField(), max_length=MAX_GAMES_OFF, help_text="The games you are told nothing of."
    )


class ChangeWishesSerializer(StrictSerializer):
    """What may be changed of it; what is left out stays."""

    time_zone = StrictText(max_length=MAX_ZONE_CHARACTERS, required=False, help_text="IANA name of a time zone.")
    deadline_hours = serializers.IntegerField(
        min_value=0, max_value=MAX_DEADLINE_HOURS, required=False, help_text="0: never."
    )
    kinds_off = serializers.ListField(
        child=serializers.ChoiceField(choices=KINDS),
        max_length=len(KINDS),
        required=False,
        help_text="The kinds you are not told.",
    )
    games_off = serializers.ListField(
        child=serializers.UUIDField(),
        max_length=MAX_GAMES_OFF,
        required=False,
        help_text="The games you are told nothing of.",
    )

    def validate_time_zone(self, name: str) -> str:
        """One that is known. Raises Fault (time_zone.unknown)."""
        return require_time_zone(name)
