"""The frame itself: what it makes of games, and that a bound which does not hold is found."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from games.engine.bots import BotPassed, Thought
from games.engine.lifecycle.gm_commands import Start
from games.forgeborn.rules import RULESET
from games.forgeborn.rules.turns.commands import EndTurn
from games.forgeborn.rules.turns.events import RoundStarted
from tests.balance import of_forgeborn
from tests.balance.frame import MEASURES, Bound, Outcome, misses_in_one, never_used, outcome
from tests.balance.tables import HOST
from tests.playbook import Playbook, of_kind


def game(changed: str, *standings: tuple[int, int], winners: str = "a") -> Outcome:
    """A game of two. changed: a sign for each round, `+` where something has changed."""
    steps = tuple({"a": a, "b": b} for a, b in standings)
    return Outcome(tuple(sign == "+" for sign in changed), steps, frozenset(winners), Counter())


AHEAD = game("+-++", (0, 0), (2, 0), (4, 0), (4, 1), (8, 2))
CAUGHT = game("++", (0, 0), (0, 3), (4, 4), winners="ab")
TURNED = game("----", (0, 0), (0, 1), (0, 1), (0, 1), (2, 1))
GAMES = [AHEAD, CAUGHT, TURNED]


@pytest.mark.parametrize(
    ("measure", "games", "value"),
    [
        ("shortest", GAMES, 2),
        ("shortest", [TURNED] * 2 + [CAUGHT], 2),
        ("shortest", [AHEAD] * 19 + [CAUGHT], 4),
        ("longest", [CAUGHT] * 9 + [AHEAD], 2),
        ("longest", [CAUGHT] * 8 + [AHEAD] * 2, 4),
        ("spread", [AHEAD], 25),
        ("spread", GAMES, (25 + 100 + 50) / 3),
        ("spread", [game("+", (0, 0), (0, 0))], 0),
        ("comebacks", GAMES, 100 * 2 / 3),
        ("comebacks", [game("++", (0, 0), (1, 1), (2, 1))], 0),
        ("idle", GAMES, 50),
        ("early", [AHEAD], 40),
        ("early", [game("+++", (0, 0), (1, 0), (2, 0), (4, 0))], 25),
        ("rarest", GAMES, 100 / 3),
    ],
)
def test_a_measure(measure: str, games: Sequence[Outcome], value: float) -> None:
    assert MEASURES[measure](games) == pytest.approx(value)


def test_a_bound_holds_on_both_sides() -> None:
    bound = Bound(least=10, most=20)
    assert [bound.holds(value) for value in (9, 10, 20, 21)] == [False, True, True, False]
    assert str(bound) == "at least 10 and at most 20"


def test_a_missed_aim_stands_beside_what_holds_today() -> None:
    bound = Bound(most=15, today=81, reason="they sleep")
    assert [bound.holds(value) for value in (3, 15, 81, 82)] == [True, True, True, False]
    assert not bound.is_met(81) and str(bound) == "at most 15; today 81: they sleep"
    short = Bound(least=33, today=30, reason="they sleep")
    assert [short.holds(value) for value in (29, 30, 40)] == [False, True, True]


@pytest.mark.parametrize("marks", [{"today": 81}, {"reason": "why"}, {"today": 14, "reason": "it is met"}])
def test_a_mark_without_a_missed_aim_is_none(marks: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="aim"):
        Bound(most=15, **marks)


def test_a_game_is_measured_from_its_log() -> None:
    book, fresh = of_forgeborn.play(0)
    found = outcome(of_forgeborn.FACTS, book, fresh)
    rounds = [event.round for event in of_kind([record.event for record in book.log], RoundStarted)]
    assert found.rounds == len(rounds) == len(found.standings) - 1
    points = {str(purse.seat): purse.vp for purse in book.state.purses.values()}
    assert found.end == points and found.standings[0] == dict.fromkeys(points, 0)
    assert found.winners == {str(seat) for seat in book.state.course.winners}
    assert found.done["define-smith"] == 2 and found.done["form clothing"] > 0
    assert {"commune", "form clothing"} <= of_forgeborn.FACTS.every
    assert never_used(of_forgeborn.FACTS, [found]).isdisjoint(found.done)


def test_a_game_in_which_nobody_does_anything_misses_its_bounds() -> None:
    book = Playbook(RULESET, of_forgeborn.start(0))
    idle = {name: lambda state, seat, tray: Thought(EndTurn(), timedelta(seconds=1)) for name in RULESET.policies}
    book.policies = idle
    book.when(Start(), by=HOST)
    book.wait(timedelta(hours=12))
    (missed,) = misses_in_one(of_forgeborn.FACTS, book, of_forgeborn.start(0))
    assert missed.startswith("idle 100: at most")
    assert book.commands["end-turn"] == 2 * 60
    assert of_kind([record.event for record in book.log], BotPassed), "what is refused is not counted"
