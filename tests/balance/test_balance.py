"""Thirty whole games of bots of each ruleset keep to its bounds, and use what there is (`make balance`).

The dice are those of the numbers of the games, so the figures are the same each time. Single games are held to the
bounds `in_one` where other tests play them anyway.
"""

import os
from collections.abc import Sequence
from functools import cache

import pytest

from tests.balance.frame import IN_ONE, MEASURES, REQUIRED, Bound, Facts, Outcome, never_used, outcome
from tests.balance.rulesets import FACTS
from tests.rulesets import FOLDERS, RULESETS

GAMES = 30
FULL = os.environ.get("BALANCE") == "full"
at_night = pytest.mark.skipif(not FULL, reason="thirty games: make balance")
BOUNDS = [(slug, name) for slug, facts in FACTS.items() for name, b in facts.bounds.items() if isinstance(b, Bound)]


@cache
def outcomes(slug: str) -> Sequence[Outcome]:
    """What the games of a ruleset came to; each is forgotten once it is measured."""
    return [outcome(FACTS[slug], *FACTS[slug].play(number)) for number in range(GAMES)]


@at_night
@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("slug", "measure"), BOUNDS)
def test_whole_games_keep_to_their_bounds(slug: str, measure: str) -> None:
    bound, value = FACTS[slug].bounds[measure], MEASURES[measure](outcomes(slug))
    assert isinstance(bound, Bound) and bound.holds(value), f"{slug}: {measure} {value:.1f}, {bound}"


@at_night
@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("slug", FACTS)
def test_bots_use_every_command_and_power_but_those_with_a_reason(slug: str) -> None:
    facts = FACTS[slug]
    assert never_used(facts, outcomes(slug)) - facts.seldom.keys() == facts.unused.keys()


def test_every_ruleset_has_its_facts() -> None:
    games = {slug: rules for slug, rules in RULESETS.items() if FOLDERS[slug].startswith("games.")}
    assert {slug: facts.ruleset for slug, facts in FACTS.items()} == games


@pytest.mark.parametrize("facts", FACTS.values(), ids=FACTS)
def test_every_ruleset_has_each_bound_or_a_reason_for_having_none(facts: Facts) -> None:
    assert set(REQUIRED) <= facts.bounds.keys() <= MEASURES.keys()
    assert all(isinstance(bound, Bound) or bound for bound in facts.bounds.values())
    assert facts.in_one if isinstance(facts.in_one, str) else facts.in_one.keys() == IN_ONE


@pytest.mark.parametrize("facts", FACTS.values(), ids=FACTS)
def test_reasons_are_given_for_what_there_is(facts: Facts) -> None:
    reasons = {**facts.unused, **facts.seldom}
    assert len(reasons) == len(facts.unused) + len(facts.seldom), "a reason of each kind"
    assert reasons.keys() <= facts.every and all(reasons.values())
