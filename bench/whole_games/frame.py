"""What thirty games, or fewer, of any ruleset come to against its bounds (`tests/balance`)."""

from bench.figures import Figure
from tests.balance.frame import MEASURES, Bound, never_used, outcome
from tests.balance.rulesets import FACTS


def figures(slug: str, games: int) -> list[Figure]:
    """A line for each bound, and what is never used though no reason is given for it."""
    facts = FACTS[slug]
    outcomes = [outcome(facts, *facts.play(number)) for number in range(games)]
    found = []
    for name, bound in facts.bounds.items():
        if isinstance(bound, Bound):
            value, most = MEASURES[name](outcomes), bound.least == float("-inf")
            aim = bound.most if most else bound.least
            what = f"{name} ({facts.word})" if name in ("shortest", "longest", "idle") else name
            found.append(
                Figure(what, f"{value:.1f}", beside=facts.ahead, aim=aim, value=value, most=most, reason=bound.reason)
            )
        else:
            found.append(Figure(name, "", beside=bound))
    unused = never_used(facts, outcomes) - facts.unused.keys()
    return [*found, Figure("never used, beside those with a reason", ", ".join(sorted(unused)) or "none")]
