"""A state cached between commands is the state that its rows and its log say, or it is not used at all."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games import registry, services
from games.engine.errors import Refused
from games.engine.game_state import dump
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.gods2.models import Era
from games.models import Game, Timer
from games.runtime import session
from games.storage import state_cache
from games.storage.log import heads_of
from games.storage.store import MORE
from games.workers import demo
from tests.api.gods2 import earth
from tests.games.cairns import Cairns, table
from tests.games.moments import rewind_to
from tests.golden.undo import content, differences
from tests.toy.rules.commands import AddStones, HideCoins

pytestmark = pytest.mark.django_db(transaction=True)
OPTIONS = '{"tide_seconds": 3600}'


@pytest.fixture(autouse=True)
def states(monkeypatch) -> state_cache.StateCache:
    """A state cache of the test's own."""
    own = state_cache.StateCache(32)
    monkeypatch.setattr(session, "STATE_CACHE", own)
    return own


def cached_state(cairns: Cairns, states: state_cache.StateCache):
    """What the cache holds, taken from it."""
    return states.pop(cairns.fresh())


def statements(work) -> list[str]:
    with CaptureQueriesContext(connection) as caught:
        work()
    return [query["sql"] for query in caught.captured_queries]


def test_the_second_command_reads_no_table_of_the_game_again():
    cairns = table(OPTIONS)
    ann = cairns.actor(cairns.ann)
    cairns.run(AddStones(stones=1), ann)
    queries = statements(lambda: cairns.run(AddStones(stones=1), ann))
    read = [sql for sql in queries if sql.startswith("SELECT")]
    assert len(read) == 1, read
    assert "games_game" in read[0]
    assert cairns.rows_equal_log()


def test_what_another_process_wrote_is_caught_up_from_the_log(states, monkeypatch):
    cairns = table(OPTIONS)
    ann, bob = cairns.actor(cairns.ann), cairns.actor(cairns.bob)
    other = state_cache.StateCache(32)
    for n in range(6):
        monkeypatch.setattr(session, "STATE_CACHE", (states, other)[n % 2])
        cairns.run(AddStones(stones=n % 5 + 1), (ann, bob)[n % 2])
        cairns.run(HideCoins(coins=1), ann)
    assert cairns.rows_equal_log()
    here = cached_state(cairns, states)
    assert here is not None
    assert dump(here.state) == dump(cairns.state())
    assert [name for name, rows in here.state.rows() if rows.dirty] == []
    assert here.heads == heads_of(cairns.game)


@pytest.mark.parametrize("last", ["refused", "dry run", "failed"])
def test_a_refusal_and_a_dry_run_leave_the_state_as_it_was_and_a_failure_drops_it(last, states, monkeypatch):
    cairns = table(OPTIONS)
    ann = cairns.actor(cairns.ann)
    cairns.run(AddStones(stones=2), ann)
    if last == "dry run":
        cairns.run(AddStones(stones=5), ann, dry_run=True)
    elif last == "refused":
        with pytest.raises(Refused, match="coins"):
            for _ in range(20):
                cairns.run(HideCoins(coins=100), ann)
    else:
        monkeypatch.setattr("games.storage.log.write", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            cairns.run(AddStones(stones=5), ann)
    left = cached_state(cairns, states)
    assert (left is None) is (last == "failed")
    assert left is None or dump(left.state) == dump(cairns.state())
    assert left is None or registry.store("toy").dirty(left.state) <= {MORE}


def test_a_command_after_a_refusal_or_a_dry_run_reads_no_table_again():
    cairns = table(OPTIONS)
    ann = cairns.actor(cairns.ann)
    cairns.run(AddStones(stones=1), ann)
    with pytest.raises(Refused, match="coins"):
        for _ in range(20):
            cairns.run(HideCoins(coins=100), ann)
    cairns.run(AddStones(stones=1), ann, dry_run=True)
    caught = statements(lambda: cairns.run(AddStones(stones=1), ann))
    assert len([sql for sql in caught if sql.startswith("SELECT")]) == 1


def test_a_repeated_command_leaves_the_state_where_it_was(states):
    cairns = table(OPTIONS)
    ann = cairns.actor(cairns.ann)
    cairns.run(AddStones(stones=2), ann, key="one")
    assert cairns.run(AddStones(stones=2), ann, key="one").replayed
    left = cached_state(cairns, states)
    assert left is not None
    assert dump(left.state) == dump(cairns.state())


def test_a_state_that_was_rolled_back_is_not_cached(states):
    cairns = table(OPTIONS)
    with transaction.atomic():
        cairns.run(AddStones(stones=2), cairns.ann)
        transaction.set_rollback(True)
    assert cached_state(cairns, states) is None


def test_a_rewind_elsewhere_is_not_folded_but_loaded(states, monkeypatch):
    cairns = table(OPTIONS)
    cairns.run(AddStones(stones=2), cairns.ann)
    to = cairns.fresh().seq
    cairns.run(AddStones(stones=3), cairns.ann)
    monkeypatch.setattr(session, "STATE_CACHE", state_cache.StateCache(32))
    cairns.run(rewind_to(cairns.game.pk, to, "once more"), cairns.gm)
    assert cached_state(cairns, states) is None
    monkeypatch.setattr(session, "STATE_CACHE", states)
    cairns.run(AddStones(stones=1), cairns.ann)
    assert cairns.rows_equal_log()


def test_an_amendment_elsewhere_is_folded(states, monkeypatch):
    cairns = table(OPTIONS)
    cairns.run(AddStones(stones=2), cairns.ann)
    change = Change(
        deed=Deed.ALTER,
        table="piles",
        row=str(cairns.seat(cairns.ann)),
        fields=(FieldChange(field="stones", value="9"),),
    )
    monkeypatch.setattr(session, "STATE_CACHE", state_cache.StateCache(32))
    cairns.run(Amend(changes=(change,), reason="to see"), cairns.gm)
    here = cached_state(cairns, states)
    assert here is not None
    assert dump(here.state) == dump(cairns.state())


def test_a_state_of_another_history_is_not_used(states):
    cairns = table(OPTIONS)
    cairns.run(AddStones(stones=2), cairns.ann)
    here = cached_state(cairns, states)
    assert here is not None
    states.put(cairns.game.pk, replace(here, digest="another digest"))
    assert cached_state(cairns, states) is None
    states.put(cairns.game.pk, replace(here, seq=here.seq - 1, digest="another digest"))
    assert cached_state(cairns, states) is None
    states.put(cairns.game.pk, replace(here, seq=here.seq + 1))
    assert cached_state(cairns, states) is None


def test_threads_are_serialised_and_find_the_state_that_the_one_before_has_left(monkeypatch):
    cairns = table(OPTIONS)
    actors = [cairns.actor(cairns.ann), cairns.actor(cairns.bob)]
    cairns.run(AddStones(stones=1), actors[0])
    loads = []
    load = session.load
    monkeypatch.setattr(session, "load", lambda game: loads.append(game) or load(game))
    monkeypatch.setattr(state_cache, "LOCK_TIMEOUT_SECONDS", 600)  # who gives up loads the state

    def send(n: int) -> None:
        try:
            cairns.run(AddStones(stones=1), actors[n % 2])
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(send, range(24)))
    assert loads == []
    assert cairns.rows_equal_log()


def test_no_thread_waits_forever_for_the_lock_of_another(states, monkeypatch):
    monkeypatch.setattr(state_cache, "LOCK_TIMEOUT_SECONDS", 0.01)
    cairns = table(OPTIONS)
    with states.thread_lock(cairns.game.pk):
        cairns.run(AddStones(stones=1), cairns.ann)
    assert cairns.rows_equal_log()


def test_the_longest_unused_state_makes_room_and_an_older_one_never_replaces_a_later(states):
    cairns = table(OPTIONS)
    cairns.run(AddStones(stones=2), cairns.ann)
    here = cached_state(cairns, states)
    assert here is not None
    small = state_cache.StateCache(2)
    ids = [uuid4() for _ in range(3)]
    for pk in ids:
        small.put(pk, here)
    assert len(small) == 2
    assert small.pop(Game(pk=ids[0], seq=here.seq, digest=here.digest)) is None
    assert small.pop(Game(pk=ids[2], seq=here.seq, digest=here.digest)) is here
    small.put(ids[1], replace(here, seq=here.seq - 1, digest="older"))
    assert small.pop(Game(pk=ids[1], seq=here.seq, digest=here.digest)) is here
    none = state_cache.StateCache(0)
    none.put(ids[0], here)
    assert len(none) == 0


def play_on(game: Game, until: int) -> str:
    """Fire timer after timer until a century begins; the digest of the log."""
    while timer := Timer.objects.filter(game=game, due__isnull=False).order_by("due").first():
        services.fire_due(game.pk, now=timer.due)
        if Era.objects.get(game=game).century >= until:
            break
    return Game.objects.get(pk=game.pk).digest


def test_centuries_on_cached_states_lead_to_the_log_that_centuries_on_loaded_states_lead_to(
    states, settings, tmp_path, monkeypatch
):
    settings.DEMO, settings.DATA_DIR, settings.DEMO_STEP_SECONDS = True, tmp_path, 60
    game = Game.objects.get(pk=demo.prepare("gods2")["game"])
    with transaction.atomic():  # nothing commits in here, so nothing is cached
        loaded = play_on(game, 3)
        transaction.set_rollback(True)
    states.clear()

    taken = []
    take = states.pop
    monkeypatch.setattr(states, "pop", lambda game: taken.append(take(game)) or taken[-1])
    assert play_on(game, 3) == loaded
    assert sum(one is not None for one in taken) >= len(taken) - 1 > 10
    here = states.pop(Game.objects.get(pk=game.pk))
    assert here is not None
    assert dump(here.state) == dump(registry.store("gods2").load(Game.objects.get(pk=game.pk)))


def dump_read(states: state_cache.StateCache, cairns: Cairns) -> object:
    with states.reading(cairns.fresh()) as state:
        return dump(state)


def test_a_reader_reads_the_tables_once_and_then_what_has_happened_since(states, monkeypatch):
    cairns = table(OPTIONS)
    ann = cairns.actor(cairns.ann)
    cairns.run(AddStones(stones=1), ann)
    states.clear()
    assert dump_read(states, cairns) == dump(cairns.state())
    assert len(statements(lambda: dump_read(states, cairns))) == 1, "the game's own row"
    monkeypatch.setattr(session, "STATE_CACHE", state_cache.StateCache(32))
    cairns.run(AddStones(stones=2), ann)
    expected = dump(cairns.state())
    assert len(statements(lambda: dump_read(states, cairns))) == 2, "and the events of the other process"
    assert dump_read(states, cairns) == expected


def test_a_session_that_comes_while_somebody_reads_takes_a_state_of_its_own(states):
    cairns = table(OPTIONS)
    ann = cairns.actor(cairns.ann)
    cairns.run(AddStones(stones=1), ann)
    with states.reading(cairns.fresh()) as state:
        before = dump(state)
        assert states.pop(cairns.fresh()) is None
        with transaction.atomic():
            held = session.lock([cairns.game.pk])[cairns.game.pk]
            assert held.state is not state
        assert dump(state) == before


def test_a_state_with_which_a_reader_broke_off_is_not_kept(states):
    cairns = table(OPTIONS)
    cairns.run(AddStones(stones=1), cairns.actor(cairns.ann))
    with pytest.raises(ZeroDivisionError), states.reading(cairns.fresh()):
        raise ZeroDivisionError
    assert cached_state(cairns, states) is None


def test_a_state_that_moved_while_it_was_loaded_is_read_but_not_kept(states):
    cairns = table(OPTIONS)
    behind = cairns.fresh()
    cairns.run(AddStones(stones=1), cairns.actor(cairns.ann))
    states.clear()
    with states.reading(behind) as state:
        assert dump(state) == dump(cairns.state())
    assert len(states) == 0


def test_what_is_legal_is_read_without_changing_the_state_that_is_kept():
    stage = earth()
    stage.game.refresh_from_db()
    loaded = content(registry.store("gods2").load(stage.game))
    for viewer, query in ((stage.ana, ""), (stage.ben, "?legal=1"), (stage.gm, "?as=gm"), (stage.eve, "")):
        assert viewer.get(stage.path(f"legal-commands/{query}")).status_code == 200
        with state_cache.STATE_CACHE.reading(stage.game) as state:
            assert differences(loaded, content(state)) == []


def test_only_what_was_touched_behind_a_position_of_this_log_is_touched_since():
    cached = state_cache.CachedState(None, "toy", {}, 2, "b", None, {1: "a", 2: "b"}, {"piles": 1, "hoards": 2})
    found = [cached.touched_tables(*position) for position in ((1, "a"), (2, "b"), (1, "other"), (0, ""))]
    assert found == [{"hoards"}, frozenset(), None, None]
    cached.touch([state_cache.SEATS], 3)
    assert cached.touched_tables(2, "b") is None
