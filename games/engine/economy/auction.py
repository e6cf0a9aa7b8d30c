"""An open auction of two sides: bids are totals, each bid pays its increase at once, and all that was bid is gone.

Pure values: who pays from what is the ruleset's. The opener bids first. The side to act bids more than the other's
total or folds; a side that cannot reach more than the other's total must fold.
"""

from dataclasses import dataclass, replace

from games.engine.errors import Refused

OPENER, ANSWERER = 0, 1
Side = int
"""`OPENER` or `ANSWERER`."""


@dataclass(frozen=True, slots=True)
class Auction:
    """Where an auction stands: both totals, and whose turn it is."""

    opener: int = 0
    answerer: int = 0
    to_act: Side = OPENER

    def total(self, side: Side) -> int:
        """What a side has bid, and paid, so far."""
        return self.opener if side == OPENER else self.answerer

    @property
    def to_beat(self) -> int:
        """The other side's total: the side to act bids more or folds."""
        return self.total(other(self.to_act))


def other(side: Side) -> Side:
    """The other side."""
    return ANSWERER if side == OPENER else OPENER


def reach(auction: Auction, balance: int) -> int:
    """The highest total that the side to act can bid: its balance and what it has bid already."""
    return balance + auction.total(auction.to_act)


def must_fold(auction: Auction, balance: int) -> bool:
    """Whether the side to act cannot exceed the other's total."""
    return reach(auction, balance) <= auction.to_beat


def increase(auction: Auction, total: int, balance: int, *, rules: tuple[str, ...] = ()) -> int:
    """What a bid of `total` costs the side to act now. Raises `bid.low`, `points.short`, which cite `rules`."""
    if total <= auction.to_beat:
        raise Refused(
            "bid.low",
            f"A bid is more than the other side's {auction.to_beat}; bid {auction.to_beat + 1} or more, or fold.",
            rules=rules,
            least=auction.to_beat + 1,
            bid=total,
        )
    paid, most = total - auction.total(auction.to_act), reach(auction, balance)
    if total > most:
        raise Refused("points.short", f"You can bid up to {most}.", rules=rules, need=paid, have=balance, most=most)
    return paid


def raise_bid(auction: Auction, total: int) -> Auction:
    """The auction after a bid of the side to act; the other side is to act."""
    if auction.to_act == OPENER:
        return replace(auction, opener=total, to_act=ANSWERER)
    return replace(auction, answerer=total, to_act=OPENER)


def next_bid(auction: Auction, most: int, balance: int) -> int | None:
    """What a side bids that has said in advance to go up to `most`: one more than the other's total; None folds."""
    wanted = auction.to_beat + 1
    return wanted if wanted <= min(most, reach(auction, balance)) else None
