"""Offers: what a viewer may do now. Command, argument domains, price, and the reason and rule where it is barred."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from games.engine.errors import Refused
from games.engine.insight.breakdown import Step
from games.engine.kernel import Actor, Command

SHOWN = 200  # values listed for one argument; the rest are counted in `more`


@dataclass(frozen=True, slots=True)
class Domain:
    """The values an argument may take: a list, or a range of whole numbers, or free text where neither is given.

    values: ids, keys or `{x, y}` squares, at most 200; more: how many were left out.
    """

    values: tuple[Any, ...] | None = None
    low: int | None = None
    high: int | None = None
    more: int = 0

    @classmethod
    def of(cls, values: Iterable[Any]) -> "Domain":
        """The first 200 of these values, in order."""
        every = list(values)
        return cls(values=tuple(every[:SHOWN]), more=max(0, len(every) - SHOWN))


@dataclass(frozen=True, slots=True)
class LegalCommand:
    """One thing a viewer may do, or why it is barred."""

    command: str
    arguments: Mapping[str, Domain] = field(default_factory=dict)
    price: int | None = None
    barred: Refused | None = None
    note: str = ""
    steps: tuple[Step, ...] = ()
    """How the price came about."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the actor has and the command asks for."""

    @property
    def legal(self) -> bool:
        """Whether the command would be accepted now with arguments from these domains."""
        return self.barred is None


class Enumerable(Command):
    """A command that can say for itself what it would accept now."""

    @classmethod
    def offers(cls, state: Any, actor: Actor) -> Iterator[LegalCommand]:
        """The offers of this command to this actor. Raises Refused when it is barred altogether."""
        raise TypeError(f"{cls.__name__} offers nothing")

    @classmethod
    def narrowed(cls, state: Any, actor: Actor, narrow: "LegalCommandFilter") -> Iterator[LegalCommand]:
        """The offers that have this value among their arguments; all where none is asked for, without pages."""
        for offer in cls.offers(state, actor):
            if not narrow.about or any(narrow.about in map(str, d.values or ()) for d in offer.arguments.values()):
                yield offer


@dataclass(frozen=True, slots=True)
class LegalCommandFilter:
    """What of all offers is asked for."""

    command: str = ""
    """One command alone, by its kebab name."""
    about: str = ""
    """Offers with this value among their arguments alone: a power, a race."""
    page: int = 0
    """Which 200 values of long domains, where a command can page."""


EVERYTHING = LegalCommandFilter()


def legal_commands_for(
    state: Any, commands: Iterable[type[Command]], actor: Actor, narrow: LegalCommandFilter = EVERYTHING
) -> list[LegalCommand]:
    """What this actor may do now, command by command in the ruleset's order; CLOCK commands are never offered."""
    found: list[LegalCommand] = []
    for command in commands:
        if actor.role not in command.issuers or narrow.command not in ("", command.slug()):
            continue
        if issubclass(command, Enumerable):
            try:
                found.extend(command.narrowed(state, actor, narrow))
            except Refused as barred:
                found.append(LegalCommand(command.slug(), barred=barred))
    return found
