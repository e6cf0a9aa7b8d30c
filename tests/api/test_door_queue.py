"""The queue of the door: what comes back waits first of its game, and for one held game at a time somebody waits."""

import asyncio
import math
from collections.abc import Callable, Iterator
from threading import TIMEOUT_MAX, Event, Thread
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import OperationalError

from api.door import queue as queue_module
from api.door import writers
from api.door.incoming import Incoming, incoming
from api.door.queue import Batch, CommandQueue
from tests.api.test_door import TOKEN, scope_of

pytestmark = pytest.mark.timeout(120)  # a queue that is wrong waits for ever
FAR = TIMEOUT_MAX / 2
"""A time of `perf_counter` that does not come."""


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> Iterator[CommandQueue]:
    """A queue of a process that has every game's state."""
    monkeypatch.setattr(queue_module.STATE_CACHE, "holds", lambda _: True)
    return CommandQueue()


def command_of(game: UUID) -> Incoming:
    path, body = f"/api/v1/games/{game}/commands/add-stones/", b"{}"
    found = incoming(scope_of(path, TOKEN, body), body, asyncio.new_event_loop())
    assert found is not None
    return found


def test_what_is_not_settled_waits_again_before_what_has_come_since_and_is_counted(queue: CommandQueue) -> None:
    game = uuid4()
    first, second, third = (command_of(game) for _ in range(3))
    assert queue.put(first) and queue.put(second)
    batch = queue.take()
    assert batch is not None and batch.all == [first, second] and queue._count == 0
    assert queue.put(third)
    queue.give_back(batch, {first, second}, set())
    assert queue._count == 3
    again = queue.take()
    assert again is not None and again.all == [first, second, third] and queue._count == 0


@pytest.mark.parametrize(("most_games", "most_commands", "taken"), [(2, 9, [2, 2]), (9, 3, [2, 1]), (9, 9, [2, 2, 1])])
def test_one_batch_is_of_so_many_games_and_commands_and_the_rest_waits(
    queue: CommandQueue, monkeypatch: pytest.MonkeyPatch, most_games: int, most_commands: int, taken: list[int]
) -> None:
    monkeypatch.setattr(queue_module, "MAX_GAMES", most_games)
    monkeypatch.setattr(queue_module, "MAX_COMMANDS", most_commands)
    games = [uuid4() for _ in range(3)]
    for game in (games[0], games[0], games[1], games[1], games[2]):
        assert queue.put(command_of(game))
    batch = queue.take()
    assert batch is not None and [len(batch.commands[game]) for game in games[: len(taken)]] == taken
    assert len(batch.commands) == len(taken) and queue._count == 5 - sum(taken)


def test_for_one_held_game_at_a_time_somebody_waits_and_the_others_are_played_meanwhile(queue: CommandQueue) -> None:
    held, other, free = uuid4(), uuid4(), uuid4()
    for game in (held, other):
        queue.put(command_of(game))
    batch = queue.take()
    assert batch is not None and not batch.waits and set(batch.commands) == {held, other}
    queue.give_back(batch, set(batch.all), {held, other})
    waiting = queue.take()
    assert waiting is not None and waiting.waits and list(waiting.commands) == [held]
    queue.put(command_of(free))
    played = queue.take()
    assert played is not None and not played.waits and list(played.commands) == [free]
    queue.give_back(played, set(), set())
    assert not queue._is_free(other)  # somebody still waits for the first
    queue.give_back(waiting, set(waiting.all), set())
    first_again = queue.take()
    assert first_again is not None and (first_again.waits, list(first_again.commands)) == (True, [other])
    last = queue.take()
    assert last is not None and (last.waits, list(last.commands)) == (False, [held])  # it is held no more


def test_of_usual_games_there_is_one_batch_at_a_time_and_what_comes_meanwhile_goes_together(
    queue: CommandQueue,
) -> None:
    """The kind: two writers who halve what waits pay the fixed part of a batch twice."""
    mine, other, third = uuid4(), uuid4(), uuid4()
    queue.put(command_of(mine))
    first = queue.take()
    assert first is not None and first.is_usual
    for game in (other, third):
        queue.put(command_of(game))
    assert not queue._is_free(other) and not queue._is_free(third)
    queue.give_back(first, set(), set())
    second = queue.take()
    assert second is not None and set(second.commands) == {other, third}


def test_what_is_cold_held_or_long_waits_for_no_usual_batch(
    queue: CommandQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, cold, held, long = uuid4(), uuid4(), uuid4(), uuid4()
    monkeypatch.setattr(queue_module.STATE_CACHE, "holds", lambda game: game != cold)
    monkeypatch.setattr(queue_module, "takes_long", lambda incoming: incoming.game == long)
    queue._held.add(held)
    queue.put(command_of(usual))
    first = queue.take()
    assert first is not None and first.is_usual
    for game in (cold, held, long):
        queue.put(command_of(game))
        batch = queue.take()
        assert batch is not None and list(batch.commands) == [game] and not batch.is_usual
    queue.put(command_of(uuid4()))
    queue.give_back(batch, set(), set())
    assert [*queue._games] and not any(map(queue._is_free, queue._games))  # the usual one is still being played


def test_a_game_stays_with_its_writer_when_another_writer_gives_its_own_back(
    queue: CommandQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, other = uuid4(), uuid4()
    queue.put(command_of(mine))
    first = queue.take()
    monkeypatch.setattr(queue_module.STATE_CACHE, "holds", lambda _: False)
    queue.put(command_of(other))
    second = queue.take()
    assert first is not None and second is not None and list(second.commands) == [other]
    queue.put(command_of(mine))
    queue.give_back(second, set(), set())
    assert not queue._is_free(mine)
    queue.give_back(first, set(), set())
    assert queue._is_free(mine)


# --- who was just answered -------------------------------------------------------------------------------------------
def gathering(queue: CommandQueue, count: int, monkeypatch: pytest.MonkeyPatch) -> Thread:
    """A writer that waits for so many commands, however long; it has the lock until it waits."""
    begun, wait_for = Event(), queue._has_enough.wait_for

    def begin(*arguments: Any) -> bool:
        begun.set()
        return wait_for(*arguments)

    monkeypatch.setattr(queue._has_enough, "wait_for", begin)
    thread = Thread(target=queue.gather, args=(count, FAR), daemon=True)
    thread.start()
    begun.wait()
    return thread


def test_who_was_answered_is_waited_for_until_as_many_have_come_again(
    queue: CommandQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kind: a wait that always lasts as long is too short for a full batch, or delays one that is full."""
    writer, game = gathering(queue, 3, monkeypatch), uuid4()
    for each in (game, game, uuid4()):
        assert writer.is_alive()
        queue.put(command_of(each))
    writer.join()
    assert math.isinf(queue._enough)  # what comes later wakes nobody for this


def test_nobody_is_waited_for_whose_time_is_over_nor_once_nothing_more_comes(
    queue: CommandQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue.gather(2, 0.0)
    writer = gathering(queue, 2, monkeypatch)
    queue.close()
    writer.join()


def test_a_command_that_no_writer_may_take_wakes_none(queue: CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kind: a writer that is woken to find nothing takes its time from those who play."""
    woken = list[UUID]()
    monkeypatch.setattr(queue._changed, "notify", lambda: woken.append(game))
    for game in (first := uuid4(), second := uuid4()):
        queue.put(command_of(game))
    assert woken == [first, second]
    batch = queue.take()
    assert batch is not None and batch.is_usual
    for game in (first, third := uuid4()):
        queue.put(command_of(game))
    assert woken == [first, second]  # one is being played, and the other goes with those that come meanwhile
    monkeypatch.setattr(queue_module.STATE_CACHE, "holds", lambda each: each != third)
    queue.put(command_of(third))
    assert woken == [first, second, third]  # that one is cold


@pytest.fixture
def acts_of_writer(queue: CommandQueue, monkeypatch: pytest.MonkeyPatch) -> Callable[[list[list[UUID]]], list[str]]:
    """What a writer does between batches to which nobody needs a database: each is what comes then."""
    done = list[str]()
    monkeypatch.setattr(queue, "gather", lambda count, _until: done.append(f"gather {count}"))
    monkeypatch.setattr(writers, "close_old_connections", lambda: done.append("close"))
    monkeypatch.setattr(writers, "_play_and_answer", lambda batch: writers.Played([(each, None) for each in batch.all]))

    def play(coming: list[list[UUID]]) -> list[str]:
        def take() -> Batch | None:
            for game in coming.pop(0) if coming else ():
                queue.put(command_of(game))
            return queue.take() if queue._count else None

        by_turns: Any = SimpleNamespace(
            take=take, gather=queue.gather, give_back=queue.give_back, is_idle=queue.is_idle
        )
        writers.Writers(by_turns)._work()
        return done

    return play


def test_only_behind_a_usual_batch_of_several_others_are_waited_for(
    acts_of_writer: Callable[[list[list[UUID]]], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, cold = (uuid4() for _ in range(3))
    monkeypatch.setattr(queue_module.STATE_CACHE, "holds", lambda game: game != cold)
    assert acts_of_writer([[one], [one, two], [cold, cold]]) == ["close", "gather 2", "close", "close"]


def test_a_writer_keeps_its_connection_while_commands_wait_unless_it_is_broken(
    acts_of_writer: Callable[[list[list[UUID]]], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kind: what is given back and taken again behind each batch is a tenth of what the batch costs."""
    one, cold = uuid4(), uuid4()
    monkeypatch.setattr(queue_module.STATE_CACHE, "holds", lambda game: game != cold)
    assert acts_of_writer([[one, cold]]) == ["close"]
    monkeypatch.setattr(writers, "connection", SimpleNamespace(errors_occurred=True))
    assert acts_of_writer([[one, cold]])[1:] == ["close", "close"]


def test_a_writer_is_idle_though_commands_wait_that_are_of_the_next_usual_batch(queue: CommandQueue) -> None:
    """The kind: who counts what waits, not what they may take, keeps what they do not use."""
    assert queue.is_idle()
    queue.put(command_of(uuid4()))
    assert not queue.is_idle()
    batch = queue.take()
    assert batch is not None and batch.is_usual
    queue.put(command_of(uuid4()))
    assert queue.is_idle()
    queue.give_back(batch, set(), set())
    assert not queue.is_idle()


def test_a_connection_that_cannot_be_given_back_ends_no_writer(
    acts_of_writer: Callable[[list[list[UUID]]], list[str]],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail() -> None:
        raise OperationalError("the server is away")

    monkeypatch.setattr(writers, "close_old_connections", fail)
    assert acts_of_writer([[uuid4()], [uuid4(), uuid4()]]) == ["gather 2"]
    assert caplog.text.count("door.unclosed") == 2
