"""Games in a bucket of one's choice. Their rows are read in it; the services are called from nowhere."""

from collections.abc import Callable
from typing import Any, TypeVar
from unittest.mock import patch

from django.db import connection

from core.places import routing
from core.places.cards import NOTES
from core.places.place import Place
from games import services
from games.models import Game
from tests.faults.shared import another
from tests.games.cairns import Cairns, table
from tests.places.buckets import BOTH, id_in
from tests.toy.rules.commands import AddStones

T = TypeVar("T")
LONG = '{"tide_seconds": 3600}'
TABLES = "SELECT schemaname, tablename FROM pg_tables WHERE schemaname LIKE 'place%%' OR schemaname = 'public'"


def opened_in(place: Place, open_one: Callable[[], T]) -> T:
    """What opens a game opens it in a bucket."""
    with patch("games.services.uuid4", lambda: id_in(place)), routing.at_place(place):
        return open_one()


def one_in_each(options: str = LONG) -> tuple[Cairns, Cairns]:
    """A game of Cairns in the first bucket and one in the second, of the same people."""
    first = opened_in(BOTH[0], lambda: table(options))
    return first, opened_in(BOTH[1], lambda: another(first, options))


def in_its_place(cairns: Cairns, read: Callable[[Cairns], T]) -> T:
    """What is read of a game."""
    with routing.at(cairns.game.pk):
        return read(cairns)


def rows_of_schemas() -> dict[str, dict[str, int]]:
    """The tables of each schema that have rows, and how many; without what a bucket notes for cards."""
    found: dict[str, dict[str, Any]] = {}
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        for schema, name in cursor.fetchall():
            cursor.execute(f'SELECT count(*) FROM {schema}."{name}"')
            if (count := cursor.fetchone()[0]) and name not in ("django_migrations", NOTES):
                found.setdefault(schema, {})[name] = count
    return found


def ids(answer: Any) -> list[str]:
    """The ids of a page, in its order."""
    return [row["id"] for row in answer.json()["results"]]


def of(*games: Cairns) -> list[str]:
    """The ids of games, as a page has them."""
    return [str(each.game.pk) for each in games]


def add_stones(cairns: Cairns) -> None:
    """Ann adds a stone."""
    services.run(cairns.game.pk, AddStones(stones=1), actor=in_its_place(cairns, lambda it: it.actor(it.ann)))


def change(cairns: Cairns, **fields: Any) -> None:
    """Change the row of a game behind the service's back."""
    with routing.at(cairns.game.pk):
        Game.objects.filter(pk=cairns.game.pk).update(**fields)
