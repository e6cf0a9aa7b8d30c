"""Some commands of one game that were sent together: one after the other under one lock, all of them or none.

Dice and what others keep secret must not decide whether the rest is done: a command that rolls, or opens what was
sealed, is the last. Without that, "attack, and if it fails nothing has happened" would be a request.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from games.engine.errors import Refused
from games.runtime.clock import next_due
from games.runtime.decision import Fire, Outcome, PendingCommand
from games.runtime.session import GameSession, reload, write


class TakenBack(Exception):
    """What a sequence has done is taken back: it was refused, or a dry run."""


@dataclass(slots=True, kw_only=True)
class PendingSequence(PendingCommand):
    """Commands that are done together. Once decided, each has its outcome; or none has, and one of them its error."""

    commands: Sequence[PendingCommand]
    refused: int | None = None
    """Which of them was refused, from 0."""

    @property
    def parts(self) -> Sequence[PendingCommand]:
        """The commands."""
        return self.commands

    def settle(self, session: GameSession, at: datetime, fire: Fire) -> None:
        """Give each its outcome; or take all of them back. What was due before them stands.

        Each is written before the next is read: who may issue that is looked up in the rows.
        """
        self.ruleset, self.refused = session.game.ruleset, None
        fire(session, at)
        write(session)
        try:
            with transaction.atomic():
                self._settle_each(session, at)
        except TakenBack:
            reload(session)

    def _settle_each(self, session: GameSession, at: datetime) -> None:
        """Settle one after the other. Raises TakenBack."""
        former: Outcome | None = None
        for number, each in enumerate(self.commands):
            if former is not None and not former.replayed and (former.discloses or _is_due(session, at)):
                each.error = _not_the_last()
            else:
                each.is_followed = True
                each.settle(session, at, _fire_nothing)
            if each.error is not None:
                self._refuse(number, each.error)
            former = each.outcome
            write(session)
        self.outcome = former
        if any(each.issued is not None and each.issued.dry_run for each in self.commands):
            self._stand_where_it_began()
            raise TakenBack

    def _refuse(self, number: int, error: Exception) -> None:
        """Nothing was done, because of one of them. Raises TakenBack."""
        for each in self.commands:
            each.outcome = None
        self.refused, self.error = number, error
        raise TakenBack

    def _stand_where_it_began(self) -> None:
        """All answers of a dry run have the position before the first: nobody ever stands behind it."""
        begun = self.commands[0].outcome
        for each in self.commands:
            if each.outcome is not None and begun is not None:
                each.outcome = replace(each.outcome, before=begun.before)


def _fire_nothing(session: GameSession, at: datetime) -> int:
    """What was due has fired before the first command; what one of them makes due ends the sequence."""
    return 0


def _is_due(session: GameSession, at: datetime) -> bool:
    return session.state.info.paused_at is None and next_due(session, at) is not None


def _not_the_last() -> Refused:
    return Refused(
        "batch.goes_on",
        "The command before this one rolls dice, opens what was a secret or lets something happen at once, so it can "
        "only be the last of a batch; send what follows by itself, once you know what came of it.",
    )
