"""Each command that rolls dice is done twice in one game of each ruleset; see `tests/play/rolling.py`."""

from collections.abc import Mapping

import pytest

from tests.play.rolling import Rolling
from tests.play.tables import table

ROUNDS = 150
SHORT: Mapping[str, tuple[int, frozenset[str]]] = {
    "albraxas": (1, frozenset({"write-orders"})),
    "dawn": (5, frozenset({"answer-consent", "end-setup", "end-turn", "set-standing-answer"})),
    "dietower": (
        4,
        frozenset({"buy-die", "close-roll", "place-die", "request-check", "roll-chart", "set-attack", "set-check"}),
    ),
    "forgeborn": (3, frozenset({"choose-pool", "define-smith", "describe-danger", "draw-line", "start"})),
}
"""A table of each ruleset whose people roll soon, and the commands that must be among those that roll."""


@pytest.mark.parametrize("ruleset", SHORT)
def test_a_command_that_rolls_is_taken_again_and_its_dry_run_refuses_what_is_refused(ruleset: str) -> None:
    number, wanted = SHORT[ruleset]
    rolling, played = Rolling(), table(ruleset, number)
    for _ in range(ROUNDS):
        rolling.play(played, 1)
        if wanted <= rolling.again.keys():
            break
    assert wanted <= rolling.again.keys(), (wanted - rolling.again.keys(), rolling.seen)


LONG: Mapping[str, tuple[tuple[int, ...], int, frozenset[str]]] = {
    "dawn": ((4,), 120, frozenset({"cast-ballot", "fire-now"})),
    "forgeborn": (
        (0, 4),
        150,
        frozenset(
            {"begin-artifact", "choose-pool", "describe-danger", "draw-line", "forge-artifact", "recruit-heroine"}
        ),
    ),
    "gods2": ((0,), 500, frozenset({"accept-preview", "fight-war-now", "fire-now", "open-session"})),
}
"""Further tables, so many rounds each, and what rolls at them."""


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("ruleset", LONG)
def test_what_rolls_seldom_or_late_is_taken_again_too(ruleset: str) -> None:
    numbers, rounds, wanted = LONG[ruleset]
    rolling = Rolling()
    for number in numbers:
        rolling.play(table(ruleset, number), rounds)
    assert wanted <= rolling.again.keys(), (wanted - rolling.again.keys(), rolling.seen)
