"""What the history calls peoples, members of pantheons and lands."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from games.engine.insight.chronicle import Scene, names
from games.engine.wording import phrase
from games.gods2.rules.state.names import member_name
from games.gods2.rules.state.records import ATHEISM, DIABOLISM
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place, ShareOf

BELIEFS = {ATHEISM: "unbelief", DIABOLISM: "the worship of demons"}
"""Members of pantheons that are no gods, as a tale calls them."""


def people(scene: Scene[State], race: UUID) -> str:
    """A people by its name."""
    found = scene.state.races.get(race)
    return found.name if found is not None else "a people"


def peoples(scene: Scene[State], races: Iterable[UUID]) -> str:
    """Peoples in a row."""
    return names((people(scene, race) for race in races), "other peoples")


def knowledge_name(scene: Scene[State], key: str) -> str:
    """What a people knows."""
    found = scene.state.pack.knowledges.get(key)
    return found.name if found is not None else phrase(key)


def member(scene: Scene[State], who: str) -> str:
    """A member of a pantheon."""
    return BELIEFS.get(who) or member_name(scene.state, who)


def shares(scene: Scene[State], people_name: str, pantheon: Sequence[ShareOf]) -> str:
    """A pantheon in numbers, the largest first: `Low Elves: Ilsoire 40 %, Verdane 20 %`."""
    ordered = sorted(pantheon, key=lambda each: -each.share)
    return f"{people_name}: {', '.join(f'{member(scene, s.member)} {s.share / 100:.0f} %' for s in ordered if s.share)}"


def lands(scene: Scene[State], squares: Iterable[Place]) -> str:
    """The named lands in which squares lie, with a blank before them; "" where none has a name."""
    here = {place.square for place in squares}
    found = [land.name for land in scene.state.lands.values() if here & set(land.squares)]
    return f" in {names(found, 'other lands')}" if found else ""


def spots(squares: Iterable[Place]) -> str:
    """Where squares lie, for the figures: `at 17, 6 and 18, 3`."""
    found = [f"{place.x}, {place.y}" for place in squares]
    return f"at {' and '.join(found)}" if found else ""
