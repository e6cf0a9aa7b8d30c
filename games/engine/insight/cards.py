"""What a ruleset gives to lay on the table: cards of its characters and things, as plain values; nothing is drawn.

As for charts, a ruleset names functions of the state as somebody may see it. Nothing here names a game.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic
from uuid import UUID

from games.engine.game_state import S_contra


@dataclass(frozen=True, slots=True)
class CardLine:
    """One thing that is said in a few words: `Maker`, `Ann`."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class CardDice:
    """Dice, by their numbers of sides, in the order in which they are shown."""

    label: str
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CardText:
    """What somebody has written, a paragraph. label: what stands over it; "" for nothing."""

    label: str
    text: str


CardPart = CardLine | CardDice | CardText


@dataclass(frozen=True, slots=True)
class Card:
    """A card. seat: in whose colour its edge is; None for nobody's."""

    title: str
    subtitle: str
    parts: tuple[CardPart, ...]
    seat: UUID | None = None


@dataclass(frozen=True, slots=True)
class CardName:
    """A card that can be asked for."""

    id: UUID
    name: str


@dataclass(frozen=True, slots=True)
class Deck(Generic[S_contra]):
    """The cards of one kind."""

    title: str
    """All of them: `Characters`."""
    names: Callable[[S_contra], Iterable[CardName]]
    """Those that a viewer may see, in order."""
    card: Callable[[S_contra, UUID], Card | None]
    """One of them, as its viewer may see it; None where there is none, or none that the viewer may see."""
