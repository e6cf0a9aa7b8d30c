"""Legal commands: what a viewer may do now, with argument domains and price, or the reason and rule that bar it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from games.engine.errors import Refused
from games.engine.game_state import S, S_contra
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


class Enumerable(Command[S_contra], abstract=True):
    """A command that can say for itself what it would accept now."""

    @classmethod
    def legal_commands(cls, state: S_contra, actor: Actor) -> Iterator[LegalCommand]:
        """What of this command the actor may do now. Raises Refused when it is barred altogether."""
        raise TypeError(f"{cls.__name__} says nothing of what it accepts")

    @classmethod
    def matching_legal_commands(
        cls, state: S_contra, actor: Actor, narrow: "LegalCommandFilter"
    ) -> Iterator[LegalCommand]:
        """Those with the wanted value among their arguments; all where none is wanted, without pages."""
        for legal in cls.legal_commands(state, actor):
            if not narrow.about or any(narrow.about in map(str, d.values or ()) for d in legal.arguments.values()):
                yield legal


@dataclass(frozen=True, slots=True)
class LegalCommandFilter:
    """Which of all legal commands are asked for."""

    command: str = ""
    """One command alone, by its kebab name."""
    about: str = ""
    """Those with this value among their arguments alone: a power, a race."""
    page: int = 0
    """Which 200 values of long domains, where a command can page."""


EVERYTHING = LegalCommandFilter()


def legal_commands_for(
    state: S, commands: Iterable[type[Command[S]]], actor: Actor, narrow: LegalCommandFilter = EVERYTHING
) -> list[LegalCommand]:
    """What this actor may do now, command by command in the ruleset's order; never those of the CLOCK."""
    found: list[LegalCommand] = []
    for command in commands:
        if actor.role not in command.issuers or narrow.command not in ("", command.slug()):
            continue
        if issubclass(command, Enumerable):
            try:
                found.extend(command.matching_legal_commands(state, actor, narrow))
            except Refused as barred:
                found.append(LegalCommand(command.slug(), barred=barred))
    return found
