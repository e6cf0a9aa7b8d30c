"""What a menu asks the database: one query, whoever looks and however full the table is."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import services
from games.engine.game_state import Role
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.seating import AddSeat, Invite
from tests.api.worlds import ToyGame, client, toy_game

pytestmark = pytest.mark.django_db


def queries_of(viewer: Client, address: str) -> int:
    """How many queries a menu takes that was looked at before."""
    assert viewer.get(address).status_code == 200
    with CaptureQueriesContext(connection) as asked:
        assert viewer.get(address).status_code == 200
    return len(asked)


def counts(toy: ToyGame) -> list[int]:
    """Those of the host, the game-master, a player and a stranger, whole and short."""
    looks = ((toy.host, ""), (toy.host, "&as=gm"), (toy.ann, ""), (toy.eve, ""))
    return [
        queries_of(client(person), toy.path(f"legal-commands/?legal={short}{query}"))
        for person, query in looks
        for short in (0, 1)
    ]


def test_a_menu_is_one_query_for_everybody_at_a_small_table_and_a_full_one() -> None:
    toy = toy_game()
    assert counts(toy) == [1] * 8
    gm = Actor(Issuer.GM, user=toy.host.pk, seat=toy.seat(toy.host, "gm"))
    seats = [AddSeat(role=Role.OBSERVER, name=f"Stool {number}") for number in range(8)]
    services.run_all(toy.game.pk, [(gm, command) for command in (*seats, *[Invite()] * 8)])
    assert counts(toy) == [1] * 8
