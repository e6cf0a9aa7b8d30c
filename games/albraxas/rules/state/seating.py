"""Who finds a place: one Albraxas and up to eight rebels, before characters are written (AX-SET-1)."""

from games.albraxas.rules.state.constants import MOST_REBELS
from games.albraxas.rules.state.records import Course
from games.albraxas.rules.state.schema_types import Step
from games.albraxas.rules.state.wording import STANDS, TIMES
from games.engine.errors import Refused
from games.engine.game_state import Role, Seat
from games.engine.phases import closed_phase


def check_place(seat: Seat, storm: Course, players: int) -> None:
    """Refuse a player beyond the ninth (`seats.full`), or after the start (`phase.closed`)."""
    if seat.role is not Role.PLAYER:
        return
    if storm.step is not Step.LOBBY:
        raise closed_phase(
            STANDS[storm.step],
            (TIMES[Step.LOBBY],),
            step=storm.step,
            over=True,
            rules=("AX-SET-9",),
            instead="Take an empty seat or watch.",
        )
    if players >= MOST_REBELS + 1:
        raise Refused(
            "seats.full",
            f"Albraxas and {MOST_REBELS} rebels sit here; watch as an observer.",
            rules=("AX-SET-1",),
            most=MOST_REBELS + 1,
        )
