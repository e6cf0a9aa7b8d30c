"""How characters and players gain and lose (FB-CON-4, FB-CON-5, FB-ART-7, FB-TRN-5)."""

from collections.abc import Iterator
from uuid import UUID

from games.engine.errors import Refused
from games.engine.kernel import Event
from games.forgeborn.rules.gains.events import (
    DiceLost,
    DieGained,
    DieRaised,
    Gain,
    Glory,
    GloryGained,
    Loss,
    TokenGained,
    TokenSpent,
)
from games.forgeborn.rules.state.dice import are_held, larger
from games.forgeborn.rules.state.records import Character
from games.forgeborn.rules.state.schema_types import Size, Token
from games.forgeborn.rules.state.state import State


def gain_glory(state: State, seat: UUID, amount: int, cause: Glory) -> Iterator[Event]:
    """Give a player victory points."""
    yield GloryGained(seat=seat, amount=amount, cause=cause, balance=state.purses[seat].vp + amount)


def gain_token(state: State, seat: UUID, kind: Token) -> Iterator[Event]:
    """Give a player a token."""
    yield TokenGained(seat=seat, kind=kind, balance=getattr(state.purses[seat], kind.value) + 1)


def spend_token(state: State, seat: UUID, kind: Token) -> Iterator[Event]:
    """Take a token from a player who has one."""
    yield TokenSpent(seat=seat, kind=kind, balance=getattr(state.purses[seat], kind.value) - 1)


def lose_dice(character: UUID, dice: tuple[Size, ...], cause: Loss) -> Iterator[Event]:
    """Take dice from a character who has them; nothing where there are none."""
    if dice:
        yield DiceLost(character=character, dice=dice, cause=cause)


def require_gain(character: Character, size: Size | None) -> None:
    """Refuse what cannot rise: a die that is not there (`die.missing`), a d12 (`die.largest`); None is a d4."""
    if size is None:
        return
    if not are_held((size,), character):
        raise Refused(
            "die.missing",
            f"{character.name} has no d{size} to raise; name another die, or none for a d4.",
            rules=("FB-CON-5",),
            die=size,
        )
    if larger(size) is None:
        raise Refused(
            "die.largest",
            "A d12 cannot rise; name another die, or none for a d4.",
            rules=("FB-CON-5", "FB-AMB-19"),
            die=size,
        )


def gain_die(character: Character, size: Size | None, cause: Gain) -> Iterator[Event]:
    """A d4 for a character, or a step for one of their dice; a d4 where that die is gone by now (FB-CON-8)."""
    above = larger(size) if size is not None and are_held((size,), character) else None
    if size is None or above is None:
        yield DieGained(character=character.id, die=Size.D4, cause=cause)
    else:
        yield DieRaised(character=character.id, old=size, new=above, cause=cause)
