"""A game of Forgeborn in the service, for the tests: a host who is its game-master, Ann, Bob and their like."""

import json
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from core.ids import in_slot_of
from games import services
from games.engine.kernel import Actor, Command, Issuer
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.seating import Join
from games.forgeborn.models import Artifact, Character
from games.forgeborn.rules import RULESET
from games.forgeborn.rules.state.constants import PLAIN_DICE
from games.forgeborn.rules.state.schema_types import PlaceKind
from games.models import Seat
from tests.api.worlds import user
from tests.games.table import DAWN, Table
from worlds.models import Artifact as WorldArtifact
from worlds.models import Person

PEOPLE = ("ann", "bob")
ARTIFACTS, HEROINES = 60, 20


class Smithy(Table):
    """A game of Forgeborn; a Smith bears the name of its player."""

    def does(self, name: str, command: str, /, **arguments: Any) -> services.Outcome:
        """Somebody does something: a player, `gm`, or `host`."""
        return self.run(made(command, **arguments), name)

    def of(self, name: str) -> UUID:
        """The id of the Smith or Heroine of a name."""
        return next(UUID(str(c.id)) for c in self.state.characters.values() if c.name == name)

    def place(self, kind: str, number: int = 0) -> UUID:
        """The id of a place."""
        return UUID(str(self.state.place_of_kind(PlaceKind(kind), number).id))

    def thing(self, name: str) -> UUID:
        """The id of the artifact of a name."""
        return next(UUID(str(a.id)) for a in self.state.artifacts.values() if a.name == name)

    @property
    def active(self) -> str:
        """Whose turn it is."""
        return next(name for name, seat in self.seats.items() if seat == self.state.course.active)


def made(name: str, /, **arguments: Any) -> Command:
    """A command of Forgeborn by its name."""
    return RULESET.commands[name].model_validate_json(json.dumps(arguments, default=str))


def gathered(options: dict[str, Any] | None = None, people: tuple[str, ...] = PEOPLE, now: datetime = DAWN) -> Smithy:
    """A game in the lobby with a seat for each of these people."""
    text = json.dumps(options or {"referee": "none"})
    game = services.open_game("forgeborn", "The Forge", user=user("host").pk, options=text, now=now)
    here = Smithy(game.pk, now=now)
    for name in people:
        services.run(game.pk, Join(name=name.title()), actor=Actor(Issuer.SEAT, user(name).pk), now=now)
        here.seats[name] = Seat.objects.get(game=game, user=user(name)).pk
    return here


def defining(options: dict[str, Any] | None = None, people: tuple[str, ...] = PEOPLE, now: datetime = DAWN) -> Smithy:
    """A game in which Smiths are defined; the first of these people is the first seat."""
    here = gathered(options, people, now)
    here.does("host", "configure-game", first_seat=here.seats[people[0]])
    here.run(Start())
    if here.state.course.step == "map":
        here.does("gm", "accept-map")
    return here


def begin(options: dict[str, Any] | None = None, people: tuple[str, ...] = PEOPLE, now: datetime = DAWN) -> Smithy:
    """Round 1, the turn of the first of these people; every Smith has 3d12, 3d8, 3d4."""
    here = defining(options, people, now)
    for name in people:
        here.does(name, "define-smith", name=name, dice=list(PLAIN_DICE))
    return here


def forge(here: Smithy, name: str, *, others: tuple[str, ...]) -> None:
    """Whose turn it is forges Ember, which has one die; nobody helps. Five dice show 5 at least."""
    form, function = {"kind": "clothing", "die": 4}, {"kind": "fortune", "die": 8}
    here.does(name, "begin-artifact", name="Ember", form=form, function=function)
    for other in others:
        here.does(other, "decline-help")
    here.does(name, "forge-artifact", free=[12, 12, 12], sacrifice=[8, 8])
    here.does(name, "spend-roll", dice=[4])


def reach(here: Smithy, name: str, kind: str) -> None:
    """Somebody comes to a place, by a correction of the game-master's."""
    amend(here, "characters", str(here.of(name)), place=f'"{here.place(kind)}"')


def amend(here: Smithy, table: str, row: str, **values: str) -> None:
    """The game-master corrects a row: fields and their values as JSON."""
    fields = tuple(FieldChange(field=name, value=value) for name, value in values.items())
    here.run(
        Amend(changes=(Change(deed=Deed.ALTER, table=table, row=row, fields=fields),), reason="For the test."), "gm"
    )


def fill(here: Smithy) -> None:
    """Sixty artifacts in all and twenty Heroines of Ann's, as rows alone: a state that is kept does not know them."""
    world, ann, citadel = here.game.world, here.of("ann"), here.place("citadel")
    for number in range(1, HEROINES + 1):
        person = Person.objects.create(
            id=in_slot_of(here.id, uuid4()), world=world, name=f"Heroine {number}", kind="heroine", place_id=citadel
        )
        Character.objects.create(
            person=person, game_id=here.id, seat_id=here.seats["ann"], kind="heroine", number=number,
            place_id=citadel, d6=1,
        )  # fmt: skip
    for number in range(len(WorldArtifact.objects.filter(world=world)), ARTIFACTS):
        thing = WorldArtifact.objects.create(
            id=in_slot_of(here.id, uuid4()), world=world, name=f"Thing {number}", place_id=citadel
        )
        Artifact.objects.create(
            artifact=thing, game_id=here.id, form="blunt", function="combat", power=1, d4=1, maker_id=ann, round=1,
            holder=citadel,
        )  # fmt: skip
