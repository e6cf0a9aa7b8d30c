"""Many commands of many games in one transaction: the same log as one by one, and nobody pays for a neighbour."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import services
from games.engine.errors import Refused
from games.engine.kernel import Actor, Command
from games.engine.lifecycle.gm_commands import Pause, Resume, Rewind
from games.models import LoggedEvent, Receipt
from games.runtime import batch, session
from games.services import GameWork, IssuedCommand, PendingCommand
from games.storage.state_cache import STATE_CACHE
from tests.faults.shared import another
from tests.games.cairns import NOON, Cairns, table
from tests.toy.rules.commands import AddStones, HideCoins, Propose, RollStones
from tests.toy.rules.state import State

pytestmark = pytest.mark.django_db
LONG = '{"tide_seconds": 3600}'


def tables(count: int, options: str = LONG) -> list[Cairns]:
    """So many games of the same people."""
    first = table(options)
    return [first, *(another(first, options) for _ in range(count - 1))]


def issue(
    cairns: Cairns, command: Command, who: User | Actor, *, at: float = 1, key: str = "", dry_run: bool = False
) -> PendingCommand:
    actor = who if isinstance(who, Actor) else cairns.actor(who)
    issued = IssuedCommand(command, actor, dry_run=dry_run)
    return PendingCommand(
        game=cairns.game.pk, user=actor.user, issued=issued, now=NOON + timedelta(seconds=at), key=key
    )


def works_of(issued: Sequence[PendingCommand]) -> list[GameWork]:
    """The works of their games, in the order of each game's first command."""
    games = dict.fromkeys(each.game for each in issued)
    return [GameWork(game, [each for each in issued if each.game == game]) for game in games]


def endings(issued: Sequence[PendingCommand]) -> list[Any]:
    """How each command ended, as a client reads it."""
    return [
        (each.error.code if isinstance(each.error, Refused) else type(each.error).__name__)
        if each.error
        else (each.outcome.first_seq, each.outcome.last_seq, each.outcome.replayed, len(each.outcome.dry_run_events))
        for each in issued
        if each.error or each.outcome
    ]


def logs(games: Sequence[Cairns]) -> list[Any]:
    """The whole log of each game, its receipts and the digest at its end."""
    return [
        (
            list(LoggedEvent.objects.filter(game=each.game).order_by("seq").values_list("digest", "cause", "at")),
            list(
                Receipt.objects.filter(game=each.game)
                .order_by("first_seq", "key")
                .values_list("key", "first_seq", "last_seq")
            ),
            each.fresh().digest,
        )
        for each in games
    ]


@contextmanager
def taken_back() -> Iterator[None]:
    """Whatever is written meanwhile is taken back."""
    STATE_CACHE.clear()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    STATE_CACHE.clear()


def mixed_commands(games: Sequence[Cairns], count: int) -> list[PendingCommand]:
    """Commands of all kinds: good ones, refused ones, dry runs, repeated keys, dice, secrets, questions, a rewind."""
    chance, made = Random(7), list[PendingCommand]()
    for number in range(count):
        cairns, at = chance.choice(games), 1 + number / 8
        who = chance.choice([cairns.ann, cairns.bob])
        commands = (AddStones(stones=2), RollStones(dice=2), HideCoins(coins=3), Propose(text="Rest?"), Pause())
        command: Command = chance.choice(commands)
        key = chance.choice(["", f"k{number // 6}"])
        made.append(issue(cairns, command, who, at=at, key=key, dry_run=chance.random() < 0.1))
        if number % 20 == 19:
            seq = cairns.game.seq
            made.append(issue(cairns, Rewind(to=seq, reason="Again."), cairns.gm, at=at, key=f"back{number}"))
        if number % 7 == 3:
            made += [issue(cairns, each(), cairns.gm, at=at) for each in (Pause, Resume)]
    return made


def test_a_batch_of_256_leads_to_the_log_that_one_by_one_leads_to():
    games = tables(5, '{"tide_seconds": 9}')
    for each in games:
        each.game = each.fresh()

    def outcome(play: Callable[[Sequence[PendingCommand]], None]) -> Any:
        issued = mixed_commands(games, 220)
        assert len(issued) > 256
        with taken_back():
            play(issued)
            found = (endings(issued), logs(games))
            assert all(each.rows_equal_log() for each in games)
        return found

    def alone(issued: Sequence[PendingCommand]) -> None:
        for each in issued:
            services.play([GameWork(each.game, [each])])

    together = outcome(lambda issued: services.play(works_of(issued)))
    assert together == outcome(alone)
    codes = {ending for ending in together[0] if isinstance(ending, str)}
    assert {"issuer.other", "key.reused"} <= codes
    assert sum(ending[2] for ending in together[0] if not isinstance(ending, str)) >= 2


@pytest.mark.django_db(transaction=True)
def test_eight_games_take_the_statements_of_one():
    if connection.vendor != "postgresql":
        pytest.skip("SQLite reads and writes row by row, in this process")
    games = tables(8)

    def statements(some: Sequence[Cairns]) -> int:
        issued = [issue(each, AddStones(stones=1), each.ann, key=f"k{len(some)}") for each in some]
        for each in issued:
            services.play([GameWork(each.game, [replace(each, key="")])])
        with CaptureQueriesContext(connection) as asked:
            services.play(works_of(issued))
        assert [each.outcome is None for each in issued] == [False] * len(issued)
        return len(asked)

    assert statements(games) <= statements(games[:1]) + 7  # the rows of seven more games


def test_a_command_that_breaks_harms_nobody_beside_it(monkeypatch: pytest.MonkeyPatch):
    one, two = tables(2)
    decide = AddStones.decide

    def break_at_five(self: AddStones, state: State, ctx: Any) -> Any:
        if self.stones == 5:
            raise ZeroDivisionError("a bug")
        return decide(self, state, ctx)

    monkeypatch.setattr(AddStones, "decide", break_at_five)
    issued = [
        issue(one, AddStones(stones=1), one.ann, key="a"),
        issue(one, AddStones(stones=5), one.ann, key="b"),
        issue(one, AddStones(stones=2), one.bob, key="c"),
        issue(two, AddStones(stones=3), two.ann, key="d"),
    ]

    services.play(works_of(issued))

    assert [type(each.error) for each in issued] == [type(None), ZeroDivisionError, type(None), type(None)]
    assert [len(Receipt.objects.filter(key=key)) for key in "abcd"] == [1, 0, 1, 1]
    assert one.rows_equal_log() and two.rows_equal_log()


def test_what_cannot_be_written_harms_nobody_beside_it(monkeypatch: pytest.MonkeyPatch):
    games = tables(3)
    gather = session.Writing.gather_rows

    def fail_for_the_second(self: session.Writing, writes: Any) -> None:
        if self.game.pk == games[1].game.pk:
            raise ValueError("a row that fits no column")
        gather(self, writes)

    monkeypatch.setattr(session.Writing, "gather_rows", fail_for_the_second)
    issued = [issue(each, AddStones(stones=1), each.ann) for each in games]

    services.play(works_of(issued))

    assert [type(each.error) for each in issued] == [type(None), ValueError, type(None)]
    monkeypatch.undo()
    assert [len(each.types()) for each in games].count(len(games[1].types())) == 1
    assert all(each.rows_equal_log() for each in games)
    again = issue(games[1], AddStones(stones=1), games[1].ann)
    services.play(works_of([again]))
    assert again.outcome is not None


def test_when_the_database_is_away_nothing_has_happened(monkeypatch: pytest.MonkeyPatch):
    games = tables(3)
    before = logs(games)

    def gone(*_: Any) -> None:
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr("core.columns.Writes.send", gone)
    issued = [issue(each, AddStones(stones=1), each.ann) for each in games[:2]]
    works = [*works_of(issued), GameWork(games[2].game.pk, now=NOON + timedelta(hours=2))]
    told: list[Any] = []
    monkeypatch.setattr(batch.command_log, "log_command", lambda each, _, fault: told.append((each, fault)))
    with pytest.raises(OperationalError) as gone_then:
        services.play(works)
    monkeypatch.undo()
    assert told == [(each, gone_then.value) for each in issued]  # an operator reads of each that it failed

    assert endings(issued) == []
    assert [(work.is_over, work.fired) for work in works] == [(False, 0)] * 3
    assert logs(games) == before
    assert all(each.rows_equal_log() for each in games)


def test_a_game_that_is_not_there_is_refused_beside_one_that_is():
    (one,) = tables(1)
    nowhere = replace(issue(one, AddStones(stones=1), one.ann), game=UUID(int=7))
    there = issue(one, AddStones(stones=1), one.ann)

    works = works_of([nowhere, there])
    services.play(works)

    assert endings([nowhere])[0] == "game.missing"
    assert [(work.is_over, work.was_held) for work in works] == [(True, False)] * 2  # nobody waits for it again
    assert there.outcome is not None


def test_one_key_twice_in_a_batch_takes_effect_once():
    (one,) = tables(1)
    issued = [issue(one, AddStones(stones=4), one.ann, key="same") for _ in range(3)]
    other = issue(one, AddStones(stones=5), one.ann, key="same")

    services.play(works_of([*issued, other]))

    assert [each.outcome.replayed for each in issued if each.outcome] == [False, True, True]
    assert endings([other]) == ["key.reused"]
    assert one.types().count("StonesAdded") == 1


def test_what_there_is_no_time_for_has_not_begun_and_comes_next():
    one, two = tables(2)
    issued = [issue(each, AddStones(stones=1), each.ann) for each in (one, two)]
    works = works_of(issued)

    services.play(works, seconds=0)

    assert [work.is_over for work in works] == [False, False]
    assert endings(issued) == []
    services.play(works)
    assert [work.is_over for work in works] == [True, True]
    assert all(each.outcome for each in issued)


def test_the_clocks_of_many_games_fire_in_one_go():
    games = tables(4, '{"tide_seconds": 9}')

    with taken_back():
        fired = services.fire_due_in([each.game.pk for each in games], NOON + timedelta(seconds=60))
        together = logs(games)
        assert all(each.rows_equal_log() for each in games)
    for each in games:
        assert services.fire_due(each.game.pk, NOON + timedelta(seconds=60)) == fired[each.game.pk] > 1
    assert logs(games) == together
