"""Serializers of chat hooks. An address is taken and never given back: its host and last characters are shown."""

from typing import Any

from rest_framework import serializers

from api.representations.resources.accounts import StrictSerializer, StrictText
from api.webhooks.chat.hooks import MAX_CHAT_HOOKS, MAX_MENTIONS, mentions_of
from games.models import ChatFormat, ChatHook
from games.models.webhooks import MAX_URL_CHARACTERS

CHAT_HOOK_FIELDS = (
    "id",
    "game",
    "application",
    "address",
    "format",
    "time_zone",
    "mentions",
    "is_active",
    "reason",
    "failures",
    "status",
    "error",
    "tried_at",
    "next_try_at",
    "created_at",
)


class ChatMentionSerializer(StrictSerializer):
    """Whom a channel calls when a seat is waited for."""

    seat = serializers.UUIDField(help_text="A seat of the game.")
    mention = StrictText(max_length=80, help_text="What the channel reads as a call, such as `<@123>`.")


class ChatHookSerializer(serializers.ModelSerializer[ChatHook]):
    """A chat hook's row."""

    game = serializers.UUIDField(source="game_id", help_text="The game that the channel is told of.")
    address = serializers.CharField(help_text="The host and the last four characters of its address.")
    format = serializers.ChoiceField(choices=[*ChatFormat], help_text="How the channel wants its lines.")
    mentions = serializers.SerializerMethodField(help_text="Whom it calls for which seat.")

    class Meta:
        model = ChatHook
        fields: tuple[str, ...] = CHAT_HOOK_FIELDS
        read_only_fields = fields

    def get_mentions(self, hook: ChatHook) -> list[dict[str, Any]]:
        """As they were given."""
        return [{**each, "seat": str(each["seat"])} for each in mentions_of(hook)]


class ChatHooksSerializer(serializers.Serializer[Any]):
    """All chat hooks of a person."""

    results = serializers.ListField(
        child=ChatHookSerializer(), max_length=MAX_CHAT_HOOKS, help_text="The newest first."
    )


class MentionsField(serializers.ListField):
    """Whom to call for which seat."""

    def __init__(self, **more: Any) -> None:
        super().__init__(
            child=ChatMentionSerializer(),
            max_length=MAX_MENTIONS,
            help_text="Whom to call for which seat; nobody is called for others.",
            **more,
        )


class ChatHookWishSerializer(StrictSerializer):
    """A request for a chat hook."""

    game = serializers.UUIDField(help_text="A game that you may see.")
    url = StrictText(max_length=MAX_URL_CHARACTERS, help_text="The channel's address for incoming webhooks; https.")
    format = serializers.ChoiceField(choices=[*ChatFormat], help_text="How the channel wants its lines.")
    time_zone = StrictText(max_length=64, default="UTC", help_text="Where its times are; an IANA name.")
    mentions = MentionsField(default=list)


class ChatHookChangeSerializer(StrictSerializer):
    """What may be changed of a chat hook."""

    url = StrictText(max_length=MAX_URL_CHARACTERS, required=False, help_text="The channel's address.")
    time_zone = StrictText(max_length=64, required=False, help_text="Where its times are; an IANA name.")
    mentions = MentionsField(required=False)
    is_active = serializers.BooleanField(required=False, help_text="Whether lines are posted.")
