"""The stage of the golden games of Forgeborn: Smiths are defined, journey, forge and fight.

Its dice are those of a secret that a story names: a story says what fell and works out by hand what that means.
"""

import json
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from games.engine.game_state import Role
from games.engine.kernel import Actor, Event, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.seating import AddSeat
from games.forgeborn.rules import RULESET
from games.forgeborn.rules.conflict.events import ConflictFailed, ConflictWon, PoolRolled
from games.forgeborn.rules.state.dice import dice_of
from games.forgeborn.rules.state.invariants import violations
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.schema_types import PlaceKind
from games.forgeborn.rules.state.wording import dice_in_words
from tests.golden.tale import Tale

GM = "GM"


class Forge(Tale):
    """One game of Forgeborn. `GM` is the game-master; every other name is a player's, and of their Smith."""

    def __init__(self, monkeypatch: Any, dice: str, **options: Any) -> None:
        chosen = ForgebornOptions(**options).model_dump_json()
        super().__init__(monkeypatch, "forgeborn", chosen, dice=dice.encode())

    def gathers(self, *names: str) -> list[Event]:
        """Everybody joins, and the map is opened."""
        for name in names:
            self.join(name)
        return self.by_gm(Start())

    def seats_bot(self, name: str, bot: str) -> None:
        """A bot takes a player's seat."""
        self._run(AddSeat(role=Role.PLAYER, name=name, bot=bot), self.host)

    def does(self, name: str, command: str, /, **arguments: Any) -> list[Event]:
        """Somebody does something, by the command's kebab name; what followed."""
        found = RULESET.commands[command].model_validate_json(json.dumps(arguments, default=str))
        return self._run(found, self.gm) if name == GM else self.by(name, found)

    def host_does(self, command: str, /, **arguments: Any) -> list[Event]:
        """The host does something; what followed."""
        found = RULESET.commands[command].model_validate_json(json.dumps(arguments, default=str))
        return self._run(found, self.host)

    def on_behalf(self, name: str, command: str, /, **arguments: Any) -> list[Event]:
        """The game-master does something in a player's place; what followed."""
        found = RULESET.commands[command].model_validate_json(json.dumps(arguments, default=str))
        return self._run(found, Actor(Issuer.GM, self.gm.user, self.gm.seat, on_behalf_of=self.seats[name]))

    # --- what is there ---------------------------------------------------------------------------------------------

    def of(self, name: str) -> UUID:
        """The id of the Smith or Heroine of a name."""
        return next(UUID(str(c.id)) for c in self.state.characters.values() if c.name == name)

    def thing(self, name: str) -> UUID:
        """The id of the artifact of a name."""
        return next(UUID(str(a.id)) for a in self.state.artifacts.values() if a.name == name)

    def place(self, kind: str, number: int = 0) -> UUID:
        """The id of a place."""
        return UUID(str(self.state.place_of_kind(PlaceKind(kind), number).id))

    def goes(self, name: str, *places: tuple[str, int] | str) -> list[Event]:
        """A character journeys from place to place."""
        events: list[Event] = []
        for place in places:
            kind, number = (place, 0) if isinstance(place, str) else place
            events += self.does(name, "journey", to=self.place(kind, number))
        return events

    def dice(self, name: str) -> str:
        """The dice of a Smith or Heroine, in words."""
        return dice_in_words(dice_of(self.state.characters[self.of(name)]))

    @property
    def turn(self) -> str:
        """Whose turn it is."""
        names = {seat: name for name, seat in self.seats.items()}
        return names.get(self.state.course.active, "nobody")

    @property
    def glory(self) -> dict[str, int]:
        """The victory points by seat."""
        state = self.state
        return {state.seats[seat].name: purse.vp for seat, purse in state.purses.items()}

    def lines(self, events: Iterable[Event]) -> list[str]:
        """Every roll, and what it came to."""
        found = []
        for event in events:
            match event:
                case PoolRolled():
                    found.append(f"{self.state.characters[event.character].name} rolls {event.total}")
                case ConflictWon():
                    found.append(f"won {event.total}:{event.against}")
                case ConflictFailed():
                    found.append(f"failed {event.total}:{event.against}")
        return found

    def proven(self) -> None:
        """As for every game; and the invariants hold."""
        assert violations(self.state) == []
        super().proven()
