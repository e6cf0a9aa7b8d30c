"""Each command that rolls dice, issued a second time where it stood: a use of dice is never one that was before (CF-3).

Whole games are watched. The position before each command of a person or a bot is kept; where the command rolled, the
same is done again in that position, tried dry first. What may roll by its code (`rolls_by_reading`) is looked for in
the menus of everybody besides. The dice of the game count on, whatever their labels say.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from random import Random
from typing import Any
from unittest.mock import patch
from uuid import UUID

import orjson

from api.representations.issuing.commands import parse_command
from games.engine.bots import Policy, Thought
from games.engine.dice import Tray
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.insight.legal_commands import LegalCommandFilter
from games.engine.kernel import Actor, Command, Context, DryRunEnd, Event, EventRecord, Issuer, execute, follow
from tests.play.ruleless import body_for
from tests.play.tables import Table
from tests.playbook import Playbook

OFTEN_ENOUGH = 1
"""So often each command that rolls is done again where it rolled."""
POSITIONS = 5
"""So many positions with the same step, kinds of questions and number of answers are looked at for menus."""
BODIES = 3
"""So many entries of one command are tried by somebody in a position."""


@dataclass(frozen=True)
class Issued:
    """A command, who issues it, and where a game stood before it."""

    command: Command
    actor: Actor
    state: Any
    now: datetime
    heads: dict[Any, int]

    @classmethod
    def in_book(cls, book: Playbook, actor: Actor, command: Command) -> "Issued":
        """A command that is about to be issued in a playbook."""
        return cls(command, actor, book.state.twin(), book.now, dict(book.heads))


@dataclass
class Rolling:
    """The commands that were seen to roll, and how often each was done again where it had rolled."""

    wanted: frozenset[str] = frozenset()
    """What is looked for in menus."""
    again: Counter[str] = field(default_factory=Counter)
    seen: set[str] = field(default_factory=set)
    _met: Counter[tuple[str | int, ...]] = field(default_factory=Counter)
    _chance: Random = field(default_factory=lambda: Random(1))
    _underway: list[Issued] = field(default_factory=list)
    _is_trying: bool = False

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Do again whatever rolls in playbooks meanwhile, and try what menus offer there."""
        when, context, record = Playbook.when, Playbook.context, Playbook._record

        def issue(book: Playbook, command: Command, by: UUID | Actor | None = None, **more: Any) -> list[Event]:
            if by is not None and not self._is_trying:
                actor = by if isinstance(by, Actor) else Actor(Issuer.SEAT, seat=by)
                self._underway = [Issued.in_book(book, actor, command)]
            return when(book, command, by=by, **more)

        def with_watched_bots(book: Playbook, actor: Actor) -> Context:
            made = context(book, actor)
            if self._is_trying:
                return made
            return replace(
                made,
                policies={name: self._watched(book, play, Issuer.SEAT) for name, play in made.policies.items()},
                gm_policies={name: self._watched(book, play, Issuer.GM) for name, play in made.gm_policies.items()},
            )

        def look(book: Playbook, ctx: Context, happened: list[EventRecord]) -> None:
            record(book, ctx, happened)
            if not self._is_trying:
                self._do_again(book)
                self._try_menus(book)

        with (
            patch.object(Playbook, "when", issue),
            patch.object(Playbook, "context", with_watched_bots),
            patch.object(Playbook, "_record", look),
            self._noting_rolls(),
        ):
            yield

    def _watched(self, book: Playbook, play: Policy[Any], role: Issuer) -> Policy[Any]:
        """A policy whose commands are noted before they are issued."""

        def watched(view: Any, seat: UUID, tray: Tray) -> Thought:
            thought = play(view, seat, tray)
            if thought.command is not None and self.again[thought.command.slug()] < OFTEN_ENOUGH:
                self._underway.append(Issued.in_book(book, Actor(role, seat=seat), thought.command))
            return thought

        return watched

    @contextmanager
    def _noting_rolls(self) -> Iterator[None]:
        """Note which of the commands underway roll a die, or what follows them; bots make up their minds by others."""
        self._rolled: list[Command] = []
        roll = Tray.roll

        def noted(tray: Tray, use: str, sides: int, rule: str, **more: Any) -> int:
            value = roll(tray, use, sides, rule, **more)
            commands = [each.command for each in self._underway] if sides > 1 else []
            frame = sys._getframe(1) if commands else None
            while frame is not None and "/bots" not in frame.f_code.co_filename:
                this = frame.f_locals["command"] if frame.f_code is follow.__code__ else frame.f_locals.get("self")
                self._rolled += [each for each in commands if each is this]
                frame = frame.f_back
            return value

        with patch.object(Tray, "roll", noted):
            yield

    def _do_again(self, book: Playbook) -> None:
        """Do again what rolled just now."""
        underway, rolled = self._underway, list(self._rolled)
        self._underway, self._rolled[:] = [], []
        for issued in underway:
            name = issued.command.slug()
            if any(each is issued.command for each in rolled):
                self.seen.add(name)
                if self.again[name] < OFTEN_ENOUGH:
                    self.again[name] += self._is_rolling(book, issued)

    def _try_menus(self, book: Playbook) -> None:
        """Try what is wanted and offered to somebody, and do it again where it rolled."""
        kinds = sorted(prompt.kind for prompt in book.state.prompts.values())
        here = (str(book.state.step), *kinds, len(book.state.answers))
        self._met[here] += 1
        if self._met[here] > POSITIONS:
            return
        table = Table(book, [], self._chance)
        for name in sorted(self.wanted):
            for actor in actors(book.state):
                if self.again[name] < OFTEN_ENOUGH:
                    answer = table.menu_of(actor, LegalCommandFilter(command=name, legal=True))
                    for entry in answer["results"][:BODIES]:
                        body = orjson.dumps(body_for(entry, answer, self._chance))
                        self.try_twice(book, actor, parse_command(book.ruleset.slug, name, body))

    def try_twice(self, book: Playbook, actor: Actor, command: Command) -> None:
        """Issue a command in twins of a position, and where it rolls the same again."""
        issued, name = Issued.in_book(book, actor, command), command.slug()
        if self._is_rolling(book, issued):
            self.seen.add(name)
            self.again[name] += self._is_rolling(book, issued)

    def _is_rolling(self, book: Playbook, issued: Issued) -> bool:
        """Issue a command in a twin of where the game stood, dry and in earnest; whether it rolls.

        Both have to come to the same. The dice count on from all that were rolled in the game, and the game itself
        goes on as if nothing had been tried.
        """
        present = book.state, book.now, book.heads, book.log, book.given, book.used, book.rolled
        self._is_trying, self._underway = True, [issued]
        try:
            book.now, book.log, book.given = issued.now, [], None
            book.used, book.rolled = set(book.used), Counter(book.rolled)
            book.state, book.heads = issued.state.twin(), dict(issued.heads)
            dry = outcome_of(book, issued, dry=True)
            book.state, book.heads = issued.state.twin(), dict(issued.heads)
            self._rolled.clear()
            earnest = outcome_of(book, issued, dry=False)
            assert dry in (earnest, "secret"), (issued.command, issued.actor.role, dry, earnest)
            return bool(self._rolled)
        finally:
            book.state, book.now, book.heads, book.log, book.given, book.used, book.rolled = present
            self._is_trying, self._underway = False, []
            self._rolled.clear()


def actors(state: Any) -> Iterator[Actor]:
    """Everybody at a table: the players, the host and a game-master."""
    for seat in state.seats_of(Role.PLAYER):
        yield Actor(Issuer.SEAT, seat=seat.id)
    yield from (Actor(Issuer.HOST), Actor(Issuer.GM))


def outcome_of(book: Playbook, issued: Issued, *, dry: bool) -> str:
    """What a command is refused with; empty where it is taken, `secret` where a dry run comes to what is sealed."""
    try:
        if not dry:
            book.when(issued.command, by=issued.actor)
            return ""
        context = replace(book.context(issued.actor), is_dry_run=True)
        execute(book.state, issued.command, context)
    except Refused as refused:
        return refused.code
    except DryRunEnd:
        return "secret"
    return ""
