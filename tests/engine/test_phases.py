"""What belongs to another phase is refused in one wording, which says whether that phase is over or to come."""

import pytest

from games.engine.phases import are_past, closed_phase, ended_game

COURSE = ("lobby", "setup", "running")


def test_what_is_to_come_is_waited_for() -> None:
    found = closed_phase("the gods are defined", ("in turns", "at the end"), step="setup", over=False, rules=("X-1",))
    assert found.message == (
        "The gods are defined; this is done in turns or at the end, and that is still to come. Wait until then."
    )
    assert (found.code, found.rules, found.facts) == ("phase.closed", ("X-1",), {"step": "setup", "over": False})


def test_what_is_over_is_for_a_gm_or_has_another_way() -> None:
    found = closed_phase("a turn runs", ("before the start",), step="turn", over=True)
    assert found.message == "A turn runs; this is done before the start, and that is over. A GM may correct rows still."
    found = closed_phase("a turn runs", ("before the start",), step="turn", over=True, instead="Watch.")
    assert found.message == "A turn runs; this is done before the start, and that is over. Watch."
    assert found.facts == {"step": "turn", "over": True}


def test_of_a_game_that_is_over_everything_is_over() -> None:
    found = ended_game("the era is over", step="finished")
    assert found.message == "The era is over; nothing more can be done in it, but all that happened can be read."
    assert found.facts == {"step": "finished", "over": True}


@pytest.mark.parametrize(
    ("wanted", "present", "past"),
    [
        (("lobby",), "setup", True),
        (("lobby", "setup"), "running", True),
        (("lobby", "running"), "setup", False),
        (("setup",), "setup", False),
        (("running",), "lobby", False),
    ],
)
def test_phases_are_past_when_all_come_before_the_present_one(
    wanted: tuple[str, ...], present: str, past: bool
) -> None:
    assert are_past(wanted, present, COURSE) is past
