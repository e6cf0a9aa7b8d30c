"""Many at once on one game: one order, no gap, keys collapse. On SQLite and on PostgreSQL alike."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from core.places import routing
from games import services
from games.engine.errors import Refused
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.models import LoggedEvent, Receipt
from tests.games.cairns import Cairns, table
from tests.toy.models import Hoard, Pile
from tests.toy.rules.commands import AddStones, HideCoins

CLIENTS = 50
pytestmark = pytest.mark.django_db(transaction=True)


def at_once(work, tasks):
    """Run the tasks in many threads, each with a connection of its own; results in order, refusals as codes."""
    place = routing.current()

    def one(task):
        try:
            with routing.at_place(place):
                return work(task)
        except Refused as refused:
            return refused.code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=16) as pool:
        return list(pool.map(one, tasks))


@pytest.fixture
def cairns(transactional_db, settings):
    settings.CLOCK_SLIP_SECONDS = 0
    return table('{"tide_seconds": 3600}')


def test_fifty_clients_on_one_game_leave_a_gapless_log(cairns: Cairns):
    actors = [cairns.actor(cairns.ann), cairns.actor(cairns.bob)]

    def add(i):
        return services.run(
            cairns.game.pk, AddStones(stones=1), actor=actors[i % 2], key=f"k{i}", now=cairns.fresh().last_at
        )

    outcomes = at_once(add, range(CLIENTS))

    assert all(not isinstance(o, str) for o in outcomes)
    seqs = list(LoggedEvent.objects.filter(game=cairns.game).order_by("seq").values_list("seq", flat=True))
    assert seqs == list(range(1, cairns.fresh().seq + 1))
    assert sum(p.stones for p in Pile.objects.all()) == CLIENTS
    assert cairns.rows_equal_log()


def test_one_key_sent_fifty_times_at_once_takes_effect_once(cairns: Cairns):
    actor = cairns.actor(cairns.ann)

    def add(_):
        return services.run(cairns.game.pk, AddStones(stones=2), actor=actor, key="same", now=cairns.fresh().last_at)

    outcomes = at_once(add, range(CLIENTS))

    assert len({(o.first_seq, o.last_seq) for o in outcomes}) == 1
    assert sorted(o.replayed for o in outcomes) == [False] + [True] * (CLIENTS - 1)
    assert Pile.objects.get().stones == 2
    assert Receipt.objects.filter(key="same").count() == 1


def test_a_limit_holds_when_fifty_press_against_it(cairns: Cairns):
    actor = cairns.actor(cairns.ann)

    def hide(i):
        return services.run(cairns.game.pk, HideCoins(coins=100), actor=actor, now=cairns.fresh().last_at)

    outcomes = at_once(hide, range(CLIENTS))

    assert Hoard.objects.get().coins == 1000
    assert sorted(o for o in outcomes if isinstance(o, str)) == ["coins.many"] * (CLIENTS - 10)


def test_only_one_of_many_starts_starts_the_game(transactional_db):
    cairns = table(start=False)

    def start(_):
        return services.run(cairns.game.pk, Start(), actor=Actor(Issuer.GM, cairns.host.pk, cairns.gm.seat))

    outcomes = at_once(start, range(10))

    assert sorted(o for o in outcomes if isinstance(o, str)) == ["phase.closed"] * 9
    assert cairns.types().count("Started") == 1
