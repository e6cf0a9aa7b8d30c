"""Each command that rolls dice, issued a second time where it stood: a use of dice is never one that was before (CF-3).

A table is played by clients that know schemas alone. Before a command that rolls is issued, its position is kept; after
it the same is done again in that position, tried dry first. The dice of the game count on, whatever their labels say.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from unittest.mock import patch

from api.representations.issuing.commands import parse_command
from games.engine.dice import Tray
from games.engine.errors import Refused
from games.engine.kernel import Actor, Command, DryRunEnd, execute
from tests.play.tables import Table
from tests.playbook import Playbook

OFTEN_ENOUGH = 2
"""So often each command that rolls is tried again."""


@dataclass
class Rolling:
    """The commands of people that were seen to roll, and how often each was done again."""

    seen: set[str] = field(default_factory=set)
    again: Counter[str] = field(default_factory=Counter)

    def play(self, table: Table, rounds: int) -> None:
        """Play a table, with each command that rolls done twice."""
        table.look = self.try_twice
        table.play(rounds)

    def try_twice(self, book: Playbook, actor: Actor, name: str, body: bytes) -> None:
        """Issue a command twice in twins of the same position: dry, in earnest, and the same again."""
        if self.again[name] >= OFTEN_ENOUGH:
            return
        command, present, now = parse_command(book.ruleset.slug, name, body), book.state, book.now
        heads, log = dict(book.heads), list(book.log)
        for time in range(OFTEN_ENOUGH):
            book.state = present.twin()
            dry = outcome_of(book, command, actor, dry=True)
            book.state = present.twin()
            with self.rolls_of(command) as rolled:
                earnest = outcome_of(book, command, actor, dry=False)
            assert dry in (earnest, "secret"), (name, body, dry, earnest)
            if not rolled:
                break
            self.seen.add(name)
            self.again[name] += time
        book.state, book.now, book.heads, book.log = present, now, heads, log

    @contextmanager
    def rolls_of(self, command: Command) -> Iterator[list[str]]:
        """The labels of the dice that a command itself rolls; not those by which bots make up their minds."""
        found, roll = list[str](), Tray.roll

        def counted(tray: Tray, use: str, sides: int, rule: str, **more: Any) -> int:
            value = roll(tray, use, sides, rule, **more)
            frame = sys._getframe(1)
            while frame is not None and "/bots" not in frame.f_code.co_filename:
                if frame.f_locals.get("self") is command and sides > 1:
                    found.append(use)
                frame = frame.f_back  # type: ignore[assignment]
            return value

        with patch.object(Tray, "roll", counted):
            yield found


def outcome_of(book: Playbook, command: Command, actor: Actor, *, dry: bool) -> str:
    """What a command is refused with; empty where it is taken, `secret` where a dry run comes to what is sealed."""
    try:
        if not dry:
            book.when(command, by=actor)
            return ""
        execute(book.state, command, replace(book.context(actor), is_dry_run=True, heads=dict(book.heads)))
    except Refused as refused:
        return refused.code
    except DryRunEnd:
        return "secret"
    return ""
