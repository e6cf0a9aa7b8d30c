"""The stage of the golden games of the Die Tower: people write sheets, try things, build the tower and fight.

Its dice are those of a secret that a story names, so everybody can compute them: a story says what fell and works out
by hand what that means.
"""

import json
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from games.dietower.rules import RULESET
from games.dietower.rules.checks.events import BonusDieRolled, PoolRolled, RollClosed
from games.dietower.rules.state.invariants import violations
from games.dietower.rules.state.options import DieTowerOptions
from games.dietower.rules.state.schema_types import CheckStatus
from games.dietower.rules.tower.events import DiePlaced, RiskShown, TowerFell
from games.engine.kernel import Actor, Event, Issuer
from games.engine.lifecycle.gm_commands import Start
from tests.golden.tale import Tale

WM = "WM"
SHEET = {
    "weapon": "knife",
    "power": "whisper to crows",
    "power_drawback": "they answer",
    "deviation": "feathers",
    "mystery": "Whose feathers?",
}
"""What a sheet needs for play."""


class Evening(Tale):
    """One game of the Die Tower. `WM` is the world master; every other name is a player's, and of their character."""

    def __init__(self, monkeypatch: Any, dice: str, **options: Any) -> None:
        chosen = DieTowerOptions(**options).model_dump_json()
        super().__init__(monkeypatch, "dietower", chosen, dice=dice.encode())

    def gathers(self, *names: str) -> list[Event]:
        """Everybody joins, and the set-up opens."""
        for name in names:
            self.join(name)
        return self.by_gm(Start())

    def begins(self, *names: str, **session: Any) -> list[Event]:
        """Everybody joins and writes a whole sheet; the first session opens."""
        self.gathers(*names)
        for name in names:
            self.does(name, "save-sheet", name=name, **SHEET)
        return self.does(WM, "open-session", **session)

    # --- during the game -------------------------------------------------------------------------------------------

    def does(self, name: str, command: str, /, **arguments: Any) -> list[Event]:
        """Somebody does something, by the command's kebab name; what followed."""
        found = RULESET.commands[command].model_validate_json(json.dumps(arguments, default=str))
        return self._run(found, self.gm) if name == WM else self.by(name, found)

    def host_does(self, command: str, /, **arguments: Any) -> list[Event]:
        """The host does something; what followed."""
        found = RULESET.commands[command].model_validate_json(json.dumps(arguments, default=str))
        return self._run(found, self.host)

    def on_behalf(self, name: str, command: str, /, **arguments: Any) -> list[Event]:
        """The world master does something in a player's place; what followed."""
        found = RULESET.commands[command].model_validate_json(json.dumps(arguments, default=str))
        return self._run(found, Actor(Issuer.GM, self.gm.user, self.gm.seat, on_behalf_of=self.seats[name]))

    def tries(self, name: str, intent: str, *, cd: str | int, good: bool = False, **terms: Any) -> list[Event]:
        """A player asks for a check, the world master sets it; what followed."""
        asked = self.does(name, "request-check", intent=intent)
        (check,) = (c for c in self.state.checks.values() if c.status is CheckStatus.ASKED and self.of(name) == c.actor)
        return asked + self.does(WM, "set-check", check=check.id, cd=cd, good=good, **terms)

    def buys(self, name: str, count: int = 1) -> list[Event]:
        """A player buys dice for the open roll."""
        return self.does(name, "buy-die", roll=self.roll_of(name), count=count)

    def closes(self, name: str) -> list[Event]:
        """A player closes the open roll."""
        return self.does(name, "close-roll", roll=self.roll_of(name))

    def places(self, name: str) -> list[Event]:
        """Somebody places the die that is due."""
        return self.does(name, "place-die", placement=self.due)

    def reports(self, *, stands: bool) -> list[Event]:
        """The world master reports the die that is due on a real tower."""
        return self.does(WM, "report-die", placement=self.due, stands=stands)

    def enters(self, name: str, *values: int) -> list[Event]:
        """Somebody enters the dice that were rolled by hand."""
        return self.does(name, "enter-dice", prompt=self.prompt_of("DICE"), values=values)

    def enters_one(self, value: int) -> list[Event]:
        """The world master enters one die that was rolled by hand."""
        return self.does(WM, "enter-die", prompt=self.prompt_of("DICE"), value=value)

    def strikes(
        self, name: str, target: str, uses: str = "weapon", defence: str = "none", **ruling: Any
    ) -> list[Event]:
        """The one on turn attacks, a player's character defends, the world master sets it; what followed."""
        whose = WM if name not in self.seats else name
        events = self.does(whose, "declare-attack", actor=self.of(name), target=self.of(target), uses=uses)
        if target in self.seats:
            events += self.does(target, "choose-defence", attack=self.attack, uses=defence)
        return events + self.does(WM, "set-attack", attack=self.attack, **ruling)

    # --- what is there ---------------------------------------------------------------------------------------------

    def of(self, name: str) -> UUID:
        """The id of who bears a name."""
        return next(UUID(str(actor.id)) for actor in self.state.actors.values() if actor.name == name)

    def roll_of(self, name: str) -> UUID:
        """The open roll of somebody."""
        own = self.of(name)
        return next(UUID(str(r.id)) for r in self.state.rolls.values() if not r.closed and r.actor == own)

    @property
    def due(self) -> UUID:
        """The die that the tower takes next."""
        return UUID(str(self.state.due_placements()[0].id))

    @property
    def attack(self) -> UUID:
        """The attack that is not over."""
        return next(UUID(str(a.id)) for a in self.state.attacks.values() if not a.over)

    @property
    def wishes(self) -> dict[str, int]:
        """The Wishes of all characters."""
        state = self.state
        return {actor.name: state.sheets[actor.id].wishes for actor in state.player_characters()}

    @property
    def height(self) -> int:
        """The dice that stand."""
        return int(self.state.tower.height)

    @property
    def turn(self) -> str:
        """Whose turn it is."""
        state = self.state
        return str(state.actors[state.encounter.turn].name)

    def lines(self, events: Iterable[Event]) -> list[str]:
        """Every roll and every die of the tower: the dice, and what they came to."""
        state = self.state
        found = []
        for event in events:
            match event:
                case PoolRolled():
                    gone = f" without {event.dice[event.discarded]}" if event.discarded is not None else ""
                    found.append(f"{state.actors[event.actor].name} rolls {row(event.pool)}{gone}")
                case BonusDieRolled():
                    found.append(f"{state.actors[state.rolls[event.roll].actor].name} buys {event.die}")
                case RollClosed():
                    extra = f" extra {row(event.extra)}" if event.extra else ""
                    edge = f" edge {event.flat}" if event.flat else ""
                    verdict = {None: "", True: ": success", False: ": failure"}[event.success]
                    name = state.actors[state.rolls[event.roll].actor].name
                    found.append(f"{name} net {event.net}{extra}{edge} = {event.total}{verdict}")
                case RiskShown():
                    found.append(f"risk {event.falls}/1296")
                case DiePlaced():
                    at = f" at ({event.centre.x}, {event.centre.y})" if event.centre is not None else ""
                    what = row(event.dice) if event.centre is not None else "a die"
                    found.append(f"{state.actors[event.actor].name} places {what}{at}: {event.height}")
                case TowerFell():
                    over = f" over die {event.level} in {event.axis}" if event.level is not None else ""
                    what = row(event.dice) if event.level is not None else "a die"
                    found.append(f"{state.actors[event.actor].name} places {what}: {event.height} fall{over}")
        return found

    def proven(self) -> None:
        """As for every game; and the invariants hold."""
        assert violations(self.state) == []
        super().proven()


def row(dice: Iterable[int]) -> str:
    """Dice in the order in which they fell."""
    return " ".join(map(str, dice)) or "the first"
