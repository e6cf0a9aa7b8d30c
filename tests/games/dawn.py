"""A game of Dawn in the service, for the tests: a host who leads it, and gods Ann, Bob and Cat, or bots."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.test import TestCase

from games import services
from games.dawn.models import Course, Purse
from games.dawn.rules import RULESET
from games.dawn.rules.setup.commands import DefineGod
from games.dawn.rules.state.schema_types import Moral, Place
from games.dawn.rules.turn.commands import EndTurn
from games.engine.kernel import Actor, Command, Issuer
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.engine.lifecycle.gm_commands import EndSetup, Start
from games.engine.lifecycle.seating import AddSeat, Join
from games.models import Game, Prompt, Seat
from games.storage.state_cache import STATE_CACHE
from tests.api.worlds import user
from tests.games.table import DAWN, Table
from worlds.models import Army, Avatar, City, Race

PEOPLE = ("ann", "bob", "cat")
SMALL = {"width": 8, "height": 6}
PLAIN = "plain"


@dataclass
class World(Table):
    """A game of Dawn."""

    is_caching: bool = False
    """Whether the process caches states between commands, as a worker does."""

    def run(self, command: Command, name: str = "host", **more: Any) -> services.Outcome:
        """Issue a command; where states are cached, as if it were committed, so that the next one need not load all."""
        if not self.is_caching:
            return super().run(command, name, **more)
        with TestCase.captureOnCommitCallbacks(execute=True):
            return super().run(command, name, **more)

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """Within, commands find the state that the one before has left: for what only sets a game up."""
        self.is_caching = True
        try:
            yield
        finally:
            self.is_caching = False
            STATE_CACHE.clear()

    @property
    def active(self) -> str:
        """Whose turn it is."""
        seat = Course.objects.get(game=self.id).active_id
        return next(name for name, held in self.seats.items() if held == seat)

    def row_id(self, model: Any, name: str) -> UUID:
        """The id of a row of the world that bears this name."""
        found: UUID = model.objects.get(world=self.game.world, name=name).pk
        return found

    def grant(self, name: str, points: int) -> None:
        """Give a god points by a game-master's correction, so that a test can pay for what it shows."""
        purse = Purse.objects.get(seat=self.seats[name])
        values = {"balance": purse.balance + points, "earned": purse.earned + points}
        found = {column: str(value) for column, value in values.items()}
        self.run(alteration("purses", str(purse.seat_id), **found), "gm")

    def turn_of(self, name: str) -> None:
        """End turns until it is a given player's own."""
        while self.active != name:
            self.run(EndTurn(), self.active)

    def shape(self, name: str, region: str, *places: tuple[int, int], **more: Any) -> None:
        """Shape plains, or what is said."""
        values = {"kind": "mundane", "terrain": "plains", "climate": "temperate", **more}
        at = [{"x": x, "y": y} for x, y in places]
        self.run(command("shape-land", squares=at, name=region, **values), name)

    def agree(self, name: str) -> None:
        """Answer yes to a player's question of consent."""
        self.run(command("answer-consent", prompt=self.prompt_of("ask.consent"), yes=True), name)

    def let_pass(self, name: str) -> None:
        """Raise no objection where a player is asked for one."""
        self.run(command("waive-objection", prompt=self.prompt_of("ask.object")), name)

    def prompt_of(self, kind: str) -> UUID:
        """The open question of a kind."""
        found: UUID = Prompt.objects.get(game=self.id, kind=kind).pk
        return found

    def age(self, number: int) -> None:
        """Let the game be in another Age by a game-master's correction."""
        self.run(alteration("courses", str(self.id), age=str(number)), "gm")


def alteration(table: str, row: str, **values: str) -> Amend:
    """One row with other values, as JSON."""
    changed = tuple(FieldChange(field=name, value=value) for name, value in values.items())
    return Amend(changes=(Change(deed=Deed.ALTER, table=table, row=row, fields=changed),), reason="A slip.")


def open_lobby(
    options: dict[str, Any] | None = None, people: tuple[str, ...] = PEOPLE, now: datetime = DAWN, **more: Any
) -> World:
    """A game in the lobby with a seat for each of these people."""
    game: Game = services.open_game(
        "dawn", "Dawn", user=user("host").pk, options=json.dumps({**SMALL, **(options or {})}), now=now, **more
    )
    here = World(game.pk, now=now)
    for name in people:
        # A private game is joined by those whom its host seats.
        if game.is_public:
            services.run(game.pk, Join(name=name.title()), actor=Actor(Issuer.SEAT, user(name).pk), now=now)
        else:
            here.run(AddSeat(name=name.title(), user=user(name).pk))
        here.seats[name] = Seat.objects.get(game=game, user=user(name)).pk
    return here


def setting_up(options: dict[str, Any] | None = None, people: tuple[str, ...] = PEOPLE, **more: Any) -> World:
    """A game in SETUP; nobody is a god yet."""
    here = open_lobby(options, people, **more)
    here.run(Start())
    return here


def define(here: World, name: str) -> None:
    """A player defines their god."""
    here.run(DefineGod(name=f"Great {name}", portfolio=("rivers", "storms"), moral=Moral.GOOD), name)


def begin(options: dict[str, Any] | None = None, people: tuple[str, ...] = PEOPLE, **more: Any) -> World:
    """A game in the first turn of Age 1; Ann acts whenever it is her turn."""
    here = setting_up(options, people, **more)
    for name in people:
        define(here, name)
    here.run(EndSetup())
    return here


def of_bots(number: int, options: dict[str, Any] | None = None) -> World:
    """A game of bots in SETUP."""
    here = open_lobby(options, ())
    for bot in range(number):
        here.run(AddSeat(name=f"Bot {bot}", bot=PLAIN))
        here.seats[f"bot{bot}"] = Seat.objects.get(game=here.id, name=f"Bot {bot}").pk
    here.run(Start())
    here.now += timedelta(seconds=1)
    return here


def squares(*places: tuple[int, int]) -> tuple[Place, ...]:
    """Squares by column and row."""
    return tuple(Place(x=x, y=y) for x, y in places)


def command(name: str, /, **arguments: Any) -> Command:
    """A command of Dawn by its name."""
    return RULESET.commands[name].model_validate_json(json.dumps(arguments, default=str))


def record_named(rows: Mapping[UUID, Any], name: str) -> Any:
    """The record with a name."""
    return next(row for row in rows.values() if row.name == name)


def peopled_world(options: dict[str, Any] | None = None, **more: Any) -> World:
    """Ann's turn in a world with land and a fantastic isle, Elves of Ann and Dwarves of Bob with a city each.

    Elves: Oakhold (1, 1), two armies, one led by the avatar Horn; an order, an edge each, friends of the Dwarves.
    Dwarves: Deephall (3, 1), controlled by Bob, with an edge; near the Elves' land, so that one can march there.
    """
    here = begin(options, **more)
    with here.keeping():
        people(here)
    return here


def people(here: World) -> None:
    """Let the gods make what `peopled_world` describes."""
    for name in ("ann", "bob"):
        here.turn_of(name)
        here.grant(name, 200)
        who, x = ("Elves", 1) if name == "ann" else ("Dwarves", 3)
        here.shape(name, "Greenlands" if x == 1 else "Ironhills", (x, 1), (x, 2), (x + 1, 1), (x + 1, 2))
        here.run(command("create-race", name=who, home={"x": x, "y": 1}, order_name=f"Temple of {who}"), name)
        race = here.row_id(Race, who)
        town = "Oakhold" if name == "ann" else "Deephall"
        found = {"square": {"x": x, "y": 1}, "name": town}
        here.run(command("command-race", race=race, act="found_city", args=found), name)
        city = here.row_id(City, town)
        here.run(command("gift-edge", target=city, name="thick walls", kind="defensive"), name)
        here.run(command("gift-edge", target=race, name="good ships", kind="other", tags=["crosses_water"]), name)
        if name == "ann":
            here.shape("ann", "Isle of Glass", (6, 4), (7, 4), kind="fantastic", floating=True, climate="polar")
            here.run(command("create-order", race=race, kind="guild", name="Weavers"), "ann")
            here.run(command("create-avatar", square={"x": 1, "y": 1}, kind="beast", name="Horn"), "ann")
            horn = Avatar.objects.get(deity=here.seats["ann"]).pk
            raised = {"power": "command_city", "args": {"city": city, "act": "raise_army", "args": {"count": 2}}}
            here.run(command("command-avatar", avatar=horn, free_power=raised), "ann")
            army = min(Army.objects.filter(city=city).values_list("pk", flat=True))
            here.run(command("command-avatar", avatar=horn, actions=[{"action": "lead_army", "army": army}]), "ann")
            settle = {"square": {"x": 1, "y": 2}}
            here.run(command("command-race", race=race, act="settle", args=settle), "ann")
            here.run(command("shift-alignment", target=city, dir=1), "ann")
    dwarves, elves = here.row_id(Race, "Dwarves"), here.row_id(Race, "Elves")
    here.run(command("command-race", race=dwarves, act="alliance", args={"race": elves}), "bob")
    here.agree("ann")
    here.turn_of("ann")
