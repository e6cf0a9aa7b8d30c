"""Who finds a place: two to ten gods, before the game begins (DW-SET-1, DW-SET-7)."""

from games.dawn.rules.state.schema_types import Step
from games.engine.errors import Refused
from games.engine.game_state import Role, Seat


def check_place(seat: Seat, step: Step, players: int, most: int) -> None:
    """Refuse a god beyond the most (`seats.full`), or after the start (`phase.closed`)."""
    if seat.role is not Role.PLAYER:
        return
    if step not in (Step.LOBBY, Step.SETUP):
        raise Refused(
            "phase.closed", "The world is being shaped already; take an empty seat or watch.", rules=("DW-SET-7",)
        )
    if players >= most:
        raise Refused(
            "seats.full", f"{most} gods sit here; watch as an observer.", rules=("DW-SET-1", "DW-SET-7"), most=most
        )
