"""What bars a deed: a Dragon that is slain, Ruins that are spent, a Prince who listens already."""

from uuid import UUID

from games.engine.errors import Refused
from games.forgeborn.rules.state.records import Place
from games.forgeborn.rules.state.state import State


def require_standing(state: State) -> None:
    """Refuse (`dragon.slain`) another fight with the Dragon (FB-AMB-23)."""
    if state.course.slayer is not None:
        raise Refused(
            "dragon.slain",
            "The Dragon is slain; the Lair has no further use.",
            rules=("FB-DRG-2", "FB-AMB-23"),
            slayer=state.course.slayer,
        )


def require_unspent(place: Place) -> None:
    """Refuse (`ruins.spent`) Ruins that are explored."""
    if place.is_spent:
        raise Refused(
            "ruins.spent",
            f"{place.name} are explored; go to others, each explored one has led to new ones.",
            rules=("FB-RUI-1",),
            place=place.id,
        )


def require_unswayed(state: State, seat: UUID) -> None:
    """Refuse (`prince.swayed`) to beseech a Prince who listens already."""
    if state.purses[seat].is_swayed:
        raise Refused(
            "prince.swayed", "The Prince listens to you already; ask for a boon.", rules=("FB-PRI-1", "FB-AMB-37")
        )
