"""The stage of the golden games of Dawn: gods with names shape a small map, people it and fight over it.

Its dice are those of a secret that a story names, so everybody can compute them: a story says what fell and works out
by hand what that means.
"""

import json
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from games.dawn.rules import RULESET
from games.dawn.rules.setup.commands import DefineGod, SetMap
from games.dawn.rules.state.invariants import violations
from games.dawn.rules.state.options import DawnOptions
from games.dawn.rules.state.schema_types import Cell, Moral, Terrain
from games.dawn.rules.turn.commands import EndTurn
from games.dawn.rules.turn.events import IncomeRolled
from games.dawn.rules.war.battle_events import BattleRolled, Host
from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import EndSetup, Start
from tests.golden.tale import Tale

LETTERS = {"~": Terrain.OCEAN, ".": Terrain.PLAINS, "^": Terrain.MOUNTAINS, "*": Terrain.FOREST}


class Horizon(Tale):
    """One game of Dawn."""

    def __init__(self, monkeypatch: Any, dice: str, *rows: str, **options: Any) -> None:
        self.rows = rows
        chosen = DawnOptions(width=len(rows[0]), height=len(rows), **options).model_dump_json()
        super().__init__(monkeypatch, "dawn", chosen, dice=dice.encode())

    def begins(self, **gods: Moral) -> list[Event]:
        """Everybody joins and becomes a god, the host draws the map; the first turn begins."""
        for name in gods:
            self.join(name)
        self.by_gm(Start())
        cells = tuple(Cell(terrain=LETTERS[letter]) for row in self.rows for letter in row)
        self.by_gm(SetMap(width=len(self.rows[0]), height=len(self.rows), cells=cells))
        for name, moral in gods.items():
            self.by(name, DefineGod(name=name, portfolio=("light", "tides"), moral=moral))
        return self.by_gm(EndSetup())

    # --- during the game -------------------------------------------------------------------------------------------

    def does(self, god: str, command: str, /, **arguments: Any) -> list[Event]:
        """A god does something, by the command's kebab name; squares are (x, y); what followed."""
        text = json.dumps({name: _plain(value) for name, value in arguments.items()}, default=str)
        return self.by(god, RULESET.commands[command].model_validate_json(text))

    def answers(self, god: str, command: str, kind: str, **arguments: Any) -> list[Event]:
        """A god answers the open question of a kind."""
        return self.does(god, command, prompt=self.prompt_of(kind), **arguments)

    def bids(self, god: str, total: int) -> list[Event]:
        """A god bids a total in the open conflict."""
        return self.does(god, "place-bid", conflict=next(iter(self.state.conflicts)), total=total)

    def folds(self, god: str) -> list[Event]:
        """A god gives the open conflict up."""
        return self.does(god, "fold", conflict=next(iter(self.state.conflicts)))

    def turn_of(self, god: str) -> list[Event]:
        """The others end their turns until it is this god's; what followed."""
        events: list[Event] = []
        while self.active != god:
            events += self.by(self.active, EndTurn())
        return events

    def round_passes(self) -> list[Event]:
        """Every god who has not acted ends the turn, and the next round begins; what followed."""
        events: list[Event] = []
        now = self.state.course.rounds
        while self.state.course.rounds == now:
            events += self.by(self.active, EndTurn())
        return events

    # --- what is there ---------------------------------------------------------------------------------------------

    @property
    def active(self) -> str:
        """Whose turn it is."""
        return self.seat_name(self.state.course.active)

    @property
    def order(self) -> list[str]:
        """Who acts in this round, one after the other."""
        return [self.seat_name(seat) for seat in self.state.course.order]

    @property
    def points(self) -> dict[str, int]:
        """What every god has free."""
        state = self.state
        return {name: state.balance(seat) for name, seat in self.seats.items()}

    def seat_name(self, seat: UUID | None) -> str:
        """The name of the seat's player."""
        return next(name for name, held in self.seats.items() if held == seat)

    def of(self, name: str) -> UUID:
        """The id of what bears a name: a race, a city, an order or an avatar."""
        state = self.state
        every = (*state.races.values(), *state.cities.values(), *state.orders.values(), *state.avatars.values())
        return UUID(str(next(record.id for record in every if record.name == name)))

    def record(self, name: str) -> Any:
        """The record of a race, a city, an order or an avatar."""
        state, found = self.state, self.of(name)
        tables = (state.races, state.cities, state.orders, state.avatars)
        return next(table[found] for table in tables if found in table)

    def armies(self, city: str) -> list[UUID]:
        """The armies of a city."""
        return [army.id for army in self.state.armies_in(self.of(city))]

    def income(self, events: Iterable[Event]) -> list[str]:
        """What was rolled at the start of a round: dice and gain."""
        rolled = [e for e in events if isinstance(e, IncomeRolled)]
        return [f"{self.seat_name(e.seat)} {'+'.join(map(str, e.dice))}+2 = {e.gain}" for e in rolled]

    def proven(self) -> None:
        """As for every game; and the invariants hold."""
        assert violations(self.state) == []
        super().proven()


def battle_lines(events: Iterable[Event]) -> list[str]:
    """Every battle: dice and bonuses of both sides, and who won."""
    battles = [e for e in events if isinstance(e, BattleRolled)]
    return [f"{_side(e.attacker)} v {_side(e.defender)}: {e.winner}" for e in battles]


def _side(host: Host) -> str:
    bonuses = "".join(f" {b.source} {b.amount}" for b in host.bonuses)
    return f"{'+'.join(map(str, host.dice))}{bonuses} = {host.total}"


def _plain(value: Any) -> Any:
    """Arguments as JSON has them: a pair is a square."""
    match value:
        case (int(x), int(y)):
            return {"x": x, "y": y}
        case list() | tuple():
            return [_plain(each) for each in value]
        case dict():
            return {name: _plain(each) for name, each in value.items()}
    return value
