"""Small worlds for the tests of the APIs: a game of Cairns with its people, a mapped world, and clients with tokens."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.core.cache import caches
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Scope, User
from accounts.services import mint_token
from games import services
from games.engine.kernel import Actor, Command, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.seating import Join
from games.models import Game, Seat
from games.storage.state_cache import STATE_CACHE
from worlds.ids import square_id
from worlds.models import Artifact, City, Deity, PantheonShare, Person, Presence, Race, Square, World, WorldMember

NOWHERE = UUID("00000000-0000-4000-8000-00000000dead")
"""The id of no game and no world."""


def user(name: str) -> User:
    """A person of this name, made once."""
    return User.objects.filter(username=name).first() or User.objects.create_user(username=name, password="x")


def bearer(person: User, *scopes: Scope) -> dict[str, str]:
    """The headers of a request by this person: a fresh token with these scopes, all of them when none is named."""
    _, plain = mint_token(person, "tests", scopes or tuple(Scope))
    return {"Authorization": f"Bearer {plain}"}


def client(person: User | None = None, *scopes: Scope) -> Client:
    """A client of this person's, or of nobody."""
    return Client(headers=bearer(person, *scopes) if person else {})


@dataclass
class ToyGame:
    """A game of Cairns: hosted and led by `host`; Ann and Bob play; Eve has no seat."""

    game: Game
    host: User = field(default_factory=lambda: user("host"))
    ann: User = field(default_factory=lambda: user("ann"))
    bob: User = field(default_factory=lambda: user("bob"))
    eve: User = field(default_factory=lambda: user("eve"))

    def seat(self, person: User, role: str = "player") -> UUID:
        """The id of a user's seat."""
        return Seat.objects.get(game=self.game, user=person, role=role).pk

    def actor(self, person: User) -> Actor:
        """A user, acting through their player's seat."""
        return Actor(Issuer.SEAT, person.pk, self.seat(person))

    @property
    def gm(self) -> Actor:
        """The host, as game-master."""
        return Actor(Issuer.GM, self.host.pk, self.seat(self.host, "gm"))

    def fresh(self) -> Game:
        """The game's row as it is now."""
        return Game.objects.get(pk=self.game.pk)

    def path(self, rest: str = "") -> str:
        """An address below this game."""
        return f"/api/v1/games/{self.game.pk}/{rest}"


def toy_game(options: str = '{"tide_seconds": 3600}', *, start: bool = True, is_public: bool = True) -> ToyGame:
    """A game of Cairns with seats for Ann and Bob, begun unless `start` is off."""
    now = timezone.now()
    toy = ToyGame(
        services.open_game("toy", "Cairns", user=user("host").pk, options=options, is_public=is_public, now=now)
    )
    for person in (toy.ann, toy.bob):
        join = Join(name=person.username.title())
        if is_public:
            services.run(toy.game.pk, join, actor=Actor(Issuer.SEAT, person.pk), now=now)
    if start and is_public:
        services.run(toy.game.pk, Start(), actor=toy.gm, now=now)
    return toy


@dataclass
class Atlantis:
    """A mapped world of 4 x 3 squares with two races, a city, a pantheon, and a prince who holds an artifact."""

    world: World
    elves: Race
    dwarves: Race
    sun: Deity
    mim: Person


def atlantis(name: str = "Atlantis", *, is_public: bool = True, members: tuple[User, ...] = ()) -> Atlantis:
    """A world with rows of most kinds."""
    world = World.objects.create(name=name, width=4, height=3, is_public=is_public)
    squares = {
        (x, y): Square(id=square_id(world.number, 4, x, y), world=world, x=x, y=y, terrain="W" if x == 0 else "P")
        for y in range(3)
        for x in range(4)
    }
    Square.objects.bulk_create(squares.values())
    for member in members:
        WorldMember.objects.create(world=world, user=member)
    elves = Race.objects.create(world=world, name="Elves")
    dwarves = Race.objects.create(world=world, name="Dwarves", extinct=True)
    Presence.objects.create(race=elves, square=squares[1, 0], units=7)
    Presence.objects.create(race=elves, square=squares[2, 1], units=5)
    City.objects.create(world=world, race=elves, square=squares[1, 0], name="Oldhome")
    sun = Deity.objects.create(world=world, name="Sun")
    PantheonShare.objects.create(race=elves, deity=sun, share=9_000)
    PantheonShare.objects.create(race=elves, special="atheism", share=1_000)
    mim = Person.objects.create(world=world, name="Mim", kind="prince", square=squares[1, 0])
    Artifact.objects.create(world=world, name="Ring", person=mim)
    return Atlantis(world, elves, dwarves, sun, mim)


@contextmanager
def max_queries(most: int) -> Iterator[CaptureQueriesContext]:
    """No more than so many queries are asked in the block."""
    with CaptureQueriesContext(connection) as captured:
        yield captured
    assert len(captured) <= most, [query["sql"] for query in captured.captured_queries]


def run(toy: ToyGame, command: Command, person: User | Actor, **more: Any) -> services.Outcome:
    """A player of Cairns issues a command."""
    actor = person if isinstance(person, Actor) else toy.actor(person)
    return services.run(toy.game.pk, command, actor=actor, **more)


def assert_refused(answer: HttpResponse, status: int, code: str) -> None:
    """An answer is a problem document with this status and code."""
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json"), answer.content
    assert answer.json()["code"] == code


@contextmanager
def restore_afterwards() -> Iterator[None]:
    """What is done in the block is gone afterwards, as in a database that was restored from a copy made before."""
    for name in ("responses", "throttles"):
        caches[name].clear()  # a cached answer would hide what changed
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    STATE_CACHE.clear()  # a reader may be shown a state that is ahead of its row: nothing committed is taken back


def cursor_ahead(toy: ToyGame, person: User, command: Command) -> str:
    """A cursor right behind a command that the restored log does not hold."""
    with restore_afterwards():
        run(toy, command, person)
        return str(client(person).get(toy.path()).json()["cursor"])
