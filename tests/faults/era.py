"""A small game of The Gods II that is due for a whole century: wars, the end of Activity, the next century.

Its id and secrets are always the same, so every run of it leads to the same dice.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from unittest.mock import patch
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games import registry, services
from games.engine.game_state import dump
from games.engine.kernel import Actor, Command, Issuer
from games.engine.lifecycle.gm_commands import Pause, Start
from games.engine.lifecycle.seating import Join
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.setup.commands import ConfigureGame, DefineGod, DefineRace, SetMap
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.value_types import CardOf, Held, Place, ShareOf
from games.models import Game, LoggedEvent, Receipt, Seat, Timer
from games.storage import log
from worlds.models import Race

CENTURY = timedelta(seconds=7200)
ROWS = ("PPPPPPPP",) * 4
DWARVES = tuple((x, y) for x in (0, 1, 2, 3) for y in (0, 1, 2))
ELVES = tuple((x, y) for x in (4, 5, 6, 7) for y in (1, 2, 3))


@dataclass
class Era:
    """A game and its people."""

    game: UUID
    host: UUID
    ann: UUID
    bob: UUID

    def seat(self, user: UUID, role: str) -> UUID:
        return Seat.objects.values_list("pk", flat=True).get(game=self.game, user=user, role=role)

    @property
    def gm(self) -> Actor:
        return Actor(Issuer.GM, self.host, self.seat(self.host, "gm"))

    @property
    def player(self) -> Actor:
        return Actor(Issuer.SEAT, self.ann, self.seat(self.ann, "player"))

    def run(self, command: Command, actor: Actor, now: datetime, **more: str) -> services.Outcome:
        return services.run(self.game, command, actor=actor, now=now, **more)

    def fresh(self) -> Game:
        return Game.objects.get(pk=self.game)

    def digest(self) -> str:
        return self.fresh().digest

    def types(self, after: int = 0) -> list[str]:
        rows = LoggedEvent.objects.filter(game=self.game, seq__gt=after).order_by("seq")
        return list(rows.values_list("type", flat=True))

    def due(self, by: datetime) -> list[str]:
        """The keys of the timers that are due by then, in their order."""
        rows = Timer.objects.filter(game=self.game, due__lte=by).order_by("due", "generation")
        return list(rows.values_list("key", flat=True))

    def catch_up(self, by: datetime) -> int:
        """Fire all that is due by then, some at a go, until nothing is; how many timers fired."""
        fired = 0
        while some := services.fire_due(self.game, by):
            fired += some
        return fired

    def healthy_digest(self, by: datetime) -> str:
        """The digest that one healthy worker leads to; the game stays as it was."""
        with transaction.atomic():
            self.catch_up(by)
            digest = self.digest()
            transaction.set_rollback(True)
        return digest

    def faults(self) -> list[str]:
        """One sentence for each promise that the game breaks: no gap, each timer once, rows as logged.

        The game is locked meanwhile, as a command locks it: a worker may be playing on.
        """
        with transaction.atomic():
            return self._faults_of(Game.objects.select_for_update().get(pk=self.game))

    def _faults_of(self, game: Game) -> list[str]:
        found = []
        rows = LoggedEvent.objects.filter(game=game).order_by("seq")
        if [row.seq for row in rows] != list(range(1, game.seq + 1)):
            found.append("the log has a gap")
        fired = [row.body for row in rows if row.type == "TimerFired"]
        if len(set(fired)) != len(fired):
            found.append("a timer fired twice")
        if Receipt.objects.filter(game=game, principal="clock").count() != len(fired):
            found.append("timers and their receipts differ")
        centuries = [log.event_of("gods2", row).century for row in rows if row.type == "CenturyOpened"]
        if centuries != list(range(1, len(centuries) + 1)):
            found.append(f"the centuries were {centuries}")
        if dump(registry.store("gods2").load(game)) != dump(log.fold(game)):
            found.append("the rows are not what the log says")
        return [*found, *(str(link) for link in log.broken_links(game))]


@contextmanager
def fix_ids(number: int) -> Iterator[None]:
    """Games that are opened within have a known id and known secrets."""
    numbers = count(number * 100)
    with (
        patch("games.services.uuid4", lambda: UUID(int=number)),
        patch("games.services.os.urandom", lambda size: bytes([next(numbers) % 256]) * size),
    ):
        yield


def person(name: str) -> UUID:
    """A user of this name, made once."""
    return User.objects.get_or_create(username=name)[0].pk


def open_era(number: int, now: datetime, *, seconds: int = int(CENTURY.total_seconds())) -> Era:
    """A game whose first century begins at `now`; one of its two gods has declared a war. Nothing in it is a bot's."""
    options = Gods2Options(century_seconds=seconds, auto_sessions=True)
    era = Era(UUID(int=number), *(person(name) for name in ("host", "ann", "bob")))
    with fix_ids(number):
        services.open_game("gods2", f"Era {number}", user=era.host, options=options.model_dump_json(), now=now)
    master = Actor(Issuer.HOST, era.host, era.seat(era.host, "host"))
    for user, name in ((era.ann, "Ann"), (era.bob, "Bob")):
        era.run(Join(name=name), Actor(Issuer.SEAT, user), now)
    gods, war = tuple(era.seat(user, "player") for user in (era.ann, era.bob)), (CardOf(sphere="WA", count=3),)
    for command in (
        ConfigureGame(options=options),
        SetMap(width=len(ROWS[0]), height=len(ROWS), rows=ROWS),
        *(DefineGod(seat=seat, name=name, cards=war) for seat, name in zip(gods, ("Ashkar", "Belun"), strict=True)),
        _race("Dwarves", DWARVES, {gods[0]: 60, gods[1]: 40}),
        _race("Elves", ELVES, {gods[0]: 30, gods[1]: 70}),
        Start(),
    ):
        era.run(command, master, now)
    era.run(OpenSession(), era.gm, now)
    world = era.fresh().world_id
    one, other = (Race.objects.get(world=world, name=name).pk for name in ("Dwarves", "Elves"))
    era.run(DeclareWar(attacker=one, defender=other), era.player, now)
    return era


def _race(name: str, squares: tuple[tuple[int, int], ...], gods: dict[UUID, int]) -> DefineRace:
    return DefineRace(
        name=name,
        attributes=("warlike",),
        placed=tuple(Held(square=Place(x=x, y=y), units=1) for x, y in squares),
        pantheon=tuple(ShareOf(member=str(seat), share=percent * 100) for seat, percent in gods.items()),
    )


def overdue(number: int) -> Era:
    """A game whose whole first century is due by now, and nothing of the second one for a while."""
    return open_era(number, timezone.now() - CENTURY - timedelta(seconds=1))


def waiting(number: int) -> Era:
    """A paused game in which nothing but the end of the first century is left; due a second after it is resumed."""
    begun = timezone.now() - CENTURY
    era = open_era(number, begun)
    last = begun + CENTURY - timedelta(seconds=1)
    assert era.catch_up(last), "no timer of the century was due"
    era.run(Pause(reason="for the test"), era.gm, last)
    return era
