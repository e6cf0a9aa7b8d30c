"""A game in the service, for the tests of every ruleset: its people's seats, and the time that the tests let pass."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.test import Client

from games import registry, services
from games.engine.game_state import dump
from games.engine.kernel import Actor, Command, Issuer
from games.models import Game, LoggedEvent, Seat, Timer
from games.storage import log
from tests.api.worlds import client, user

DAWN = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


@dataclass
class Table:
    """One game, its people's seats, and the time that the tests let pass."""

    id: UUID
    seats: dict[str, UUID] = field(default_factory=dict)
    now: datetime = DAWN
    clients: dict[str, Client] = field(default_factory=dict)
    """Clients of its people, by name."""

    @property
    def game(self) -> Game:
        """The row as it is now."""
        return Game.objects.get(pk=self.id)

    @property
    def state(self) -> Any:
        """The state as its rows hold it."""
        return registry.store(self.game.ruleset).load(self.game)

    def actor(self, name: str = "host") -> Actor:
        """A player through their seat; `host` and `gm` are one person."""
        if name in ("host", "gm"):
            lead = user("host")
            role = Issuer.HOST if name == "host" else Issuer.GM
            return Actor(role, lead.pk, Seat.objects.get(game=self.id, user=lead, role=name).pk)
        return Actor(Issuer.SEAT, user(name).pk, self.seats[name])

    def client(self, name: str | None) -> Client:
        """A person's client, with one token; nobody's for None."""
        if name is None:
            return client()
        if name not in self.clients:
            self.clients[name] = client(user("host" if name == "gm" else name))
        return self.clients[name]

    def run(self, command: Command, name: str = "host", **more: Any) -> services.Outcome:
        """Issue a command."""
        return services.run(self.id, command, actor=self.actor(name), now=self.now, **more)

    def fire(self, *, until: datetime | None = None) -> None:
        """Let the clock come to its next timer, or to every timer until a time."""
        while timer := Timer.objects.filter(game=self.id, due__isnull=False).order_by("due").first():
            if until is not None and timer.due > until:
                break
            self.now = max(self.now, timer.due)
            services.fire_due(self.id, now=self.now)
            if until is None:
                return
        if until is not None:
            self.now = max(self.now, until)

    def events_of(self, *kinds: str) -> list[dict[str, Any]]:
        """The fields of every event of these types, in order."""
        rows = LoggedEvent.objects.filter(game=self.id, type__in=kinds).order_by("seq")
        return [json.loads(row.body) for row in rows]

    def events_at(self, kind: str) -> datetime:
        """When the last event of a type happened."""
        last: datetime = LoggedEvent.objects.filter(game=self.id, type=kind).latest("seq").at
        return last

    def rows_agree(self) -> None:
        """Rows equal the folded log, and the chain of digests is whole."""
        rows, folded = dump(self.state), dump(log.fold(self.game))
        assert {name for name in rows if rows[name] != folded[name]} == set()
        assert list(log.broken_links(self.game)) == []

    def url(self, rest: str = "") -> str:
        """An address below the game."""
        return f"/api/v1/games/{self.id}/{rest}"
