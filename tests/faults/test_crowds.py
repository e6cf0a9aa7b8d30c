"""Fifty clients press at one thing at the same moment: sums hold, one wins, the others are refused by name."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Barrier
from typing import TypeVar
from uuid import UUID

import pytest
from django.core.cache import caches
from django.db import connection, connections
from django.test import Client

from accounts.models import User
from games import services
from games.engine.errors import Refused
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.engine.lifecycle.seating import AddSeat, Join
from games.gods2.models import Purse, War
from games.gods2.rules.casting.war_commands import DeclareWar
from games.models import Game, LoggedEvent, Prompt, Seat
from tests.api.worlds import ToyGame, bearer, toy_game, user
from tests.faults.era import open_era
from tests.faults.shared import from_here
from tests.games.cairns import table
from tests.toy.models import Hoard
from tests.toy.rules.commands import CastVote, Propose
from worlds.models import Race

CLIENTS = 50
SPARE = 15  # connections that are left to others who use the same server meanwhile
FREE_CONNECTIONS = """
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int - count(*)
    from pg_stat_activity
"""
T = TypeVar("T")
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]


@pytest.fixture(autouse=True)
def fresh() -> None:
    caches["throttles"].clear()
    if connection.vendor == "postgresql":
        _await_connections(CLIENTS + SPARE)


def _await_connections(wanted: int) -> None:
    """Wait until the server has so many left: each client takes one, and other tests may be at it too."""
    deadline, free = time.monotonic() + 60, -1
    while free < wanted and time.monotonic() < deadline:
        with connection.cursor() as cursor:
            cursor.execute(FREE_CONNECTIONS)
            (free,) = cursor.fetchone()
        time.sleep(0.2)
    assert free >= wanted, f"PostgreSQL has {free} connections left, {wanted} are needed: raise its max_connections."


def at_once(work: Callable[[T], object], tasks: Iterable[T]) -> list[object]:
    """Each task in a thread of its own, all begun at the same moment; answers in order, refusals as their codes."""
    waiting = list(tasks)
    begin = Barrier(len(waiting), timeout=240)

    def one(task: T) -> object:
        begin.wait()
        try:
            return work(task)
        except Refused as refused:
            return refused.code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(waiting)) as pool:
        return list(pool.map(from_here(one), waiting))


def post_command(toy: ToyGame, command: str, body: dict[str, object], headers: dict[str, str]) -> tuple[int, str]:
    """Send a command through REST: the status, and the code of the problem document if it is one."""
    answer = Client(headers=headers).post(toy.path(f"commands/{command}/"), body, content_type="application/json")
    if answer.status_code == 201:
        return 201, ""
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["status"] == answer.status_code
    return answer.status_code, answer.json()["code"]


def types(game: Game) -> Counter[str]:
    """How often what has happened in a game."""
    return Counter(LoggedEvent.objects.filter(game=game).values_list("type", flat=True))


def test_fifty_clients_fill_one_hoard_to_its_limit_and_no_further() -> None:
    toy = toy_game()
    ann = bearer(toy.ann)

    answers = at_once(lambda _: post_command(toy, "hide-coins", {"coins": 100}, ann), range(CLIENTS))

    assert Counter(answers) == {(201, ""): 10, (409, "coins.many"): CLIENTS - 10}
    assert Hoard.objects.get(game=toy.game).coins == 1000
    assert types(toy.game)["CoinsHidden"] == 10


def test_of_fifty_who_want_the_last_seat_one_joins() -> None:
    toy = toy_game()
    services.run(toy.game.pk, Join(name="Cyd"), actor=Actor(Issuer.SEAT, user("cyd").pk))
    crowd = [(f"Guest {n}", bearer(user(f"guest-{n}"))) for n in range(CLIENTS)]

    answers = at_once(lambda guest: post_command(toy, "join", {"name": guest[0]}, guest[1]), crowd)

    assert Counter(answers) == {(201, ""): 1, (409, "seats.full"): CLIENTS - 1}
    winner = Seat.objects.get(game=toy.game, name=crowd[answers.index((201, ""))][0])
    assert winner.user == user(winner.name.lower().replace(" ", "-"))
    assert Seat.objects.filter(game=toy.game, role="player").count() == 4


def test_of_fifty_who_take_one_empty_seat_one_holds_it() -> None:
    cairns = table('{"tide_seconds": 3600}')
    cairns.run(AddSeat(name="Empty"), cairns.gm)
    seat = Seat.objects.get(game=cairns.game, name="Empty")
    crowd = [User.objects.create(username=f"guest-{n}").pk for n in range(CLIENTS)]

    def take(guest: UUID) -> object:
        join = Join(name="Guest", seat=seat.pk)
        services.run(cairns.game.pk, join, actor=Actor(Issuer.SEAT, guest), now=cairns.fresh().last_at)
        return guest

    answers = at_once(take, crowd)

    seat.refresh_from_db()
    assert Counter(type(answer) for answer in answers) == {UUID: 1, str: CLIENTS - 1}
    assert set(answers) == {seat.user_id, "seat.taken"}
    assert cairns.rows_equal_log()


def test_fifty_ballots_at_once_settle_a_motion_once() -> None:
    cairns = table('{"tide_seconds": 3600}')
    cairns.run(Propose(text="More stones?"), cairns.ann)
    motion = Prompt.objects.get(game=cairns.game).pk
    actors = [cairns.actor(cairns.ann), cairns.actor(cairns.bob)]

    def vote(n: int) -> object:
        return services.run(
            cairns.game.pk, CastVote(prompt=motion, yes=True), actor=actors[n % 2], now=cairns.fresh().last_at
        )

    answers = at_once(vote, range(CLIENTS))

    refused = Counter(answer for answer in answers if isinstance(answer, str))
    happened = types(cairns.game)
    assert set(refused) == {"prompt.closed"}
    assert happened["PromptAnswered"] == CLIENTS - refused["prompt.closed"]
    assert (happened["MotionSettled"], happened["PromptClosed"]) == (1, 1)
    assert not Prompt.objects.filter(game=cairns.game).exists()
    assert cairns.rows_equal_log()


def test_fifty_wars_on_one_purse_are_paid_as_far_as_the_mana_goes() -> None:
    begun = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
    era = open_era(31, begun)
    god = era.player.seat
    before, spent = War.objects.filter(game=era.game).count(), types(era.fresh())["ManaSpent"]
    price = int(json.loads(LoggedEvent.objects.filter(game=era.game, type="ManaSpent").latest("seq").body)["amount"])
    one, other = (Race.objects.get(world=era.fresh().world, name=name).pk for name in ("Dwarves", "Elves"))
    have = Purse.objects.get(game=era.game, seat=god).balance
    balance = 3 * price + price - 1
    change = Change(
        deed=Deed.ALTER, table="purses", row=str(god),
        fields=(FieldChange(field="balance", value=json.dumps(balance), before=json.dumps(have)),),
    )  # fmt: skip
    era.run(Amend(changes=(change,), reason="A purse for three wars."), era.gm, begun)

    answers = at_once(
        lambda _: era.run(DeclareWar(attacker=one, defender=other), era.player, begun).first_seq, range(CLIENTS)
    )

    assert Counter(a for a in answers if isinstance(a, str)) == {"mana.short": CLIENTS - 3}
    assert Purse.objects.get(game=era.game, seat=god).balance == price - 1
    assert War.objects.filter(game=era.game).count() == before + 3
    assert types(era.fresh())["ManaSpent"] == spent + 3
    assert era.faults() == []
