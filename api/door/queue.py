"""Where commands wait for their game: one queue for each game, from which a few writers take many games at once."""

import math
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from threading import Condition, Lock
from time import perf_counter
from uuid import UUID

from api.door.incoming import Incoming
from games import registry
from games.runtime import metrics
from games.storage.state_cache import STATE_CACHE

MAX_WAITING = 1_000
MAX_GAMES, MAX_COMMANDS = 64, 256


@dataclass(frozen=True, slots=True)
class Batch:
    """What is played together: commands by their game, in order."""

    commands: Mapping[UUID, Sequence[Incoming]]
    waits: bool = False
    """Whether it is of a game that another process held, for which its writer waits."""
    is_usual: bool = False
    """Whether it is of games none of which is cold, held or busy with what takes long."""

    @property
    def all(self) -> list[Incoming]:
        """The commands of all games."""
        return [each for commands in self.commands.values() for each in commands]


class CommandQueue:
    """The commands that wait in this process. A game is in the hands of one writer at a time."""

    def __init__(self) -> None:
        self._games: dict[UUID, deque[Incoming]] = {}
        self._taken: set[UUID] = set()
        self._held: set[UUID] = set()
        self._is_waited_for = False
        self._is_usual_out = False
        lock = Lock()
        self._changed, self._has_enough = Condition(lock), Condition(lock)
        self._count, self._enough = 0, math.inf
        self._is_closed = False

    def close(self) -> None:
        """Say that nothing more comes: who takes gets what still waits, and then nothing."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
            self._has_enough.notify_all()

    def is_idle(self) -> bool:
        """Whether a writer would find nothing to take at this moment."""
        with self._changed:
            return not any(map(self._is_free, self._games))

    def put(self, incoming: Incoming) -> bool:
        """Let a command wait, behind those of its game; False where too many wait already."""
        with self._changed:
            if self._count >= MAX_WAITING:
                return False
            self._games.setdefault(incoming.game, deque()).append(incoming)
            self._count += 1
            metrics.commands_waiting(self._count)
            if self._is_free(incoming.game):
                self._changed.notify()
            if self._count >= self._enough:
                self._has_enough.notify()
        return True

    def take(self) -> Batch | None:
        """What is played next, as soon as there is something: of the game that waits longest, and of others beside it.

        Alone go a game whose state is not in this process, one that another process held, for which one writer waits
        at a time, and what takes long. Of all others there is one batch at a time: what comes meanwhile goes together
        in the next, since the larger part of a batch's cost does not grow with it. None once the queue is closed and
        empty.
        """
        with self._changed:
            while not (free := [game for game in self._games if self._is_free(game)]):
                if self._is_closed and not self._games:
                    return None
                self._changed.wait()
            first = free[0]
            if first in self._held:
                self._is_waited_for = True
                self._held.discard(first)
                batch = Batch({first: self._pop(first, MAX_COMMANDS)}, waits=True)
            elif self._is_alone(first):
                batch = Batch({first: self._pop(first, MAX_COMMANDS)})
            else:
                batch = self._pop_many([game for game in free if game not in self._held and not self._is_alone(game)])
                self._is_usual_out = True
            self._taken.update(batch.commands)
            return batch

    def gather(self, count: int, until: float) -> None:
        """Wait until so many commands wait here, or until a time of `perf_counter`, or until nothing more comes.

        The writer of the usual batch does so before it gives that back: who was answered sends the next meanwhile.
        """
        with self._changed:
            self._enough = count
            self._has_enough.wait_for(lambda: self._count >= count or self._is_closed, max(0.0, until - perf_counter()))
            self._enough = math.inf

    def give_back(self, batch: Batch, undecided: Collection[Incoming], held: Collection[UUID]) -> None:
        """A batch is over; what is not decided waits again, first of its game. held: games that others held."""
        with self._changed:
            self._is_usual_out = self._is_usual_out and not batch.is_usual
            self._taken.difference_update(batch.commands)
            self._held.update(held)
            self._is_waited_for = self._is_waited_for and not batch.waits
            for game, commands in batch.commands.items():
                if left := [each for each in commands if each in undecided]:
                    self._games.setdefault(game, deque()).extendleft(reversed(left))
                    self._count += len(left)
            metrics.commands_waiting(self._count)
            self._changed.notify_all()

    def _is_free(self, game: UUID) -> bool:
        if game in self._taken or (game in self._held and self._is_waited_for):
            return False
        return not self._is_usual_out or game in self._held or self._is_alone(game)

    def _is_alone(self, game: UUID) -> bool:
        return not STATE_CACHE.holds(game) or takes_long(self._games[game][0])

    def _pop_many(self, games: Sequence[UUID]) -> Batch:
        commands: dict[UUID, Sequence[Incoming]] = {}
        room = MAX_COMMANDS
        for game in games[:MAX_GAMES]:
            if room <= 0:
                break
            commands[game] = self._pop(game, room)
            room -= len(commands[game])
        return Batch(commands, is_usual=True)

    def _pop(self, game: UUID, most: int) -> list[Incoming]:
        """The first commands of a game, up to one that takes long; that one by itself."""
        waiting, taken = self._games.pop(game), list[Incoming]()
        while waiting and len(taken) < most and not (taken and takes_long(waiting[0])):
            taken.append(waiting.popleft())
            if takes_long(taken[-1]):
                break
        if waiting:
            self._games[game] = waiting  # behind the other games
        self._count -= len(taken)
        return taken


def takes_long(incoming: Incoming) -> bool:
    """Whether it may be a command that takes more than a moment."""
    return incoming.name in _long_commands()


@cache
def _long_commands() -> frozenset[str]:
    """The names of those commands, of any ruleset."""
    kinds = [rules.commands for rules in registry.rulesets()]
    return frozenset(name for commands in kinds for name, kind in commands.items() if kind.takes_long)
