"""A small live event of The Gods II for the tests: two game-masters, three gods, two peoples; services and REST."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.test import Client

from accounts.models import User
from games import registry, services
from games.engine.game_state import Role, dump
from games.engine.kernel import Actor, Command, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.seating import AddSeat, HandOver, Join
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.setup.commands import ConfigureGame, DefineGod, DefineRace, SetMap
from games.gods2.rules.state.value_types import CardOf, Held, Place, ShareOf
from games.models import Game, LoggedEvent, Seat
from games.storage import log
from tests.api.worlds import client, user

ROWS = ("PPPPPPPP",) * 3
GODS = ("ana", "ben", "cleo")


@dataclass
class Event:
    """A live event whose first century is open."""

    id: UUID
    seats: dict[str, UUID]
    """Seats of the gods and of the second game-master, by person."""
    races: dict[str, UUID]

    @property
    def state(self) -> Any:
        """The state as its rows hold it."""
        return registry.store("gods2").load(self.game)

    @property
    def game(self) -> Game:
        """The row as it is now."""
        return Game.objects.get(pk=self.id)

    def actor(self, name: str) -> Actor:
        """A player through their seat; `gaia` and `urania` are the game-masters."""
        person = user(name)
        if name in GODS:
            return Actor(Issuer.SEAT, person.pk, self.seats[name])
        return Actor(Issuer.GM, person.pk, Seat.objects.get(game=self.id, user=person, role="gm").pk)

    def run(self, command: Command, name: str = "gaia", **more: Any) -> services.Outcome:
        """Issue a command."""
        return services.run(self.id, command, actor=self.actor(name), **more)

    def events_of(self, kind: str) -> list[dict[str, Any]]:
        """The fields of every event of a type, in order."""
        rows = LoggedEvent.objects.filter(game=self.id, type=kind).order_by("seq")
        return [json.loads(row.body) for row in rows]

    def rows_agree(self) -> None:
        """Rows equal the folded log."""
        rows, folded = dump(self.state), dump(log.fold(self.game))
        assert {name for name in rows if rows[name] != folded[name]} == set()

    def url(self, rest: str) -> str:
        """An address below the event."""
        return f"/api/v1/games/{self.id}/{rest}"


class Table:
    """One person at the event's REST API."""

    def __init__(self, event: Event, name: str, *, gm: bool = False) -> None:
        self.event, self.gm = event, gm
        person: User | None = user(name) if name else None
        self.client: Client = client(person)

    def get(self, rest: str, **query: Any) -> Any:
        """The body of an answer."""
        answer = self.client.get(self.event.url(rest), {**self._as(), **query})
        assert answer.status_code == 200, answer.content
        return answer.json()

    def do(self, command: str, body: dict[str, Any] | None = None, **query: Any) -> Any:
        """The answer to a command."""
        address = "&".join(f"{key}={value}" for key, value in {**self._as(), **query}.items())
        url = self.event.url(f"commands/{command}/") + (f"?{address}" if address else "")
        return self.client.post(url, json.dumps(body or {}), content_type="application/json")

    def cursor(self) -> str:
        """Where this person stands now."""
        return str(self.get("state/")["cursor"])

    def _as(self) -> dict[str, str]:
        return {"as": "gm"} if self.gm else {}


def live(options: dict[str, Any] | None = None, now: datetime | None = None) -> Event:
    """An event with a map of 24 squares, three gods with War cards and 20 mana each, Dwarves and Elves in contact.

    now: when all that happens; now unless said.
    """
    host, chosen = user("gaia"), json.dumps({"plan": [8, 8], **(options or {})})
    game = services.open_game("gods2", "Live", user=host.pk, options=chosen, now=now)
    by_host = Actor(Issuer.HOST, host.pk, Seat.objects.get(game=game, user=host, role="host").pk)

    def run(command: Command, actor: Actor = by_host) -> None:
        services.run(game.pk, command, actor=actor, now=now)

    run(ConfigureGame(pack_version=1))  # its numbers are the rulebook's
    run(SetMap(width=8, height=3, rows=ROWS))
    for name in GODS:
        run(Join(name=name.title()), Actor(Issuer.SEAT, user(name).pk))
    run(AddSeat(name="Second", role=Role.GM))
    second = Seat.objects.get(game=game, name="Second")
    run(HandOver(seat=second.pk, user=user("urania").pk, reason="She leads with me."), Actor(Issuer.GM, host.pk))
    seats = {name: Seat.objects.get(game=game, user=user(name)).pk for name in GODS}
    for name, seat in seats.items():
        run(DefineGod(seat=seat, name=f"God {name}", cards=(CardOf(sphere="WA", count=2),)))
    races = {}
    for name, x, gods in (("Dwarves", 1, ("ana", "ben")), ("Elves", 4, ("ben", "cleo"))):
        run(
            DefineRace(
                name=name,
                attributes=("peaceful",),
                placed=tuple(Held(square=Place(x=x + i, y=1), units=1) for i in range(3)),
                pantheon=tuple(ShareOf(member=str(seats[god]), share=5000) for god in gods),
            )
        )
        races[name] = UUID(json.loads(LoggedEvent.objects.filter(game=game, type="RaceDefined").last().body)["race"])
    gm = Actor(Issuer.GM, host.pk, Seat.objects.get(game=game, user=host, role="gm").pk)
    run(Start(), gm)
    run(OpenSession(), gm)
    return Event(game.pk, {**seats, "urania": second.pk}, races)
