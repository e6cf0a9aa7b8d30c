"""Legal commands: what a viewer may do now, with argument domains and price, or the reason and rule that bar it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, ClassVar
from uuid import UUID

from games.engine.dice import SecretDice, Tray
from games.engine.errors import Refused
from games.engine.game_state import GameState, Role, S, S_contra
from games.engine.insight.breakdown import Step
from games.engine.insight.domains import Case, Choices, Domain, Fields, ListOf, mentions
from games.engine.kernel import Actor, Command, Context, Issuer, require_clock

BEFORE_ALL = datetime.min.replace(tzinfo=UTC)
"""The time of a game in which nothing has happened."""


@dataclass(frozen=True, slots=True)
class LegalCommand:
    """One thing a viewer may do, or why it is barred.

    Arguments that are not named are not among what is offered; those that the command's class requires are needed.
    """

    command: str
    arguments: Mapping[str, Domain] = field(default_factory=dict)
    """What each argument may be. Those that others depend on stand before them."""
    price: int | None = None
    barred: Refused | None = None
    note: str = ""
    steps: tuple[Step, ...] = ()
    """How the price came about."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the actor has and the command asks for."""
    required: tuple[str, ...] = ()
    """The arguments it needs beside those that its class requires."""
    cases: tuple[Case, ...] = ()
    """How arguments depend on each other."""
    quits: bool = False
    """Whether it ends the actor's part in the game."""
    partial: bool = False
    """Whether its domains cannot say all: what they admit may still be refused."""

    @property
    def legal(self) -> bool:
        """Whether the command would be accepted now with arguments from these domains."""
        return self.barred is None

    def domain(self, path: str) -> Domain | None:
        """The domain at a dotted path, `orders.action`: a field of an object, or of the objects of a list."""
        within: Mapping[str, Domain] = self.arguments
        found: Domain | None = None
        for name in path.split("."):
            found = within.get(name)
            item = found.of if isinstance(found, ListOf) else found
            within = item.fields if isinstance(item, Fields) else {}
        return found

    def choices(self, path: str) -> tuple[Any, ...]:
        """The values to choose from at a dotted path, of a list those of its items; none where none are listed."""
        found = self.domain(path)
        found = found.of if isinstance(found, ListOf) else found
        return found.values if isinstance(found, Choices) else ()


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
            if not narrow.about or any(mentions(domain, narrow.about) for domain in legal.arguments.values()):
                yield legal


class TableCommand(Enumerable[GameState], abstract=True):
    """A command about the table and not of a game's own play: the game does not go on after it by itself."""

    is_followed: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class LegalCommandFilter:
    """Which of all legal commands are asked for."""

    command: str = ""
    """One command alone, by its kebab name."""
    about: str = ""
    """Those with this value among their arguments alone: a power, a race."""
    page: int = 0
    """Which 200 values of long domains, where a command can page."""
    legal: bool = False
    """Only what is legal now."""


EVERYTHING = LegalCommandFilter()


def refusal_of(command: Command[S], state: S, actor: Actor) -> Refused | None:
    """What a command itself refuses with before its first event; None where that would come.

    Nothing is changed, and no die of the game is rolled. Rules that need more than the state and the actor are asked
    elsewhere.
    """
    ctx = Context(
        game=state.info.id,
        now=state.info.paused_at or state.info.last_at or BEFORE_ALL,
        at=state.info.last_at or BEFORE_ALL,
        actor=actor,
        tray=Tray(SecretDice(b"", "")),
        id_secret=b"",
        commands={},
        policies=dict.fromkeys(state.bots_for(Role.PLAYER)),
        gm_policies=dict.fromkeys(state.bots_for(Role.GM)),
    )
    try:
        next(iter(command.decide(state, ctx)), None)
    except Refused as refused:
        return refused
    return None


def require_accepted(command: Command[S], state: S, actor: Actor) -> None:
    """Raise what the command itself refuses with before its first event."""
    if refused := refusal_of(command, state, actor):
        raise refused


def legal_commands_for(
    state: S,
    commands: Iterable[type[Command[S]]],
    actor: Actor | Callable[[type[Command[S]]], Actor],
    narrow: LegalCommandFilter = EVERYTHING,
) -> list[LegalCommand]:
    """What this actor may do now, command by command in the ruleset's order; never those of the CLOCK.

    actor: one for all commands, or the one who would issue each. Who acts for a seat is told what that seat may do, and
    what is done for a seat alone; the state is what that seat may see.
    """
    found: list[LegalCommand] = []
    for command in commands:
        if not issubclass(command, Enumerable) or narrow.command not in ("", command.slug()):
            continue
        asker = actor if isinstance(actor, Actor) else actor(command)
        wanted = asker.role if asker.on_behalf_of is None or command.for_seat else Issuer.SEAT
        if wanted in command.issuers:
            try:
                require_clock(state, command, asker)
                found.extend(command.matching_legal_commands(state, asker, narrow))
            except Refused as barred:
                found.append(LegalCommand(command.slug(), barred=barred))
    return [legal for legal in found if legal.legal] if narrow.legal else found


def names_of(state: GameState, found: Iterable[LegalCommand]) -> dict[str, str]:
    """What people call the ids among the choices (`GameState.name_of`). state: as its viewer sees it."""
    ids = {str(value) for legal in found for value in _ids_in(legal)}
    return {each: title for each in ids if (title := state.name_of(each))}


def _ids_in(legal: LegalCommand) -> Iterator[UUID]:
    """The ids among the choices of a legal command."""
    case_domains = (d for case in legal.cases for part in (case.then, *case.either) for d in part.values() if d)
    for domain in (*legal.arguments.values(), *case_domains):
        for part in domain.parts():
            if isinstance(part, Choices):
                yield from (value for value in part.values if isinstance(value, UUID))
