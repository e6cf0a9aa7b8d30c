"""Rows of every game: the table, the log, prompts and timers, notifications, webhooks and chat hooks, muted seats."""

from games.models.chat_hooks import ChatFormat, ChatHook
from games.models.game import Ban, Game, Invitation, Seat, Secret
from games.models.log import Die, LoggedEvent, Receipt, Stream
from games.models.muting import MutedSeat
from games.models.notifications import (
    MailState,
    Notification,
    NotificationFollower,
    NotificationKind,
    NotificationMail,
    NotificationPush,
    SentNotification,
)
from games.models.pulse import Pulse
from games.models.table import Answer, EnteredDie, Leave, Prompt, StandingAnswer, Timer
from games.models.webhooks import DeliveryState, PostedTo, Webhook, WebhookDelivery

__all__ = [
    "Answer",
    "Ban",
    "ChatFormat",
    "ChatHook",
    "DeliveryState",
    "Die",
    "EnteredDie",
    "Game",
    "Invitation",
    "Leave",
    "LoggedEvent",
    "MailState",
    "MutedSeat",
    "Notification",
    "NotificationFollower",
    "NotificationKind",
    "NotificationMail",
    "NotificationPush",
    "PostedTo",
    "Prompt",
    "Pulse",
    "Receipt",
    "Seat",
    "Secret",
    "SentNotification",
    "StandingAnswer",
    "Stream",
    "Timer",
    "Webhook",
    "WebhookDelivery",
]
