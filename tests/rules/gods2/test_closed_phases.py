"""What belongs to another phase is refused, and the refusal says whether that phase is over (G2-TIME-3)."""

from uuid import UUID

import pytest

from games.gods2.rules.state.records import Era, Phase
from games.gods2.rules.state.wording import phase_refusal

PLAN = (2, 1)


def era(phase: Phase, century: int) -> Era:
    return Era(id=UUID(int=1), phase=phase, plan=PLAN, century=century, session=1 if century < 3 else 2)


@pytest.mark.rule("G2-TIME-2", "G2-TIME-3")
@pytest.mark.parametrize(
    ("now", "century", "wanted", "over"),
    [
        (Phase.RECKONING, 2, (Phase.OPEN, Phase.CREATION), False),  # the next century has an Activity Phase again
        (Phase.RECKONING, 3, (Phase.OPEN, Phase.CREATION), True),  # there is no next one
        (Phase.OPEN, 3, (Phase.RECKONING,), False),
        (Phase.OPEN, 2, (Phase.TRANSITION,), False),
        (Phase.OPEN, 3, (Phase.SETUP, Phase.TRANSITION), True),
        (Phase.OPEN, 1, (Phase.SETUP,), True),
        (Phase.SETUP, 0, (Phase.OPEN,), False),
        (Phase.FINISHED, 3, (Phase.OPEN,), True),
    ],
)
def test_a_refusal_says_whether_its_phase_comes_again(
    now: Phase, century: int, wanted: tuple[Phase, ...], over: bool
) -> None:
    found = phase_refusal(era(now, century), wanted, rules=("G2-TIME-3",))
    assert (found.code, found.facts) == ("phase.closed", {"step": now, "over": over})
    assert ("still to come" in found.message) is not over
