"""A small game of The Gods II in the database: its stage from the tests of the rules, three people at their seats."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.test import Client

from games import registry, services
from games.engine.game_state import dump
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.seating import Join
from games.gods2.rules.century.commands import OpenSession
from games.models import Game, LoggedEvent, Receipt, Seat
from tests.api.worlds import client, user
from tests.rules.gods2.refusals import Cast, absent, options, stage


@dataclass
class Earth:
    """The game, who plays, and a client for each."""

    game: Game
    cast: Cast
    ana: Client
    ben: Client
    gm: Client
    eve: Client = field(default_factory=lambda: client(user("eve")))

    def path(self, rest: str = "") -> str:
        """An address below this game."""
        return f"/api/v1/games/{self.game.pk}/{rest}"

    def standing(self) -> tuple[Any, int, int]:
        """Everything that a command could change: all rows as the rules read them, the log, receipts."""
        rows = dump(registry.store("gods2").load(Game.objects.get(pk=self.game.pk)))
        return rows, LoggedEvent.objects.filter(game=self.game).count(), Receipt.objects.count()

    def ask(self, who: Client, query: str, **variables: Any) -> dict[str, Any]:
        """What GraphQL answers."""
        body = {"query": query, "variables": {"g": str(self.game.pk), **variables}}
        answer = who.post("/graphql/", body, content_type="application/json").json()
        assert "errors" not in answer, answer
        found: dict[str, Any] = answer["data"]
        return found


def earth() -> Earth:
    """The stage, its board open; Cirra is absent."""
    host = user("host")
    game = services.open_game("gods2", "Stage", user=host.pk, options=options().model_dump_json())
    seats: dict[str, UUID] = {}
    for name in ("ana", "ben", "cleo"):
        services.run(game.pk, Join(name=name.title()), actor=Actor(Issuer.SEAT, user(name).pk))
        seats[name] = Seat.objects.get(game=game, user=user(name), role="player").pk
    cast = Cast(**seats)
    held = {role: Seat.objects.get(game=game, user=host, role=role).pk for role in ("host", "gm")}
    by = {role: Actor(Issuer(role), host.pk, seat) for role, seat in held.items()}
    for command in stage(cast):
        services.run(game.pk, command, actor=by["host"])
    services.run(game.pk, Start(), actor=by["host"])
    services.run(game.pk, OpenSession(), actor=by["gm"])
    services.run(game.pk, absent(cast), actor=by["gm"])
    state = registry.store("gods2").load(Game.objects.get(pk=game.pk))
    cast.races.update({race.name: race.id for race in state.races.values()})
    return Earth(game, cast, client(user("ana")), client(user("ben")), client(host))
