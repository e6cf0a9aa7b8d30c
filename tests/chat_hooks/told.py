"""A game of Cairns with chat hooks, and the time that its tests turn."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from accounts.models import User
from api.common.authentication import Principal
from api.outbound.posting import Answer
from api.webhooks.chat import delivery, hooks
from api.webhooks.chat.hooks import Wish
from games import services
from games.engine.kernel import Actor, Command
from games.models import ChatHook, Prompt
from tests.chat_hooks.channels import Channel
from tests.games.cairns import NOON, Cairns
from tests.toy.rules.commands import CastVote, Propose

MAX_STEPS = 20


@dataclass
class Told:
    """A game, and the clock of the workers, which is the game's."""

    cairns: Cairns
    now: datetime = NOON

    def clock(self) -> datetime:
        return self.now

    def pass_time(self, **time: float) -> None:
        """Let the clock go on, and what is due in the game happen."""
        self.now += timedelta(**time)
        services.fire_due_in([self.cairns.game.pk], now=self.now)

    def hook(self, channel: Channel, user: User | None = None, **more: Any) -> ChatHook:
        wish = Wish(url=channel.url, game=self.cairns.game.pk, format=channel.format, **more)
        return hooks.create(Principal(user or self.cairns.ann), wish, self.now)

    def run(self, command: Command, user: User | Actor) -> None:
        self.cairns.run(command, user, at=(self.now - NOON).total_seconds())

    def propose(self, text: str = "Let us rest.", user: User | None = None) -> None:
        """Ask both players; a motion is answered within 10 minutes."""
        self.run(Propose(text=text), user or self.cairns.ann)

    def vote(self, user: User, *, yes: bool = True) -> None:
        self.run(CastVote(prompt=Prompt.objects.get(game=self.cairns.game).pk, yes=yes), user)

    def deliver(self) -> list[Answer | None]:
        """One step of each hook that is due."""
        return [delivery.deliver(each, self.clock) for each in delivery.take(self.now, 100)]

    def deliver_all(self) -> None:
        """Until nothing is due."""
        assert any(not self.deliver() for _ in range(MAX_STEPS)), "it posts without end"

    def rename(self, user: User, name: str) -> None:
        """Let a seat be called so, whatever the service would allow."""
        self.cairns.game.seats.filter(user=user, role="player").update(name=name)
