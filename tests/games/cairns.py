"""Cairns at a table: a game of the toy ruleset with two players, through the services."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from accounts.models import User
from games import registry, services
from games.engine.game_state import dump
from games.engine.kernel import Actor, Command, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.seating import Join
from games.models import Game, Seat
from games.storage import log

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@dataclass
class Cairns:
    """A running game, its people, and shorthands."""

    game: Game
    host: User
    ann: User
    bob: User

    def seat(self, user: User, role: str = "player") -> UUID:
        return Seat.objects.get(game=self.game, user=user, role=role).pk

    def actor(self, user: User) -> Actor:
        return Actor(Issuer.SEAT, user.pk, self.seat(user))

    @property
    def gm(self) -> Actor:
        return Actor(Issuer.GM, self.host.pk, self.seat(self.host, "gm"))

    def run(self, command: Command, user: User | Actor, *, at: float = 0, **more) -> services.Outcome:
        actor = user if isinstance(user, Actor) else self.actor(user)
        return services.run(self.game.pk, command, actor=actor, now=NOON + timedelta(seconds=at), **more)

    def fresh(self) -> Game:
        return Game.objects.get(pk=self.game.pk)

    def state(self):
        return registry.store("toy").load(self.fresh())

    def types(self) -> list[str]:
        return list(self.fresh().events.order_by("seq").values_list("type", flat=True))

    def rows_equal_log(self) -> bool:
        rows, folded = dump(self.state()), dump(log.fold(self.fresh()))
        assert rows == folded
        assert list(log.broken_links(self.fresh())) == []
        return True


def table(options: str = "{}", *, start: bool = True, is_public: bool = True) -> Cairns:
    """A game with a host, Ann and Bob."""
    host, ann, bob = (User.objects.create_user(username=name, password="x") for name in ("host", "ann", "bob"))
    game = services.open_game("toy", "Cairns", user=host.pk, options=options, is_public=is_public, now=NOON)
    cairns = Cairns(game, host, ann, bob)
    for user in (ann, bob):
        services.run(game.pk, Join(name=user.username.title()), actor=Actor(Issuer.SEAT, user.pk), now=NOON)
    if start:
        cairns.run(Start(), cairns.gm)
    return cairns
