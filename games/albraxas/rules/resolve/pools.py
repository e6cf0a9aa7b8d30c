"""Two pools of dice against each other: the highest die, successes, tied pairs knocked out (AX-DIE-*).

The acting character alone knocks out pairs (AX-DIE-6).

Pure numbers; which dice fell is the caller's business.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from games.albraxas.rules.state.schema_types import Mode, Result


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a roll ended for the acting character."""

    result: Result
    successes: int = 0
    """Of the side that won."""
    spent: int = 0
    """Dynamism for knocked-out pairs."""


def pairs_price(pairs: int) -> int:
    """Dynamism for knocking out so many pairs: 1 + 2 + ... (AX-DIE-3)."""
    return pairs * (pairs + 1) // 2


def judge(own: Sequence[int], opposing: Sequence[int], knocked_out: int = 0) -> Outcome:
    """Compare what is left after some tied pairs are gone; both pools still have a die (AX-DIE-2, AX-DIE-7)."""
    mine, theirs = sorted(own, reverse=True)[knocked_out:], sorted(opposing, reverse=True)[knocked_out:]
    if mine[0] == theirs[0]:
        return Outcome(Result.TIE)
    if mine[0] > theirs[0]:
        return Outcome(Result.WIN, sum(1 for d in mine if d > theirs[0]))
    return Outcome(Result.LOSE, sum(1 for d in theirs if d > mine[0]))


def outcome_of_roll(
    own: Sequence[int], opposing: Sequence[int], *, most: int = 0, mode: Mode = Mode.IF_WINS, dynamism: int = 0
) -> Outcome:
    """The outcome of a roll under a tie policy (AX-DIE-2 to 7).

    own, opposing: the dice of the actor and of the opposition, one at least each. most, mode: the policy. dynamism:
    what the actor has after the action's price. The smallest number of pairs that breaks the tie is taken, or none.
    """
    first = judge(own, opposing)
    if first.result is not Result.TIE:
        return first
    for pairs in range(1, min(len(own), len(opposing))):  # a side's last die is never removed (AX-DIE-4)
        broken = judge(own, opposing, pairs)
        if broken.result is Result.TIE:
            continue
        price = pairs_price(pairs)
        wanted = mode is Mode.ALWAYS or broken.result is Result.WIN
        if wanted and price <= most and price <= dynamism:
            return Outcome(broken.result, broken.successes, price)
        break
    return first
