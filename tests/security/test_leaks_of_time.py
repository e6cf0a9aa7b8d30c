"""No viewer learns when a secret came about: time goes on between the secrets, which `test_leaks` plants at one noon.

Two games of Cairns; secrets come about in the one, minute by minute, behind the last public event of the other. Whoever
may not know them is answered the same bytes at every address half an hour later: order, choice and times of all that is
listed, pages included.
"""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from django.utils import timezone

from games import services
from games.engine.insight.forecast import Forecast, Forecastable
from games.engine.kernel import Actor, Issuer
from games.reads import selectors
from games.runtime import session
from tests.api.worlds import restore_afterwards, toy_game
from tests.security.addresses import Question
from tests.security.grounds import cairns
from tests.security.test_leaks import Watch, same
from tests.toy.rules.commands import HideCoins
from worlds.visibility import Visibility

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
ASKED = ("other seat", "nobody")
"""Of the players the nearest, and of those without a player's seat one: `test_leaks` asks all of them."""


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test turns; the throw-away dice of dry runs are always the same."""
    clock = SimpleNamespace(now=NOON)
    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    monkeypatch.setattr(session, "os", SimpleNamespace(urandom=bytes))
    return clock


class Ask(Forecastable):
    """A forecast that hangs on the time."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.SEAT})

    def decide(self, state: Any, ctx: Any) -> Any:
        raise NotImplementedError

    def forecast(self, state: Any, ctx: Any, actor: Actor) -> Forecast:
        return Forecast(price=None, steps=(), exact=True, cases=1, prospects=(), hidden=(str(ctx.now),))


def test_when_secrets_come_about_changes_no_byte_of_what_others_see(clock):
    watch = Watch(cairns())
    clock.now += timedelta(minutes=1)
    toy_game()
    assert {"/", "/graphql/", "/api/v1/games/"} <= {question.path for question in listing(watch, "nobody")}
    questions = {name: [*watch.nearest_questions(name), *listing(watch, name)] for name in ASKED}

    def ask() -> dict[str, Any]:
        clock.now = NOON + timedelta(minutes=29)
        return {name: watch.ask(name, questions[name], act=True) for name in ASKED}

    without = ask()
    with restore_afterwards():
        for at, plant in enumerate(plant for plant in watch.plants.values() if plant.instead is None):
            clock.now = NOON + timedelta(minutes=2, seconds=20 * at)
            plant.how(watch.ground)
        row = watch.ground.fresh()
        assert row.last_at > NOON + timedelta(minutes=5) and row.public_at == NOON
        with_it = ask()
    for name in ASKED:
        same(with_it[name], without[name], f"{name} learns when a secret came about")


def listing(watch: Watch, name: str) -> list[Question]:
    """What lists games and worlds, and the pages."""
    lists = ("/api/v1/games/?", "/api/v1/worlds/?", f"/games/{watch.ground.game.pk}/screen/")
    return [
        question
        for question in watch.every_question(name)
        if question.path in ("/", "/api/v1/games/", "/api/v1/worlds/")
        or question.path.startswith(lists)
        or question.body.startswith(('{"query": "{ games', '{"query": "{ worlds'))
    ]


def test_a_forecast_is_of_the_time_of_the_last_public_event(clock):
    toy = toy_game()
    clock.now += timedelta(minutes=1)
    services.run(toy.game.pk, HideCoins(coins=3), actor=toy.actor(toy.bob))
    seen = selectors.forecast(toy.fresh(), Visibility(user=toy.ann.pk), Ask(), toy.actor(toy.ann))
    assert seen.hidden == (str(NOON),)
