"""Who casts, and what they have: gods at their seats, cards, mana (G2-HIST-2, 7; G2-PAN-7)."""

from uuid import UUID

from games.engine.kernel import Actor
from games.gods2.rules.state.records import God, Purse
from games.gods2.rules.state.state import State


def god_of(state: State, actor: Actor) -> God:
    """The god of the seat that acts. Raises `seat.missing`, `god.missing`."""
    return state.god(state.seat(actor.acting_seat).id)


def caster(state: State, actor: Actor) -> God:
    """The god of the seat that acts, able to cast. Raises `god.missing`, `god.dead`, `caster.absent`."""
    god = god_of(state, actor)
    state.require_able(god)
    return god


def purse(state: State, seat: UUID) -> Purse:
    """A god's mana; an empty purse where none was filled yet."""
    return state.purses.get(seat) or Purse(seat)


def cards_in(state: State, seat: UUID, sphere: str) -> int:
    """How many cards of a sphere a god holds: the highest usable level in it (G2-HIST-7)."""
    held = state.cards.get((seat, sphere))
    return held.count if held else 0


def god_members(state: State, race: UUID) -> list[UUID]:
    """The gods in a race's pantheon, by id; diabolism and atheism are no gods, demons no members (G2-PAN-7)."""
    texts = {str(god): god for god in state.gods}
    return [texts[m] for m in state.pantheon(race) if m in texts]
