"""A game of Cairns whose people are told of it, and the time that its tests turn."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from accounts.models import User
from api.notifications import following
from api.notifications.wishes import change_wishes
from games.engine.kernel import Command
from games.engine.lifecycle.gm_commands import Extend
from games.models import Notification, Prompt
from tests.games.cairns import NOON, Cairns, table
from tests.toy.rules.commands import CastVote, Propose

DAY_SECONDS, VOTE_SECONDS = 24 * 3600, 600


@dataclass
class Told:
    """A game, and the clock of the worker."""

    cairns: Cairns
    now: datetime = NOON

    def clock(self) -> datetime:
        return self.now

    def pass_time(self, **time: float) -> None:
        self.now += timedelta(**time)

    def run(self, command: Command, user: Any) -> Any:
        return self.cairns.run(command, user, at=(self.now - NOON).total_seconds())

    def propose(self) -> UUID:
        """Ask both players to vote within a day."""
        self.run(Propose(text="More salt?"), self.cairns.ann)
        motion = self.motion()
        for timer, seconds in ((f"prompt:{motion}", DAY_SECONDS - VOTE_SECONDS), ("tide", 2 * DAY_SECONDS)):
            self.run(Extend(timer=timer, seconds=seconds), self.cairns.gm)
        return motion

    def motion(self) -> UUID:
        return Prompt.objects.get(game=self.cairns.game).pk

    def vote(self, user: User, *, yes: bool = True) -> None:
        self.run(CastVote(prompt=self.motion(), yes=yes), user)

    def follow(self) -> int:
        """Look at what has moved, as the worker does; how many games that were."""
        games = following.games_to_look_at(self.now, 10)
        for game in games:
            assert following.look_at(game, self.now)
        return len(games)

    def wish(self, user: User, **changes: Any) -> None:
        change_wishes(user.pk, self.now, changes)

    def rows(self, user: User) -> list[Notification]:
        return list(Notification.objects.filter(user=user, gone_at=None).order_by("kind"))

    def kinds(self, user: User) -> list[str]:
        """What a person is told after the next look."""
        self.follow()
        return [row.kind for row in self.rows(user)]


def told(options: str = '{"tide_seconds": 3600, "vote_seconds": 600}') -> Told:
    return Told(table(options))
