"""Bans: who may not sit in a game again, and that one is lifted. A ban is of a person, and is not undone by a rewind.

Who banned somebody and the game-masters read that it was done; the banned person is told when they try to sit down.
"""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from games.engine.audience import Audience
from games.engine.errors import Refused
from games.engine.game_state import Ban, GameState
from games.engine.insight.domains import Choices
from games.engine.insight.legal_commands import LegalCommand, TableCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.lifecycle.gm_commands import CONDUCTORS


class Banned(Event[GameState]):
    """A person may not sit in this game again, whatever seat or invitation they come by."""

    survives_rewind: ClassVar[bool] = True

    ban: UUID
    user: UUID
    name: str
    """What their seat was called."""
    by: UUID | None = None
    """The seat of the host or game-master who banned them; none for an administrator without one."""

    def audience(self, state: GameState) -> Audience:
        return Ban.audience(self._record)

    def apply(self, state: GameState) -> None:
        state.bans[self.ban] = self._record

    def sentence(self, state: GameState) -> str:
        return f"Who sat as {self.name} may not come back."

    @property
    def _record(self) -> Ban:
        return Ban(self.ban, self.user, self.name, self.by)


class BanLifted(Event[GameState]):
    """A banned person may sit in this game again."""

    survives_rewind: ClassVar[bool] = True

    ban: UUID

    def audience(self, state: GameState) -> Audience:
        return Ban.audience(state.bans[self.ban])

    def apply(self, state: GameState) -> None:
        del state.bans[self.ban]

    def sentence(self, state: GameState) -> str:
        return "A ban was lifted."


class LiftBan(TableCommand):
    """Let a banned person sit in this game again; a host lifts the bans of their own seat, a game-master every one."""

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS
    while_paused: ClassVar[bool] = True

    ban: UUID
    """The ban, as `bans` of the state lists it."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        if self.ban not in liftable_bans(state, ctx.actor):
            raise Refused("ban.missing", "There is no such ban of yours to lift in this game.")
        yield BanLifted(ban=self.ban)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        bans = liftable_bans(state, actor)
        if not bans:
            raise Refused("ban.missing", "Nobody whom you might let in again is banned from this game.")
        yield LegalCommand(cls.slug(), {"ban": Choices.with_titles(bans)})


def liftable_bans(state: GameState, actor: Actor) -> dict[UUID, str]:
    """The bans that a host or game-master may lift, which are those they read: what each person's seat was called."""
    return {ban.id: ban.name for ban in state.bans.values() if actor.is_gm or (ban.by and ban.by == actor.seat)}


def require_admitted(state: GameState, user: UUID | None, *, another: bool = False) -> None:
    """Refuse (`person.banned`) a person who is banned from this game. another: whether somebody else seats them."""
    if any(ban.user == user for ban in state.bans.values()):
        who = "This person was" if another else "You were"
        raise Refused(
            "person.banned",
            f"{who} banned from this game; its host or a game-master can lift the ban with `lift-ban`.",
        )
