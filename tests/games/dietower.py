"""A game of the Die Tower in the service, for the tests: a host who is its world master, Ann, Bob and their like."""

import json
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from games import services
from games.dietower.rules import RULESET
from games.dietower.rules.state.schema_types import CheckStatus
from games.dietower.rules.tower.rules import HOLDING
from games.engine.kernel import Actor, Command, Issuer
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.seating import Join
from games.models import Prompt, Seat
from tests.api.worlds import user
from tests.games.table import DAWN, Table

PEOPLE = ("ann", "bob")
SHEET = {
    "weapon": "knife",
    "power": "whisper to crows",
    "power_drawback": "they answer",
    "deviation": "feathers",
    "mystery": "Whose feathers?",
}
HOPELESS = {"cd": "legendary", "good": False}


class Evening(Table):
    """A game of the Die Tower; a character bears the name of its player."""

    def does(self, name: str, command: str, /, **arguments: Any) -> services.Outcome:
        """Somebody does something: a player, `gm`, or `host`."""
        return self.run(made(command, **arguments), name)

    def of(self, name: str) -> UUID:
        """The id of who bears a name."""
        return next(UUID(str(actor.id)) for actor in self.state.actors.values() if actor.name == name)

    def tries(self, name: str, **ruling: Any) -> None:
        """A player's character is asked for a check, its dice are thrown; it is hopeless unless said."""
        ruled = HOPELESS | ruling
        self.does("gm", "request-check", actor=self.of(name), intent="climb", ruling=ruled)

    def roll_of(self, name: str) -> UUID:
        """The open roll of somebody."""
        own = self.of(name)
        return next(UUID(str(r.id)) for r in self.state.rolls.values() if not r.closed and r.actor == own)

    def fails(self, name: str) -> None:
        """A player's character fails, so that one die or two are due."""
        self.tries(name)
        self.does(name, "close-roll", roll=self.roll_of(name))

    @property
    def due(self) -> UUID:
        """The die that the tower takes next."""
        return UUID(str(self.state.due_placements()[0].id))

    def builds(self, name: str, height: int) -> None:
        """A player fails and places until so many dice stand."""
        while self.state.tower.height < height:
            if not self.state.due_placements():
                self.fails(name)
            self.does(name, "place-die", placement=self.due)

    def places_all(self, name: str) -> None:
        """A player places all that is due; a terrible thing or a miracle goes by its deadline."""
        while (held := any(self.state.questions(*HOLDING))) or self.state.due_placements():
            if held:
                self.fire()
            else:
                self.does(name, "place-die", placement=self.due)

    def falls(self, name: str, pace: timedelta = timedelta()) -> None:
        """A player fails and places until the tower falls. pace: from die to die."""
        while not Prompt.objects.filter(game=self.id, kind="TERRIBLE").exists():
            if Prompt.objects.filter(game=self.id, kind="MIRACLE").exists():
                self.fire()
                continue
            if not self.state.due_placements():
                self.fails(name)
            self.now += pace
            self.does(name, "place-die", placement=self.due)

    def asked_check(self) -> UUID:
        """The check that waits to be set."""
        return next(UUID(str(c.id)) for c in self.state.checks.values() if c.status is CheckStatus.ASKED)

    @property
    def attack(self) -> UUID:
        """The attack that is not over."""
        return next(UUID(str(attack.id)) for attack in self.state.attacks.values() if not attack.over)


def made(name: str, /, **arguments: Any) -> Command:
    """A command of the Die Tower by its name."""
    return RULESET.commands[name].model_validate_json(json.dumps(arguments, default=str))


def alteration(table: str, row: object, **values: str) -> Amend:
    """One row with other values, as JSON."""
    return Amend(changes=(altered(table, row, **values),), reason="A slip.")


def altered(table: str, row: object, **values: str) -> Change:
    """A change of one row to other values, as JSON."""
    fields = tuple(FieldChange(field=name, value=value) for name, value in values.items())
    return Change(deed=Deed.ALTER, table=table, row=str(row), fields=fields)


def setting_up(
    options: dict[str, Any] | None = None, people: tuple[str, ...] = PEOPLE, now: datetime = DAWN
) -> Evening:
    """A game in SETUP with a seat for each of these people; nobody has a sheet."""
    text = json.dumps(options or {})
    game = services.open_game("dietower", "Evening", user=user("host").pk, options=text, now=now)
    here = Evening(game.pk, now=now)
    for name in people:
        services.run(game.pk, Join(name=name.title()), actor=Actor(Issuer.SEAT, user(name).pk), now=now)
        here.seats[name] = Seat.objects.get(game=game, user=user(name)).pk
    here.run(Start())
    return here


def begin(options: dict[str, Any] | None = None, people: tuple[str, ...] = PEOPLE, now: datetime = DAWN) -> Evening:
    """A game in FREE; everybody has a whole sheet."""
    here = setting_up(options, people, now)
    for name in people:
        here.does(name, "save-sheet", name=name, **SHEET)
    here.does("gm", "open-session")
    return here


def fighting(
    options: dict[str, Any] | None = None, people: tuple[str, ...] = PEOPLE, *, health: int = 3, now: datetime = DAWN
) -> Evening:
    """An encounter of everybody with the Monster Gnaw; the first of them is on turn."""
    here = begin(options, people, now)
    here.does("gm", "save-monster", name="Gnaw", health=health, weakness="salt", weapon="teeth")
    here.does("gm", "open-encounter", members=[here.of("Gnaw")])
    return here
