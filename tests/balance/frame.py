"""The frame: what a whole game came to, what thirty of them come to, and the bounds that this is held to.

A *round* is what a ruleset's facts say: a century, a turn, a round of turns. A *standing* is an amount of everybody who
may be ahead or behind; who has most leads. Nothing here names a game.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from statistics import fmean
from typing import Any

from games.engine.kernel import Event, Issuer
from games.engine.ruleset import Ruleset
from tests.playbook import Playbook

Standing = Mapping[str, float]
REQUIRED = ("shortest", "longest", "spread", "comebacks", "idle")
"""What every ruleset has a bound or a reason for."""
IN_ONE = frozenset({"longest", "idle"})
"""What is asked of each game that other tests play."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one game came to."""

    changed: tuple[bool, ...]
    """Whether anything has changed, for each round."""
    standings: tuple[Standing, ...]
    """Before the first round, and after each."""
    winners: frozenset[str]
    done: Counter[str]
    """How often each command was issued and each power used, by people and bots."""

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return len(self.changed)

    @property
    def end(self) -> Standing:
        """The last standing."""
        return self.standings[-1]

    @property
    def half(self) -> Standing:
        """The standing when half of the rounds were over."""
        return self.standings[self.rounds // 2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """What a measure has to keep to.

    least, most: the aim. today: what holds now where the aim is missed, on the side that is missed; then `reason` says
    why. Nobody widens an aim for a figure: the figure stands beside it.
    """

    least: float = float("-inf")
    most: float = float("inf")
    today: float | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        if (self.today is None) is bool(self.reason):
            raise ValueError("a missed aim has what holds today and the reason; one that is met has neither")
        if self.today is not None and self.least <= self.today <= self.most:
            raise ValueError(f"{self.today} keeps to the aim: take the mark away")

    def is_met(self, value: float) -> bool:
        """Whether a value keeps to the aim."""
        return self.least <= value <= self.most

    def holds(self, value: float) -> bool:
        """Whether a value keeps to the aim, or to what holds today."""
        if self.today is None:
            return self.is_met(value)
        return min(self.least, self.today) <= value <= max(self.most, self.today)

    def __str__(self) -> str:
        sides = ((self.least, "at least"), (self.most, "at most"))
        aim = " and ".join(f"{word} {side:g}" for side, word in sides if abs(side) != float("inf"))
        return aim if self.today is None else f"{aim}; today {self.today:g}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the frame must know of a ruleset."""

    ruleset: Ruleset[Any]
    word: str
    """What a round is called."""
    play: Callable[[int], tuple[Playbook, Any]]
    """A whole game of bots by its number, and the state that its log is folded into."""
    opened_by: tuple[type[Event], ...]
    """The events that begin a round."""
    changes: tuple[type[Event], ...]
    """The events after which the game is another one than before; a round without any is idle."""
    ahead: str
    """What the standing counts, in words."""
    standing: Callable[[Any], Standing]
    winners: Callable[[Any], Iterable[str]] | None = None
    """Who has won by a last state; None: who leads in the last standing."""
    powers: Callable[[Event], Iterable[str]] = lambda event: ()
    """The powers that an event says were used."""
    every_power: Iterable[str] = ()
    unused: Mapping[str, str] = field(default_factory=dict)
    """Commands and powers that no bot uses, with the reason."""
    seldom: Mapping[str, str] = field(default_factory=dict)
    """Those that thirty games may go without, with the reason."""
    bounds: Mapping[str, Bound | str]
    """By measure; a text says why there is none."""
    in_one: Mapping[str, Bound] | str
    """What holds in each single game that other tests play, whatever its options; a text says why nothing is asked."""

    @property
    def every(self) -> frozenset[str]:
        """Every command of the ruleset's own that not the clock alone issues, and every power."""
        commands = (each.slug() for each in self.ruleset.own.commands if each.issuers != {Issuer.CLOCK})
        return frozenset({*commands, *self.every_power})


def outcome(facts: Facts, book: Playbook, fresh: Any) -> Outcome:
    """What a finished game came to. fresh: the state that its log is folded into, as it was before."""
    standings, changed, done = list[Standing](), list[bool](), Counter(book.commands)
    for record in book.log:
        event = record.event
        if isinstance(event, facts.opened_by):
            standings.append(dict(facts.standing(fresh)))
            changed.append(False)
        if changed and isinstance(event, facts.changes):
            changed[-1] = True
        done.update(facts.powers(event))
        fresh.note_time(record.at)
        event.apply(fresh)
    standings.append(dict(facts.standing(fresh)))
    winners = facts.winners(fresh) if facts.winners is not None else leaders(standings[-1])
    return Outcome(tuple(changed), tuple(standings), frozenset(winners), done)


def leaders(standing: Standing) -> frozenset[str]:
    """Who has most."""
    most = max(standing.values(), default=0)
    return frozenset(who for who, amount in standing.items() if amount == most)


# --- measures ---------------------------------------------------------------------------------------------------------


def shortest(outcomes: Sequence[Outcome]) -> float:
    """Rounds of a short game: one in ten is shorter."""
    return sorted(each.rounds for each in outcomes)[len(outcomes) // 10]


def longest(outcomes: Sequence[Outcome]) -> float:
    """Rounds of a long game: one in ten is longer."""
    return sorted(each.rounds for each in outcomes)[-1 - len(outcomes) // 10]


def spread(outcomes: Sequence[Outcome]) -> float:
    """What the last has of what the first has at the end, in percent; the mean of the games."""
    return fmean(100 * min(each.end.values()) / max(1, *each.end.values()) for each in outcomes)


def comebacks(outcomes: Sequence[Outcome]) -> float:
    """In how many games of a hundred who led alone at half-time wins."""
    led = [(leaders(each.half), each.winners) for each in outcomes]
    alone = [first <= winners for first, winners in led if len(first) == 1]
    return 100 * fmean(alone) if alone else 0.0


def idle(outcomes: Sequence[Outcome]) -> float:
    """Rounds in which nothing changes, in percent of all."""
    rounds = sum(each.rounds for each in outcomes)
    return 100 * sum(each.changed.count(False) for each in outcomes) / max(1, rounds)


def early(outcomes: Sequence[Outcome]) -> float:
    """How much of what all have at the end they had after a third of the rounds, in percent; the mean of the games."""
    return fmean(
        100 * sum(each.standings[ceil(each.rounds / 3)].values()) / max(1, sum(each.end.values())) for each in outcomes
    )


def rarest(outcomes: Sequence[Outcome]) -> float:
    """In how many games of a hundred the one wins who wins least often."""
    wins = Counter(dict.fromkeys(outcomes[0].end, 0))
    for each in outcomes:
        wins.update(each.winners)
    return 100 * min(wins.values()) / len(outcomes)


MEASURES: Mapping[str, Callable[[Sequence[Outcome]], float]] = {
    each.__name__: each for each in (shortest, longest, spread, comebacks, idle, early, rarest)
}


def never_used(facts: Facts, outcomes: Iterable[Outcome]) -> frozenset[str]:
    """Commands and powers that nobody has used in any of these games."""
    return facts.every - {name for each in outcomes for name in each.done}


def misses_in_one(facts: Facts, book: Playbook, fresh: Any) -> list[str]:
    """What a single game, played by another test, does not keep to."""
    found = outcome(facts, book, fresh)
    bounds = facts.in_one if isinstance(facts.in_one, Mapping) else {}
    values = {name: MEASURES[name]([found]) for name in bounds}
    return [f"{name} {values[name]:g}: {bound}" for name, bound in bounds.items() if not bound.holds(values[name])]
