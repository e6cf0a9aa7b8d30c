"""The stage of the golden games of Albraxas: people write characters, go to phases, hand in orders.

Its dice are those of a secret that a story names, so everybody can compute them: a story says what fell and works out
by hand what that means.
"""

from collections.abc import Iterable
from typing import Any

from games.albraxas.rules.ending.commands import Concede
from games.albraxas.rules.locate.commands import LockLocation, SetLocation
from games.albraxas.rules.orders.commands import OpenOrders, SealOrders, WriteOrders
from games.albraxas.rules.resolve.events import ActionResolved
from games.albraxas.rules.setup.commands import DefineCharacter, PlayAlbraxas
from games.albraxas.rules.state.options import AlbraxasOptions
from games.albraxas.rules.state.schema_types import Order
from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import EndSetup, Start
from games.engine.prompts.sealed import digest_of
from tests.golden.tale import Tale

ALBRAXAS = "Albraxas"
Numbers = tuple[int, int, int]


class Storm(Tale):
    """One game of Albraxas."""

    def __init__(self, monkeypatch: Any, dice: str, **options: Any) -> None:
        chosen = AlbraxasOptions(**options).model_dump_json()
        super().__init__(monkeypatch, "albraxas", chosen, dice=dice.encode())

    def begins(self, **characters: Numbers) -> list[Event]:
        """Everybody joins and writes a character (Backbone, Battle, Blitz); the first turn begins."""
        for name in characters:
            self.join(name)
        self.by(ALBRAXAS, PlayAlbraxas())
        self.by_gm(Start())
        for name, (backbone, battle, blitz) in characters.items():
            self.by(name, DefineCharacter(name=name, backbone=backbone, battle=battle, blitz=blitz))
        return self.by_gm(EndSetup())

    def go(self, **places: int) -> list[Event]:
        """Rebels set a place and lock it; what followed upon the last."""
        events: list[Event] = []
        for name, phase in places.items():
            self.by(name, SetLocation(phase=phase))
            events = self.by(name, LockLocation())
        return events

    def write(self, **papers: str) -> list[Event]:
        """Characters write their orders; what followed upon the last."""
        events: list[Event] = []
        for name, paper in papers.items():
            convalesce, orders = paper_of(paper)
            events = self.by(name, WriteOrders(convalesce=convalesce, orders=orders))
        return events

    def seal(self, name: str, salt: str, value: str) -> list[Event]:
        """A player hands in the digest of their orders alone."""
        return self.by(name, SealOrders(digest=digest_of(salt, value)))

    def open(self, name: str, salt: str, paper: str) -> list[Event]:
        """A player opens what they have sealed."""
        convalesce, orders = paper_of(paper)
        return self.by(name, OpenOrders(convalesce=convalesce, orders=orders, salt=salt))

    def concede(self, name: str) -> list[Event]:
        """A player concedes."""
        return self.by(name, Concede())

    # --- what is there ---------------------------------------------------------------------------------------------

    @property
    def marks(self) -> dict[int, tuple[int, int]]:
        """Tide and Ebb of the phases that have any."""
        phases = self.state.phases.values()
        return {p.number: (p.tide, p.ebb) for p in sorted(phases, key=lambda p: p.number) if p.tide or p.ebb}

    def force(self, name: str) -> tuple[int, int]:
        """Backbone and Dynamism of a character."""
        character = self.state.characters[self.seats[name]]
        return character.backbone, character.dynamism

    def roll_lines(self, events: Iterable[Event]) -> list[str]:
        """Every roll: who, what, the dice, how it ended."""
        names = {seat: name for name, seat in self.seats.items()}
        return [
            f"{names[e.seat]} {e.action.value} {row(e.dice)} v {row(e.opposing)}: {e.result.value} {e.successes}"
            for e in events
            if isinstance(e, ActionResolved) and e.dice
        ]


def row(dice: Iterable[int]) -> str:
    """Dice, the highest first."""
    return " ".join(str(die) for die in sorted(dice, reverse=True))


def paper_of(text: str) -> tuple[bool, tuple[Order, ...]]:
    """Orders as a story writes them: `battle, blitz 3, recover max 2 always`, or `convalesce`."""
    if text == "convalesce":
        return True, ()
    return False, tuple(_order(words.split()) for words in text.split(",") if words.strip())


def _order(words: list[str]) -> Order:
    action, rest = words[0], words[1:]
    tie = {"max": 0, "mode": "if_wins"}
    if "max" in rest:
        at = rest.index("max")
        tie = {"max": int(rest[at + 1]), "mode": rest[at + 2] if len(rest) > at + 2 else "if_wins"}
        rest = rest[:at]
    return Order.model_validate({"action": action, "dice": int(rest[0]) if rest else None, "tie": tie})
