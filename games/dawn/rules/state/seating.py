"""Who finds a place: two to ten gods, before the game begins (DW-SET-1, DW-SET-7)."""

from games.dawn.rules.state.schema_types import Step
from games.dawn.rules.state.wording import STANDS, TIMES
from games.engine.errors import Refused
from games.engine.game_state import Role, Seat
from games.engine.phases import closed_phase


def check_place(seat: Seat, step: Step, players: int, most: int) -> None:
    """Refuse a god beyond the most (`seats.full`), or after the start (`phase.closed`)."""
    if seat.role is not Role.PLAYER:
        return
    if step not in (Step.LOBBY, Step.SETUP):
        raise closed_phase(
            STANDS[step],
            (TIMES[Step.LOBBY], TIMES[Step.SETUP]),
            step=step,
            over=True,
            rules=("DW-SET-7",),
            instead="Take an empty seat or watch.",
        )
    if players >= most:
        raise Refused(
            "seats.full", f"{most} gods sit here; watch as an observer.", rules=("DW-SET-1", "DW-SET-7"), most=most
        )
