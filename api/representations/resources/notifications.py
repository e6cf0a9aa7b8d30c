"""Serializers of notifications and of what people want to be told."""

from typing import Any

from rest_framework import serializers

from accounts.models import PushSubscription
from api.common.time_zones import require_time_zone
from api.notifications.browsers import MAX_LABEL_CHARACTERS, MAX_SUBSCRIPTIONS, Wish, host_of, renew
from api.notifications.reading import MAX_IDS
from api.notifications.wishes import MAX_DEADLINE_HOURS, MAX_GAMES_OFF, Wishes
from api.representations.resources.accounts import StrictSerializer, StrictText
from games.engine.game_state import Role
from games.models import NotificationKind
from games.models.webhooks import MAX_URL_CHARACTERS

KINDS = [*NotificationKind]
MAX_ZONE_CHARACTERS = 64
HOUR = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
"""A time of day."""


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
    mail_kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=KINDS), max_length=len(KINDS), help_text="The kinds you are mailed, too."
    )
    push_kinds_off = serializers.ListField(
        child=serializers.ChoiceField(choices=KINDS),
        max_length=len(KINDS),
        help_text="The kinds that are not pushed to your browsers.",
    )
    quiet_from = serializers.CharField(
        help_text="No mail and no push goes out from then on, as `22:00`; empty: at any time."
    )
    quiet_to = serializers.CharField(help_text="Until then; in your time zone.")
    mail_digest = serializers.CharField(
        help_text="You are mailed once a day, at that time in your zone, as `07:00`; empty: of each by itself."
    )


def _hour(help_text: str) -> serializers.RegexField:
    return serializers.RegexField(
        HOUR, max_length=5, allow_blank=True, required=False, trim_whitespace=False, help_text=help_text
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

    mail_kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=KINDS),
        max_length=len(KINDS),
        required=False,
        help_text="The kinds you are mailed, too; your e-mail address is confirmed for it.",
    )
    push_kinds_off = serializers.ListField(
        child=serializers.ChoiceField(choices=KINDS),
        max_length=len(KINDS),
        required=False,
        help_text="The kinds that are not pushed to your browsers.",
    )
    quiet_from = _hour("No mail and no push goes out from then on, as `22:00`; empty: at any time.")
    quiet_to = _hour("Until then; in your time zone.")
    mail_digest = _hour("You are mailed once a day, at that time in your zone, as `07:00`; empty: of each by itself.")

    def validate_time_zone(self, name: str) -> str:
        """One that is known. Raises Fault (time_zone.unknown)."""
        return require_time_zone(name)


class PushSubscriptionSerializer(serializers.Serializer[Any]):
    """A browser that takes pushes; neither its endpoint nor its keys."""

    id = serializers.UUIDField()
    host = serializers.SerializerMethodField(help_text="The host of its push service.")
    label = serializers.CharField(help_text="What you call it.")  # type: ignore[assignment]
    created_at = serializers.DateTimeField(help_text="Since when it takes pushes.")

    def get_host(self, row: PushSubscription) -> str:
        """As much of the endpoint as is shown."""
        return host_of(row)


class PushSubscriptionsSerializer(serializers.Serializer[Any]):
    """Your browsers that take pushes, and the key by which another subscribes."""

    public_key = serializers.CharField(help_text="As `applicationServerKey`; empty: nothing is pushed here.")
    results = serializers.ListField(
        child=PushSubscriptionSerializer(), max_length=MAX_SUBSCRIPTIONS, help_text="The newest first."
    )


class PushSubscriptionWishSerializer(StrictSerializer):
    """A subscription, as the browser gives it."""

    endpoint = StrictText(max_length=MAX_URL_CHARACTERS, help_text="Where its push service takes pushes; https alone.")
    p256dh = StrictText(max_length=90, help_text="Its public key, as base64url.")
    auth = StrictText(max_length=30, help_text="Its secret, as base64url.")
    label = StrictText(  # type: ignore[assignment]
        max_length=MAX_LABEL_CHARACTERS, allow_blank=True, default="", help_text="What you call the browser."
    )


class PushRenewalSerializer(StrictSerializer):
    """A subscription that a browser has renewed by itself, with what shows that it had the former one."""

    former_endpoint = StrictText(max_length=MAX_URL_CHARACTERS, help_text="The endpoint that it had.")
    former_auth = StrictText(max_length=30, help_text="The secret that it had, as base64url.")
    endpoint = StrictText(max_length=MAX_URL_CHARACTERS, help_text="Where its push service takes pushes now.")
    p256dh = StrictText(max_length=90, help_text="Its public key now, as base64url.")
    auth = StrictText(max_length=30, help_text="Its secret now, as base64url.")

    def renew(self) -> PushSubscription:
        """Put it in the place of the former one. Raises as `browsers.renew`."""
        given = dict(self.validated_data)
        former, former_auth = given.pop("former_endpoint"), given.pop("former_auth")
        return renew(former, former_auth, Wish(**given))
