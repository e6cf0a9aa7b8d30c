"""A game of Cairns with webhooks, and the time that its tests turn."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from accounts.models import User
from api.common.authentication import Principal
from api.outbound.posting import Answer
from api.webhooks import delivery, subscriptions
from api.webhooks.subscriptions import Wish
from games.models import Webhook, WebhookDelivery
from tests.games.cairns import NOON, Cairns, table
from tests.toy.rules.commands import AddStones


@dataclass
class Subscribed:
    """A game, and the clock of the workers."""

    cairns: Cairns
    now: datetime = NOON

    def clock(self) -> datetime:
        return self.now

    def pass_time(self, **time: float) -> None:
        self.now += timedelta(**time)

    def subscribe(self, user: User, url: str, **more: Any) -> Webhook:
        wish = Wish(url=url, game=self.cairns.game.pk, **more)
        return subscriptions.create(Principal(user), wish, self.now)[0]

    def add_stones(self, stones: int = 1, user: User | None = None) -> None:
        self.cairns.run(AddStones(stones=stones), user or self.cairns.ann)

    def take(self) -> list[UUID]:
        return delivery.take(self.now, 100)

    def deliver(self) -> list[Answer | None]:
        """One message of each webhook that is due."""
        return [delivery.deliver(each, self.clock) for each in self.take()]

    def deliver_all(self) -> None:
        """Until nothing is due."""
        while self.deliver():
            pass

    def deliveries(self, webhook: Webhook) -> list[WebhookDelivery]:
        return list(webhook.deliveries.order_by("first_seq", "created_at"))


def subscribed(**more: Any) -> Subscribed:
    return Subscribed(table('{"tide_seconds": 3600}', **more))
