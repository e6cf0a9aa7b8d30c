"""What the fault tests share: a moment in seconds, a run that leaves nothing behind, a clock that is set."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import wraps
from typing import ParamSpec, TypeVar
from unittest.mock import patch
from uuid import UUID

from django.db import transaction

from core.places import routing
from games import services
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.lifecycle.seating import Join
from games.models import Game, LoggedEvent
from games.workers import tasks
from tests.games.cairns import NOON, Cairns

P, T = ParamSpec("P"), TypeVar("T")

FULL = os.environ.get("FAULTS") == "full"
"""Whether the long forms are wanted: `make faults`."""


def moment(seconds: float) -> datetime:
    """So many seconds after noon, when the games of these tests begin."""
    return NOON + timedelta(seconds=seconds)


@contextmanager
def undone() -> Iterator[None]:
    """Whatever is done within is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def healthy(game_id: UUID, at: datetime) -> tuple[str, set[str]]:
    """The digest that one healthy worker leads to, and the types of what happens; the game stays as it was."""
    with undone():
        before = Game.objects.get(pk=game_id).seq
        services.fire_due(game_id, at)
        happened = LoggedEvent.objects.filter(game=game_id, seq__gt=before)
        return Game.objects.get(pk=game_id).digest, set(happened.values_list("type", flat=True))


def from_here(work: Callable[P, T]) -> Callable[P, T]:
    """Something to be done in another thread, in the place of this one."""
    place = routing.current()

    @wraps(work)
    def there(*arguments: P.args, **more: P.kwargs) -> T:
        with routing.at_place(place):
            return work(*arguments, **more)

    return there


def sweep() -> None:
    """A sweep of the place in force, in the transaction of the test."""
    place = routing.current()
    tasks.sweep.delay(place and place.number)


@contextmanager
def clock_at(seconds: float) -> Iterator[None]:
    """The service's clock shows this moment."""
    with patch("django.utils.timezone.now", return_value=moment(seconds)):
        yield


def healthy_digest(cairns: Cairns, seconds: float) -> str:
    """The digest of the log when one healthy worker fires what is due by then; the game stays as it was."""
    return healthy(cairns.game.pk, moment(seconds))[0]


def seqs(cairns: Cairns) -> list[int]:
    """The numbers of the log, in order."""
    return list(LoggedEvent.objects.filter(game=cairns.game).order_by("seq").values_list("seq", flat=True))


def another(cairns: Cairns, options: str = '{"tide_seconds": 10}') -> Cairns:
    """One more game of the same people, begun."""
    game = services.open_game("toy", "More", user=cairns.host.pk, options=options, now=NOON)
    more = Cairns(game, cairns.host, cairns.ann, cairns.bob)
    for user in (more.ann, more.bob):
        services.run(game.pk, Join(name=user.username.title()), actor=Actor(Issuer.SEAT, user.pk), now=NOON)
    more.run(Start(), more.gm)
    return more
