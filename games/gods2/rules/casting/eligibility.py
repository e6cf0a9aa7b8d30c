"""Who casts, and what they have: gods at their seats, cards, mana (G2-HIST-2, 7; G2-PAN-7)."""

from uuid import UUID

from games.engine.errors import Refused
from games.engine.kernel import Actor
from games.gods2.rules.state.records import God, GodStatus, Purse
from games.gods2.rules.state.state import State


def god_of(state: State, actor: Actor) -> God:
    """The god of the seat that acts. Raises `seat.missing`, `god.missing`."""
    seat = state.seat(actor.acting_seat)
    if seat.id not in state.gods:
        raise Refused(
            "god.missing",
            f"{seat.name} plays no god; the host defines gods before the game begins.",
            rules=("G2-QUEUE-1",),
        )
    return state.gods[seat.id]


def caster(state: State, actor: Actor) -> God:
    """The god of the seat that acts, able to cast. Raises `god.missing`, `god.dead`, `caster.absent`."""
    return check_present(state, god_of(state, actor))


def check_present(state: State, god: God) -> God:
    """A god who is able to cast. Raises `god.dead`, `caster.absent` (G2-HIST-2)."""
    if god.status is not GodStatus.ALIVE:
        raise Refused("god.dead", f"{god.name} is {god.status} and casts nothing.", rules=("G2-QUEUE-1",))
    if god.id in state.absences:
        raise Refused("caster.absent", f"{god.name} is absent; the GM marks who is here.", rules=("G2-HIST-2",))
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
